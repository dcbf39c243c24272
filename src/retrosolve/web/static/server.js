// Ask the server. Returns whether it could answer, the address in the end, the text, and the data of JSON; null
// if the request was given up or the server is gone, which the page says until it answers again.
export async function ask(address, options = {}) {
  const gone = document.getElementById("gone");
  let answer, text;
  try {
    answer = await fetch(address, options);
    text = await answer.text();
  } catch {
    if (!options.signal?.aborted) gone.hidden = false;
    return null;
  }
  gone.hidden = true;
  const isData = answer.headers.get("Content-Type")?.startsWith("application/json");
  return { ok: answer.ok, url: answer.url, text, data: isData ? JSON.parse(text) : { error: text } };
}

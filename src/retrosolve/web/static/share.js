// Copy the address, the position, or the code that embeds the page elsewhere.
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = Object.assign(document.createElement("textarea"), { value: text }); // no clipboard without https
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

export function sharing() {
  const permalink = document.getElementById("permalink");
  if (!permalink) return;
  const texts = {
    address: () => location.href,
    position: () => document.getElementById("position-text").textContent,
    embedding: () => `<iframe src="${new URL(document.querySelector("[data-copy=embedding]").dataset.url, location).href}" width="420" height="640" title="${document.title.replaceAll('"', "")}"></iframe>`,
  };
  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.closest("[hidden]")?.removeAttribute("hidden");
    button.addEventListener("click", async () => {
      await copy(texts[button.dataset.copy]());
      document.getElementById("announcement").textContent = button.dataset.done;
      button.classList.add("is-done");
    });
  }
}

// What both editors do with a drawing: have it solved, show who wins, and keep its address.
const PAUSE = 120;

export class Solving {
  // url answers a text with a result; react is called with each result, and with null for what has none.
  constructor(url, react = () => {}) {
    this.url = url;
    this.react = react;
    this.timer = 0;
    this.asked = 0;
    this.links = ["play", "film", "edit"].map((name) => document.getElementById(name));
  }

  // Solve soon: a stroke of the brush changes several cells.
  soon(text) {
    this.wait();
    this.asked += 1; // an answer on its way is about an earlier drawing
    this.timer = setTimeout(() => this.now(text), PAUSE);
  }

  // Solve now; returns the result, null for a text that is refused or was overtaken by another.
  async now(text) {
    this.wait();
    this.asked += 1;
    const number = this.asked;
    const found = await this.ask(text).catch((failure) => ({ error: failure.message }));
    if (number !== this.asked) return null;
    if (found.error !== undefined) {
      this.refuse(found.error);
      return null;
    }
    document.getElementById("error").textContent = "";
    this.link(found);
    this.show(found);
    this.react(found);
    return found;
  }

  async ask(text) {
    const answer = await fetch(this.url, { method: "POST", headers: { "Content-Type": "text/plain" }, body: text });
    return answer.json();
  }

  // Nothing is known of what is drawn or typed: no earlier verdict stays beside the sentence.
  refuse(sentence, verdict = "") {
    this.wait();
    this.asked += 1;
    document.getElementById("error").textContent = sentence;
    this.say(verdict, null);
    this.react(null);
  }

  // Links lead nowhere until they lead to what is drawn.
  wait() {
    clearTimeout(this.timer);
    for (const link of this.links) link.removeAttribute("href");
  }

  link(addresses) {
    for (const link of this.links) {
      link.hidden = !addresses[link.id];
      if (addresses[link.id]) link.href = addresses[link.id];
    }
  }

  show(found) {
    this.say(found.plies ? `${found.verdict} ${found.plies}` : found.verdict, found.value);
    history.replaceState(null, "", found.edit);
  }

  say(text, value) {
    const verdict = document.getElementById("verdict");
    verdict.textContent = text;
    verdict.className = value ? `verdict v-${value}` : "verdict";
  }
}

// Make a link save a text as a file.
export function savable(link, text) {
  link.hidden = false;
  link.href = `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`;
}

// Call a function with the text of each file that is chosen.
export function openable(input, react) {
  input.closest("label").hidden = false;
  input.addEventListener("change", async () => {
    if (input.files.length) react(await input.files[0].text());
    input.value = "";
  });
}

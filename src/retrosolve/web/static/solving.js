// What both editors do with a drawing: have it solved, show who wins, keep its address and its history.
import { fill } from "./film-model.js";
import { TextError } from "./pursuit.js";

const PAUSE = 60;

// The data of an editor's page: its words and limits.
export function editorData() {
  const data = JSON.parse(document.getElementById("editor-data").textContent);
  data.words.number = (value) => String(value).replace(/\d/g, (digit) => data.words.digits[digit]);
  return data;
}

export class Solving {
  // kind is "board" or "graph"; data are those of the page; react is called with each result, and with
  // null for what has none; show opens a film in the page where it stands alone.
  constructor(kind, { words, standalone, language }, react, show) {
    Object.assign(this, { kind, words, standalone, language, react });
    this.timer = 0;
    this.asked = 0;
    this.found = null;
    this.links = ["play", "film", "edit"].map((name) => document.getElementById(name));
    if (standalone) {
      document.getElementById("film-link").addEventListener("click", (event) => {
        event.preventDefault();
        if (this.found) show(this.found);
      });
    }
  }

  // Solve soon: a stroke of the brush changes several cells. A task returns the result.
  soon(task) {
    this.wait();
    this.asked += 1; // an answer on its way is about an earlier drawing
    this.timer = setTimeout(() => this.now(task), PAUSE);
  }

  // Solve now; returns the result, null for a text that is refused or was overtaken by another.
  async now(task) {
    this.wait();
    this.asked += 1;
    const number = this.asked;
    let found = null;
    try {
      found = await task();
    } catch (failure) {
      if (number === this.asked) this.refuse(this.reason(failure));
      return null;
    }
    if (number !== this.asked) return null;
    document.getElementById("error").textContent = "";
    this.found = found;
    this.link(found);
    this.say(found.plies ? `${found.verdict} ${found.plies}` : found.verdict, found.value);
    history.replaceState(null, "", this.addresses(found).edit);
    this.react(found);
    return found;
  }

  reason(failure) {
    if (!(failure instanceof TextError)) return failure.message;
    const values = Object.entries(failure.values).map(([key, value]) => [key, typeof value === "number" ? this.words.number(value) : value]);
    return fill(this.words.errors[failure.message], Object.fromEntries(values));
  }

  // Nothing is known of what is drawn or typed: no earlier verdict stays beside the sentence.
  refuse(sentence, verdict = "") {
    this.wait();
    this.asked += 1;
    this.found = null;
    document.getElementById("error").textContent = sentence;
    this.say(verdict, null);
    this.react(null);
  }

  // Links lead nowhere until they lead to what is drawn.
  wait() {
    clearTimeout(this.timer);
    for (const link of this.links) link?.removeAttribute("href");
  }

  addresses({ description, filmed }) {
    const { kind, standalone, language } = this;
    const own = `${kind}=${encodeURIComponent(description)}`;
    if (standalone) return { edit: `#${own}` };
    const game = `/g/${kind}~${encodeURIComponent(description)}/`;
    const asked = language ? `?language=${language}` : "";
    return {
      play: game + asked, film: filmed ? `${game}film${asked}` : null,
      edit: `/edit/${kind}?${own}${language ? `&language=${language}` : ""}`,
    };
  }

  link(found) {
    const addresses = this.addresses(found);
    for (const link of this.links) {
      if (!link) continue;
      link.hidden = !addresses[link.id];
      if (addresses[link.id]) link.href = addresses[link.id];
    }
    const film = document.getElementById("film-link");
    if (film) film.hidden = !found.filmed;
  }

  say(text, value) {
    const verdict = document.getElementById("verdict");
    verdict.textContent = text;
    verdict.className = value ? `verdict v-${value}` : "verdict";
  }
}

const LIMIT = 200;

// The states of a drawing, for two buttons and for Ctrl+Z, Ctrl+Shift+Z and Ctrl+Y outside of text fields.
export class History {
  // restore is called with a state to go back to; states are compared as text.
  constructor(restore) {
    this.restore = restore;
    this.states = [];
    this.place = -1;
    this.buttons = { undo: document.getElementById("undo"), redo: document.getElementById("redo") };
    this.buttons.undo.addEventListener("click", () => this.go(-1));
    this.buttons.redo.addEventListener("click", () => this.go(1));
    document.addEventListener("keydown", (event) => {
      const key = event.key.toLowerCase();
      if (!(event.ctrlKey || event.metaKey) || !"zy".includes(key) || event.target.closest("textarea, input:not([type=radio], [type=checkbox])")) return;
      event.preventDefault();
      this.go(key === "y" || event.shiftKey ? 1 : -1);
    });
  }

  push(state) {
    if (state === this.states[this.place]) return;
    this.states = [...this.states.slice(0, this.place + 1), state].slice(-LIMIT);
    this.place = this.states.length - 1;
    this.mark();
  }

  go(step) {
    const next = this.place + step;
    if (next < 0 || next >= this.states.length) return;
    this.place = next;
    this.restore(this.states[next]);
    this.mark();
  }

  mark() {
    this.buttons.undo.disabled = this.place <= 0;
    this.buttons.redo.disabled = this.place >= this.states.length - 1;
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

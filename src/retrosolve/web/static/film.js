// The film: the controls, the words, the lines of the algorithm, and what is drawn.
import { Film, fill } from "./film-model.js";
import { FilmBoard } from "./film-board.js";
import { FilmGraph } from "./film-graph.js";
import { FilmPosition } from "./film-position.js";

const MAX_WORDS = 60;
const REST = 400;
const element = (id) => document.getElementById(`film-${id}`);

const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", " ": "play" };
const OTHER_WAY = { ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft" };
const KEEP_THEIR_KEYS = "input:not([type=range]), select, textarea, [role=grid], ol";

// The control that a key stands for; none where the element with the focus has a use for it.
function action(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest(KEEP_THEIR_KEYS)) return null;
  if (event.key === " " && event.target.closest("button, summary")) return null;
  const name = KEYS[document.dir === "rtl" ? OTHER_WAY[event.key] ?? event.key : event.key];
  return event.shiftKey && event.key.startsWith("Arrow") ? `level-${name}` : name;
}

class Player {
  // inAddress says whether the step is part of the address; signal ends what the film listens to.
  constructor(film, views, { inAddress, signal }) {
    Object.assign(this, { film, views, inAddress });
    this.timer = 0;
    const large = film.events.length > 400;
    element("unit").value = large ? "level" : "step";
    this.listen(signal);
    const place = inAddress ? Math.trunc(Number(location.hash.slice(1))) || 0 : 0;
    this.film.seek(Math.min(place, film.events.length));
    this.measure();
  }

  get byLevel() {
    return element("unit").value === "level";
  }

  // Where the slider is: the number of events, or of levels.
  get place() {
    const { step, stops } = this.film;
    return this.byLevel ? stops.findLastIndex((stop) => stop <= step) : step;
  }

  get places() {
    return this.byLevel ? this.film.stops.length - 1 : this.film.events.length;
  }

  listen(signal) {
    const slider = element("slider");
    slider.addEventListener("input", () => this.goTo(Number(slider.value)));
    element("unit").addEventListener("change", () => this.measure());
    const actions = {
      first: () => this.seek(0), back: () => this.goTo(this.place - 1), forward: () => this.goTo(this.place + 1),
      "level-back": () => this.level(-1), "level-forward": () => this.level(1),
      last: () => this.seek(this.film.events.length), play: () => this.toggle(),
    };
    for (const [name, act] of Object.entries(actions)) {
      element(name).addEventListener("click", () => {
        if (name !== "play") this.pause();
        act();
      });
    }
    document.addEventListener("keydown", (event) => {
      const name = action(event);
      if (!name) return;
      event.preventDefault();
      element(name).click();
    }, { signal });
    signal?.addEventListener("abort", () => this.pause());
  }

  measure() {
    const slider = element("slider");
    slider.max = String(this.places);
    this.show();
  }

  // Positions where the game is over take one step together: nothing is examined there.
  goTo(place) {
    const kept = Math.min(Math.max(place, 0), this.places);
    const over = this.film.ends[1];
    if (this.byLevel) this.seek(this.film.stops[kept]);
    else if (kept < over) this.seek(kept > this.film.step ? over : 0);
    else this.seek(kept);
  }

  // Go to the end of another level.
  level(direction) {
    const { stops, step } = this.film;
    const found = direction > 0 ? stops.find((stop) => stop > step) : stops.findLast((stop) => stop < step);
    this.seek(found ?? step);
  }

  seek(step) {
    this.film.seek(step);
    this.show();
  }

  // Go to where a position is decided.
  decided(vertex) {
    const place = this.film.events.findIndex((event) => event.vertex === vertex && event.value);
    this.pause();
    if (place >= 0) this.seek(place + 1);
  }

  toggle() {
    if (this.timer) {
      this.pause();
      return;
    }
    if (this.film.step === this.film.events.length) this.film.seek(0);
    this.timer = 1;
    this.tick();
    this.label();
  }

  tick() {
    this.goTo(this.place + 1);
    if (this.film.step >= this.film.events.length) this.pause();
    else this.timer = setTimeout(() => this.tick(), 1000 / Number(element("speed").value));
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.label();
    this.show();
  }

  label() {
    const { play, pause } = this.film.words.page;
    element("play").setAttribute("aria-label", this.timer ? pause : play);
    element("play").textContent = this.timer ? "❚❚" : "▶";
    // A film that runs is not read aloud; where it stops is.
    element("now").setAttribute("aria-live", this.timer ? "off" : "polite");
  }

  show() {
    const { film } = this;
    const page = film.words.page;
    const slider = element("slider");
    slider.value = String(this.place);
    const where = fill(page.step, { step: film.count(film.step), total: film.count(film.events.length) });
    slider.setAttribute("aria-valuetext", where);
    element("count").textContent = where;
    element("heading").textContent = film.level < 0 ? page.before : film.heading(film.level);
    element("sentence").textContent = this.summary();
    this.words();
    this.code();
    this.tally();
    for (const view of this.views) view.show(this.together);
    clearTimeout(this.waiting);
    if (this.inAddress && !this.timer) this.waiting = setTimeout(() => this.remember(), REST);
  }

  // Whether all events of a level are shown as one: by choice, and where the game is over.
  get together() {
    const { film } = this;
    return this.byLevel || (film.current?.level === 0 && film.ends[1] > 1);
  }

  // Mark the line of the algorithm that the last step carried out, and say what became of the counter.
  code() {
    const { film } = this;
    const rules = film.current ? film.recent(this.together).map((event) => event.rule) : [];
    for (const line of element("code").children) {
      const here = (line.dataset.rules ?? "").split(" ").some((rule) => rules.includes(rule));
      line.classList.toggle("is-current", here);
      if (here) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    }
    const event = this.together ? null : film.current;
    const lowered = event && (event.rule === "refuted" || event.rule === "loss");
    const values = lowered && { name: film.names[event.vertex], before: film.number(event.open + 1), open: film.number(event.open) };
    element("counter").textContent = lowered ? fill(film.words.page.lowered, values) : "";
  }

  // The step is part of the address, once the film rests there.
  remember() {
    const place = this.film.step ? `#${this.film.step}` : location.pathname + location.search;
    history.replaceState(null, "", place);
  }

  // What the last step did, in a sentence.
  summary() {
    const { film } = this;
    const page = film.words.page;
    if (!film.current) return film.levels[0].events.length ? page.nothing : film.words.nothing;
    if (!this.together) return film.sentence(film.current);
    const found = { win: 0, loss: 0, tie: 0, draw: 0 };
    for (const event of film.recent(true)) if (event.value) found[event.value] += 1;
    const parts = Object.entries(found).filter(([, count]) => count);
    const listed = parts.map(([value, count]) => `${film.signs[value]} ${film.words.values[value]} ${film.count(count)}`);
    return fill(page.decided, { counts: listed.join(film.words.separator) });
  }

  // The sentences of the level up to now, the last ones if there are many.
  words() {
    const { film } = this;
    const list = element("words");
    const first = film.level < 0 ? 0 : film.ends[film.level];
    const shown = film.events.slice(Math.max(first, film.step - MAX_WORDS), film.step);
    list.replaceChildren(...shown.map((event, number) => {
      const item = document.createElement("li");
      item.textContent = film.sentence(event);
      if (number === shown.length - 1) item.setAttribute("aria-current", "step");
      return item;
    }));
    list.start = Math.max(first, film.step - MAX_WORDS) + 1;
    list.scrollTop = list.scrollHeight;
  }

  tally() {
    for (const [value, count] of Object.entries(this.film.counts())) element(`tally-${value}`).textContent = this.film.count(count);
  }
}

// The table of positions: outcome and counter of each.
class FilmTable {
  constructor(body, film, choose) {
    this.film = film;
    this.rows = film.names.map((name, vertex) => {
      if (name === "") return null;
      const row = body.insertRow();
      const head = document.createElement("th");
      head.scope = "row";
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.title = fill(film.words.page.go, { name });
      button.addEventListener("click", () => choose(vertex));
      head.append(button);
      row.append(head);
      return { row, outcome: row.insertCell(), open: row.insertCell(), vertex };
    });
  }

  show() {
    const { film } = this;
    for (const shown of this.rows) {
      if (!shown) continue;
      const { row, outcome, open, vertex } = shown;
      const found = film.outcomes[vertex];
      row.className = found ? `v-${found.value}` : "";
      row.setAttribute("aria-current", String(film.current?.vertex === vertex));
      outcome.textContent = found ? `${film.signs[found.value]} ${film.outcome(found)}` : film.words.page.open;
      open.textContent = fill(film.words.page.counter, { open: film.number(film.open[vertex]), total: film.number(film.successors[vertex].length) });
    }
  }
}

// Show a film in its section; without an address, the step is not written into that of the page.
export function openFilm(section, data, { inAddress = true, signal } = {}) {
  const film = new Film(data);
  const views = [];
  section.hidden = false;
  const choose = (vertex) => player.decided(vertex);
  if (data.board) views.push(new FilmBoard(element("board"), film, data.board, element("fixed"), element("turn")));
  else if (data.drawn) views.push(new FilmGraph(element("graph"), film, data, choose), new FilmTable(element("positions"), film, choose));
  else views.push(new FilmPosition(element("position"), film));
  const player = new Player(film, views, { inAddress, signal });
  section.dataset.ready = "yes";
}

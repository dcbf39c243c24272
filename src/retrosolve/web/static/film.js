// The page of the film: the controls, the words, and what is drawn.
import { Film, fill } from "./film-model.js";
import { FilmBoard } from "./film-board.js";

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
  constructor(film, views) {
    this.film = film;
    this.views = views;
    this.timer = 0;
    const large = film.events.length > 400;
    element("unit").value = large ? "level" : "step";
    this.listen();
    this.film.seek(Math.min(Math.trunc(Number(location.hash.slice(1))) || 0, film.events.length));
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

  listen() {
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
    });
  }

  measure() {
    const slider = element("slider");
    slider.max = String(this.places);
    this.show();
  }

  goTo(place) {
    const kept = Math.min(Math.max(place, 0), this.places);
    this.seek(this.byLevel ? this.film.stops[kept] : kept);
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
    const where = fill(page.step, { step: film.step, total: film.events.length });
    slider.setAttribute("aria-valuetext", where);
    element("count").textContent = where;
    element("heading").textContent = film.level < 0 ? page.before : film.heading(film.level);
    element("sentence").textContent = this.summary();
    this.words();
    this.tally();
    for (const view of this.views) view.show(this.byLevel);
    clearTimeout(this.waiting);
    if (!this.timer) this.waiting = setTimeout(() => this.remember(), REST);
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
    if (!this.byLevel) return film.sentence(film.current);
    const found = { win: 0, loss: 0, tie: 0, draw: 0 };
    for (const event of film.events.slice(film.ends[film.level], film.step)) if (event.value) found[event.value] += 1;
    const parts = Object.entries(found).filter(([, count]) => count);
    const listed = parts.map(([value, count]) => `${film.signs[value]} ${film.words.values[value]} ${count}`);
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
    for (const [value, count] of Object.entries(this.film.counts())) element(`tally-${value}`).textContent = String(count);
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
      open.textContent = fill(film.words.page.counter, { open: film.open[vertex], total: film.successors[vertex].length });
    }
  }
}

async function start(section) {
  const answer = await fetch(section.dataset.url);
  const data = await answer.json();
  if (!answer.ok) {
    element("sentence").textContent = data.error;
    return;
  }
  const film = new Film(data);
  const views = [];
  section.hidden = false;
  if (data.board) views.push(new FilmBoard(element("board"), film, data.board, element("fixed"), element("turn")));
  if (data.places) {
    const { FilmGraph } = await import("./film-graph.js");
    const choose = (vertex) => section.player.decided(vertex);
    const graph = new FilmGraph(element("graph"), film, data, choose);
    element("zoom-in").addEventListener("click", () => graph.zoom(1.25));
    element("zoom-out").addEventListener("click", () => graph.zoom(0.8));
    views.push(graph, new FilmTable(element("positions"), film, choose));
  }
  section.player = new Player(film, views);
  section.dataset.ready = "yes";
}

start(document.getElementById("film"));

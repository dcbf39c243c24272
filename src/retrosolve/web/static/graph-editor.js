// The graph editor: vertices, edges, owners, terminals and the start, drawn or by keyboard, solved at once.
import { COLUMN, ROW, Sketch } from "./graph-sketch.js";
import { arrange } from "./places.js";
import { Solving, History, editorData, openable, savable } from "./solving.js";
import { control, option, replaceOptions } from "./controls.js";
import { describedGraph, isName, parseGraph, solvedGraph } from "./drawn-games.js";
import { fill } from "./film-model.js";
import { filmOfGraph, filmInPage } from "./drawn-film.js";
import { ask } from "./server.js";

const byId = (id) => document.getElementById(`graph-${id}`);
const NARROW = 96; // the least distance of two columns
const TERMINALS = ["win", "loss", "tie"];

class GraphEditor {
  constructor(drawing, data) {
    Object.assign(this, { words: data.words, limits: data.limits, url: data.url });
    this.keys = 0;
    this.typing = false; // a text that is being typed is not written over by an answer
    const film = data.standalone ? filmInPage() : null;
    this.solving = new Solving(
      "graph", data, (found) => (found ? this.keep(found) : this.forget()),
      (found) => film(filmOfGraph(found, { ...data.film, signs: data.words.signs })),
    );
    this.history = new History((state) => this.restore(state));
    drawing.hidden = false;
    const kept = /^#graph=(.+)$/.exec(data.standalone ? location.hash : "");
    this.read(this.solved(describedGraph(kept ? decodeURIComponent(kept[1]) : data.graph)));
    this.sketch = new Sketch(byId("sketch"), this, {
      add: (place) => this.add(this.freeName(), place),
      connect: (source, target) => this.connect(source, target),
      erase: (thing) => this.erase(thing),
      moved: (vertex, place) => this.moved(vertex, place),
      tool: () => document.querySelector("[name=tool]:checked").value,
    });
    this.listen();
    this.draw();
    this.sketch.fit();
    this.typing = Boolean(document.getElementById("error").textContent); // a text that was refused stays
    this.history.push(this.state());
    if (!this.typing) this.solve();
  }

  listen() {
    byId("add-vertex").addEventListener("submit", (event) => {
      event.preventDefault();
      const input = byId("name");
      this.add(input.value.trim() || this.freeName(), this.freePlace());
      input.value = "";
    });
    byId("add-edge").addEventListener("submit", (event) => {
      event.preventDefault();
      const [source, target] = ["source", "target"].map((id) => this.vertices[byId(id).selectedIndex]);
      if (source && target) this.connect(source, target);
    });
    byId("owned").addEventListener("change", () => this.changed(() => { this.owned = byId("owned").checked; }));
    byId("stuck").addEventListener("change", () => this.changed(() => { this.stuck = byId("stuck").value; }));
    byId("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.load(byId("text").value);
    });
    byId("text").addEventListener("input", () => { this.typing = true; });
    openable(byId("file"), (text) => this.load(text));
  }

  solved(graph) {
    return solvedGraph(graph, this.words, this.limits);
  }

  solve() {
    const graph = this.graph();
    return this.solving.now(() => this.solved(graph));
  }

  // Take over a solved graph.
  read(found) {
    const width = byId("sketch").clientWidth - 2;
    const across = 1 + Math.max(...found.places.map(([column]) => column));
    const column = Math.max(NARROW, Math.min(COLUMN, (width - NARROW) / Math.max(across - 1, 1)));
    const { points } = arrange(found.places, width, { column, row: ROW, small: 1 });
    this.vertices = found.names.map((name, number) => (
      this.vertex(name, points[number], found.owner ? found.owner[number] : 0, found.terminal[number] ?? null)
    ));
    this.edges = found.edges.map(([source, target]) => [this.vertices[source], this.vertices[target]]);
    this.start = found.start === null ? null : this.vertices[found.start];
    this.owned = Boolean(found.owner);
    this.stuck = found.stuck;
    this.options();
  }

  options() {
    byId("owned").checked = this.owned;
    byId("stuck").value = this.stuck;
    byId("vertices").closest("table").classList.toggle("has-owners", this.owned);
  }

  // All of the drawing as text, to come back to it.
  state() {
    const { start, owned, stuck } = this;
    const vertices = this.vertices.map(({ key, name, owner, terminal, x, y }) => ({ key, name, owner, terminal, x, y }));
    const edges = this.edges.map((edge) => edge.map((vertex) => vertex.key));
    return JSON.stringify({ vertices, edges, start: start?.key ?? null, owned, stuck });
  }

  restore(state) {
    const { vertices, edges, start, owned, stuck } = JSON.parse(state);
    this.vertices = vertices.map((vertex) => ({ ...vertex, outcome: null }));
    const keyed = new Map(this.vertices.map((vertex) => [vertex.key, vertex]));
    this.edges = edges.map((edge) => edge.map((key) => keyed.get(key)));
    Object.assign(this, { start: keyed.get(start) ?? null, owned, stuck });
    this.options();
    this.typing = false;
    this.draw();
    this.update();
  }

  vertex(name, place, owner = 0, terminal = null) {
    this.keys += 1;
    return { key: this.keys, name, owner, terminal, outcome: null, ...place };
  }

  // Solve a text as it is, and draw it unless something is wrong with it. The server reads more formats.
  async load(text) {
    byId("text").value = text;
    this.typing = true;
    const found = await this.solving.now(async () => this.solved(await this.parsed(text)));
    if (!found) return;
    this.typing = false;
    this.read(found);
    this.draw();
    this.sketch.fit();
    this.keep(found);
    this.history.push(this.state());
  }

  async parsed(text) {
    try {
      return parseGraph(text);
    } catch (failure) {
      const answer = this.url && await ask(this.url, { method: "POST", headers: { "Content-Type": "text/plain" }, body: text });
      if (!answer) throw failure;
      const found = answer.data;
      if (found.error !== undefined) throw new Error(this.words.english + found.error);
      return { ...found, terminal: found.terminal.some(Boolean) ? found.terminal : null };
    }
  }

  // The graph has been solved.
  keep(found) {
    if (found.names.length !== this.vertices.length) return;
    found.outcomes.forEach((outcome, number) => {
      this.vertices[number].outcome = { ...outcome, sign: this.words.signs[outcome.value] };
    });
    if (!this.typing) byId("text").value = found.texts.csv;
    for (const kind of ["csv", "json"]) savable(document.getElementById(`save-${kind}`), found.texts[kind]);
    this.sketch.draw();
    this.showOutcomes();
  }

  // What is drawn has no outcomes, or what is typed instead has none.
  forget() {
    for (const vertex of this.vertices) vertex.outcome = null;
    this.sketch.draw();
    this.showOutcomes();
  }

  changed(change) {
    change();
    this.typing = false;
    for (const vertex of this.vertices) vertex.outcome = null;
    this.options();
    this.draw();
    this.history.push(this.state());
    this.update();
  }

  // Have what is drawn solved.
  update() {
    const graph = this.graph();
    if (this.vertices.length) this.solving.soon(() => this.solved(graph));
    else this.solving.refuse("", this.words.empty);
  }

  // The graph as it is drawn, its edges by their source.
  graph() {
    const { vertices } = this;
    const number = new Map(vertices.map((vertex, place) => [vertex, place]));
    const pairs = this.edges.map((edge) => edge.map((vertex) => number.get(vertex)));
    return {
      names: vertices.map((vertex) => vertex.name),
      edges: vertices.flatMap((_, place) => pairs.filter(([source]) => source === place)),
      owner: this.owned ? vertices.map((vertex) => vertex.owner) : null,
      terminal: vertices.some((vertex) => vertex.terminal) ? vertices.map((vertex) => vertex.terminal) : null,
      stuck: this.stuck,
      start: this.start ? number.get(this.start) : null,
    };
  }

  complain(sentence, values) {
    document.getElementById("error").textContent = fill(this.words.errors[sentence], values);
  }

  say(sentence, values) {
    return fill(this.words[sentence], values);
  }

  add(name, place) {
    const most = this.limits.vertices;
    if (this.vertices.length >= most) this.complain("full", { most: this.words.number(most) });
    else if (!this.named(name)) this.changed(() => this.vertices.push(this.vertex(name, place)));
  }

  // Complain about a name that a vertex cannot have; returns whether it is so.
  named(name) {
    const right = isName(name, this.limits.letters);
    if (right && this.vertices.every((vertex) => vertex.name !== name)) return false;
    this.complain(right ? "taken" : "letters", { vertex: name });
    return true;
  }

  connect(source, target) {
    const most = this.limits.edges;
    if (this.edges.some(([from, to]) => from === source && to === target)) return;
    if (this.edges.length >= most) this.complain("full", { most: this.words.number(most) });
    else this.changed(() => this.edges.push([source, target]));
  }

  moved(vertex, place) {
    Object.assign(vertex, place);
    this.history.push(this.state());
    this.sketch.draw();
  }

  // Remove a vertex with its edges, or an edge.
  erase(thing) {
    this.changed(() => {
      this.vertices = this.vertices.filter((vertex) => vertex !== thing);
      this.edges = this.edges.filter((edge) => edge !== thing && !edge.includes(thing));
      if (this.start === thing) this.start = null;
    });
  }

  freeName() {
    const taken = new Set(this.vertices.map((vertex) => vertex.name));
    const letters = [..."abcdefghijklmnopqrstuvwxyz"];
    for (let number = 0; ; number += 1) {
      const name = letters[number] ?? `v${number}`;
      if (!taken.has(name)) return name;
    }
  }

  // A place below what is drawn.
  freePlace() {
    const bottom = Math.max(0, ...this.vertices.map((vertex) => vertex.y + ROW));
    const row = this.vertices.filter((vertex) => vertex.y === bottom - ROW);
    if (row.length && row.length < 5) return { x: Math.max(...row.map((vertex) => vertex.x)) + COLUMN, y: bottom - ROW };
    return { x: 0, y: bottom };
  }

  draw() {
    const focused = document.activeElement?.dataset.focus;
    this.sketch?.draw();
    for (const id of ["source", "target"]) replaceOptions(byId(id), this.vertices.map((vertex) => vertex.name));
    byId("vertices").replaceChildren(...this.vertices.map((vertex) => this.row(vertex)));
    byId("edges").replaceChildren(...this.edges.map((edge) => this.edgeRow(edge)));
    this.showOutcomes();
    if (focused) (document.querySelector(`[data-focus="${focused}"]`) ?? byId("name")).focus();
  }

  row(vertex) {
    const row = document.createElement("tr");
    const head = document.createElement("th");
    head.scope = "row";
    const label = (kind) => this.say(kind, { vertex: vertex.name });
    const name = control("input", label("name"), { value: vertex.name, maxLength: this.limits.letters, autocomplete: "off" });
    name.addEventListener("change", () => {
      if (name.value === vertex.name || this.named(name.value)) name.value = vertex.name;
      else this.changed(() => { vertex.name = name.value; });
    });
    head.append(name);
    const start = control("input", label("start"), { type: "radio", name: "start", checked: vertex === this.start });
    start.addEventListener("change", () => this.changed(() => { this.start = vertex; }));
    const owner = control("select", label("owner"), { hidden: !this.owned });
    owner.append(...[0, 1].map((side) => option(this.say("player", { number: this.words.number(side) }), String(side), vertex.owner === side)));
    owner.addEventListener("change", () => this.changed(() => { vertex.owner = Number(owner.value); }));
    const terminal = control("select", label("terminal"), {});
    terminal.append(option(this.words.goes_on, "", !vertex.terminal), ...TERMINALS.map((value) => option(this.words[value], value, vertex.terminal === value)));
    terminal.addEventListener("change", () => this.changed(() => { vertex.terminal = terminal.value || null; }));
    const remove = control("button", label("remove"), { type: "button", textContent: "×" });
    remove.addEventListener("click", () => this.erase(vertex));
    row.append(head);
    Object.entries({ name, start, owner, terminal, remove }).forEach(([kind, part]) => {
      part.dataset.focus = `${kind}-${vertex.key}`;
    });
    for (const parts of [[], [], [start], [owner], [terminal], [remove]]) row.insertCell().append(...parts);
    for (const place of [2, 4]) row.cells[place].className = "of-owners";
    return row;
  }

  edgeRow(edge) {
    const item = document.createElement("li");
    const [source, target] = edge.map((vertex) => vertex.name);
    const remove = control("button", this.say("edge", { source, target }), { type: "button", textContent: "×" });
    remove.dataset.focus = `edge-${edge[0].key}-${edge[1].key}`;
    remove.addEventListener("click", () => this.erase(edge));
    item.append(`${source} → ${target} `, remove);
    return item;
  }

  showOutcomes() {
    [...byId("vertices").rows].forEach((row, number) => {
      const { outcome } = this.vertices[number];
      const [, text, winner] = row.cells;
      text.className = outcome ? `v-${outcome.value}` : "";
      text.textContent = outcome ? `${outcome.sign} ${outcome.text}` : "";
      winner.textContent = outcome && this.owned ? this.winner(outcome) : "";
    });
  }

  winner(outcome) {
    return outcome.winner === null ? this.words.nobody : this.say("player", { number: this.words.number(outcome.winner) });
  }
}

new GraphEditor(byId("drawing"), editorData());

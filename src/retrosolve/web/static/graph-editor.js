// The graph editor: vertices, edges, owners, terminals and the start, drawn or by keyboard, solved at once.
import { COLUMN, ROW, Sketch } from "./graph-sketch.js";
import { arrange } from "./places.js";
import { Solving, openable, savable } from "./solving.js";
import { control, option, replaceOptions } from "./controls.js";

const byId = (id) => document.getElementById(`graph-${id}`);
const NAME = /^[\p{L}\p{M}\p{N}_]{1,20}$/u;
const TERMINALS = ["win", "loss", "tie"];

class GraphEditor {
  constructor(drawing, { graph, words, most, most_edges: mostEdges }) {
    Object.assign(this, { words, most, mostEdges });
    this.keys = 0;
    this.typing = false; // a text that is being typed is not written over by an answer
    this.solving = new Solving(drawing.dataset.url, (found) => (found ? this.keep(found) : this.forget()));
    drawing.hidden = false;
    this.read(graph);
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
    if (!this.typing) this.keep(graph);
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

  // Take over a graph as the server describes it.
  read(found) {
    const { points } = arrange(found.places, byId("sketch").clientWidth - 2, { column: COLUMN, row: ROW });
    this.vertices = found.names.map((name, number) => (
      this.vertex(name, points[number], found.owner ? found.owner[number] : 0, found.terminal[number] ?? null)
    ));
    this.edges = found.edges.map(([source, target]) => [this.vertices[source], this.vertices[target]]);
    this.start = found.start === null ? null : this.vertices[found.start];
    this.owned = Boolean(found.owner);
    this.stuck = found.stuck;
    byId("owned").checked = this.owned;
    byId("stuck").value = this.stuck;
  }

  vertex(name, place, owner = 0, terminal = null) {
    this.keys += 1;
    return { key: this.keys, name, owner, terminal, outcome: null, ...place };
  }

  // Solve a text as it is, and draw it unless the answer says what is wrong with it.
  async load(text) {
    byId("text").value = text;
    this.typing = true;
    const found = await this.solving.now(text);
    if (!found) return;
    this.typing = false;
    this.read(found);
    this.draw();
    this.sketch.fit();
    this.keep(found);
  }

  // The graph has been solved.
  keep(found) {
    if (found.names.length !== this.vertices.length) return;
    found.outcomes.forEach((outcome, number) => {
      this.vertices[number].outcome = { ...outcome, sign: found.signs[outcome.value] };
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
    this.draw();
    if (this.vertices.length) this.solving.soon(this.text());
    else this.solving.refuse("", this.words.empty);
  }

  // The graph in the JSON format of graph files.
  text() {
    const number = new Map(this.vertices.map((vertex, place) => [vertex, place]));
    return JSON.stringify({
      format: "retrosolve",
      version: 1,
      vertices: this.vertices.length,
      successors: this.vertices.map((vertex) => this.edges.filter(([source]) => source === vertex).map(([, target]) => number.get(target))),
      names: this.vertices.map((vertex) => vertex.name),
      owner: this.owned ? this.vertices.map((vertex) => vertex.owner) : null,
      terminal: this.vertices.map((vertex) => vertex.terminal),
      stuck: this.stuck,
      start: this.start ? this.start.name : null,
    });
  }

  complain(sentence, values) {
    document.getElementById("error").textContent = this.say(sentence, values);
  }

  say(sentence, values) {
    return this.words[sentence].replace(/\{(\w+)\}/g, (_, key) => values[key]);
  }

  add(name, place) {
    if (this.vertices.length >= this.most) this.complain("full", { most: this.most });
    else if (!this.named(name)) this.changed(() => this.vertices.push(this.vertex(name, place)));
  }

  // Complain about a name that a vertex cannot have; returns whether it is so.
  named(name) {
    if (NAME.test(name) && this.vertices.every((vertex) => vertex.name !== name)) return false;
    this.complain(NAME.test(name) ? "taken" : "letters", { vertex: name });
    return true;
  }

  connect(source, target) {
    if (this.edges.some(([from, to]) => from === source && to === target)) return;
    if (this.edges.length >= this.mostEdges) this.complain("full", { most: this.mostEdges });
    else this.changed(() => this.edges.push([source, target]));
  }

  moved(vertex, place) {
    Object.assign(vertex, place);
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
    const name = control("input", label("name"), { value: vertex.name, maxLength: 20, autocomplete: "off" });
    name.addEventListener("change", () => {
      if (name.value === vertex.name || this.named(name.value)) name.value = vertex.name;
      else this.changed(() => { vertex.name = name.value; });
    });
    head.append(name);
    const start = control("input", label("start"), { type: "radio", name: "start", checked: vertex === this.start });
    start.addEventListener("change", () => this.changed(() => { this.start = vertex; }));
    const owner = control("select", label("owner"), { hidden: !this.owned });
    owner.append(...[0, 1].map((side) => option(this.say("player", { number: side }), String(side), vertex.owner === side)));
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
    return outcome.winner === null ? this.words.nobody : this.say("player", { number: outcome.winner });
  }
}

new GraphEditor(byId("drawing"), JSON.parse(byId("data").textContent));

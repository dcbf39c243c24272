// The drawing of the graph editor: vertices and edges by mouse, touch or pen.
//
// A press and a release on one spot is a click; a vertex that is pressed can be moved. A swipe over the
// paper scrolls the page.
import { GraphView } from "./graph-view.js";

export const COLUMN = 120;
export const ROW = 84;
const SIZE = { width: 84, height: 48 };
const HEIGHT = 380;
const STILL = 5; // pixels that a pointer may move in a click

export class Sketch {
  // graph is the model; add, connect, erase and moved change it.
  constructor(container, graph, { add, connect, erase, moved, tool }) {
    Object.assign(this, { container, graph, add, connect, erase, moved, tool });
    this.chosen = null;
    this.pressed = null;
    this.frame = null;
    container.addEventListener("pointerdown", (event) => this.press(event));
    container.addEventListener("pointermove", (event) => this.drag(event));
    container.addEventListener("pointerup", (event) => this.release(event));
    container.addEventListener("pointercancel", () => { this.pressed = null; });
  }

  // The vertex or the edge at an event, null for the paper.
  at(event) {
    return this.things.get(event.target.closest?.(".node, .edge")) ?? null;
  }

  // Where an event is on the paper.
  place(event) {
    const frame = this.view.svg.getBoundingClientRect();
    return {
      x: Math.round((event.clientX - frame.left) / this.view.scale + this.view.left),
      y: Math.round((event.clientY - frame.top) / this.view.scale + this.view.top),
    };
  }

  press(event) {
    if (event.button !== 0) return;
    const thing = this.at(event);
    this.pressed = { x: event.clientX, y: event.clientY, thing, moved: false };
    if (thing?.name !== undefined) this.container.setPointerCapture(event.pointerId);
  }

  drag(event) {
    const { pressed } = this;
    if (!pressed || pressed.thing?.name === undefined || this.tool() === "erase") return;
    if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > STILL) pressed.moved = true;
    if (!pressed.moved) return;
    const { x, y } = this.place(event);
    this.view.move(pressed.thing.key, x, y);
    pressed.to = { x, y };
  }

  release(event) {
    const { pressed } = this;
    this.pressed = null;
    if (!pressed) return;
    if (pressed.moved) {
      this.moved(pressed.thing, pressed.to);
      return;
    }
    if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > STILL) return;
    const { thing } = pressed;
    if (this.tool() === "erase") {
      if (thing) this.erase(thing);
    } else if (thing === null) {
      if (this.chosen) this.choose(null);
      else this.add(this.place(event));
    } else if (thing.name !== undefined) {
      const source = this.chosen;
      this.choose(source ? null : thing);
      if (source) this.connect(source, thing);
    }
  }

  choose(vertex) {
    this.chosen = vertex;
    this.view.mark(vertex ? [vertex.key] : [], []);
  }

  // Put another graph in the middle of the paper.
  fit() {
    this.frame = null;
    this.draw();
  }

  // As much paper as there is room for, with the vertices in its middle.
  around(vertices) {
    const [width, height] = [this.container.clientWidth - 2, HEIGHT];
    const middle = (key) => {
      const found = vertices.map((vertex) => vertex[key]);
      return found.length ? (Math.min(...found) + Math.max(...found)) / 2 : 0;
    };
    return { left: middle("x") - width / 2, top: middle("y") - height / 2, width, height };
  }

  // Draw the graph anew, with the outcomes that are known. The paper grows with it and never shrinks.
  draw() {
    const { vertices, edges, start, owned } = this.graph;
    const view = new GraphView(this.container, {
      nodes: vertices.map((vertex) => ({
        id: vertex.key, x: vertex.x, y: vertex.y, ...SIZE, lines: text(vertex), title: vertex.name,
        shape: owned && vertex.owner === 1 ? "hexagon" : "",
        kind: [
          "is-clickable", vertex.outcome ? `v-${vertex.outcome.value}` : "",
          vertex.terminal ? "is-terminal" : "", vertex === start ? "is-start" : "",
        ].join(" "),
      })),
      edges: [],
      frame: this.frame ?? this.around(vertices),
    });
    this.view = view;
    this.frame = { left: view.left, top: view.top, width: view.width, height: view.height };
    this.things = new Map(vertices.map((vertex) => [view.nodes.get(vertex.key).group, vertex]));
    for (const edge of edges) {
      const [source, target] = edge;
      this.things.set(view.addEdge({ source: source.key, target: target.key }).group, edge);
    }
    if (this.chosen && vertices.includes(this.chosen)) this.choose(this.chosen);
    else this.chosen = null;
  }
}

function text({ name, outcome }) {
  const short = name.length > 9 ? `${name.slice(0, 8)}…` : name;
  if (!outcome) return [short];
  return [short, `\u200e${outcome.sign}${outcome.remoteness === null ? "" : ` ${outcome.remoteness}`}`];
}

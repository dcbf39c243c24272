// A small game drawn as a graph: positions with their outcomes and counters, and the moves that decide.
import cytoscape from "./vendor/cytoscape.esm.min.mjs";
import { arrange } from "./places.js";
import { color, valueStyles } from "./theme.js";

const COLUMN = 130;
const LINE = 17;
const GAP = 34;

export class FilmGraph {
  // places has a column and a row for each position, labels its rows of text; choose is called with a
  // position that is clicked.
  constructor(container, film, { places, labels }, choose) {
    Object.assign(this, { film, labels });
    const lines = Math.max(...labels.map((rows) => rows.length)) + 1;
    const node = lines * LINE + 10;
    this.marked = [];
    const { points, height } = arrange(places, container.clientWidth, { column: COLUMN, row: node + GAP });
    container.style.height = `${height}px`;
    const nodes = film.names.map((_, vertex) => ({
      data: { id: `v${vertex}`, vertex, label: labels[vertex].join("\n"), value: "open" },
      position: points[vertex],
      classes: [film.owner ? `owner-${film.owner[vertex]}` : "", vertex === film.start ? "start" : ""].join(" "),
    }));
    this.cy = cytoscape({
      container,
      elements: [...nodes.filter((node) => film.names[node.data.vertex] !== ""), ...edges(film)],
      layout: { name: "preset" },
      style: style(node, lines),
      userZoomingEnabled: false,
      boxSelectionEnabled: false,
      autounselectify: true,
      maxZoom: 2.5,
      minZoom: 0.1,
    });
    this.cy.on("tap", "node", (event) => choose(event.target.data("vertex")));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.cy.style(style(node, lines)));
    addEventListener("resize", () => this.fit());
    this.fit();
  }

  fit() {
    this.cy.fit(undefined, 20);
    if (this.cy.zoom() > 1.3) {
      this.cy.zoom(1.3);
      this.cy.center();
    }
  }

  zoom(factor) {
    this.cy.zoom({ level: this.cy.zoom() * factor, renderedPosition: { x: this.cy.width() / 2, y: this.cy.height() / 2 } });
  }

  // Show what is known now; of the last event, the position and the moves that it rests on.
  show(byLevel) {
    const { film, cy } = this;
    cy.batch(() => {
      cy.nodes().forEach((node) => {
        const vertex = node.data("vertex");
        const outcome = film.outcomes[vertex];
        node.data("label", label(film, this.labels[vertex], vertex));
        node.data("value", outcome ? outcome.value : "open");
      });
      for (const element of this.marked) element.removeClass("current deciding refuted");
      this.marked = [];
      for (const event of recent(film, byLevel)) this.mark(event);
    });
  }

  mark(event) {
    const node = this.cy.getElementById(`v${event.vertex}`).addClass("current");
    this.marked.push(node);
    for (const [source, target] of this.film.moves(event)) {
      const edge = this.cy.getElementById(`e${source}-${target}`);
      edge.addClass(event.rule === "refuted" ? "refuted" : "deciding");
      this.marked.push(edge);
    }
  }
}

// The events to mark: the last one, or all of its level.
function recent(film, byLevel) {
  if (!film.current) return [];
  return byLevel ? film.events.slice(film.ends[film.level], film.step) : [film.current];
}

const LEFT_TO_RIGHT = "\u200e"; // a sign stands before its number on all pages

// The text of a position, and below it the outcome or the counter.
function label(film, rows, vertex) {
  const outcome = film.outcomes[vertex];
  const plies = outcome && outcome.remoteness !== null ? ` ${outcome.remoteness}` : "";
  const known = outcome ? `${film.signs[outcome.value]}${plies}` : `${film.open[vertex]}/${film.successors[vertex].length}`;
  return [...rows, LEFT_TO_RIGHT + known].join("\n");
}

function edges(film) {
  const found = [];
  film.successors.forEach((row, source) => {
    for (const target of new Set(row)) {
      found.push({ data: { id: `e${source}-${target}`, source: `v${source}`, target: `v${target}` } });
    }
  });
  return found;
}

function style(height, lines) {
  return [
    { selector: "node", style: {
      shape: "round-rectangle", width: 104, height, "font-family": lines > 2 ? "monospace" : "sans-serif", label: "data(label)", "text-wrap": "wrap",
      "text-valign": "center", "font-size": 14, "font-weight": 600, color: color("ink"),
      "background-color": color("page"), "border-width": 1, "border-color": color("quiet"),
    } },
    { selector: "node.owner-1", style: { shape: "hexagon", width: 118 } },
    { selector: "node.start", style: { "border-style": "double", "border-width": 5 } },
    ...valueStyles({ "border-width": 3 }),
    { selector: "node.current", style: { "border-width": 5, "background-color": color("panel"), "underlay-color": color("focus"), "underlay-opacity": 0.5, "underlay-padding": 6 } },
    { selector: "edge", style: {
      width: 1.5, "line-color": color("line"), "target-arrow-color": color("line"),
      "target-arrow-shape": "triangle", "curve-style": "bezier", "loop-direction": "-45deg",
    } },
    { selector: "edge.deciding", style: { width: 5, "line-color": color("focus"), "target-arrow-color": color("focus"), "z-index": 2 } },
    { selector: "edge.refuted", style: { width: 4, "line-style": "dashed", "line-color": color("value-loss"), "target-arrow-color": color("value-loss"), "z-index": 2 } },
  ];
}

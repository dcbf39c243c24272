// The drawing of the graph editor: vertices and edges by mouse or touch, with Cytoscape.js.
import cytoscape from "./vendor/cytoscape.esm.min.mjs";
import { color, valueStyles } from "./theme.js";

export const COLUMN = 120;
export const ROW = 80;

export class Sketch {
  // graph is the model; add, connect and erase change it.
  constructor(container, graph, { add, connect, erase, tool }) {
    this.graph = graph;
    this.chosen = null;
    this.cy = cytoscape({
      container,
      style: style(),
      userZoomingEnabled: false,
      userPanningEnabled: false,
      boxSelectionEnabled: false,
      autounselectify: true,
    });
    this.cy.on("tap", (event) => {
      if (event.target !== this.cy) return;
      if (this.chosen) this.choose(null);
      else if (tool() === "draw") add(event.position);
    });
    this.cy.on("tap", "node", (event) => {
      const vertex = event.target.scratch("vertex");
      if (tool() === "erase") erase(vertex);
      else if (this.chosen) {
        const source = this.chosen;
        this.choose(null);
        connect(source, vertex);
      } else this.choose(vertex);
    });
    this.cy.on("tap", "edge", (event) => {
      if (tool() === "erase") erase(event.target.scratch("edge"));
    });
    this.cy.on("dragfree", "node", (event) => {
      Object.assign(event.target.scratch("vertex"), event.target.position());
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.cy.style(style()));
    addEventListener("resize", () => this.fit());
  }

  choose(vertex) {
    this.chosen = vertex;
    this.cy.nodes().forEach((node) => node.toggleClass("chosen", node.scratch("vertex") === vertex));
  }

  fit() {
    this.cy.resize();
    this.cy.fit(undefined, 40);
    if (this.cy.zoom() > 1) {
      this.cy.zoom(1);
      this.cy.center();
    }
  }

  // Draw the graph anew, with the outcomes that are known.
  draw() {
    const { vertices, edges, start } = this.graph;
    this.cy.batch(() => {
      this.cy.elements().remove();
      for (const vertex of vertices) {
        const outcome = vertex.outcome;
        const sign = outcome ? `\n\u200e${outcome.sign}${outcome.remoteness === null ? "" : ` ${outcome.remoteness}`}` : "";
        const node = this.cy.add({
          data: { id: `v${vertex.key}`, label: vertex.name + sign, value: outcome?.value ?? "open" },
          position: { x: vertex.x, y: vertex.y },
          classes: [
            this.graph.owned && vertex.owner === 1 ? "second" : "", vertex.terminal ? "terminal" : "",
            vertex === start ? "start" : "", vertex === this.chosen ? "chosen" : "",
          ].join(" "),
        });
        node.scratch("vertex", vertex);
      }
      edges.forEach((edge, number) => {
        const [source, target] = edge;
        const drawn = this.cy.add({ data: { id: `e${number}`, source: `v${source.key}`, target: `v${target.key}` } });
        drawn.scratch("edge", edge);
      });
    });
  }
}

function style() {
  return [
    { selector: "node", style: {
      shape: "round-rectangle", width: 64, height: 44, label: "data(label)", "text-wrap": "wrap",
      "text-valign": "center", "font-size": 14, "font-weight": 600, color: color("ink"),
      "background-color": color("page"), "border-width": 1, "border-color": color("quiet"),
    } },
    { selector: "node.second", style: { shape: "hexagon", width: 76 } },
    ...valueStyles({ "border-width": 3 }),
    { selector: "node.terminal", style: { "background-color": color("panel"), "border-style": "dashed" } },
    { selector: "node.start", style: { "border-style": "double", "border-width": 5 } },
    { selector: "node.chosen", style: { "underlay-color": color("focus"), "underlay-opacity": 0.5, "underlay-padding": 6 } },
    { selector: "edge", style: {
      width: 2, "line-color": color("quiet"), "target-arrow-color": color("quiet"),
      "target-arrow-shape": "triangle", "curve-style": "bezier", "loop-direction": "-45deg",
    } },
  ];
}

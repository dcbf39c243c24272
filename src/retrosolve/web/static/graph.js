// The positions around a position, drawn with Cytoscape.js: coloured by value, laid out by remoteness.
import cytoscape from "./vendor/cytoscape.esm.min.mjs";
import { color, valueStyles } from "./theme.js";

const SIGNS = JSON.parse(document.getElementById("signs").textContent);

function style() {
  const ink = color("ink");
  return [
    { selector: "node", style: { label: "data(label)", width: 84, height: 40, shape: "round-rectangle",
      "background-color": color("page"), "border-color": color("quiet"), color: ink, "border-width": 2, "font-size": 12, "text-wrap": "wrap",
      "text-valign": "center", "text-max-width": 80 } },
    { selector: "node[player = 1]", style: { shape: "ellipse" } },
    { selector: "node[?center]", style: { "border-width": 5 } },
    { selector: "edge", style: { width: 1, "line-color": color("line"), "curve-style": "bezier",
      "target-arrow-shape": "triangle", "target-arrow-color": color("line"), "loop-direction": "45deg" } },
    { selector: "edge[?best]", style: { width: 3, "line-color": ink, "target-arrow-color": ink } },
    ...valueStyles(),
  ];
}

function label(node) {
  const text = node.position.length > 12 ? `#${node.index}` : node.position;
  return node.value === null ? text : `${text}\n${SIGNS[node.value]} ${node.remoteness ?? ""}`;
}

function elements(data) {
  const nodes = data.nodes.map((node) => ({
    data: { id: `v${node.index}`, label: label(node), value: node.value, url: node.url, player: node.side,
      center: node.index === data.center },
    position: { x: node.x, y: node.y },
  }));
  const edges = data.edges.map((edge, number) => ({
    data: { id: `e${number}`, source: `v${edge.source}`, target: `v${edge.target}`, best: edge.best },
  }));
  return [...nodes, ...edges];
}

// Draw the graph whose address an element names; a click on a vertex shows its position.
export async function drawGraph(element) {
  const answer = await fetch(element.dataset.source);
  if (!answer.ok || !element.isConnected) return;
  const graph = cytoscape({
    container: element, elements: elements(await answer.json()), style: style(), layout: { name: "preset" },
    minZoom: 0.2, maxZoom: 2, autoungrabify: true,
  });
  graph.fit(undefined, 16);
  graph.on("tap", "node", (event) => location.assign(event.target.data("url")));
  element.dataset.drawn = graph.nodes().length;
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => graph.style(style()));
}

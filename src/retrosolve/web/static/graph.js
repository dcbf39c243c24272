// The positions around a position: coloured by value, each level in a row of its own.
import { GraphView, boxHeight, zoomButtons } from "./graph-view.js";
import { labelOf } from "./film-position.js";
import { inColumns } from "./layout.js";
import { ask } from "./server.js";

const SIGNS = JSON.parse(document.getElementById("signs").textContent);
const GAP = { x: 28, y: 54 };
const WIDTH = 104;
const PICTURE = 92;
const SHORT = 6; // letters of a name that says as much as a picture
const LEFT_TO_RIGHT = "\u200e";

function label(node, pictured) {
  const text = pictured ? [] : labelOf(node.position);
  return node.value === null ? text : [...text, `${LEFT_TO_RIGHT}${SIGNS[node.value]} ${node.remoteness ?? ""}`];
}

// A row of the drawing for each remoteness.
function levels(nodes, places, height, said) {
  const found = new Map(nodes.map((node, number) => [places[number].y, node.remoteness]));
  return [...found].sort((a, b) => a[0] - b[0]).map(([middle, remoteness]) => ({
    from: middle - height / 2, to: middle + height / 2, name: remoteness === null ? SIGNS.draw : said.replace("{level}", remoteness),
  }));
}

// Where to draw each position: a row for each remoteness, or else for each number of moves from the centre.
function placesOf(nodes, edges, valued, step) {
  const place = new Map(nodes.map((node, number) => [node.index, number]));
  const moves = edges.map(({ source, target }) => [place.get(source), place.get(target)]);
  const levels = nodes.map(({ remoteness, depth }) => (valued ? remoteness : -depth));
  return inColumns(levels, moves, false).map(([column, row]) => ({ x: row * step.x, y: column * step.y }));
}

// Draw the graph whose address an element names; a click on a vertex shows its position.
export async function drawGraph(element) {
  const answer = await ask(element.dataset.source);
  if (!answer?.ok || !element.isConnected) return;
  const { nodes, edges, center } = answer.data;
  const pictured = nodes.every((node) => node.picture) && nodes.some((node) => node.position.length > SHORT);
  const labels = nodes.map((node) => label(node, pictured));
  const lines = Math.max(...labels.map((rows) => rows.length));
  const size = { width: WIDTH, height: boxHeight(lines, pictured ? PICTURE : 0) };
  const valued = nodes[0].value !== null;
  const places = placesOf(nodes, edges, valued, { x: size.width + GAP.x, y: size.height + GAP.y });
  const view = new GraphView(element, {
    nodes: nodes.map((node, number) => ({
      id: node.index, ...places[number], ...size, lines: labels[number], url: node.url,
      shape: node.side === 1 ? "ellipse" : "", title: node.position,
      kind: [node.value ? `v-${node.value}` : "", node.index === center ? "is-center" : ""].join(" "),
      picture: pictured && `data:image/svg+xml,${encodeURIComponent(node.picture)}`,
      pictureSize: { width: PICTURE, height: PICTURE },
    })),
    edges: edges.map(({ source, target, best }) => ({ source, target, kind: best ? "is-best" : "" })),
    bands: valued ? levels(nodes, places, size.height + GAP.y, element.dataset.level ?? "{level}") : [],
    axis: "y",
  });
  view.svg.classList.toggle("is-rows", lines > 2);
  view.reveal(center);
  zoomButtons(element.parentNode.querySelectorAll(".graph-buttons [data-zoom]"), view);
}

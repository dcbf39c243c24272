// The positions around a position: coloured by value, each level in a row of its own.
import { GraphView, boxHeight, zoomButtons } from "./graph-view.js";
import { labelOf } from "./film-position.js";
import { inColumns } from "./layout.js";
import { ask } from "./server.js";

const ENDLESS = JSON.parse(document.getElementById("signs").textContent).draw;
const GAP = { x: 28, y: 54 };
const WIDTH = 104;
const PICTURE = 92;
const SHORT = 6; // letters of a name that says as much as a picture
const SHAPES = ["", "ellipse", "hexagon"]; // of both players, and of chance
const LEFT_TO_RIGHT = "\u200e";

function label(node, pictured) {
  const text = pictured ? [] : labelOf(node.position);
  return node.short === null ? text : [...text, LEFT_TO_RIGHT + node.short];
}

// The rows of the drawing, and what is said of each: its remoteness, or its number of moves from the centre.
function rowsOf(nodes, places, height, isByEnd, level) {
  const found = new Map(nodes.map((node, number) => [places[number].y, isByEnd ? node.remoteness : node.depth]));
  return [...found].sort((a, b) => a[0] - b[0]).map(([middle, number]) => ({
    from: middle - height / 2, to: middle + height / 2, name: number === null ? ENDLESS : (isByEnd ? level : "{level}").replace("{level}", number),
  }));
}

// Where to draw each position: a row for each remoteness, or else for each number of moves from the centre.
function placesOf(nodes, edges, isByEnd, step) {
  const place = new Map(nodes.map((node, number) => [node.index, number]));
  const moves = edges.map(({ source, target }) => [place.get(source), place.get(target)]);
  const levels = nodes.map(({ remoteness, depth }) => (isByEnd ? remoteness : -depth));
  return inColumns(levels, moves, false).map(([column, row]) => ({ x: row * step.x, y: column * step.y }));
}

// Draw the graph whose address an element names; a click on a vertex shows its position.
export async function drawGraph(element) {
  const answer = await ask(element.dataset.source);
  if (!answer?.ok || !element.isConnected) return;
  const { nodes, edges, center, by_remoteness: isByEnd } = answer.data;
  const pictured = nodes.every((node) => node.picture) && nodes.some((node) => node.position.length > SHORT);
  const labels = nodes.map((node) => label(node, pictured));
  const lines = Math.max(...labels.map((rows) => rows.length));
  const size = { width: WIDTH, height: boxHeight(lines, pictured ? PICTURE : 0) };
  const places = placesOf(nodes, edges, isByEnd, { x: size.width + GAP.x, y: size.height + GAP.y });
  const view = new GraphView(element, {
    nodes: nodes.map((node, number) => ({
      id: node.index, ...places[number], ...size, lines: labels[number], url: node.url,
      shape: SHAPES[node.side] ?? "", title: node.position,
      kind: [node.kind ? `v-${node.kind}` : "", node.index === center ? "is-center" : ""].join(" "),
      picture: pictured && `data:image/svg+xml,${encodeURIComponent(node.picture)}`,
      pictureSize: { width: PICTURE, height: PICTURE },
    })),
    edges: edges.map(({ source, target, best }) => ({ source, target, kind: best ? "is-best" : "" })),
    bands: rowsOf(nodes, places, size.height + GAP.y, isByEnd, element.dataset.level),
    axis: "y",
  });
  view.svg.classList.toggle("is-rows", lines > 2);
  view.reveal(center);
  zoomButtons(element.parentNode.querySelectorAll(".graph-buttons [data-zoom]"), view);
}

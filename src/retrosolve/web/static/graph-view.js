// A small graph drawn as SVG: boxes with a few lines of text or a picture, and arrows between them.
//
// The drawing stands in a box that scrolls, so a page is never caught in it: a swipe or the wheel moves the
// page, and only ctrl and the wheel, or the buttons of the page, enlarge. It begins at a size at which its
// text is readable. Colours are those of the style sheet, by the classes of boxes and arrows.

const NS = "http://www.w3.org/2000/svg";
const MARGIN = 26;
const LINE = 17; // the height of a line of text
const TEXT = 14; // its size, in the units of the drawing
const SMALLEST = 12; // and in pixels, at first
const LARGEST = 1.3;
const ARROW = 9;
const BAND = 22; // the height of the name of a band

export function make(name, attributes = {}, ...children) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// The width of a drawing, but for its margins, that a box shows whole at the size at which text is readable.
export function roomIn(container) {
  return (container.clientWidth * TEXT) / SMALLEST - 2 * MARGIN;
}

// The height of a box with some lines of text, and a picture above them.
export function boxHeight(lines, picture = 0) {
  return lines * LINE + 12 + picture;
}

function outline({ shape, width, height, picture }) {
  const [a, b] = [width / 2, height / 2];
  if (shape === "ellipse" && picture) return make("rect", { x: -a - 8, y: -b - 4, width: width + 16, height: height + 8, rx: 36 });
  if (shape === "ellipse") return make("ellipse", { rx: a + 6, ry: b + 3 });
  if (shape === "hexagon") {
    const corner = a - 12;
    return make("polygon", { points: `${-a},0 ${-corner},${-b} ${corner},${-b} ${a},0 ${corner},${b} ${-corner},${b}` });
  }
  return make("rect", { x: -a, y: -b, width, height, rx: 6 });
}

// Where a ray from the middle of a box leaves it.
function edgeOfBox(node, dx, dy) {
  const scale = Math.min(node.width / 2 / Math.abs(dx || 1e-9), node.height / 2 / Math.abs(dy || 1e-9));
  return { x: node.x + dx * scale, y: node.y + dy * scale };
}

export class GraphView {
  // nodes: id, x, y (of the middle), width, height, lines, and optionally shape ("ellipse" or "hexagon"),
  // kind (classes), picture (an address) with its pictureSize, title, url
  // edges: source, target (ids), and optionally kind
  // bands: the levels behind the boxes: from, to (along an axis, "x" or "y"), name
  // frame: left, top, width and height that the drawing has at least, at its natural size
  constructor(container, { nodes, edges, bands = [], axis = "x", choose = null, frame = null }) {
    this.container = container;
    this.nodes = new Map();
    this.edges = new Map();
    this.marked = [];
    this.svg = make("svg", { class: "graph-view", "aria-hidden": "true", focusable: "false" });
    this.layers = ["bands", "edges", "nodes"].map((name) => this.svg.appendChild(make("g", { class: name })));
    this.measure(nodes, bands.length > 0, axis, frame);
    this.drawBands(bands, axis);
    for (const node of nodes) this.addNode(node, choose);
    for (const edge of edges) this.addEdge(edge);
    container.replaceChildren(this.svg);
    this.svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event);
    }, { passive: false });
    this.begin();
  }

  measure(nodes, banded, axis, frame) {
    const reach = (key, size, sign) => Math.max(...nodes.map((node) => sign * node[key] + node[size] / 2), nodes.length ? -Infinity : 0);
    const before = { x: MARGIN + (banded && axis === "y" ? 3 * BAND : 0), y: MARGIN + (banded && axis === "x" ? BAND : 0) };
    this.left = -reach("x", "width", -1) - before.x;
    this.top = -reach("y", "height", -1) - before.y;
    this.width = reach("x", "width", 1) + MARGIN - this.left;
    this.height = reach("y", "height", 1) + MARGIN - this.top;
    this.isFramed = frame !== null;
    if (frame) this.widen(frame);
    this.svg.setAttribute("viewBox", `${this.left} ${this.top} ${this.width} ${this.height}`);
  }

  // Include a frame.
  widen({ left, top, width, height }) {
    const [right, bottom] = [Math.max(this.left + this.width, left + width), Math.max(this.top + this.height, top + height)];
    this.left = Math.min(this.left, left);
    this.top = Math.min(this.top, top);
    this.width = right - this.left;
    this.height = bottom - this.top;
  }

  // Readable, and as wide as the room if there is room; a framed drawing has its natural size.
  begin() {
    if (this.isFramed) {
      this.resize(1);
      return;
    }
    const room = this.container.clientWidth || this.width;
    const readable = SMALLEST / TEXT;
    const whole = parseFloat(getComputedStyle(this.container).maxHeight) / this.height; // NaN without a limit
    const wide = Math.min(Math.max(room / this.width, readable), LARGEST);
    this.resize(whole >= readable ? Math.min(wide, whole) : wide);
  }

  // All of it at once, however small.
  fit() {
    this.resize(Math.min(this.container.clientWidth / this.width, LARGEST));
  }

  resize(scale) {
    this.scale = scale;
    this.svg.setAttribute("width", Math.round(this.width * scale));
    this.svg.setAttribute("height", Math.round(this.height * scale));
    this.container.dataset.drawn = this.nodes.size;
  }

  // Enlarge around a point of the screen, by default the middle of what is seen.
  zoom(factor, point = null) {
    const box = this.container;
    const frame = box.getBoundingClientRect();
    const [x, y] = point ? [point.clientX - frame.left, point.clientY - frame.top] : [box.clientWidth / 2, box.clientHeight / 2];
    const [right, down] = [(box.scrollLeft + x) / this.scale, (box.scrollTop + y) / this.scale];
    this.resize(Math.min(Math.max(this.scale * factor, 0.15), 4));
    box.scrollTo({ left: right * this.scale - x, top: down * this.scale - y });
  }

  // Bring a box into sight, without moving the page.
  reveal(id) {
    const node = this.nodes.get(id);
    if (!node) return;
    const box = this.container;
    const [x, y] = [(node.x - this.left) * this.scale, (node.y - this.top) * this.scale];
    const [wide, high] = [(node.width / 2 + MARGIN) * this.scale, (node.height / 2 + MARGIN) * this.scale];
    if (x - wide < box.scrollLeft || x + wide > box.scrollLeft + box.clientWidth) box.scrollLeft = x - box.clientWidth / 2;
    if (y - high < box.scrollTop || y + high > box.scrollTop + box.clientHeight) box.scrollTop = y - box.clientHeight / 2;
  }

  drawBands(bands, axis) {
    bands.forEach(({ from, to, name }, number) => {
      const across = axis === "x";
      const place = across ? { x: from, y: this.top, width: to - from, height: this.height }
        : { x: this.left, y: from, width: this.width, height: to - from };
      const at = across ? { x: (from + to) / 2, y: this.top + BAND - 6, "text-anchor": "middle" }
        : { x: this.left + 8, y: (from + to) / 2 + 5 };
      this.layers[0].append(make("rect", { ...place, class: number % 2 ? "is-odd" : "" }), make("text", at, name));
    });
  }

  addNode(node, choose) {
    const group = make("g", { transform: `translate(${node.x} ${node.y})` });
    const kept = { ...node, group, text: make("text"), edges: [] };
    group.append(outline(node));
    if (node.picture) {
      const { width, height } = node.pictureSize;
      group.append(make("image", { href: node.picture, x: -width / 2, y: -node.height / 2 + 6, width, height }));
    }
    group.append(kept.text);
    if (node.title) group.append(make("title", {}, node.title));
    if (choose) group.addEventListener("click", () => choose(node.id));
    this.nodes.set(node.id, kept);
    this.set(node.id, node.lines, node.kind ?? "");
    this.layers[2].append(node.url ? make("a", { href: node.url, tabindex: -1 }, group) : group);
  }

  // Change the text of a box and its classes.
  set(id, lines, kind) {
    const node = this.nodes.get(id);
    const said = `${kind}\n${lines.join("\n")}`;
    if (node.said === said) return;
    node.said = said;
    node.group.setAttribute("class", `node ${kind}`);
    const above = node.picture ? node.pictureSize.height / 2 : 0;
    const first = above - ((lines.length - 1) * LINE) / 2 + 5;
    node.text.replaceChildren(...lines.map((line, number) => make("tspan", { x: 0, y: first + number * LINE }, line)));
  }

  addEdge({ source, target, kind = "" }) {
    const group = make("g", { class: `edge ${kind}` });
    const edge = { source, target, group, path: make("path"), head: make("polygon") };
    // A wider line below takes clicks.
    edge.hit = make("path", { class: "hit" });
    group.append(edge.hit, edge.path, edge.head);
    this.edges.set(`${source} ${target}`, edge);
    for (const end of new Set([source, target])) this.nodes.get(end).edges.push(edge);
    const back = this.edges.get(`${target} ${source}`);
    for (const one of back && back !== edge ? [edge, back] : [edge]) this.route(one);
    this.layers[1].append(group);
    return edge;
  }

  // Move a box, and its arrows with it.
  move(id, x, y) {
    const node = this.nodes.get(id);
    Object.assign(node, { x, y });
    node.group.setAttribute("transform", `translate(${x} ${y})`);
    for (const edge of node.edges) this.route(edge);
  }

  // The way of an arrow: bent where another one comes back, and where it is long, so that it passes by
  // the boxes between its ends.
  route(edge) {
    const [from, to] = [this.nodes.get(edge.source), this.nodes.get(edge.target)];
    if (from === to) {
      this.loop(edge, from);
      return;
    }
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const length = Math.hypot(dx, dy) || 1;
    const paired = this.edges.has(`${edge.target} ${edge.source}`);
    const bend = (paired ? 18 : 0) + (length > 2 * from.width ? 0.14 * length : 0);
    const middle = { x: (from.x + to.x) / 2 - (dy / length) * bend, y: (from.y + to.y) / 2 + (dx / length) * bend };
    const start = edgeOfBox(from, middle.x - from.x, middle.y - from.y);
    const end = edgeOfBox(to, middle.x - to.x, middle.y - to.y);
    this.arrow(edge, `M${point(start)}Q${point(middle)} ${point(end)}`, end, middle);
  }

  loop(edge, node) {
    const [x, y] = [node.x + node.width / 2, node.y - node.height / 2];
    const end = { x, y: y + 12 };
    this.arrow(edge, `M${x - 14} ${y}C${x - 14} ${y - 30} ${x + 30} ${y - 8} ${point(end)}`, end, { x: x + 20, y: y - 2 });
  }

  // An arrow whose head comes from a point.
  arrow(edge, way, end, from) {
    const length = Math.hypot(end.x - from.x, end.y - from.y) || 1;
    const [right, down] = [((end.x - from.x) / length) * ARROW, ((end.y - from.y) / length) * ARROW];
    const back = { x: end.x - right, y: end.y - down };
    edge.path.setAttribute("d", way);
    edge.hit.setAttribute("d", way);
    edge.head.setAttribute("points", [
      point(end), point({ x: back.x - down / 2.4, y: back.y + right / 2.4 }), point({ x: back.x + down / 2.4, y: back.y - right / 2.4 }),
    ].join(" "));
  }

  // Give classes to some boxes and arrows; those of the last call lose them.
  mark(ids, arrows) {
    for (const [group, kind] of this.marked) group.classList.remove(kind);
    this.marked = [
      ...ids.map((id) => [this.nodes.get(id)?.group, "current"]),
      ...arrows.map(([source, target, kind]) => [this.edges.get(`${source} ${target}`)?.group, kind]),
    ].filter(([group]) => group);
    for (const [group, kind] of this.marked) {
      group.classList.add(kind);
      if (group.classList.contains("edge")) group.parentNode.append(group); // above the others
    }
  }
}

function point({ x, y }) {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
}

// Buttons of a page that enlarge, make smaller and show all of a drawing.
export function zoomButtons(buttons, view) {
  const actions = { in: () => view.zoom(1.25), out: () => view.zoom(0.8), fit: () => view.fit() };
  for (const button of buttons) button.addEventListener("click", actions[button.dataset.zoom]);
}

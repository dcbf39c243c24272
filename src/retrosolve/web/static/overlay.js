// What is drawn over a board: the last move, where moves lead and what they are worth, arrows for the best.
const SVG = "http://www.w3.org/2000/svg";
const MAX_ARROWS = 6;
// What no piece is.
const GROUND = /^(light|dark|cell|board|wall|exit|hole|grid|stroke|label|ink|paper|place|button|frame|gap|groove|goal \w+)$/;
const LONGEST_WITH_ARROW = 3; // points: from, to, and what is taken or becomes of a piece

export function shape(name, attributes, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

export class Overlay {
  // A drawing, and the points of the last move in it.
  constructor(svg, last) {
    const root = svg.querySelector(":scope > .turned") ?? svg;
    this.root = root;
    this.turned = root !== svg;
    this.places = new Map();
    for (const point of svg.querySelectorAll("[data-point]")) {
      const { x, y, width, height } = point.getBBox();
      // A column is shown at its upper end.
      this.places.set(point.dataset.point, { x: x + width / 2, y: y + Math.min(width, height) / 2, size: Math.min(width, height), box: point });
    }
    this.pieces = piecesOf(root);
    const below = shape("g", { class: "last-move", "aria-hidden": "true" });
    for (const label of last) {
      const place = this.places.get(label);
      if (place) below.append(this.lastOn(label, place));
    }
    const above = root.querySelector("[data-point]");
    root.insertBefore(below, this.pieces[0]?.one ?? above);
    this.values = shape("g", { class: "values", "aria-hidden": "true" });
    this.shown = shape("g", { class: "shown-move", "aria-hidden": "true" });
    this.aimed = shape("g", { class: "aimed", "aria-hidden": "true" });
    for (const layer of [this.values, this.shown, this.aimed]) root.insertBefore(layer, above);
  }

  // The place of the last move; of a column that a piece fell into, where it lies.
  lastOn(label, place) {
    const { width, height } = place.box.getBBox();
    const [fallen] = height > 1.5 * width ? this.pieceAt(label).map((one) => middle(this.root, one)).sort((a, b) => a.y - b.y) : [];
    if (!fallen) return this.frame(place, "last");
    return shape("rect", { class: "last", x: fallen.x - width / 2 + 1, y: fallen.y - width / 2 + 1, width: width - 2, height: width - 2, rx: 3 });
  }

  frame(place, kind) {
    const { x, y, width, height } = place.box.getBBox();
    return shape("rect", { class: kind, x: x + 1, y: y + 1, width: width - 2, height: height - 2, rx: 3 });
  }

  // Show the next points of moves, with the best value that each leads to, and arrows for the best moves.
  choices(moves, place, isChosen) {
    this.values.replaceChildren();
    const best = moves.filter((move) => move.link.classList.contains("is-best"));
    const seen = new Set(); // an arrow shows the value of the piece where it begins
    for (const move of best.slice(0, MAX_ARROWS)) {
      const drawn = this.arrow(move, "best-move");
      this.values.append(...drawn);
      if (drawn.length && place === 0) seen.add(move.points[0]);
    }
    for (const move of moves) { // best first
      const label = move.points[place];
      if (seen.has(label) || !this.places.has(label)) continue;
      seen.add(label);
      const complete = move.points.length === place + 1;
      if (complete || isChosen) this.values.append(this.badge(label, move));
      else if (move.link.dataset.value) this.values.append(this.dot(label, move));
    }
  }

  // A point that a move leads to: the value and the plies, or a plain dot where values are hidden.
  badge(label, move) {
    const { x, y, size } = this.places.get(label);
    const { value, label: text } = move.link.dataset;
    const is = move.link.classList.contains("is-best") ? " is-best" : "";
    const taken = this.isHeld(label);
    const radius = value ? Math.min(size * (taken ? 0.22 : 0.3), 15) : Math.min(size * 0.14, 8);
    const [cx, cy] = taken ? [x + (this.turned ? -1 : 1) * (size / 2 - radius), y - (this.turned ? -1 : 1) * (size / 2 - radius)] : [x, y];
    const group = shape("g", { class: value ? `badge v-${value}${is}` : "badge" });
    group.append(shape("circle", { cx, cy, r: radius }));
    if (value) {
      const font = Math.min(radius * (text.length > 2 ? 0.85 : /\D\d/.test(text) ? 0.95 : 1.1), 15);
      const turn = this.turned ? { transform: `rotate(180 ${cx} ${cy})` } : {};
      group.append(shape("text", { x: cx, y: cy + font * 0.36, "font-size": font, ...turn }, text));
    }
    return group;
  }

  // A piece that can move: the colour of its best move.
  dot(label, move) {
    const { x, y, size } = this.places.get(label);
    const away = (this.turned ? -1 : 1) * (size / 2 - 6);
    const group = shape("g", { class: `dot v-${move.link.dataset.value}` });
    group.append(shape("circle", { cx: x + away, cy: y - away, r: 4 }));
    return group;
  }

  arrow(move, kind) {
    const [from, to] = move.points.map((label) => this.places.get(label));
    if (!from || !to || move.points.length > LONGEST_WITH_ARROW) return [];
    const long = Math.hypot(to.x - from.x, to.y - from.y);
    if (long < 1) return [];
    const [dx, dy] = [(to.x - from.x) / long, (to.y - from.y) / long];
    const at = (along, aside) => `${from.x + dx * along - dy * aside},${from.y + dy * along + dx * aside}`;
    const [start, neck, end] = [Math.min(12, long / 4), long - 15, long - 1];
    const points = [at(start, 3), at(neck, 3), at(neck, 9), at(end, 0), at(neck, -9), at(neck, -3), at(start, -3)];
    const value = move.link.dataset.value ? ` v-${move.link.dataset.value}` : "";
    return [shape("polygon", { class: `arrow ${kind}${value}`, points: points.join(" ") })];
  }

  // Show a move of the list: its points, and an arrow.
  show(move) {
    this.shown.replaceChildren();
    if (!move) return;
    for (const label of move.points) {
      const place = this.places.get(label);
      if (place) this.shown.append(this.frame(place, "through"));
    }
    this.shown.append(...this.arrow(move, "pointed-at"));
  }

  aim(label) {
    this.aimed.replaceChildren();
    const place = this.places.get(label);
    if (place?.box.classList.contains("is-open")) this.aimed.append(this.frame(place, "through"));
  }

  // The point at a place of the window; null if there is none.
  pointAt(x, y) {
    for (const [label, { box }] of this.places) {
      const { left, right, top, bottom } = box.getBoundingClientRect();
      if (x >= left && x <= right && y >= top && y <= bottom) return label;
    }
    return null;
  }

  // The shapes that stand on a point: those of which the middle lies in it, but for the ground.
  pieceAt(label) {
    const { box } = this.places.get(label);
    const point = box.getBBox();
    const inside = ({ x, y }) => x > point.x && x < point.x + point.width && y > point.y && y < point.y + point.height;
    return this.pieces.filter(({ at }) => inside(at)).map(({ one }) => one);
  }

  // Whether a piece stands where the value of a point is shown.
  isHeld(label) {
    const { x, y, size } = this.places.get(label);
    return this.pieces.some(({ at }) => Math.hypot(at.x - x, at.y - y) < size / 2);
  }

  // Draw shapes by so many pixels from where they stand.
  drag(shapes, x, y) {
    const scale = this.root.getScreenCTM().a;
    for (const one of shapes) {
      one.dataset.place ??= one.getAttribute("transform") ?? "";
      one.setAttribute("transform", x || y ? `translate(${x / scale} ${y / scale}) ${one.dataset.place}` : one.dataset.place);
    }
  }
}

// The shapes of a drawing that are no ground, and where each has its middle.
export function piecesOf(root) {
  const shapes = [...root.children].filter((one) => !one.dataset.point && !["title", "g"].includes(one.tagName));
  return shapes.filter((one) => !GROUND.test(one.getAttribute("class"))).map((one) => ({ one, at: middle(root, one) }));
}

// The middle of a shape in the units of its drawing.
function middle(root, one) {
  const { x, y, width, height } = one.getBBox();
  const point = new DOMPoint(x + width / 2, y + height / 2);
  return point.matrixTransform(root.getScreenCTM().inverse().multiply(one.getScreenCTM()));
}

// Turn a board by half a turn; pieces and texts stay upright.
export function turn(svg) {
  const { width, height } = svg.viewBox.baseVal;
  for (const one of svg.querySelectorAll("text, .piece, .line-white, .line-black")) {
    const place = one.getAttribute("transform") ?? "";
    const { x, y, width: wide, height: high } = one.getBBox();
    const moved = /^translate\([^)]*\)/.exec(place)?.[0] ?? "";
    const upright = moved ? "rotate(180)" : `rotate(180 ${x + wide / 2} ${y + high / 2})`;
    one.setAttribute("transform", `${moved} ${upright} ${place.slice(moved.length)}`);
  }
  const all = shape("g", { class: "turned", transform: `rotate(180 ${width / 2} ${height / 2})` });
  all.append(...[...svg.children].filter((one) => one.tagName !== "title"));
  svg.append(all);
}

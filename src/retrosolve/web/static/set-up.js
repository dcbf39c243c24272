// Set up a position: pieces are drawn from below the board to it, along it, or off it; or one is chosen by a
// click, and the squares that are clicked next have it. What stands on the board is then asked for as text.
import { piecesOf, shape } from "./overlay.js";
import { show } from "./navigate.js";
import { ask } from "./server.js";

const FAR = 6; // pixels that the pointer goes before a press becomes a drag

// Begin to set up, or show the position again that was there before.
export async function setUp(board, button) {
  if (button.getAttribute("aria-pressed") === "true") {
    show(location.href, "keep");
    return;
  }
  const answer = await ask(button.dataset.source);
  if (!answer) return;
  button.setAttribute("aria-pressed", "true");
  if (answer.ok) new SetUp(board, document.getElementById("set-up-form"), answer.data);
  else location.assign(button.dataset.source);
}

function parsed(picture) {
  return document.adoptNode(new DOMParser().parseFromString(picture, "image/svg+xml").documentElement);
}

class SetUp {
  constructor(board, form, data) {
    Object.assign(this, { board, form, data, chosen: null, end: data.end });
    this.letters = data.rows.map((row) => [...row]);
    this.pieces = new Map(Object.entries(data.letters).map(([letter, [label, picture]]) => [letter, this.piece(label, picture)]));
    this.svg = parsed(data.picture);
    this.svg.setAttribute("role", "group");
    board.replaceChildren(this.svg);
    board.classList.add("is-set-up");
    for (const { one } of piecesOf(this.svg)) one.remove();
    this.layer = shape("g", {});
    this.squares = data.points.map((row) => row.map((label) => this.svg.querySelector(`[data-point="${CSS.escape(label)}"]`)));
    this.svg.insertBefore(this.layer, this.svg.querySelector("[data-point]"));
    this.squares.forEach((row, r) => row.forEach((square, c) => {
      square.setAttribute("role", "button");
      square.setAttribute("tabindex", "0");
      square.addEventListener("pointerdown", (event) => this.press(event, this.letters[r][c], [r, c]));
      square.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        this.stamp([r, c]);
      });
    }));
    this.palette();
    this.draw();
    form.hidden = false;
    form.addEventListener("submit", (event) => this.ask(event));
    form.querySelector("[data-clear]").addEventListener("click", () => {
      this.letters = this.letters.map((row) => row.map(() => data.blank));
      this.draw();
    });
  }

  // The shapes of a piece, as they stand on a point of a picture, and what the picture calls it.
  piece(label, picture) {
    const svg = parsed(picture);
    this.board.append(svg);
    const point = svg.querySelector(`[data-point="${CSS.escape(label)}"]`);
    const { x, y, width, height } = point.getBBox();
    const inside = ({ at }) => at.x > x && at.x < x + width && at.y > y && at.y < y + height;
    const shapes = piecesOf(svg).filter(inside).map(({ one }) => one);
    const named = /: (.*)/.exec(point.querySelector("title")?.textContent ?? "")?.[1];
    svg.remove();
    return { shapes, x, y, width, height, name: named ?? "", relative: svg.classList.contains("relative") };
  }

  copies({ shapes }) {
    return shapes.map((one) => one.cloneNode(true));
  }

  // A piece as a drawing of its own.
  drawing(letter) {
    const piece = this.pieces.get(letter);
    const svg = shape("svg", { viewBox: `${piece.x} ${piece.y} ${piece.width} ${piece.height}`, class: `position${piece.relative ? " relative" : ""}`, "aria-hidden": "true" });
    svg.append(...this.copies(piece));
    return svg;
  }

  palette() {
    const buttons = [...this.pieces.keys()].map((letter) => {
      const button = Object.assign(document.createElement("button"), { type: "button", title: this.name(letter), ariaLabel: this.name(letter) });
      button.setAttribute("aria-pressed", "false");
      button.append(this.drawing(letter));
      button.addEventListener("pointerdown", (event) => this.press(event, letter, null));
      button.addEventListener("click", () => this.choose(letter === this.chosen ? null : letter));
      button.dataset.letter = letter;
      return button;
    });
    this.form.querySelector(".palette").replaceChildren(...buttons);
    const turn = this.form.querySelector("select");
    turn.replaceChildren(...Object.entries(this.data.ends).map(([end, name]) => new Option(name, end, false, end === this.end)));
    turn.closest("label").hidden = !turn.options.length;
    turn.addEventListener("change", () => { this.end = turn.value; });
  }

  name(letter) {
    return this.pieces.get(letter)?.name || letter;
  }

  choose(letter) {
    this.chosen = letter;
    for (const button of this.form.querySelectorAll("[data-letter]")) button.setAttribute("aria-pressed", String(button.dataset.letter === letter));
  }

  // Put the chosen piece on a square, or take away what stands there.
  stamp([row, column]) {
    const here = this.letters[row][column];
    this.put([row, column], this.chosen === null || here === this.chosen ? this.data.blank : this.chosen);
  }

  put([row, column], letter) {
    this.letters[row][column] = letter;
    this.draw();
  }

  // A press on a piece that is drawn along takes it; one that is not is a click.
  press(event, letter, from) {
    if (event.button !== 0) return;
    const isPiece = this.pieces.has(letter);
    event.target.releasePointerCapture?.(event.pointerId);
    let ghost = null;
    const move = (later) => {
      if (!isPiece || (!ghost && Math.hypot(later.clientX - event.clientX, later.clientY - event.clientY) < FAR)) return;
      if (!ghost) {
        const { width } = this.squares[0][0].getBoundingClientRect();
        ghost = this.drawing(letter);
        ghost.classList.add("ghost");
        Object.assign(ghost.style, { width: `${width}px`, height: `${width}px` });
        this.board.append(ghost);
        if (from) this.put(from, this.data.blank);
      }
      Object.assign(ghost.style, { left: `${later.clientX}px`, top: `${later.clientY}px` });
    };
    const end = (later) => {
      for (const [name, react] of Object.entries(handlers)) removeEventListener(name, react);
      ghost?.remove();
      const target = later.type === "pointerup" ? this.squareAt(later.clientX, later.clientY) : from;
      if (ghost && target) this.put(target, letter);
      else if (!ghost && from && later.type === "pointerup") this.stamp(from);
    };
    const handlers = { pointermove: move, pointerup: end, pointercancel: end };
    for (const [name, react] of Object.entries(handlers)) addEventListener(name, react);
  }

  // The row and the column of the square at a place of the window; null off the board.
  squareAt(x, y) {
    for (const [r, row] of this.squares.entries()) {
      for (const [c, square] of row.entries()) {
        const { left, right, top, bottom } = square.getBoundingClientRect();
        if (x >= left && x <= right && y >= top && y <= bottom) return [r, c];
      }
    }
    return null;
  }

  draw() {
    this.layer.replaceChildren();
    this.squares.forEach((row, r) => row.forEach((square, c) => {
      const letter = this.letters[r][c];
      const piece = this.pieces.get(letter);
      square.setAttribute("aria-label", `${this.data.points[r][c]}${piece ? `: ${this.name(letter)}` : ""}`);
      square.classList.toggle("is-piece", Boolean(piece));
      if (!piece) return;
      const { x, y } = square.getBBox();
      const standing = shape("g", { transform: `translate(${x - piece.x} ${y - piece.y})` });
      standing.append(...this.copies(piece));
      this.layer.append(standing);
    }));
  }

  text() {
    const { blank, counted, separator } = this.data;
    const runs = new RegExp(`\\${blank}+`, "g");
    const rows = this.letters.map((row) => row.join("")).map((row) => (counted ? row.replace(runs, (run) => run.length) : row));
    return rows.join(separator) + this.end;
  }

  // Go to the position; what is wrong with it is said here.
  async ask(event) {
    event.preventDefault();
    const start = document.getElementById("start-form");
    const query = new URLSearchParams(new FormData(start));
    query.set("position", this.text());
    const answer = await ask(`${start.action}?${query}`);
    if (!answer) return;
    if (answer.ok) {
      show(answer.url);
      return;
    }
    const page = new DOMParser().parseFromString(answer.text, "text/html");
    this.form.querySelector(".error").textContent = page.getElementById("start-error")?.textContent ?? "";
  }
}

// Moves on the board: each move is a link that says which points to click, in order. The board shows where
// moves lead and what they are worth, as far as the links say so in data-value and data-label.
import { Overlay } from "./overlay.js";

const FAR = 6; // pixels that the pointer goes before a press becomes a drag

// Make the points of a board work, by click, by key and by drag.
export function clickable(board, links, react = () => {}) {
  const svg = board?.querySelector("svg");
  if (!svg) return;
  const moves = [...links].map((link) => ({ link, points: JSON.parse(link.dataset.points ?? "null") ?? [] }));
  const state = { board, moves: moves.filter((move) => move.points.length), clicked: [], react, dragged: false };
  const first = state.moves[0]?.points[0];
  state.alone = state.moves.every(({ points }) => points[0] === first && points.length > 1) ? first : undefined;
  state.overlay = new Overlay(svg, JSON.parse(board.dataset.last || "[]"));
  for (const point of board.querySelectorAll("[data-point]")) {
    const label = point.dataset.point;
    point.addEventListener("click", () => (state.dragged ? (state.dragged = false) : click(state, label)));
    point.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      click(state, label);
    });
    point.addEventListener("pointerenter", () => over(state, label));
    point.addEventListener("pointerleave", () => over(state, null));
    point.addEventListener("pointerdown", (event) => press(state, point, event));
  }
  for (const move of moves) {
    move.link.addEventListener("pointerenter", () => state.overlay.show(move));
    // The focus may come to a move that nobody has chosen.
    move.link.addEventListener("focus", () => move.link.matches(":focus-visible") && state.overlay.show(move));
    for (const name of ["pointerleave", "blur"]) move.link.addEventListener(name, () => state.overlay.show(null));
  }
  svg.setAttribute("role", "group");
  mark(state);
}

// What is chosen: a piece that alone can move is from the start.
function chosen({ clicked, alone }) {
  return clicked.length || alone === undefined ? clicked : [alone];
}

function click(state, point) {
  const begun = point === state.alone ? state.clicked : chosen(state);
  const next = fitting(state, [...begun, point]);
  const again = point === state.clicked.at(-1) && !next.length; // a piece that is clicked twice is put down
  state.clicked = next.length ? [...begun, point] : !again && fitting(state, [point]).length ? [point] : [];
  const complete = state.clicked.length && completed(state, state.clicked);
  if (complete) complete.link.click();
  else mark(state);
}

function completed(state, clicked) {
  return fitting(state, clicked).find((move) => move.points.length === clicked.length);
}

function fitting(state, clicked) {
  return state.moves.filter((move) => clicked.every((point, place) => move.points[place] === point));
}

// The list shows the moves through the point below the pointer.
function over(state, label) {
  const on = label === null ? [] : fitting(state, [...chosen(state), label]);
  const through = on.length || label === null ? on : fitting(state, [label]);
  for (const move of state.moves) move.link.classList.toggle("is-pointed-at", through.includes(move));
}

// Take a piece, draw it along, and drop it: the same as two clicks.
function press(state, point, event) {
  const label = point.dataset.point;
  if (event.button !== 0 || !fitting(state, [label]).some((move) => move.points.length > 1)) return;
  state.dragged = false;
  const piece = state.overlay.pieceAt(label);
  let taken = false;
  const move = (later) => {
    if (!taken) {
      if (Math.hypot(later.clientX - event.clientX, later.clientY - event.clientY) < FAR) return;
      taken = true;
      state.clicked = [label];
      mark(state);
      state.board.classList.add("is-dragging");
    }
    state.overlay.drag(piece, later.clientX - event.clientX, later.clientY - event.clientY);
    state.overlay.aim(state.overlay.pointAt(later.clientX, later.clientY));
  };
  const end = (later) => {
    for (const [name, react] of Object.entries(handlers)) removeEventListener(name, react);
    if (!taken) return;
    state.board.classList.remove("is-dragging");
    state.overlay.drag(piece, 0, 0);
    state.overlay.aim(null);
    const target = later.type === "pointerup" ? state.overlay.pointAt(later.clientX, later.clientY) : null;
    state.dragged = target === label; // a click follows, and the piece stays chosen
    setTimeout(() => (state.dragged = false), 0);
    if (target !== null && fitting(state, [label, target]).length) click(state, target);
    else if (target !== label) {
      state.clicked = [];
      mark(state);
    }
  };
  const handlers = { pointermove: move, pointerup: end, pointercancel: end };
  for (const [name, react] of Object.entries(handlers)) addEventListener(name, react);
}

// Show which points may be clicked next; these can have the focus.
function mark(state) {
  const begun = chosen(state);
  const open = fitting(state, begun);
  const next = new Set(open.map((move) => move.points[begun.length]));
  const first = new Set(state.moves.map((move) => move.points[0]));
  for (const point of state.board.querySelectorAll("[data-point]")) {
    const label = point.dataset.point;
    const usable = next.has(label) || first.has(label);
    point.classList.toggle("is-open", next.has(label));
    point.classList.toggle("is-clicked", begun.includes(label));
    point.setAttribute("role", usable ? "button" : "presentation");
    if (usable) {
      point.setAttribute("tabindex", "0");
      point.setAttribute("aria-label", point.querySelector("title")?.textContent ?? label);
      point.setAttribute("aria-pressed", String(begun.includes(label)));
    } else {
      for (const name of ["tabindex", "aria-label", "aria-pressed"]) point.removeAttribute(name);
    }
  }
  state.overlay.choices(open, begun.length, begun.length > 0);
  state.react(open.map((move) => move.link), state.moves.length > open.length);
}

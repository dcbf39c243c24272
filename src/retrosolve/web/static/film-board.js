// A game of two tokens on a board: the outcomes of all cells of one token, for a chosen cell of the other.
import { fill } from "./film-model.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class FilmBoard {
  // board is part of the film's data; fixed and turn are the selects of a token and of who moves.
  constructor(container, film, board, fixed, turn) {
    this.film = film;
    this.board = board;
    this.selects = { fixed, turn };
    this.number = new Map(board.cells.map(([row, column], cell) => [`${row},${column}`, cell]));
    const k = board.cells.length;
    const start = board.start ?? 0;
    this.tokens = [Math.floor(start / k) % k, start % k];
    turn.value = String(Math.floor(start / (k * k)));
    this.cells = new Map();
    container.append(this.table());
    for (const select of [fixed, turn]) select.addEventListener("change", () => this.show());
  }

  get fixed() {
    return Number(this.selects.fixed.value);
  }

  table() {
    const table = document.createElement("table");
    table.className = "film-board";
    table.setAttribute("role", "grid");
    this.board.rows.forEach((letters, row) => {
      const line = table.insertRow();
      [...letters].forEach((letter, column) => this.cell(line.insertCell(), letter, row, column));
    });
    table.addEventListener("keydown", (event) => this.key(event));
    return table;
  }

  cell(place, letter, row, column) {
    place.className = { "*": "is-wall", E: "is-exit" }[letter] ?? "";
    place.dataset.at = `${row},${column}`;
    this.cells.set(place.dataset.at, place);
    if (letter === "*") return;
    place.tabIndex = -1;
    place.addEventListener("click", () => this.choose(place));
  }

  choose(place) {
    this.tokens[this.fixed] = this.number.get(place.dataset.at);
    this.show();
    place.focus();
  }

  key(event) {
    const place = event.target.closest("td");
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.choose(place);
    } else if (STEPS[event.key]) {
      event.preventDefault();
      this.neighbour(place, STEPS[event.key])?.focus();
    }
  }

  // The nearest free cell in a direction.
  neighbour(place, [down, right]) {
    let [row, column] = place.dataset.at.split(",").map(Number);
    for (;;) {
      row += down;
      column += right;
      const next = this.cells.get(`${row},${column}`);
      if (!next || this.number.has(next.dataset.at)) return next;
    }
  }

  // The index of the position with the other token on a cell.
  position(cell) {
    const k = this.board.cells.length;
    const [first, second] = this.fixed === 0 ? [this.tokens[0], cell] : [cell, this.tokens[1]];
    return (Number(this.selects.turn.value) * k + first) * k + second;
  }

  show() {
    const { film, board } = this;
    const chosen = this.tokens[this.fixed];
    const initials = ["P", "T"];
    const recent = new Set();
    if (film.current) {
      for (const event of film.events.slice(film.ends[film.level], film.step)) if (event.value) recent.add(event.vertex);
    }
    board.cells.forEach(([row, column], cell) => {
      const place = this.cells.get(`${row},${column}`);
      const vertex = this.position(cell);
      const outcome = film.outcomes[vertex];
      const plies = outcome && outcome.remoteness !== null ? outcome.remoteness : "";
      const sign = outcome ? `${film.signs[outcome.value]}${plies}` : "·";
      const exit = place.classList.contains("is-exit");
      place.className = `${exit ? "is-exit " : ""}${outcome ? `v-${outcome.value}` : "is-open"}`;
      place.classList.toggle("is-current", recent.has(vertex));
      place.classList.toggle("is-fixed", cell === chosen);
      place.textContent = (cell === chosen ? `${initials[this.fixed]} ` : exit ? "E " : "") + sign;
      place.tabIndex = cell === chosen ? 0 : -1;
      const said = outcome ? film.outcome(outcome) : film.words.page.open;
      place.setAttribute("aria-label", fill(film.words.page.cell, { row: row + 1, column: column + 1, outcome: said }));
    });
  }
}

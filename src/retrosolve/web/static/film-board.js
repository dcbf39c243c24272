// A game of two tokens on a board: the outcomes of all cells of one token, for a chosen cell of the other.
import { fill } from "./film-model.js";

const TOKENS = "PT";
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
    this.event = null;
    this.cells = new Map();
    container.append(this.table());
    for (const select of [fixed, turn]) select.addEventListener("change", () => this.refresh());
  }

  get fixed() {
    return Number(this.selects.fixed.value);
  }

  table() {
    const table = document.createElement("table");
    table.className = "film-board";
    table.setAttribute("role", "grid");
    table.style.setProperty("--columns", this.board.rows[0].length);
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
    this.refresh();
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

  // Show what is known now; of a single step, the position that it is about.
  show(together) {
    this.event = together ? null : this.film.current;
    if (this.event) this.follow(this.event.vertex);
    this.refresh();
  }

  // Put both tokens where they are in a position, and let the cells be those of the token that moves.
  follow(vertex) {
    const k = this.board.cells.length;
    const turn = Math.floor(vertex / (k * k));
    this.tokens = [Math.floor(vertex / k) % k, vertex % k];
    this.selects.turn.value = String(turn);
    this.selects.fixed.value = String(1 - turn);
  }

  refresh() {
    const { film, event } = this;
    const recent = film.recent(true);
    const marked = new Set(event ? [event.vertex] : recent.filter((past) => past.value).map((past) => past.vertex));
    this.targets = new Set();
    // A move changes the turn: its target is the cell, as long as the same tokens are shown.
    if (event && marked.has(this.position(this.tokens[1 - this.fixed]))) {
      for (const [, target] of film.moves(event)) this.targets.add(this.cellOf(target));
    }
    this.board.cells.forEach((place, cell) => this.fill(cell, marked));
  }

  // The cell of the token that moves, in a position.
  cellOf(vertex) {
    const k = this.board.cells.length;
    return this.fixed === 1 ? Math.floor(vertex / k) % k : vertex % k;
  }

  fill(cell, marked) {
    const { film, board } = this;
    const [row, column] = board.cells[cell];
    const place = this.cells.get(`${row},${column}`);
    const vertex = this.position(cell);
    const outcome = film.outcomes[vertex];
    const exit = board.rows[row][column] === "E";
    const here = cell === this.tokens[this.fixed];
    place.className = outcome ? `v-${outcome.value}` : "is-open";
    const marks = { "is-exit": exit, "is-current": marked.has(vertex), "is-fixed": here, "is-target": this.targets.has(cell) };
    for (const [name, on] of Object.entries(marks)) place.classList.toggle(name, on);
    place.dataset.mark = here ? TOKENS[this.fixed] : exit ? "E" : "";
    place.tabIndex = here ? 0 : -1;
    const counter = { open: film.number(film.open[vertex]), total: film.number(film.successors[vertex].length) };
    const plies = outcome && outcome.remoteness !== null ? film.number(outcome.remoteness) : "";
    place.textContent = outcome ? `${film.signs[outcome.value]}${plies}` : `${counter.open}/${counter.total}`;
    const { page } = film.words;
    const known = outcome ? film.outcome(outcome) : fill(page.left, counter);
    const said = exit ? fill(page.exit, { outcome: known }) : known;
    place.setAttribute("aria-label", fill(page.cell, { row: film.number(row + 1), column: film.number(column + 1), outcome: said }));
  }
}

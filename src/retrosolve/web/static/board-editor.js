// The board editor: cells are painted by mouse, touch or keyboard, and the board is solved at once.
import { Solving, History, editorData, openable, savable } from "./solving.js";
import { describedBoard, solvedBoard } from "./drawn-games.js";
import { fill } from "./film-model.js";
import { filmOfBoard, filmInPage } from "./drawn-film.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const CLASSES = { ".": "is-free", "*": "is-wall", E: "is-exit", P: "is-policeman", T: "is-thief" };
const UNIQUE = "PT";
const byId = (id) => document.getElementById(`board-${id}`);

class BoardEditor {
  constructor(drawing, data) {
    Object.assign(this, { words: data.words, most: data.most, winners: new Map() });
    this.tools = new Map([...drawing.querySelectorAll("[name=tool]")].map((tool) => [tool.value, tool]));
    const film = data.standalone ? filmInPage() : null;
    this.solving = new Solving("board", data, (found) => this.overlay(found), (found) => film(filmOfBoard(found, data.film)));
    this.history = new History((text) => this.restore(text));
    this.at = [0, 0];
    this.painting = false;
    drawing.hidden = false;
    const kept = /^#board=(.+)$/.exec(data.standalone ? location.hash : "");
    this.read(kept ? describedBoard(decodeURIComponent(kept[1])) : data.board);
    this.listen();
    if (document.getElementById("error").textContent) return; // a text that was refused stays
    this.write();
    this.history.push(this.text());
    this.solve();
  }

  listen() {
    const grid = byId("grid");
    grid.addEventListener("pointerdown", (event) => this.press(event));
    grid.addEventListener("pointermove", (event) => this.drag(event));
    addEventListener("pointerup", () => this.endStroke());
    grid.addEventListener("keydown", (event) => this.key(event));
    for (const id of ["rows", "columns"]) byId(id).addEventListener("change", () => this.resize());
    byId("clear").addEventListener("click", () => this.set(this.cells.map((row) => row.map(() => "."))));
    byId("winners").addEventListener("change", () => this.draw());
    byId("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.load(byId("text").value);
    });
    openable(byId("file"), (text) => this.load(text));
  }

  solve() {
    const text = this.text();
    return this.solving.now(() => solvedBoard(text, this.words, this.most));
  }

  // Solve a text as it is, and draw it unless something is wrong with it.
  async load(text) {
    byId("text").value = text;
    const found = await this.solving.now(() => solvedBoard(text, this.words, this.most));
    if (!found) return;
    this.read(found.board);
    this.write();
    this.history.push(this.text());
    this.overlay(found);
  }

  restore(text) {
    this.read(text);
    this.write();
    this.solve();
  }

  // Who wins with the thief on each cell.
  overlay(found) {
    this.winners = new Map((found?.winners ?? []).map((cell) => [cell.place.join(), cell]));
    this.cells.forEach((row, r) => row.forEach((_, c) => this.show(r, c)));
  }

  // Show the board as text.
  write() {
    byId("text").value = this.text();
    savable(document.getElementById("save"), `${this.text()}\n`);
  }

  changed() {
    this.write();
    const text = this.text();
    this.solving.soon(() => solvedBoard(text, this.words, this.most));
    if (!this.painting) this.history.push(text);
  }

  // A stroke is undone as a whole.
  endStroke() {
    if (!this.painting) return;
    this.painting = false;
    this.history.push(this.text());
  }

  text() {
    return this.cells.map((row) => row.join("")).join("\n");
  }

  read(text) {
    this.cells = text.trim().split("\n").map((row) => [...row.trim()]);
    this.winners = new Map();
    this.draw();
  }

  set(cells) {
    this.cells = cells;
    this.winners = new Map();
    this.draw();
    this.changed();
  }

  resize() {
    const [rows, columns] = ["rows", "columns"].map((id) => Math.min(Math.max(Math.trunc(Number(byId(id).value)) || 1, 1), this.most));
    const kept = (row, column) => this.cells[row]?.[column] ?? ".";
    this.set(Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_column, column) => kept(row, column))));
  }

  draw() {
    const table = document.createElement("table");
    table.className = "paper";
    table.setAttribute("role", "grid");
    table.style.setProperty("--columns", this.cells[0].length);
    this.at = [Math.min(this.at[0], this.cells.length - 1), Math.min(this.at[1], this.cells[0].length - 1)];
    this.places = this.cells.map((row) => {
      const line = table.insertRow();
      return row.map(() => line.insertCell());
    });
    this.cells.forEach((row, r) => row.forEach((_, c) => this.show(r, c)));
    byId("grid").replaceChildren(table);
    byId("rows").value = String(this.cells.length);
    byId("columns").value = String(this.cells[0].length);
  }

  show(row, column) {
    const place = this.places[row][column];
    const letter = this.cells[row][column];
    const { words } = this;
    const winner = letter === "*" || !byId("winners").checked ? null : this.winners.get(`${row},${column}`);
    const plies = winner && winner.plies !== null ? words.number(winner.plies) : "";
    place.dataset.at = `${row},${column}`;
    place.dataset.outcome = winner ? `${words.signs[winner.value]}${plies}` : "";
    place.className = CLASSES[letter] + (winner ? ` w-${winner.value}` : "");
    place.textContent = letter === "." || letter === "*" ? "" : letter;
    place.tabIndex = row === this.at[0] && column === this.at[1] ? 0 : -1;
    const said = { row: words.number(row + 1), column: words.number(column + 1), what: this.tools.get(letter).dataset.name };
    const outcome = winner ? `; ${fill(words.with_thief, { verdict: words.police[winner.value] })}` : "";
    place.setAttribute("aria-label", fill(words.cell, said) + outcome);
  }

  // A stroke of walls or exits goes round the tokens; a click replaces them.
  paint(row, column, letter, stroke = false) {
    const before = this.cells[row][column];
    if (before === letter || (stroke && UNIQUE.includes(before))) return;
    if (UNIQUE.includes(letter)) {
      this.cells.forEach((cells, r) => cells.forEach((cell, c) => {
        if (cell !== letter) return;
        cells[c] = ".";
        this.show(r, c);
      }));
    }
    this.cells[row][column] = letter;
    this.winners = new Map();
    this.show(row, column);
    this.changed();
  }

  get tool() {
    return document.querySelector("[name=tool]:checked").value;
  }

  press(event) {
    const place = event.target.closest("td");
    if (!place || event.button !== 0) return;
    event.preventDefault();
    const [row, column] = this.focus(place);
    // A second press on a wall or an exit takes it away.
    this.brush = this.cells[row][column] === this.tool ? "." : this.tool;
    this.painting = !UNIQUE.includes(this.brush);
    this.paint(row, column, this.brush);
    if (event.pointerId !== undefined && place.hasPointerCapture?.(event.pointerId)) place.releasePointerCapture(event.pointerId);
  }

  drag(event) {
    if (!this.painting) return;
    const place = document.elementFromPoint(event.clientX, event.clientY)?.closest("#board-grid td");
    if (place) this.paint(...place.dataset.at.split(",").map(Number), this.brush, true);
  }

  key(event) {
    const place = event.target.closest("td");
    const busy = event.ctrlKey || event.metaKey || event.altKey;
    if (!place || busy) return;
    const [row, column] = place.dataset.at.split(",").map(Number);
    const letter = event.key === "Enter" || event.key === " " ? this.tool : event.key.toUpperCase();
    if (STEPS[event.key]) {
      const next = this.places[row + STEPS[event.key][0]]?.[column + STEPS[event.key][1]];
      if (next) this.focus(next);
    } else if (this.tools.has(letter)) {
      this.paint(row, column, letter);
    } else {
      return;
    }
    event.preventDefault();
  }

  // Give a cell the focus; returns its row and column.
  focus(place) {
    const [row, column] = this.at;
    this.at = place.dataset.at.split(",").map(Number);
    this.show(row, column);
    this.show(...this.at);
    place.focus();
    return this.at;
  }
}

new BoardEditor(byId("drawing"), editorData());

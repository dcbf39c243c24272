// The board editor: cells are painted by mouse, touch or keyboard, and the board is solved at once.
import { Solving, openable, savable } from "./solving.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const CLASSES = { ".": "is-free", "*": "is-wall", E: "is-exit", P: "is-policeman", T: "is-thief" };
const UNIQUE = "PT";
const byId = (id) => document.getElementById(`board-${id}`);

class BoardEditor {
  constructor(drawing) {
    this.most = Number(drawing.dataset.most);
    this.label = drawing.dataset.cell;
    this.tools = new Map([...drawing.querySelectorAll("[name=tool]")].map((tool) => [tool.value, tool]));
    this.solving = new Solving(drawing.dataset.url);
    this.at = [0, 0];
    this.painting = false;
    this.read(drawing.dataset.board);
    drawing.hidden = false;
    this.listen();
    if (!document.getElementById("error").textContent) this.write(); // a text that was refused stays
  }

  listen() {
    const grid = byId("grid");
    grid.addEventListener("pointerdown", (event) => this.press(event));
    grid.addEventListener("pointermove", (event) => this.drag(event));
    addEventListener("pointerup", () => { this.painting = false; });
    grid.addEventListener("keydown", (event) => this.key(event));
    for (const id of ["rows", "columns"]) byId(id).addEventListener("change", () => this.resize());
    byId("clear").addEventListener("click", () => this.set(this.cells.map((row) => row.map(() => "."))));
    byId("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.load(byId("text").value);
    });
    openable(byId("file"), (text) => this.load(text));
  }

  // Solve a text as it is, and draw it unless the answer says what is wrong with it.
  async load(text) {
    byId("text").value = text;
    const found = await this.solving.now(text);
    if (!found) return;
    this.read(found.board);
    this.write();
  }

  // Show the board as text.
  write() {
    byId("text").value = this.text();
    savable(document.getElementById("save"), `${this.text()}\n`);
  }

  changed() {
    this.write();
    this.solving.soon(this.text());
  }

  text() {
    return this.cells.map((row) => row.join("")).join("\n");
  }

  read(text) {
    this.cells = text.trim().split("\n").map((row) => [...row.trim()]);
    this.draw();
  }

  set(cells) {
    this.cells = cells;
    this.draw();
    this.changed();
  }

  resize() {
    const [rows, columns] = ["rows", "columns"].map((id) => Math.min(Math.max(Math.trunc(Number(byId(id).value)) || 1, 1), this.most));
    const kept = (row, column) => this.cells[row]?.[column] ?? ".";
    this.set(Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => kept(row, column))));
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
    place.dataset.at = `${row},${column}`;
    place.className = CLASSES[letter];
    place.textContent = letter === "." || letter === "*" ? "" : letter;
    place.tabIndex = row === this.at[0] && column === this.at[1] ? 0 : -1;
    const said = { row: row + 1, column: column + 1, what: this.tools.get(letter).dataset.name };
    place.setAttribute("aria-label", this.label.replace(/\{(\w+)\}/g, (_, key) => said[key]));
  }

  paint(row, column, letter) {
    if (this.cells[row][column] === letter) return;
    if (UNIQUE.includes(letter)) {
      this.cells.forEach((cells, r) => cells.forEach((cell, c) => {
        if (cell !== letter) return;
        cells[c] = ".";
        this.show(r, c);
      }));
    }
    this.cells[row][column] = letter;
    this.show(row, column);
    this.changed();
  }

  get tool() {
    return document.querySelector("[name=tool]:checked").value;
  }

  press(event) {
    const place = event.target.closest("td");
    if (!place) return;
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
    if (place) this.paint(...place.dataset.at.split(",").map(Number), this.brush);
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

new BoardEditor(byId("drawing"));

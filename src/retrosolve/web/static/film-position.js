// The position of each step of a game that is too large to draw as a graph: its board, made of the rows of
// its text, and beside it the position that its move leads to.

// The rows of the board in the text of a position; none if there is no board in it. A text of several
// lines is a board, and so is one that begins with rows of equal width between slashes, in which a number
// stands for that many empty squares, if no dot does; commas are between numbers.
export function boardRows(text) {
  const lines = text.split("\n");
  if (lines.length > 1) return lines;
  let rows = (text.split(/\s+/).find(Boolean) ?? "").split("/");
  if (!text.includes(".") && rows.some((row) => !/^\d+$/.test(row))) rows = rows.map((row) => row.replace(/\d{1,2}/g, (count) => ".".repeat(Number(count))));
  const fits = !text.includes(",") && rows.length > 1 && rows[0].length > 1 && rows.every((row) => row.length === rows[0].length);
  return fits ? rows : [];
}

const LONGEST = 13; // letters of a line
const MOST = 8; // lines

// A position in a few short lines: the rows of its board, or its text.
export function labelOf(text) {
  const rows = boardRows(text);
  return (rows.length ? rows : [text]).slice(0, MOST).map((row) => (row.length > LONGEST ? `${row.slice(0, LONGEST - 1)}…` : row));
}

export class FilmPosition {
  constructor(container, film) {
    Object.assign(this, { container, film });
  }

  // Show the position of the last event and the one that its move leads to; of a level, its last position.
  show() {
    const { film } = this;
    const event = film.current;
    const parts = event ? [this.picture(event.vertex)] : [];
    if (event && event.target !== null) {
      const arrow = Object.assign(document.createElement("span"), { className: "flip", textContent: "→", ariaHidden: "true" });
      parts.push(arrow, this.picture(event.target));
    }
    this.container.replaceChildren(...parts);
  }

  picture(vertex) {
    const { film } = this;
    const figure = document.createElement("figure");
    const outcome = film.outcomes[vertex];
    const rows = boardRows(film.names[vertex]);
    const board = document.createElement(rows.length ? "table" : "p");
    board.className = rows.length ? "squares" : "name";
    board.setAttribute("aria-hidden", "true");
    if (rows.length) {
      for (const letters of rows) {
        const line = board.insertRow();
        for (const letter of letters) line.insertCell().textContent = ".-_ ".includes(letter) ? "" : letter;
      }
    } else board.textContent = film.names[vertex];
    const caption = document.createElement("figcaption");
    const counter = `${film.number(film.open[vertex])}/${film.number(film.successors[vertex].length)}`;
    caption.className = outcome ? `v-${outcome.value}` : "";
    caption.textContent = outcome ? `${film.signs[outcome.value]} ${film.outcome(outcome)}` : counter;
    figure.append(board, caption);
    return figure;
  }
}

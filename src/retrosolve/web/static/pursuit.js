// Policeman and thief on a board, as retrosolve.pursuit.police has it: the text of a board, and its game.
import { LOSS, WIN } from "./solver.js";

export const LETTERS = ".*EPCT";
const STRAIGHT = [[-1, 0], [1, 0], [0, -1], [0, 1]];
const DIAGONAL = [[-1, -1], [-1, 1], [1, -1], [1, 1]];
const STEPS = [[[0, 0], ...STRAIGHT, ...DIAGONAL], [[0, 0], ...STRAIGHT]]; // of the policeman, of the thief
const HEADER = /^(\d+)\s+(\d+)$/;

// What is wrong with a text: the key of a sentence, and its values.
export class TextError extends Error {
  constructor(key, values = {}) {
    super(key);
    this.values = values;
  }
}

// A row without blanks, if these are between all cells of a row of that width.
function joined(line, width) {
  const cells = line.split(/\s+/);
  return cells.length === width && cells.every((cell) => [...cell].length === 1) ? cells.join("") : line;
}

// Read a board: its rows of letters. Throws TextError.
export function parseBoard(text, most) {
  let rows = text.replace(/^\ufeff/, "").split(/\r\n?|\n/).map((line) => line.trim());
  while (rows.length && !rows.at(-1)) rows.pop();
  while (rows.length && !rows[0]) rows.shift();
  const filled = rows.filter(Boolean);
  // The numbers of rows and columns, in one line or two; below them blanks do not count, as for cin >>.
  const [size, above] = [1, 2].map((count) => [HEADER.exec(filled.slice(0, count).join(" ")), count]).find(([found]) => found) ?? [null, 0];
  if (size) rows = filled.slice(above).map((row) => joined(row, Number(size[2])));
  if (!rows.length) throw new TextError("no_rows");
  const columns = size ? Number(size[2]) : [...rows[0]].length;
  if (size && Number(size[1]) !== rows.length) throw new TextError("header", { rows: size[1], count: rows.length });
  rows.forEach((row, number) => {
    const at = [...row].findIndex((letter) => !LETTERS.includes(letter));
    if (at >= 0) throw new TextError("letter", { row: number + 1, column: at + 1, letter: [...row][at] });
    if (row.length !== columns) throw new TextError("length", { row: number + 1, count: row.length, columns });
  });
  if (Math.max(rows.length, columns) > most) throw new TextError("size", { rows: rows.length, columns, most });
  rows = rows.map((row) => row.replaceAll("C", "P"));
  for (const letter of "PT") {
    const found = rows.flatMap((row, r) => [...row].map((cell, c) => [cell, r + 1, c + 1])).filter(([cell]) => cell === letter);
    if (found.length > 1) throw new TextError("twice", { row: found[1][1], column: found[1][2], token: letter });
  }
  return rows;
}

// The game on a board: position (turn * k + p) * k + t of k free cells has the policeman on free cell p,
// the thief on free cell t, and turn to move, 0 for the policeman.
export function boardGame(rows) {
  const cells = [];
  const number = rows.map((row, r) => [...row].map((letter, c) => (letter === "*" ? -1 : cells.push([r, c]) - 1)));
  const k = cells.length;
  const exits = cells.map(([r, c]) => rows[r][c] === "E");
  const steps = STEPS.map((directions) => cells.map(([r, c]) => (
    directions.map(([down, right]) => number[r + down]?.[c + right] ?? -1).filter((cell) => cell >= 0)
  )));
  const count = (player) => steps[player].reduce((sum, targets) => sum + targets.length, 0);
  const indptr = new Int32Array(2 * k * k + 1);
  const indices = new Int32Array(k * (count(0) + count(1)));
  const terminal = new Uint8Array(2 * k * k);
  const owner = new Uint8Array(2 * k * k).fill(1, k * k);
  let edge = 0;
  for (let turn = 0; turn < 2; turn += 1) {
    for (let p = 0; p < k; p += 1) {
      for (let t = 0; t < k; t += 1) {
        const v = (turn * k + p) * k + t;
        // A capture counts before an exit.
        if (p === t) terminal[v] = turn === 0 ? WIN : LOSS;
        else if (exits[t]) terminal[v] = turn === 0 ? LOSS : WIN;
        const other = (1 - turn) * k;
        for (const cell of steps[turn][turn === 0 ? p : t]) {
          indices[edge] = turn === 0 ? (other + cell) * k + t : (other + p) * k + cell;
          edge += 1;
        }
        indptr[v + 1] = edge;
      }
    }
  }
  const standing = [..."PT"].map((letter) => cells.findIndex(([r, c]) => rows[r][c] === letter));
  const start = standing.includes(-1) ? null : standing[0] * k + standing[1];
  return { game: { indptr, indices, owner, terminal }, cells, start };
}

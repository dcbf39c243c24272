// Edge lists as text. They are read as retrosolve.formats.edge_list reads them, which says why, and what that
// refuses is refused. Nothing here touches the page.
import { TextError } from "./pursuit.js";

// The blanks of str.strip() in Python, which are not those of trim().
const BLANK = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const AROUND = new RegExp(`^[${BLANK}]+|[${BLANK}]+$`, "g");
const DATA = new RegExp(`[${BLANK},;]*\\{[^]*\\}[${BLANK}]*$`);
const COMMENT = new RegExp(`^[${BLANK}]*(?:#|%|//)`);
const COMMENT_BEHIND = new RegExp(`[${BLANK}]#[^]*$`);
const WORD = new RegExp(`[${BLANK}]*(?:"((?:[^"]|"")*)"(?![^${BLANK}])|([^${BLANK}"][^${BLANK}]*))`, "g");
const NUMBER = /^[\t-\r ]*[0-9]+[\t-\r ]*$/;
const SIGNED = /^[\t-\r ]*-?[0-9]+[\t-\r ]*$/;
const DECIMAL = /^[-+]?[0-9.]+(e[-+]?[0-9]+)?$/i;
const NOT_DIRECTED = /^((un|non-?|not |bi)directed|bidirectional|mutual|(non? )?(orient|dirig)[\p{L}\p{N}_]+|(un)?gerichtet)$/iu;
const ENDS = [
  ["source", "target"], ["from", "to"], ["src", "dst"], ["tail", "head"], ["u", "v"], ["source", "destination"],
  ["origin", "destination"], ["src", "dest"], ["parent", "child"], ["start", "end"],
];
const MAX_DIGITS = 18;

export function stripped(text) {
  return text.replace(AROUND, "");
}

function refuse(line) {
  throw new TextError("edge_line", { line: line + 1 });
}

// Whether a cell without quotes, between marks or blanks, may have been cut in another way than meant.
function isDoubtful(cell, mark) {
  const bare = stripped(cell);
  const others = [",", ";"].filter((other) => other !== mark);
  if (others.some((other) => bare.startsWith(other) || bare.endsWith(other))) return true;
  return mark !== null && (COMMENT_BEHIND.test(bare) || /^"|^[([][^)\]]*$/.test(bare));
}

// The rows between blanks: their cells, whether each is doubtful, and their line.
function rowsOfBlanks(lines, hasData) {
  return lines.flatMap((whole, line) => {
    let text = whole.replace(COMMENT_BEHIND, "");
    if (COMMENT.test(text)) return [];
    if (hasData) text = text.replace(DATA, "");
    if (stripped(text.replace(WORD, ""))) refuse(line);
    const words = [...text.matchAll(WORD)];
    const cells = words.map(([, quoted, word]) => word ?? quoted.replaceAll('""', '"'));
    return cells.length ? [{ cells, doubts: words.map(([, , word]) => isDoubtful(word ?? "", null)), line }] : [];
  });
}

// The rows between commas, semicolons or tabs.
function rowsOfMarks(lines, mark, hasData) {
  const rows = [];
  const textOf = (line) => (hasData ? lines[line].replace(DATA, "") : lines[line]);
  for (let line = 0; line < lines.length; line += 1) {
    let rest = textOf(line);
    if (COMMENT.test(rest)) {
      if (rows.length && rest.includes(mark)) refuse(line);
      continue;
    }
    const row = { cells: [], doubts: [], line };
    do {
      if (row.cells.length) rest = rest.slice(1);
      while (/^ *"(?:[^"]|"")*$/.test(rest)) { // a cell in quotes goes on in the next line
        line += 1;
        if (line === lines.length) refuse(line - 1);
        rest += `\n${textOf(line)}`;
      }
      const quoted = /^ *"((?:[^"]|"")*)"/.exec(rest);
      const end = rest.indexOf(mark);
      const cell = quoted ? quoted[0] : rest.slice(0, end < 0 ? rest.length : end);
      rest = rest.slice(cell.length);
      if (rest && !rest.startsWith(mark)) refuse(line);
      row.cells.push(quoted ? quoted[1].replaceAll('""', '"') : cell.replace(/^ +/, ""));
      row.doubts.push(!quoted && isDoubtful(cell, mark));
    } while (rest);
    row.line = line;
    if (row.cells.length > 1 || stripped(row.cells[0])) rows.push(row);
  }
  return rows;
}

// The columns of sources and targets below a header, null without one.
function findEnds({ cells, line }) {
  const words = cells.map((cell) => stripped(cell).toLowerCase());
  const pair = ENDS.find((names) => names.every((name) => words.includes(name)));
  if (!pair) {
    if (words.length === 2 && words[0] === words[1] && ENDS.flat().includes(words[0])) refuse(line);
    return null;
  }
  if (pair.some((name) => words.indexOf(name) !== words.lastIndexOf(name))) refuse(line);
  return pair.map((name) => words.indexOf(name));
}

function columnsOf(header, name) {
  return header.flatMap((cell, column) => (cell.toLowerCase().replace(/[ _\t-]/g, "") === name ? [column] : []));
}

// Whether a row has an edge in another notation, as 1 -> 2, 1: 2 3, (1, 2) or the p line of DIMACS.
function isOtherNotation(cells) {
  const [first, second] = cells.map(stripped);
  return /[-=]>/.test(first + second) || first.endsWith(":") || (first === "p" && cells.length === 4)
    || (cells.length > 2 && !/[\p{L}\p{N}_]/u.test(second)) || first.split("(").length !== first.split(")").length;
}

// Check the rows of edges; returns the number of cells of each.
function checkedWidth(edges, first, header, columns) {
  const rewards = header ? columnsOf(header, "reward") : [];
  const types = header ? columnsOf(header, "type") : [];
  if (rewards.length > 1) refuse(first.line);
  const needed = Math.max(...columns, ...rewards);
  let width = first.cells.length;
  edges.forEach(({ cells, doubts, line }, row) => {
    if (row === 0 && columns[0] === 0 && columns[1] === 1 && cells.length > 1 && isOtherNotation(cells)) refuse(line);
    if (!header && row === 1 && cells.length > 1 && first.cells.every((cell) => NUMBER.test(cell))) width = cells.length;
    if (cells.length !== width && (!header || cells.length <= needed)) refuse(line);
    if (columns.some((column) => doubts[column])) refuse(line);
    if (types.some((column) => NOT_DIRECTED.test(stripped(cells[column] ?? "")))) refuse(line);
    if (!header && cells.slice(2).some((cell) => !DECIMAL.test(stripped(cell)))) refuse(line);
    if (rewards.some((column) => !/^[-+]?0*$/.test(stripped(cells[column])))) refuse(line); // a drawing has none
  });
  const isMatrix = edges.every(({ cells }) => cells.length <= 2 || cells.every((cell) => cell === "0" || cell === "1"));
  if (!header && isMatrix && edges.length === width && width > 2) refuse(first.line);
  return width;
}

// Whether the cells are numbers rather than names.
function areNumbers(pairs, first, header) {
  const texts = pairs.map((pair) => pair.filter((cell) => !SIGNED.test(cell)));
  if (texts.some((cells, row) => cells.length && (row > 0 || header))) return false;
  if (texts[0]?.length) {
    if (pairs.length === 1) return false;
    refuse(first.line);
  }
  const cells = pairs.flat().map(stripped);
  if (cells.some((cell) => cell.startsWith("-"))) refuse(first.line);
  const digits = cells.map((cell) => cell.replace(/^0+(?=[0-9])/, ""));
  const isLong = (text) => text.length > MAX_DIGITS;
  if (digits.some((text, place) => text !== cells[place] && !isLong(text))) return false;
  if (digits.some(isLong)) refuse(first.line);
  return true;
}

// The numbers in ascending order; size is that of a first line with the numbers of vertices and edges.
function numbered(pairs, mayBeSize) {
  let ids = pairs.map((pair) => pair.map((cell) => BigInt(stripped(cell))));
  const [[size, count] = [], ...rest] = ids;
  const every = rest.flat();
  const isSized = mayBeSize && rest.length > 0 && count === BigInt(rest.length) && size <= 100 * ids.length + 1e6
    && every.every((id) => id < size || (id === size && !every.includes(0n)));
  if (isSized) ids = rest;
  const from = every.includes(0n) ? 0 : 1;
  const more = isSized ? Array.from({ length: Number(size) }, (_, v) => BigInt(v + from)) : [];
  const all = [...new Set([...ids.flat(), ...more])].sort((a, b) => (a < b ? -1 : 1));
  const place = new Map(all.map((id, v) => [id, v]));
  return { names: all.map(String), edges: ids.map((pair) => pair.map((id) => place.get(id))), isSized };
}

// The names in the order in which they appear.
function named(pairs, edges, first, header, mayBeSize) {
  const place = new Map();
  const ids = pairs.map((pair, row) => pair.map((cell) => {
    const name = stripped(cell);
    if (!name) refuse(edges[row].line);
    if (!place.has(name)) place.set(name, place.size);
    return place.get(name);
  }));
  const words = (header ?? []).map(stripped);
  if (!words.some((word) => word.toLowerCase() === "source") && words.some((word) => place.has(word))) refuse(first.line);
  const names = [...place.keys()];
  const alone = ids.length ? Math.max(...ids[0]) + 1 : 0;
  const rest = ids.slice(1);
  const isSized = mayBeSize && rest.length > 0 && rest.flat().every((v) => v >= alone)
    && first.cells.every((cell) => NUMBER.test(cell) && stripped(cell).length <= MAX_DIGITS)
    && BigInt(stripped(first.cells[0])) >= names.length - alone && BigInt(stripped(first.cells[1])) === BigInt(rest.length);
  if (!isSized) return { names, edges: ids, isSized };
  return { names: names.slice(alone), edges: rest.map((pair) => pair.map((v) => v - alone)), isSized };
}

// The names and the edges of a text.
export function parseEdges(text) {
  const lines = text.replace(/^\ufeff/, "").split(/\r\n?|\n/);
  const wrong = lines.findIndex((line) => line.includes("\0"));
  if (wrong >= 0 || text.startsWith("\ufeff\ufeff")) refuse(Math.max(wrong, 0));
  const at = lines.findIndex((line) => stripped(line) && !COMMENT.test(line));
  if (at < 0) throw new TextError("no_edges");
  const line = stripped(lines[at]);
  if (/^"?sep=.?"?$/iu.test(line)) refuse(at);
  const bare = stripped(line.replace(DATA, ""));
  const mark = ["\t", ",", ";"].find((one) => bare.includes(one)) ?? null;
  const rows = mark ? rowsOfMarks(lines, mark, bare !== line) : rowsOfBlanks(lines, bare !== line);
  if (!rows.length) throw new TextError("no_edges");
  const [first] = rows;
  const ends = findEnds(first);
  const header = ends && first.cells;
  const columns = ends ?? [0, 1];
  if (first.cells.length < 2) refuse(first.line);
  const edges = ends ? rows.slice(1) : rows;
  const width = checkedWidth(edges, first, header, columns);
  const pairs = edges.map(({ cells }) => columns.map((column) => cells[column]));
  const mayBeSize = !mark && !header && (first.cells.length === 2 || first.cells.length > width);
  const found = areNumbers(pairs, first, header)
    ? numbered(pairs, mayBeSize) : named(pairs, edges, first, header, mayBeSize);
  if (!header && first.cells.length !== width && !found.isSized) refuse(first.line);
  return { names: found.names, edges: found.edges };
}

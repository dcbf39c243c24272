// Games that a reader draws, solved in the page: what a text describes, the outcome of every position, who
// wins in a sentence, and the texts and addresses of the game. Nothing here touches the page.
//
// A text that cannot be read throws TextError: the key of a sentence among the words, and its values.
import { DRAW, LOSS, TIE, VALUES, WIN, fromEdges, solve } from "./solver.js";
import { TextError, boardGame, parseBoard } from "./pursuit.js";
import { parseEdges, stripped } from "./edge-list.js";
import { fill } from "./film-model.js";
import { inColumns } from "./layout.js";

export const MAX_TRACED = 1 << 17; // positions, and moves, of a film
const CODES = { draw: DRAW, win: WIN, loss: LOSS, tie: TIE };

// A sentence with a number in the form that the language has for it.
export function counted({ forms, index }, n) {
  return forms[index[n < 100 ? n : 100 + (n % 100)]];
}

// An outcome in a sentence: of the player named, or of nobody.
function verdict(words, value, plies, player) {
  if (value === DRAW) return words.verdicts.draw;
  const [alone, over, inPlies] = value === TIE ? words.verdicts.tie : words.verdicts.win;
  const sentence = plies === 0 ? over : plies === null ? alone : counted(inPlies, plies);
  return fill(sentence, { player, plies: words.number(plies) });
}

// -- boards of policeman and thief ------------------------------------------------------------

export function boardDescription(rows) {
  return rows.join("-").replaceAll("*", "x");
}

export function describedBoard(description) {
  return description.replaceAll("-", "\n").replaceAll("x", "*");
}

// Solve the board of a text; words has the sentences, most the cells of a side.
export function solvedBoard(text, words, most) {
  const rows = parseBoard(text, most);
  const { game, cells, start } = boardGame(rows);
  const { value, remoteness } = solve(game);
  const k = cells.length;
  const found = {
    board: rows.join("\n"), rows, game, cells, start, verdict: words.incomplete, value: null, plies: null,
    description: boardDescription(rows), filmed: Math.max(value.length, game.indices.length) <= MAX_TRACED,
  };
  if (start !== null) {
    found.value = VALUES[value[start]];
    found.verdict = words.police[found.value];
    if (value[start] !== DRAW) found.plies = fill(counted(words.plies, remoteness[start]), { plies: words.number(remoteness[start]) });
  }
  const policeman = start === null ? rows.join("").replaceAll("*", "").indexOf("P") : Math.floor(start / k);
  // Who wins with the thief on each free cell, and in how many plies; nothing without a policeman.
  found.winners = policeman < 0 ? null : cells.map((place, cell) => {
    const v = policeman * k + cell;
    return { place, value: VALUES[value[v]], plies: value[v] === DRAW ? null : remoteness[v] };
  });
  return found;
}

// -- graphs -----------------------------------------------------------------------------------

const FLAGS = { w: "win", l: "loss", t: "tie" };
const PLAIN = /^[\p{L}\p{N}_]+$/u;
const ENCODER = new TextEncoder();

// The graph of a JSON graph file.
function parseJson(text) {
  let found = null;
  try {
    found = JSON.parse(text);
  } catch {
    throw new TextError("json");
  }
  const rows = found?.successors;
  const n = found?.vertices;
  const ids = (row) => Array.isArray(row) && row.every((w) => Number.isInteger(w) && w >= 0 && w < n);
  const list = (name) => found[name] ?? null;
  const sized = (name) => list(name) === null || (Array.isArray(found[name]) && found[name].length === n);
  const right = found?.format === "retrosolve" && found.version === 1 && Number.isInteger(n)
    && Array.isArray(rows) && rows.length === n && rows.every(ids) && ["names", "owner", "terminal"].every(sized)
    && (list("owner") ?? []).every((side) => side === 0 || side === 1)
    && (list("terminal") ?? []).every((value) => value === null || Object.values(FLAGS).includes(value))
    && [null, ...Object.values(FLAGS)].includes(list("stuck")) && !(list("reward") ?? []).flat().some(Boolean);
  if (!right) throw new TextError("json");
  const names = (list("names") ?? rows.map((_, v) => v)).map(String);
  const start = list("start") === null ? null : names.indexOf(String(found.start));
  if (start === -1) throw new TextError("json");
  const terminal = list("terminal")?.some(Boolean) ? list("terminal") : null;
  const edges = rows.flatMap((row, v) => row.map((w) => [v, w]));
  return { names, edges, owner: list("owner"), terminal, start, stuck: list("stuck") ?? "loss" };
}

// Edges by their source, each as often as it is listed.
function bySource({ names, edges }) {
  const { indptr, indices } = fromEdges(names.length, edges.map(([v]) => v), edges.map(([, w]) => w));
  return names.flatMap((_, v) => Array.from(indices.slice(indptr[v], indptr[v + 1]), (w) => [v, w]));
}

// Read a graph from text, an edge list or JSON.
export function parseGraph(text) {
  const graph = text.trimStart().startsWith("{")
    ? parseJson(text) : { ...parseEdges(text), owner: null, terminal: null, start: null, stuck: "loss" };
  return { ...graph, edges: bySource(graph) };
}

function escaped(name) {
  return [...name].map((letter) => (PLAIN.test(letter) ? letter : (
    [...ENCODER.encode(letter)].map((byte) => `!${byte.toString(16).padStart(2, "0")}`).join("")
  ))).join("");
}

function unescaped(text) {
  try {
    return decodeURIComponent(text.replaceAll("%", "%25").replaceAll("!", "%"));
  } catch {
    throw new TextError("address");
  }
}

// The description of a graph in an address, as in retrosolve.web.descriptions.
export function graphDescription({ names, edges, owner, terminal, start, stuck }) {
  const said = names.map(escaped);
  const vertices = said.map((name, v) => {
    const flags = `${owner ? owner[v] : ""}${(terminal?.[v] ?? "").slice(0, 1)}${v === start ? "s" : ""}`;
    return flags ? `${name}-${flags}` : name;
  });
  const parts = [vertices.join("."), edges.map(([v, w]) => `${said[v]}-${said[w]}`).join(".")];
  return [...parts, ...(stuck === "loss" ? [] : [stuck])].join("~");
}

export function describedGraph(description) {
  const [vertices, arrows = "", stuck = "loss"] = description.split("~");
  const rows = vertices.split(".").map((text) => /^([^-]+)(?:-([01]?)([wlt]?)(s?))?$/.exec(text));
  if (rows.includes(null)) throw new TextError("address");
  const names = rows.map(([, name]) => unescaped(name));
  const number = new Map(rows.map(([, name], v) => [name, v]));
  const edges = arrows ? arrows.split(".").map((text) => text.split("-").map((name) => number.get(name))) : [];
  if (edges.some((edge) => edge.length !== 2 || edge.includes(undefined))) throw new TextError("address");
  const owner = rows.every(([, , side]) => side) ? rows.map(([, , side]) => Number(side)) : null;
  const terminal = rows.some(([, , , letter]) => letter) ? rows.map(([, , , letter]) => FLAGS[letter] ?? null) : null;
  const start = rows.findIndex((row) => row[4]);
  return { names, edges, owner, terminal, start: start < 0 ? null : start, stuck };
}

// A graph as the solver takes it.
export function graphGame({ names, edges, owner, terminal, stuck }) {
  return {
    ...fromEdges(names.length, edges.map(([v]) => v), edges.map(([, w]) => w)),
    owner: owner && Uint8Array.from(owner),
    terminal: terminal && Uint8Array.from(terminal, (value) => CODES[value ?? "draw"]),
    stuck: CODES[stuck],
  };
}

// Solve a graph; limits has the most vertices and edges, and the most characters of its address.
export function solvedGraph(graph, words, { vertices, edges, letters, address }) {
  const { names, owner } = graph;
  if (!names.length || names.length > vertices || graph.edges.length > edges) {
    throw new TextError("large", { vertices: names.length, edges: graph.edges.length, most: vertices, most_edges: edges });
  }
  const wrong = names.find((name) => !isName(name, letters));
  if (wrong !== undefined) throw new TextError("letters", { vertex: wrong });
  const twice = names.find((name, v) => names.indexOf(name) < v);
  if (twice !== undefined) throw new TextError("taken", { vertex: twice });
  const description = graphDescription(graph);
  if (encodeURIComponent(description).length > address) throw new TextError("address_length", { most: address });
  const game = graphGame(graph);
  const { value, remoteness } = solve(game);
  const outcomes = names.map((_, v) => {
    const plies = value[v] === DRAW ? null : remoteness[v];
    const winner = value[v] === WIN ? 0 : value[v] === LOSS ? 1 : null; // the player to move, or the other
    return {
      value: VALUES[value[v]], remoteness: plies, text: fill(words.outcomes[VALUES[value[v]]], { remoteness: words.number(plies) }),
      winner: winner === null || !owner ? null : owner[v] === 0 ? winner : 1 - winner, first: winner,
    };
  });
  const at = graph.start ?? 0;
  const { winner, first } = outcomes[at];
  const player = owner ? fill(words.player, { number: words.number(winner) }) : words.sides[first];
  const said = verdict(words, value[at] === LOSS ? WIN : value[at], outcomes[at].remoteness, player);
  return {
    ...graph, game, outcomes, description, terminal: graph.terminal ?? names.map(() => null), filmed: true,
    places: inColumns(outcomes.map((outcome) => outcome.remoteness), graph.edges),
    verdict: fill(words.from, { vertex: names[at], verdict: said }), value: outcomes[at].value, plies: null,
    texts: { csv: edgeList(graph), json: jsonText(graph) },
  };
}

// Whether a text can name a vertex.
export function isName(name, letters) {
  // eslint-disable-next-line no-control-regex
  return name !== "" && name === stripped(name) && [...name].length <= letters && !/[\u0000-\u001f\u007f\ud800-\udfff]/u.test(name);
}

function quoted(name) {
  return /[",;\t]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}

function edgeList({ names, edges }) {
  return ["source,target", ...edges.map(([v, w]) => `${quoted(names[v])},${quoted(names[w])}`), ""].join("\n");
}

export function jsonText({ names, edges, owner, terminal, start, stuck }) {
  const successors = names.map((_, v) => edges.filter(([source]) => source === v).map(([, target]) => target));
  const head = { format: "retrosolve", version: 1, vertices: names.length };
  const rest = { names, ...(owner && { owner }), ...(terminal?.some(Boolean) && { terminal }), stuck };
  return `${JSON.stringify({ ...head, ...rest, ...(start !== null && { start: names[start] }), successors })}\n`;
}

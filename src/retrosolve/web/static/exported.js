// The explorer of an exported game: positions are read from files by range requests. The address has the
// index of the position behind the hash, so links and the back button work. The side that moves follows
// where the position does not tell: 0 for the one that moved first if the rules do not name it, and where
// the position also stands for the one with the players exchanged.
import { clickable } from "./board.js";
import { keep, kept as read } from "./kept.js";
import { moveList } from "./moves.js";
import { phrases } from "./phrases.js";

const MAX_KEPT = 64;
const MIN_PLIES = 8; // that the chart of a short line has room for
const PAUSE = 500; // milliseconds before the opponent moves
const OPPOSITE = { win: "loss", loss: "win", tie: "tie", draw: "draw" };
const HINTS = "retrosolve hints";
const kept = new Map();
const asked = new URLSearchParams(location.search).get("language");
speak([...document.querySelectorAll("template[lang]")].find((one) => one.lang === asked));
const play = document.getElementById("play");
let game;
let speech; // the words of the language
let say = { phrase: (text) => text, title: (text) => text };
let shown; // the position
let chosen; // the move that was made, of several to the same index
let waiting = 0;

// Show the page in another language, which it has in a template.
function speak(other) {
  if (!other) return;
  Object.assign(document.documentElement, { lang: other.lang, dir: other.dir });
  document.title = `${other.dataset.title} · retrosolve`;
  for (const one of [...document.body.children]) if (!one.matches("script, template, noscript")) one.remove();
  document.body.prepend(other.content);
}

// The data of a small game are in the page, so that it opens from a disk.
const inline = JSON.parse(document.getElementById("game-data")?.textContent ?? "null");
const inside = new Map();

function insideOf(name) {
  if (!inside.has(name)) inside.set(name, Uint8Array.from(atob(inline.files[name]), (letter) => letter.charCodeAt(0)).buffer);
  return inside.get(name);
}

// The bytes of a part of a file; hosts without range requests send all of it.
async function bytes(name, start, stop) {
  if (inline) return insideOf(name).slice(start, stop);
  const answer = await fetch(name, { headers: { Range: `bytes=${start}-${stop - 1}` } });
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  const found = await answer.arrayBuffer();
  return answer.status === 206 ? found : found.slice(start, stop);
}

async function block(number) {
  if (!kept.has(number)) {
    const packed = await bytes("blocks.bin", game.offsets[number], game.offsets[number + 1]);
    const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    kept.set(number, await new Response(plain).json());
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value);
  }
  return kept.get(number);
}

// A position with its moves by its index; null if there is none. Of two that one index stands for, the one
// in which the given side moves.
async function position(index, mover = null) {
  if (!(index >= 0 && index < game.indices)) return null;
  const rows = await block(Math.floor(index / game.block));
  const row = rows[index % game.block];
  if (!row) return null;
  const [text, value, remoteness, side, moves, picture, other] = row;
  const found = { index, text, value, remoteness: remoteness < 0 ? null : remoteness, side, moves, picture, place: String(index) };
  return other && mover === 1 - side ? { ...found, ...exchanged(found, other), side: mover, place: `${index}-${mover}` } : found;
}

// What a position shows with the players exchanged: as the files have it, or else by exchanging words.
function exchanged({ text, moves, picture }, [ownText, ownMoves, ownPicture]) {
  const named = ([name, target, value, remoteness, rank, points, ...plies], number) => {
    const [ownName, ownPoints] = ownMoves?.[number] ?? [exchange(name), points];
    return [ownName, target, value, remoteness, rank, ownPoints, ...plies];
  };
  return { text: ownText ?? exchange(text), moves: moves.map(named), picture: ownPicture ?? (picture && exchange(picture)) };
}

function exchange(words) {
  const { pattern, words: others } = game.exchange;
  return words.replace(new RegExp(pattern, "g"), (word) => others[word]);
}

function textHash(text) {
  let found = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) found = Math.imul(found ^ byte, 0x01000193);
  found = Math.imul(found ^ (found >>> 16), 0x85ebca6b);
  found = Math.imul(found ^ (found >>> 13), 0xc2b2ae35);
  return (found ^ (found >>> 16)) >>> 0;
}

// The position of a text; null if there is none.
async function find(text) {
  for (const listed of game.exchange ? [text, exchange(text)] : [text]) {
    for (const index of await indices(listed)) {
      for (const mover of [null, 0, 1]) {
        const found = await position(index, mover);
        if (found?.text === text) return found;
      }
    }
  }
  return null;
}

// The indices with the hash of a text: hashes are evenly spread, so the place of one is known but for a few entries.
async function indices(text) {
  const hash = textHash(text);
  const near = Math.floor((hash / 2 ** 32) * game.texts);
  const room = Math.ceil(4 * Math.sqrt(game.texts)) + 16;
  const first = Math.max(near - room, 0);
  const last = Math.min(near + room, game.texts);
  const pairs = new DataView(await bytes("texts.bin", 8 * first, 8 * last));
  const all = Array.from({ length: last - first }, (_, k) => 8 * k);
  return all.filter((at) => pairs.getUint32(at, true) === hash).map((at) => pairs.getUint32(at + 4, true));
}

// A value with its points as text, for its player and the other one, of a player who leads by some points.
// The value of a move is a text where no position is worth as many points.
function worth(value, lead = 0) {
  const isText = typeof value === "string";
  const [own, , detail = "", other = ""] = isText ? ["", "", value] : game.values[value];
  if (!lead && !isText) return { own, detail, other };
  const points = Number(detail) + lead;
  return { own: ["loss", "tie", "win"][Math.sign(points) + 1], detail: signed(points), other: signed(-points) };
}

function signed(points) {
  return points > 0 ? `+${points}` : points ? String(points) : "";
}

// By how many points a side leads at a row of the line.
function leadOf({ taken }, number) {
  return taken[number] - taken[1 - number];
}

// An outcome in words, of a value for the player to move, whether that is the reader: who has chosen no side
// is told the winner by name. The points of that player, and plies that do not count to the end, follow in
// parentheses.
function result(value, mine, counted, lead = 0) {
  const { own, detail, other } = worth(value, lead);
  const label = mine ? own : OPPOSITE[own];
  const named = (label === "win" || label === "loss") && !isChosen();
  const key = named ? "win for" : label;
  const plies = label === "draw" ? null : counted;
  const said = !plies || speech.counted ? speech.words[key] : speech.words[`${key} in`].replace("{plies}", digits(plies));
  const apart = plies && speech.counted ? `${speech.counted}: ${digits(plies)}` : "";
  const asides = [(named ? own === "win" : mine) ? detail : other, apart].filter(Boolean);
  return said.replace("{player}", speech.players[label === "win" ? 0 : 1]) + (asides.length ? ` (${asides.join(speech.phrases?.comma ?? ", ")})` : "");
}

function isChosen() {
  return play.you.value !== "";
}

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// Who moves, and whether that is the side from whose point of view the page speaks: the reader's, or the
// first one.
function turn(found) {
  const side = found.side ?? Number(location.hash.endsWith("-1"));
  return { side, mine: Number(play.you.value) === side };
}

// Whether the address says who moves: players alternate then.
function alternates(found) {
  return found.side === null || game.exchange !== undefined;
}

function after(found, move) {
  return alternates(found) ? `#${targetOf(move)}-${1 - turn(found).side}` : `#${targetOf(move)}`;
}

// The index of the target of a move; the files have ~index where it is shown as another image.
function targetOf([, target]) {
  return Math.max(target, ~target);
}

// The piece of the player to move, if the picture has pieces that one cannot tell from the position.
function moverPiece(found, side) {
  const isRelative = document.querySelector("#board svg.relative") !== null;
  const kinds = game.pieces ?? (isRelative ? ["first", "second"] : null);
  if (kinds === null || !found.moves.length) return [];
  const piece = element("span", { className: `disc ${kinds[side]}` });
  piece.setAttribute("aria-hidden", "true");
  return [piece, " "];
}

// The label of a value for the player to move, its sign and its points, as the reader sees them.
function seen(value, mine, lead = 0) {
  const { own, detail, other } = worth(value, lead);
  const label = mine ? own : OPPOSITE[own];
  return [label, game.symbols[label], mine ? detail : other];
}

// A result in short, of its label, points and plies.
function short(label, points, plies) {
  if (game.points && label !== "draw") return points || digits(0);
  return plies === null || label === "draw" ? "" : digits(plies);
}

function hinted() {
  return play.hints.value === "yes";
}

// The moves of a position: those without hints by their names, so that nothing tells the best.
function moveRows(found) {
  const rows = found.moves.map((move) => moveRow(found, move));
  const stands = found.moves.length === 1 || found.moves.some((move) => move[4] > 1);
  for (const { link, move } of stands ? rows : []) link.classList.toggle("is-best", hinted() && move[4] === 1);
  if (!hinted()) rows.sort((a, b) => (a.link.textContent < b.link.textContent ? -1 : 1));
  return rows.map(({ row }) => row);
}

function moveRow(found, move) {
  const [name, , value, remoteness, rank, points, plies] = move;
  const { side: mover, mine } = turn(found);
  const lead = leadOf(line.at(-1), mover);
  const [label, symbol] = seen(value, mine, lead);
  const link = element("a", { className: "move", href: after(found, move), textContent: say.phrase(name) });
  link.addEventListener("click", () => { chosen = move; });
  link.dataset.points = JSON.stringify(points);
  if (!hinted()) return { link, move, row: element("tr", {}, element("th", { scope: "row" }, link)) };
  const { own, detail } = worth(value, lead); // on the board, a value is for the player who moves
  const sign = element("span", { className: "sign", textContent: symbol, ariaHidden: "true" });
  const counted = plies ?? (remoteness === null ? null : remoteness + 1);
  const said = ` ${result(value, mine, counted, lead)}`;
  Object.assign(link.dataset, { value: own, label: detail || short(own, "", counted) || game.symbols[own] });
  const row = element("tr", { className: `v-${label}` });
  row.append(element("th", { scope: "row" }, link), element("td", {}, sign, said),
    element("td", { className: "number", textContent: digits(rank) }));
  return { link, move, row };
}

function draw(found) {
  const board = document.getElementById("board");
  if (found.picture) {
    const parsed = new DOMParser().parseFromString(found.picture, "image/svg+xml");
    for (const title of parsed.querySelectorAll("title, text")) title.textContent = say.title(title.textContent);
    board.replaceChildren(document.adoptNode(parsed.documentElement));
  } else {
    board.replaceChildren(element("pre", { className: "board-text", textContent: found.text }));
  }
}

async function show() {
  clearTimeout(waiting);
  const [index, mover] = location.hash.slice(1).split("-");
  const found = await position(index ? parseInt(index, 10) : game.start, mover === undefined ? null : Number(mover));
  document.getElementById("error").textContent = found ? "" : speech.words["no position"];
  if (!found) return;
  shown = found;
  const { side, mine } = turn(found);
  draw(found);
  document.getElementById("position-text").textContent = found.text;
  follow(found);
  const lead = leadOf(line.at(-1), side);
  const [label, symbol] = seen(found.value, mine, lead);
  const said = result(found.value, mine, found.remoteness, lead);
  const named = found.side !== null || !isChosen();
  const player = named ? speech.words["to move"].replace("{player}", speech.players[side]) : "";
  const whose = isChosen() ? `${mine ? speech.words.yours : speech.words.theirs} ${player}`.trim() : player;
  const turned = found.moves.length ? whose : speech.words.over;
  const isJudged = hinted() || !found.moves.length;
  const verdict = document.getElementById("verdict");
  verdict.className = isJudged ? `v-${label}` : "";
  verdict.textContent = isJudged ? `${symbol} ${said}` : turned;
  document.getElementById("announcement").textContent = isJudged ? said : turned;
  document.getElementById("points").textContent = game.points ? pointsTaken(found, isJudged) : "";
  document.getElementById("turn").replaceChildren(...moverPiece(found, side), isJudged ? turned : "");
  document.querySelector(".move-list thead").hidden = !hinted();
  document.getElementById("moves").replaceChildren(...moveRows(found));
  const last = line.at(-1).move;
  document.getElementById("board").dataset.last = JSON.stringify(last && last[1] >= 0 && !game.turned ? last[5] ?? [] : []);
  clickable(document.getElementById("board"), document.querySelectorAll("a.move"));
  document.getElementById("board").classList.toggle("is-second", side === 1 && found.side === null);
  for (const link of document.querySelectorAll(".switches a")) link.href = `?language=${link.lang}${location.hash}`;
  if (play.mistakes.value && isChosen() && !mine && found.moves.length) waiting = setTimeout(() => reply(found), PAUSE);
}

// The points that each player has taken: the reader, the winner or else the first player before the other.
function pointsTaken(found, isJudged) {
  const row = line.at(-1);
  const [label] = seen(found.value, turn(found).mine, leadOf(row, turn(found).side));
  const me = isChosen() ? Number(play.you.value) : Number(label === "loss");
  const names = isChosen() ? [speech.words.you, speech.words.opponent] : [speech.players[me], speech.players[1 - me]];
  const numbers = [row.taken[me], row.taken[1 - me]].map(digits);
  const rest = turn(found).side === me ? worth(found.value).detail : worth(found.value).other;
  const said = [speech.words.taken.replace(/\{(player|points|opponent|others)\}/g, (_, key) => (
    { player: names[0], points: numbers[0], opponent: names[1], others: numbers[1] }[key]))];
  if (isJudged && rest) said.push(speech.words.rest.replace("{points}", digits(rest)));
  return said.join(" · ") + (line[0].found.index === game.start ? "" : ` · ${speech.words["from line"]}`);
}

// The opponent's move replaces the position before it: the back button takes back both moves.
function reply(found) {
  const best = found.moves.filter((move) => move[4] === 1);
  const others = found.moves.filter((move) => move[4] > 1);
  const open = others.length && Math.random() < Number(play.mistakes.value) ? others : best;
  chosen = open[Math.floor(Math.random() * open.length)];
  location.replace(after(found, chosen));
}

document.getElementById("find").addEventListener("submit", async (event) => {
  event.preventDefault();
  const written = event.target.at.value.trim();
  const found = (await find(written)) ?? (await find(typed(written)));
  if (found) location.hash = found.place;
  else document.getElementById("error").textContent = speech.words["no position"];
});
document.getElementById("start").addEventListener("click", (event) => {
  event.preventDefault();
  location.hash = game.start;
});
play.addEventListener("change", () => {
  if (play.mistakes.value && play.you.value === "") play.you.value = turn(shown).side;
  keep(HINTS, play.hints.value);
  show();
});


// -- the line so far --------------------------------------------------------------------------

// The positions since the beginning: each with the address after the hash, what the position was worth and
// how good the move was that led there, as the player who made it saw it, and the points of each player so far.
let line = [];

// Add a position that a move of the last one leads to; go back to one that was there; or begin anew.
function follow(found) {
  const place = found.side === null ? location.hash.slice(1) || found.place : found.place;
  const known = line.findLastIndex((row) => row.place === place);
  const last = line.at(-1);
  const moves = last?.found.moves.filter((one) => targetOf(one) === found.index) ?? [];
  const move = moves.includes(chosen) ? chosen : moves[0];
  const { side: mover } = turn(found);
  if (known >= 0) line = line.slice(0, known + 1);
  else if (move && !(alternates(found) && mover === last.side)) line.push({ place, found, move, side: mover, taken: taken(last, move, found, mover) });
  else line = [{ place, found, move: null, side: mover, taken: [0, 0] }];
  record();
}

// The points of each player after a move: what the move is worth, and the position behind it no longer is.
function taken(last, move, found, mover) {
  const after = [...last.taken];
  const left = worth(found.value)[mover === last.side ? "detail" : "other"];
  if (game.points) after[last.side] += Number(worth(move[2]).detail) - Number(left);
  return after;
}

// What is to be said about a move: nothing of one of the best.
function remark({ move, found }, before) {
  const [, , value, , rank] = move;
  if (rank === 1) return "";
  const [best] = before.found.moves;
  const plies = ([, , , remoteness, , , counted]) => counted ?? remoteness;
  const key = value === best[2] ? (plies(best) > plies(move) ? "lasted" : "faster") : "mistake";
  return speech.words[key].replace("{move}", say.phrase(best[0]));
}

function record() {
  const rows = line.slice(1).map((row, number) => {
    const before = line[number];
    const link = element("a", { href: `#${row.place}`, textContent: say.phrase(row.move[0]) });
    const [label, symbol, points] = seen(row.move[2], side(before.side), leadOf(before, before.side));
    const note = hinted() ? remark(row, before) : "";
    const item = element("li", {}, link);
    if (hinted()) item.append(" ", element("span", { className: `v-${label}`, textContent: `${symbol}${short(label, points, row.move[3])}` }));
    if (note) item.append(" ", element("span", { className: "note", textContent: note }));
    if (row === line.at(-1)) link.setAttribute("aria-current", "step");
    return item;
  });
  document.getElementById("plies").replaceChildren(...rows);
  document.getElementById("undo").disabled = line.length < 2;
  document.getElementById("beginning").disabled = line.length < 2;
  chart();
}

// Whether a side is the one from whose point of view the page speaks.
function side(number) {
  return Number(play.you.value) === number;
}

function digits(number) {
  return String(number).replace(/\d/g, (digit) => speech.words.digits[digit]);
}

// A text of a reader with the digits and the commas of notation.
function typed(text) {
  const plain = (digit) => (speech.words.digits.includes(digit) ? speech.words.digits.indexOf(digit) : digit);
  return text.replace(/\p{Nd}/gu, plain).replaceAll("،", ",");
}

// The value after each ply for that side: a win at the top, the nearer to the edge the sooner, or by points.
function chart() {
  const svg = document.getElementById("chart");
  svg.toggleAttribute("hidden", line.length < 2 || !hinted());
  const values = line.map((row) => seen(row.found.value, side(row.side), leadOf(row, row.side)));
  const distances = line.map(({ found }, number) => (game.points ? Math.abs(values[number][2]) : found.remoteness ?? 0));
  const longest = Math.max(0, ...distances);
  const far = (plies) => (game.points ? (50 * plies) / Math.max(longest, 1) : 50 - (40 * plies) / (longest + 1));
  const long = Math.max(line.length - 1, MIN_PLIES);
  const height = (label, plies) => ({ win: -1, loss: 1 }[label] ?? 0) * far(plies) + 50;
  const points = values.map(([label], number) => `${(100 * number) / long},${height(label, distances[number])}`);
  const plot = drawn("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none" });
  plot.append(drawn("polyline", { points: points.join(" "), "vector-effect": "non-scaling-stroke" }));
  const numbers = roundNumbers(longest, 2).slice(game.points ? 1 : 0);
  const marks = [["tie", 0], ...["win", "loss"].flatMap((label) => numbers.map((plies) => [label, plies]))];
  svg.replaceChildren(plot, ...marks.map(([label, plies]) => {
    const text = label === "tie" ? "" : ` ${game.points ? signed(label === "win" ? plies : -plies) : digits(plies)}`;
    const place = { class: `upright v-${label}`, x: -6, y: `${height(label, plies)}%`, dy: "0.35em" };
    return drawn("text", place, game.symbols[label] + text);
  }), ...roundNumbers(long, 8).map((plies) => drawn("text", { x: `${(100 * plies) / long}%`, y: "100%", dy: "1.3em" }, digits(plies))),
  drawn("text", { class: "onward", x: "100%", y: "100%", dy: "2.7em" }, speech.words.ply));
}

function drawn(name, attributes, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

// 0 and its multiples of one round number up to the last, as in retrosolve.web.axes.
function roundNumbers(last, most) {
  const step = [1, 2, 5, 10, 20, 50].map((one) => one * 10 ** Math.max(0, Math.floor(Math.log10(Math.max(last, 1) / most)))).find((one) => one * most >= last);
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, number) => number * step);
}

// Take back the last move; against an opponent, the reader's last one and what followed.
document.getElementById("undo").addEventListener("click", () => {
  const before = line.slice(0, -1);
  const own = play.mistakes.value ? before.findLast((row) => side(row.side)) : null;
  location.hash = (own ?? before.at(-1) ?? line[0]).place;
});
document.getElementById("beginning").addEventListener("click", () => { location.hash = line[0].place; });

async function begin() {
  if (!inline && location.protocol === "file:") {
    document.getElementById("error").textContent = document.getElementById("error").dataset.fromDisk;
    return;
  }
  game = inline ? inline.game : await (await fetch("game.json")).json();
  speech = game.languages[document.documentElement.lang];
  if (speech.phrases) say = phrases({ ...speech.phrases, digits: speech.words.digits });
  play.hints.value = read(HINTS) ?? "yes";
  moveList(document.querySelector(".move-list"));
  addEventListener("hashchange", show);
  globalThis.retrosolve = { find, position };
  await show();
}

await begin();

// The explorer of an exported game: positions are read from files by range requests. The address has the
// index of the position behind the hash, so links and the back button work, and where the rules do not
// name who moves, the side: 0 for the one that moved first.
import { clickable } from "./board.js";
import { moveList } from "./moves.js";

const MAX_KEPT = 64;
const PAUSE = 500; // milliseconds before the opponent moves
const OPPOSITE = { win: "loss", loss: "win", tie: "tie", draw: "draw" };
const kept = new Map();
const play = document.getElementById("play");
let game;
let waiting = 0;

// The bytes of a part of a file; hosts without range requests send all of it.
async function bytes(name, start, stop) {
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

// A position with its moves by its index; null if there is none.
export async function position(index) {
  if (!(index >= 0 && index < game.indices)) return null;
  const rows = await block(Math.floor(index / game.block));
  const row = rows[index % game.block];
  if (!row) return null;
  const [text, value, remoteness, side, moves, picture] = row;
  return { index, text, value, remoteness: remoteness < 0 ? null : remoteness, side, moves, picture };
}

function textHash(text) {
  let found = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) found = Math.imul(found ^ byte, 0x01000193);
  found = Math.imul(found ^ (found >>> 16), 0x85ebca6b);
  found = Math.imul(found ^ (found >>> 13), 0xc2b2ae35);
  return (found ^ (found >>> 16)) >>> 0;
}

// The index of a text: hashes are evenly spread, so the place of one is known but for a few entries.
export async function find(text) {
  const hash = textHash(text);
  const near = Math.floor((hash / 2 ** 32) * game.texts);
  const room = Math.ceil(4 * Math.sqrt(game.texts)) + 16;
  const first = Math.max(near - room, 0);
  const last = Math.min(near + room, game.texts);
  const pairs = new DataView(await bytes("texts.bin", 8 * first, 8 * last));
  for (let k = 0; k < last - first; k++) {
    if (pairs.getUint32(8 * k, true) !== hash) continue;
    const found = await position(pairs.getUint32(8 * k + 4, true));
    if (found?.text === text) return found.index;
  }
  return -1;
}

// An outcome as the reader sees it, in words: who has chosen no side is told the winner by name.
function result(label, plies) {
  const decided = label === "win" || label === "loss";
  const key = decided && !isChosen() ? "win for" : label;
  const said = plies === null ? game.words[key] : game.words[`${key} in`].replace("{plies}", plies);
  return said.replace("{player}", game.players[label === "win" ? 0 : 1]);
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
  const side = found.side ?? Number(location.hash.split("-")[1] ?? 0);
  return { side, mine: Number(play.you.value) === side };
}

function after(found, target) {
  return found.side === null ? `#${target}-${1 - turn(found).side}` : `#${target}`;
}

// The label of a value for the player to move, and its sign, as the reader sees them.
function seen(value, mine) {
  const label = mine ? game.values[value][0] : OPPOSITE[game.values[value][0]];
  return [label, Object.values(game.values).find(([other]) => other === label)[1]];
}

function moveRow(found, [name, target, value, remoteness, rank, points]) {
  const [label, symbol] = seen(value, turn(found).mine);
  const link = element("a", { className: "move", href: after(found, target), textContent: name });
  link.dataset.points = JSON.stringify(points);
  const sign = element("span", { className: "sign", textContent: symbol, ariaHidden: "true" });
  const said = ` ${result(label, remoteness === null ? null : remoteness + 1)}`;
  const row = element("tr", { className: `v-${label}` });
  row.append(element("th", { scope: "row" }, link), element("td", {}, sign, said),
    element("td", { className: "number", textContent: rank }));
  return row;
}

function draw(found) {
  const board = document.getElementById("board");
  if (found.picture) {
    const parsed = new DOMParser().parseFromString(found.picture, "image/svg+xml");
    board.replaceChildren(document.adoptNode(parsed.documentElement));
  } else {
    board.replaceChildren(element("pre", { className: "board-text", textContent: found.text }));
  }
}

async function show() {
  clearTimeout(waiting);
  const found = await position(location.hash.length > 1 ? parseInt(location.hash.slice(1), 10) : game.start);
  document.getElementById("error").textContent = found ? "" : game.words["no position"];
  if (!found) return;
  const { side, mine } = turn(found);
  const [label, symbol] = seen(found.value, mine);
  draw(found);
  document.getElementById("position-text").textContent = found.text;
  const said = result(label, found.remoteness);
  const verdict = document.getElementById("verdict");
  verdict.className = `v-${label}`;
  verdict.textContent = `${symbol} ${said}`;
  document.getElementById("announcement").textContent = said;
  const named = found.side !== null || !isChosen();
  const player = named ? game.words["to move"].replace("{player}", game.players[side]) : "";
  const whose = isChosen() ? `${mine ? game.words.yours : game.words.theirs} ${player}`.trim() : player;
  document.getElementById("turn").textContent = found.moves.length ? whose : game.words.over;
  document.getElementById("moves").replaceChildren(...found.moves.map((move) => moveRow(found, move)));
  clickable(document.getElementById("board"), document.querySelectorAll("a.move"));
  document.getElementById("board").classList.toggle("is-second", side === 1 && found.side === null);
  document.body.dataset.shown = found.index;
  if (play.mistakes.value && isChosen() && !mine && found.moves.length) waiting = setTimeout(() => reply(found), PAUSE);
}

// The opponent's move replaces the position before it: the back button takes back both moves.
function reply(found) {
  const best = found.moves.filter((move) => move[4] === 1);
  const others = found.moves.filter((move) => move[4] > 1);
  const chosen = others.length && Math.random() < Number(play.mistakes.value) ? others : best;
  location.replace(after(found, chosen[Math.floor(Math.random() * chosen.length)][1]));
}

document.getElementById("find").addEventListener("submit", async (event) => {
  event.preventDefault();
  const index = await find(event.target.at.value.trim());
  if (index >= 0) location.hash = index;
  else document.getElementById("error").textContent = game.words["no position"];
});
document.getElementById("start").addEventListener("click", (event) => {
  event.preventDefault();
  location.hash = game.start;
});
play.addEventListener("change", async () => {
  const found = await position(Number(document.body.dataset.shown));
  if (play.mistakes.value && play.you.value === "") play.you.value = turn(found).side;
  show();
});

game = await (await fetch("game.json")).json();
moveList(document.querySelector(".move-list"));
addEventListener("hashchange", show);
await show();

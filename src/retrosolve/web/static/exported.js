// The explorer of an exported game: positions are read from files by range requests. The address has the
// index of the position behind the hash, so links and the back button work.
import { clickable } from "./board.js";
import { moveList } from "./moves.js";

const MAX_KEPT = 64;
const kept = new Map();
let game;

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

function result(label, plies) {
  const words = game.words;
  return plies === null ? words[label] : words[`${label} in`].replace("{plies}", plies);
}

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function moveRow([name, target, value, remoteness, rank, points]) {
  const [label, symbol] = game.values[value];
  const link = element("a", { className: "move", href: `#${target}`, textContent: name });
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
  const index = location.hash.length > 1 ? Number(location.hash.slice(1)) : game.start;
  const found = await position(index);
  document.getElementById("error").textContent = found ? "" : game.words["no position"];
  if (!found) return;
  const [label, symbol] = game.values[found.value];
  draw(found);
  document.getElementById("position-text").textContent = found.text;
  const said = result(label, found.remoteness);
  const verdict = document.getElementById("verdict");
  verdict.className = `v-${label}`;
  verdict.textContent = `${symbol} ${said}`;
  document.getElementById("announcement").textContent = said;
  const player = found.side === null ? "" : game.words["to move"].replace("{player}", game.players[found.side]);
  document.getElementById("turn").textContent = found.moves.length ? player : game.words.over;
  document.getElementById("moves").replaceChildren(...found.moves.map(moveRow));
  clickable(document.getElementById("board"), document.querySelectorAll("a.move"));
  document.body.dataset.shown = found.index;
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

game = await (await fetch("game.json")).json();
moveList(document.querySelector(".move-list"));
addEventListener("hashchange", show);
await show();

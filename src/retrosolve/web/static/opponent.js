// The opponent's answer: shown after a moment, in place of the position before it, so that the back
// button takes back both moves.
import { show } from "./navigate.js";

const PAUSE = 500;
let waiting = 0;

export function answer(link) {
  clearTimeout(waiting);
  if (link) waiting = setTimeout(() => show(link.href, "replace"), PAUSE);
}

// The line: back and on by keys, the moves that were taken back made again, and the best line played.
import { keep, kept as read } from "./kept.js";
import { show } from "./navigate.js";

const PAUSE = 900; // milliseconds between the moves of the best line
const KEPT = "retrosolve line";
let playing = 0;

export function followLine() {
  clearTimeout(playing);
  const record = document.querySelector(".record[data-line]");
  if (!record) return;
  const ahead = following(record.dataset.line);
  const redo = document.getElementById("redo");
  if (redo) {
    redo.hidden = false;
    if (ahead) redo.href = ahead.next;
  }
  const plies = record.querySelector(".plies");
  if (plies) plies.scrollTop = plies.scrollHeight;
  autoplay();
}

// The address of the next move and that of the end of the line that was taken back; null if there is none.
function following(line) {
  const address = new URL(location.href);
  const where = ["line", "played"].find((name) => address.searchParams.has(name)) ?? "line";
  for (const name of ["line", "played"]) address.searchParams.delete(name);
  const here = `${address.pathname}?${address.searchParams}`;
  const kept = JSON.parse(read(KEPT) ?? "{}");
  const begun = line ? `${line}-` : "";
  if (kept.here !== here || !`${kept.line}-`.startsWith(begun) || kept.line.length < line.length) {
    keep(KEPT, JSON.stringify({ here, line, where }));
    return null;
  }
  const rest = kept.line.slice(begun.length);
  if (kept.line === line || !rest) return null;
  const to = (text) => `${here}${address.searchParams.size ? "&" : ""}${kept.where}=${text}`;
  return { next: to(begun + rest.split("-")[0]), last: to(kept.line) };
}

// Play the best moves of both sides, one after the other.
function autoplay() {
  const button = document.getElementById("autoplay");
  if (!button) {
    document.body.dataset.autoplay = "";
    return;
  }
  const best = document.querySelector("a.move");
  const set = (on) => {
    document.body.dataset.autoplay = on ? "yes" : "";
    button.setAttribute("aria-pressed", String(on));
    clearTimeout(playing);
    if (on && best) playing = setTimeout(() => show(best.href), PAUSE);
  };
  button.hidden = !best;
  button.addEventListener("click", () => {
    const on = document.body.dataset.autoplay !== "yes";
    set(on);
    if (on && best) show(best.href);
  });
  set(document.body.dataset.autoplay === "yes");
}

const ONE_BACK = { ltr: "ArrowLeft", rtl: "ArrowRight" };
const ONE_ON = { ltr: "ArrowRight", rtl: "ArrowLeft" };

addEventListener("keydown", (event) => {
  const plain = !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented);
  if (!plain || event.target.closest("input, select, textarea") || !document.querySelector(".record[data-line]")) return;
  const way = document.documentElement.dir === "rtl" ? "rtl" : "ltr";
  const record = document.querySelector(".record[data-line]");
  const ids = { [ONE_BACK[way]]: "undo", [ONE_ON[way]]: "redo", Home: "first", f: "flip" };
  const ahead = event.key === "End" ? following(record.dataset.line) : null;
  const control = document.getElementById(ids[event.key] ?? "");
  if (!ahead && !control) return;
  event.preventDefault();
  document.body.dataset.autoplay = "";
  if (ahead) show(ahead.last);
  else if (control.href) show(control.href);
  else control.click();
});

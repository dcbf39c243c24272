// The page of a position: moves on the board and in the list, the line, the opponent's answers.
import { onShown, show } from "./navigate.js";
import { clickable } from "./board.js";
import { keep, kept } from "./kept.js";
import { followLine } from "./line.js";
import { answer as answered } from "./opponent.js";
import { filtered, moveList } from "./moves.js";
import { turn } from "./overlay.js";
import { ask } from "./server.js";
import { sharing } from "./share.js";

const TURNED = "retrosolve turned";

// The board may be seen from the other side, for as long as the window is open.
function turning(board) {
  const button = document.getElementById("flip");
  if (!button || !board?.querySelector("svg")) return;
  const isTurned = kept(TURNED) === board.dataset.game;
  if (isTurned) turn(board.querySelector("svg"));
  button.hidden = false;
  button.setAttribute("aria-pressed", String(isTurned));
  button.addEventListener("click", () => {
    keep(TURNED, isTurned ? "" : board.dataset.game);
    show(location.href, "keep");
  });
}

// The explanation is made when it is unfolded.
function explained(details) {
  details?.addEventListener("toggle", async () => {
    const link = details.querySelector("a[href]");
    if (!details.open || !link || details.dataset.asked) return;
    details.dataset.asked = "yes";
    const answer = await ask(link.href);
    if (!answer) {
      delete details.dataset.asked;
      return;
    }
    const page = new DOMParser().parseFromString(answer.text, "text/html");
    const found = page.getElementById("explanation") ?? page.querySelector("main .error");
    if (found) details.querySelector("p").replaceWith(document.adoptNode(found));
  });
}

onShown(() => {
  const board = document.getElementById("board");
  const list = document.getElementById("moves");
  turning(board);
  clickable(board, document.querySelectorAll("a.move"), filtered(list));
  moveList(list);
  followLine();
  sharing();
  explained(document.getElementById("why"));
  const button = document.getElementById("set-up");
  if (button) {
    button.hidden = false;
    button.addEventListener("click", () => import("./set-up.js").then((module) => module.setUp(board, button)));
  }
  const graph = document.querySelector(".graph[data-source]");
  if (graph) import("./graph.js").then((module) => module.drawGraph(graph));
  answered(document.getElementById("reply"));
});

// The page of a position: clicks and keys on the board and the list, and the opponent's answers.
import { onShown } from "./navigate.js";
import { clickable } from "./board.js";
import { answer } from "./opponent.js";
import { moveList } from "./moves.js";

onShown(() => {
  clickable(document.getElementById("board"), document.querySelectorAll("a.move"));
  moveList(document.querySelector(".move-list"));
  const graph = document.querySelector(".graph[data-source]");
  if (graph) import("./graph.js").then((module) => module.drawGraph(graph));
  answer(document.getElementById("reply"));
});

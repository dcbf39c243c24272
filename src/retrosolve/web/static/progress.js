// The page of a solve that goes on: it shows how far it is, and the game when it is solved.
import { ask } from "./server.js";

const PAUSE = 400; // milliseconds
const bar = document.getElementById("progress");

async function follow() {
  const answer = await ask(bar.dataset.source + location.search);
  if (answer) shown(answer);
  else setTimeout(follow, PAUSE);
}

function shown({ ok, data: state }) {
  if (!ok || state.ended) {
    location.reload();
    return;
  }
  document.getElementById("stage").textContent = state.stage;
  document.getElementById("count").textContent = state.total ? `${Math.floor((100 * state.done) / state.total)} %` : "";
  if (state.total) Object.assign(bar, { max: state.total, value: state.done });
  else bar.removeAttribute("value");
  setTimeout(follow, PAUSE);
}

setTimeout(follow, PAUSE);

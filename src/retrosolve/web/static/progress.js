// The page of a solve that goes on: it shows how far it is, and the game when it is solved.
const PAUSE = 400; // milliseconds
const bar = document.getElementById("progress");

async function follow() {
  const answer = await fetch(bar.dataset.source + location.search);
  const state = await answer.json();
  if (state.ended || !answer.ok) {
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

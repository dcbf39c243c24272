// Moves by clicking points of the board: each move is a link that says which points to click, in order.

// Make the points of a board work, by pointer and by keyboard.
export function clickable(board, links) {
  if (!board) return;
  const moves = [...links].map((link) => ({ link, points: JSON.parse(link.dataset.points) ?? [] }));
  const state = { moves: moves.filter((move) => move.points.length), clicked: [] };
  for (const point of board.querySelectorAll("[data-point]")) {
    point.addEventListener("click", () => click(board, state, point.dataset.point));
    point.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      click(board, state, point.dataset.point);
    });
  }
  board.querySelector("svg")?.setAttribute("role", "group");
  mark(board, state);
}

function click(board, state, point) {
  const next = fitting(state, [...state.clicked, point]);
  state.clicked = next.length ? [...state.clicked, point] : fitting(state, [point]).length ? [point] : [];
  const complete = fitting(state, state.clicked).find((move) => move.points.length === state.clicked.length);
  if (state.clicked.length && complete) {
    complete.link.click();
    return;
  }
  mark(board, state);
}

function fitting(state, clicked) {
  return state.moves.filter((move) => clicked.every((point, place) => move.points[place] === point));
}

// Show which points may be clicked next; these can have the focus.
function mark(board, state) {
  const next = new Set(fitting(state, state.clicked).map((move) => move.points[state.clicked.length]));
  const first = new Set(state.moves.map((move) => move.points[0]));
  for (const point of board.querySelectorAll("[data-point]")) {
    const label = point.dataset.point;
    const open = next.has(label) || first.has(label);
    point.classList.toggle("is-open", next.has(label));
    point.classList.toggle("is-clicked", state.clicked.includes(label));
    point.setAttribute("role", open ? "button" : "presentation");
    if (open) {
      point.setAttribute("tabindex", "0");
      point.setAttribute("aria-label", point.querySelector("title")?.textContent ?? label);
      point.setAttribute("aria-pressed", String(state.clicked.includes(label)));
    } else {
      for (const name of ["tabindex", "aria-label", "aria-pressed"]) point.removeAttribute(name);
    }
  }
}

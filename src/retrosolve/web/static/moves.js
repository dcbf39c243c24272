// The list of moves: arrow keys go from move to move.
export function moveList(list) {
  if (!list) return;
  const links = [...list.querySelectorAll("a.move")];
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const place = links.indexOf(document.activeElement);
    if (!step || place < 0) return;
    event.preventDefault();
    links[Math.min(Math.max(place + step, 0), links.length - 1)].focus();
  });
}

// The list of moves: arrow keys go from move to move, and a piece that is chosen leaves its moves alone.
export function moveList(list) {
  if (!list) return;
  list.addEventListener("keydown", (event) => {
    const links = [...list.querySelectorAll("a.move")].filter((link) => link.checkVisibility());
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const place = links.indexOf(document.activeElement);
    if (!step || place < 0) return;
    event.preventDefault();
    links[Math.min(Math.max(place + step, 0), links.length - 1)].focus();
  });
}

const WRITTEN = new Intl.NumberFormat(document.documentElement.lang, { useGrouping: false });

// Returns a function that leaves some moves in a list, and all of them while nothing is chosen.
export function filtered(list) {
  return (links, isChosen) => {
    const kept = new Set(links);
    list.classList.toggle("is-filtered", isChosen);
    for (const row of list.querySelectorAll("li")) row.hidden = isChosen && !kept.has(row.querySelector("a.move"));
    for (const group of list.querySelectorAll("details")) {
      const count = group.querySelectorAll("li:not([hidden])").length;
      group.hidden = isChosen && count === 0;
      const shown = group.querySelector(":scope > summary .count");
      if (shown) shown.textContent = WRITTEN.format(count);
      if (group.classList.contains("more")) {
        if (isChosen) group.dataset.open ??= String(group.open);
        else if (group.dataset.open) {
          group.open = group.dataset.open === "true";
          delete group.dataset.open;
        }
        if (isChosen) group.open = true;
      }
    }
  };
}

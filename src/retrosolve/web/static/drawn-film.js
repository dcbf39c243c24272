// The film of a game that is drawn in a page that stands alone: traced in the page, shown below the editor.
import { openFilm } from "./film.js";
import { fill } from "./film-model.js";
import { trace } from "./trace.js";

// The data of the film of a board, as retrosolve.web.pages.film has them.
export function filmOfBoard({ rows, game, cells, start }, { words, signs, positions, players }) {
  const said = cells.map(([row, column]) => `${row + 1},${column + 1}`);
  const names = positions.flatMap((sentence) => said.flatMap((p) => said.map((t) => fill(sentence, { p, t }))));
  return {
    trace: trace(game, { names, players, start }), words, signs, drawn: false, pictures: null,
    board: { rows: rows.map((row) => row.replaceAll(/[PT]/g, ".")), cells, players, start },
  };
}

export function filmOfGraph({ names, game, start }, { words, signs }) {
  return { trace: trace(game, { names, start }), words, signs, drawn: true, pictures: null, board: null };
}

// Returns a function that shows a film in the page, in place of an earlier one.
export function filmInPage() {
  const place = document.getElementById("film-place");
  let earlier = null;
  return (data) => {
    earlier?.abort();
    earlier = new AbortController();
    place.replaceChildren(document.getElementById("film-template").content.cloneNode(true));
    openFilm(document.getElementById("film"), data, { inAddress: false, signal: earlier.signal });
    place.scrollIntoView({ behavior: "instant" });
    document.getElementById("film-play").focus({ preventScroll: true });
  };
}

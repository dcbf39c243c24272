// The page of a film: its data are in the page, where it is a file, or the server has them.
import { openFilm } from "./film.js";

const inline = document.getElementById("film-data");

async function data() {
  if (inline) return JSON.parse(inline.textContent);
  const answer = await fetch(document.getElementById("film-place").dataset.url);
  return answer.json();
}

const found = await data();
if (found.error === undefined) openFilm(document.getElementById("film"), found);

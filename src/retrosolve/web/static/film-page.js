// The page of a film: its data are in the page, where it is a file, or the server has them.
import { openFilm } from "./film.js";
import { ask } from "./server.js";

const inline = document.getElementById("film-data");

async function data() {
  if (inline) return JSON.parse(inline.textContent);
  return (await ask(document.getElementById("film-place").dataset.url))?.data;
}

const found = await data();
if (found && found.error === undefined) openFilm(document.getElementById("film"), found);

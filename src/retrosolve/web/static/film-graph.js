// A small game drawn as a graph: positions with their outcomes and counters, and the moves that decide.
import { GraphView, boxHeight, roomIn, zoomButtons } from "./graph-view.js";
import { arrange } from "./places.js";
import { inColumns } from "./layout.js";
import { labelOf } from "./film-position.js";
import { fill } from "./film-model.js";

const WIDTH = 112;
const GAP = { x: 52, y: 40, least: 24 };
const PICTURE = 84;
const LEFT_TO_RIGHT = "\u200e"; // a sign stands before its number on all pages

export class FilmGraph {
  // pictures are those of all positions, or null; choose is called with a position that is clicked.
  constructor(container, film, { pictures }, choose) {
    Object.assign(this, { film, labels: film.names.map((name) => (pictures ? [] : labelOf(name))) });
    const lines = Math.max(...this.labels.map((rows) => rows.length)) + 1;
    const size = { width: WIDTH, height: boxHeight(lines, pictures ? PICTURE : 0) };
    const step = { column: size.width + GAP.x, least: size.width + GAP.least, row: size.height + GAP.y };
    const levels = finalLevels(film);
    const moves = film.successors.flatMap((targets, source) => targets.map((target) => [source, target]));
    const { points, bands, axis } = arrange(inColumns(levels, moves), roomIn(container), step, levels.map((level) => levelName(film, level)));
    const valid = [...film.names.keys()].filter((vertex) => film.names[vertex] !== "");
    this.view = new GraphView(container, {
      nodes: valid.map((vertex) => ({
        id: vertex, ...points[vertex], ...size, lines: this.labels[vertex], title: film.names[vertex],
        shape: film.owner?.[vertex] === 1 ? "hexagon" : "",
        picture: pictures && `data:image/svg+xml,${encodeURIComponent(pictures[vertex])}`,
        pictureSize: { width: PICTURE, height: PICTURE },
      })),
      edges: valid.flatMap((source) => [...new Set(film.successors[source])].map((target) => ({ source, target }))),
      bands, axis, choose,
    });
    this.view.svg.classList.add("is-clickable");
    if (lines > 2) this.view.svg.classList.add("is-rows");
    this.valid = valid;
    zoomButtons(document.querySelectorAll(".film-zoom [data-zoom]"), this.view);
  }

  // Show what is known now; of the last event, the position and the moves that it rests on.
  show(together) {
    const { film, view } = this;
    for (const vertex of this.valid) {
      const outcome = film.outcomes[vertex];
      const start = vertex === film.start ? " is-start" : "";
      view.set(vertex, [...this.labels[vertex], LEFT_TO_RIGHT + known(film, vertex)], (outcome ? `v-${outcome.value}` : "") + start);
    }
    const events = film.recent(together);
    view.mark(events.map((event) => event.vertex), events.flatMap((event) => (
      film.moves(event).map(([source, target]) => [source, target, event.rule === "refuted" ? "refuted" : "deciding"])
    )));
    view.reveal(events.length ? events.at(-1).vertex : film.start ?? this.valid[0]);
  }
}

// The outcome of a position, or its counter.
function known(film, vertex) {
  const outcome = film.outcomes[vertex];
  if (!outcome) return `${film.number(film.open[vertex])}/${film.number(film.successors[vertex].length)}`;
  const plies = outcome.remoteness === null ? "" : ` ${film.number(outcome.remoteness)}`;
  return film.signs[outcome.value] + plies;
}

// The remoteness that each position has in the end, null for draws.
function finalLevels(film) {
  const levels = film.names.map(() => null);
  for (const event of film.events) if (event.value) levels[event.vertex] = event.remoteness;
  return levels;
}

// What stands above a column.
function levelName(film, level) {
  return level === null ? film.words.values.draw : fill(film.words.page.level, { level: film.number(level) });
}

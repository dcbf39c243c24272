// The trace of the algorithm: what decides each position, in order, as retrosolve.explanation.trace has it.
import { DRAW, VALUES, WIN, LOSS, solve } from "./solver.js";

const RULES = { [WIN]: "win", [LOSS]: "loss" };

// game is what solve takes; names, players and start are those of the film.
export function trace(game, { names, players = ["", ""], start = null }) {
  const { indptr, indices, owner = null, terminal = null } = game;
  const n = names.length;
  const successors = Array.from({ length: n }, (_, v) => (
    terminal?.[v] ? [] : Array.from(indices.slice(indptr[v], indptr[v + 1]))
  ));
  const levels = [{ phase: "start", remoteness: 0, events: [] }];
  const open = successors.map((row) => row.length);
  // The last level, or a new one where another phase or another remoteness begins.
  const level = (phase, remoteness) => {
    const last = levels.at(-1);
    if (last.phase === phase && last.remoteness === remoteness) return last;
    levels.push({ phase, remoteness, events: [] });
    return levels.at(-1);
  };
  let plies = 0; // of the position that the target of the move is, one more than its remoteness
  const remoteness = new Int32Array(n);
  const { value } = solve(game, (v, w, left, decided, distance) => {
    open[v] = left;
    if (w < 0) {
      levels[0].events.push([terminal?.[v] ? "terminal" : "stuck", v, null, 0, VALUES[decided], 0]);
      return;
    }
    plies = remoteness[w] + 1;
    if (decided < 0) {
      level("wins", plies).events.push(["refuted", v, w, left, null, null]);
      return;
    }
    remoteness[v] = distance;
    const phase = RULES[decided] ? "wins" : "ties";
    level(phase, plies).events.push([RULES[decided] ?? "tie", v, w, left, VALUES[decided], distance]);
  });
  const drawn = [...value.keys()].filter((v) => value[v] === DRAW);
  if (drawn.length) {
    levels.push({ phase: "draws", remoteness: null, events: drawn.map((v) => ["draw", v, null, open[v], "draw", null]) });
  }
  return { names, successors, owner: owner && [...owner], players, start, levels };
}

// Retrograde analysis of a two-player game on a directed graph, in O(vertices + moves).
//
// Values are for the player to move, as in the Python package: a WIN reaches a position that is lost for
// the other player, a LOSS has only moves to positions that are won for the other player, a TIE reaches
// the end without a winner and neither player can do better, and a DRAW is what no rule decides.
// Remoteness counts the plies to the end when the winner hurries and the loser delays; a draw has none.
//
// The algorithm looks backwards from the ends of the game. Each vertex counts its moves that are not yet
// known to lose. A move that wins decides its vertex at once; a move that loses lowers the counter, and a
// counter of 0 makes the vertex a LOSS. Vertices are decided in the order of their remoteness, so one
// queue is enough. Ties follow in the same way once wins and losses are complete.
//
// The file imports nothing and knows nothing of pages.

export const DRAW = 0;
export const WIN = 1;
export const LOSS = 2;
export const TIE = 3;
export const VALUES = ["draw", "win", "loss", "tie"]; // the names of the codes
export const NO_REMOTENESS = -1;

const OPPOSITE = [DRAW, LOSS, WIN, TIE]; // the same outcome for the other player

// The edges of n vertices by their source: the targets of v are indices[indptr[v]] to
// indices[indptr[v + 1] - 1], in the order in which the edges are listed.
export function fromEdges(n, sources, targets) {
  const m = sources.length;
  const indptr = new Int32Array(n + 1);
  for (let e = 0; e < m; e += 1) indptr[sources[e] + 1] += 1;
  for (let v = 0; v < n; v += 1) indptr[v + 1] += indptr[v];
  const next = indptr.slice(0, n);
  const indices = new Int32Array(m);
  for (let e = 0; e < m; e += 1) {
    indices[next[sources[e]]] = targets[e];
    next[sources[e]] += 1;
  }
  return { indptr, indices };
}

// The reversed edges: what a decided vertex is reported to.
function reversed(indptr, indices) {
  const n = indptr.length - 1;
  const sources = new Int32Array(indices.length);
  for (let v = 0; v < n; v += 1) sources.fill(v, indptr[v], indptr[v + 1]);
  return fromEdges(n, indices, sources);
}

// Solve a game.
//
// indptr, indices: the moves, as fromEdges gives them
// owner:    the player who moves at each vertex, 0 or 1; null where the players alternate
// terminal: the value of each vertex where the game is over, DRAW elsewhere; null if it is over nowhere.
//           Moves from a terminal vertex do not count.
// stuck:    the value of a vertex without moves
// examined: called at each step of the algorithm with the vertex, the target of its move (-1 for a vertex
//           where the game is over), the moves that are not yet known to lose, and what the step decides,
//           value and remoteness, both -1 if it decides nothing
//
// Returns the value (a code) and the remoteness of each vertex.
export function solve({ indptr, indices, owner = null, terminal = null, stuck = LOSS }, examined = null) {
  const n = indptr.length - 1;
  const { indptr: before, indices: sources } = reversed(indptr, indices);
  const value = new Uint8Array(n);
  const remoteness = new Int32Array(n).fill(NO_REMOTENESS);
  const open = new Int32Array(n); // the counters
  const queue = new Int32Array(n); // each vertex enters it at most once
  let decided = 0; // the length of the queue

  for (let v = 0; v < n; v += 1) {
    const end = terminal !== null && terminal[v] !== DRAW;
    const moves = indptr[v + 1] - indptr[v];
    if (end || moves === 0) {
      value[v] = end ? terminal[v] : stuck;
      remoteness[v] = 0;
      if (examined !== null) examined(v, -1, 0, value[v], 0);
    } else {
      open[v] = moves;
    }
  }

  // Wins and losses come before ties, since who can win does not tie.
  for (const ties of [false, true]) {
    let place = decided;
    for (let v = 0; v < n; v += 1) {
      if (remoteness[v] === 0 && (value[v] === TIE) === ties) {
        queue[decided] = v;
        decided += 1;
      }
    }
    for (; place < decided; place += 1) {
      const w = queue[place];
      const plies = remoteness[w] + 1;
      for (let e = before[w]; e < before[w + 1]; e += 1) {
        const v = sources[e];
        if (remoteness[v] !== NO_REMOTENESS) continue;
        const seen = owner !== null && owner[v] === owner[w] ? value[w] : OPPOSITE[value[w]];
        if (seen === LOSS) {
          open[v] -= 1;
          if (open[v] > 0) {
            if (examined !== null) examined(v, w, open[v], -1, -1);
            continue;
          }
        }
        value[v] = seen;
        remoteness[v] = plies;
        queue[decided] = v;
        decided += 1;
        if (examined !== null) examined(v, w, open[v], seen, plies);
      }
    }
  }
  return { value, remoteness };
}

// A column and a row for each position of a small game: the remoteness falls from column to column, rows
// are centred on 0, and a position is placed near the mean row of its neighbours, in a few sweeps.
const SWEEPS = 4;
const MIN_ROWS = 6;
const WIDTH_TO_HEIGHT = 1.5;

// remoteness is null for draws, which come first; moves are pairs of positions; divided says whether a
// long column becomes several, as that of the draws always does.
export function inColumns(remoteness, moves, divided = true) {
  const columns = columnsOf(remoteness, divided);
  const neighbours = remoteness.map(() => []);
  for (const [v, w] of moves) {
    if (v === w) continue;
    neighbours[v].push(w);
    neighbours[w].push(v);
  }
  const row = remoteness.map(() => 0);
  const setRows = (column) => column.forEach((v, number) => { row[v] = number - (column.length - 1) / 2; });
  columns.forEach(setRows);
  const mean = (v) => (neighbours[v].length ? neighbours[v].reduce((sum, w) => sum + row[w], 0) / neighbours[v].length : row[v]);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const column of sweep % 2 ? [...columns].reverse() : columns) {
      const means = new Map(column.map((v) => [v, mean(v)]));
      column.sort((v, w) => means.get(v) - means.get(w) || v - w);
      setRows(column);
    }
  }
  const places = [];
  columns.forEach((column, number) => { for (const v of column) places[v] = [number, row[v]]; });
  return places;
}

// The positions by column: draws, then from the highest remoteness to 0.
function columnsOf(remoteness, divided) {
  const most = Math.max(MIN_ROWS, Math.ceil(Math.sqrt(remoteness.length / WIDTH_TO_HEIGHT)));
  const groups = new Map();
  remoteness.forEach((level, v) => {
    const key = level ?? Infinity;
    groups.set(key, [...(groups.get(key) ?? []), v]);
  });
  return [...groups.keys()].sort((a, b) => b - a).flatMap((key) => {
    const group = groups.get(key);
    const parts = divided || key === Infinity ? Math.ceil(group.length / most) : 1;
    return Array.from({ length: parts }, (_, part) => group.filter((_v, number) => number % parts === part));
  });
}

// Places of a drawing from columns and rows: columns go from side to side, or downwards on a narrow page.
const SMALL = 0.6;

function extent(places, axis) {
  const found = places.map((place) => place[axis]);
  return Math.max(...found) - Math.min(...found) + 1;
}

// Places in pixels for columns and rows that are so far apart, turned where less than the share `small` of
// the columns has room, and the bands of neighbouring columns whose
// positions have the same name. Columns that have no room come nearer to one another, to `least`.
export function arrange(places, width, { column: far, row, least = far, small = SMALL }, names = null) {
  const [across, down] = [extent(places, 0), extent(places, 1)];
  const column = Math.max(Math.min(far, Math.floor(width / across)), least);
  const turned = width / (across * column) < small && down < across;
  const step = turned ? row : column;
  return {
    points: places.map(([x, y]) => (turned ? { x: y * column, y: x * row } : { x: x * column, y: y * row })),
    bands: names ? bandsOf(places, names, step) : [],
    axis: turned ? "y" : "x",
  };
}

function bandsOf(places, names, step) {
  const named = new Map(places.map(([column], place) => [column, names[place]]));
  const bands = [];
  for (const column of [...named.keys()].sort((a, b) => a - b)) {
    const [from, to, name] = [(column - 0.5) * step, (column + 0.5) * step, named.get(column)];
    if (bands.at(-1)?.name === name) bands.at(-1).to = to;
    else bands.push({ from, to, name });
  }
  return bands;
}

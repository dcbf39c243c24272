// Places of a drawing from columns and rows: columns go from side to side, or downwards on a narrow page.
const SMALL = 0.6;

function extent(places, axis) {
  const found = places.map((place) => place[axis]);
  return Math.max(...found) - Math.min(...found) + 1;
}

// Places in pixels and the height that they need, for columns and rows that are so far apart.
export function arrange(places, width, { column, row }) {
  const [across, down] = [extent(places, 0), extent(places, 1)];
  const turned = width / (across * column) < SMALL && down < across;
  const scale = Math.min(width / ((turned ? down : across) * column), 1.3);
  return {
    points: places.map(([x, y]) => (turned ? { x: y * column, y: x * row } : { x: x * column, y: y * row })),
    height: Math.min(Math.max(((turned ? across : down) * row + 40) * scale, 140), 640),
  };
}

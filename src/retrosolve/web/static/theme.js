// Colours of drawn graphs come from the page, so that they are those of its theme.

export function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

// The styles of positions by value; more is added to each.
export function valueStyles(more = {}) {
  return ["win", "loss", "tie", "draw"].map((value) => ({
    selector: `node[value = "${value}"]`,
    style: { "border-color": color(`value-${value}`), color: color(`value-${value}`), ...more },
  }));
}

// Form controls made by hand, each with a label for a screen reader.
export function control(kind, label, properties) {
  const found = document.createElement(kind);
  found.setAttribute("aria-label", label);
  return Object.assign(found, properties);
}

export function option(text, value, selected) {
  return new Option(text, value, selected, selected);
}

// Offer these names, and keep the choice if it is still there.
export function replaceOptions(select, names) {
  const chosen = select.value;
  select.replaceChildren(...names.map((name) => option(name, name, name === chosen)));
}

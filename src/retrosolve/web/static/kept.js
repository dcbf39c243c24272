// What the window keeps from page to page; within a frame of another site, where it may keep nothing, the page does.
const here = new Map();

export function kept(name) {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return here.get(name) ?? null;
  }
}

export function keep(name, text) {
  try {
    sessionStorage.setItem(name, text);
  } catch {
    here.set(name, text);
  }
}

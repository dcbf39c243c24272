// Pages within a page get the height of their content and the theme of the page around them. From a disk,
// browsers do not let a page look into another one; it then has the height of the style sheet.
const SCHEME = "(prefers-color-scheme: dark)";
const root = document.documentElement;
const dark = new Map(); // the rules for the dark scheme, of each page within this one

function documentOf(frame) {
  try {
    const inner = frame.contentDocument;
    return inner && inner.body && inner.URL !== "about:blank" ? inner : null;
  } catch {
    return null;
  }
}

function fit(frame) {
  const inner = documentOf(frame);
  if (!inner || dark.has(inner)) return;
  for (const selector of (frame.dataset.hide || "").split(",").filter(Boolean)) {
    for (const element of inner.querySelectorAll(selector)) element.style.display = "none";
  }
  inner.body.style.minHeight = "0";
  const measure = () => {
    frame.style.height = `${Math.ceil(inner.body.getBoundingClientRect().height) + 2}px`;
  };
  new frame.contentWindow.ResizeObserver(measure).observe(inner.body);
  measure();
  const rules = [...inner.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  dark.set(inner, rules.filter((rule) => rule.media && rule.media.mediaText === SCHEME));
  follow();
}

// The menu of this page may choose another scheme than the system: rules then hold always, or never.
function follow() {
  const chosen = root.dataset.theme === "dark";
  for (const [inner, rules] of dark) {
    inner.documentElement.style.colorScheme = chosen ? "dark" : "light";
    for (const rule of rules) rule.media.mediaText = chosen ? "all" : "not all";
  }
}

for (const frame of document.querySelectorAll("iframe.site-frame")) {
  frame.addEventListener("load", () => fit(frame));
  fit(frame);
}
new MutationObserver(follow).observe(root, { attributes: true, attributeFilter: ["data-theme"] });

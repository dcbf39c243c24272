// Pages within a page get the height of their content and the theme of the page around them. From a disk,
// browsers do not let a page look into another one; it then has the height of the style sheet.
const root = document.documentElement;

function fit(frame) {
  let inner;
  try {
    inner = frame.contentDocument;
  } catch {
    return;
  }
  if (!inner || !inner.body || inner.URL === "about:blank") return;
  for (const selector of (frame.dataset.hide || "").split(",").filter(Boolean)) {
    for (const element of inner.querySelectorAll(selector)) element.hidden = true;
    for (const element of inner.querySelectorAll(selector)) element.style.display = "none";
  }
  inner.body.style.minHeight = "0";
  const measure = () => {
    frame.style.height = `${Math.ceil(inner.body.getBoundingClientRect().height) + 2}px`;
  };
  new frame.contentWindow.ResizeObserver(measure).observe(inner.body);
  measure();
}

for (const frame of document.querySelectorAll("iframe.site-frame")) {
  frame.addEventListener("load", () => fit(frame));
  fit(frame);
}

// "auto" of the theme follows the system, as a frame does by itself.
function follow() {
  root.style.setProperty("--site-frame-scheme", root.dataset.theme === "dark" ? "dark" : "light");
}
new MutationObserver(follow).observe(root, { attributes: true, attributeFilter: ["data-theme"] });
follow();

// Follows links within the page of a position without loading it anew: the address, the back button and
// the focus work as with ordinary links, and the new verdict is read out.
import { ask } from "./server.js";

const shown = [];
let asked = new AbortController();
let here = withoutHash(location.href);

function withoutHash(address) {
  return address.split("#")[0];
}

// Call a function now and whenever another position is shown.
export function onShown(react) {
  shown.push(react);
  react();
}

// Show the position of an address; how is "push" for a new entry in the history, "replace", or "keep".
// Of several that are asked for in turn, the last one is shown.
export async function show(url, how = "push") {
  asked.abort();
  asked = new AbortController();
  const { signal } = asked;
  const answer = await ask(url, { headers: { Accept: "text/html" }, signal });
  if (!answer) return;
  const page = new DOMParser().parseFromString(answer.text, "text/html");
  const main = page.getElementById("content");
  if (!answer.ok || !main) {
    location.assign(url);
    return;
  }
  const focused = describe(document.activeElement);
  if (how === "push") history.pushState(null, "", answer.url);
  if (how === "replace") history.replaceState(null, "", answer.url);
  here = withoutHash(location.href);
  document.title = page.title;
  document.getElementById("content").replaceWith(document.adoptNode(main));
  document.querySelector("header nav").replaceWith(document.adoptNode(page.querySelector("header nav")));
  for (const react of shown) react();
  refocus(focused);
  const verdict = document.getElementById("verdict");
  document.getElementById("announcement").textContent = verdict ? verdict.textContent.trim() : "";
}

// What has the focus, so that its counterpart on the next page can have it.
function describe(element) {
  if (!element || element === document.body) return null;
  if (element.dataset.point) return { point: element.dataset.point };
  if (element.classList.contains("move")) return { move: true };
  return { id: element.id };
}

function refocus(focused) {
  if (!focused) return;
  let next = null;
  if (focused.point) {
    const points = [...document.querySelectorAll("#board [data-point][tabindex]")];
    next = points.find((point) => point.dataset.point === focused.point) ?? points[0] ?? document.getElementById("content");
  }
  if (focused.id) next = document.getElementById(focused.id);
  next ??= document.querySelector("a.move") ?? document.getElementById("content");
  next.focus({ preventScroll: true });
}

function samePage(url) {
  return url.origin === location.origin && url.pathname === location.pathname && !url.hash;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("main a[href]:not([download])"); // of a drawing too, which has no link.href
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !plain || event.defaultPrevented) return;
  const url = new URL(link.getAttribute("href"), location.href);
  if (!samePage(url)) return;
  event.preventDefault();
  // The second click of a double click may come when the next position is shown already: it is no move.
  if (event.detail < 2 || !link.matches("a.move")) show(url.href);
});

// A step within the page, such as to its content, is no other position.
addEventListener("popstate", () => {
  if (withoutHash(location.href) !== here) show(location.href, "keep");
});

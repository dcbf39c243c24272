// The switches at the head of every page. Another language keeps the rest of the address; a theme is kept by
// the browser. This script stands in the head, so that a page is never shown in the wrong theme.
(() => {
  const THEMES = ["system", "light", "dark"];
  const KEY = "retrosolve-theme";

  function stored() {
    try {
      return THEMES.includes(localStorage.getItem(KEY)) ? localStorage.getItem(KEY) : THEMES[0];
    } catch {
      return THEMES[0]; // no storage for this page
    }
  }

  // The rules for dark pages hold always, never, or as the system has it.
  function apply(theme) {
    document.documentElement.style.colorScheme = theme === "system" ? "" : theme;
    const media = { system: "(prefers-color-scheme: dark)", light: "not all", dark: "all" }[theme];
    for (const sheet of document.styleSheets) {
      for (const rule of sheet.cssRules) {
        rule.dark ??= rule.media?.mediaText.includes("prefers-color-scheme: dark");
        if (rule.dark) rule.media.mediaText = media;
      }
    }
  }

  if (stored() !== "system") apply(stored());

  document.addEventListener("DOMContentLoaded", () => {
    document.querySelector("nav [aria-current]")?.scrollIntoView({ inline: "nearest", block: "nearest" });
    for (const link of document.querySelectorAll(".switches a")) {
      link.addEventListener("click", (event) => {
        event.preventDefault();
        const address = new URL(location.href);
        address.searchParams.set("language", link.lang);
        location.assign(address);
      });
    }
    const choice = document.getElementById("theme");
    choice.closest("label").hidden = false;
    choice.value = stored();
    choice.addEventListener("change", () => {
      apply(choice.value);
      try {
        localStorage.setItem(KEY, choice.value);
      } catch {
        // the theme lasts as long as the page
      }
    });
  });
})();

"""The site builds without a warning and offline, its links lead somewhere, and a browser finds its way."""

import functools
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect
from sphinx.util.inventory import InventoryFile

import retrosolve as rs
from docs.site.api import public_names
from retrosolve.games.stones import Stones
from retrosolve.web.export import export_static
from tests.support.pages import DOCS, ROOT, blocks
from tests.support.programs import ended_by
from tests.web.drawn import chromium, kill_browser, watched

SITE = ROOT / "build" / "site"

PHONE = {"width": 390, "height": 844}
SCREENS: tuple[dict[str, Any], ...] = (
    {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    {"viewport": PHONE, "color_scheme": "dark", "has_touch": True, "is_mobile": True},
)
LEAST_TEXT = 11  # pixels
# Words that readers look for, each with a page that they then see.
SEARCHED = {
    "cite": "Citing",
    "DTM": "Fifty moves",
    "WDL": "Theory and sources",
    "proxy": "Put the explorer on a server",
    "ничья": "минуты",
    "تساوی": "برد و باخت",
    "beraberlik": "Ters kenarlar",
}
SMALLEST_TEXT = """Math.min(...[...document.querySelectorAll(".drawing text")].map((text) =>
  parseFloat(getComputedStyle(text).fontSize) * Math.hypot(text.getScreenCTM().a, text.getScreenCTM().b)))"""
IS_DARK = """["html", "iframe"].map((name) => {
  const found = document.querySelector(name), inner = found.contentDocument?.documentElement ?? found;
  const [red] = getComputedStyle(inner.ownerDocument.body).backgroundColor.match(/\\d+/g);
  const [page] = getComputedStyle(inner).backgroundColor.match(/\\d+/g);
  return Math.min(red === "0" ? 255 : red, page === "0" ? 255 : page) < 128;
})"""


class Quiet(SimpleHTTPRequestHandler):
    """A file server that writes no log."""

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder; yields the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def without_errors(browser: Browser) -> Iterator[Page]:
    """Open a page on which no script may fail; the theme reports other things to the console."""
    with ended_by(kill_browser):
        page = browser.new_page(viewport={"width": 1200, "height": 900})
        page.set_default_timeout(30_000)
        errors: list[str] = []
        page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        yield page
        page.close()
    assert not errors, errors


@pytest.mark.long
@pytest.mark.thorough
def test_the_site(tmp_path: Path) -> None:
    """One test, since the site is built once."""
    build()
    check_public_names()
    check_links()
    export_static(rs.solve(Stones(20)), "stones", tmp_path / "site")
    with chromium() as browser:
        with served(SITE) as address:
            with without_errors(browser) as page:
                find_the_way(page, address)
            for options in SCREENS:
                use_the_pages(browser, address, options)
        with (
            served(tmp_path) as address,
            watched(browser, viewport={"width": 400, "height": 300}) as page,
        ):
            page.goto(f"{address}/site/index.html")
            read_a_table(page)


def build() -> None:
    """Build the site as ``make docs`` does; a warning is an error."""
    command = ["-b", "html", "-W", "--keep-going", "-q", "-d", "build/doctrees", "docs", "build/site"]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def check_public_names() -> None:
    """Every public name has its place on a page."""
    with (SITE / "objects.inv").open("rb") as file:
        inventory = InventoryFile.load(file, "", lambda base, place: place)
    found = {name for kind, names in inventory.items() if kind.startswith("py:") for name in names}
    assert {f"{module}.{name}" for module, name in public_names()} <= found


def check_links() -> None:
    """Links within the site lead to a page and a place on it; nothing is loaded from elsewhere."""
    files = [path for path in SITE.rglob("*.html") if "_static" not in path.parts]
    pages = {path: path.read_text("utf-8") for path in files}
    places = {path: set(re.findall(r'\b(?:id|name)="([^"]+)"', text)) for path, text in pages.items()}
    broken = []
    for path, text in pages.items():
        for tag, link in re.findall(r'<(\w+)\b[^>]*?\s(?:href|src)="([^"]*)"', text):
            if link.startswith("data:"):  # in the page itself
                continue
            outside = re.match(r"[a-z]+:", link)
            if outside and tag in ("script", "link", "img", "iframe"):
                broken.append((path, link))
            if outside:
                continue
            target, place = urldefrag(urljoin(path.as_uri(), unescape(link)))
            file = Path(unquote(urlsplit(target).path))
            known = places.get(file)
            if "=" in place or place.isdigit():  # a drawing or a position, for the scripts of a page
                place = ""
            if not file.exists() or (place and known is not None and unquote(place) not in known):
                broken.append((path, link))
    assert not broken, broken[:20]


def find_the_way(page: Page, address: str) -> None:
    """Through the navigation, and to a name by the search."""
    page.goto(f"{address}/index.html")
    expect(page.locator("h1")).to_contain_text("retrosolve")
    page.locator("header").get_by_role("link", name="Learn").first.click()
    page.locator("main").get_by_role("link", name="Reversed edges and counters").first.click()
    expect(page.locator("h1")).to_contain_text("Reversed edges and counters")
    assert page.locator("figure.drawn svg").count() > 0
    page.get_by_role("link", name=re.compile("Draws and ties")).first.click()
    expect(page.locator("h1")).to_contain_text("Draws and ties")
    page.goto(f"{address}/howto/verify.html")
    expect(page.locator('main p a[href="../reference/api/verify.html"]')).to_have_count(1)
    page.goto(f"{address}/search.html?q=dismantling_order")
    page.locator("ul.search a").filter(has_text="dismantling_order").first.click()
    expect(page.locator("h1")).to_contain_text("dismantling_order")
    for word, title in SEARCHED.items():
        page.goto(f"{address}/search.html?q={word}")
        expect(page.locator("ul.search a").filter(has_text=title).first).to_be_visible()
    page.goto(f"{address}/learn/naive.html")
    page.locator("header .language-switcher summary").click()
    page.locator("header").get_by_role("link", name="فارسی").click()
    page.wait_for_url("**/learn/naive.fa.html")
    assert page.locator("html").get_attribute("lang") == "fa"
    left = "e => e.getBoundingClientRect().left"
    assert page.locator(".bd-sidebar-primary").evaluate(left) > page.locator("article").evaluate(left)
    page.locator(".bd-sidenav a[href*=exercises]").click()
    page.wait_for_url("**/learn/exercises.fa.html")
    page.locator(".left-prev").click()
    page.wait_for_url("**/learn/backward.fa.html")
    page.goto(f"{address}/start/introduction.fa.html")
    assert page.locator("main table").first.evaluate("e => getComputedStyle(e).direction") == "rtl"
    assert page.locator("main h1").first.evaluate("e => getComputedStyle(e).direction") == "rtl"
    assert page.locator("main pre").first.evaluate("e => getComputedStyle(e).direction") == "ltr"


def use_the_pages(browser: Browser, address: str, options: dict[str, Any]) -> None:
    """The board of the first page, a film and a game to play, on one kind of screen, without a server."""
    context = browser.new_context(**options)
    page = context.new_page()
    page.set_default_timeout(30_000)
    asked: set[str] = set()
    errors: list[str] = []
    page.on("request", lambda request: asked.add(urlsplit(request.url).netloc))
    page.on("pageerror", lambda error: errors.append(str(error)))
    with ended_by(kill_browser):
        page.goto(f"{address}/index.html")
        board = page.frame_locator("iframe.site-frame")
        board.locator('td[data-at="0,3"]').click()  # a wall
        expect(board.locator('td[data-at="0,3"]')).to_have_class(re.compile("is-wall"))
        board.locator("#film-link").click()
        expect(board.locator("#film[data-ready]")).to_be_visible()
        fits(page)
        page.goto(f"{address}/learn/by-hand.html")
        frame = page.locator("iframe.site-frame")
        frame.scroll_into_view_if_needed()
        film = page.frame_locator("iframe.site-frame")
        expect(film.locator("#film[data-ready] .graph-view")).to_be_visible()
        film.locator("#film-forward").click()
        expect(film.locator("#film-count")).to_contain_text("Step 1 of 7")
        fits(page)
        assert page.evaluate(IS_DARK) == [options["color_scheme"] == "dark"] * 2
        page.evaluate("document.documentElement.dataset.theme = 'dark'")  # as its menu does
        expect(page.locator("html")).to_have_css("color-scheme", "dark")
        page.wait_for_function(f"({IS_DARK}).every(Boolean)")
        for name in ("by-hand", "backward.fa", "pursuit"):
            page.goto(f"{address}/learn/{name}.html")
            assert page.evaluate(SMALLEST_TEXT) >= LEAST_TEXT, name
            fits(page)
        page.goto(f"{address}/draw-graph.fa.html")
        expect(page.locator("#film-link")).to_be_visible()
        assert page.locator("html").get_attribute("dir") == "rtl"
        page.goto(f"{address}/gallery/notebook.html")
        inverted = page.locator("div.cell_output img").evaluate("e => getComputedStyle(e).filter")
        assert ("invert" in inverted) == (
            options["color_scheme"] == "dark"
        )  # black lines on a dark page
        fits(page)
        page.goto(f"{address}/gallery/games.html")
        fits(page)
        page.locator('a.play[href*="hexapawn"]').click()
        expect(page.locator("#board svg")).to_be_visible()
        fits(page)
        context.close()
    assert errors == []
    assert asked == {urlsplit(address).netloc}


def fits(page: Page) -> None:
    """Nothing is wider than the screen, nor is a page within the page."""
    for frame in page.frames:
        assert frame.evaluate("document.documentElement.scrollWidth <= innerWidth"), frame.url


def read_a_table(page: Page) -> None:
    """The JavaScript of the page about embedding reads an exported game."""
    (reader,) = blocks((DOCS / "howto" / "embed.md").read_text("utf-8"), "js")
    found = page.evaluate(f"async () => {{ {reader}\n return await (await open('.'))(0) }}")
    assert (found["text"], found["value"], found["remoteness"]) == ("20", "win", 13)
    assert [move["name"] for move in found["moves"]] == ["take 2", "take 1"]

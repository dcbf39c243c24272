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

import retrosolve as rs
from retrosolve.games.stones import Stones
from retrosolve.web.export import export_static
from tests.support.pages import DOCS, ROOT, blocks
from tests.support.programs import ended_by
from tests.web.drawn import chromium, kill_browser, watched

SITE = ROOT / "build" / "site"
SCREENS: tuple[dict[str, Any], ...] = (
    {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    {
        "viewport": {"width": 390, "height": 844},
        "color_scheme": "dark",
        "has_touch": True,
        "is_mobile": True,
    },
)
LEAST_TEXT = 11  # pixels
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


@pytest.mark.long
def test_the_site(tmp_path: Path) -> None:
    """One test, since the site is built once, as ``make docs`` does; a warning is an error."""
    command = ["-b", "html", "-W", "--keep-going", "-q", "-d", "build/doctrees", "docs", "build/site"]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert broken_links() == []
    export_static(rs.solve(Stones(20)), "stones", tmp_path / "site")
    with chromium() as browser:
        with served(SITE) as address:
            for options in SCREENS:
                use_the_pages(browser, address, options)
        with served(tmp_path) as address, watched(browser) as page:
            page.goto(f"{address}/site/index.html")
            read_a_table(page)


def broken_links() -> list[tuple[str, str]]:
    """Links within the site that lead nowhere, also of raw HTML, and what is loaded from elsewhere."""
    files = [path for path in SITE.rglob("*.html") if "_static" not in path.parts]
    pages = {path: path.read_text("utf-8") for path in files}
    places = {path: set(re.findall(r'\b(?:id|name)="([^"]+)"', text)) for path, text in pages.items()}
    broken = []
    for path, text in pages.items():
        for tag, link in re.findall(r'<(\w+)\b[^>]*?\s(?:href|src)="(?!data:)([^"]*)"', text):
            if re.match(r"[a-z]+:", link):
                if tag in ("script", "link", "img", "iframe"):
                    broken.append((path.name, link))
                continue
            target, place = urldefrag(urljoin(path.as_uri(), unescape(link)))
            file = Path(unquote(urlsplit(target).path))
            known = places.get(file)
            if "=" in place or place.isdigit():  # a drawing or a position, for the scripts of a page
                place = ""
            if not file.exists() or (place and known is not None and unquote(place) not in known):
                broken.append((path.name, link))
    return broken


def use_the_pages(browser: Browser, address: str, options: dict[str, Any]) -> None:
    """Search, other languages, films, and a game to play, on one kind of screen, without a server."""
    context = browser.new_context(**options)
    page = context.new_page()
    asked: set[str] = set()
    errors: list[str] = []
    page.on("request", lambda request: asked.add(urlsplit(request.url).netloc))
    page.on("pageerror", lambda error: errors.append(str(error)))

    def opened(name: str, title: str = "") -> None:
        """Go to a page, on which nothing may be wider than the screen."""
        page.goto(f"{address}/{name}")
        expect(page.locator("body")).to_contain_text(title)
        for frame in page.frames:
            assert frame.evaluate("document.documentElement.scrollWidth <= innerWidth"), frame.url

    with ended_by(kill_browser):
        opened("search.html?q=dismantling_order")
        page.locator("ul.search a").filter(has_text="dismantling_order").first.click()
        expect(page.locator("h1")).to_contain_text("dismantling_order")
        opened("performance.html", "nine-moves:n=300000")
        opened("index.html", "retrosolve")
        board = page.frame_locator("iframe.site-frame")
        board.locator('td[data-at="0,3"]').click()  # a wall
        expect(board.locator('td[data-at="0,3"]')).to_have_class(re.compile("is-wall"))
        board.locator("#film-link").click()
        expect(board.locator("#film[data-ready]")).to_be_visible()
        opened("learn/by-hand.html")
        page.locator("iframe.site-frame").scroll_into_view_if_needed()
        film = page.frame_locator("iframe.site-frame")
        expect(film.locator("#film[data-ready] .graph-view")).to_be_visible()
        film.locator("#film-forward").click()
        expect(film.locator("#film-count")).to_contain_text("Step 1 of 7")
        assert page.evaluate(IS_DARK) == [options["color_scheme"] == "dark"] * 2
        page.evaluate("document.documentElement.dataset.theme = 'dark'")  # as its menu does
        expect(page.locator("html")).to_have_css("color-scheme", "dark")
        page.wait_for_function(f"({IS_DARK}).every(Boolean)")
        for name in ("by-hand", "backward.fa", "pursuit"):
            opened(f"learn/{name}.html")
            assert page.evaluate(SMALLEST_TEXT) >= LEAST_TEXT, name
        opened("start/introduction.fa.html")
        for tag, direction in (("table", "rtl"), ("h1", "rtl"), ("pre", "ltr")):
            expect(page.locator(f"main {tag}").first).to_have_css("direction", direction)
        page.locator(".right-next").click()
        page.wait_for_url("**/*.fa.html")
        opened("draw-graph.fa.html")
        expect(page.locator("#film-link")).to_be_visible()
        opened("gallery/notebook.html")
        inverted = page.locator("div.cell_output img").evaluate("e => getComputedStyle(e).filter")
        assert ("invert" in inverted) == (
            options["color_scheme"] == "dark"
        )  # black lines on a dark page
        opened("gallery/games.html")
        page.locator('a.play[href*="hexapawn"]').click()
        expect(page.locator("#board svg")).to_be_visible()
        context.close()
    assert errors == []
    assert asked == {urlsplit(address).netloc}


def read_a_table(page: Page) -> None:
    """The JavaScript of the page about embedding reads an exported game."""
    (reader,) = blocks((DOCS / "howto" / "embed.md").read_text("utf-8"), "js")
    found = page.evaluate(f"async () => {{ {reader}\n return await (await open('.'))(0) }}")
    assert (found["text"], found["value"], found["remoteness"]) == ("20", "win", 13)
    assert [move["name"] for move in found["moves"]] == ["take 2", "take 1"]

"""A server and a browser for tests of the explorer."""

from __future__ import annotations

import json
import shutil
import threading
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright
from starlette.applications import Starlette

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.web.app import application
from retrosolve.web.descriptions import MAKERS
from retrosolve.web.library import Entry, Library
from retrosolve.web.server import listen, server_of
from tests.support.programs import ended_by, kill_descendants

AXE = Axe().axe_script
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
CAUGHT = Path(__file__).parent.parent.parent / "examples" / "boards" / "caught.txt"
EDGES = [("a", "b"), ("a", "c"), ("b", "a"), ("b", "d"), ("c", "d"), ("d", "e"), ("e", "c"), ("e", "f")]
expect.set_options(timeout=30_000)  # on a busy machine, pages take their time
REFUSED = "Failed to load resource: the server responded with a status of 4"


def games() -> dict[str, Any]:
    """What the explorer of the tests shows, by name."""
    return {
        "stones": parse_game("stones:n=10"),
        "tictactoe": parse_game("tictactoe"),
        "morris3": parse_game("morris3"),
        "krk": parse_game("chess:KRK,board=4"),
        "caught": PoliceAndThief.from_file(CAUGHT),
        "graph": rs.Graph.from_edges(*zip(*EDGES, strict=True)),
    }


def library() -> Library:
    """The games, solved."""
    solved = {name: rs.solve(game) for name, game in games().items()}
    solved["graph"] = solved["graph"].with_start("a")
    return Library([Entry(name, name, solution) for name, solution in solved.items()], MAKERS)


@contextmanager
def serving(shown: Library | None = None, hosts: Iterable[str] = ()) -> Iterator[str]:
    """Serve some games on a free port; yields the address."""
    with answering(application(shown or library(), hosts=hosts)) as found:
        yield found


@contextmanager
def answering(app: Starlette) -> Iterator[str]:
    """Serve an application on a free port; yields the address."""
    listening = listen("127.0.0.1", 0)
    server = server_of(app)
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.01)
        assert thread.is_alive() or server.started, "the server has ended before it listened"
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)


@contextmanager
def chromium(*more: str) -> Iterator[Browser]:
    """Run the browser of the system, with some more arguments. The test fails if there is none."""
    found = next((path for name in CHROMIUM if (path := shutil.which(name))), None)
    if found is None:
        pytest.fail("there is no chromium: expected one, `make test` installs it")
    # Containers often have 64 MB of /dev/shm, of which a page runs out and then hangs.
    arguments = ["--no-sandbox", "--disable-dev-shm-usage", *more]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=arguments)
        yield browser
        with ended_by(kill_browser):
            browser.close()


def kill_browser() -> None:
    """End all browsers of this process: what a test asks of its page then fails, and waits no more."""
    kill_descendants("chrom")


@contextmanager
def watched(browser: Browser, refused: int = 0, **options: Any) -> Iterator[Page]:
    """Open a page on which nothing may be written to the console but that requests are ``refused``."""
    with ended_by(kill_browser):  # what a page evaluates has no time limit of its own
        context = browser.new_context(**{"viewport": {"width": 900, "height": 600}} | options)
        page = context.new_page()
        page.set_default_timeout(30_000)
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        try:
            yield page
        finally:
            context.close()
    assert [text[: len(REFUSED)] for text in said] == [REFUSED] * refused, said


def check_accessible(page: Page) -> None:
    """Test a page with axe, its colours in both schemes, and that a narrow screen shows all of it."""
    page.emulate_media(color_scheme="light")
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, {"runOnly": {"type": "rule", "values": ["color-contrast"]}}) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def violations(page: Page, options: dict[str, Any] | None = None) -> list[tuple[str, list[str]]]:
    """What axe finds on a page: the rules that are broken, and where."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    # What is as it should be is not listed: that would take most of the time.
    found: list[tuple[str, list[str]]] = page.evaluate(
        "async (options) => (await axe.run(options)).violations"
        ".map((rule) => [rule.id, rule.nodes.map((node) => node.html)])",
        {"resultTypes": ["violations"], **(options or {})},
    )
    return found


def request(url: str, body: bytes | None = None, method: str | None = None) -> tuple[int, Any]:
    """Return the status of an answer and its content, parsed if it is JSON."""
    asked = urllib.request.Request(url, body, method=method)
    try:
        with urllib.request.urlopen(asked, timeout=20) as answer:
            status, data, kind = answer.status, answer.read(), answer.headers["Content-Type"]
    except urllib.error.HTTPError as answer:
        status, data, kind = answer.code, answer.read(), answer.headers["Content-Type"]
    return status, json.loads(data) if kind == "application/json" else data.decode()

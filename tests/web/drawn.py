"""A server and a browser for the pages of the film and the editors."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

import retrosolve as rs
from retrosolve.games.stones import Stones
from retrosolve.games.tictactoe import TicTacToe
from retrosolve.web.app import application
from retrosolve.web.descriptions import MAKERS
from retrosolve.web.library import Entry, Library
from retrosolve.web.server import listen

CHROMIUM = "/usr/bin/chromium"
REFUSED = "Failed to load resource: the server responded with a status of 422"


@contextmanager
def serving() -> Iterator[str]:
    """Serve some games on a free port; yields the address."""
    games = {"stones": Stones(n=10), "tictactoe": TicTacToe()}
    library = Library([Entry(name, name, rs.solve(game)) for name, game in games.items()], MAKERS)
    listening = listen("127.0.0.1", 0)
    config = uvicorn.Config(application(library), log_config=None, lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join(10)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run the browser of the system."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def watched(browser: Browser, refused: int = 0, **options: Any) -> Iterator[Page]:
    """Open a page on which nothing may be written to the console but that requests are ``refused``."""
    context = browser.new_context(**options)
    page = context.new_page()
    page.set_default_timeout(10_000)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    context.close()
    assert [text.partition(" (")[0] for text in said] == [REFUSED] * refused, said


def check_accessible(page: Page) -> None:
    """Test a page with axe, its colours in both schemes, and that a narrow screen shows all of it."""
    assert Axe().run(page).response["violations"] == []
    page.emulate_media(color_scheme="dark")
    contrast = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
    assert Axe().run(page, options=contrast).response["violations"] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def request(url: str, body: bytes | None = None) -> tuple[int, Any]:
    """Return the status of an answer and its content, parsed if it is JSON."""
    asked = urllib.request.Request(url, body)
    try:
        with urllib.request.urlopen(asked, timeout=20) as answer:
            status, data, kind = answer.status, answer.read(), answer.headers["Content-Type"]
    except urllib.error.HTTPError as answer:
        status, data, kind = answer.code, answer.read(), answer.headers["Content-Type"]
    return status, json.loads(data) if kind == "application/json" else data.decode()

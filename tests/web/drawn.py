"""Servers and a browser for tests of the pages."""

from __future__ import annotations

import http.client
import http.server
import json
import re
import shutil
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, FloatRect, Locator, Page, expect, sync_playwright
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
PATIENCE = 90  # seconds for what takes a moment: six busy processes may be beside a test
expect.set_options(timeout=1000 * PATIENCE)
PHONE, DESKTOP = {"width": 390, "height": 844}, {"width": 1440, "height": 900}
READY = ".film[data-ready], .graph[data-drawn], .drawing:not([hidden])"
RANGE = re.compile(r"bytes=(\d+)-(\d+)")
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
def exploring(**shown: Any) -> Iterator[str]:
    """Serve games, or solutions, by their names; yields the address."""
    solved = {
        name: one if isinstance(one, rs.Solution) else rs.solve(one) for name, one in shown.items()
    }
    with serving(Library([Entry(name, name, one) for name, one in solved.items()], MAKERS)) as found:
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
        thread.join(PATIENCE)


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
        page.set_default_timeout(1000 * PATIENCE)
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


def fits(page: Page) -> bool:
    """Whether a page shows all of itself without scrolling sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def box(place: Locator) -> FloatRect:
    """Where something visible is on its page."""
    found = place.bounding_box()
    assert found is not None
    return found


def centre(place: Locator) -> tuple[float, float]:
    found = box(place)
    return found["x"] + found["width"] / 2, found["y"] + found["height"] / 2


def draw_along(page: Page, *places: Locator | tuple[float, float]) -> None:
    """Press the mouse at the first place, draw it over the others and let it go at the last one."""
    for number, place in enumerate(places):
        page.mouse.move(*(place if isinstance(place, tuple) else centre(place)), steps=6)
        if not number:
            page.mouse.down()
    page.mouse.up()


def request(url: str, body: bytes | None = None, method: str | None = None) -> tuple[int, Any]:
    """Return the status of an answer and its content, parsed if it is JSON."""
    asked = urllib.request.Request(url, body, method=method)
    try:
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
            status, data, kind = answer.status, answer.read(), answer.headers["Content-Type"]
    except urllib.error.HTTPError as answer:
        status, data, kind = answer.code, answer.read(), answer.headers["Content-Type"]
    return status, json.loads(data) if kind == "application/json" else data.decode()


def read(url: str) -> str:
    """Return the text of a page that is there."""
    status, text = request(url)
    assert status == 200, (url, text)
    return str(text)


def answered(
    url: str, headers: dict[str, str] | None = None, body: str | None = None
) -> tuple[int, dict[str, str], bytes]:
    """The status of an answer that is not followed further, its headers in small letters, and its body."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=PATIENCE)
    path = url.partition(parts.netloc)[2]
    connection.request("GET" if body is None else "POST", path, body, headers or {})
    answer = connection.getresponse()
    sent = answer.read()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, sent


@contextmanager
def connected(address: str) -> Iterator[socket.socket]:
    """A connection to the explorer."""
    url = urlsplit(address)
    with socket.create_connection((url.hostname or "", url.port or 0), timeout=PATIENCE) as connection:
        yield connection


def raw(address: str, lines: str, host: str = "localhost") -> tuple[int, str]:
    """Send the first lines of a request as they are; return the status and the body of the answer."""
    with connected(address) as connection:
        connection.sendall(f"{lines}\r\nHost: {host}\r\n\r\n".encode())
        return answer_of(connection)


def answer_of(connection: socket.socket) -> tuple[int, str]:
    """Return the status and the body of the next answer of a connection."""
    answer = http.client.HTTPResponse(connection)
    answer.begin()
    return answer.status, answer.read().decode()


class Files(http.server.SimpleHTTPRequestHandler):
    """A plain file server, with or without range requests."""

    ranges = True

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        asked = RANGE.fullmatch(self.headers.get("Range", ""))
        path = Path(self.translate_path(self.path))
        if not (self.ranges and asked and path.is_file()):
            super().do_GET()
            return
        part = path.read_bytes()[int(asked[1]) : int(asked[2]) + 1]
        self.send_response(206)
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)


class WholeFiles(Files):
    ranges = False


@contextmanager
def hosted(folder: Path, handler: type[Files] = Files) -> Iterator[str]:
    """Serve the files of a folder; yields the address of its page."""
    files = partial(handler, directory=folder)
    # A browser opens connections in advance, for which a server of one thread would wait without end.
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), files) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            server.shutdown()

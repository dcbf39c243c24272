"""Requests that pages of other sites make a browser send: nothing is solved, opened or searched."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.solution import OpenedSolution, Solution
from retrosolve.web.app import PAGES, QUERIES
from retrosolve.web.library import Entry, Library
from retrosolve.web.security import SENTENCE
from tests.web.drawn import serving

LINK = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
FOREIGN = [
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
    {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors", "Origin": "http://localhost:3000"},
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    LINK,
]
WITHOUT_WORK = {"/", "/openapi.json"}


class Explorer:
    """An explorer of one game that is in memory, one on disk, and others that are made when asked for."""

    def __init__(self, folder: Path) -> None:
        solution = rs.solve(parse_game("stones"))
        solution.save(folder / "s")
        self.lazy: OpenedSolution = rs.open(folder / "s")
        self.made: list[str] = []
        entries = [Entry("here", "here", solution), Entry("lazy", "lazy", self.lazy)]
        self.library = Library(entries, dict.fromkeys(("board", "graph"), self._make))

    def _make(self, description: str) -> tuple[str, Solution]:
        self.made.append(description)
        return "made", rs.solve(rs.Graph.from_edges([0], [1]))

    @property
    def is_idle(self) -> bool:
        """Whether nothing was opened and nothing made."""
        return not self.made and not self.lazy.opened.is_built


@pytest.fixture
def explorer(tmp_path: Path) -> Explorer:
    return Explorer(tmp_path)


@pytest.fixture
def address(explorer: Explorer) -> Iterator[str]:
    with serving(explorer.library) as found:
        yield found


def asked(address: str, path: str, headers: dict[str, str], body: str | None = None) -> tuple[int, str]:
    """Send a request with some headers; return the status and the answer."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=20)
    connection.request("GET" if body is None else "POST", path, body, headers)
    answer = connection.getresponse()
    found = answer.status, answer.read().decode()
    connection.close()
    return found


@pytest.mark.parametrize("headers", FOREIGN)
def test_other_sites_start_no_work(explorer: Explorer, address: str, headers: dict[str, str]) -> None:
    for name in ("lazy", "board~P.T", "graph~a.b~a-b"):
        for path, _ in PAGES:
            status, answer = asked(address, path.replace("{name}", name), headers)
            assert status == (200 if path in WITHOUT_WORK else 403), path
            assert status == 200 or SENTENCE.replace("'", "&#39;") in answer or SENTENCE in answer
        for path, _ in QUERIES:
            assert asked(address, path.replace("{name}", name), headers, "P.T")[0] == 403
    for path in ("/edit/board?board=P.T", "/edit/board?text=P.T", "/edit/graph?graph=a.b~a-b"):
        assert asked(address, path, headers)[0] == 403
    assert asked(address, "/static/explorer.css", headers)[0] == 200
    assert explorer.is_idle


def test_a_link_on_another_site_shows_a_position_of_a_game_that_is_open(
    explorer: Explorer, address: str
) -> None:
    assert asked(address, "/g/here/?at=7&line=1", LINK)[0] == 200
    for path in ("/g/here/film", "/g/here/zugzwang", "/g/here/random", "/api/games/here"):
        assert asked(address, path, LINK)[0] == 403
    assert asked(address, "/g/here/", FOREIGN[0])[0] == 403  # a picture or a frame, not a link
    status, answer = asked(address, "/g/lazy/?at=7&you=1", LINK)
    assert (status, explorer.is_idle) == (403, True)
    assert '<a href="/g/lazy/?at=7&amp;you=1">' in answer  # which the reader may follow
    assert asked(address, "/g/lazy/?at=7", {"Sec-Fetch-Site": "same-origin"})[0] == 200
    assert asked(address, "/g/lazy/?at=7", LINK)[0] == 200
    assert asked(address, "//evil.example/x", LINK)[1].count('href="//') == 0


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"},
        {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "null"},
        {"Origin": "OWN"},
    ],
)
def test_own_pages_and_programs_are_answered(
    explorer: Explorer, address: str, headers: dict[str, str]
) -> None:
    sent = {name: address if text == "OWN" else text for name, text in headers.items()}
    assert asked(address, "/g/lazy/", sent)[0] == 200
    status, answer = asked(address, "/api/games/lazy/probe", sent, '{"positions": ["7"]}')
    found: Any = json.loads(answer)
    assert (status, found["positions"][0]["remoteness"]) == (200, 5)
    assert asked(address, "/g/graph~a.b~a-b/", sent)[0] == 200
    assert explorer.made == ["a.b~a-b"]


def test_an_address_without_its_last_slash_leads_to_the_page_on_the_same_host(address: str) -> None:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=20)
    connection.request("GET", "/g/here?at=7&line=1", headers=LINK)
    answer = connection.getresponse()
    assert (answer.status, answer.headers["Location"]) == (307, "/g/here/?at=7&line=1")
    connection.close()
    assert asked(address, "/g/lazy?at=7", LINK)[0] == 403

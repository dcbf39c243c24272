"""Pages of solutions that count points: words by who wins, with the points, and pits to click."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, expect

import retrosolve as rs
from retrosolve.games.awari import Awari
from retrosolve.games.kalah import Kalah
from retrosolve.web.library import Entry, Library
from tests.web.drawn import request, serving, watched


@pytest.fixture(scope="module")
def solutions() -> dict[str, rs.Solution]:
    edges = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "a")]
    graph = rs.Graph.from_edges(edges, payoff={"d": -1}, reward=[3, 0, 0, 0]).with_start("a")
    games = {"awari": Awari(seeds=5, pits=3), "kalah": Kalah(2, 2), "graph": graph}
    return {name: rs.solve(game, objective="score") for name, game in games.items()}


@pytest.fixture(scope="module")
def address(solutions: dict[str, rs.Solution]) -> Iterator[str]:
    entries = [Entry(name, name, solution) for name, solution in solutions.items()]
    with serving(Library(entries)) as found:
        yield found


def read(url: str) -> str:
    with urlopen(url) as answer:
        text: str = answer.read().decode()
        return text


@pytest.mark.parametrize("name", ["awari", "kalah", "graph"])
def test_every_page_of_a_score_is_shown(name: str, address: str) -> None:
    for page in ("", "?you=1&hints=yes", "structure", "graph", "find?value=2&remoteness=1"):
        text = read(f"{address}/g/{name}/{page}")
        assert "Margin(" not in text
        assert "v-2" not in text
    assert "(+2)" in read(f"{address}/g/{name}/graph")
    assert "WIN by 2" in read(f"{address}/g/{name}/structure")
    assert name in read(f"{address}/")


def test_api_has_the_points_of_positions_and_moves(
    address: str, solutions: dict[str, rs.Solution]
) -> None:
    status, found = request(f"{address}/api/games/graph/position?at=a")
    assert (status, found["value"], found["remoteness"]) == (200, "2", 1)
    moves = [(m["name"], m["value"], m["value_for_mover"], m["best"]) for m in found["moves"]]
    assert moves == [("b", "1", "2", True), ("c", "-2", "2", False)]


def test_pits_are_clicked(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/g/kalah/?you=0")
        assert page.inner_text("#verdict").endswith("You lose (-2)")
        assert "to the next points: 1 ply" in page.inner_text("main")
        page.click('#board [data-point="b"]')
        expect(page.locator("#position-text")).to_have_text("2,0/3,2 1")

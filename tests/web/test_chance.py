"""Pages of solutions of games of chance: values with percent, and dice among the moves."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.request import urlopen

import pytest

import retrosolve as rs
from retrosolve.games.ur import Ur
from retrosolve.web.library import Entry, Library
from tests.web.drawn import request, serving


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    edges = [("a", "coin"), ("a", "b"), ("b", "coin"), ("coin", "won"), ("coin", "lost")]
    owner = {"a": 0, "b": 1, "coin": rs.CHANCE, "won": 0, "lost": 0}
    ends = {"won": "win", "lost": "loss"}
    graph = rs.Graph.from_edges(edges, owner=owner, terminal=ends, weight=[0, 0, 0, 3, 1])
    games = {"ur": Ur(1), "graph": graph.with_start("a")}
    entries = [Entry(name, name, rs.solve(game)) for name, game in games.items()]
    with serving(Library(entries)) as found:
        yield found


def read(url: str) -> str:
    with urlopen(url) as answer:
        text: str = answer.read().decode()
        return text


@pytest.mark.parametrize("name", ["ur", "graph"])
def test_every_page_of_a_game_of_chance_is_shown(name: str, address: str) -> None:
    for page in ("", "?you=1&hints=yes", "structure", "graph", "find?value=better"):
        text = read(f"{address}/g/{name}/{page}")
        assert "Odds(" not in text
        assert "Favour(" not in text
    assert name in read(f"{address}/")


def test_positions_show_percentages(address: str) -> None:
    assert "(75 %)" in read(f"{address}/g/graph/?at=a")
    assert "(53.0049839525 %)" in read(f"{address}/g/ur/")


def test_api_has_positions_and_moves(address: str) -> None:
    status, found = request(f"{address}/api/games/graph/position?at=a")
    assert (status, found["value"], found["remoteness"]) == (200, "better", None)
    assert [(m["name"], m["best"]) for m in found["moves"]] == [("coin", True), ("b", True)]
    status, found = request(f"{address}/api/games/graph/position?at=coin")
    assert (status, found["player"]) == (200, "chance")

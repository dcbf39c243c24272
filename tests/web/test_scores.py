"""Pages of solutions that count points: words by who wins, with the points, and pits to click."""

from __future__ import annotations

import re
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


def test_graphs_show_points_in_rows_by_moves(browser: Browser, address: str) -> None:
    status, found = request(f"{address}/api/games/graph/neighborhood")
    shown = {node["position"]: (node["short"], node["kind"], node["depth"]) for node in found["nodes"]}
    assert (status, found["by_remoteness"]) == (200, False)
    assert shown == {
        "a": ("▲ +2", "win", 0), "b": ("▲ +1", "win", 1), "c": ("▼ -2", "loss", 1), "d": ("▼ -1", "loss", 2)
    }  # fmt: skip
    with watched(browser) as page:
        page.goto(f"{address}/g/graph/graph")
        page.wait_for_selector(".node")
        assert page.locator(".bands text").all_text_contents() == ["0", "1", "2"]
        assert page.locator(".node.v-win").count() == 2
    assert "the end of the game" not in read(f"{address}/g/graph/graph").lower()


def test_all_marks_of_a_board_are_points() -> None:
    entry = Entry("dots", "dots", rs.solve(rs.game("dots")))
    with serving(Library([entry])) as address:
        text = read(f"{address}/g/dots/")
        assert set(re.findall('data-label="(.*?)"', text)) == {"+2", "0"}
        for page in ("", "g/dots/structure"):
            assert "First player wins (+2)" in read(f"{address}/{page}?language=en")
        assert "The longest win" not in read(f"{address}/g/dots/structure")


def test_the_last_move_is_marked_unless_the_board_has_turned() -> None:
    games = {"awari": Awari(seeds=6, pits=3), "kalah": Kalah(3, 2)}
    entries = [Entry(name, name, rs.solve(game)) for name, game in games.items()]
    with serving(Library(entries)) as address:
        assert 'data-last=""' in read(f"{address}/g/awari/?line=1")
        again, others = [], []
        for move in entries[1].solution.moves(entries[1].solution.start):
            same = entries[1].solution.space.text(move.position).endswith(" 0")
            (again if same else others).append(move.name)
        assert again, "the last seed of a move falls into the store"
        assert others
        for name in (*again, *others):
            marked = re.search('data-last="(.*?)"', read(f"{address}/g/kalah/typed?moves={name}"))
            assert marked is not None
            assert marked[1] == (f"[&#34;{name}&#34;]" if name in again else "")


def test_pits_are_clicked(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/g/kalah/?you=0")
        assert page.inner_text("#verdict").endswith("You lose (-2)")
        assert "to the next points: 1 ply" in page.inner_text("main")
        page.click('#board [data-point="b"]')
        expect(page.locator("#position-text")).to_have_text("2,0/3,2 1")


def test_values_along_a_line_count_the_points_that_were_taken(
    solutions: dict[str, rs.Solution], address: str
) -> None:
    """Best play is worth the same all along: a row has no other value, and the chart is level."""
    solution = solutions["kalah"]
    length = len(solution.line(solution.start))
    page = read(f"{address}/g/kalah/?you=1&line={'-'.join('1' * length)}")
    assert f"You have won (+{-int(solution[solution.start].value)})" in page
    assert re.findall(r'<span class="unseen">\w+</span> ([^<]+)</span>', page) == ["+2"] * length
    (path,) = re.findall(r'<polyline class="path" points="([^"]+)"', page)
    assert {point.partition(",")[2] for point in path.split()} == {"0"}
    assert (
        f'aria-label="ply {length - 1}: wins (+2)"' in page
    )  # not in so many plies: those are to points
    assert f'aria-label="ply {length}: has won (+2)"' in page


def test_moves_are_grouped_by_what_the_game_comes_to_with_the_points_taken(address: str) -> None:
    """After a move to the graph's b for 3 points, the move that is left wins 1 back: the game is lost."""
    page = read(f"{address}/g/graph/?line=1")
    assert "First player wins (+2)" in page
    assert "Points taken: First player 3, Second player 0 · the rest: -1" in page
    assert re.search(r'class="group v-loss".*data-value="loss" data-label="-2"', page)
    hidden = read(f"{address}/g/graph/?hints=no&line=1")
    assert "Points taken: First player 3, Second player 0<" in hidden
    assert "+2" not in hidden


def test_a_position_without_its_line_says_from_where_points_count(address: str) -> None:
    sentence = "Points count from the position at which the line begins."
    assert sentence not in read(f"{address}/g/graph/?line=1-1")
    page = read(f"{address}/g/graph/?at=b&line=1")
    assert sentence in page
    assert "First player has won (+1)" in page

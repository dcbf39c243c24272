"""Pages of solutions of games of chance: values with percent, and dice among the moves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser

import retrosolve as rs
from retrosolve.games.ur import Ur
from retrosolve.web.library import Entry, Library
from tests.web.drawn import request, serving, watched


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


def refused(url: str) -> bool:
    """Return whether a page is refused with a sentence."""
    with pytest.raises(HTTPError) as raised:
        read(url)
    return raised.value.code in (400, 404) and "expected" in raised.value.read().decode()


@pytest.mark.parametrize("name", ["ur", "graph"])
def test_every_page_of_a_game_of_chance_is_shown(name: str, address: str) -> None:
    for page in ("", "?you=1&hints=yes", "structure", "graph", "find?value=better"):
        text = read(f"{address}/g/{name}/{page}")
        assert "Odds(" not in text
        assert "Favour(" not in text
    assert name in read(f"{address}/")


def test_positions_show_percentages(address: str) -> None:
    assert "First player: 75 %" in read(f"{address}/g/graph/?at=a")
    text = read(f"{address}/g/ur/")
    assert "First player: 53.00 %" in text
    assert '<p class="aside">53.0049839525 %</p>' in text
    for page in ("", "g/ur/structure"):
        shown = read(f"{address}/{page}?language=en")
        assert "First player: 53.00 %" in shown
        assert "53.004" not in shown
    listed = re.findall(r'<span class="in">(.*?)</span>', text)
    assert listed
    assert all(re.fullmatch(r"\d+\.\d\d %", odds) for odds in listed)


def test_odds_are_rounded_and_not_cut(address: str) -> None:
    win = rs.Graph.from_edges(
        [("a", "won"), ("a", "lost")], owner={"a": rs.CHANCE, "won": 0, "lost": 0},
        terminal={"won": "win", "lost": "loss"}, weight=[2, 1],
    )  # fmt: skip
    alone = rs.game("rolls:points=4,checkers=2")
    games = {"dice": win.with_start("a"), "rolls": alone}
    with serving(Library([Entry(name, name, rs.solve(game)) for name, game in games.items()])) as found:
        text = read(f"{found}/g/dice/")
        assert "First player: 66.67 %" in text
        assert '<p class="aside">66.6666666667 %</p>' in text
        expected = f"First player: {rs.solve(alone)[alone.start()].value.middle:.2f}"
        for page in ("?language=en", "g/rolls/", "g/rolls/structure"):
            assert expected in read(f"{found}/{page}")


def test_graphs_show_odds_and_who_throws(browser: Browser, address: str) -> None:
    _, found = request(f"{address}/api/games/graph/neighborhood")
    shown = {node["position"]: (node["short"], node["kind"], node["side"]) for node in found["nodes"]}
    assert shown == {
        "a": ("▲ 75 %", "win", 0), "coin": ("▲ 75 %", "win", 2), "b": ("▼ 25 %", "loss", 1),
        "won": ("▲ 100 %", "win", 0), "lost": ("▼ 0 %", "loss", 0),
    }  # fmt: skip
    with watched(browser) as page:
        page.goto(f"{address}/g/graph/graph")
        page.wait_for_selector(".node")
        assert page.locator(".node polygon").count() == 1  # chance
        rows = [row.inner_text().split("\t") for row in page.locator("tbody tr").all()]
        assert rows[0] == ["a", "▲ 75 %"]
        signs = page.locator("footer .legend li").all_inner_texts()
        assert signs == ["▲ better", "▼ worse", "= even", "∞ open"]


def test_odds_are_written_as_readers_of_a_language_do(address: str) -> None:
    assert "75\xa0%" in read(f"{address}/g/graph/?at=a&language=ru")
    persian = read(f"{address}/g/ur/?language=fa")
    assert "۵۳٫۰۰۴۹۸۳۹۵۲۵٪" in persian
    assert "53.0049839525" not in persian


def test_points_of_the_chart_are_named_by_their_odds(address: str) -> None:
    titles = re.findall(r"<title>ply (.*?)</title>", read(f"{address}/g/graph/?at=a&line=2-1"))
    assert titles == ["0: 75 %", "1: 75 %", "2: 75 %"]


def test_api_has_positions_and_moves(address: str) -> None:
    status, found = request(f"{address}/api/games/graph/position?at=a")
    assert (status, found["value"], found["remoteness"]) == (200, "better", None)
    assert [(m["name"], m["best"]) for m in found["moves"]] == [("coin", True), ("b", True)]
    status, found = request(f"{address}/api/games/graph/position?at=coin")
    assert (status, found["player"]) == (200, "chance")
    assert [m["best"] for m in found["moves"]] == [False, False]
    status, found = request(f"{address}/api/games/ur/position?at=3%2B0/8%2B0")
    assert [m["name"].partition(":")[0] for m in found["moves"] if m["best"]].count("1") == 1


def test_moves_stand_below_their_throw_with_its_odds(address: str) -> None:
    text = read(f"{address}/g/ur/?at=3%2B0/8%2B0")
    headings = re.findall(r"<summary>(⚅ .*?) <span", text)
    assert headings == ["⚅ 0 · 6.2%", "⚅ 1 · 25.0%", "⚅ 2 · 37.5%", "⚅ 3 · 25.0%", "⚅ 4 · 6.2%"]
    assert 'id="throw"' in text
    assert 'id="autoplay"' not in text
    text = read(f"{address}/g/graph/?at=coin")
    assert "<summary>Chance <span" in text
    assert "75.0% · 100 %" in text
    assert "Chance to move" in text


def test_a_throw_leaves_its_moves(address: str) -> None:
    text = read(f"{address}/g/ur/?at=3%2B0/8%2B0&throw=2")
    assert re.findall(r"<summary>(⚅ .*?) <span", text) == ["⚅ 1 · 25.0%"]
    assert 'id="throw"' not in text
    (link,) = re.findall(r'href="([^"]*line=\d+)" data-points', text)
    after = read(address + link.replace("&amp;", "&"))
    assert "throw=" not in link
    assert "4+0/8+0" in after  # a rosette: the same player throws again
    assert "It is your" not in after
    for wrong in ("9", "x"):
        assert refused(f"{address}/g/ur/?throw={wrong}")


def test_readers_throw_before_they_move(address: str) -> None:
    text = read(f"{address}/g/ur/?you=0&mistakes=0")
    assert 'id="throw"' in text
    assert "data-points" not in text
    (link,) = re.findall(r'id="throw" href="([^"]*)"', text)
    assert "data-points" in read(address + link.replace("&amp;", "&"))
    text = read(f"{address}/g/ur/?you=1&mistakes=0")
    (link,) = re.findall(r'id="reply" href="([^"]*)"', text)
    assert "1-0" not in read(address + link.replace("&amp;", "&"))  # the opponent has moved


def test_replies_are_thrown(address: str) -> None:
    seen = set()
    for _ in range(40):
        text = read(f"{address}/g/graph/?at=coin&you=1&mistakes=0")
        seen.update(re.findall(r'id="reply" href="[^"]*line=(\d)"', text))
    assert seen == {"1", "2"}


def test_the_record_has_luck_and_losses(address: str) -> None:
    text = read(f"{address}/g/graph/?at=a&line=2-1-1")
    assert "mistake: coin was better" not in text  # both keep the value
    assert "First player: luck +25.0%, lost by moves 0.0%" in text
    assert "Second player: luck −25.0%, lost by moves 0.0%" in text


def test_values_of_throws_are_explained(address: str) -> None:
    text = read(f"{address}/g/graph/explanation?at=a")
    assert "because no move is better than" in text
    assert "75.0%: " in text
    assert "Where chance moves, a value is for the first player." in text
    text = read(f"{address}/g/ur/explanation?at=3%2B0/8%2B0")
    assert "it is the mean of the best moves after each throw" in text
    assert "25.0%: <code>1: 3-4</code> leads to" in text

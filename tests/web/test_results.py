"""Pages of points and of odds: percent, dice among the moves, points taken, charts and explanations."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

import retrosolve as rs
from tests.web.drawn import exploring, read, request


@pytest.fixture(scope="module")
def shown() -> Iterator[str]:
    """The address of games of points and of chance, with /g at its end."""
    edges = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "a")]
    points = rs.Graph.from_edges(edges, payoff={"d": -1}, reward=[3, 0, 0, 0]).with_start("a")
    edges = [("a", "coin"), ("a", "b"), ("b", "coin"), ("coin", "won"), ("coin", "lost")]
    owner = {"a": 0, "b": 1, "coin": rs.CHANCE, "won": 0, "lost": 0}
    ends = {"won": "win", "lost": "loss"}
    dice = rs.Graph.from_edges(edges, owner=owner, terminal=ends, weight=[0, 0, 0, 3, 1])
    del owner["a"], owner["b"]
    third = rs.Graph.from_edges(edges[3:], owner=owner, terminal=ends, weight=[2, 1])
    shown = {
        "points": rs.solve(points, objective="score"), "dice": dice.with_start("a"),
        "third": third.with_start("coin"), "kalah": rs.game("kalah:pits=2,seeds=2"),
        "kalah3": rs.game("kalah:pits=3,seeds=2"), "awari": rs.game("awari:seeds=6,pits=3"),
        "dots": rs.game("dots"), "ur": rs.game("ur:pieces=1"),
    }  # fmt: skip
    with exploring(**shown) as found:
        yield found


def nodes(address: str, name: str, *keys: str) -> dict[str, tuple[object, ...]]:
    """Some facts of each position of a neighbourhood."""
    status, found = request(f"{address}/api/games/{name}/neighborhood")
    assert (status, found["by_remoteness"]) == (200, False)
    return {node["position"]: tuple(node[key] for key in keys) for node in found["nodes"]}


# -- points ---------------------------------------------------------------------------------------------


def test_graphs_show_points_in_rows_by_moves(page: Page, shown: str) -> None:
    assert nodes(shown, "points", "short", "kind", "depth") == {
        "a": ("▲ +2", "win", 0), "b": ("▲ +1", "win", 1), "c": ("▼ -2", "loss", 1), "d": ("▼ -1", "loss", 2)
    }  # fmt: skip
    page.goto(f"{shown}/g/points/graph")
    page.wait_for_selector(".node")
    assert page.locator(".bands text").all_text_contents() == ["0", "1", "2"]
    assert page.locator(".node.v-win").count() == 2
    page.goto(f"{shown}/g/kalah/?you=0")
    assert page.inner_text("#verdict").endswith("You lose (-2)")
    assert "to the next points: 1 ply" in page.inner_text("main")
    page.click('#board [data-point="b"]')
    expect(page.locator("#position-text")).to_have_text("2,0/3,2 1")


def test_marks_and_totals_are_points(shown: str) -> None:
    assert set(re.findall('data-label="(.*?)"', read(f"{shown}/g/dots/"))) == {"+2", "0"}
    for path in ("games", "g/dots/structure"):
        assert "First player wins (+2)" in read(f"{shown}/{path}?language=en")
    assert "The longest win" not in read(f"{shown}/g/dots/structure")
    # After the graph's b, for 3 points, the move that is left wins 1 back: the game is lost.
    text = read(f"{shown}/g/points/?line=1")
    assert "First player wins (+2)" in text
    assert "Points taken: First player 3, Second player 0 · the rest: -1" in text
    assert re.search(r'class="group v-loss".*data-value="loss" data-label="-2"', text)
    hidden = read(f"{shown}/g/points/?hints=no&line=1")
    assert "Points taken: First player 3, Second player 0<" in hidden
    assert "+2" not in hidden
    sentence = "Points count from the position at which the line begins."
    assert sentence not in read(f"{shown}/g/points/?line=1-1")
    text = read(f"{shown}/g/points/?at=b&line=1")
    assert sentence in text
    assert "First player has won (+1)" in text


def test_values_along_a_line_count_the_points_that_were_taken(shown: str) -> None:
    """Best play is worth the same all along: a row has no other value, and the chart is level."""
    solution = rs.solve(rs.game("kalah:pits=2,seeds=2"))
    length = len(solution.line(solution.start))
    text = read(f"{shown}/g/kalah/?you=1&line={'-'.join('1' * length)}")
    assert re.findall(r'<span class="unseen">\w+</span> ([^<]+)</span>', text) == ["+2"] * length
    (path,) = re.findall(r'<polyline class="path" points="([^"]+)"', text)
    assert {point.partition(",")[2] for point in path.split()} == {"0"}
    assert (
        f'aria-label="ply {length - 1}: wins (+2)"' in text
    )  # not in so many plies: those are to points
    assert f'aria-label="ply {length}: has won (+2)"' in text


def test_the_last_move_is_marked_unless_the_board_has_turned(shown: str) -> None:
    assert 'data-last=""' in read(f"{shown}/g/awari/?line=1")
    solution, seen = rs.solve(rs.game("kalah:pits=3,seeds=2")), set()
    for move in solution.moves(solution.start):
        again = solution.space.text(move.position).endswith(" 0")  # the last seed fell into the store
        marked = re.search('data-last="(.*?)"', read(f"{shown}/g/kalah3/typed?moves={move.name}"))
        assert marked is not None
        assert marked[1] == (f"[&#34;{move.name}&#34;]" if again else "")
        seen.add(again)
    assert seen == {True, False}


# -- odds -----------------------------------------------------------------------------------------------


def test_odds_are_rounded_and_not_cut_and_written_as_readers_do(shown: str) -> None:
    right = ("dice/", "75", ""), ("ur/", "53.00", "53.0049839525"), ("third/", "66.67", "66.6666666667")
    for path, odds, exact in right:
        text = read(f"{shown}/g/{path}?language=en")
        assert f"First player: {odds} %" in text
        assert (f'<p class="aside">{exact} %</p>' in text) == bool(exact)
        for other in ("games", f"g/{path}structure"):
            listed = read(f"{shown}/{other}?language=en")
            assert f"First player: {odds} %" in listed
            assert not exact or exact not in listed
    listed = re.findall(r'<span class="in">(.*?)</span>', read(f"{shown}/g/ur/"))
    assert listed
    assert all(re.fullmatch(r"\d+\.\d\d %", one) for one in listed)
    assert "75\xa0%" in read(f"{shown}/g/dice/?language=ru")
    persian = read(f"{shown}/g/ur/?language=fa")
    assert "۵۳٫۰۰۴۹۸۳۹۵۲۵٪" in persian
    assert "53.0049839525" not in persian
    titles = re.findall(r"<title>ply (.*?)</title>", read(f"{shown}/g/dice/?at=a&line=2-1"))
    assert titles == ["0: 75 %", "1: 75 %", "2: 75 %"]


def test_graphs_show_odds_and_who_throws(page: Page, shown: str) -> None:
    assert nodes(shown, "dice", "short", "kind", "side") == {
        "a": ("▲ 75 %", "win", 0), "coin": ("▲ 75 %", "win", 2), "b": ("▼ 25 %", "loss", 1),
        "won": ("▲ 100 %", "win", 0), "lost": ("▼ 0 %", "loss", 0),
    }  # fmt: skip
    page.goto(f"{shown}/g/dice/graph")
    page.wait_for_selector(".node")
    assert page.locator(".node polygon").count() == 1  # chance
    assert page.locator("tbody tr").first.inner_text().split("\t") == ["a", "▲ 75 %"]
    signs = page.locator("footer .legend li").all_inner_texts()
    assert signs == ["▲ better", "▼ worse", "= even", "∞ open"]
    found = request(f"{shown}/api/games/dice/position?at=coin")[1]
    assert (found["player"], [m["best"] for m in found["moves"]]) == ("chance", [False, False])
    found = request(f"{shown}/api/games/ur/position?at=3%2B0/8%2B0")[1]
    assert [m["name"].partition(":")[0] for m in found["moves"] if m["best"]].count("1") == 1


def test_moves_stand_below_their_throw_which_leaves_its_own(shown: str) -> None:
    text = read(f"{shown}/g/ur/?at=3%2B0/8%2B0")
    headings = re.findall(r"<summary>(⚅ .*?) <span", text)
    assert headings == ["⚅ 0 · 6.2%", "⚅ 1 · 25.0%", "⚅ 2 · 37.5%", "⚅ 3 · 25.0%", "⚅ 4 · 6.2%"]
    assert 'id="throw"' in text
    assert 'id="autoplay"' not in text
    text = read(f"{shown}/g/dice/?at=coin")
    assert "<summary>Chance <span" in text
    assert "75.0% · 100 %" in text
    assert "Chance to move" in text
    text = read(f"{shown}/g/ur/?at=3%2B0/8%2B0&throw=2")
    assert re.findall(r"<summary>(⚅ .*?) <span", text) == ["⚅ 1 · 25.0%"]
    assert 'id="throw"' not in text
    (link,) = re.findall(r'href="([^"]*line=\d+)" data-points', text)
    assert "throw=" not in link
    after = read(shown + link.replace("&amp;", "&"))
    assert "4+0/8+0" in after  # a rosette: the same player throws again
    assert "It is your" not in after
    assert [request(f"{shown}/g/ur/?throw={wrong}")[0] for wrong in ("9", "x")] == [404, 400]


def test_dice_are_thrown_before_a_move_and_for_replies(shown: str) -> None:
    for you, link, there in (("0", "throw", "data-points"), ("1", "reply", "line=")):
        text = read(f"{shown}/g/ur/?you={you}&mistakes=0")
        assert "data-points" not in text
        (url,) = re.findall(rf'id="{link}" href="([^"]*)"', text)
        assert there in read(shown + url.replace("&amp;", "&"))
    seen = set()
    for _ in range(40):
        text = read(f"{shown}/g/dice/?at=coin&you=1&mistakes=0")
        seen.update(re.findall(r'id="reply" href="[^"]*line=(\d)"', text))
    assert seen == {"1", "2"}


def test_luck_is_told_from_losses_and_values_of_throws_are_explained(shown: str) -> None:
    text = read(f"{shown}/g/dice/?at=a&line=2-1-1")
    assert "mistake: coin was better" not in text  # both keep the value
    for player, luck in (("First", "+"), ("Second", "−")):
        assert f"{player} player: luck {luck}25.0%, lost by moves 0.0%" in text
    text = read(f"{shown}/g/dice/explanation?at=a")
    for part in ("because no move is better than", "75.0%: ", "a value is for the first player."):
        assert part in text
    text = read(f"{shown}/g/ur/explanation?at=3%2B0/8%2B0")
    assert "it is the mean of the best moves after each throw" in text
    assert "25.0%: <code>1: 3-4</code> leads to" in text

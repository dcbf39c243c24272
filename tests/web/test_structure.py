"""The structure of a game: its levels, charts and examples; pages that take long are made once."""

from itertools import combinations

import pytest
from playwright.sync_api import Page, expect

import retrosolve as rs
from retrosolve.web.library import Entry
from retrosolve.web.pages import structure
from tests.cli.test_stats import Duel
from tests.web.drawn import box, exploring, fits, read, request

CHAIN = rs.Graph.from_edges(range(2_600), range(1, 2_601))


def test_the_answer_stands_above_bars_that_lead_to_positions(page: Page) -> None:
    page.goto("/g/krk/structure")
    assert page.inner_text(".answer") == "▲ White wins in 9 plies · The longest win takes 13 plies."
    figure = page.locator(".histogram").first
    assert figure.locator(".upright").all_text_contents() == ["0", "20", "40"]
    assert figure.locator(".upward").text_content() == "positions"
    assert figure.locator(".onward").text_content() == "remoteness (plies)"
    assert page.locator("table:visible").count() == 2  # that of the levels is folded
    page.get_by_text("All levels as a table").click()
    expect(page.locator("table:visible")).to_have_count(3)
    numbers = figure.locator(".across text")
    ticks = numbers.all_text_contents()
    assert ticks[0] == "0"
    assert len(ticks) > 3
    step = (box(numbers.nth(1))["x"] - box(numbers.nth(0))["x"]) / int(ticks[1])
    width = box(figure.locator("a rect:not(.reach)").first)["width"]
    assert 0.7 * step < width <= step  # a ply, though wins are two plies apart
    bar = figure.locator("a").nth(2)
    assert bar.locator("title").text_content() is not None
    bar.click()
    expect(page.locator(".found li").first).to_be_visible()
    assert "value=win&remoteness=5" in page.url


@pytest.mark.long
def test_axes_have_names_and_numbers_that_are_readable_and_apart(page: Page) -> None:
    with exploring(long=CHAIN) as chain:
        for width in (320, 820, 2560):
            page.set_viewport_size({"width": width, "height": 800})
            persian = "/g/tictactoe/?line=1-2-1-2-1&language=fa"
            for path in (
                f"{chain}/g/long/structure",
                "/g/krk/structure",
                "/g/krk/?line=1-1-1",
                persian,
            ):
                page.goto(path)
                check_axes(page)
                assert fits(page)
                assert (
                    page.evaluate("document.documentElement.scrollHeight") < 6000
                )  # long ones are folded
        marks = page.locator(".chart .across text")
        assert marks.first.text_content() == "۰"
        page.goto("/g/krk/?line=1-1-1")
        assert sorted(page.locator(".chart .upright").all_text_contents()) == ["=", "▲ 0", "▲ 5"]
        assert marks.all_text_contents() == [str(n) for n in range(9)]
        assert page.locator(".chart .onward").text_content() == "ply"


def check_axes(page: Page) -> None:
    """Check the texts along axes: at least 12 pixels high, within the page, and not over one another."""
    boxes = page.evaluate("""() => [...document.querySelectorAll(".axes")].map((chart) =>
        [...chart.querySelectorAll(".marks text")].filter((one) => one.checkVisibility()).map((one) => {
            const { left, right, top, bottom } = one.getBoundingClientRect();
            return { left, right, top, bottom, size: parseFloat(getComputedStyle(one).fontSize),
                     onPage: left >= 0 && right <= innerWidth };
        }))""")
    assert boxes
    for chart in boxes:
        assert len(chart) > 4
        assert all(one["size"] >= 12 and one["onPage"] for one in chart)
        for one, other in combinations(chart, 2):
            beside = one["right"] < other["left"] or other["right"] < one["left"]
            above = one["bottom"] < other["top"] + 3 or other["bottom"] < one["top"] + 3
            assert beside or above, (one, other)


def test_pages_that_take_long_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    for name in ("levels", "_some_zugzwangs"):
        work = getattr(structure, name)
        monkeypatch.setattr(
            structure, name, lambda solution, name=name, work=work: made.append(name) or work(solution)
        )
    krk = rs.solve(rs.game("chess:KRK,board=4"))
    with exploring(krk=krk) as address:
        pages = {
            request(f"{address}/g/krk/{part}") for _ in range(3) for part in ("structure", "zugzwang")
        }
        persian = read(f"{address}/g/krk/structure?language=fa")
    assert {status for status, _ in pages} == {200, 404}
    assert len(pages) == 2
    assert persian not in [text for _, text in pages]
    assert sorted(made) == ["_some_zugzwangs", "levels", "levels"]
    long = structure.structure_page(Entry("chain", "chain", rs.solve(CHAIN)), "en", None)
    assert long.count('<tr><th scope="row" class="number">') == 2_000
    assert "601 more levels are not shown." in long


def test_mutual_zugzwangs_are_shown_where_the_rules_know_passing(address: str) -> None:
    link = 'href="/g/duel/zugzwang"'
    with exploring(duel=Duel()) as duels:
        assert link in read(f"{duels}/g/duel/structure")
        for _ in range(4):
            assert 'id="position-text">(0, 0)<' in read(f"{duels}/g/duel/zugzwang")
    for name, status in (("stones", 422), ("krk", 404)):
        assert "zugzwang" not in read(f"{address}/g/{name}/structure")  # nothing leads there
        assert request(f"{address}/g/{name}/zugzwang")[0] == status


def test_no_table_is_searched_for_what_does_not_occur(monkeypatch: pytest.MonkeyPatch) -> None:
    krk = rs.solve(rs.game("chess:KRK,board=4"))
    monkeypatch.setattr(structure, "_from", None)
    for value, remoteness in (
        (rs.Value.WIN, 4),
        (rs.Value.LOSS, 33),
        (rs.Value.DRAW, None),
        (None, 40),
    ):
        with pytest.raises(rs.PositionError):
            structure.random_position(krk, value, remoteness)

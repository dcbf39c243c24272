"""The structure of a game in the browser, and that heavy pages keep nobody from a position."""

from itertools import combinations

import pytest
from playwright.sync_api import Browser, Page, expect

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.web.descriptions import MAKERS
from retrosolve.web.library import Entry, Library
from retrosolve.web.pages import structure
from tests.web.drawn import check_accessible, request, serving, watched


def test_the_answer_stands_above_bars_that_lead_to_positions(browser: Browser, address: str) -> None:
    with watched(browser, viewport={"width": 1440, "height": 900}) as page:
        page.goto(f"{address}/g/krk/structure")
        assert page.inner_text(".answer") == "▲ White wins in 9 plies · The longest win takes 13 plies."
        figure = page.locator(".histogram").first
        box = figure.locator(".axes").bounding_box()
        assert box is not None
        ticks = figure.locator(".across text").all_text_contents()
        assert ticks[0] == "0"
        assert len(ticks) > 3
        assert page.locator("table:visible").count() == 2  # that of the levels is folded
        page.get_by_text("All levels as a table").click()
        assert page.locator("table:visible").count() == 3
        numbers = figure.locator(".across text").all()
        step = numbers[1].bounding_box()["x"] - numbers[0].bounding_box()["x"]  # type: ignore[index]
        step /= int(ticks[1])
        first = figure.locator("a rect:not(.reach)").first.bounding_box()
        assert first is not None
        assert 0.7 * step < first["width"] <= step  # a ply, though wins are two plies apart
        bar = figure.locator("a").nth(2)
        assert bar.locator("title").text_content() is not None
        bar.click()
        expect(page.locator(".found li").first).to_be_visible()
        assert "value=win&remoteness=5" in page.url


@pytest.mark.long
@pytest.mark.parametrize("width", [320, 820, 2560])
def test_axes_have_names_and_numbers_that_are_readable_and_apart(
    browser: Browser, address: str, width: int
) -> None:
    long = rs.Graph.from_edges(range(2_600), range(1, 2_601))
    with (
        serving(Library([Entry("long", "long", rs.solve(long))])) as chain,
        watched(browser, viewport={"width": width, "height": 800}) as page,
    ):
        for path in (
            f"{address}/g/krk/structure",
            f"{chain}/g/long/structure",
            f"{address}/g/krk/?line=1-1-1",
            f"{address}/g/tictactoe/?line=1-2-1-2-1&language=fa",
        ):
            page.goto(path)
            check_axes(page)
    with watched(browser) as page:
        page.goto(f"{address}/g/krk/structure")
        figure = page.locator(".histogram").first
        assert figure.locator(".upright").all_text_contents() == ["0", "20", "40"]
        assert figure.locator(".upward").text_content() == "positions"
        assert figure.locator(".onward").text_content() == "remoteness (plies)"
        page.goto(f"{address}/g/krk/?line=1-1-1")
        assert page.locator(".chart .upright").all_text_contents() == ["▲ 0", "▲ 5", "="]
        assert page.locator(".chart .across text").all_text_contents() == [str(n) for n in range(9)]
        assert page.locator(".chart .onward").text_content() == "ply"
        page.goto(f"{address}/g/tictactoe/?line=1-2-1&language=fa")
        assert page.locator(".chart .across text").first.text_content() == "۰"


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
            assert (
                one["right"] < other["left"]
                or other["right"] < one["left"]
                or one["bottom"] < other["top"] + 3
                or other["bottom"] < one["top"] + 3
            ), (one, other)


@pytest.mark.long(but=1)
@pytest.mark.parametrize("width", [320, 390, 820, 1440, 2560])
def test_no_structure_scrolls_from_side_to_side_and_long_ones_are_folded(
    browser: Browser, address: str, width: int
) -> None:
    chain = rs.Graph.from_edges(range(600), range(1, 601))
    with (
        serving(Library([Entry("chain", "chain", rs.solve(chain))])) as long,
        watched(browser, viewport={"width": width, "height": 800}) as page,
    ):
        for path in (
            f"{long}/g/chain/structure",
            f"{address}/g/caught/structure",
            f"{address}/g/krk/structure",
        ):
            page.goto(path)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
            assert page.evaluate("document.documentElement.scrollHeight") < 2500
            if width == 390:
                check_accessible(page)


def test_a_structure_of_many_levels_shows_the_first_ones() -> None:
    chain = rs.Graph.from_edges(range(2_600), range(1, 2_601))
    page = structure.structure_page(Entry("chain", "chain", rs.solve(chain)), "en", None)
    assert page.count('<tr><th scope="row" class="number">') == 2_000
    assert "601 more levels are not shown." in page


@pytest.mark.long
def test_a_film_is_linked_where_there_is_one(address: str) -> None:
    assert "/g/krk/film" in request(f"{address}/g/krk/")[1]
    large = rs.solve(parse_game("lgame"))  # of too many moves
    with serving(Library([Entry("lgame", "lgame", large)])) as found:
        for page in ("", "structure", "graph"):
            assert "/film" not in request(f"{found}/g/lgame/{page}")[1]
        assert request(f"{found}/g/lgame/film")[0] == 422


def test_a_structure_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    levels = structure.levels
    monkeypatch.setattr(structure, "levels", lambda solution: made.append("") or levels(solution))
    with serving(Library([Entry("s", "s", rs.solve(parse_game("stones")))], MAKERS)) as address:
        pages = {request(f"{address}/g/s/structure")[1] for _ in range(3)}
        persian = request(f"{address}/g/s/structure?language=fa")[1]
    assert (len(pages), len(made)) == (1, 2)
    assert persian not in pages


def test_a_search_for_a_zugzwang_without_one_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[rs.Solution] = []
    search = structure._some_zugzwangs
    monkeypatch.setattr(
        structure, "_some_zugzwangs", lambda solution: asked.append(solution) or search(solution)
    )
    solution = rs.solve(parse_game("chess:KRK,board=4"))
    with serving(Library([Entry("krk", "krk", solution)], MAKERS)) as address:
        answers = {request(f"{address}/g/krk/zugzwang") for _ in range(3)}
    assert [status for status, _ in answers] == [404]
    assert len(asked) == 1

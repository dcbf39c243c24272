"""Films, graphs and editors on screens of every width, by touch, in both schemes and both directions."""

import pytest
from playwright.sync_api import Browser, Page

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.web.descriptions import MAKERS
from retrosolve.web.library import Entry, Library
from tests.support.marks import SLOW
from tests.web.drawn import check_accessible, serving, watched

WIDTHS = (320, 390, 640, 900, 1440, 2560)
LONG = "a very long name of a state without any end to it whatsoever, number {}"
BOARD = "board~P....E-.xx...-...T.."
PATHS = (
    "/g/stones/film",
    "/g/tictactoe/film",
    "/g/graph/graph",
    "/g/tictactoe/graph",
    "/g/krk/graph",
    "/g/caught/film",
    f"/g/{BOARD}/film",
    "/edit/board",
    "/edit/graph",
    "/edit/board?board=" + "-".join(["." * 20] * 20),
)
READY = ".film[data-ready], .graph[data-drawn], .drawing:not([hidden])"


def overflow(page: Page) -> int:
    found: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return found


@pytest.mark.long
@pytest.mark.parametrize("language", ["ru", "fa"])
def test_no_page_scrolls_sideways(browser: Browser, address: str, language: str) -> None:
    with watched(browser) as page:
        for path in PATHS:
            page.set_viewport_size({"width": 900, "height": 800})
            separator = "&" if "?" in path else "?"
            page.goto(f"{address}{path}{separator}language={language}")
            page.wait_for_selector(READY)
            if "/film" in path:
                page.keyboard.press("End")
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 800})
                assert overflow(page) <= 0, (path, width)


@pytest.mark.long
def test_long_names_stay_within_the_page(browser: Browser) -> None:
    graph = rs.Graph.from_edges([LONG.format(1)] * 2 + ["b"], ["b", LONG.format(2), LONG.format(3)])
    library = Library([Entry("long", LONG.format(0), rs.solve(graph).with_start("b"))], MAKERS)
    with serving(library) as address, watched(browser, viewport={"width": 320, "height": 700}) as page:
        for path in ("/g/long/film", "/g/long/graph"):
            page.goto(address + path)
            page.wait_for_selector(READY)
            page.keyboard.press("End")
            assert overflow(page) <= 0, path


def test_films_and_charts_of_a_thousand_plies_stay_within_the_page(browser: Browser) -> None:
    heap = Entry("heap", "stones:n=1000", rs.solve(parse_game("stones:n=1000,take=1")))
    with serving(Library([heap], MAKERS)) as address, watched(browser) as page:
        for part in ("film", "structure"):
            page.set_viewport_size({"width": 900, "height": 800})
            page.goto(f"{address}/g/heap/{part}")
            if part == "film":
                page.wait_for_selector(READY)
                page.keyboard.press("End")
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 800})
                assert overflow(page) <= 0, (part, width)


GAMES = (
    "lgame", "connect4:rows=4,columns=4", "hexapawn", "mutorere", "quoridor:n=3,walls=1",
    "queenpawns", "foxhounds:n=4", "kalah:pits=2,seeds=2",
)  # fmt: skip


@SLOW
@pytest.mark.parametrize("language", ["ru", "fa"])
def test_no_page_of_eight_games_scrolls_sideways(browser: Browser, language: str) -> None:
    entries = [Entry(f"g{n}", game, rs.solve(parse_game(game))) for n, game in enumerate(GAMES)]
    with serving(Library(entries, MAKERS)) as address, watched(browser) as page:
        for entry in entries:
            films = ["film"] if entry.has_film else []
            for part in ("", "?hints=no&line=1", "structure", "graph", *films):
                page.set_viewport_size({"width": 900, "height": 800})
                separator = "&" if "?" in part else "?"
                page.goto(f"{address}/g/{entry.name}/{part}{separator}language={language}")
                if part in ("graph", "film"):
                    page.wait_for_selector(READY)
                for width in WIDTHS:
                    page.set_viewport_size({"width": width, "height": 800})
                    assert overflow(page) <= 0, (entry.title, part, width)


def swipe(page: Page, x: float, y: float) -> None:
    """Move a finger up by 200 pixels."""
    session = page.context.new_cdp_session(page)
    for number in range(11):
        kind = "touchMove" if number else "touchStart"
        points = [{"x": x, "y": y - 20 * number}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(400)  # the page goes on for a while


@pytest.mark.long
def test_swipes_over_a_drawing_move_the_page(browser: Browser, address: str) -> None:
    options = {"has_touch": True, "is_mobile": True, "viewport": {"width": 390, "height": 600}}
    for path, box in (
        ("/g/stones/film", "#film-graph"),
        ("/g/krk/graph", ".graph"),
        ("/g/caught/film", "#film-board"),
        ("/edit/graph", "#graph-sketch"),
    ):
        with watched(browser, **options) as page:
            page.goto(address + path)
            page.wait_for_selector(READY)
            page.evaluate(f"document.querySelector('{box}').scrollIntoView({{ block: 'center' }})")
            before = page.evaluate("scrollY")
            for _ in range(12):  # of which the first ones scroll a high drawing within its box
                if page.evaluate("scrollY") > before + 40:
                    break
                swipe(page, 200, 420)
            assert page.evaluate("scrollY") > before + 40, path


@pytest.mark.long(but=1)
@pytest.mark.parametrize("path", ["/g/tictactoe/film", "/g/stones/graph", "/edit/board", "/edit/graph"])
def test_pages_that_run_from_right_to_left_are_accessible(
    browser: Browser, address: str, path: str
) -> None:
    with watched(browser, viewport={"width": 390, "height": 844}) as page:
        page.goto(f"{address}{path}?language=fa")
        page.wait_for_selector(READY)
        check_accessible(page)

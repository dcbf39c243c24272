"""Positions that readers set up: pieces are dragged or put by clicks, and errors stay on the page."""

from gettext import NullTranslations

import pytest
from playwright.sync_api import Browser, Page, expect

import retrosolve as rs
from retrosolve.drawing.boards import board_rows
from retrosolve.games import parse_game
from retrosolve.web.library import Entry, Library
from retrosolve.web.pages import setup
from tests.web.drawn import request, serving, violations, watched
from tests.web.test_pictures import Corner

SQUARE = '#board [data-point="{}"]'
GAMES = (
    "tictactoe", "morris3", "chess:KRK,board=4", "queenpawns", "hexapawn", "foxhounds:n=4",
    "einstein:stones=2",
)  # fmt: skip


def set_up(page: Page) -> None:
    page.click("#set-up")
    page.wait_for_selector("#board.is-set-up")


def centre(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, source: str, target: tuple[float, float]) -> None:
    page.mouse.move(*centre(page, source))
    page.mouse.down()
    page.mouse.move(*target, steps=4)
    page.mouse.up()


def show(page: Page) -> None:
    page.locator("#set-up-form button:not([type])").click()


@pytest.mark.long
def test_pieces_are_dragged_along_the_board_and_off_it(browser: Browser, address: str) -> None:
    with watched(browser, viewport={"width": 1440, "height": 900}) as page:
        page.goto(f"{address}/g/krk/?line=1-1")
        before = page.inner_text("#position-text")
        set_up(page)
        drag(page, SQUARE.format("a3"), centre(page, SQUARE.format("a4")))
        page.select_option("#set-up-form select", label="Black")
        show(page)
        expect(page.locator("#position-text")).not_to_have_text(before)
        assert "at=" in page.url
        assert page.inner_text("#position-text").endswith(" b")
        assert page.inner_text("#position-text").startswith("R")
        assert page.locator("#board.is-set-up").count() == 0


def test_what_is_wrong_with_a_position_is_said_and_the_board_stays(
    browser: Browser, address: str
) -> None:
    with watched(browser, refused=1, viewport={"width": 1440, "height": 900}) as page:
        page.goto(f"{address}/g/krk/")
        before, pieces = page.url, "#board svg > g .piece"
        set_up(page)
        count = page.locator(pieces).count()
        drag(page, SQUARE.format("c1"), (5, 450))
        expect(page.locator(pieces)).to_have_count(count - 1)
        show(page)
        expect(page.locator("#set-up-form .error")).not_to_be_empty()
        assert page.url == before
        assert page.locator("#board.is-set-up").count() == 1
        drag(page, '[data-letter="k"]', centre(page, SQUARE.format("d4")))
        expect(page.locator(pieces)).to_have_count(count)
        show(page)
        expect(page.locator("#position-text")).to_have_text("3k/4/R3/K3 w")
        page.keyboard.press("ArrowLeft")  # nothing is left of the board that was set up
        expect(page.locator("#set-up-form")).to_be_hidden()


def test_pieces_are_put_by_clicks_and_by_keys(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/g/tictactoe/?line=1-1-1")
        set_up(page)
        page.locator("[data-clear]").click()
        page.click('[data-letter="X"]')
        page.click(SQUARE.format("1,1"))
        page.click(SQUARE.format("2,2"))
        page.click(SQUARE.format("2,2"))  # a second click takes it away
        page.focus('[data-letter="O"]')
        page.keyboard.press("Enter")
        page.focus(SQUARE.format("3,3"))
        page.keyboard.press("Enter")
        show(page)
        expect(page.locator("#position-text")).to_have_text("X../.../..O")
        set_up(page)
        page.click("#set-up")  # ends it
        expect(page.locator("#set-up")).to_have_attribute("aria-pressed", "false")
        page.click(SQUARE.format("1,2"))
        expect(page.locator(".plies li")).to_have_count(1)


@pytest.mark.long(but=1)
@pytest.mark.parametrize("game", GAMES)
def test_a_board_that_is_set_up_as_it_was_is_the_same_position(browser: Browser, game: str) -> None:
    solution = rs.solve(parse_game(game))
    with serving(Library([Entry("game", game, solution)])) as address, watched(browser) as page:
        page.goto(f"{address}/g/game/?line=1-1")
        before = page.inner_text("#position-text")
        drawn = page.locator("#board svg").evaluate("svg => svg.querySelectorAll('.piece').length")
        set_up(page)
        assert page.locator("#board .is-piece").count() == sum(
            cell != "." for row in board_rows(before) for cell in row
        )
        assert page.locator("#board svg > g .piece").count() == drawn
        show(page)
        page.wait_for_url("**at=**")
        assert page.inner_text("#position-text") == before


def test_a_board_of_text_is_set_up(browser: Browser) -> None:
    library = Library([Entry("corner", "corner", rs.solve(Corner()))])
    with serving(library) as address, watched(browser) as page:
        page.goto(f"{address}/g/corner/")
        set_up(page)
        drag(page, SQUARE.format("3,1"), centre(page, SQUARE.format("2,3")))
        show(page)
        expect(page.locator("#position-text")).to_have_text(".../..R/...")


def test_boards_of_other_positions_change_no_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "SAMPLED", 1)
    solution = rs.solve(parse_game("chess:KRK,board=4"))
    entry, start = Entry("game", "game", solution), solution.start
    first = setup.board_to_set_up(entry, start, NullTranslations())
    setup.board_to_set_up(entry, solution.moves(start)[0].position, NullTranslations())
    assert setup.board_to_set_up(entry, start, NullTranslations()) == first


def test_a_game_without_a_board_is_not_set_up(browser: Browser, address: str) -> None:
    for name in ("stones", "graph", "caught"):
        assert "set-up-form" not in request(f"{address}/g/{name}/")[1]
        assert request(f"{address}/g/{name}/setup")[0] == 404


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "fa"])
def test_a_board_that_is_set_up_is_accessible(browser: Browser, address: str, language: str) -> None:
    with watched(browser, viewport={"width": 390, "height": 844}) as page:
        page.goto(f"{address}/g/krk/?language={language}")
        set_up(page)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

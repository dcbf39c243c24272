"""Positions that readers set up: pieces are dragged or put by clicks, and errors stay on the page."""

from gettext import NullTranslations

import pytest
from playwright.sync_api import Browser, Page, expect

import retrosolve as rs
from retrosolve.drawing.boards import board_rows
from retrosolve.web.library import Entry
from retrosolve.web.pages import setup
from tests.web.drawn import DESKTOP, draw_along, exploring, request, watched
from tests.web.test_position import Corner, line_of, point

GAMES = {
    "tictactoe": "tictactoe", "morris3": "morris3", "krk": "chess:KRK,board=4", "queenpawns": "queenpawns",
    "hexapawn": "hexapawn", "foxhounds": "foxhounds:n=4", "einstein": "einstein:stones=2", "corner": Corner(),
}  # fmt: skip


def set_up(page: Page) -> None:
    page.click("#set-up")
    page.wait_for_selector("#board.is-set-up")


def show(page: Page) -> None:
    page.locator("#set-up-form button:not([type])").click()


def test_pieces_are_dragged_and_what_is_wrong_is_said_on_the_page(
    browser: Browser, address: str
) -> None:
    with watched(browser, refused=1, viewport=DESKTOP, base_url=address) as page:
        page.goto("/g/krk/")
        before, text, pieces = (
            page.url,
            page.locator("#position-text"),
            page.locator("#board svg > g .piece"),
        )
        set_up(page)
        count = pieces.count()
        draw_along(page, point(page, "c1"), (5, 450))
        expect(pieces).to_have_count(count - 1)
        show(page)
        expect(page.locator("#set-up-form .error")).not_to_be_empty()
        assert page.url == before
        assert page.locator("#board.is-set-up").count() == 1
        draw_along(page, page.locator('[data-letter="k"]'), point(page, "d4"))
        expect(pieces).to_have_count(count)
        show(page)
        expect(text).to_have_text("3k/4/R3/K3 w")
        page.keyboard.press("ArrowLeft")  # nothing is left of the board that was set up
        expect(page.locator("#set-up-form")).to_be_hidden()
        set_up(page)
        draw_along(page, point(page, "a2"), point(page, "b2"))
        page.select_option("#set-up-form select", label="Black")
        show(page)
        expect(text).to_have_text("3k/4/1R2/K3 b")
        assert "at=" in page.url
        assert page.locator("#board.is-set-up").count() == 0


def test_pieces_are_put_by_clicks_and_by_keys(phone: Page) -> None:
    phone.goto("/g/tictactoe/?line=1-1-1")
    set_up(phone)
    phone.locator("[data-clear]").click()
    phone.click('[data-letter="X"]')
    for name in ("1,1", "2,2", "2,2"):  # a second click takes it away
        point(phone, name).click()
    phone.focus('[data-letter="O"]')
    phone.keyboard.press("Enter")
    point(phone, "3,3").focus()
    phone.keyboard.press("Enter")
    show(phone)
    expect(phone.locator("#position-text")).to_have_text("X../.../..O")
    set_up(phone)
    phone.click("#set-up")  # ends it
    expect(phone.locator("#set-up")).to_have_attribute("aria-pressed", "false")
    point(phone, "1,2").click()
    line_of(phone, 1)


@pytest.mark.long(but=1)
@pytest.mark.parametrize("name", GAMES)
def test_a_board_that_is_set_up_as_it_was_is_the_same_position(page: Page, name: str) -> None:
    game = GAMES[name]
    with exploring(game=rs.game(game) if isinstance(game, str) else game) as address:
        page.goto(f"{address}/g/game/?line=1" + "-1" * (name != "corner"))
        before = page.inner_text("#position-text")
        drawn = page.locator("#board svg").evaluate("svg => svg.querySelectorAll('.piece').length")
        set_up(page)
        letters = sum(cell != "." for row in board_rows(before) for cell in row)
        assert page.locator("#board .is-piece").count() == letters
        assert page.locator("#board svg > g .piece").count() == drawn or name == "corner"
        show(page)
        page.wait_for_url("**at=**")
        assert page.inner_text("#position-text") == before


def test_boards_of_other_positions_change_no_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "SAMPLED", 1)
    solution = rs.solve(rs.game("chess:KRK,board=4"))
    entry, start = Entry("game", "game", solution), solution.start
    first = setup.board_to_set_up(entry, start, NullTranslations())
    setup.board_to_set_up(entry, solution.moves(start)[0].position, NullTranslations())
    assert setup.board_to_set_up(entry, start, NullTranslations()) == first


def test_a_game_without_a_board_is_not_set_up(address: str) -> None:
    for name in ("stones", "graph", "caught"):
        assert "set-up-form" not in request(f"{address}/g/{name}/")[1]
        assert request(f"{address}/g/{name}/setup")[0] == 404

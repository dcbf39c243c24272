"""Boards on pages: the pieces of a player keep their colour."""

from playwright.sync_api import Browser, Page

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.web.library import Entry, Library
from tests.web.drawn import serving, watched


def colour_at(page: Page, place: tuple[float, float]) -> str:
    """The colour of the disc at a place of the drawing."""
    found: str = page.evaluate(
        "([x, y]) => getComputedStyle([...document.querySelectorAll('#board circle.piece')]"
        ".find((disc) => Math.hypot(disc.cx.baseVal.value - x, disc.cy.baseVal.value - y) < 1)).fill",
        list(place),
    )
    return found


def test_the_pieces_of_a_player_keep_their_colour(browser: Browser) -> None:
    solution = rs.solve(parse_game("morris3"))
    centre, corner = (100.8, 100.8), (33.6, 33.6)
    with serving(Library([Entry("morris3", "morris3", solution)])) as address, watched(browser) as page:
        page.goto(f"{address}/g/morris3/")
        seen = []
        for number, point in enumerate(("2,2", "1,1", "1,2"), 1):
            page.locator(f'[data-point="{point}"]').click()
            page.locator(".plies li").nth(number - 1).wait_for()
            seen.append(colour_at(page, centre))
        assert len(set(seen)) == 1
        assert colour_at(page, corner) != seen[0]

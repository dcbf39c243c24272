"""Boards on pages: the pieces of a player keep their colour."""

from playwright.sync_api import Browser, Page, expect

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.web.library import Entry, Library
from tests.web.drawn import check_accessible, serving, watched


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


class Corner(rs.Game[int]):
    """A rook moves up or to the right; who brings it into the corner wins. No function draws it."""

    def start(self) -> int:
        return 6

    def moves(self, square: int) -> list[tuple[str, int]]:
        row, column = divmod(square, 3)
        up, right = [3 * r + column for r in range(row)], [3 * row + c for c in range(column + 1, 3)]
        return [(f"to {target}", target) for target in up + right]

    def text(self, square: int) -> str:
        cells = "." * square + "R" + "." * (8 - square)
        return "/".join((cells[:3], cells[3:6], cells[6:]))


def test_a_board_of_text_is_drawn_and_played_by_clicks(browser: Browser) -> None:
    library = Library([Entry("corner", "corner", rs.solve(Corner()))])
    with serving(library) as address, watched(browser) as page:
        page.goto(f"{address}/g/corner/")
        assert page.locator("#board [data-point]").count() == 9
        assert page.locator("#board svg text.letter").all_text_contents() == ["R"]
        page.click('#board [data-point="3,1"]')
        page.click('#board [data-point="1,1"]')
        expect(page.locator("#position-text")).to_have_text("R../.../...")
        page.drag_and_drop('#board [data-point="1,1"]', '#board [data-point="1,3"]')
        expect(page.locator(".turn")).to_contain_text("The game is over.")
        check_accessible(page)

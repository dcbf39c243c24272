"""The film shows the trace: every step of it forwards and back, in the words of explain."""

from gettext import NullTranslations
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import retrosolve as rs
from retrosolve.explanation import trace
from retrosolve.explanation.tracing import Rule
from retrosolve.games import parse_game
from retrosolve.games.stones import Stones
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.web.api import SCHEMAS
from retrosolve.web.descriptions import MAKERS, board_name
from retrosolve.web.export import export_static
from retrosolve.web.library import Entry, Library
from retrosolve.web.pages.film import film
from retrosolve.web.standalone import film_file
from tests.web.drawn import check_accessible, request, serving, watched
from tests.web.test_api import check

BOARD = "P..\n.*E\n.T."


def film_page(page: Page, address: str, name: str) -> None:
    page.goto(f"{address}/g/{name}/film")
    page.wait_for_selector("#film[data-ready]")


def shown(page: Page) -> tuple[str, str]:
    return page.inner_text("#film-heading"), page.inner_text("#film-sentence")


def test_the_film_of_stones_goes_to_its_end_and_back(browser: Browser, address: str) -> None:
    sections = rs.explain(Stones(n=10))
    expected = [(part.heading, sentence) for part in sections for sentence in part.sentences]
    with watched(browser) as page:
        film_page(page, address, "stones")
        beginning = shown(page)
        assert beginning == ("Before the start", "Nothing is decided yet.")
        found = []
        for _ in expected:
            page.keyboard.press("ArrowRight")
            found.append(shown(page))
        assert found == expected
        assert page.inner_text("#film-count") == f"Step {len(expected)} of {len(expected)}"
        page.wait_for_url(f"{address}/g/stones/film#{len(expected)}")
        page.reload()
        page.wait_for_selector("#film[data-ready]")
        page.keyboard.press("ArrowRight")
        assert shown(page) == expected[-1]
        assert [page.inner_text(f"#film-tally-{word}") for word in ("win", "loss", "open")] == [
            "7",
            "4",
            "0",
        ]
        for pair in reversed([beginning, *expected[:-1]]):
            page.keyboard.press("ArrowLeft")
            assert shown(page) == pair
        page.click("main summary")
        rows = page.locator("#film-positions tr")
        assert rows.nth(0).inner_text().split("\t") == ["10", "not decided", "2 of 2"]
        page.keyboard.press("End")
        assert rows.nth(0).inner_text().split("\t") == ["10", "▲ WIN in 7", "1 of 2"]
        assert page.locator("#film-words li[aria-current=step]").inner_text() == expected[-1][1]


def test_levels_the_slider_and_play(browser: Browser, address: str) -> None:
    headings = [part.heading for part in rs.explain(Stones(n=10))]
    with watched(browser) as page:
        film_page(page, address, "stones")
        for heading in headings:
            page.keyboard.press("Shift+ArrowRight")
            assert page.inner_text("#film-heading") == heading
        page.keyboard.press("Home")
        page.select_option("#film-unit", "level")
        slider = page.locator("#film-slider")
        assert slider.get_attribute("max") == str(len(headings))
        slider.focus()
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        assert slider.input_value() == "3"
        assert shown(page) == (headings[2], "Decided: ▼ loss 1")
        page.select_option("#film-speed", "10")
        page.click("#film-play")
        expect(page.locator("#film-heading")).to_have_text(headings[-1])
        page.wait_for_selector("#film-play[aria-label='Play the film']")
        assert page.locator("#film-now").get_attribute("aria-live") == "polite"


def test_a_persian_film_runs_from_right_to_left_in_the_words_of_explain(
    browser: Browser, address: str
) -> None:
    sections = rs.explain(Stones(n=10), language="fa")
    with watched(browser) as page:
        page.goto(f"{address}/g/stones/film?language=fa")
        page.wait_for_selector("#film[data-ready]")
        for sentence in (sections[0].sentences[0], *sections[1].sentences):
            page.keyboard.press("ArrowLeft")
            assert page.inner_text("#film-sentence") == sentence
        page.keyboard.press("ArrowRight")
        assert shown(page) == (sections[1].heading, sections[1].sentences[0])


def test_all_levels_of_a_film_are_in_sight_at_first_and_readable(
    browser: Browser, address: str
) -> None:
    with watched(browser, viewport={"width": 1100, "height": 760}) as page:
        page.goto(f"{address}/g/stones/film?language=fa")
        page.wait_for_selector("#film[data-ready]")
        graph = page.locator("#film-graph")
        assert graph.evaluate("box => box.scrollWidth <= box.clientWidth")
        name = graph.locator(".bands text").first
        assert (
            name.evaluate("text => parseFloat(getComputedStyle(text).fontSize) * text.getCTM().a") >= 12
        )


def test_the_film_of_a_board_shows_the_outcome_of_every_cell(browser: Browser, address: str) -> None:
    game = PoliceAndThief.from_text(BOARD)
    solution = rs.solve(game)
    with watched(browser) as page:
        film_page(page, address, board_name(game.board))
        cells = page.locator(".film-board td:not(.is-wall)")
        assert cells.nth(0).inner_text() == "3/3"
        page.select_option("#film-unit", "level")
        page.focus("#film-last")
        page.keyboard.press("Enter")
        assert page.locator(".is-fixed").get_attribute("data-at") == "2,1"
        page.locator(".is-fixed").focus()
        for key in ("ArrowUp", "ArrowLeft", "Enter"):  # over the wall, to the corner
            page.keyboard.press(key)
        assert page.locator(".is-fixed").get_attribute("data-at") == "0,0"
        for turn in (0, 1):
            page.select_option("#film-turn", str(turn))
            said = [place.get_attribute("aria-label") for place in cells.all()]
            expected = []
            for row, column in [(1, 1), (1, 2), (1, 3), (2, 1), (2, 3), (3, 1), (3, 2), (3, 3)]:
                outcome = solution[(row, column), (1, 1), game.players[turn]]
                exit_here = "exit, " * ((row, column) == (2, 3))
                expected.append(f"row {row}, column {column}: {exit_here}{outcome}")
            assert said == expected


def test_single_steps_on_a_board_show_the_position_that_they_are_about(
    browser: Browser, address: str
) -> None:
    game = PoliceAndThief.from_text(BOARD)
    found = trace(game)
    with watched(browser) as page:
        film_page(page, address, board_name(game.board))
        page.select_option("#film-unit", "step")
        first = next(number for number, event in enumerate(found.events) if event.rule is Rule.REFUTED)
        for number in (first, len(found.levels[0].events), len(found.events) - 1):
            page.locator("#film-slider").fill(str(number + 1))
            event = found.events[number]
            policeman, thief, turn = game.position(event.vertex)
            mover, other = (policeman, thief) if turn == "policeman" else (thief, policeman)
            current = page.locator(".film-board .is-current")
            assert current.get_attribute("data-at") == f"{mover[0] - 1},{mover[1] - 1}"
            assert (
                page.locator(".is-fixed").get_attribute("data-at") == f"{other[0] - 1},{other[1] - 1}"
            )
            said = str(event.outcome) if event.outcome else f"{event.open_moves} of"
            assert said in (current.get_attribute("aria-label") or "")
            assert page.locator(".film-board .is-target").count() == len(found.deciding_moves(event))


def test_films_are_accessible(browser: Browser, address: str) -> None:
    with watched(browser, viewport={"width": 380, "height": 800}) as page:
        for name in ("graph~a-0s.b-1.c-0l~a-b.b-c.c-a", "board~P..-.xE-.T."):
            film_page(page, address, name)
            page.keyboard.press("End")
            check_accessible(page)


def test_a_game_too_large_for_the_film_is_refused_in_a_sentence(address: str) -> None:
    large = "board~" + "-".join(["." * 12] * 12)
    for url in (f"/g/{large}/film", f"/api/games/{large}/film"):
        status, answer = request(address + url)
        assert status == 422
        assert "too many to trace one by one: expected at most 131072" in str(answer)
    status, answer = request(f"{address}/api/games/tictactoe/film")
    assert status == 200
    check(SCHEMAS["Film"], answer)
    assert answer["drawn"] is False
    assert len(answer["trace"]["names"]) == 5478


@pytest.mark.long
def test_a_film_counts_positions_not_indices() -> None:
    board = rs.Board.grid(3, 3)
    moves = board.steps("orthogonal") + board.jumps("orthogonal")
    game = rs.BoardGame(board, moves, start="OOO/.../XXX", symmetry=True)
    solution = rs.solve(game)
    assert (len(solution), solution.space.num_vertices) == (943, 1565)
    said = "943 positions are too many to draw"
    assert said in film_file(solution, "leap", "en")
    with serving(Library([Entry("leap", "leap", solution)], MAKERS)) as address:
        assert said in request(f"{address}/g/leap/film")[1]


@pytest.mark.parametrize(
    ("text", "objective"),
    [
        ("dots:rows=1,columns=1", "score"),
        ("ur:pieces=1", "chance"),
        ("chess:KRK,board=3", "conversion"),
    ],
)
def test_what_an_objective_cannot_show_is_absent_or_refused(
    text: str, objective: str, tmp_path: Path
) -> None:
    solution = rs.solve(parse_game(text), objective=objective)
    for door in (
        lambda: trace(solution),
        lambda: rs.explain(solution),
        lambda: rs.write_film(solution, tmp_path / "film.html"),
    ):
        with pytest.raises(rs.GraphError):
            door()
    assert not (tmp_path / "film.html").exists()
    with serving(Library([Entry("game", "game", solution)])) as address:
        for page in ("", "structure", "graph"):
            assert "/film" not in request(f"{address}/g/game/{page}")[1]
        for page in ("g/game/film", "g/game/film.html", "api/games/game/film"):
            assert request(f"{address}/{page}")[0] == 422
    if objective != "chance":
        export_static(solution, "game", tmp_path / "site")
        assert not (tmp_path / "site" / "film.html").exists()
        assert "film.html" not in (tmp_path / "site" / "index.html").read_text("utf-8")


def test_rules_that_throw_dice_have_no_steps() -> None:
    with pytest.raises(rs.GraphError):
        trace(parse_game("ur:pieces=1"))
    assert trace(parse_game("dots:rows=1,columns=1"), objective="outcome").levels


def test_without_javascript_the_page_of_the_film_has_its_words(address: str) -> None:
    status, page = request(f"{address}/g/stones/film")
    assert status == 200
    assert f"<pre>{rs.explain(Stones(n=10))}</pre>" in page


def test_cells_of_a_film_are_numbered_as_positions() -> None:
    library = Library([], MAKERS)
    entry = library.entry(board_name(PoliceAndThief.from_text(BOARD).board))
    found = film(entry)
    cells, space = found["board"]["cells"], entry.solution.space
    k = len(cells)
    for turn, player in enumerate(found["board"]["players"]):
        for p, (row, column) in enumerate(cells):
            for t, (down, right) in enumerate(cells):
                position = (row + 1, column + 1), (down + 1, right + 1), player
                assert space.index(position) == (turn * k + p) * k + t
    assert space.position(found["board"]["start"]) == space.start
    assert found["board"]["rows"] == ["...", ".*E", "..."]


def test_a_game_with_another_kind_of_board_is_no_board_of_a_film() -> None:
    entry = Entry("krk", "krk", rs.solve(parse_game("chess:KRK,board=3")))
    assert film(entry)["board"] is None


class Loud(NullTranslations):
    """A language of capitals."""

    def gettext(self, message: str) -> str:
        return message.upper()


def test_words_of_a_film_are_translated() -> None:
    entry = Entry("stones", "stones", rs.solve(Stones(n=3)))
    found = film(entry, Loud())
    assert found["words"]["sentences"]["stuck"] == "{NAME} HAS NO MOVE: {OUTCOME}."
    assert found["trace"] == trace(entry.solution).to_json()


def test_a_game_of_three_hundred_positions_is_drawn() -> None:
    drawn = film(Entry("s", "s", rs.solve(Stones(n=299))))
    assert drawn["drawn"] is True
    assert film(Entry("s", "s", rs.solve(Stones(n=300))))["drawn"] is False

"""The catalogue: games that are solved on request, with progress, limits, and a way to stop."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, expect

import retrosolve as rs
from retrosolve.games import GAMES
from retrosolve.games.table import spec_of
from retrosolve.languages import LANGUAGES, translation
from retrosolve.solution import Solution
from retrosolve.web.app import application
from retrosolve.web.descriptions import MAKERS
from retrosolve.web.jobs import BusyError, Solving, Task
from retrosolve.web.library import Library
from retrosolve.web.server import Background, listen
from tests.web.drawn import PATIENCE, PHONE, check_accessible, read, request, watched


@contextmanager
def catalogue(limit: int = 10**6, memory: str = "1GB") -> Iterator[tuple[str, Solving, Library]]:
    """An explorer without a game, what solves for it, and where its games are then."""
    solving, library = Solving(limit, memory), Library([], MAKERS)
    listening = listen("127.0.0.1", 0)
    with Background(application(library, solving=solving), listening):
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}", solving, library
        finally:
            solving.close()
    listening.close()


@pytest.fixture(scope="module")
def offered() -> Iterator[tuple[str, Solving, Library]]:
    with catalogue() as found:
        yield found


@pytest.mark.long
def test_a_game_of_the_catalogue_is_solved_played_and_its_film_watched_on_a_phone(
    browser: Browser, offered: tuple[str, Solving, Library]
) -> None:
    with watched(browser, viewport=PHONE, has_touch=True, base_url=offered[0]) as page:
        page.goto("/")
        check_accessible(page)
        card = page.locator(".card", has_text="Tic-tac-toe")
        expect(card).to_contain_text("Three marks in a row win")
        expect(card).to_contain_text("5,478 positions")
        card.get_by_role("button").tap()
        expect(page.locator("#verdict")).to_contain_text("The game ends without a winner in 9 plies")
        page.select_option("select[name=mistakes]", "0.0")
        page.select_option("select[name=you]", "0")
        page.get_by_role("button", name="Play").tap()
        for ply in (0, 2, 4, 6, 8):
            expect(page.locator(".plies li")).to_have_count(ply)
            best = page.locator("a.move").first.get_attribute("data-points")
            page.locator(f'#board [data-point="{json.loads(best or "")[0]}"]').tap()
            expect(page.locator(".plies li")).to_have_count(min(ply + 2, 9))
        expect(page.locator(".turn")).to_contain_text("The game is over.")
        page.get_by_role("link", name="Film").tap()
        page.wait_for_selector("#film[data-ready]")
        before = page.inner_text("#film-tally-open")
        page.locator("#film-level-forward").tap()
        expect(page.locator("#film-tally-open")).not_to_have_text(before)
        page.locator("#film-play").tap()
        expect(page.locator("#film-heading")).to_contain_text("Level")
        assert page.evaluate("[visualViewport.scale, document.documentElement.scrollWidth]") == [1, 390]
        page.goto("/games")
        assert page.locator(".card h2 a").all_inner_texts() == ["Tic-tac-toe"]


def test_every_game_of_the_catalogue_has_a_picture_and_rules_in_every_language(
    offered: tuple[str, Solving, Library],
) -> None:
    for name, spec in GAMES.items():
        status, picture = request(f"{offered[0]}/catalogue/{name}.svg")
        assert (status == 200 and picture.startswith("<svg")) == spec.has_picture, name
        assert spec_of(rs.game(name)) is spec
        for to in map(translation, LANGUAGES):
            assert to.gettext(spec.title)
            assert (to.gettext(spec.rules) == spec.rules) == (to is translation("en"))
    assert request(f"{offered[0]}/catalogue/nothing.svg")[0] == 404


@pytest.mark.long
def test_a_solve_shows_how_far_it_is_and_is_stopped(browser: Browser, address: str) -> None:
    assert request(f"{address}/solve", b"game=stones")[0] == 404  # an explorer without a catalogue
    with catalogue(limit=10**9, memory="4GB") as (offering, solving, library):
        with watched(browser, base_url=offering) as page:
            page.goto("/")
            page.locator(".card", has_text="Teeko").get_by_role("button").click()
            expect(page.locator("progress")).to_be_visible()
            check_accessible(page)
            status, text = request(f"{offering}/g/teeko/")
            assert status == 202
            assert (
                '<noscript><meta http-equiv="refresh"' in text
            )  # without scripts alone it is loaded anew
            assert request(f"{offering}/solve", b"game=stones")[0] == 409  # one at a time
            page.get_by_role("button", name="Stop").click()
            expect(page.locator("main")).to_contain_text("the solve was stopped")
        assert request(f"{offering}/g/teeko/")[0] == 422
        request(f"{offering}/solve", b"game=stones")
        task = library.task("stones")
        assert task is None or task.ended.wait(PATIENCE)
        assert "First player wins in 7 plies" in read(f"{offering}/g/stones/?language=en")
        assert solving.folder.exists()
    assert not solving.folder.exists()


def test_one_game_is_solved_at_a_time() -> None:
    done: list[Solution] = []

    def finish(task: Task, solution: Solution) -> None:
        done.append(solution)

    solving = Solving()
    task = solving.begin("stones:n=4", "stones", finish)
    with pytest.raises(BusyError):
        solving.begin("stones:n=5", "other", finish)
    assert task.ended.wait(PATIENCE)
    assert str(done[0][4]) == "WIN in 3"
    solving.close()


@pytest.mark.parametrize(
    "game",
    [
        "nonsense",
        "police:/etc/passwd",
        "Police:/etc/passwd",
        "police:stay=both,board=/etc/passwd",
        "cops:graph=/etc/passwd",
        "teeko",
    ],
)
def test_games_that_are_too_large_or_read_files_are_refused(
    offered: tuple[str, Solving, Library], game: str
) -> None:
    status, _ = request(f"{offered[0]}/solve", f"game={game}".encode())
    if game == "teeko":  # its size is known to the process that would solve it
        task = offered[2].tasks()[-1]
        assert task.ended.wait(PATIENCE)
        status, _ = request(f"{offered[0]}/g/teeko/")
    assert status == 422

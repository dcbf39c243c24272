"""The catalogue: games that are solved on request, with progress, limits, and a way to stop."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from retrosolve.games import GAMES, parse_game
from retrosolve.games.table import spec_of
from retrosolve.languages import LANGUAGES, translation
from retrosolve.solution import Solution
from retrosolve.web.app import application
from retrosolve.web.descriptions import MAKERS
from retrosolve.web.jobs import BusyError, Solving, Task
from retrosolve.web.library import Library
from retrosolve.web.server import Background, listen
from tests.web.drawn import check_accessible, request, watched

PHONE = {"width": 390, "height": 844}


@contextmanager
def catalogue(limit: int = 10**6, memory: str = "1GB") -> Iterator[tuple[str, Solving]]:
    """An explorer without a game, and what solves for it."""
    solving = Solving(limit, memory)
    listening = listen("127.0.0.1", 0)
    with Background(application(Library([], MAKERS), solving=solving), listening):
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}", solving
        finally:
            solving.close()
    listening.close()


def finished(url: str) -> tuple[int, Any]:
    """The answer of a page once its game is no longer being solved, for half a minute at most."""
    for _ in range(100):
        status, page = request(url)
        if status != 202:
            break
        time.sleep(0.3)
    return status, page


@pytest.fixture(scope="module")
def offered() -> Iterator[tuple[str, Solving]]:
    with catalogue() as found:
        yield found


@pytest.mark.long
def test_a_game_of_the_catalogue_is_solved_played_and_its_film_watched_on_a_phone(
    browser: Browser, offered: tuple[str, Solving]
) -> None:
    with watched(browser, viewport=PHONE, has_touch=True) as page:
        page.goto(offered[0])
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
        page.goto(f"{offered[0]}/games")
        assert page.locator(".card h2 a").all_inner_texts() == ["Tic-tac-toe"]


def test_every_game_of_the_catalogue_has_a_picture_and_rules_in_every_language(
    offered: tuple[str, Solving],
) -> None:
    for name, spec in GAMES.items():
        status, picture = request(f"{offered[0]}/catalogue/{name}.svg")
        assert (status == 200 and picture.startswith("<svg")) == spec.has_picture, name
        assert spec_of(parse_game(name)) is spec
        for code in LANGUAGES:
            to = translation(code)
            texts = [to.gettext(spec.title), to.gettext(spec.rules)]
            assert all(texts)
            if code != "en":
                assert texts[1] != spec.rules
    assert request(f"{offered[0]}/catalogue/nothing.svg")[0] == 404


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        ("teeko", "indices: expected at most 1,000,000, the limit here"),
        ("nonsense", "there is no game &#39;nonsense&#39;"),
        ("police:/etc/passwd", "the catalogue reads no files"),
        ("Police:/etc/passwd", "the catalogue reads no files"),
        ("police:stay=both,board=/etc/passwd", "the catalogue reads no files"),
        ("cops:graph=/etc/passwd", "the catalogue reads no files"),
    ],
)
def test_games_that_are_too_large_or_none_are_refused(
    offered: tuple[str, Solving], game: str, sentence: str
) -> None:
    status, page = request(f"{offered[0]}/solve", f"game={game}".encode())
    if status == 202:
        status, page = finished(f"{offered[0]}/g/{game}/")
    assert status == 422
    assert sentence in page


@pytest.mark.long
def test_a_solve_shows_how_far_it_is_and_is_stopped(browser: Browser) -> None:
    with catalogue(limit=10**9, memory="4GB") as (address, solving):
        with watched(browser) as page:
            page.goto(address)
            page.locator(".card", has_text="Teeko").get_by_role("button").click()
            expect(page.locator("progress")).to_be_visible()
            expect(page.locator("main")).to_contain_text("This game is being solved.")
            page.evaluate("window.isFirst = true")
            check_accessible(page)
            page.wait_for_timeout(2500)  # without scripts the page would be loaded anew by now
            assert page.evaluate("window.isFirst")
            status, refusal = request(f"{address}/solve", b"game=stones")
            assert status == 409
            assert "teeko is being solved" in refusal
            page.get_by_role("button", name="Stop").click()
            expect(page.locator("main")).to_contain_text("the solve was stopped")
        assert request(f"{address}/g/teeko/")[0] == 422
        request(f"{address}/solve", b"game=stones")
        page_of_stones = finished(f"{address}/g/stones/")[1]
        assert "First player wins in 7 plies" in page_of_stones
        folder = solving.folder
        assert folder.exists()
    assert not folder.exists()


def test_one_game_is_solved_at_a_time(tmp_path: Path) -> None:
    done: list[Solution] = []

    def finish(task: Task, solution: Solution) -> None:
        done.append(solution)

    solving = Solving()
    task = solving.begin("stones:n=4", "stones", finish)
    with pytest.raises(BusyError, match="stones:n=4 is being solved: expected to wait"):
        solving.begin("stones:n=5", "other", finish)
    assert task.ended.wait(60)
    assert str(done[0][4]) == "WIN in 3"
    solving.close()
    assert not solving.folder.exists()


def test_a_board_of_the_command_line_has_no_catalogue(address: str) -> None:
    assert request(f"{address}/solve", b"game=stones")[0] == 404

"""Pages in one file: they open from a disk, load nothing, and say what the library says."""

import json
import re
import resource
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.games import parse_game
from retrosolve.games.stones import Stones
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.testing import random_board
from retrosolve.web.film_file import write_film
from retrosolve.web.library import Entry
from retrosolve.web.pages.film import film
from retrosolve.web.standalone import STATIC, bundled, drawing_file
from tests.web.drawn import check_accessible, watched
from tests.web.test_export import hosted

BOARD = "P..\n.*E\n.T."


def opened(page: Page, path: Path) -> list[str]:
    """Open a file in a browser; returns the addresses that it asks for, filled as it asks."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    page.wait_for_selector("#film[data-ready]")
    return asked


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "fa"])
def test_a_film_in_a_file_is_that_of_explain(browser: Browser, tmp_path: Path, language: str) -> None:
    write_film(rs.solve(Stones(n=10)), tmp_path / "film.html", "Stones", language)
    sections = rs.explain(Stones(n=10), language=language)
    with watched(browser) as page:
        asked = opened(page, tmp_path / "film.html")
        assert asked == [(tmp_path / "film.html").as_uri()]
        for part in sections:
            for sentence in part.sentences:
                page.click("#film-forward")
                assert page.inner_text("#film-heading") == part.heading
                assert page.inner_text("#film-sentence") == sentence
        check_accessible(page)


def test_a_board_plays_as_a_film_from_a_file(browser: Browser, tmp_path: Path) -> None:
    game = PoliceAndThief.from_text(BOARD)
    solution = rs.solve(game)
    write_film(solution, tmp_path / "film.html")
    with watched(browser, viewport={"width": 390, "height": 844}) as page:
        opened(page, tmp_path / "film.html")
        page.keyboard.press("End")
        cells = page.locator(".film-board td:not(.is-wall)")
        page.select_option("#film-turn", "0")
        page.select_option("#film-fixed", "0")
        page.locator('.film-board td[data-at="0,0"]').click()
        outcome = solution[(1, 1), (3, 2), "policeman"]
        label = page.locator('.film-board td[data-at="2,1"]').get_attribute("aria-label")
        assert label == f"row 3, column 2: {outcome}"
        assert cells.count() == 8
        check_accessible(page)


def test_a_game_that_is_not_drawn_shows_the_position_of_each_step(
    browser: Browser, tmp_path: Path
) -> None:
    write_film(rs.solve(parse_game("tictactoe")), tmp_path / "film.html")
    with watched(browser) as page:
        opened(page, tmp_path / "film.html")
        page.select_option("#film-unit", "step")
        page.click("#film-forward")
        assert re.match("Decided: ", page.inner_text("#film-sentence"))  # all ends of the game at once
        page.click("#film-forward")
        boards = page.locator(".film-position .squares")
        expect(boards).to_have_count(2)
        source, target = ("".join(board.locator("td").all_inner_texts()) for board in boards.all())
        assert len(target) == len(source) + 1
        assert set(target) <= {"X", "O"}
        page.click("#film-back")
        page.click("#film-back")
        assert page.inner_text("#film-count").startswith("Step 0 of ")
        check_accessible(page)


def test_the_line_of_the_algorithm_and_the_counter_follow_the_steps(
    browser: Browser, tmp_path: Path
) -> None:
    graph = rs.Graph.from_edges(["a", "a", "b", "c"], ["b", "c", "d", "d"])
    write_film(rs.solve(graph), tmp_path / "film.html")
    with watched(browser) as page:
        opened(page, tmp_path / "film.html")
        lines = page.locator("#film-code [aria-current]")
        said = []
        for _ in range(5):
            page.keyboard.press("ArrowRight")
            said.append((lines.all_inner_texts(), page.inner_text("#film-counter")))
        win = "if the move wins, its position is a WIN"
        lower = "if the move loses, lower the counter of its position;"
        assert said == [
            (["decide every position where the game is over"], ""),
            ([win], ""),
            ([win], ""),
            ([lower], "counter of a: 2 → 1"),
            ([lower, "if the counter is 0, the position is a LOSS"], "counter of a: 1 → 0"),
        ]


def test_the_controls_and_the_board_of_a_film_are_on_one_screen_of_a_phone(
    browser: Browser, tmp_path: Path
) -> None:
    write_film(rs.solve(PoliceAndThief.from_text(BOARD)), tmp_path / "film.html")
    with watched(browser, viewport={"width": 390, "height": 844}, has_touch=True) as page:
        opened(page, tmp_path / "film.html")
        page.select_option("#film-unit", "level")
        page.tap("#film-forward")
        page.evaluate("document.getElementById('film-board').scrollIntoView({ block: 'end' })")
        box = page.locator("#film-play").bounding_box()
        assert box is not None
        assert 0 <= box["y"] < 100  # the bar stays while the page scrolls
        board = page.locator(".film-board").bounding_box()
        assert board is not None
        assert board["y"] > box["y"] + box["height"]
        assert board["y"] + board["height"] <= 845


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1440, 900)])
def test_a_graph_is_readable_from_the_first_frame(
    browser: Browser, tmp_path: Path, width: int, height: int
) -> None:
    write_film(rs.solve(parse_game("hexapawn")), tmp_path / "film.html")
    with watched(browser, viewport={"width": width, "height": height}, has_touch=True) as page:
        opened(page, tmp_path / "film.html")
        height_of_text = "parseFloat(getComputedStyle(document.querySelector('.graph-view')).fontSize)"
        scale = "document.querySelector('.graph-view').getBoundingClientRect().width"
        scale += " / document.querySelector('.graph-view').viewBox.baseVal.width"
        assert page.evaluate(f"{height_of_text} * {scale}") >= 11.9
        page.keyboard.press("End")
        graph = page.locator("#film-graph").bounding_box()
        current = page.locator(".node.current").last.bounding_box()
        assert graph is not None
        assert current is not None
        assert graph["x"] - 6 <= current["x"] < graph["x"] + graph["width"]
        assert page.locator(".node image").count() == 135
        before = page.locator(".graph-view").evaluate("svg => svg.clientWidth")
        page.click(".film-zoom [data-zoom=in]")
        assert page.locator(".graph-view").evaluate("svg => svg.clientWidth") > before
        page.click(".film-zoom [data-zoom=fit]")
        assert page.locator("#film-graph").evaluate("e => e.scrollWidth <= e.clientWidth + 1")


def test_a_script_in_one_file_has_each_module_once_and_keeps_their_names_apart() -> None:
    script = bundled("film-page.js")
    for name in ("film.js", "film-model.js", "graph-view.js", "film-board.js"):
        assert script.count(f"const module_{re.sub(r'[^a-z]', '_', name)} = ") == 1
    assert not re.search(r"^(import|export) ", script, re.MULTILINE)
    names = {path.name for path in STATIC.glob("*.js")}
    assert {"solver.js", "trace.js", "film-page.js"} <= names


def test_names_in_a_film_are_text(browser: Browser, tmp_path: Path) -> None:
    name = "</script><script>alert(1)</script>&amp;"
    graph = rs.Graph.from_edges([name], ["b"])
    write_film(rs.solve(graph), tmp_path / "film.html", name)
    with watched(browser) as page:
        opened(page, tmp_path / "film.html")
        page.keyboard.press("End")
        assert name in page.inner_text("#film-sentence")


@pytest.mark.long
def test_the_command_writes_a_film(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "film.html"
    assert run(["film", "stones:n=5", str(out), "--language", "ru"]) == 0
    assert f"wrote {out}, " in capsys.readouterr().out
    assert '<html lang="ru" dir="ltr">' in out.read_text("utf-8")
    assert run(["film", "chess:KRK", str(out)]) == 2
    assert "too many to trace one by one" in capsys.readouterr().err
    assert run(["film", "stones:n=5", str(tmp_path)]) == 2
    assert "it is a folder, expected a file" in capsys.readouterr().err
    with pytest.raises(rs.FormatError, match=r"film\.gif' has no known ending: expected one of .html"):
        rs.write_film(rs.solve(Stones(n=5)), tmp_path / "film.gif")
    with pytest.raises(rs.GraphError, match="is no solution: expected one of solve"):
        rs.write_film(Stones(n=5), tmp_path / "film.gif")  # type: ignore[arg-type]
    assert not (tmp_path / "film.gif").exists()


def test_a_film_that_cannot_be_written_leaves_the_earlier_one(tmp_path: Path) -> None:
    file = tmp_path / "film.html"
    file.write_text("earlier")
    solution, before = rs.solve(Stones(n=5)), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        with pytest.raises(rs.FormatError, match=r"film\.html: File too large$"):
            rs.write_film(solution, file)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert [(path, path.read_text()) for path in tmp_path.iterdir()] == [(file, "earlier")]


def test_the_page_of_a_film_saves_it_as_a_file(browser: Browser, address: str, tmp_path: Path) -> None:
    with watched(browser, accept_downloads=True) as page:
        page.goto(f"{address}/g/stones/film?language=tr")
        with page.expect_download() as download:
            page.get_by_role("link", name="Filmi dosya olarak kaydet").click()
        download.value.save_as(tmp_path / "film.html")
        opened(page, tmp_path / "film.html")
        assert page.locator("html").get_attribute("lang") == "tr"


FILM_DATA = """async ([boards]) => {
  const [{ filmOfBoard }, { solvedBoard }, { editorData }] = await Promise.all(
    ["drawn-film", "drawn-games", "solving"].map((name) => import(`/static/${name}.js`)));
  const { words, film } = editorData();
  return boards.map((text) => filmOfBoard(solvedBoard(text, words, 20), film));
}"""


def drawn(page: Page, folder: Path, kind: str, language: str = "en", place: str = "") -> None:
    """Open an editor in one file."""
    path = folder / f"draw-{kind}.html"
    path.write_text(drawing_file(kind, language), encoding="utf-8")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri() + place)
    page.wait_for_selector(".drawing:not([hidden])")
    assert asked == [path.as_uri()]


@pytest.mark.long
def test_a_board_is_drawn_and_its_film_watched_without_a_server(
    browser: Browser, tmp_path: Path
) -> None:
    with watched(browser, viewport={"width": 390, "height": 844}) as page:
        drawn(page, tmp_path, "board")
        expect(page.locator("#verdict")).to_have_text("Police catches the thief in 9 plies")
        page.fill("#board-text", BOARD)
        page.click("#board-form button")
        board = PoliceAndThief.from_text(BOARD)
        outcome = rs.solve(board)[board.start()]
        expect(page.locator("#verdict")).to_contain_text(f"in {outcome.remoteness} pl")
        check_accessible(page)
        page.click("#film-link")
        page.wait_for_selector("#film[data-ready]")
        steps = rs.explain(board)
        page.select_option("#film-unit", "step")
        page.click("#film-forward")
        for sentence in steps[1].sentences[:5]:
            page.click("#film-forward")
            assert page.inner_text("#film-sentence") == sentence
        check_accessible(page)
        # Another drawing has another film, and its keys reach that one alone.
        page.fill("#board-text", "PT")
        page.locator("#board-form button").first.click()
        expect(page.locator("#verdict")).to_have_text("Police catches the thief in 1 ply")
        page.click("#film-link")
        page.wait_for_selector("#film[data-ready]")
        expect(page.locator(".film-board td")).to_have_count(2)
        page.locator("h1").click()
        page.keyboard.press("End")
        total = len(rs.explain(PoliceAndThief.from_text("PT")))
        assert total
        assert page.inner_text("#film-count").startswith("Step ")
        expect(page.locator("#film-tally-open")).to_have_text("0")


@pytest.mark.long
def test_a_graph_is_drawn_in_a_file_and_its_address_describes_it(
    browser: Browser, tmp_path: Path
) -> None:
    with watched(browser) as page:
        drawn(page, tmp_path, "graph", "ru", "#graph=a!20b-0s.c-1w~a!20b-c")
        expect(page.locator("#verdict")).to_contain_text("Из a b")
        page.fill("#graph-text", "x,y\ny,z\n")
        page.locator("#graph-form button").first.click()
        page.wait_for_url("**#graph=x.y.z~x-y.y-z")
        page.click("#film-link")
        page.wait_for_selector("#film[data-ready] .graph-view")
        page.keyboard.press("End")
        sections = rs.explain(rs.Graph.from_edges(["x", "y"], ["y", "z"]), language="ru")
        assert page.inner_text("#film-sentence") == sections[-1].sentences[-1]
        check_accessible(page)
        page.fill("#graph-text", "{}")
        page.locator("#graph-form button").first.click()
        expect(page.locator("#error")).to_contain_text("JSON")


@pytest.mark.long
def test_a_film_that_is_traced_in_the_page_is_that_of_the_library(
    browser: Browser, tmp_path: Path
) -> None:
    boards = [random_board(seed, 3) for seed in range(30)]
    (tmp_path / "static").symlink_to(STATIC)
    page_text = drawing_file("board").replace("script-src ", "script-src 'self' ")
    (tmp_path / "index.html").write_text(page_text, encoding="utf-8")
    with hosted(tmp_path) as address, watched(browser) as page:
        page.goto(address)
        found = page.evaluate(FILM_DATA, [boards])
    for text, here in zip(boards, found, strict=True):
        entry = Entry("", "", rs.solve(PoliceAndThief.from_text(text)))
        assert here == json.loads(json.dumps(film(entry))), text

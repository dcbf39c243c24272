"""Films: every step of the trace forwards and back in the words of explain, on pages and in files of their own."""

import json
import re
import resource
from gettext import NullTranslations
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.explanation import trace
from retrosolve.explanation.tracing import Rule
from retrosolve.games.stones import Stones
from retrosolve.languages import LANGUAGES
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.testing import random_board
from retrosolve.web.api import SCHEMAS
from retrosolve.web.descriptions import MAKERS, board_name
from retrosolve.web.film_file import write_film
from retrosolve.web.library import Entry, Library
from retrosolve.web.pages.film import film
from retrosolve.web.standalone import STATIC, bundled, drawing_file, film_file
from tests.web.drawn import PHONE, box, check_accessible, exploring, hosted, read, request, watched
from tests.web.test_api import check
from tests.web.test_export import Leap

BOARD = "P..\n.*E\n.T."
FILM = board_name(PoliceAndThief.from_text(BOARD).board)
FILM_DATA = """async ([boards]) => {
  const [{ filmOfBoard }, { solvedBoard }, { editorData }] = await Promise.all(
    ["drawn-film", "drawn-games", "solving"].map((name) => import(`/static/${name}.js`)));
  const { words, film } = editorData();
  return boards.map((text) => filmOfBoard(solvedBoard(text, words, 20), film));
}"""


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    page.wait_for_selector("#film[data-ready]")
    return page


def shown(page: Page) -> tuple[str, str]:
    return page.inner_text("#film-heading"), page.inner_text("#film-sentence")


def words_of(game: Any, language: str = "en") -> list[tuple[str, str]]:
    """The headings and sentences of a film, as the library explains."""
    parts = rs.explain(game, language=language)
    return [(part.heading, sentence) for part in parts for sentence in part.sentences]


def in_file(page: Page, path: Path, game: Any, *more: str) -> Page:
    """Write the film of a game and open it from the disk; it loads nothing else."""
    asked: list[str] = []
    write_film(rs.solve(game), path, *more)
    page.on("request", lambda request: asked.append(request.url))
    opened(page, path.as_uri())
    assert asked == [path.as_uri()]
    return page


@pytest.mark.long(but=1)
@pytest.mark.parametrize("language", ["en", "fa", "ru"])
def test_a_film_goes_to_its_end_and_back_in_the_words_of_explain(
    page: Page, address: str, language: str
) -> None:
    expected = words_of(Stones(n=10), language)
    onward, back = ("ArrowLeft", "ArrowRight") if language == "fa" else ("ArrowRight", "ArrowLeft")
    opened(page, f"/g/stones/film?language={language}")
    beginning, found = shown(page), []
    for _ in expected:
        page.keyboard.press(onward)
        found.append(shown(page))
    assert found == expected
    page.wait_for_url(f"**/g/stones/film?language={language}#{len(expected)}")
    page.reload()
    page.wait_for_selector("#film[data-ready]")
    page.keyboard.press(onward)
    assert shown(page) == expected[-1]
    for pair in reversed([beginning, *expected[:-1]]):
        page.keyboard.press(back)
        assert shown(page) == pair
    runs = page.evaluate("getComputedStyle(document.querySelector('#film')).direction")
    assert runs == LANGUAGES[language].direction
    left, right = (box(page.locator(f"#film-{name}"))["x"] for name in ("back", "forward"))
    assert (left < right) == (onward == "ArrowRight")
    title = page.get_attribute("#film-forward", "title") or ""
    assert title.endswith("(→)" if left < right else "(←)")
    turned = page.evaluate("getComputedStyle(document.querySelector('#film-play')).transform")
    assert turned.startswith("matrix(-1") == (left > right)
    for focus in ("#film-forward", "#film-slider"):
        page.focus(focus)
        for key, value in ((onward, "1"), (back, "0")):
            page.keyboard.press(key)
            assert page.input_value("#film-slider") == value
    if language == "en":
        page.click("main summary")
        rows = page.locator("#film-positions tr")
        assert rows.nth(0).inner_text().split("\t") == ["10", "not decided", "2 of 2"]
        page.keyboard.press("End")
        assert rows.nth(0).inner_text().split("\t") == ["10", "▲ WIN in 7", "1 of 2"]
        tally = [page.inner_text(f"#film-tally-{word}") for word in ("win", "loss", "open")]
        assert tally == ["7", "4", "0"]
        assert page.locator("#film-words li[aria-current=step]").inner_text() == expected[-1][1]
        assert f"<pre>{rs.explain(Stones(n=10))}</pre>" in read(
            f"{address}/g/stones/film"
        )  # without JavaScript


def test_levels_the_slider_and_play(phone: Page) -> None:
    headings = [part.heading for part in rs.explain(Stones(n=10))]
    opened(phone, "/g/stones/film")
    for heading in headings:
        phone.keyboard.press("Shift+ArrowRight")
        assert phone.inner_text("#film-heading") == heading
    phone.keyboard.press("Home")
    phone.select_option("#film-unit", "level")
    slider = phone.locator("#film-slider")
    assert slider.get_attribute("max") == str(len(headings))
    slider.focus()
    for _ in range(3):
        phone.keyboard.press("ArrowRight")
    assert slider.input_value() == "3"
    assert shown(phone) == (headings[2], "Decided: ▼ loss 1")
    phone.select_option("#film-speed", "10")
    phone.tap("#film-play")
    expect(phone.locator("#film-heading")).to_have_text(headings[-1])
    phone.wait_for_selector("#film-play[aria-label='Play the film']")
    assert phone.locator("#film-now").get_attribute("aria-live") == "polite"


@pytest.mark.long
def test_a_persian_film_counts_in_persian(page: Page) -> None:
    opened(page, "/g/caught/film?language=fa#2000")
    page.select_option("#film-unit", "step")
    page.click("#film-forward")
    assert "گام ۲٬۰۰۱ از" in page.inner_text("#film-count")
    sentence = page.inner_text("#film-sentence")
    assert re.search("پلیس \\d+,\\d+, دزد \\d+,\\d+، نوبت", sentence)
    assert not re.search("[a-z]", sentence)


def test_the_film_of_a_board_shows_the_outcome_of_every_cell(page: Page) -> None:
    game = PoliceAndThief.from_text(BOARD)
    solution, found = rs.solve(game), trace(game)
    opened(page, f"/g/{FILM}/film")
    cells, fixed, current = (
        page.locator(f".film-board {kind}") for kind in ("td:not(.is-wall)", ".is-fixed", ".is-current")
    )
    assert cells.nth(0).inner_text() == "3/3"
    page.select_option("#film-unit", "step")
    first = next(number for number, event in enumerate(found.events) if event.rule is Rule.REFUTED)
    for number in (first, len(found.levels[0].events), len(found.events) - 1):
        page.locator("#film-slider").fill(str(number + 1))
        event = found.events[number]
        policeman, thief, turn = game.position(event.vertex)
        mover, other = (policeman, thief) if turn == "policeman" else (thief, policeman)
        for place, (row, column) in ((current, mover), (fixed, other)):
            assert place.get_attribute("data-at") == f"{row - 1},{column - 1}"
        said = str(event.outcome) if event.outcome else f"{event.open_moves} of"
        assert said in (current.get_attribute("aria-label") or "")
        assert page.locator(".film-board .is-target").count() == len(found.deciding_moves(event))
    opened(page, f"/g/{FILM}/film?language=en")
    page.select_option("#film-unit", "level")
    page.focus("#film-last")
    page.keyboard.press("Enter")
    assert fixed.get_attribute("data-at") == "2,1"
    fixed.focus()
    for key in ("ArrowUp", "ArrowLeft", "Enter"):  # over the wall, to the corner
        page.keyboard.press(key)
    assert fixed.get_attribute("data-at") == "0,0"
    for turn in (0, 1):
        page.select_option("#film-turn", str(turn))
        expected = []
        for row, column in [(1, 1), (1, 2), (1, 3), (2, 1), (2, 3), (3, 1), (3, 2), (3, 3)]:
            outcome = solution[(row, column), (1, 1), game.players[turn]]
            exit_here = "exit, " * ((row, column) == (2, 3))
            expected.append(f"row {row}, column {column}: {exit_here}{outcome}")
        assert [place.get_attribute("aria-label") for place in cells.all()] == expected


def test_the_controls_and_the_board_of_a_film_are_on_one_screen_of_a_phone(
    phone: Page, tmp_path: Path
) -> None:
    in_file(phone, tmp_path / "film.html", PoliceAndThief.from_text(BOARD))
    phone.select_option("#film-unit", "level")
    phone.tap("#film-forward")
    phone.evaluate("document.getElementById('film-board').scrollIntoView({ block: 'end' })")
    bar, board = box(phone.locator("#film-play")), box(phone.locator(".film-board"))
    assert 0 <= bar["y"] < 100  # the bar stays while the page scrolls
    assert board["y"] > bar["y"] + bar["height"]
    assert board["y"] + board["height"] <= 845


def test_the_line_of_the_algorithm_and_the_counter_follow_the_steps(page: Page, tmp_path: Path) -> None:
    graph = rs.Graph.from_edges(["a", "a", "b", "c"], ["b", "c", "d", "d"])
    in_file(page, tmp_path / "film.html", graph)
    said, counters = [], []
    for _ in range(5):
        page.keyboard.press("ArrowRight")
        said.append(page.locator("#film-code [aria-current]").all_inner_texts())
        counters.append(page.inner_text("#film-counter"))
    assert counters == ["", "", "", "counter of a: 2 → 1", "counter of a: 1 → 0"]
    over, win, again, lower, last = said
    assert (win, lower) == (again, last[:1])
    assert (len(over), len(win), len(lower), len(last)) == (1, 1, 1, 2)
    assert len({*over, *win, *lower, *last}) == 4


def test_a_game_that_is_not_drawn_shows_the_position_of_each_step(page: Page, tmp_path: Path) -> None:
    in_file(page, tmp_path / "film.html", rs.game("tictactoe"))
    page.select_option("#film-unit", "step")
    page.click("#film-forward")
    assert re.match("Decided: ", page.inner_text("#film-sentence"))  # all ends of the game at once
    page.click("#film-forward")
    boards = page.locator(".film-position .squares")
    expect(boards).to_have_count(2)
    source, target = ("".join(board.locator("td").all_inner_texts()) for board in boards.all())
    assert len(target) == len(source) + 1
    assert set(target) <= {"X", "O"}
    for _ in range(2):
        page.click("#film-back")
    assert page.inner_text("#film-count").startswith("Step 0 of ")
    check_accessible(page)


@pytest.mark.long(but=1)
@pytest.mark.parametrize("width", ["narrow", "wide"])
def test_a_graph_is_readable_from_the_first_frame(
    page: Page, phone: Page, tmp_path: Path, width: str
) -> None:
    page = in_file(phone if width == "narrow" else page, tmp_path / "film.html", rs.game("hexapawn"))
    view, graph = page.locator(".graph-view"), page.locator("#film-graph")
    size = "svg => parseFloat(getComputedStyle(svg).fontSize) * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width"
    assert view.evaluate(size) >= 11.9
    page.keyboard.press("End")
    shown, current = box(graph), box(page.locator(".node.current").last)
    assert shown["x"] - 6 <= current["x"] < shown["x"] + shown["width"]
    assert page.locator(".node image").count() == 135
    before = view.evaluate("svg => svg.clientWidth")
    page.click(".film-zoom [data-zoom=in]")
    assert view.evaluate("svg => svg.clientWidth") > before
    page.click(".film-zoom [data-zoom=fit]")
    assert graph.evaluate("e => e.scrollWidth <= e.clientWidth + 1")


def test_names_in_a_film_are_text(page: Page, tmp_path: Path) -> None:
    name = "</script><script>alert(1)</script>&amp;"
    in_file(page, tmp_path / "film.html", rs.Graph.from_edges([name], ["b"]), name)
    page.keyboard.press("End")
    assert name in page.inner_text("#film-sentence")


def test_the_command_and_the_page_write_a_film_whole_or_not(page: Page, tmp_path: Path) -> None:
    out = tmp_path / "film.html"
    assert run(["film", "stones:n=5", str(out), "--language", "ru"]) == 0
    earlier = out.read_text("utf-8")
    assert '<html lang="ru" dir="ltr">' in earlier
    assert run(["film", "chess:KRK", str(out)]) == 2
    assert run(["film", "stones:n=5", str(tmp_path)]) == 2
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        with pytest.raises(rs.FormatError):
            rs.write_film(rs.solve(Stones(n=5)), out)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    with pytest.raises(rs.FormatError):
        rs.write_film(rs.solve(Stones(n=5)), tmp_path / "film.gif")
    with pytest.raises(rs.GraphError):
        rs.write_film(Stones(n=5), tmp_path / "other.html")  # type: ignore[arg-type]
    assert [(path, path.read_text("utf-8")) for path in tmp_path.iterdir()] == [(out, earlier)]
    page.goto("/g/stones/film?language=tr")
    with page.expect_download() as download:
        page.get_by_role("link", name="Filmi dosya olarak kaydet").click()
    download.value.save_as(tmp_path / "saved.html")
    opened(page, (tmp_path / "saved.html").as_uri())
    assert page.locator("html").get_attribute("lang") == "tr"


def test_a_script_in_one_file_has_each_module_once_and_keeps_their_names_apart() -> None:
    script = bundled("film-page.js")
    for name in ("film.js", "film-model.js", "graph-view.js", "film-board.js"):
        assert script.count(f"const module_{re.sub(r'[^a-z]', '_', name)} = ") == 1
    assert not re.search(r"^(import|export) ", script, re.MULTILINE)


# -- which games have one, and its data -----------------------------------------------------------------


def test_a_game_too_large_for_the_film_is_refused_and_for_a_drawing_told(address: str) -> None:
    large = "board~" + "-".join(["." * 12] * 12)
    assert [request(address + url)[0] for url in (f"/g/{large}/film", f"/api/games/{large}/film")] == [
        422
    ] * 2
    status, answer = request(f"{address}/api/games/tictactoe/film")
    assert status == 200
    check(SCHEMAS["Film"], answer)
    assert (answer["drawn"], len(answer["trace"]["names"])) == (False, 5478)
    drawn = [film(Entry("s", "s", rs.solve(Stones(n=n))))["drawn"] for n in (299, 300)]
    assert drawn == [True, False]
    solution = rs.solve(Leap(symmetry=True))
    assert (len(solution), solution.space.num_vertices) == (943, 1565)  # positions count, not indices
    with exploring(leap=solution) as found:
        for text in (film_file(solution, "leap", "en"), read(f"{found}/g/leap/film?language=en")):
            assert "943 positions are too many to draw" in text


STEPLESS = {
    "score": "dots:rows=1,columns=1",
    "chance": "ur:pieces=1",
    "conversion": "chess:KRK,board=3",
}


@pytest.mark.parametrize("objective", STEPLESS)
def test_an_objective_without_steps_has_no_film(objective: str, tmp_path: Path) -> None:
    solution = rs.solve(rs.game(STEPLESS[objective]), objective=objective)
    for door in (trace, rs.explain, lambda one: rs.write_film(one, tmp_path / "film.html")):
        with pytest.raises(rs.GraphError):
            door(solution)
    if objective == "chance":
        with pytest.raises(rs.GraphError):
            trace(rs.game(STEPLESS[objective]))
    assert [*tmp_path.iterdir()] == []
    with exploring(game=solution) as address:
        for page in ("", "structure", "graph"):
            assert "/film" not in read(f"{address}/g/game/{page}")
        for page in ("g/game/film", "g/game/film.html", "api/games/game/film"):
            assert request(f"{address}/{page}")[0] == 422


class Loud(NullTranslations):
    """A language of capitals."""

    def gettext(self, message: str) -> str:
        return message.upper()


def test_cells_of_a_film_are_numbered_as_positions_and_its_words_translated() -> None:
    entry = Library([], MAKERS).entry(FILM)
    found, space = film(entry), entry.solution.space
    cells, players = found["board"]["cells"], found["board"]["players"]
    k = len(cells)
    for turn, player in enumerate(players):
        for p, (row, column) in enumerate(cells):
            for t, (down, right) in enumerate(cells):
                position = (row + 1, column + 1), (down + 1, right + 1), player
                assert space.index(position) == (turn * k + p) * k + t
    assert space.position(found["board"]["start"]) == space.start
    assert found["board"]["rows"] == ["...", ".*E", "..."]
    assert film(Entry("krk", "krk", rs.solve(rs.game("chess:KRK,board=3"))))["board"] is None
    stones = Entry("stones", "stones", rs.solve(Stones(n=3)))
    assert film(stones, Loud())["words"]["sentences"]["stuck"] == "{NAME} HAS NO MOVE: {OUTCOME}."
    assert film(stones, Loud())["trace"] == trace(stones.solution).to_json()


# -- editors in one file --------------------------------------------------------------------------------


def drawn(page: Page, folder: Path, kind: str, language: str = "en", place: str = "") -> None:
    """Open an editor in one file, which loads nothing else."""
    path, asked = folder / f"draw-{kind}.html", list[str]()
    path.write_text(drawing_file(kind, language), encoding="utf-8")
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri() + place)
    page.wait_for_selector(".drawing:not([hidden])")
    assert asked == [path.as_uri()]


def test_a_board_is_drawn_and_its_film_watched_without_a_server(phone: Page, tmp_path: Path) -> None:
    drawn(phone, tmp_path, "board")
    verdict = phone.locator("#verdict")
    expect(verdict).to_have_text("Police catches the thief in 9 plies")
    phone.fill("#board-text", BOARD)
    phone.click("#board-form button")
    board = PoliceAndThief.from_text(BOARD)
    expect(verdict).to_contain_text(f"in {rs.solve(board)[board.start()].remoteness} pl")
    check_accessible(phone)
    phone.click("#film-link")
    phone.wait_for_selector("#film[data-ready]")
    phone.select_option("#film-unit", "step")
    phone.click("#film-forward")
    for sentence in rs.explain(board)[1].sentences[:5]:
        phone.click("#film-forward")
        assert phone.inner_text("#film-sentence") == sentence
    check_accessible(phone)
    # Another drawing has another film, and its keys reach that one alone.
    phone.fill("#board-text", "PT")
    phone.locator("#board-form button").first.click()
    expect(verdict).to_have_text("Police catches the thief in 1 ply")
    phone.click("#film-link")
    phone.wait_for_selector("#film[data-ready]")
    expect(phone.locator(".film-board td")).to_have_count(2)
    phone.locator("h1").click()
    phone.keyboard.press("End")
    expect(phone.locator("#film-tally-open")).to_have_text("0")


@pytest.mark.long
def test_a_graph_is_drawn_in_a_file_and_its_address_describes_it(page: Page, tmp_path: Path) -> None:
    drawn(page, tmp_path, "graph", "ru", "#graph=a!20b-0s.c-1w~a!20b-c")
    expect(page.locator("#verdict")).to_contain_text("Из a b")
    page.fill("#graph-text", "x,y\ny,z\n")
    page.locator("#graph-form button").first.click()
    page.wait_for_url("**#graph=x.y.z~x-y.y-z")
    page.click("#film-link")
    page.wait_for_selector("#film[data-ready] .graph-view")
    page.keyboard.press("End")
    assert shown(page)[1] == words_of(rs.Graph.from_edges(["x", "y"], ["y", "z"]), "ru")[-1][1]
    check_accessible(page)
    page.fill("#graph-text", "{}")
    page.locator("#graph-form button").first.click()
    expect(page.locator("#error")).to_contain_text("JSON")


@pytest.mark.long
def test_a_film_that_is_traced_in_the_page_is_that_of_the_library(
    browser: Browser, tmp_path: Path
) -> None:
    boards = [random_board(seed, 3) for seed in range(12)]
    (tmp_path / "static").symlink_to(STATIC)
    text = drawing_file("board").replace("script-src ", "script-src 'self' ")
    (tmp_path / "index.html").write_text(text, encoding="utf-8")
    with hosted(tmp_path) as address, watched(browser, viewport=PHONE) as page:
        page.goto(address)
        found = page.evaluate(FILM_DATA, [boards])
    for text, here in zip(boards, found, strict=True):
        entry = Entry("", "", rs.solve(PoliceAndThief.from_text(text)))
        assert here == json.loads(json.dumps(film(entry))), text

"""Exported games in a browser: behind a plain file server and from a disk. What they say is in test_law.py."""

import json
import random
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.languages import LANGUAGES, translation
from retrosolve.languages.phrases import phrase, title
from retrosolve.values import Value
from retrosolve.web import export
from retrosolve.web.export import export_static
from retrosolve.web.standalone import bundled
from tests.web.drawn import (
    DESKTOP,
    PHONE,
    WholeFiles,
    box,
    check_accessible,
    fits,
    games,
    hosted,
    watched,
)
from tests.web.test_law import FIND

VERDICT = "▲ win for White in 9"


class Leap(rs.BoardGame):
    """The game of docs/howto/boards.md."""

    def __init__(self, symmetry: bool = False) -> None:
        board = rs.Board.grid(3, 3)
        moves = board.steps("orthogonal") + board.jumps("orthogonal")
        super().__init__(board, moves, start="OOO/.../XXX", symmetry=symmetry)


class Pawns(rs.BoardGame):
    """Pawns go forward: whoever sees the board from the other side has the points turned."""

    def __init__(self) -> None:
        board, n = rs.Board.grid(3, 3), 9
        moves = board.steps("forward") + board.captures("forward diagonal")
        turn = [n - 1 - s for s in range(n)]
        super().__init__(board, moves, start="OOO/.../XXX", goals=(0b111 << 6, 0), turn=turn)


class Row(rs.BoardGame):
    """A drawn row of points, on which men step and jump."""

    def __init__(self) -> None:
        places = {name: (30.0 + 60 * k, 30.0) for k, name in enumerate("abcdef")}
        board = rs.Board.lined("abcdef", [6], [range(6)], places)
        super().__init__(board, board.steps() + board.jumps(), start="XX..OO")


@pytest.fixture(scope="module")
def krk() -> rs.Solution:
    return rs.solve(games()["krk"])


@pytest.fixture(scope="module")
def site(krk: rs.Solution, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A chess ending, exported."""
    folder = tmp_path_factory.mktemp("export") / "site"
    export_static(krk, "KRK", folder)
    return folder


def says(page: Page, verdict: str) -> None:
    expect(page.locator("#verdict")).to_have_text(verdict)


def chosen(page: Page, language: str) -> None:
    page.click(".switches summary")
    page.click(f".switches a[lang={language}]")
    expect(page.locator("html")).to_have_attribute("lang", language)


@pytest.mark.long(but=1)
@pytest.mark.parametrize("host", ["ranges", "no ranges", "disk"])
def test_an_exported_game_is_played_on_a_phone(
    browser: Browser, krk: rs.Solution, site: Path, host: str
) -> None:
    handler = {"handler": WholeFiles} if host == "no ranges" else {}
    with hosted(site, **handler) as served, watched(browser, viewport=PHONE) as page:
        address = (site / "index.html").as_uri() if host == "disk" else served
        page.goto(address)
        says(page, VERDICT)
        for name in ("a2", "d2"):
            page.click(f'#board [data-point="{name}"]')
        says(page, "= tie in 1")
        page.go_back()
        says(page, VERDICT)
        page.fill("input[name=at]", "nonsense")
        page.keyboard.press("Enter")
        expect(page.locator("#error")).to_have_text("There is no such position.")
        position = krk.space.text(next(krk.where("loss", 0)))
        page.fill("input[name=at]", position)
        page.keyboard.press("Enter")
        expect(page.locator("#position-text")).to_have_text(position)
        expect(page.locator("#turn")).to_have_text("The game is over.")
        if host != "disk":  # from which axe may not read style sheets
            check_accessible(page)
        for name in ("Film", "Draw a board", "Draw a graph", "Structure"):
            page.goto(address)
            page.get_by_role("link", name=name).click()
            expect(page.locator("h1")).not_to_have_text("")
        assert page.inner_text("h1") == "Structure of KRK"
        page.get_by_role("link", name="13 · win").click()
        says(page, "▲ win for White in 13")


def test_a_large_game_says_that_it_needs_a_server(
    browser: Browser, krk: rs.Solution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "MAX_INLINE", 1000)
    export_static(krk, "KRK", tmp_path / "site")
    with hosted(tmp_path / "site") as address, watched(browser) as page:
        page.goto((tmp_path / "site" / "index.html").as_uri())
        expect(page.locator("#error")).to_contain_text("python -m http.server")
        page.goto(address)
        says(page, VERDICT)


def test_the_line_of_an_exported_game_is_recorded_judged_and_taken_back(
    browser: Browser, krk: rs.Solution, site: Path
) -> None:
    best, *others = krk.moves(krk.start)
    slower = next(m for m in others if m.outcome.value is Value.LOSS)
    blunder = next(m for m in others if m.outcome.value is not Value.LOSS)
    assert slower.outcome.remoteness != best.outcome.remoteness
    notes = {best: best.name, slower: f"{best.name} was faster", blunder: f"{best.name} was better"}
    with hosted(site) as address, watched(browser, viewport=DESKTOP) as page:
        page.goto(address)
        plies = page.locator("#plies li")
        expect(page.locator("#undo")).to_be_disabled()
        for move, note in notes.items():
            page.locator("a.move", has_text=re.compile(f"^{re.escape(move.name)}$")).first.click()
            expect(plies).to_have_count(1)
            expect(plies.first).to_contain_text(note)
            page.click("#undo")
            expect(plies).to_have_count(0)
        for number in range(1, 4):
            page.locator("a.move").first.click()
            expect(plies).to_have_count(number)
        assert len((page.locator("#chart polyline").get_attribute("points") or "").split()) == 4
        places = [box(page.locator(part)) for part in (".place", ".moves", ".record")]
        assert all(a["x"] + a["width"] <= b["x"] for a, b in pairwise(places))  # three columns
        assert box(page.locator("#board svg"))["height"] > 0.65 * 900
        for width in (320, 390, 640, 900, 1440, 2560):
            page.set_viewport_size({"width": width, "height": 800})
            assert fits(page), width
        page.locator("#plies a").first.click()
        expect(plies).to_have_count(1)
        page.click("#beginning")
        says(page, VERDICT)


def test_an_exported_game_has_an_opponent(browser: Browser, site: Path, tmp_path: Path) -> None:
    owner = {"a": 0, "b": 0, "c": 1, "d": 1, "e": 0, "f": 1}  # each player moves twice
    graph = rs.Graph.from_edges(list(pairwise("abcdef")), owner=owner)
    export_static(rs.solve(graph.with_start("a")), "twice", tmp_path / "site")
    with hosted(site) as address, hosted(tmp_path / "site") as twice, watched(browser) as page:
        page.goto(address)
        expect(page.locator("a.move")).not_to_have_count(0)  # the reader is there
        page.select_option("select[name=mistakes]", "0.0")
        # The reader keeps the side that moves.
        expect(page.locator("select[name=you]")).to_have_value("0")
        for left in (7, 5, 3, 1):
            page.locator("a.move").first.click()
            says(page, f"▲ you win in {left}")
            assert page.inner_text("#turn") == "It is your turn. To move: White"
        page.go_back()
        says(page, "▲ you win in 3")
        page.select_option("select[name=you]", "1")  # the opponent has the move now
        says(page, "▼ you lose in 2")
        expect(page.locator(".move-list tr.v-loss")).not_to_have_count(0)
        page.goto(twice)
        page.select_option("select[name=you]", "0")
        page.select_option("select[name=mistakes]", "0.0")
        for after in ("b", "e"):  # by one move, and by one and two of the opponent
            page.locator("a.move").first.click()
            expect(page.locator("#position-text")).to_have_text(after)
        for before in ("b", "a"):
            page.click("#undo")
            expect(page.locator("#position-text")).to_have_text(before)


def test_an_exported_game_without_hints_gives_nothing_away(
    browser: Browser, krk: rs.Solution, site: Path
) -> None:
    with hosted(site) as address, watched(browser) as page:
        page.goto(address)
        expect(page.locator("#board .best-move")).to_have_count(1)
        page.click('#board [data-point="a2"]')
        assert "9" in page.locator("#board .badge.is-best").all_text_contents()
        page.select_option("select[name=hints]", "no")
        says(page, "To move: White")
        names = page.locator("a.move").all_text_contents()
        assert names == sorted(move.name for move in krk.moves(krk.start))
        page.reload()
        says(page, "To move: White")
        for number in (1, 2):
            page.locator("a.move").first.click()
            expect(page.locator("#plies li")).to_have_count(number)
        told = "main [class*=v-]:visible, .best-move, .note, thead:visible, #chart:visible"
        assert page.locator(told).count() == 0
        page.click('#board [data-point]:is([role="button"]) >> nth=0')
        assert set(page.locator("#board .badge").all_text_contents()) <= {""}
        page.goto(f"{address}#{krk.space.index(next(krk.where('loss', 0)))}")
        expect(page.locator("#verdict")).to_have_class("v-win")  # a game that is over is judged
        check_accessible(page)
        page.select_option("select[name=hints]", "yes")
        expect(page.locator("thead")).to_be_visible()


# -- representatives that exchange the players ----------------------------------------------------------


def check_as_played(page: Page, solution: rs.Solution, position: Any, is_exact: bool) -> None:
    """Compare the page with the position of the game as it was played, perhaps by a symmetric image."""
    space, (value, plies) = solution.space, solution[position]
    side = space.side_to_move(position)
    assert side is not None
    first_wins = (value is Value.WIN) == (side == 0)
    when = f" in {plies}" if plies else ""  # nothing once the game is over
    decided = f"{'▲' if first_wins else '▼'} win for {space.players[1 - first_wins]}{when}"
    says(page, {Value.TIE: f"= tie{when}", Value.DRAW: "∞ draw"}.get(value, decided))
    moves = solution.moves(position)
    turn = f"To move: {space.players[side]}" if moves else "The game is over."
    expect(page.locator("#turn")).to_have_text(turn)
    text = page.inner_text("#position-text")
    assert (space.index(text), space.side_to_move(space.parse(text))) == (space.index(position), side)
    [row] = page.evaluate(FIND, [[text]])
    assert (row["text"], row["side"]) == (text, side)  # a reader can type in the text that is shown
    if is_exact:
        assert (text, row["picture"]) == (space.text(position), space.svg(position))
        points = [list(space.move_points(position, move.position) or ()) for move in moves]
        assert [[name, clicks] for name, *_, clicks in (m[:6] for m in row["moves"])] == [
            [move.name, clicked] for move, clicked in zip(moves, points, strict=True)
        ]


@pytest.mark.long(but=1)
@pytest.mark.parametrize("name", ["row", "leap", "turned", "pawns", "chess:KQKR,board=3,symmetry=no"])
def test_players_stay_who_they_are_where_representatives_exchange_them(
    browser: Browser, tmp_path: Path, name: str
) -> None:
    own = {"leap": Leap(), "turned": Leap(symmetry=True), "pawns": Pawns(), "row": Row()}
    solution, chance = rs.solve(own.get(name) or rs.game(name)), random.Random(5)
    space, is_exact = solution.space, name != "turned"
    export_static(solution, name, tmp_path / "site")
    # A position that is its own representative, and one after it that is solved as one of the other player.
    side = space.side_to_move
    position, after = next(
        (position, move.position)
        for position in solution
        for move in solution.moves(position)
        if side(move.position) != side(space.position(space.index(move.position)))
        and solution.moves(move.position)
    )
    line = [position]

    def check(page: Page) -> None:
        """Compare the page with the end of the line."""
        expect(page.locator("#plies li")).to_have_count(len(line) - 1)
        check_as_played(page, solution, line[-1], is_exact)
        if is_exact and len(line) > 1:
            last = json.loads(page.get_attribute("#board", "data-last") or "")
            assert last == list(space.move_points(*line[-2:]) or ())

    with hosted(tmp_path / "site") as address, watched(browser) as page:
        page.goto(f"{address}#{space.index(position)}")
        check(page)
        while solution.moves(line[-1]) and len(line) <= 8:
            links = page.locator("a.move")
            hrefs = [link.get_attribute("href") or "" for link in links.all()]
            targets = [int(href[1:].partition("-")[0]) for href in hrefs]
            number = 0 if solution[line[-1]].value is Value.WIN else chance.randrange(len(targets))
            number = targets.index(space.index(after)) if len(line) == 1 else number
            label = links.nth(number).inner_text()
            line.append(
                next(
                    move.position
                    for move in solution.moves(line[-1])
                    if space.index(move.position) == targets[number]
                    and (not is_exact or move.name == label)
                )
            )
            links.nth(number).click()
            check(page)
        end, shared = line[-1], page.url
        while len(line) > 1:
            page.click("#undo")
            line.pop()
            check(page)
        page.goto("about:blank")
        page.goto(shared)
        expect(page.locator("#plies li")).to_have_count(0)
        check_as_played(page, solution, end, is_exact)


@pytest.mark.long
def test_a_board_that_symmetry_turns_marks_no_last_move_and_has_an_opponent(
    browser: Browser, tmp_path: Path
) -> None:
    solution, chance = rs.solve(Leap(symmetry=True)), random.Random(2)
    export_static(solution, "leap", tmp_path / "site")
    going_on = [position for position in solution if solution.moves(position)]
    marked = set()
    with hosted(tmp_path / "site") as address, watched(browser) as page:
        for position in chance.sample(going_on, 12):
            page.goto("about:blank")
            page.goto(f"{address}#{solution.space.index(position)}")
            expect(page.locator("a.move")).not_to_have_count(0)
            before, links = page.inner_text("#position-text"), page.locator("a.move")
            link = links.nth(chance.randrange(links.count()))
            name, points = link.inner_text(), json.loads(link.get_attribute("data-points") or "")
            link.click()
            expect(page.locator("#plies li")).to_have_text(re.compile(f"^{name} "))
            rows = zip(before.split("/"), page.inner_text("#position-text").split("/"), strict=True)
            changed = {
                f"{row},{column}"
                for row, squares in enumerate(rows, 1)
                for column, (old, new) in enumerate(zip(*squares, strict=True), 1)
                if old != new and column <= 3
            }
            last = json.loads(page.get_attribute("#board", "data-last") or "")
            assert last == (points if changed == set(points) else [])
            marked.add(bool(last))
        assert marked == {True, False}
        page.goto("about:blank")
        page.goto(address)
        says(page, "▼ win for O in 6")
        page.select_option("select[name=mistakes]", "0.0")
        page.select_option("select[name=you]", "1")
        for left in (5, 3, 1):
            says(page, f"▲ you win in {left}")
            assert page.inner_text("#turn") == "It is your turn. To move: O"
            assert page.inner_text("#position-text").endswith(" O")
            page.locator("a.move").first.click()
        says(page, "▲ you win")
        page.click("#undo")
        says(page, "▲ you win in 1")
        chosen(page, "fa")
        words = export._words(translation("fa"))
        says(page, f"▼ {words['win for in'].format(player='O', plies=words['digits'][1])}")
        expect(page.locator("#turn")).to_have_text(words["to move"].format(player="O"))


# -- languages ------------------------------------------------------------------------------------------


@pytest.mark.long
def test_readers_choose_the_language_of_an_exported_game(browser: Browser, tmp_path: Path) -> None:
    solution, to = rs.solve(games()["caught"]), translation("fa")
    first, second = (move.name for move in solution.line(solution.start, 2))
    export_static(solution, "caught", tmp_path / "site", language="tr")
    stones = rs.solve(rs.game("stones"))
    export_static(stones, "stones", tmp_path / "stones", language="fa")
    with (
        hosted(tmp_path / "site") as address,
        hosted(tmp_path / "stones") as persian,
        watched(browser) as page,
    ):
        page.goto(address)
        expect(page.locator("a.move").first).to_have_text(phrase(first, translation("tr")))
        page.locator("a.move").first.click()
        expect(page.locator("#plies li")).to_have_count(1)
        place = page.evaluate("location.hash")
        chosen(page, "fa")
        expect(page.locator("html")).to_have_attribute("dir", "rtl")
        assert page.evaluate("location.hash") == place
        expect(page.locator("a.move").first).to_have_text(phrase(second, to))
        picture = page.locator("#board svg > title").text_content() or ""
        assert to.gettext("Policeman and thief") in picture
        assert page.locator("#turn").inner_text().endswith(to.gettext("thief"))
        check_accessible(page)
        page.get_by_role("link", name=to.gettext("Structure")).click()
        assert page.url.endswith("structure.fa.html")
        assert page.get_attribute("html", "dir") == "rtl"
        page.locator(".histogram a").first.click()
        expect(page.locator("#verdict")).to_have_class("v-win")
        chosen(page, "tr")
        page.goto(f"{persian}#{stones.space.index(10)}-7")  # no player has this number
        expect(page.locator("#turn")).to_have_text(re.compile(to.gettext("First player")))
        page.fill("input[name=at]", "۷")
        page.keyboard.press("Enter")
        expect(page.locator("#position-text")).to_have_text("7")
    text = (tmp_path / "stones/index.html").read_text("utf-8")
    for code in LANGUAGES:
        assert f"<summary>{translation(code).gettext('Rules')}</summary><p>" in text


@pytest.mark.long
def test_names_are_translated_in_the_page_as_in_the_library(browser: Browser) -> None:
    chance = random.Random(1)
    with watched(browser) as page:
        for game in ("tictactoe", "stones", "police", "foxhounds:n=4", "lgame", "morris3", "hexapawn"):
            solution = rs.solve(rs.game(game))
            space, names, titles = solution.space, set(), set()
            for position in chance.sample(list(solution), 10):
                names |= {move.name for move in solution.moves(position)}
                titles |= set(re.findall("<title>(.*?)</title>", space.svg(position) or ""))
            for to in map(translation, ("fa", "ru", "tr", "vi")):
                speech = export._speech(solution, to)
                words = speech["phrases"] | {"digits": speech["words"]["digits"]}
                found = page.evaluate(
                    f"([words, names, titles]) => {{ {bundled('phrases.js')}; "
                    "const say = phrases(words); return [names.map(say.phrase), titles.map(say.title)]; }",
                    [words, sorted(names), sorted(titles)],
                )
                assert found[0] == [phrase(name, to) for name in sorted(names)]
                assert found[1] == [title(text, to) for text in sorted(titles)]


@pytest.mark.long
def test_several_games_have_cards_and_lead_back(browser: Browser, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    assert run(["export", "tictactoe", "stones:n=5", "--static", str(folder), "--language", "tr"]) == 0
    with hosted(folder) as address, watched(browser, viewport={"width": 320, "height": 700}) as page:
        page.goto(f"{address}index.html")
        assert page.locator(".card h2 a").all_inner_texts() == ["XOX", "Taşlar"]
        expect(page.locator(".card").first).to_contain_text("5.478 konum")
        check_accessible(page)
        page.locator(".card h2 a").last.click()
        expect(page.locator("#position-text")).to_have_text("5")
        page.locator("header").get_by_role("link", name="Oyunlar").click()
        page.locator(".card").first.get_by_role("link", name="Yapı").click()
        expect(page.locator("h1")).to_have_text("XOX oyununun yapısı")
        page.wait_for_function(
            "document.documentElement.scrollWidth <= innerWidth"
        )  # charts are fitted
        page.goto(f"{address}index.html")
        chosen(page, "vi")
        page.locator(".card h2 a").last.click()
        expect(page.locator("html")).to_have_attribute("lang", "vi")
        page.locator("header").get_by_role("link", name=translation("vi").gettext("Games")).click()
        expect(page.locator("html")).to_have_attribute("lang", "vi")

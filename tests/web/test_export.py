"""Exported games, behind a plain file server: the page shows what the library says."""

import errno
import http.server
import json
import multiprocessing
import os
import random
import re
import select
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.games import parse_game
from retrosolve.languages import LANGUAGES, translation
from retrosolve.languages.phrases import phrase, title
from retrosolve.runtime.memory import format_bytes
from retrosolve.testing.games import CompiledGraphGame, random_tiered_graph, without_owner
from retrosolve.values import Value
from retrosolve.web import export
from retrosolve.web.export import export_static
from retrosolve.web.standalone import bundled, film_file
from tests.support.marks import SLOW
from tests.web.drawn import check_accessible, games, watched

RANGE = re.compile(r"bytes=(\d+)-(\d+)")
READ = """async ([texts]) => {
  const found = [];
  for (const text of texts) found.push(await globalThis.retrosolve.find(text));
  return found;
}"""


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


class Files(http.server.SimpleHTTPRequestHandler):
    """A plain file server, with or without range requests."""

    ranges = True

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        asked = RANGE.fullmatch(self.headers.get("Range", ""))
        path = Path(self.translate_path(self.path))
        if not (self.ranges and asked and path.is_file()):
            super().do_GET()
            return
        start, stop = int(asked[1]), int(asked[2]) + 1
        part = path.read_bytes()[start:stop]
        self.send_response(206)
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)


class WholeFiles(Files):
    ranges = False


@contextmanager
def hosted(folder: Path, handler: type[Files] = Files) -> Iterator[str]:
    """Serve the files of a folder; yields the address of its page."""
    with http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(handler, directory=folder)
    ) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            server.shutdown()


def check_positions(page: Page, solution: rs.Solution, count: int) -> None:
    """Compare random positions, found by their text, with the library."""
    space, chance = solution.space, random.Random(3)
    positions = chance.sample(list(solution), min(count, len(solution)))
    found = page.evaluate(READ, [[space.text(position) for position in positions]])
    for position, row in zip(positions, found, strict=True):
        value, remoteness = solution[position]
        assert (row["text"], row["value"]) == (space.text(position), int(value))
        assert row["remoteness"] == remoteness
        best = [move.name for move in solution.best_moves(position)]
        moves = solution.moves(position)
        assert [(name, max(target, ~target)) for name, target, *_ in row["moves"]] == [
            (move.name, space.index(move.position)) for move in moves
        ]
        assert [(plies, rank == 1) for _, _, _, plies, rank, _ in row["moves"]] == [
            (move.outcome.remoteness, move.name in best) for move in moves
        ]
        # Players alternate: the value of a move is that of its target for the other player.
        assert [Value(m[2]) for m in row["moves"]] == [m.outcome.value.opposite() for m in moves]


@pytest.fixture(scope="module")
def krk() -> rs.Solution:
    return rs.solve(games()["krk"])


@pytest.fixture(scope="module")
def site(krk: rs.Solution, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A chess ending, exported."""
    folder = tmp_path_factory.mktemp("export") / "site"
    export_static(krk, "KRK", folder)
    return folder


@pytest.mark.long
def test_a_chess_ending_is_read_from_files(browser: Browser, krk: rs.Solution, site: Path) -> None:
    with hosted(site) as address, watched(browser) as page:
        page.goto(address)
        expect(page.locator("#verdict")).to_have_text("▲ win for White in 9")
        check_positions(page, krk, 200)
        page.click('#board [data-point="a2"]')
        page.click('#board [data-point="d2"]')
        expect(page.locator("#verdict")).to_have_text("= tie in 1")
        page.go_back()
        expect(page.locator("#verdict")).to_have_text("▲ win for White in 9")
        page.fill("input[name=at]", "nonsense")
        page.keyboard.press("Enter")
        expect(page.locator("#error")).to_have_text("There is no such position.")
        position = krk.space.text(next(krk.where("loss", 0)))
        page.fill("input[name=at]", position)
        page.keyboard.press("Enter")
        expect(page.locator("#position-text")).to_have_text(position)
        expect(page.locator("#turn")).to_have_text("The game is over.")
        page.set_viewport_size({"width": 360, "height": 740})
        check_accessible(page)


def test_a_host_without_range_requests_will_do(browser: Browser, krk: rs.Solution, site: Path) -> None:
    with hosted(site, WholeFiles) as address, watched(browser) as page:
        page.goto(address)
        check_positions(page, krk, 20)


@pytest.mark.long
def test_an_exported_game_has_an_opponent(browser: Browser, site: Path) -> None:
    with hosted(site) as address, watched(browser) as page:
        page.goto(address)
        expect(page.locator("a.move")).not_to_have_count(0)  # the reader is there
        page.select_option("select[name=mistakes]", "0.0")
        # The reader keeps the side that moves.
        expect(page.locator("select[name=you]")).to_have_value("0")
        for left in (7, 5, 3, 1):
            page.locator("a.move").first.click()
            expect(page.locator("#verdict")).to_have_text(f"▲ you win in {left}")
            assert page.inner_text("#turn") == "It is your turn. To move: White"
        page.go_back()
        expect(page.locator("#verdict")).to_have_text("▲ you win in 3")
        page.select_option("select[name=you]", "1")  # the opponent has the move now
        expect(page.locator("#verdict")).to_have_text("▼ you lose in 2")
        expect(page.locator(".move-list tr.v-loss")).not_to_have_count(0)


def test_an_exported_game_has_its_rules(tmp_path: Path) -> None:
    class Heap(rs.Game):
        """Take one or two stones;
        who takes the last one wins.

        For authors.
        """

        def start(self) -> int:
            return 4

        def moves(self, n: int) -> list[int]:
            return [n - k for k in (1, 2) if k <= n]

    export_static(rs.solve(Heap()), "heap", tmp_path / "own")
    page = (tmp_path / "own/index.html").read_text("utf-8")
    rules = "<p>Take one or two stones; who takes the last one wins.</p>"
    assert page.count(rules) == len(LANGUAGES)
    export_static(rs.solve(rs.game("stones")), "stones", tmp_path / "stones", language="tr")
    page = (tmp_path / "stones/index.html").read_text("utf-8")
    for code in LANGUAGES:
        assert f"<summary>{translation(code).gettext('Rules')}</summary><p>" in page
    graph = rs.solve(rs.Graph.from_edges(["a"], ["b"]))
    export_static(graph, "graph", tmp_path / "graph")
    assert '<details class="why">' not in (tmp_path / "graph/index.html").read_text("utf-8")


def test_an_exported_game_shows_its_structure(browser: Browser, site: Path) -> None:
    with hosted(site) as address, watched(browser) as page:
        page.goto(address)
        page.get_by_role("link", name="Structure").click()
        assert page.inner_text("h1") == "Structure of KRK"
        page.get_by_role("link", name="13 · win").click()
        expect(page.locator("#verdict")).to_have_text("▲ win for White in 13")


def solved_alike(name: str) -> rs.Solution:
    """A game in which a position stands for those with the players exchanged."""
    own = {"leap": Leap(), "turned": Leap(symmetry=True), "pawns": Pawns(), "row": Row()}
    return rs.solve(own.get(name) or parse_game(name))


def exchanging(solution: rs.Solution) -> tuple[Any, Any]:
    """A position that is its own representative, and one after it whose representative is of the other player."""
    side_to_move, space = solution.space.side_to_move, solution.space
    return next(
        (position, move.position)
        for position in solution
        for move in solution.moves(position)
        if side_to_move(move.position) != side_to_move(space.position(space.index(move.position)))
        and solution.moves(move.position)
    )


def check_as_played(page: Page, solution: rs.Solution, position: Any, is_exact: bool) -> None:
    """Compare the page with the position of the game as it was played, perhaps by a symmetric image."""
    space, (value, plies) = solution.space, solution[position]
    side = space.side_to_move(position)
    assert side is not None
    first_wins = (value is Value.WIN) == (side == 0)
    when = f" in {plies}" if plies else ""  # nothing once the game is over
    decided = f"{'▲' if first_wins else '▼'} win for {space.players[1 - first_wins]}{when}"
    said = {Value.TIE: f"= tie{when}", Value.DRAW: "∞ draw"}.get(value, decided)
    expect(page.locator("#verdict")).to_have_text(said)
    moves = solution.moves(position)
    turn = f"To move: {space.players[side]}" if moves else "The game is over."
    expect(page.locator("#turn")).to_have_text(turn)
    text = page.inner_text("#position-text")
    assert space.index(text) == space.index(position)
    assert space.side_to_move(space.parse(text)) == side
    [row] = page.evaluate(READ, [[text]])
    assert (row["text"], row["side"]) == (text, side)  # a reader can type in the text that is shown
    if is_exact:
        assert text == space.text(position)
        assert row["picture"] == space.svg(position)
        points = [list(space.move_points(position, move.position) or ()) for move in moves]
        names = [move.name for move in moves]
        assert [(name, clicks) for name, *_, clicks in (m[:6] for m in row["moves"])] == list(
            zip(names, points, strict=True)
        )


@pytest.mark.long("leap", "chess*", "pawns", "turned")
@pytest.mark.parametrize("name", ["leap", "turned", "pawns", "row", "chess:KQKR,board=3,symmetry=no"])
def test_players_stay_who_they_are_where_representatives_exchange_them(
    browser: Browser, tmp_path: Path, name: str
) -> None:
    solution, chance = solved_alike(name), random.Random(5)
    space, is_exact = solution.space, name != "turned"
    export_static(solution, name, tmp_path / "site")
    position, after = exchanging(solution)
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
        while True:
            links = page.locator("a.move")
            if not links.count() or len(line) > 12:
                break
            hrefs = [link.get_attribute("href") or "" for link in links.all()]
            targets = [int(href[1:].partition("-")[0]) for href in hrefs]
            winning = solution[line[-1]].value is Value.WIN
            chosen = 0 if winning else chance.randrange(len(targets))
            if len(line) == 1:
                chosen = targets.index(space.index(after))
            label = links.nth(chosen).inner_text()
            line.append(
                next(
                    move.position
                    for move in solution.moves(line[-1])
                    if space.index(move.position) == targets[chosen]
                    and (not is_exact or move.name == label)
                )
            )
            links.nth(chosen).click()
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
def test_the_last_move_is_marked_unless_symmetry_turns_the_board(
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
            texts = zip(before.split("/"), page.inner_text("#position-text").split("/"), strict=True)
            changed = {
                f"{row},{column}"
                for row, squares in enumerate(texts, 1)
                for column, (old, new) in enumerate(zip(*squares, strict=True), 1)
                if old != new and column <= 3
            }
            last = json.loads(page.get_attribute("#board", "data-last") or "")
            assert last == (points if changed == set(points) else [])
            marked.add(bool(last))
    assert marked == {True, False}


@pytest.mark.long
def test_an_opponent_plays_the_side_that_representatives_do_not_show(
    browser: Browser, tmp_path: Path
) -> None:
    solution = rs.solve(Leap(symmetry=True))
    export_static(solution, "leap", tmp_path / "site")
    with hosted(tmp_path / "site") as address, watched(browser) as page:
        page.goto(address)
        expect(page.locator("#verdict")).to_have_text("▼ win for O in 6")
        page.select_option("select[name=mistakes]", "0.0")
        page.select_option("select[name=you]", "1")
        for left in (5, 3, 1):
            expect(page.locator("#verdict")).to_have_text(f"▲ you win in {left}")
            assert page.inner_text("#turn") == "It is your turn. To move: O"
            assert page.inner_text("#position-text").endswith(" O")
            page.locator("a.move").first.click()
        expect(page.locator("#turn")).to_have_text("The game is over.")
        expect(page.locator("#verdict")).to_have_text("▲ you win")
        page.click("#undo")
        expect(page.locator("#verdict")).to_have_text("▲ you win in 1")
        for code in LANGUAGES:
            page.click(".switches summary")
            page.click(f".switches a[lang={code}]")
            words = export._words(translation(code))
            said = words["win for in"].format(player="O", plies=words["digits"][1])
            expect(page.locator("#verdict")).to_have_text(f"▼ {said}")
            expect(page.locator("#turn")).to_have_text(words["to move"].format(player="O"))


def test_players_that_are_exchanged_without_a_rule_for_it_are_refused(tmp_path: Path) -> None:
    class Unsaid(Leap):
        exchanged = rs.CompiledGame.exchanged

    with pytest.raises(rs.StoreError, match=r"' is solved as '.* expected Unsaid.exchanged\(\)"):
        export_static(rs.solve(Unsaid()), "leap", tmp_path / "site")
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize(
    ("size", "verdict"),
    [
        ("rows=3,columns=3,connect=3", "= tie in 9"),
        pytest.param("rows=4,columns=4", "= tie in 16", marks=SLOW),
    ],
)
def test_connect_four_is_read_from_files(
    browser: Browser, tmp_path: Path, size: str, verdict: str
) -> None:
    solution = rs.solve(parse_game(f"connect4:{size}"))
    export_static(solution, "Connect Four", tmp_path / "site")
    with hosted(tmp_path / "site") as address, watched(browser) as page:
        page.goto(address)
        expect(page.locator("#verdict")).to_have_text(verdict)
        expect(page.locator("#turn .disc.red")).to_be_visible()
        page.locator("a.move").first.click()
        expect(page.locator("#turn .disc.yellow")).to_be_visible()
        check_positions(page, solution, 200)


def test_a_graph_without_vertices_has_no_pages(tmp_path: Path) -> None:
    empty = rs.solve(rs.Graph.from_edges([], []))
    for write in (
        lambda: export_static(empty, "empty", tmp_path / "site"),
        lambda: film_file(empty, "empty"),
    ):
        with pytest.raises(rs.GraphError, match="has no positions: expected at least one to show"):
            write()
    assert not (tmp_path / "site").exists()


def test_a_game_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "MAX_POSITIONS", 10)
    with pytest.raises(rs.StoreError, match="the game has 11 positions: expected at most 10 to export"):
        export.export_static(rs.solve(parse_game("stones")), "stones", tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_a_folder_that_cannot_be_filled_is_refused_before_the_solve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "dangling").symlink_to("/dev/null/site")
    monkeypatch.setattr(rs, "solve", None)
    for name, reason in {
        "file": "is a file: expected an empty folder, or a new one",
        "file/site": "/file is no writable folder",
        "dangling": "/dev/null is no writable folder",
        "a" * 256: "File name too long",
        ".": "is not empty: expected a folder that is, or that does not exist",
    }.items():
        assert run(["export", "stones", "--static", str(tmp_path / name)]) == 2
        assert capsys.readouterr().err.endswith(f"{reason}\n"), name


@pytest.mark.parametrize("was_there", [False, True])
def test_what_cannot_be_written_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, was_there: bool
) -> None:
    site = tmp_path / "site"
    if was_there:
        (tmp_path / "folder").mkdir()
        site.symlink_to("folder")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(export.shutil, "copyfile", full)
    with pytest.raises(rs.StoreError, match=r"^cannot export to .*site: No space left on device$"):
        export_static(rs.solve(parse_game("stones")), "stones", site)
    assert not any(site.iterdir()) if was_there else not site.exists()


def test_an_export_that_fails_ends_its_processes_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = multiprocessing.Value("i")

    def slow(*_: object) -> list[tuple[bytes, bytes]]:
        with packed.get_lock():
            packed.value += 1
        time.sleep(0.01)
        return [(b"", b"")]

    def full(progress: rs.Progress) -> None:
        if progress.done > 0:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(export, "_packed", slow)
    monkeypatch.setattr(export, "BLOCKS_AT_ONCE", 1)
    solution = rs.solve(parse_game("stones:n=20000"))
    with pytest.raises(rs.StoreError, match=r"^cannot export to .*: No space left on device$"):
        export_static(solution, "stones", tmp_path / "site", progress=full, workers=2)
    assert packed.value < 20


WAITING = """
import os, sys, time
import retrosolve as rs
from pathlib import Path
from retrosolve.web import export

def wait(*_):
    os.write(1, b"%d\\n" % os.getpid())  # at once, as two processes write
    time.sleep(300)

export._packed = wait
export.export_static(rs.solve(rs.game("stones:n=20000")), "x", Path(sys.argv[1]), workers=2)
"""


def test_the_processes_of_an_export_that_is_killed_end(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WAITING, str(tmp_path / "site")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        assert [int(program.stdout.readline()) for _ in range(2)] != [program.pid] * 2
        program.kill()
        ended, _, _ = select.select([program.stdout], [], [], 60)
        assert ended
        assert program.stdout.read() == b""  # the last one that could write has ended


def test_an_export_ends_if_the_system_refuses_a_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, fork, calls = multiprocessing.active_children(), os.fork, iter([True])

    def once() -> int:
        if next(calls, False):
            return fork()
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", once)
    with pytest.raises(rs.StoreError, match=r"^cannot export to .*: Resource temporarily unavailable$"):
        export_static(rs.solve(parse_game("stones")), "stones", tmp_path / "site", workers=2)
    assert multiprocessing.active_children() == before


def test_a_folder_that_another_export_makes_meanwhile_is_left_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, solution, exists = tmp_path / "site", rs.solve(parse_game("stones")), Path.exists

    def made_after(path: Path) -> bool:
        if path != site or exists(path):
            return exists(path)
        site.mkdir()
        (site / "index.html").write_text("theirs")
        return False

    monkeypatch.setattr(export, "check_site", lambda _: None)
    monkeypatch.setattr(Path, "exists", made_after)
    with pytest.raises(rs.StoreError, match=r"^cannot export to .*site: File exists$"):
        export_static(solution, "stones", site)
    assert [path.read_text() for path in site.iterdir()] == ["theirs"]


def test_games_of_chance_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    games = [(name, name, rs.solve(parse_game(name))) for name in ("stones", "pig:goal=5")]
    with pytest.raises(
        rs.StoreError, match=r"^games of chance cannot be exported: expected retrosolve"
    ):
        export.export_site(games, tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_the_command_writes_what_a_host_needs_and_nothing_over_other_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "site"
    assert run(["export", "stones", "--static", str(out), "--language", "fa"]) == 0
    size = sum(path.stat().st_size for path in out.iterdir())
    assert capsys.readouterr().out.splitlines() == [f"11 positions, {format_bytes(size)} in {out}"]
    assert 'lang="fa" dir="rtl"' in (out / "index.html").read_text(encoding="utf-8")
    assert run(["export", "stones", "--static", str(out)]) == 2
    assert "is not empty: expected a folder that is" in capsys.readouterr().err


def test_a_small_game_opens_from_a_disk(browser: Browser, krk: rs.Solution, site: Path) -> None:
    with watched(browser) as page:
        page.goto((site / "index.html").as_uri())
        expect(page.locator("#verdict")).to_have_text("▲ win for White in 9")
        check_positions(page, krk, 50)
        page.click('#board [data-point="a2"]')
        page.click('#board [data-point="d2"]')
        expect(page.locator("#verdict")).to_have_text("= tie in 1")
        for name in ("Film", "Draw a board", "Draw a graph", "Structure"):
            page.goto((site / "index.html").as_uri())
            page.get_by_role("link", name=name).click()
            expect(page.locator("h1")).not_to_have_text("")


def test_processes_export_the_same_files(krk: rs.Solution, site: Path, tmp_path: Path) -> None:
    krk.save(tmp_path / "saved")
    for name, solution in (("krk", krk), ("saved", rs.open(tmp_path / "saved"))):
        export_static(solution, "KRK", tmp_path / "site" / name, workers=3)
        for file in ("blocks.bin", "texts.bin", "game.json"):
            assert (tmp_path / "site" / name / file).read_bytes() == (site / file).read_bytes()


def test_an_export_whose_process_ends_says_so(
    krk: rs.Solution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "_packed", lambda *_: os._exit(1))
    with pytest.raises(rs.StoreError, match="a process of the export has ended"):
        export_static(krk, "KRK", tmp_path / "site", workers=2)
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize("was_there", [False, True])
def test_an_interrupted_export_leaves_no_files(
    krk: rs.Solution, tmp_path: Path, was_there: bool
) -> None:
    def interrupt(progress: rs.Progress) -> None:
        if progress.done:
            assert (tmp_path / "site" / "krk" / "blocks.bin").exists()
            raise KeyboardInterrupt

    if was_there:
        (tmp_path / "site").mkdir()
    with pytest.raises(KeyboardInterrupt):
        export.export_site([("krk", "KRK", krk)], tmp_path / "site", progress=interrupt)
    assert list(tmp_path.rglob("*")) == ([tmp_path / "site"] if was_there else [])


def test_a_large_game_says_that_it_needs_a_server(
    browser: Browser, krk: rs.Solution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "MAX_INLINE", 1000)
    export_static(krk, "KRK", tmp_path / "site")
    with watched(browser) as page:
        page.goto((tmp_path / "site" / "index.html").as_uri())
        expect(page.locator("#error")).to_contain_text("python -m http.server")
    with hosted(tmp_path / "site") as address, watched(browser) as page:
        page.goto(address)
        expect(page.locator("#verdict")).to_have_text("▲ win for White in 9")


def test_the_line_of_an_exported_game_is_recorded_judged_and_taken_back(
    browser: Browser, krk: rs.Solution, site: Path
) -> None:
    assert krk.start is not None
    best, *others = krk.moves(krk.start)
    slower = next(m for m in others if m.outcome.value is Value.LOSS)
    blunder = next(m for m in others if m.outcome.value is not Value.LOSS)
    with hosted(site) as address, watched(browser) as page:
        page.goto(address)
        plies = page.locator("#plies li")
        expect(page.locator("#undo")).to_be_disabled()
        for move, note in (
            (best, ""),
            (slower, f"{best.name} was faster"),
            (blunder, f"mistake: {best.name} was better"),
        ):
            page.locator("a.move", has_text=re.compile(f"^{re.escape(move.name)}$")).first.click()
            expect(plies).to_have_count(1)
            expect(plies.first).to_contain_text(move.name)
            if move.outcome.remoteness != best.outcome.remoteness or note.startswith("mistake"):
                expect(plies.first).to_contain_text(note)
            page.click("#undo")
            expect(plies).to_have_count(0)
        for number in range(1, 4):
            page.locator("a.move").first.click()
            expect(plies).to_have_count(number)
        assert len((page.locator("#chart polyline").get_attribute("points") or "").split()) == 4
        page.locator("#plies a").first.click()
        expect(plies).to_have_count(1)
        page.click("#beginning")
        expect(page.locator("#verdict")).to_have_text("▲ win for White in 9")
        check_accessible(page)


@pytest.mark.long
def test_readers_choose_the_language_of_an_exported_game(browser: Browser, tmp_path: Path) -> None:
    solution, to = rs.solve(games()["caught"]), translation("fa")
    export_static(solution, "caught", tmp_path / "site", language="tr")
    with hosted(tmp_path / "site") as address, watched(browser) as page:
        page.goto(address)
        expect(page.locator("a.move").first).to_have_text(
            phrase(best_name(solution), translation("tr"))
        )
        page.locator("a.move").first.click()
        expect(page.locator("#plies li")).to_have_count(1)
        place = page.evaluate("location.hash")
        page.click(".switches summary")
        page.click(".switches a[lang=fa]")
        expect(page.locator("html")).to_have_attribute("dir", "rtl")
        assert page.evaluate("location.hash") == place
        assert page.get_attribute("html", "lang") == "fa"
        after = solution.best_moves(solution.start)[0].position
        expect(page.locator("a.move").first).to_have_text(phrase(best_name(solution, after), to))
        picture = page.locator("#board svg > title").text_content() or ""
        assert to.gettext("Policeman and thief") in picture
        assert page.locator("#turn").inner_text().endswith(to.gettext("thief"))
        check_accessible(page)
        page.get_by_role("link", name=to.gettext("Structure")).click()
        assert page.url.endswith("structure.fa.html")
        assert page.get_attribute("html", "dir") == "rtl"
        page.locator(".histogram a").first.click()
        expect(page.locator("html")).to_have_attribute("lang", "fa")
        expect(page.locator("#verdict")).to_have_class("v-win")
        page.click(".switches summary")
        page.click(".switches a[lang=tr]")
        expect(page.locator("html")).to_have_attribute("lang", "tr")


def best_name(solution: rs.Solution, position: object = None) -> str:
    """The name of the first of the best moves."""
    return solution.best_moves(solution.start if position is None else position)[0].name


@pytest.mark.long
@pytest.mark.parametrize("code", ["fa", "ru", "tr", "vi"])
def test_names_are_translated_in_the_page_as_in_the_library(browser: Browser, code: str) -> None:
    to, chance = translation(code), random.Random(1)
    with watched(browser) as page:
        page.goto("about:blank")
        for game in ("tictactoe", "stones", "caught", "foxhounds:n=4", "lgame", "morris3", "hexapawn"):
            solution = rs.solve(games()[game] if game in games() else parse_game(game))
            speech = export._speech(solution, to)
            space, names, titles = solution.space, set(), set()
            for position in chance.sample(list(solution), 10):
                names |= {move.name for move in solution.moves(position)}
                titles |= set(re.findall("<title>(.*?)</title>", space.svg(position) or ""))
            words = speech["phrases"] | {"digits": speech["words"]["digits"]}
            found = page.evaluate(
                f"([words, names, titles]) => {{ {bundled('phrases.js')}; "
                "const say = phrases(words); return [names.map(say.phrase), titles.map(say.title)]; }",
                [words, sorted(names), sorted(titles)],
            )
            assert found == [
                [phrase(name, to) for name in sorted(names)],
                [title(text, to) for text in sorted(titles)],
            ]


def test_readers_write_positions_with_the_digits_of_their_language(
    browser: Browser, tmp_path: Path
) -> None:
    solution = rs.solve(parse_game("stones"))
    export_static(solution, "stones", tmp_path / "site", language="fa")
    with hosted(tmp_path / "site") as address, watched(browser) as page:
        page.goto(f"{address}#{solution.space.index(10)}-7")  # no player has this number
        expect(page.locator("#turn")).to_have_text(
            re.compile(translation("fa").gettext("First player"))
        )
        page.fill("input[name=at]", "۷")
        page.keyboard.press("Enter")
        expect(page.locator("#position-text")).to_have_text("7")


def test_an_exported_game_without_hints_gives_nothing_away(
    browser: Browser, krk: rs.Solution, site: Path
) -> None:
    assert krk.start is not None
    with hosted(site) as address, watched(browser) as page:
        page.goto(address)
        expect(page.locator("#board .best-move")).to_have_count(1)
        page.click('#board [data-point="a2"]')
        assert "9" in page.locator("#board .badge.is-best").all_text_contents()
        page.select_option("select[name=hints]", "no")
        expect(page.locator("#verdict")).to_have_text("To move: White")
        names = page.locator("a.move").all_text_contents()
        assert names == sorted(move.name for move in krk.moves(krk.start))
        page.reload()
        expect(page.locator("#verdict")).to_have_text("To move: White")
        for _ in range(2):
            page.locator("a.move").first.click()
        expect(page.locator("#plies li")).to_have_count(2)
        assert (
            page.locator(
                "main [class*=v-]:visible, .best-move, .note, thead:visible, #chart:visible"
            ).count()
            == 0
        )
        page.click('#board [data-point]:is([role="button"]) >> nth=0')
        assert set(page.locator("#board .badge").all_text_contents()) <= {""}
        page.goto(f"{address}#{krk.space.index(next(krk.where('loss', 0)))}")
        expect(page.locator("#verdict")).to_have_class("v-win")  # a game that is over is judged
        check_accessible(page)
        page.select_option("select[name=hints]", "yes")
        expect(page.locator("thead")).to_be_visible()


def test_distances_to_conversion_are_exported_with_what_they_count(
    browser: Browser, tmp_path: Path
) -> None:
    graph, tiers = random_tiered_graph(60)
    game = CompiledGraphGame(without_owner(graph), tiers=tiers)
    solution = rs.solve(game, objective="conversion:limit=1")
    export_static(solution, "conversion", tmp_path / "game")
    converting = next(
        position
        for position in solution.where("win", remoteness=1)
        if solution.best_moves(position)[0].outcome.remoteness
    )
    cursed = next(solution.where("cursed-win"))
    with hosted(tmp_path / "game") as address, watched(browser) as page:
        page.goto(f"{address}#{solution.space.index(converting)}")
        expect(page.locator("#verdict")).to_contain_text(" (to the next conversion: 1)")
        expect(page.locator("#moves tr").first).to_contain_text(" (to the next conversion: 1)")
        page.goto(f"{address}#{solution.space.index(cursed)}")
        expect(page.locator("#verdict")).to_have_text("∞ draw (cursed win)")


def test_points_and_what_plies_count_to_stand_in_one_pair_of_parentheses(
    browser: Browser, tmp_path: Path
) -> None:
    solution = rs.solve(parse_game("awari:pits=3,seeds=6"))
    export_static(solution, "awari", tmp_path / "site")
    position, won = next((p, o) for p, o in solution.items() if o.value.label == "3" and o.remoteness)
    said = f"▲ win for First player (+3, to the next points: {won.remoteness})"
    lost, plies = next(
        (p, o.remoteness) for p, o in solution.items() if o.value.label == "-3" and o.remoteness
    )
    with hosted(tmp_path / "site") as address, watched(browser) as page:
        page.goto(f"{address}#{solution.space.index(position)}")
        expect(page.locator("#verdict")).to_have_text(said)
        page.goto(f"{address}#{solution.space.index(lost)}")  # the points are those of who wins
        expect(page.locator("#verdict")).to_have_text(
            f"▼ win for Second player (+3, to the next points: {plies})"
        )
        page.select_option("select[name=you]", "0")
        expect(page.locator("#verdict")).to_have_text(f"▼ you lose (-3, to the next points: {plies})")
        expect(page.locator("#points")).to_have_text(
            "Points taken: You 0, Opponent 0 · the rest: -3 · "
            "Points count from the position at which the line begins."
        )


def test_undo_on_an_exported_page_goes_back_to_the_last_move_of_the_reader(
    browser: Browser, tmp_path: Path
) -> None:
    """Each player moves twice."""
    owner = {"a": 0, "b": 0, "c": 1, "d": 1, "e": 0, "f": 1}
    graph = rs.Graph.from_edges(list(pairwise("abcdef")), owner=owner)
    export_static(rs.solve(graph.with_start("a")), "twice", tmp_path / "site")
    with hosted(tmp_path / "site") as address, watched(browser) as page:
        page.goto(address)
        page.select_option("select[name=you]", "0")
        page.select_option("select[name=mistakes]", "0.0")
        for after in ("b", "e"):  # by one move, and by one and two of the opponent
            page.locator("a.move").first.click()
            expect(page.locator("#position-text")).to_have_text(after)
        page.click("#undo")
        expect(page.locator("#position-text")).to_have_text("b")
        page.click("#undo")
        expect(page.locator("#position-text")).to_have_text("a")


def test_an_exported_game_has_three_columns_on_a_desktop_and_fits_every_width(
    browser: Browser, site: Path
) -> None:
    with hosted(site) as address, watched(browser, viewport={"width": 1440, "height": 900}) as page:
        page.goto(address)
        for _ in range(3):
            page.locator("a.move").first.click()
        expect(page.locator("#plies li")).to_have_count(3)
        boxes = [page.locator(part).bounding_box() for part in (".place", ".moves", ".record")]
        ends = [(box["x"], box["x"] + box["width"]) for box in boxes if box]
        assert len(ends) == 3
        assert ends[0][1] <= ends[1][0] < ends[1][1] <= ends[2][0]
        board = page.locator("#board svg").bounding_box()
        assert board is not None
        assert board["height"] > 0.65 * 900
        for width in (320, 390, 640, 900, 1440, 2560):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width


@pytest.mark.long
def test_several_games_have_cards_and_lead_back(browser: Browser, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    arguments = ["export", "tictactoe", "stones:n=5", "--static", str(folder), "--language", "tr"]
    assert run(arguments) == 0
    size = {"width": 320, "height": 700}
    with hosted(folder) as address, watched(browser, viewport=size) as page:
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
        page.click(".switches summary")
        page.click(".switches a[lang=vi]")
        expect(page.locator("html")).to_have_attribute("lang", "vi")
        page.locator(".card h2 a").last.click()
        expect(page.locator("html")).to_have_attribute("lang", "vi")
        page.locator("header").get_by_role("link", name=translation("vi").gettext("Games")).click()
        expect(page.locator("html")).to_have_attribute("lang", "vi")


def test_two_games_of_one_name_are_not_exported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["export", "stones", "stones", "--static", str(tmp_path / "site")]) == 2
    assert "two inputs have the name 'stones'" in capsys.readouterr().err
    assert not (tmp_path / "site").exists()

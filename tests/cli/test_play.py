"""``retrosolve play``, driven through a pseudo-terminal as a person would, and through pipes."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.games import parse_game

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 60  # seconds; only a failure waits as long


class Terminal:
    """A program in a pseudo-terminal."""

    def __init__(self, program: subprocess.Popen[bytes], end: int) -> None:
        self.program = program
        self.end = end
        self.output = ""

    def until(self, text: str) -> str:
        """What the program prints up to a text, which must come."""
        while text not in self.output:
            ready, _, _ = select.select([self.end], [], [], PATIENCE)
            assert ready, self.output
            self.output += os.read(self.end, 4096).decode()
        printed, _, self.output = self.output.partition(text)
        return printed + text

    def type(self, line: str) -> None:
        """Type a line once the program asks for one; the terminal echoes it."""
        self.until("> ")
        os.write(self.end, f"{line}\n".encode())

    def rest(self) -> str:
        """What the program prints until it ends."""
        while True:
            try:
                part = os.read(self.end, 4096)
            except OSError:  # the other end is closed
                part = b""
            if not part:
                return self.output
            self.output += part.decode()


@contextmanager
def terminal(*arguments: str) -> Iterator[Terminal]:
    ours, theirs = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
    environment.pop("NO_COLOR", None)
    program = subprocess.Popen(
        [sys.executable, "-m", "retrosolve", "play", *arguments],
        stdin=theirs, stdout=theirs, stderr=theirs, cwd=ROOT, env=environment,
    )  # fmt: skip
    os.close(theirs)
    try:
        yield Terminal(program, ours)
        assert program.wait(PATIENCE) == 0
    finally:
        program.kill()
        program.wait()
        os.close(ours)


def plain(text: str) -> str:
    """Text without colours and line feeds of a terminal."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text).replace("\r\n", "\n")


@pytest.mark.thorough
def test_a_session_in_a_terminal() -> None:
    with terminal("stones:n=10", "--seed", "3") as played:
        first = played.until("  2 take 2")
        assert "\x1b[32m▲ You win in 7 plies" in first  # green
        assert "You lose in 6 plies" in plain(played.until("plies"))
        played.type("h")
        assert "take 1  ▲ You win in 7 plies" in plain(played.until("plies"))
        played.type("2")
        assert "That was a mistake: take 1 is best." in plain(played.until("best."))
        assert "Opponent: take" in plain(played.until("Opponent: take"))
        assert "▼ You lose in" in plain(played.until("You lose in"))
        played.type("u")
        assert "▲ You win in 7 plies" in plain(played.until("7 plies"))
        played.type("nonsense")
        played.until("u undo")
        for _ in range(4):
            played.type("1")
        transcript = plain(played.rest()).partition("Transcript")[2]
    rows = [row.split() for row in transcript.strip().splitlines()]
    assert [row[1] for row in rows[:-1]] == ["You", "Opponent"] * 3 + ["You"]
    assert transcript.strip().endswith("▲ You have won")
    assert "mistake" not in transcript  # it was taken back


def answers(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, lines: str, *arguments: str
) -> str:
    """What a session prints for lines on standard input, without colours."""
    read = iter(lines.splitlines())
    monkeypatch.setattr("builtins.input", lambda: next(read, None) or _end())
    assert run(["play", *arguments]) == 0
    return plain(capsys.readouterr().out)


def _end() -> str:
    raise EOFError


def test_a_perfect_opponent_wins_what_is_lost(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = answers(capsys, monkeypatch, "take 1\n" * 9, "stones:n=9")
    assert shown.rstrip().endswith("▼ You have lost")
    assert "You made" not in shown  # every move loses: none is a mistake


def test_a_fallible_opponent_errs_by_its_seed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = [
        answers(capsys, monkeypatch, "1\n" * 20, "stones:n=21", "--mistakes", "0.5", "--seed", seed)
        for seed in ("1", "1", "2")
    ]
    assert shown[0] == shown[1] != shown[2]
    assert re.search(r"Opponent  take \d\?", shown[0])
    assert shown[0].rstrip().endswith("▲ You have won")


def test_the_second_side_waits_and_both_sides_are_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, boards: Path
) -> None:
    shown = answers(capsys, monkeypatch, "q", "hexapawn", "--side", "second")
    assert shown.index("▲ You win in 6 plies") < shown.index("Opponent: ") < shown.index("a3xb2")
    shown = answers(capsys, monkeypatch, "1\nq", str(boards / "caught.txt"), "--side", "both")
    assert "▲ Win for policeman in 17 plies" in shown
    assert "policeman: up left" in shown
    assert "▼ Loss for thief in 16 plies" in shown
    assert "  2 .*...*.*.." in shown
    assert shown.rstrip().endswith("The game is not finished.")


def test_values_are_hidden_until_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    hidden = answers(capsys, monkeypatch, "q", "hexapawn", "--no-values")
    assert "plies" not in hidden
    game = parse_game("hexapawn")
    names = [name for name, _ in game.moves(game.start())]
    assert re.findall(r"^  \d (\S+)$", hidden, re.MULTILINE) == names
    assert "▼ You lose in 6 plies" in answers(capsys, monkeypatch, "v\nq", "hexapawn", "--no-values")


def test_a_saved_solution_and_another_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rs.solve(parse_game("tictactoe")).save(tmp_path / "saved")
    shown = answers(capsys, monkeypatch, "q", str(tmp_path / "saved"), "--start", "XO./.../...")
    assert "   123\n 1 XO.\n 2 ...\n 3 ...\n▲ You win in 5 plies" in shown


def test_swapping_sides_lets_the_opponent_move(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = answers(capsys, monkeypatch, "s\nq", "stones:n=4")
    assert shown.index("Opponent: take 1") > shown.index("▲ You win in 3 plies")
    assert "▼ You lose in" in shown


def test_undo_at_the_start_and_positions_met_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = answers(
        capsys, monkeypatch, "u\nstay\nstay\nq", "examples/boards/draw.txt", "--side", "both"
    )
    assert "There is no move to take back." in shown
    assert "This position has occurred before." in shown


def test_a_game_without_a_start_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "examples/token.csv"]) == 2
    assert "INPUT has no start: expected --start POSITION" in capsys.readouterr().err


@pytest.mark.long
def test_a_board_is_shown_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = answers(capsys, monkeypatch, "q", "morris3")
    assert shown.startswith("   123\n 1 ...\n 2 ...\n 3 ...\n▲ You win in 9 plies\n")
    shown = answers(capsys, monkeypatch, "q", "examples/kono.py:Kono,rows=3,columns=3", "--no-values")
    assert shown.startswith(" 3 OOO\n 2 O.X\n 1 XXX\n   abc\n  X to move\n")
    shown = answers(capsys, monkeypatch, "q", "morris6:men=3", "--no-values")
    assert shown.startswith("  ........\n  ........\n  ......../........ 6\n")
    shown = answers(capsys, monkeypatch, "q", "mutorere", "--no-values")
    assert shown.startswith("  XXXXOOOO . X to move\n")


@pytest.mark.long
def test_points_of_moves_are_shown_and_plies_to_points_end_no_game(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = answers(capsys, monkeypatch, "b\nq", "kalah:pits=3,seeds=2", "--side", "both")
    assert "  1 b (+1)  ▲ Win for First player (+4) (to the next points: 1 ply)\n" in shown
    assert "  2 c (+1)  = The game ends without a winner (to the next points: 1 ply)\n" in shown
    assert "  3 a       ▼ Loss for First player (-8) (to the next points: 2 plies)\n" in shown
    assert "\nFirst player: b (+1)\n" in shown
    assert re.search(r"1\. First player +b \(\+1\) +▲ Win for First player \(\+4\) \(to the", shown)


@pytest.mark.thorough
@pytest.mark.parametrize("mate", ["Ra4#", "Ra4", "Ra1-a4#", "a1a4"])
def test_a_chess_move_is_typed_in_any_notation(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, mate: str
) -> None:
    ending = ("chess:KRK,board=4", "--start", "3k/4/2K1/R3 w")
    shown = answers(capsys, monkeypatch, mate, *ending)
    assert "You: Ra4#" in shown
    assert shown.rstrip().endswith("▲ You have won")


def test_a_chess_game_is_counted_in_moves_as_well(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = answers(capsys, monkeypatch, "Ra3\nKc2\nq", "chess:KRK,board=4", "--side", "both")
    assert "▲ Win for White in 9 plies (mate in 5)" in shown
    assert re.search(r"1\. White +Ra3 +▲ Win for White in 8 plies \(mate in 4\)", shown)
    assert re.search(r"2\. Black +Kc2 +▼ Loss for Black in 7 plies \(mate in 4\)", shown)

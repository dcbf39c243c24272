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
from tests.support.commands import Shell

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


def played(sh: Shell, line: str, *typed: str) -> str:
    """What a session prints for lines on standard input, without colours."""
    return plain(sh(f"play {line}", stdin="\n".join(typed)))


def test_a_perfect_opponent_wins_what_is_lost(sh: Shell) -> None:
    shown = played(sh, "stones:n=9", *["take 1"] * 9)
    assert shown.rstrip().endswith("▼ You have lost")
    assert "You made" not in shown  # every move loses: none is a mistake


def test_a_fallible_opponent_errs_by_its_seed(sh: Shell) -> None:
    line = "stones:n=21 --mistakes 0.5 --seed"
    shown = [played(sh, f"{line} {seed}", *"1" * 20) for seed in (1, 1, 2)]
    assert shown[0] == shown[1] != shown[2]
    assert re.search(r"Opponent  take \d\?", shown[0])
    assert shown[0].rstrip().endswith("▲ You have won")


def test_the_second_side_waits_and_both_sides_are_named(sh: Shell) -> None:
    shown = played(sh, "hexapawn --side second", "q")
    assert shown.index("▲ You win in 6 plies") < shown.index("Opponent: ") < shown.index("a3xb2")
    shown = played(sh, "examples/boards/caught.txt --side both", "1", "q")
    for line in (
        "▲ Win for policeman in 17 plies", "policeman: up left", "▼ Loss for thief in 16 plies", "  2 .*...*.*..",
    ):  # fmt: skip
        assert line in shown
    assert shown.rstrip().endswith("The game is not finished.")


def test_values_are_hidden_until_asked_for(sh: Shell) -> None:
    hidden = played(sh, "hexapawn --no-values", "q")
    assert "plies" not in hidden
    game = rs.game("hexapawn")
    names = [name for name, _ in game.moves(game.start())]
    assert re.findall(r"^  \d (\S+)$", hidden, re.MULTILINE) == names
    assert "▼ You lose in 6 plies" in played(sh, "hexapawn --no-values", "v", "q")


def test_a_saved_solution_and_another_start(sh: Shell) -> None:
    sh("solve tictactoe -o saved")
    shown = played(sh, "saved --start XO./.../...", "q")
    assert "   123\n 1 XO.\n 2 ...\n 3 ...\n▲ You win in 5 plies" in shown


def test_swapping_sides_lets_the_opponent_move(sh: Shell) -> None:
    shown = played(sh, "stones:n=4", "s", "q")
    assert shown.index("Opponent: take 1") > shown.index("▲ You win in 3 plies")
    assert "▼ You lose in" in shown


def test_undo_at_the_start_and_positions_met_again(sh: Shell) -> None:
    shown = played(sh, "examples/boards/draw.txt --side both", "u", "stay", "stay", "q")
    assert "There is no move to take back." in shown
    assert "This position has occurred before." in shown


@pytest.mark.parametrize(
    ("game", "board"),
    [
        ("chess:KRK,board=4", " 4 ....\n 3 ....\n 2 R...\n 1 K.k.\n   abcd\n"),
        ("connect4:rows=2,columns=3,connect=2", "  ...\n  ...\n  abc\n"),
        ("foxhounds:n=4", " 4 .F\n 3 ..\n 2 ..\n 1 HH\n"),
        ("examples/boards/caught.txt", "             1\n    1234567890\n  1 .........."),
        pytest.param("morris3", "   123\n 1 ...\n 2 ...\n 3 ...\n", marks=pytest.mark.long),
        pytest.param("examples/kono.py:Kono,rows=3,columns=3", " 3 OOO\n 2 O.X\n 1 XXX\n   abc\n  X to move\n", marks=pytest.mark.long),
        pytest.param("morris6:men=3", "  ........\n  ........\n  ......../........ 6\n", marks=pytest.mark.long),
        pytest.param("mutorere", "  XXXXOOOO . X to move\n", marks=pytest.mark.long),
    ],
    ids=lambda text: text.partition(":")[0].strip(),
)  # fmt: skip
def test_a_board_is_shown_once_with_its_squares_named(game: str, board: str, sh: Shell) -> None:
    assert played(sh, f"{game} --no-values", "q").startswith(board)


@pytest.mark.long
def test_points_of_moves_are_shown_and_plies_to_points_end_no_game(sh: Shell) -> None:
    shown = played(sh, "kalah:pits=3,seeds=2 --side both", "b", "q")
    assert "  1 b (+1)  ▲ Win for First player (+4) (to the next points: 1 ply)\n" in shown
    assert "  2 c (+1)  = The game ends without a winner (to the next points: 1 ply)\n" in shown
    assert "  3 a       ▼ Loss for First player (-8) (to the next points: 2 plies)\n" in shown
    assert "\nFirst player: b (+1)\n" in shown
    assert re.search(r"1\. First player +b \(\+1\) +▲ Win for First player \(\+4\) \(to the", shown)


@pytest.mark.parametrize("mate", ["Ra4#", "Ra4", "Ra1-a4#", "a1a4"])
def test_a_chess_move_is_typed_in_any_notation(mate: str, sh: Shell) -> None:
    shown = played(sh, "chess:KRK,board=4 --start '3k/4/2K1/R3 w'", mate)
    assert "You: Ra4#" in shown
    assert shown.rstrip().endswith("▲ You have won")


def test_a_chess_game_is_counted_in_moves_as_well(sh: Shell) -> None:
    shown = played(sh, "chess:KRK,board=4 --side both", "Ra3", "Kc2", "q")
    assert "▲ Win for White in 9 plies (mate in 5)" in shown
    assert re.search(r"1\. White +Ra3 +▲ Win for White in 8 plies \(mate in 4\)", shown)
    assert re.search(r"2\. Black +Kc2 +▼ Loss for Black in 7 plies \(mate in 4\)", shown)

"""Policeman and thief: three ways to the same answer, and the answers themselves."""

from pathlib import Path

import pytest

import retrosolve as rs
from retrosolve import Value
from retrosolve.formats.board import parse_board
from retrosolve.pursuit.police import PLAYERS, PoliceAndThief, verdict
from tests.support.police import COUNTS


@pytest.mark.parametrize("name", COUNTS)
def test_counts_of_the_example_boards(name: str, boards: Path) -> None:
    police = PoliceAndThief.from_file(boards / f"{name}.txt")
    answer, policeman, thief = COUNTS[name]
    for solver in ("auto", "retrograde"):
        solution = rs.solve(police, solver=solver)
        rs.verify(solution)
        assert verdict(solution[police.initial]) == answer
        by_owner = solution.counts_by_player()
        assert by_owner is not None
        for player, expected in zip(PLAYERS, (policeman, thief), strict=True):
            counts = by_owner[player]
            assert (counts[Value.WIN], counts[Value.LOSS], counts[Value.DRAW]) == expected
            assert counts[Value.TIE] == 0


def test_capture_comes_before_the_exit_on_the_thiefs_turn() -> None:
    police = PoliceAndThief.from_text("PE")
    solution = rs.solve(police)
    both_on_exit = ((1, 2), (1, 2), "thief")
    assert solution[both_on_exit] == (Value.LOSS, 0)
    # A program that looks at the exit first calls this a win for the thief.
    assert solution[(1, 2), (1, 2), "policeman"] == (Value.WIN, 0)
    assert solution[(1, 1), (1, 2), "thief"] == (Value.WIN, 0)
    assert solution[(1, 1), (1, 2), "policeman"] == (Value.LOSS, 0)


def test_moves_are_eight_for_the_policeman_four_for_the_thief() -> None:
    police = PoliceAndThief.from_text("...\n.P.\n..T")
    assert len(police.moves(police.start())) == 9
    names = {name for name, _ in police.moves(((1, 1), (2, 2), "thief"))}
    assert names == {"stay", "up", "down", "left", "right"}
    assert police.text(police.start()) == "policeman 2,2, thief 3,3, policeman to move"


def test_a_board_without_tokens_has_all_positions_solved() -> None:
    police = PoliceAndThief.from_text("..E\n.*.")
    solution = rs.solve(police)
    assert (solution.start, len(solution)) == (None, 2 * 25)
    with pytest.raises(rs.PositionError):
        police.start()
    for bad in (((1, 1), (2, 2), "thief"), ((1, 1), (1, 2), "judge"), (1, 2), None, 7):
        with pytest.raises(rs.PositionError):
            solution[bad]


def test_the_verdict_is_from_the_policemans_side_on_either_turn() -> None:
    win = rs.Outcome(Value.WIN, 3)
    assert verdict(win) == "Police catches the thief"
    assert verdict(win, "thief") == "The thief escapes"
    assert verdict(rs.Outcome(Value.DRAW, None), "thief") == "Draw"


@pytest.mark.parametrize(
    "text",
    [
        "2 3\r\nP.*\r\n.TE\r\n",
        "P.*\n.TE",
        "\ufeff2 3\nP.*  \n.TE \t\n\n\n",
        "\n\n2 3\nC.*\n.TE",
        "P.*\r.TE",
        # as `cin >>` reads them
        "2 3\n  P.*\n .TE",
        "2\n3\nP.*\n.TE",
        " 2 \n\n 3\n\nP.*\n\n.TE",
        "2 3\nP . *\n.\tT  E",
        "  P.*\n.TE",
    ],
)
def test_boards_are_read_however_their_lines_end(text: str) -> None:
    board = parse_board(text.encode())
    assert str(board) == "P.*\n.TE"
    assert (board.rows, board.columns) == (2, 3)


def test_a_board_too_large_for_the_machine_is_refused_before_any_work() -> None:
    police = PoliceAndThief.from_text("\n".join(["." * 600] * 600))
    with pytest.raises(rs.MemoryBudgetError):
        rs.solve(police)
    with pytest.raises(rs.MemoryBudgetError):
        rs.plan(PoliceAndThief.from_text("\n".join(["." * 3000] * 3000)))

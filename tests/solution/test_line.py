"""A line of play prints as numbered moves."""

import copy
import pickle

import retrosolve as rs
from retrosolve.games.hexapawn import Hexapawn
from retrosolve.games.stones import Stones
from retrosolve.games.tictactoe import TicTacToe


def test_a_line_prints_one_move_a_row() -> None:
    line = rs.solve(Stones(n=4)).line(4)
    assert str(line) == (
        "  1. take 1  ->  3  (LOSS in 2)\n  2. take 1  ->  2  (WIN in 1)\n  3. take 2  ->  0  (LOSS in 0)"
    )
    assert repr(line) == "LineOfPlay(take 1, take 1, take 2)"
    assert line == list(line)


def test_players_are_named_where_they_are_known() -> None:
    line = rs.solve(Hexapawn()).line("WWW...BBBW", 2)
    rows = str(line).splitlines()
    assert [row.split(" ")[3] for row in rows] == ["white:", "black:"]
    assert "BBB/.W./W.W black to move" in rows[0]
    owned = rs.Graph.from_edges([0, 1], [1, 2], owner=[0, 1, 0])
    assert str(rs.solve(owned).line(0)) == "  1. 0: 1  (WIN in 1)\n  2. 1: 2  (LOSS in 0)"


def test_a_player_in_the_name_of_the_move_is_not_named_again() -> None:
    line = rs.solve(TicTacToe()).line("XX.OO....", 1)
    assert str(line) == "  1. X at 1,3  ->  XXX/OO./...  (LOSS in 0)"


def test_long_and_empty_lines_stay_short() -> None:
    solution = rs.solve(Stones(n=40))
    assert repr(solution.line(40)).endswith(", ... 27 moves)")
    assert len(repr(solution.line(40)).split(", ")) == 13
    assert str(solution.line(0)) == "no move"
    assert repr(solution.line(0)) == "LineOfPlay()"


def test_a_line_can_be_copied() -> None:
    line = rs.solve(rs.Graph.from_edges(["a"], ["b"])).line("a")
    assert str(pickle.loads(pickle.dumps(line))) == str(copy.copy(line)) == str(line)

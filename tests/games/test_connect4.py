"""Connect Four: its index, its rules against plain ones, and what is published."""

import random
from bisect import bisect_right
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.games.connect4 import ConnectFour
from retrosolve.rules.contract import LOSS, NOT_TERMINAL, TIE
from retrosolve.rules.interpreted import InterpretedGame
from tests.support.marks import SLOW, samples
from tests.support.published import figures

pytestmark = pytest.mark.thorough

# Positions by columns and rows.
KNOWN = {tuple(map(int, size.split("x"))): n for size, n in figures("connect4-counts")["w x h"].items()}
PUBLISHED = {size: n for size, n in KNOWN.items() if n < 10**7}
LARGE = {size: n for size, n in KNOWN.items() if 10**7 < n < 10**8}
NOBODY_WINS = [(4, 4), (4, 3), (5, 3), (3, 6)]


class PlainConnect(rs.Game):
    """The same in plain Python: columns as strings, from the bottom, and who has moved last."""

    def __init__(self, rows: int, columns: int, connect: int) -> None:
        self.rows, self.columns, self.connect = rows, columns, connect

    def start(self) -> tuple[str, ...]:
        return ("",) * self.columns

    def moves(self, board: tuple[str, ...]) -> list[tuple[str, tuple[str, ...]]]:
        mover = "ab"[sum(map(len, board)) % 2]
        return [
            ("abcdefgh"[c], (*board[:c], column + mover, *board[c + 1 :]))
            for c, column in enumerate(board)
            if len(column) < self.rows
        ]

    def terminal(self, board: tuple[str, ...]) -> rs.Value | None:
        taken = {(c, r): mark for c, column in enumerate(board) for r, mark in enumerate(column)}
        for (c, r), mark in taken.items():
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if all(taken.get((c + k * right, r + k * up)) == mark for k in range(self.connect)):
                    return rs.Value.LOSS
        return rs.Value.TIE if len(taken) == self.rows * self.columns else None

    def text(self, board: tuple[str, ...]) -> str:
        marks = "XO" if sum(map(len, board)) % 2 == 0 else "OX"
        rows = ("".join(column[r : r + 1] or "." for column in board) for r in range(self.rows))
        return "/".join(reversed(list(rows))).replace("a", marks[0]).replace("b", marks[1])


@pytest.mark.long("4-4", "3-4")
@pytest.mark.parametrize(("columns", "rows"), PUBLISHED)
def test_published_figures(columns: int, rows: int) -> None:
    game = ConnectFour(rows, columns)
    solution = rs.solve(game)
    assert len(solution) == PUBLISHED[columns, rows]
    if (columns, rows) in NOBODY_WINS:
        assert solution[game.start()] == rs.Outcome(rs.Value.TIE, columns * rows)
    rs.verify(solution)


def test_values_on_four_by_four_as_published() -> None:
    counts = rs.solve(ConnectFour()).counts()
    assert [counts[v] for v in (rs.Value.WIN, rs.Value.LOSS, rs.Value.TIE)] == [38675, 32234, 90120]
    assert counts[rs.Value.DRAW] == 0


@SLOW
@pytest.mark.parametrize(("columns", "rows"), LARGE)
def test_published_figures_of_large_boards(columns: int, rows: int) -> None:
    assert len(rs.solve(ConnectFour(rows, columns))) == LARGE[columns, rows]


@pytest.mark.long(but=1)
@pytest.mark.parametrize(
    ("rows", "columns", "connect"),
    [(3, 3, 3), (2, 4, 2), (4, 3, 3), (4, 3, 4), (1, 6, 3), (8, 1, 2), (3, 4, 3)],
)
def test_every_position_is_as_in_plain_rules(rows: int, columns: int, connect: int) -> None:
    game, same = ConnectFour(rows, columns, connect), PlainConnect(rows, columns, connect)
    view = InterpretedGame(game)
    compiled, found = rs.solve(game), rs.solve(view)
    plain = rs.solve(same)
    assert len(found) == len(plain)
    for v in range(len(plain)):
        board: Any = plain.space.position(v)
        position = game.parse(same.text(board))
        assert game.text(position) == same.text(board)
        assert found[position] == compiled[position] == plain[board]
        if same.terminal(board) is None:
            moves = [(name, game.text(target)) for name, target in view.moves(position)]
            assert moves == [(name, same.text(target)) for name, target in same.moves(board)]


def test_positions_found_are_as_many_as_published() -> None:
    for columns, rows in ((3, 4), (4, 3)):
        assert len(rs.solve(InterpretedGame(ConnectFour(rows, columns)))) == PUBLISHED[columns, rows]


@pytest.mark.parametrize(("rows", "columns"), [(3, 4), (4, 3), (2, 5), (1, 8), (8, 1)])
def test_the_index_is_dense_and_moves_lead_a_tier_down(rows: int, columns: int) -> None:
    game = ConnectFour(rows, columns)
    assert game.size is not None
    assert game.tiers is not None
    out = np.zeros(columns, np.int64)
    positions = set()
    for index in range(game.size):
        position = int(game.unrank(index, game.data))
        positions.add(position)
        assert int(game.rank(position, game.data)) == index
        tier = bisect_right(game.tiers, index) - 1
        assert game.text(position).count(".") == tier
        if game.terminal(position, game.data) == NOT_TERMINAL:
            for target in out[: game.successors(position, out, game.data)].tolist():
                there = int(game.rank(target, game.data))
                assert game.tiers[tier - 1] <= there < game.tiers[tier]
    assert len(positions) == game.size


@pytest.mark.parametrize(("rows", "columns"), [(5, 5), (4, 6), (6, 7), (6, 8), (8, 7)])
def test_rank_and_unrank_are_inverse(rows: int, columns: int) -> None:
    game = ConnectFour(rows, columns)
    assert game.size is not None
    assert game.tiers is not None
    rng = random.Random(0)
    out = np.zeros(columns, np.int64)
    for _ in range(samples(8, 20)):
        position = game.start()
        while game.terminal(position, game.data) == NOT_TERMINAL:
            count = game.successors(position, out, game.data)
            assert count == sum(mark == "." for mark in game.text(position)[:columns])
            position = rng.choice(out[:count].tolist())
            index = int(game.rank(position, game.data))
            assert bisect_right(game.tiers, index) - 1 == game.text(position).count(".")
            assert int(game.unrank(index, game.data)) == position == game.parse(game.text(position))
    for first in (*game.tiers, game.size):
        for index in {max(first - 1, 0), min(first, game.size - 1), rng.randrange(game.size)}:
            assert int(game.rank(int(game.unrank(index, game.data)), game.data)) == index


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("...../...../...../OOOO.", LOSS),
        ("...../...../...../.OOOO", LOSS),
        ("O..../O..../O..../O....", LOSS),
        ("...O./..OX./.OXX./OXXO.", LOSS),
        (".O.../.XO../.XXO./.OXXO", LOSS),
        ("...../...../...../OOO.O", NOT_TERMINAL),
        ("...../...../...../XXXX.", NOT_TERMINAL),
        ("...../O..../O..../O....", NOT_TERMINAL),
        ("...../.O.../.XOO./.OXXO", NOT_TERMINAL),
        ("XXOOX/OOXXO/XXOOX/OOXXO", TIE),
    ],
)
def test_winner_of_finished_positions(text: str, expected: int) -> None:
    game = ConnectFour(4, 5)
    marks = "".join(reversed(text.split("/")))
    stones = [(s % 5 * 5 + s // 5, mark) for s, mark in enumerate(marks) if mark != "."]
    heights = [sum(place // 5 == c for place, _ in stones) for c in range(5)]
    position = sum(1 << 5 * c + height for c, height in enumerate(heights))
    position += sum(1 << place for place, mark in stones if mark == "X")
    assert game.text(position) == text
    assert game.terminal(position, game.data) == expected


def test_moves_are_named_by_columns() -> None:
    game = ConnectFour(2, 3)
    assert [name for name, _ in InterpretedGame(game).moves(game.start())] == ["a", "b", "c"]
    position = game.parse(".X./OO.")
    assert InterpretedGame(game).moves(position)[0] == ("a", game.parse("OO./XX."))
    assert [name for name, _ in InterpretedGame(game).moves(position)] == ["a", "c"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "...",
        "..../....",
        "XO./X../...",
    ],
)
def test_texts_that_are_no_position(text: str) -> None:
    with pytest.raises(rs.PositionError):
        ConnectFour(2, 3).parse(text)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"rows": 0}, "rows=0: expected a whole number from 1 to 8"),
        ({"columns": 9}, "columns=9: expected a whole number from 1 to 8"),
        ({"rows": 4.0}, "rows=4.0: expected a whole number"),
        ({"columns": True}, "columns=True: expected a whole number"),
        ({"connect": 1}, "connect=1: expected a whole number from 2 to 8"),
        ({"rows": 7, "columns": 8}, "8 columns and 7 rows has too many positions: expected at most 63"),
    ],
)
def test_boards_that_are_none(given: dict[str, Any], message: str) -> None:
    with pytest.raises(rs.RulesError, match=message):
        ConnectFour(**given)


def test_the_rules_keep_to_their_contract() -> None:
    assert "rank" in rs.check_game(ConnectFour(), samples=150).rules


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("..../..../..../....", "TIE in 16"),
        ("..../..../OOO./XXX.", "WIN in 1"),
        ("..../.OXX/.OOO/XOXX", "LOSS in 2"),  # O threatens a row and a column
        (".OOO/XXOO/XXOO/OXXX", "TIE in 1"),
    ],
)
def test_positions_with_known_answers(text: str, outcome: str) -> None:
    game = ConnectFour(4, 4)
    assert str(rs.solve(game)[game.parse(text)]) == outcome

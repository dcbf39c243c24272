"""Bearing off against the answers of GNU Backgammon, and against slow rules."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from functools import cache
from itertools import permutations
from pathlib import Path

import pytest

import retrosolve as rs
from retrosolve.games.bearoff import SIDE, THROWS, Bearoff, Rolls

DATA = Path(__file__).parent.parent / "data" / "bearoff.json"
ROUNDING = 1e-4  # of the answers, which are kept in 16 bits


def check_answers(solution: rs.Solution, rows: list[tuple[str, int]]) -> None:
    for text, number in rows:
        odds = solution[text].value
        assert odds.width < 1e-10
        assert abs(odds.middle - number / 65535) < ROUNDING
    rs.verify(solution)


def test_two_checkers_have_the_published_probabilities() -> None:
    check_answers(rs.solve(Bearoff(6, 2)), json.loads(DATA.read_text())["two_checkers"])


@pytest.mark.long
def test_six_checkers_have_the_published_probabilities() -> None:
    game = Bearoff(6, 6)
    assert game.size == 853_776
    check_answers(rs.solve(game), json.loads(DATA.read_text())["six_checkers"])


def played(board: tuple[int, ...], die: int) -> set[tuple[int, ...]]:
    """Return the boards after one die; nothing left to play keeps the board."""
    boards = set()
    for point, count in enumerate(board, 1):
        if count and (point >= die or not any(board[point:])):
            after = list(board)
            after[point - 1] -= 1
            if point > die:
                after[point - die - 1] += 1
            boards.add(tuple(after))
    return boards or {board}


def test_moves_are_those_of_slow_rules() -> None:
    rng, game = random.Random(1), Bearoff(6, 6)
    for _ in range(200):
        mine = [0] * 6
        for _ in range(rng.randint(1, 6)):
            mine[rng.randrange(6)] += 1
        number = rng.randrange(21)
        dice = THROWS[number] * (2 if THROWS[number][0] == THROWS[number][1] else 1)
        expected = set()
        for order in set(permutations(dice)):
            boards = {tuple(mine)}
            for die in order:
                boards = set.union(*(played(board, die) for board in boards))
            expected |= boards
        throw = game.throws(game.parse(f"{','.join(map(str, mine))}/1,0,0,0,0,0"))[number]
        assert sorted(name for name, *_ in throw.moves) == sorted(
            ",".join(map(str, board)) for board in expected
        )
        assert not any(again for *_, again in throw.moves)
        assert {to & ((1 << SIDE) - 1) for _, to, _ in throw.moves} == {1}


def test_one_checker_each_is_a_race() -> None:
    solution = rs.solve(Bearoff(6, 1))
    # A checker on the sixth point is off with a probability of 27/36.
    assert solution["0,0,0,0,0,1/1,0,0,0,0,0"].value.middle == pytest.approx(27 / 36, abs=1e-12)
    assert str(solution["1,0,0,0,0,0/1,0,0,0,0,0"]) == "100 %"


@pytest.mark.parametrize(("points", "checkers"), [(3, 3), (6, 2), (1, 5)])
def test_the_fewest_throws_are_those_of_slow_rules(points: int, checkers: int) -> None:
    solution = rs.solve(Rolls(points, checkers))
    rs.verify(solution)

    @cache
    def throws(board: tuple[int, ...]) -> Fraction:
        if not any(board):
            return Fraction(0)
        total = Fraction(0)
        for small, large in THROWS:
            dice = (small,) * 4 if small == large else (small, large)
            after: set[tuple[int, ...]] = set()
            for order in set(permutations(dice)):
                boards = {board}
                for die in order:
                    boards = set.union(*(played(each, die) for each in boards))
                after |= boards
            total += (1 if small == large else 2) * min(map(throws, after))
        return 1 + total / 36

    compared = 0
    for position, outcome in solution.items():
        board, _, used = solution.space.text(position).partition("+")
        expected = throws(tuple(map(int, board.split(",")))) + int(used)
        assert outcome.value.low <= -expected <= outcome.value.high
        assert outcome.value.width < 1e-10
        compared += 1
    assert compared > 10

"""Pig against plain rules, and against the published probability."""

from __future__ import annotations

import random

import pytest

import retrosolve as rs
from retrosolve.games.bearoff import Bearoff
from retrosolve.games.pig import Pig
from retrosolve.games.ur import Ur
from tests.support.marks import SLOW


class Slow(rs.Game):
    """The same rules in plain Python: who throws, his score, the other's, the turn; a die or a choice."""

    def __init__(self, goal: int) -> None:
        self.goal = goal

    def start(self) -> tuple[str, int, int, int, int]:
        return "die", 0, 0, 0, 0

    def player(self, position: tuple[str, int, int, int, int]) -> int:
        return rs.CHANCE if position[0] == "die" else position[1]

    def terminal(self, position: tuple[str, int, int, int, int]) -> rs.Value | None:
        return rs.Value.LOSS if position[0] == "over" else None

    def moves(self, position: tuple[str, int, int, int, int]) -> list[tuple[str, tuple]]:
        kind, who, mine, theirs, turn = position
        if kind == "die":
            throws = [(str(k), ("choice", who, mine, theirs, turn + k)) for k in range(2, 7)]
            return [("1", ("die", 1 - who, theirs, mine, 0)), *throws]
        if mine + turn >= self.goal:
            return [("hold", ("over", 1 - who, theirs, mine + turn, 0))]
        hold = ("hold", ("die", 1 - who, theirs, mine + turn, 0))
        return [hold, ("throw", ("die", who, mine, theirs, turn))]


def test_positions_have_the_bounds_of_plain_rules() -> None:
    fast, slow = rs.solve(Pig(goal=7)), rs.solve(Slow(7))
    compared = 0
    for (kind, who, mine, theirs, turn), outcome in slow.items():
        if kind == "die":
            odds = outcome.value if who == 0 else outcome.value.opposite()  # chance: the first player
            assert abs(fast[f"{mine},{theirs},{turn}"].value.middle - odds.middle) < 1e-11
            compared += 1
    assert compared > 100
    rs.verify(fast)
    rs.verify(slow)


@SLOW
def test_published_probability() -> None:
    solution = rs.solve(Pig(100))
    assert str(solution[solution.start]).startswith("53.0592725")  # 0.5306 in the article
    rs.verify(solution)


def test_ranks_are_inverse() -> None:
    game, rng = Pig(30), random.Random(1)
    for index in [0, 1, game.size - 1, *(rng.randrange(game.size) for _ in range(200))]:
        position = game.unrank(index, game.data)
        assert game.rank(position, game.data) == index
        if game.terminal(position, game.data) == 0:
            assert game.parse(game.text(position)) == position


def test_throws_and_moves_are_named() -> None:
    game = Pig(20)
    throws = game.throws(game.parse("3,5,4"))
    assert [throw.name for throw in throws] == list("123456")
    assert [name for name, *_ in throws[0].moves] == ["lose the turn"]
    assert [(name, again) for name, _, again in throws[5].moves] == [("hold", False), ("throw", True)]
    assert [game.text(to) for _, to, _ in throws[5].moves] == ["5,13,0", "3,5,10"]


def test_wrong_goals_and_texts_raise() -> None:
    with pytest.raises(rs.RulesError, match="expected 2 to 1000"):
        Pig(1)
    for text in ("1,2", "x", "20,0,0", "10,0,10"):
        with pytest.raises(rs.PositionError, match="is no position"):
            Pig(20).parse(text)


@pytest.mark.thorough
def test_rules_keep_their_contract() -> None:
    for game in (Pig(6), Ur(1), Bearoff(2, 2)):
        assert str(rs.check_game(game, limit=100)).startswith("all ")

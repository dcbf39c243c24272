"""Coin-turning games: the nimbers of Winning Ways, and rows as sums of their heads."""

from __future__ import annotations

import pytest

import retrosolve as rs
from retrosolve.games.turning import RULES, TurningCoins
from retrosolve.objectives import NimValue

N = 8


def single(place: int) -> str:
    return "T" * (place - 1) + "H" + "T" * (N - place)


def published(rule: str, place: int) -> int:
    """The nimber of a head at a place, from 1."""
    if rule == "turtles":
        return place
    if rule == "mock":
        odious = [k for k in range(1, 4 * N) if k.bit_count() % 2]
        return odious[place - 1]
    return place & -place


@pytest.mark.parametrize("rule", RULES)
def test_heads_have_the_published_nimbers_and_rows_their_sums(rule: str) -> None:
    solution = rs.solve(TurningCoins(rule, N), objective="nimber")
    rs.verify(solution)
    assert len(solution) == 2**N
    for row, outcome in solution.items():
        total = NimValue(0)
        for place in range(1, N + 1):
            if row[place - 1] == "H":
                total += NimValue(published(rule, place))
        assert outcome.value == total
    assert solution[single(3)].value.number == published(rule, 3)


def test_moves_turn_the_last_coin_to_tails() -> None:
    moves = dict(TurningCoins("mock", 3).moves("THH"))
    assert moves["turn 1+3"] == "HHT"
    assert moves["turn 1+2+3"] == "HTT"
    assert dict(TurningCoins("ruler", 3).moves("TTH")) == {
        "turn 1+2+3": "HHT",
        "turn 2+3": "THT",
        "turn 3": "TTT",
    }


def test_wrong_arguments_and_rows_are_refused() -> None:
    with pytest.raises(rs.RulesError, match="rule='tortoises': expected one of turtles, mock, ruler"):
        TurningCoins("tortoises")
    with pytest.raises(rs.RulesError, match="n=0: expected 1 to 24 coins"):
        TurningCoins(n=0)
    with pytest.raises(rs.PositionError, match="'HX' is no row: expected 8 letters H or T"):
        TurningCoins().parse("HX")

"""Races on graphs, against slow rules and by hand."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import retrosolve as rs
from retrosolve.games.race import LADDERS, Race


class Slow(rs.Game):
    """The same race in plain Python: who moves, where both are, and the die, 0 before a throw."""

    def __init__(self, edges: list[tuple[int, int]], goal: int, die: int, hits: bool) -> None:
        self.edges, self.goal, self.die, self.hits = edges, goal, die, hits

    def start(self) -> tuple[int, int, int, int]:
        return 0, self.edges[0][0], self.edges[0][0], 0

    def player(self, position: tuple[int, int, int, int]) -> int:
        who, _, theirs, die = position
        return who if die or theirs == self.goal else rs.CHANCE

    def terminal(self, position: tuple[int, int, int, int]) -> rs.Value | None:
        return rs.Value.LOSS if position[2] == self.goal else None

    def ways(self, at: int, steps: int) -> set[int]:
        if at == self.goal or not steps:
            return {at}
        return {end for tail, head in self.edges if tail == at for end in self.ways(head, steps - 1)}

    def moves(self, position: tuple[int, int, int, int]) -> list[tuple[int, int, int, int]]:
        who, mine, theirs, die = position
        if not die:
            return [(who, mine, theirs, k) for k in range(1, self.die + 1)]
        ends = self.ways(mine, die) or {mine}
        start = self.edges[0][0]
        return [
            (1 - who, start if self.hits and end == theirs and end != mine else theirs, end, 0)
            for end in ends
        ]


@pytest.mark.parametrize("hits", [False, True])
def test_random_races_have_the_bounds_of_slow_rules(hits: bool) -> None:
    rng = random.Random(5)
    for _ in range(6):
        n, die = rng.randint(3, 6), rng.randint(1, 3)
        edges = [
            (v, rng.choice([w for w in range(n) if w != v])) for v in range(n - 1) for _ in range(2)
        ]
        edges.append((rng.randrange(n - 1), n - 1))
        fast, slow = rs.solve(Race(edges, die, hits)), rs.solve(Slow(edges, n - 1, die, hits))
        rs.verify(fast)
        for (who, mine, theirs, thrown), outcome in slow.items():
            if thrown == 0:
                over = theirs == n - 1
                odds = outcome.value.opposite() if who == 1 and not over else outcome.value
                found = fast[f"{mine},{theirs}"].value
                assert found.low == pytest.approx(odds.low, abs=1e-9)
                assert found.high == pytest.approx(odds.high, abs=1e-9)


def test_one_edge_is_won_by_the_first_throw() -> None:
    solution = rs.solve(Race("start-goal", die=6))
    assert str(solution["start,start"]) == "100 %"
    assert len(solution) == 2


def test_a_race_of_two_steps_by_hand() -> None:
    # A die with two faces: 2 wins at once, and 1 if it is the second; so first 1/2 + 1/2 * 1/2 * ...
    solution = rs.solve(Race("a-b-goal", die=2))
    # After a 1 the other player wins with a 2; with a 1 the first player then wins.
    assert solution["a,a"].value.middle == pytest.approx(
        float(Fraction(1, 2) + Fraction(1, 4)), abs=1e-12
    )
    assert str(solution["b,a"]) == "100 %"


def test_a_race_that_cannot_end_is_open() -> None:
    solution = rs.solve(Race([("a", "b"), ("b", "a"), ("c", "goal")]))
    rs.verify(solution)
    assert str(solution[solution.start]) == "0 to 100 %"


def test_moves_are_named() -> None:
    game = Race(LADDERS)
    throws = game.throws(game.parse("2,9"))
    assert [(throw.name, [name for name, *_ in throw.moves]) for throw in throws] == [
        ("1", ["3", "7"]), ("2", ["4", "8"]), ("3", ["5", "9"]),
    ]  # fmt: skip
    hit = Race(LADDERS, hits=True)
    moves = {name: to for name, to, _ in hit.throws(hit.parse("2,9"))[2].moves}
    assert hit.text(moves["9"]) == "0,9"
    assert game.text({name: to for name, to, _ in throws[2].moves}["9"]) == "9,9"


def test_rules_keep_their_contract() -> None:
    assert str(rs.check_game(Race(hits=True), limit=100)).startswith("all ")


@pytest.mark.parametrize(
    "arguments", [{"die": 0}, {"die": 21}, {"edges": ""}, {"edges": "a-"}, {"edges": [(1, 2), (2, 1)]}]
)
def test_wrong_parameters_raise(arguments: dict[str, object]) -> None:
    with pytest.raises(rs.RulesError, match="expected"):
        Race(**arguments)


@pytest.mark.parametrize("text", ["x", "0,99", "12,0", "1"])
def test_what_is_no_position_raises(text: str) -> None:
    with pytest.raises(rs.PositionError, match="is no position"):
        Race().parse(text)

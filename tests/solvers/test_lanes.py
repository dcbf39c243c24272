"""Games whose players never meet: lanes, bounds in four bytes, and their proof.

That bounds contain the exact values is a law of ``tests/conformance/test_verify.py``.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve import ranking
from retrosolve.games.bearoff import Bearoff
from retrosolve.objectives import Chance
from retrosolve.rules.contract import LOSS, NOT_TERMINAL, WIN, CompiledGame
from retrosolve.solution import Solution
from retrosolve.solvers import lanes as solver
from retrosolve.tables.base import RoundedBounds
from retrosolve.tables.intervals import LAST, LOST, PackedIntervals

ASKED = Chance(tolerance=1e-6)


class Lane(CompiledGame):
    """A lane of any shape: its tiers, and the targets of each place after each throw."""

    def __init__(self, sizes: list[int], weights: list[int], rows: list[list[list[int]]]) -> None:
        made = [row for of_place in rows for row in of_place]
        starts = np.cumsum([0, *map(len, made)])
        self.rows, self.weights = rows, weights
        flat = [q for row in made for q in row]
        self.lanes = lanes = ranking.Lanes.of(sizes, weights, starts, flat)
        self.size, self.tiers = lanes.num_positions, lanes.tiers
        self.max_moves, self.max_outcomes = max(1, *map(len, made)), len(weights)
        self.data = (
            len(lanes.tier_of), np.array(weights), starts, np.array([*flat, 0]), lanes.tier_of,
            lanes.firsts, lanes.blocks, lanes.begins, lanes.pairs,
        )  # fmt: skip

    def start(self) -> int:
        """Return the position with both players at the last place."""
        return self.data[0] ** 2 - 1

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        """Return LOSS or WIN once a player is at place 0."""
        if position % data[0] == 0:
            return LOSS
        return WIN if position // data[0] == 0 else NOT_TERMINAL

    @staticmethod
    def outcomes(position: int, out: Any, weights: Any, data: Any) -> int:
        """Write the throws."""
        for throw in range(len(data[1])):
            out[throw] = position + (throw + 1) * data[0] * data[0]
            weights[throw] = data[1][throw]
        return len(data[1])

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        """Write the positions after a throw, as the other player sees them."""
        k = data[0]
        throw, mine, theirs = position // (k * k) - 1, position // k % k, position % k
        row = mine * len(data[1]) + throw
        count = int(data[2][row + 1] - data[2][row])
        for e in range(count):
            out[e] = theirs * k + data[3][data[2][row] + e]
        return count

    @staticmethod
    def rank(position: int, data: Any) -> int:
        """Return the index of a position."""
        return ranking.pair_index(position // data[0], position % data[0], data[4], data[5], data[6])

    @staticmethod
    def unrank(index: int, data: Any) -> int:
        """Return the position of an index."""
        mine, theirs = ranking.pair_of_index(index, data[5], data[7], data[8])
        return mine * int(data[0]) + theirs


def exact(game: Lane) -> dict[tuple[int, int], Fraction]:
    """Return the probability of winning of each pair of places, by the definition."""

    @cache
    def value(mine: int, theirs: int) -> Fraction:
        if theirs == 0 or mine == 0:
            return Fraction(int(theirs > 0))
        best = (max(1 - value(theirs, q) for q in row) for row in game.rows[mine])
        total = sum(w * p for w, p in zip(game.weights, best, strict=True))
        return Fraction(total, sum(game.weights))

    k = len(game.rows)
    return {(a, b): value(a, b) for a in range(k) for b in range(k)}


@pytest.mark.long
def test_threads_make_no_difference(tune: Any) -> None:
    tune(min_work_per_thread=1)
    game = Bearoff(6, 3)
    digests = {
        rs.solve(game, objective=ASKED, solver="lanes", threads=threads).digest() for threads in (1, 3)
    }
    assert len(digests) == 1


@pytest.mark.long
def test_a_saved_solution_is_proven_and_contains_the_bounds_of_both_sides(tmp_path: Any) -> None:
    game = Bearoff(6, 3)
    solution = rs.solve(game, objective=ASKED, solver="lanes", out=tmp_path / "saved")
    opened = rs.open(tmp_path / "saved")
    assert opened.digest() == solution.digest()
    outer, inner = opened.table.bounds, rs.solve(game).table.bounds
    assert outer is not None
    assert inner is not None
    assert (np.asarray(outer.low) <= inner.low).all()
    assert (np.asarray(outer.high) >= inner.high).all()
    assert opened[opened.start].value.width < 4e-9
    assert str(opened["1,0,0,0,0,0/1,0,0,0,0,0"]) == "100 %"
    assert str(opened["1,0,0,0,0,0/0,0,0,0,0,0"]) == "0 %"
    rs.verify(opened)
    rs.pack(tmp_path / "saved", tmp_path / "packed")
    assert rs.open(tmp_path / "packed").digest() == solution.digest()


@pytest.mark.long
def test_lanes_are_taken_where_bounds_of_both_sides_do_not_fit() -> None:
    game = Bearoff(6, 5)
    plan = rs.plan(game, objective=ASKED, memory="2MB")
    assert plan.solver == "lanes"
    assert plan.memory_bytes is not None
    assert 4 * game.lanes.num_positions <= plan.memory_bytes < 2_000_000
    assert rs.verify(rs.solve(game)).method == "throws"
    with pytest.raises(rs.GraphError):
        rs.solve(game, memory="2MB")
    assert rs.solve(game, objective=ASKED, memory="2MB").solver == "lanes"


@pytest.mark.parametrize(
    ("sizes", "weights", "starts", "targets"),
    [
        ([1, 1], [1], [0, 0], [0]),  # too short
        ([], [1], [0], []),
        ([1, 1], [1], [0, 2, 1], [0]),  # falls
        ([2, 1], [1], [0, 0, 0, 1], [0]),  # two ends
        ([1, 1], [0], [0, 0, 1], [0]),  # no weight
        ([1, 1], [1 << 21], [0, 0, 1], [0]),
        ([1, 1], [3, -1], [0, 0, 0, 1, 2], [0, 0]),
        ([1, 1], [1], [0, 0, 1], [1]),  # stays
        ([1, 1], [1], [0, 0, 1], [-1]),
        ([1, 1], [1, 1], [0, 0, 0, 1, 1], [0]),  # no move after a throw
        ([1, 1], [1], [0, 1, 2], [0, 0]),  # moves on from the end
    ],
)
def test_what_is_no_lane_is_refused(
    sizes: list[int], weights: list[int], starts: list[int], targets: list[int]
) -> None:
    with pytest.raises(rs.RulesError):
        ranking.Lanes.of(sizes, weights, starts, targets)


def small() -> Lane:
    """Return a lane of four places and a coin."""
    return Lane([1, 1, 2], [1, 1], [[[], []], [[0], [0]], [[1], [0]], [[1], [1, 0]]])


def test_pairs_of_places_have_all_indices() -> None:
    lane = small().lanes
    assert lane is not None
    found = [
        ranking.pair_of_index(index, lane.firsts, lane.begins, lane.pairs)
        for index in range(lane.num_positions)
    ]
    assert sorted(found) == [(a, b) for a in range(4) for b in range(4)]
    for index, (mine, theirs) in enumerate(found):
        assert ranking.pair_index(mine, theirs, lane.tier_of, lane.firsts, lane.blocks) == index
    sums = [int(lane.tier_of[a] + lane.tier_of[b]) for a, b in found]
    assert sums == sorted(sums)
    assert lane.tiers == tuple(sums.index(both) for both in range(max(sums) + 1))


@pytest.mark.parametrize("wrong", ["weights", "targets", "terminal", "size"])
def test_rules_that_say_something_else_are_refused(wrong: str) -> None:
    game = small()
    if wrong == "weights":
        game.data = (*game.data[:1], np.array([1, 2]), *game.data[2:])
    elif wrong == "targets":
        targets = game.data[3].copy()
        targets[-2] = 1
        game.data = (*game.data[:3], targets, *game.data[4:])
    elif wrong == "size":
        game.size = 17
    else:
        game.__class__ = type("Other", (Lane,), {"terminal": staticmethod(lambda position, data: 0)})
    with pytest.raises(rs.RulesError):
        rs.solve(game, objective=ASKED, solver="lanes")


def check_refused(places: Any, width: float) -> None:
    """Check that the proof refuses other bounds of the small game."""
    solution = rs.solve(small(), objective=ASKED, solver="lanes")
    table = PackedIntervals(places, 1.0, width, False, "")
    claimed = Solution(solution.space, table, solution.stuck, "lanes", {}, 0, (), solution.objective)
    with pytest.raises(rs.VerificationError):
        rs.verify(claimed)


def small_bounds() -> RoundedBounds:
    """Return the bounds of the small game."""
    bounds = rs.solve(small(), objective=ASKED, solver="lanes").table.bounds
    assert bounds is not None
    assert bounds.rounded is not None
    return bounds.rounded


def test_every_bound_moved_past_the_value_is_refused() -> None:
    rounded, lanes = small_bounds(), small().lanes
    assert lanes is not None
    for index in range(lanes.num_positions):
        for step in (-lanes.most_plies - 1, lanes.most_plies + 1, LAST // 3):
            places = rounded.places.copy()
            places[index] = (int(places[index]) + step) % (LAST + 2)
            check_refused(places, rounded.width)


@pytest.mark.parametrize("index", [0, 4])
def test_special_places_are_refused_where_they_do_not_belong(index: int) -> None:
    rounded = small_bounds()
    for special in {LOST, LOST + 1, LOST + 2} - {int(rounded.places[index])}:
        places = rounded.places.copy()
        places[index] = special
        check_refused(places, rounded.width)


def test_bounds_that_are_too_narrow_are_refused() -> None:
    rounded = small_bounds()
    check_refused(rounded.places, rounded.width / 2)


def test_a_block_is_the_same_in_pieces(monkeypatch: Any) -> None:
    game = Bearoff(3, 3)
    whole = rs.solve(game, objective=ASKED, solver="lanes")
    monkeypatch.setattr(solver, "AT_ONCE", 3)
    monkeypatch.setattr(solver, "TOGETHER", 2)
    monkeypatch.setattr(solver.jit, "chosen", lambda kernel, work: kernel)
    assert rs.solve(game, objective=ASKED, solver="lanes").digest() == whole.digest()

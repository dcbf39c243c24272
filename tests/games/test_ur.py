"""The Royal Game of Ur against published probabilities, and against slow rules."""

from __future__ import annotations

import hashlib
import random
from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.games.ur import OVER, Ur
from retrosolve.objectives import Chance
from retrosolve.runtime import tuning
from retrosolve.tables.intervals import IntervalTable

PUBLISHED = {1: 0.53004984, 2: 0.51857291}
POSITIONS = {1: 217, 2: 12869, 7: 137_870_097}


@pytest.mark.long("2")
@pytest.mark.parametrize("pieces", [1, 2])
def test_published_probabilities(pieces: int) -> None:
    game = Ur(pieces)
    assert game.size == POSITIONS[pieces] + 1
    solution = rs.solve(game, objective=Chance(tolerance=1e-12))
    odds = solution[game.start()].value
    assert abs(odds.middle - PUBLISHED[pieces]) < 1e-8
    assert odds.width < 1e-12
    assert rs.verify(solution).method == "throws"


# models/finkel2p.rgu of RoyalUr-Java at f09c562e (MIT): 16-bit parts of 1 in the order of its keys. Seven
# of its 12,990 entries are the neighbours of what the probability is rounded to.
FINKEL_2P = "bd5abb2c54e495bbff60111321f6ebc2b7027ea80d7b77a93bba8b19c663fd75"
NEIGHBOURS = {
    "8,9+0/1,7+0": -1, "9+1/1,6+0": 1, "6+1/1,3+0": -1, "6,7+0/13,14+0": 1, "11,14+0/9+1": -1,
    "6,12+0/7+0": -1, "5+0/3,12+0": 1,
}  # fmt: skip


@pytest.mark.long
def test_two_pieces_have_all_entries_of_the_published_table() -> None:
    game = Ur(2)
    solution = rs.solve(game)
    lanes = [cells for cells in product(range(3), repeat=8) if max(map(cells.count, (1, 2))) <= 2]
    middle = {cells: number for number, cells in enumerate(lanes)}
    boards = [sum(1 << k for k in at) for count in range(3) for at in combinations(range(14), count)]
    sides = [(board, off) for board in boards for off in range(3 - board.bit_count())]
    entries = {}
    for (mine, off), (theirs, away) in product(sides, repeat=2):
        if mine & theirs & 0xFF0 or away == 2:
            continue
        lane = middle[tuple((mine >> k & 1) * 2 + (theirs >> k & 1) for k in range(4, 12))]
        safe = [
            sum((side >> k & 1) << bit for bit, k in enumerate((3, 2, 1, 0, 13, 12)))
            for side in (mine, theirs)
        ]
        in_hand = [2 - o - board.bit_count() for board, o in ((mine, off), (theirs, away))]
        key = safe[1] | lane << 6 | safe[0] << 16 | in_hand[1] << 22 | in_hand[0] << 25
        position = mine | off << 16 | (theirs | away << 16) << 20
        value = 1.0 if off == 2 else solution[position].value.middle
        entries[key] = round(value * 65535) + NEIGHBOURS.get(game.text(position), 0)
    assert len(entries) == 12990
    values = np.array([entries[key] for key in sorted(entries)], ">u2")
    assert hashlib.sha256(values.tobytes()).hexdigest() == FINKEL_2P


def test_numbers_of_positions_are_the_published_ones() -> None:
    assert Ur(7).size == POSITIONS[7] + 1
    for rules, pieces, published in (("blitz", 5, 41_254_034), ("masters", 7, 500_981_472)):
        # Published with what the other player may have when all pieces are off the board, here once.
        over = sum(comb(16, on) * (pieces - on + 1) for on in range(pieces + 1)) - 1
        assert Ur(pieces, rules).size - 1 + over == published


def test_pieces_behind_the_shared_squares_make_small_tiers() -> None:
    game = Ur(7)
    assert np.diff([*game.tiers, game.size]).max() == 5_609_440


def test_moves_of_a_throw_are_named() -> None:
    game = Ur(2)
    throws = {throw.name: throw for throw in game.throws(game.parse("3+0/8+0"))}
    assert [Fraction(t.weight, 16) for t in throws.values()] == [
        Fraction(1, 16), Fraction(1, 4), Fraction(3, 8), Fraction(1, 4), Fraction(1, 16),
    ]  # fmt: skip
    assert [name for name, *_ in throws["0"].moves] == ["pass"]
    again = {name: again for name, _, again in throws["1"].moves}
    assert again == {"in-1": False, "3-4": True}
    assert [name for name, *_ in throws["2"].moves] == ["in-2", "3-5"]


def test_wrong_bounds_of_compiled_rules_are_refused() -> None:
    solution = rs.solve(Ur(1))
    rng = random.Random(2)
    assert solution.table.bounds is not None
    for _ in range(20):
        low, high = (bound.copy() for bound in solution.table.bounds[:2])
        v = rng.randrange(len(low))
        if rng.random() < 0.5:
            low[v] = high[v] = high[v] + 1e-9
        else:
            low[v] = high[v] = low[v] - 1e-9
        wrong = IntervalTable(low, high)
        with pytest.raises(rs.VerificationError):
            rs.verify(rs.Solution(solution.space, wrong, objective=solution.objective))


class Decline(rs.CompiledGame):
    """Throw a coin, or leave that to the other player, or with ``again`` to oneself, for ever."""

    max_moves, max_outcomes, size = 2, 2, 4

    def __init__(self, again: bool = False) -> None:
        self.data = (int(again),)

    @staticmethod
    def terminal(position: int, data: tuple[int]) -> int:
        return {0: 0, 1: 0, 2: 2, 3: 1}[position]  # 2: the player to move has lost

    @staticmethod
    def outcomes(position: int, out: np.ndarray, weights: np.ndarray, data: tuple[int]) -> int:
        out[0], out[1], weights[0], weights[1] = 10 + position, 12, 1, 1
        return 1 if position == 0 else 2

    @staticmethod
    def successors(position: int, out: np.ndarray, data: tuple[int]) -> int:
        if position == 10:
            out[0], out[1] = (~0 if data[0] else 0), ~1
            return 2
        out[0] = position - 9  # 2 or 3
        return 1


def test_endless_play_of_compiled_rules_leaves_the_interval_open() -> None:
    rs.verify(rs.solve(Decline()))
    assert str(rs.solve(Decline())[0]) == "50 %"  # the other player would throw
    solution = rs.solve(Decline(again=True))
    assert str(solution[0]) == "50 to 100 %"
    rs.verify(solution)
    assert solution.table.bounds is not None
    low, high = (bound.copy() for bound in solution.table.bounds[:2])
    low[0] = 1.0
    wrong = rs.Solution(solution.space, IntervalTable(low, high), objective=solution.objective)
    with pytest.raises(rs.VerificationError):
        rs.verify(wrong)


@pytest.mark.long
def test_bounds_do_not_depend_on_threads() -> None:
    with tuning.using(min_work_per_thread=1, min_chunk=64):
        tables = [rs.solve(Ur(2), threads=threads).table.bounds for threads in (1, 2, 3)]
    assert tables[0] is not None
    for bounds in tables[1:]:
        assert bounds is not None
        assert np.array_equal(tables[0].low, bounds.low)
        assert np.array_equal(tables[0].high, bounds.high)


class Rare(rs.CompiledGame):
    """Two positions that lead to each other by nearly all throws; the others are won or lost."""

    max_moves, max_outcomes, size = 1, 3, 4
    data = ()

    @staticmethod
    def terminal(position: int, data: object) -> int:
        return {0: 1, 1: 2, 2: 0, 3: 0}[position]

    @staticmethod
    def outcomes(position: int, out: np.ndarray, weights: np.ndarray, data: object) -> int:
        out[0], out[1], out[2] = 10, 11, 12 + 3 - position
        weights[0], weights[1], weights[2] = position, 1, 997
        return 3

    @staticmethod
    def successors(position: int, out: np.ndarray, data: object) -> int:
        out[0] = ~(position - 10)
        return 1


def test_play_that_rarely_ends_has_narrow_bounds() -> None:
    solution = rs.solve(Rare())
    # What leads to the other one and to the ends by 2, 1 and 3, 1 in 1000 and 1001.
    second = Fraction(2 * 1001 + 997 * 3, 1000 * 1001 - 997**2)
    for index, exact in ((2, second), (3, Fraction(3, 1001) + Fraction(997, 1001) * second)):
        odds = solution[index].value
        assert Fraction(odds.low) <= exact <= Fraction(odds.high)
        assert odds.width < 1e-10
    rs.verify(solution)


def test_over_is_the_first_index() -> None:
    game = Ur(3)
    assert game.unrank(0, game.data) == OVER
    assert game.text(OVER) == "over"
    for text in ("1,1", "15+0/+0", "8+0/8+0", "1,2,3,4+0/+0", "+3/+0"):
        with pytest.raises(rs.PositionError):
            game.parse(text)


@pytest.mark.long
def test_published_probability_of_seven_pieces() -> None:
    solution = rs.solve(Ur(7))
    assert abs(solution[0].value.middle - 0.515404732509) < 1e-11
    rs.verify(solution)

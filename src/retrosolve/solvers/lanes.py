"""Games of dice whose players never meet: the rule of one move for many positions at once.

With p(a, b) the probability that the player to move at place a wins against the one at place b,

    p(a, b) = sum over throws of weight * max(1 - p(b, q) for each target q of a) / sum of weights.

The targets are those of a, whatever b is. So for a fixed a and all b of a tier the positions (b, q) of
each q are neighbours in the index, and the best of the targets is taken by the vector instructions of
the processor, one target after the other. No move is made, no index computed from a position. Tiers of
the sum of both places are solved in order; the blocks of one in any order, by all threads.

Numbers are whole: a place among S + 1 = 2^32 - 3 from 0 to 1, rounded down. A position with at most d
plies left has a lower bound x with x / S <= p <= (x + d) / S:

    x(a, b) = max(0, floor(sum of weight * (S - min x(b, q)) / sum of weights) - (d - 1))

The sum is what can be had if the other player only gets his lower bounds, so p is not above it, and not
more than d - 1 below, since a position (b, q) has at most d - 1 plies left; rounding down is the d-th.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray
from retrosolve.compilation import jit
from retrosolve.errors import GraphError
from retrosolve.objectives import Chance
from retrosolve.runtime.context import Context, Progress
from retrosolve.runtime.threads import ThreadPool
from retrosolve.runtime.workspace import Buffers
from retrosolve.spaces.base import RulesSpace
from retrosolve.spaces.lane_rules import check_lanes
from retrosolve.tables.intervals import LAST, LOST, PackedIntervals, width_of
from retrosolve.tables.result import SolveResult, Statistics

AT_ONCE = 512  # positions: rows of so many stay in the nearest caches
TOGETHER = 16  # bounds in a line of the cache


def buffers(space: RulesSpace, num_edges: int) -> Buffers:
    """Declare the arrays of a solve, the result included."""
    return Buffers(places=(space.num_vertices, np.uint32))


def solve(space: RulesSpace, objective: Chance, context: Context) -> SolveResult:
    """Solve a game whose players never meet, in 4 bytes a position.

    Parameters
    ----------
    space : RulesSpace
        With lanes.
    objective : Chance
    context : Context

    Returns
    -------
    SolveResult
        With a table of packed intervals, which are proven themselves.

    Raises
    ------
    GraphError
        If the tolerance is smaller than what 4 bytes can say.
    RulesError
        If the rules say something else than the lanes.

    Examples
    --------
    >>> import retrosolve as rs
    >>> from retrosolve.games.bearoff import Bearoff
    >>> asked = rs.objectives.Chance(tolerance=1e-8)
    >>> solution = rs.solve(Bearoff(points=2, checkers=3), objective=asked, solver="lanes")
    >>> print(solution["0,3/0,3"], solution["1,0/2,1"], sep=", ")
    88.0401234 %, 100 %
    """
    lanes = space.lanes
    assert lanes is not None  # by the table of solvers
    width = width_of(lanes.most_plies)
    if width > 2 * objective.tolerance:
        raise GraphError(
            f"tolerance={objective.tolerance!r}: 4 bytes a position reach {width / 2:.2g} in a game of "
            f"up to {lanes.most_plies} plies: expected that or more"
        )
    places = np.zeros(space.num_vertices, np.uint32)
    with ThreadPool(context.threads, space.work) as pool:
        check_lanes(space, pool)
        fill = jit.chosen(fill_block, space.work)
        arguments = (
            places, lanes.weights, lanes.firsts, lanes.tier_of, lanes.blocks, lanes.starts,
            lanes.targets, lanes.turns,
        )  # fmt: skip
        for below, above in space.tier_bounds:
            here = np.flatnonzero((below <= lanes.blocks) & (lanes.blocks < above))
            owns, others = np.divmod(here, lanes.num_tiers)
            pairs = list(zip(owns.tolist(), others.tolist(), strict=True))
            pool.map(partial(_fill, fill, pairs, arguments), len(pairs))
            context.progress(Progress("solving", above, space.num_vertices))
    for own in range(lanes.num_tiers):
        places[lanes.block(own, 0)] = LOST
    table = PackedIntervals(places, 1.0, width, False, "")
    moves = len(lanes.targets) * (lanes.num_places - 1)
    return SolveResult(table, Statistics(moves))


def _fill(fill: Any, pairs: list[tuple[int, int]], arguments: Any, number: int) -> None:
    """Fill one of some blocks."""
    fill(*pairs[number], *arguments)


def fill_block(
    own: int, other: int, places: NDArray[np.uint32], weights: IntArray, firsts: IntArray,
    tier_of: IntArray, blocks: IntArray, starts: IntArray, targets: IntArray, turns: IntArray,
) -> None:  # fmt: skip
    """Write the lower bounds of the positions of two tiers.

    Parameters
    ----------
    own, other : int
        The tiers of the player to move and of the other one.
    places : uint32 [n]
        0 where the game is lost; those of the block are overwritten.
    weights, firsts, tier_of, blocks, starts, targets, turns
        See ``Lanes``.
    """
    throws = len(weights)
    size, length = firsts[own + 1] - firsts[own], firsts[other + 1] - firsts[other]
    out = blocks[own * (len(firsts) - 1) + other]
    if own == 0 or other == 0:
        places[out : out + size * length] = LAST if other > 0 else 0
        return
    total = np.int64(0)
    for throw in range(throws):
        total += weights[throw]
    # Slices of one length: the compiler then knows that no index is negative, and takes vectors.
    some_least, some_sums = np.empty(AT_ONCE, np.uint32), np.empty(AT_ONCE, np.uint64)
    made = np.empty((TOGETHER, AT_ONCE), np.uint32)
    for begin in range(0, length, AT_ONCE):
        count = min(AT_ONCE, length - begin)
        least, sums = some_least[:count], some_sums[:count]
        their_turns = turns[firsts[other] + begin :][:count]
        for mine in range(firsts[own], firsts[own + 1]):
            for j in range(count):
                sums[j] = 0
            for throw in range(throws):
                e, end = starts[mine * throws + throw], starts[mine * throws + throw + 1]
                one = beside(targets[e], other, begin, count, places, firsts, tier_of, blocks)
                for j in range(count):
                    least[j] = one[j]
                e += 1
                # Four targets in one pass: ``least`` is loaded and stored a quarter as often.
                while e + 3 < end:
                    one = beside(targets[e], other, begin, count, places, firsts, tier_of, blocks)
                    two = beside(targets[e + 1], other, begin, count, places, firsts, tier_of, blocks)
                    three = beside(targets[e + 2], other, begin, count, places, firsts, tier_of, blocks)
                    four = beside(targets[e + 3], other, begin, count, places, firsts, tier_of, blocks)
                    for j in range(count):
                        lower, other_lower = min(one[j], two[j]), min(three[j], four[j])
                        least[j] = min(lower, other_lower, least[j])
                    e += 4
                while e < end:
                    one = beside(targets[e], other, begin, count, places, firsts, tier_of, blocks)
                    for j in range(count):
                        least[j] = min(least[j], one[j])
                    e += 1
                weight = np.uint64(np.uint32(weights[throw]))  # 32 bits: a product takes one step
                for j in range(count):
                    sums[j] += weight * np.uint64(least[j])
            row = (mine - firsts[own]) % TOGETHER
            most, line = 2 * turns[mine] - 1, made[row]
            for j in range(count):
                # Exact: a quotient of numbers below 2^53 is no nearer to a whole number than 1 / total.
                whole = np.float64(total * LAST - np.int64(sums[j])) / np.float64(total)
                value = np.int64(np.floor(whole)) - (min(most, 2 * their_turns[j]) - 1)
                line[j] = np.uint32(max(value, 0))
            # Written together, since each line of the cache has bounds of neighbouring places.
            if row == TOGETHER - 1 or mine == firsts[own + 1] - 1:
                at = out + begin * size + mine - firsts[own] - row
                for j in range(count):
                    for k in range(row + 1):
                        places[at + j * size + k] = made[k, j]


def beside(
    place: int, tier: int, begin: int, count: int, places: NDArray[np.uint32], firsts: IntArray,
    tier_of: IntArray, blocks: IntArray,
) -> NDArray[np.uint32]:  # fmt: skip
    """Return the bounds of some neighbouring places of a tier, with the other player at ``place``.

    Parameters
    ----------
    place : int
        Where the other player is, who has just moved.
    tier, begin, count : int
        The tier of who moves, and some places in it.
    places, firsts, tier_of, blocks
        See ``fill_block``.
    """
    theirs = tier_of[place]
    row = (place - firsts[theirs]) * (firsts[tier + 1] - firsts[tier])
    at = blocks[tier * (len(firsts) - 1) + theirs] + row + begin
    return places[at : at + count]

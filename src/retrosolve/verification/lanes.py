"""The proof of bounds in games whose players never meet: position by position, in whole numbers.

A position with at most d plies left is claimed to have a value from x / S to (x + d) / S, with S = 2^32
- 4; the table says the same with the d of the longest game. By induction on d it has, if

    x * total <= sum of weight * (S - min x(b, q)) - (d - 1) * total, or x = 0,
    (x + d) * total >= sum of weight * (S - min x(b, q)),

with x(b, q) the claims where the other player moves, for each target q. Nothing is rounded. For some
places b of the other player the claims x(b, q) of all q are laid side by side; then all positions of b
are gone through, in whatever order. That the lanes are those of the rules is checked at every place.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray
from retrosolve.compilation import jit
from retrosolve.errors import VerificationError
from retrosolve.runtime.context import Context, Progress
from retrosolve.runtime.threads import ThreadPool, cpu_count
from retrosolve.solution import Solution
from retrosolve.spaces.base import RulesSpace
from retrosolve.spaces.lane_rules import check_lanes
from retrosolve.spaces.lanes import pair_index
from retrosolve.tables.base import RoundedBounds
from retrosolve.tables.intervals import LAST, LOST, width_of
from retrosolve.verification.local import claim

ROWS = 16  # places of the other player at once, so that whole lines of the cache are read
SPREAD = 7919  # other pairs of places are compared with the rules than before solving


def memory_bytes(space: RulesSpace, num_edges: int, budget: int | None = None) -> int:
    """Return the bytes of a proof: claims about ``ROWS`` places beside all others, for each thread."""
    lanes = space.lanes
    assert lanes is not None  # by the table of provers
    return 4 * ROWS * lanes.num_places * cpu_count()


def prove(solution: Solution, context: Context) -> None:
    """Prove bounds in 4 bytes a position. Raises VerificationError, or RulesError for wrong lanes."""
    space, rounded = solution.space, rounded_of(solution)
    assert isinstance(space, RulesSpace)
    lanes = space.lanes
    assert lanes is not None  # by the table of provers
    if rounded.most != 1 or rounded.width < width_of(lanes.most_plies):
        raise VerificationError(
            f"the bounds are {rounded.width!r} apart, with payoffs of {rounded.most!r}: expected at "
            f"least {width_of(lanes.most_plies)!r}, and 1"
        )
    arguments = (
        rounded.places, lanes.weights, lanes.firsts, lanes.tier_of, lanes.blocks, lanes.starts,
        lanes.targets, lanes.turns,
    )  # fmt: skip
    kernel = jit.chosen(first_wrong, space.work)
    with ThreadPool(context.threads, space.work) as pool:
        check_lanes(space, pool, SPREAD)

        def check(start: int, stop: int) -> None:
            mine, theirs = kernel(start, stop, *arguments)
            if mine >= 0:
                index = pair_index(mine, theirs, lanes.tier_of, lanes.firsts, lanes.blocks)
                raise VerificationError(f"{claim(solution, index)}, which its moves do not allow")

        for first, end in zip(lanes.firsts[:-1].tolist(), lanes.firsts[1:].tolist(), strict=True):
            pool.map_ranges(check, [*range(first, end, ROWS), end])
            context.progress(Progress("verifying", end * lanes.num_places, space.num_vertices))


def rounded_of(solution: Solution) -> RoundedBounds:
    """Return the bounds in 4 bytes. Raises VerificationError for another table."""
    bounds = solution.table.bounds
    if bounds is None or bounds.rounded is None or len(bounds.low) != solution.space.num_vertices:
        raise VerificationError("the table is no bounds in 4 bytes a position: expected those")
    return bounds.rounded


def first_wrong(
    start: int, stop: int, places: NDArray[np.uint32], weights: IntArray, firsts: IntArray,
    tier_of: IntArray, blocks: IntArray, starts: IntArray, targets: IntArray, turns: IntArray,
) -> tuple[int, int]:  # fmt: skip
    """Return the places of a position with a wrong claim, -1 for none.

    Parameters
    ----------
    start, stop : int
        The places of the other player, of one tier.
    places : uint32 [n]
        The claims.
    weights, firsts, tier_of, blocks, starts, targets, turns
        See ``Lanes``.
    """
    tiers, throws, count = len(firsts) - 1, len(weights), stop - start
    total = np.int64(0)
    for throw in range(throws):
        total += weights[throw]
    other = tier_of[start]
    length = firsts[other + 1] - firsts[other]
    after = np.zeros((len(tier_of), ROWS), np.uint32)  # claims where the other player moves
    for q in range(1, len(tier_of)):
        at = blocks[other * tiers + tier_of[q]] + (q - firsts[tier_of[q]]) * length
        for k in range(count):
            after[q, k] = places[at + start - firsts[other] + k]
    least, values = np.empty(ROWS, np.uint32), np.empty(ROWS, np.int64)
    for mine in range(len(tier_of)):
        values[:] = 0
        for throw in range(throws if mine > 0 else 0):
            least[:] = LAST
            for e in range(starts[mine * throws + throw], starts[mine * throws + throw + 1]):
                row = after[targets[e]]
                for k in range(ROWS):
                    least[k] = min(least[k], row[k])
            for k in range(ROWS):
                values[k] += weights[throw] * (LAST - np.int64(least[k]))
        own = tier_of[mine]
        size = firsts[own + 1] - firsts[own]
        at = blocks[own * tiers + other] + mine - firsts[own]
        for k in range(count):
            theirs = start + k
            claimed = np.int64(places[at + (theirs - firsts[other]) * size])
            if theirs == 0 or mine == 0:
                if claimed != (LOST if theirs == 0 else LAST):
                    return mine, theirs
                continue
            plies = min(2 * turns[mine] - 1, 2 * turns[theirs])
            is_low = claimed == 0 or claimed * total <= values[k] - (plies - 1) * total
            if not (is_low and (claimed + plies) * total >= values[k] and claimed <= LAST):
                return mine, theirs
    return -1, -1

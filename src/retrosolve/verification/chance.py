"""The proof of bounds: each is compared with the rule of one move, and play that never ends with them.

With T the rule of one move, lower bounds L have to be at most T(L) and upper ones U at least T(U); the
means of throws are rounded against the claim, by a bound of the error of their arithmetic. That alone
proves nothing where play can go on for ever: a position could be claimed a win because of another one
that is claimed a win because of the first. So a bound that says anything must also hold if endless play
is counted against it. Let a player keep to moves that bear out the bound. Where he can do so in a way
that leads to the end of the game with a probability above 0 from everywhere, it ends for sure, and what
the bound says is at most what he gets. Such positions are an attractor: of the ends, for his moves that
bear out the bound, all moves of the other player, and any one throw. Elsewhere the bound has to be the
worst of all payoffs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray
from retrosolve.compilation import jit
from retrosolve.errors import VerificationError
from retrosolve.objectives import Chance
from retrosolve.objectives.chance import end_payoffs
from retrosolve.runtime.context import Context
from retrosolve.runtime.progress import Progress
from retrosolve.solution import Solution
from retrosolve.spaces.base import StateSpace
from retrosolve.spaces.blocks import Block, blocks
from retrosolve.tables.base import Bounds
from retrosolve.values import CHANCE, INVALID
from retrosolve.verification.claims import claim

ERROR = 2.0**-53  # times terms + 4: a bound of the error of a mean of payoffs of at most 1
MINE, THEIRS = 0, 1


def memory_bytes(space: StateSpace, num_edges: int, budget: int | None = None) -> int:
    """Return the bytes of a proof: moves reversed, and two roles of each vertex."""
    return 30 * num_edges + 40 * space.num_vertices


def prove(solution: Solution, context: Context) -> None:
    """Prove the bounds of a graph with stored edges."""
    bounds, most = bounds_of(solution)
    sources, targets, same, over = [], [], [], []
    for block in blocks(solution.space):
        check(solution, bounds, block, most)
        rows = block.rows()
        sources.append(block.start + rows)
        targets.append(block.target)
        same.append(np.broadcast_to(block.same, len(rows)))
        over.append(np.diff(block.indptr) == 0)
        context.progress(Progress("verifying", block.stop, solution.space.num_vertices))
    if over:
        edges = np.concatenate(sources), np.concatenate(targets), np.concatenate(same)
        check_endings(solution, bounds, most, *edges, np.concatenate(over))


def bounds_of(solution: Solution) -> tuple[Bounds, float]:
    """Return the bounds and the largest payoff. Raises VerificationError for bounds that are none."""
    table, space = solution.table, solution.space
    bounds = table.bounds
    if bounds is None or table.num_vertices != space.num_vertices:
        raise VerificationError(f"the table is no {space.num_vertices} intervals: expected as many")
    payoffs = space.payoffs(0, space.num_vertices)
    most = 1.0 if payoffs is None else float(np.abs(payoffs).max(initial=0))
    if bounds.is_payoff != (payoffs is not None):
        raise VerificationError("the unit of the table is not that of the game: expected that")
    return bounds, most


def check(solution: Solution, bounds: Bounds, block: Block, most: float) -> None:
    """Raise VerificationError for the first vertex with bounds that its moves do not allow."""
    objective, space = solution.objective, solution.space
    assert isinstance(objective, Chance)  # by the table of provers
    span = slice(block.start, block.stop)
    low, high = bounds.low[span], bounds.high[span]
    exists = block.terminal != INVALID
    over = exists & (np.diff(block.indptr) == 0)
    player = space.player(np.arange(block.start, block.stop))
    by_chance = np.zeros(len(low), bool) if player is None else player == CHANCE
    below, above = bounds.low[block.target], bounds.high[block.target]
    below, above = np.where(block.same, below, -above), np.where(block.same, above, -below)
    least, most_low = folded(np.minimum, below, block), folded(np.maximum, below, block)
    greatest = folded(np.maximum, above, block)
    weight = np.broadcast_to(block.weight, len(below)).astype(np.float64)
    total = np.maximum(folded(np.add, weight, block), 1)
    error = ERROR * most * (np.diff(block.indptr) + 4)
    mean_low = np.maximum(folded(np.add, weight * below, block) / total - error, least)
    mean_high = np.minimum(folded(np.add, weight * above, block) / total + error, greatest)
    ends = end_payoffs(block.terminal, block.payoff, solution.stuck)
    allowed_low = np.where(over, ends, np.where(by_chance, mean_low, most_low))
    allowed_high = np.where(over, ends, np.where(by_chance, mean_high, greatest))
    right = (-most <= low) & (low <= high) & (high <= most)
    right &= (low <= allowed_low) & (high >= allowed_high)  # NaN is never right
    wrong = np.where(exists, ~right, ~(np.isnan(low) & np.isnan(high)))
    if wrong.any():
        v = int(wrong.argmax())
        expected = f"from {allowed_low[v]!r} to {allowed_high[v]!r}" if exists[v] else "no position"
        raise VerificationError(
            f"{claim(solution, block.start + v)}, in payoffs from {float(low[v])!r} to "
            f"{float(high[v])!r}, but its moves make it {expected}"
        )


def folded(fold: np.ufunc, data: NDArray[np.float64], block: Block) -> NDArray[np.float64]:
    """Return what a function makes of the edges of each vertex of a block, 0 without edges."""
    made = np.zeros(block.stop - block.start)
    has_edges = np.diff(block.indptr) > 0
    if has_edges.any():
        made[has_edges] = fold.reduceat(data, block.indptr[:-1][has_edges])
    return made


def check_endings(
    solution: Solution, bounds: Bounds, most: float, source: IntArray, target: IntArray,
    same: NDArray[np.bool_], over: NDArray[np.bool_],
) -> None:  # fmt: skip
    """Raise VerificationError for a bound that counts on play that never ends."""
    n = len(bounds.low)
    player = solution.space.player(np.arange(n))
    by_chance = np.zeros(n, bool) if player is None else player == CHANCE
    # A vertex has two roles: who wants the bound moves there, or the other one, for whom it is negated.
    claims = np.stack([bounds.low, -bounds.high], axis=1).reshape(-1)
    rows = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(target, minlength=n), out=rows[1:])
    by_target = np.argsort(target, kind="stable")
    opens = np.bincount(source, minlength=n)
    reached, queue, open_moves = np.zeros(2 * n, bool), np.empty(2 * n, np.int64), np.repeat(opens, 2)
    jit.run(
        reach, n + len(source), rows, source[by_target].astype(np.int64), same[by_target], over,
        by_chance, claims, open_moves, reached, queue,
    )  # fmt: skip
    wrong = ~reached & (claims != -most) & ~np.isnan(claims)
    if wrong.any():
        v = int(wrong.argmax()) // 2
        raise VerificationError(f"{claim(solution, v)}, but play that never ends may follow")


def reach(
    rows: IntArray, sources: IntArray, same: NDArray[np.bool_], over: NDArray[np.bool_],
    by_chance: NDArray[np.bool_], claims: NDArray[np.float64], open_moves: IntArray,
    reached: NDArray[np.bool_], queue: IntArray,
) -> None:  # fmt: skip
    """Mark from where play ends for sure, by moves that bear out a bound.

    Parameters
    ----------
    rows, sources, same : int64 [n + 1], int64 [m], bool [m]
        The predecessors of each vertex, and whether the same player moves there.
    over, by_chance : bool [n]
        Whether the game is over, and whether chance moves.
    claims : float64 [2 n]
        The bound of each vertex for each role.
    open_moves : int64 [2 n]
        The number of moves; changed in place.
    reached : bool [2 n]
        False; overwritten.
    queue : int64 [2 n]
        Overwritten.
    """
    head, tail = 0, 0
    for v in range(len(over)):
        if over[v]:
            for role in range(2):
                reached[2 * v + role] = True
                queue[tail] = 2 * v + role
                tail += 1
    while head < tail:
        state = queue[head]
        head += 1
        w, role = state // 2, state % 2
        for e in range(rows[w], rows[w + 1]):
            v = sources[e]
            before = 2 * v + (role if same[e] else 1 - role)
            if reached[before]:
                continue
            if not by_chance[v]:
                if before % 2 == MINE:
                    if claims[state] < claims[before]:
                        continue  # this move would give up some of the bound
                else:
                    open_moves[before] -= 1
                    if open_moves[before] > 0:
                        continue
            reached[before] = True
            queue[tail] = before
            tail += 1

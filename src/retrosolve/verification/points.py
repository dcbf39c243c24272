"""Scores without remoteness: does play come to the ends that the claims are about?

That the moves of each position bear out its claim has been proven before. It is not enough: positions
of a cycle may claim points because of each other. So each claim must rest on moves, in an order without
cycles. A claim rests on the moves that are worth exactly as much. One of them must be derived for a win
or a tie, all of them for a loss. Moves out of the tier are, as play does not come back, and so are ends
of the game. Endless play rests on nothing.

This is sound. Let all claims be derived, and let a player have t > 0 points by a claim, whoever moves.
Where he moves, he makes the move that his claim was derived from, which keeps t. His opponent's moves
keep t as well and were derived before, or they are worth more to him. So within a tier his points never
fall, except by rewards, and no play makes such a move twice. While they stay the same, each claim was
derived before the last one: play leaves the tier or ends, with t points or more. The opponent holds him
to t, since every position has a move that is worth its claim and none that is worth more, and play
without an end is worth 0. In the same way both players hold each other to 0. A claim of a TIE that is
derived does end; no other position could, since one that is claimed a DRAW has no move to a TIE.

It is complete. In the right table each claim has a remoteness and rests on moves that are nearer to the
end. A queue and counters find such an order, in time that is linear in the moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from retrosolve.arrays import IntArray, index_dtype, spans
from retrosolve.compilation import jit
from retrosolve.errors import VerificationError
from retrosolve.objectives import Score
from retrosolve.objectives.score import plies_of, points_of
from retrosolve.runtime.context import Context, Progress
from retrosolve.runtime.memory import check_budget
from retrosolve.runtime.threads import ThreadPool
from retrosolve.solution import Solution
from retrosolve.spaces.base import Capability
from retrosolve.spaces.blocks import VERTICES_PER_BLOCK, Block, blocks
from retrosolve.verification import scores
from retrosolve.verification.local import EDGES_ASSUMED, claim
from retrosolve.verification.words import Claims, claims_of

VERTEX_BYTES, MOVE_BYTES = 20, 24  # of a tier, and of the moves that its claims rest on
MOVES_AT_ONCE = 1 << 20


class Support(NamedTuple):
    """What the claims of a tier rest on.

    Parameters
    ----------
    first : int
        The first index of the tier.
    waits : int32 [size]
        How many moves must be derived before each claim is.
    sources, targets : int32 or int64 [k]
        The moves inside the tier that claims rest on, counted from its beginning.
    """

    first: int
    waits: IntArray
    sources: IntArray
    targets: IntArray


def check_ends(solution: Solution, context: Context) -> None:
    """Raise VerificationError for a claim that does not follow from the ends of the game.

    Parameters
    ----------
    solution : Solution
        Of scores without remoteness, whose moves bear out each claim.
    context : Context

    Notes
    -----
    O(n + m) time. Takes 20 bytes for each index of a tier and 24 for each move that claims rest on,
    mostly one or two for each position; a graph counts as one tier.
    """
    space = solution.space
    generated = Capability.GENERATED in space.capabilities
    with ThreadPool(context.threads, EDGES_ASSUMED * space.num_vertices) as pool:
        claims = claims_of(solution, context.memory, pool) if generated else None
        tiers = iter([_of_graph(solution)]) if claims is None else _of_tiers(claims, pool)
        for first, waits, sources, targets in tiers:
            size, num_moves = len(waits), len(sources)
            needed = VERTEX_BYTES * size + MOVE_BYTES * num_moves
            check_budget(needed, lambda: f"verifying {space!r} without remoteness", context.memory)
            links = targets.astype(index_dtype(num_moves))
            last, queue = np.full(size, -1, links.dtype), np.empty(size, index_dtype(size))
            if jit.run(derive, size + num_moves, waits, sources, links, last, queue):
                v = first + int(waits.argmax())
                v = v if claims is None else claims.vertex(v)
                raise VerificationError(
                    f"{claim(solution, v)}, which does not follow from the ends of the game"
                )
            context.progress(Progress("verifying, ends", first + size, space.num_vertices))


def _of_tiers(claims: Claims, pool: ThreadPool) -> Iterator[Support]:
    """Yield what the claims of each tier of compiled rules rest on."""
    space = claims.space
    step = max(1, MOVES_AT_ONCE // max(1, space.max_moves))
    for tier, (below, above) in enumerate(space.tier_bounds):
        claims.hold(tier, pool)
        waits = np.zeros(above - below, np.int32)

        def find(start: int, stop: int) -> list[IntArray]:
            rows = np.empty((2, space.max_moves * min(step, stop - start)), np.int32)
            known = below, claims.words, claims.meaning, waits, *rows, space.max_moves  # noqa: B023
            return [
                rows[:, : space.run(scores.find_support, low, high, *known)].copy()
                for low, high in spans(stop, step, start)
            ]

        parts = pool.map_ranges(find, pool.chunks(above - below, start=below))
        found = [np.zeros((2, 0), np.int32), *(rows for part in parts for rows in part)]
        yield Support(below, waits, *np.concatenate(found, axis=1))


def _of_graph(solution: Solution) -> Support:
    """Return what the claims of a graph rest on."""
    space = solution.space
    parts = [_of_block(solution, block) for block in blocks(space, size=VERTICES_PER_BLOCK)]
    empty = np.zeros(0, np.int32)
    parts.append((empty, empty, empty))  # a graph without vertices has no other
    waits, sources, targets = (np.concatenate(rows) for rows in zip(*parts, strict=True))
    return Support(0, waits.astype(np.int32), sources, targets)


def _of_block(solution: Solution, block: Block) -> tuple[IntArray, IntArray, IntArray]:
    """Return what the claims of a block rest on."""
    table, objective = solution.table, solution.objective
    assert isinstance(objective, Score)  # by the table of provers
    claimed, there = (
        table.words_of(objective, at) for at in (slice(block.start, block.stop), block.target)
    )
    rows = block.rows()
    rests = (objective.seen(there, block.edges) == claimed[rows]) & (plies_of(claimed[rows]) >= 0)
    number = np.bincount(rows[rests], minlength=len(claimed))
    waits = np.where(points_of(claimed) < 0, number, np.minimum(number, 1))
    return waits, block.start + rows[rests], block.target[rests]


def derive(waits: Any, sources: Any, links: Any, last: Any, queue: Any) -> int:
    """Derive claims from those that wait for nothing, as far as they go.

    Parameters
    ----------
    waits : int32 [n]
        Counted down to 0 where a claim is derived.
    sources, links : int32 or int64 [k]
        Moves. The targets in ``links`` are overwritten with the move before that has the same one.
    last : int32 or int64 [n]
        -1; overwritten with the last move to each vertex.
    queue : int32 or int64 [n]
        Overwritten with what is derived, in order.

    Returns
    -------
    int
        How many claims are not derived.
    """
    for e in range(len(links)):
        w = links[e]
        links[e] = last[w]
        last[w] = e
    head, tail = 0, 0
    for v in range(len(waits)):
        if waits[v] == 0:
            queue[tail] = v
            tail += 1
    while head < tail:
        e = last[queue[head]]
        head += 1
        while e >= 0:
            v = sources[e]
            if waits[v] > 0:
                waits[v] -= 1
                if waits[v] == 0:
                    queue[tail] = v
                    tail += 1
            e = links[e]
    return len(waits) - tail

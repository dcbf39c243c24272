"""Add the remoteness to claims without it, so that they can be proven like all others.

A WIN, LOSS or TIE without remoteness cannot be compared with its successors alone: wins might support
each other in a cycle. So the claims are derived again from the ends of the game, ply by ply, by the
local rule (``Objective.fold``): in round k a claim that follows from what the rounds before have
derived gets the remoteness k. Claims that no round derives are wrong. The others, with their
remoteness, are handed to the proof with remoteness, which also refuses wrong claims of a DRAW.

A claim follows in a round only if it has a move to one that was derived in the round before. Of a graph
whose edges are in memory, a round that would find few looks only at the predecessors of those: a chain
of vertices is derived in linear time, and not all of it is looked at again for each of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray, index_bytes, numbered_ranges, spans
from retrosolve.errors import VerificationError
from retrosolve.objectives import ChoiceObjective, Outcome
from retrosolve.objectives.words import INVALID_CODE, OPEN, code_of, pack, remoteness_of, widened
from retrosolve.runtime.context import Context, Progress
from retrosolve.runtime.memory import available, check_budget
from retrosolve.runtime.threads import ThreadPool
from retrosolve.solution import Solution
from retrosolve.spaces.base import CsrSpace, StateSpace
from retrosolve.spaces.blocks import Block, blocks
from retrosolve.spaces.csr.build import reversed_rows
from retrosolve.tables import PackedTable
from retrosolve.verification.local import claim

Derived = tuple[NDArray[Any], int]  # how many claims of each vertex of a block, and how many are left

VERTICES_PER_BLOCK = 1 << 14  # a block is visited in each round until all its claims are derived
RUN_VERTICES = 1 << 11  # a run of neighbouring vertices takes as long as so many of a block
GAP = 64  # between runs: fewer vertices are rather looked at in vain
VERTEX_BYTES = 4  # words of two bytes, and the claimed codes


def memory_bytes(space: StateSpace, num_edges: int, budget: int | None = None) -> int:
    """Return the bytes of a proof, besides those of the proof with remoteness."""
    needed = VERTEX_BYTES * space.num_vertices
    edges = predecessor_bytes(space, num_edges)
    return needed + edges if budget is None or needed + edges <= budget else needed


def predecessor_bytes(space: StateSpace, num_edges: int) -> int:
    """Return the bytes of the reversed edges of a graph in memory, and of making them."""
    n = space.num_vertices
    own = index_bytes(num_edges) * (n + 1) + 3 * index_bytes(n) * num_edges
    return own if isinstance(space, CsrSpace) else 0


def with_remoteness(solution: Solution, context: Context) -> Solution:
    """Return a solution without remoteness as one with the remoteness that follows from its claims.

    Parameters
    ----------
    solution : Solution
    context : Context

    Returns
    -------
    Solution
        Of the same values. Its claims of a DRAW have not been looked at.

    Raises
    ------
    VerificationError
        For a WIN, LOSS or TIE that does not follow from the ends of the game.

    Notes
    -----
    O(rounds * edges) time at most, where the rounds are the longest remoteness: blocks of vertices all
    of whose claims are derived are not visited again, and of a graph in memory not those far from what
    is derived.
    """
    space, objective = solution.space, solution.objective
    assert isinstance(objective, ChoiceObjective)  # by the table of provers
    needed = VERTEX_BYTES * space.num_vertices
    check_budget(needed, lambda: f"verifying {space!r} without remoteness", context.memory)
    claimed = _claimed_codes(solution)
    words: IntArray = np.where(claimed == INVALID_CODE, INVALID_CODE, OPEN).astype(np.uint16)
    wanted = (claimed != OPEN) & (claimed != INVALID_CODE)

    def derive(block: Block, level: int) -> Derived:
        """Derive the claims of a block that follow from earlier ones, ``level`` plies from the end."""
        nonlocal words
        words, span = widened(words, level), slice(block.start, block.stop)
        if level == 0:
            ends = np.diff(block.indptr) == 0
            codes = np.where(ends, code_of(objective.end(block.ends)), OPEN)
        else:
            successors = words[block.target].astype(np.int64)
            earlier = (code_of(successors) != OPEN) & (remoteness_of(successors) < level)
            known = np.where(earlier, successors, OPEN)
            codes = code_of(objective.fold(block.indptr, objective.seen(known, block.edges)))
        fresh = wanted[span] & (codes == claimed[span])
        words[span][fresh] = pack(claimed[span][fresh].astype(words.dtype), words.dtype.type(level))
        wanted[span] &= ~fresh
        return fresh, int(wanted[span].sum())

    if _derive_in_rounds(space, context, needed, int(wanted.sum()), derive):
        _refuse_underived(solution, wanted)
    return Solution(space, PackedTable(words), objective=Outcome(objective.stuck))


def _derive_in_rounds(
    space: StateSpace, context: Context, taken: int, total: int, derive: Callable[[Block, int], Derived]
) -> int:
    """Derive claims block by block, in rounds until one derives nothing; return how many are left.

    Parameters
    ----------
    space : StateSpace
    context : Context
    taken : int
        The bytes that the caller takes of the budget.
    total : int
        The number of claims.
    derive : callable
        ``derive(block, level)`` derives claims of a block in a round.
    """
    whole = list(spans(space.num_vertices, VERTICES_PER_BLOCK))
    visits, level, left = whole, 0, total
    near = _Predecessors(space, context, taken)
    fresh: IntArray = np.zeros(0, np.int64)
    while left and (not level or len(fresh)):
        found, unfinished = [], []
        for start, stop in visits:
            derived, more = derive(next(blocks(space, start, stop, VERTICES_PER_BLOCK)), level)
            left -= int(derived.sum())
            found.append(start + np.flatnonzero(derived))
            if more:
                unfinished.append((start, stop))
        if visits is whole:
            visits = whole = unfinished
        fresh, level = np.concatenate(found), level + 1
        context.progress(Progress("verifying, levels", total - left, total))
        if level > 1:
            visits = near.runs(fresh, sum(stop - start for start, stop in whole)) or whole
    return left


class _Predecessors:
    """The vertices with an edge to some others, of a graph whose edges are in memory."""

    def __init__(self, space: StateSpace, context: Context, taken: int) -> None:
        self.space, self.context = space, context
        self.rows: tuple[IntArray, IntArray] | None = None
        self.has_room = False
        if isinstance(space, CsrSpace):
            needed = taken + predecessor_bytes(space, len(space.indices))
            self.has_room = needed <= available() and needed <= (context.memory or needed)

    def runs(self, vertices: IntArray, most: int) -> list[tuple[int, int]]:
        """Return runs with all vertices that have an edge to one of these.

        None at all if they would take longer than to look at ``most`` vertices in blocks, or if there
        is no room for the reversed edges.
        """
        if not self.has_room or len(vertices) * RUN_VERTICES >= most:
            return []
        indptr, sources = self._reversed()
        begins = indptr[vertices].astype(np.int64)
        _, at = numbered_ranges(begins, indptr[vertices + 1] - begins)
        near = np.unique(sources[at])
        cuts = np.flatnonzero(np.diff(near) > GAP) + 1
        if not len(near) or (len(cuts) + 1) * RUN_VERTICES >= most:
            return []
        starts, stops = near[np.r_[0, cuts]], near[np.r_[cuts - 1, -1]] + 1
        runs = zip(starts.tolist(), stops.tolist(), strict=True)
        return [part for first, stop in runs for part in spans(stop, VERTICES_PER_BLOCK, first)]

    def _reversed(self) -> tuple[IntArray, IntArray]:
        """Return the rows of the reversed edges, made when they are first needed."""
        if self.rows is None:
            space = self.space
            assert isinstance(space, CsrSpace)
            with ThreadPool(self.context.threads, len(space.indices)) as pool:
                self.rows = reversed_rows(space.indptr, space.indices, pool)
        return self.rows


def _refuse_underived(solution: Solution, underived: NDArray[np.bool_]) -> NoReturn:
    """Raise VerificationError for the first claim that was not derived."""
    v = int(underived.argmax())
    raise VerificationError(f"{claim(solution, v)}, which does not follow from the ends of the game")


def _claimed_codes(solution: Solution) -> NDArray[np.uint8]:
    """Return the code of each claim, uint8 [n]."""
    claimed: NDArray[np.uint8] = np.empty(solution.table.num_vertices, np.uint8)
    for start, stop in spans(len(claimed)):
        claimed[start:stop] = code_of(solution.table.packed(slice(start, stop)))
    return claimed

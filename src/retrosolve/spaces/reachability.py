"""Marking the indices that play from the start reaches, tier by tier from the last."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.objectives.words import INVALID_CODE, word_dtype
from retrosolve.runtime.context import ProgressCallback, counted
from retrosolve.runtime.threads import ThreadPool
from retrosolve.spaces import moves
from retrosolve.spaces.base import RulesSpace


def mark_reachable(space: RulesSpace, pool: ThreadPool, progress: ProgressCallback) -> IntArray:
    """Return a packed word for each index, INVALID_CODE for unreachable ones and 0 for others.

    If all positions are valid, not only reachable ones, every word is 0.

    Parameters
    ----------
    space : RulesSpace
    pool : ThreadPool
    progress : callable

    Returns
    -------
    uint16 [num_vertices]

    Raises
    ------
    RulesError
        For a move to a later tier, past the last index, or to an INVALID index.
    """
    if not space.initial_indices:
        return np.zeros(space.num_vertices, word_dtype(0))
    words = np.full(space.num_vertices, INVALID_CODE, word_dtype(0))
    words[list(space.initial_indices)] = 0
    n = space.num_vertices
    for below, above in reversed(space.tier_bounds):
        report = counted(progress, "finding positions", n - above, n)
        mark_tier(space, pool, words, below, above, report)
    return words


def mark_tier(
    space: RulesSpace, pool: ThreadPool, words: IntArray, below: int, above: int,
    report: Callable[[int], None],
) -> None:  # fmt: skip
    """Mark what the marked indices of a tier lead to.

    Parameters
    ----------
    space : RulesSpace
    pool : ThreadPool
    words : uint16 [num_vertices]
        Changed in place.
    below, above : int
        The tier is ``below..above-1``.
    report : callable
        Called with how much of the tier is done.
    """
    cuts = pool.chunks(above - below, start=below)

    def reach(start: int, stop: int) -> bool:
        """Mark the successors of reachable indices in ``start..stop-1``; return whether any is new."""
        size = below, above, words, space.max_moves
        return bool(space.run(moves.mark_reachable, start, stop, *size, known=words))

    # A chunk may mark indices of chunks already passed, so the last pass marks nothing.
    while any(pool.map_ranges(reach, cuts, report)):
        pass

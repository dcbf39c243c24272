"""Propagation from a queue of decided vertices, in two phases: wins and losses, then ties."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.runtime.progress import Progress, ProgressCallback
from retrosolve.values import LOSS, TIE, WIN

# Propagates a bounded number of entries of a queue: (queue, head, tail) -> (head, tail).
Advance = Callable[[IntArray, int, int], tuple[int, int]]


def initial_frontiers(value: ByteArray) -> list[IntArray]:
    """Return the decided vertices from which each phase starts: wins and losses, then ties."""
    ties = value == TIE
    return [np.flatnonzero((value == WIN) | (value == LOSS)), np.flatnonzero(ties)]


def propagate(
    advance: Advance,
    frontiers: Sequence[IntArray],
    queue: IntArray,
    progress: ProgressCallback,
) -> None:
    """Run each phase to its end.

    Parameters
    ----------
    advance : callable
        Takes the queue, its head and its tail; propagates some entries; returns the new head and tail.
    frontiers : sequence of int [k]
        The decided vertices from which each phase starts.
    queue : int [n]
        Overwritten.
    progress : callable
    """
    decided = 0
    for frontier in frontiers:
        head, tail = 0, len(frontier)
        queue[:tail] = frontier
        while head < tail:
            head, tail = advance(queue, head, tail)
            progress(Progress("solving", decided + head, len(queue)))
        decided += tail

"""Run a propagation kernel over its seeds, phase by phase, reporting now and then."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.runtime.progress import Progress, ProgressCallback
from retrosolve.values import Value

# Takes the queue, its head and tail; propagates for a while; returns the new head and tail.
Advance = Callable[[IntArray, int, int], tuple[int, int]]


def initial_frontiers(value: ByteArray) -> list[IntArray]:
    """Return the decided vertices that each phase starts from: wins and losses, then ties."""
    ties = value == Value.TIE
    return [np.flatnonzero((value == Value.WIN) | (value == Value.LOSS)), np.flatnonzero(ties)]


def propagate(
    advance: Advance,
    seeds: Sequence[IntArray],
    queue: IntArray,
    report: ProgressCallback,
    decided: int = 0,
) -> None:
    """Run each phase to its end. ``queue`` [n] is overwritten; ``decided`` vertices came before."""
    for frontier in seeds:
        head, tail = 0, len(frontier)
        queue[:tail] = frontier
        while head < tail:
            head, tail = advance(queue, head, tail)
            report(Progress("solving", decided + head, len(queue)))
        decided += tail

"""The two phases that every backward solver runs: wins and losses, then ties."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from retrosolve.progress import Progress, Report
from retrosolve.validation import ByteArray, IntArray
from retrosolve.values import Value

EDGES_A_REPORT = 1 << 23

# Takes the queue, its head and tail; propagates for a while; gives the new head and tail.
Advance = Callable[[IntArray, int, int], tuple[int, int]]


def propagate(advance: Advance, value: ByteArray, remoteness: IntArray, report: Report) -> None:
    """Run both phases to their end, reporting between calls of ``advance``."""
    queue = np.empty_like(remoteness)
    decided = 0
    for phase in ((Value.WIN, Value.LOSS), (Value.TIE,)):
        seeds = np.flatnonzero(np.isin(value, phase))
        head, tail = 0, len(seeds)
        queue[:tail] = seeds
        while head < tail:
            head, tail = advance(queue, head, tail)
            report(Progress("solving", decided + head, len(value)))
        decided += tail

"""Ranges of vertices that partitions own."""

from __future__ import annotations

from itertools import pairwise

from retrosolve.runtime.window import Span


def owned(below: int, above: int, partitions: int) -> list[Span]:
    """Return the range of each partition of ``below..above-1``; sizes differ by at most one.

    >>> owned(10, 17, 3)
    [(10, 12), (12, 14), (14, 17)]
    """
    size = above - below
    cuts = [below + size * p // partitions for p in range(partitions + 1)]
    return list(pairwise(cuts))

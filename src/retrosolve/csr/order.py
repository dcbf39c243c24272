"""Whether the numbering of a graph is topological, found by looking at as few edges as possible."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from retrosolve.arrays import ByteArray, IntArray

FIRST_STRETCH, LONGEST_STRETCH = 1 << 8, 1 << 18

Edges = tuple[IntArray, IntArray]


def topological_direction(stretches: Iterator[Edges], terminals: ByteArray | None) -> int:
    """Return 1 if every edge leads to a larger vertex, -1 if every edge leads to a smaller one, else 0.

    Parameters
    ----------
    stretches : iterator of (source, target)
        The edges in pieces; no more are asked for once the answer is 0.
    terminals : uint8 [n], optional
        Edges out of vertices whose terminal value is not 0 do not count.

    Notes
    -----
    Without edges the answer is 1.
    """
    up = down = True
    for source, target in stretches:
        tail, head = source, target
        if terminals is not None:
            goes_on = terminals[tail] == 0
            tail, head = tail[goes_on], head[goes_on]
        up = up and bool((tail < head).all())
        down = down and bool((tail > head).all())
        if not (up or down):
            return 0
    return 1 if up else -1


def stretches_of_list(source: IntArray, target: IntArray) -> Iterator[Edges]:
    """Return the edges of an edge list: first a sample from all over, then ever longer stretches."""
    step = len(source) // FIRST_STRETCH + 1
    yield source[::step], target[::step]
    for start, stop in _cuts(len(source)):
        yield source[start:stop], target[start:stop]


def stretches_of_rows(indptr: IntArray, indices: IntArray) -> Iterator[Edges]:
    """Return the edges of CSR rows in ever longer stretches of vertices."""
    for start, stop in _cuts(len(indptr) - 1):
        starts = indptr[start : stop + 1]
        yield np.repeat(np.arange(start, stop), np.diff(starts)), indices[starts[0] : starts[-1]]


def _cuts(length: int) -> Iterator[tuple[int, int]]:
    start, stretch = 0, FIRST_STRETCH
    while start < length:
        stop = min(start + stretch, length)
        yield start, stop
        start, stretch = stop, min(2 * stretch, LONGEST_STRETCH)

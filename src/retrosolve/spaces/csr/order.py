"""Whether the numbering of a graph is topological, examining as few edges as possible."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from retrosolve.arrays import ByteArray, IntArray

FIRST_CHUNK, MAX_CHUNK = 1 << 8, 1 << 18

Edges = tuple[IntArray, IntArray]


def topological_direction(chunks: Iterator[Edges], terminals: ByteArray | None) -> int:
    """Return 1 if every edge leads to a larger vertex, -1 if every edge leads to a smaller one, else 0.

    Parameters
    ----------
    chunks : iterator of (source, target)
        The edges in chunks; no more of them are generated once the result is 0.
    terminals : uint8 [n], optional
        Edges out of vertices whose terminal value is not 0 do not count.

    Notes
    -----
    The result without edges is 1.
    """
    up = down = True
    for source, target in chunks:
        tail, head = source, target
        if terminals is not None:
            live = terminals[tail] == 0
            tail, head = tail[live], head[live]
        rising = np.count_nonzero(tail < head)
        up = up and rising == len(tail)
        down = down and rising == 0 and bool((tail > head).all())
        if not (up or down):
            return 0
    return 1 if up else -1


def edge_list_chunks(source: IntArray, target: IntArray) -> Iterator[Edges]:
    """Yield the edges of an edge list: first a sample of all, then increasingly long chunks."""
    step = len(source) // FIRST_CHUNK + 1
    yield source[::step], target[::step]
    for start, stop in _cuts(len(source)):
        yield source[start:stop], target[start:stop]


def row_chunks(indptr: IntArray, indices: IntArray) -> Iterator[Edges]:
    """Yield the edges of CSR rows in increasingly long chunks of vertices."""
    for start, stop in _cuts(len(indptr) - 1):
        starts = indptr[start : stop + 1]
        yield np.repeat(np.arange(start, stop), np.diff(starts)), indices[starts[0] : starts[-1]]


def _cuts(length: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of increasingly long chunks."""
    start, chunk = 0, FIRST_CHUNK
    while start < length:
        stop = min(start + chunk, length)
        yield start, stop
        start, chunk = stop, min(2 * chunk, MAX_CHUNK)

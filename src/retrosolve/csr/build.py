"""Construction of CSR rows from edges, and transposition.

Edges sorted by source take one pass. Few edges are sorted by numpy, many by the radix partition of
``kernels.partition``; the rows do not depend on the method or the number of threads.

Bytes beyond input and output: none for up to four million vertices, one for each edge for up to 33
million, two for more.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from retrosolve.arrays import ByteArray, IntArray, index_bytes, index_dtype, read_only
from retrosolve.compilation import jit
from retrosolve.kernels import partition
from retrosolve.runtime import memory, tuning
from retrosolve.runtime.threads import ThreadPool, cpu_count

MAX_SHIFT = 16  # the rest of a key has to fit two bytes


def workspace(vertices: int, edges: int) -> int:
    """Return the bytes that constructing rows takes, the rows included."""
    row, vertex = index_bytes(edges), index_bytes(vertices)
    return row * (vertices + 1) + edges * (vertex + RadixLayout.of(vertices).low_bytes)


def edges_to_csr(
    source: IntArray, target: IntArray, vertices: int, pool: ThreadPool
) -> tuple[IntArray, IntArray]:
    """Sort edges by source, stably, into CSR rows.

    Parameters
    ----------
    source, target : integers [m]
        The edges.
    vertices : int
        The number of vertices.
    pool : ThreadPool
        The threads to use.

    Returns
    -------
    indptr, indices : int32 or int64 [vertices + 1], [m]
        The rows, each in the order of the edges.

    Raises
    ------
    MemoryBudgetError
        If the rows do not fit in memory.
    """
    memory.check_budget(
        workspace(vertices, len(source)), f"a graph of {vertices} vertices and {len(source)} edges"
    )
    start, vertex = index_dtype(len(source)), index_dtype(vertices)
    ordered = _is_sorted(source)
    if ordered or not jit.pays(len(source) + vertices):
        indptr = np.zeros(vertices + 1, start)
        np.cumsum(np.bincount(source, minlength=vertices), out=indptr[1:])
        taken = target if ordered else target[np.argsort(source, kind="stable")]
        return indptr, taken.astype(vertex)
    return _partitioned(_Edges(source, target), vertices, vertex, pool)


def prefers_edge_list(source: IntArray, target: IntArray, vertices: int) -> bool:
    """Return whether a solve is fastest if it sorts the edges by target directly, without rows.

    That is the case where one counting sort takes less time than constructing rows and transposing
    them: for small graphs, and for larger local ones unless many processors share that work.
    """
    tuned = tuning.current()
    work = vertices + len(source)
    if not jit.pays(work) or work > tuned.max_serial_local_work:
        return False
    if work > tuned.max_serial_work and (
        cpu_count() > tuned.max_cores_serial or not _is_local(source, target)
    ):
        return False
    return not _is_sorted(source)


def _is_local(source: IntArray, target: IntArray) -> bool:
    """Return whether, in a sample, sources, targets and the next sources are close numbers."""
    tuned = tuning.current()
    if len(source) < tuned.locality_sample:
        return False
    sample = np.linspace(0, len(source) - 2, tuned.locality_sample).astype(np.int64)
    at, follows, distance = source[sample].astype(np.int64), source[sample + 1], tuned.local_distance
    near = (np.abs(target[sample] - at) < distance) & (np.abs(follows - at) < distance)
    return bool(near.mean() >= tuned.local_share)


def _is_sorted(source: IntArray) -> bool:
    """Return whether the sources never decrease; tests a sample first, then chunk by chunk."""

    def falls(look: IntArray) -> bool:
        return bool(np.count_nonzero(look[1:] < look[:-1]))  # in half the time of any()

    tuned = tuning.current()
    chunk = tuned.sortedness_chunk
    return not falls(source[:: len(source) // tuned.sortedness_sample + 1]) and not any(
        falls(source[start : start + chunk + 1]) for start in range(0, len(source), chunk)
    )


def transpose(
    indptr: IntArray,
    indices: IntArray,
    decided: ByteArray,
    dropped: ByteArray,
    state: IntArray,
    pool: ThreadPool,
) -> tuple[IntArray, IntArray]:
    """Reverse the edges out of undecided vertices.

    Parameters
    ----------
    indptr, indices : int32 or int64 [n + 1], [m]
        Rows of the successors.
    decided, dropped : uint8 [(n + 7) // 8]
        Sets of vertices as bits.
    state : uint8, int32 or int64 [n]
        Overwritten with twice the number of edges that each undecided vertex has to vertices not
        ``dropped``, 0 for decided vertices.
    pool : ThreadPool
        The threads to use.

    Returns
    -------
    rindptr, rindices : int32 or int64 [n + 1], [edges]
        Rows of the predecessors.
    """
    source = _Rows(indptr, indices, decided, dropped, state)
    return _partitioned(source, len(indptr) - 1, index_dtype(len(indptr) - 1), pool)


class RadixLayout(NamedTuple):
    """The layout of a radix partition of edges; see ``kernels.partition``.

    Parameters
    ----------
    shift : int
        A bucket has ``2 ** shift`` vertices.
    bits : int
        The bits of a payload.
    fitting : int
        The low bits of a key that fit above the payload.
    low_bytes : int
        The bytes of an edge for the other low bits.
    """

    shift: int
    bits: int
    fitting: int
    low_bytes: int

    @classmethod
    def of(cls, vertices: int) -> RadixLayout:
        """Return the layout for a number of vertices, without ``low_bytes`` if buckets stay few."""
        tuned = tuning.current()
        last = max(vertices - 1, 1)
        bits = last.bit_length()
        free = min(8 * index_bytes(vertices) - bits, MAX_SHIFT)
        shift = (last // tuned.target_buckets).bit_length()
        shift = min(MAX_SHIFT, max(tuned.min_bucket_shift, shift))
        if free < shift and last >> free < tuned.max_buckets:
            shift = free
        over = max(shift - free, 0)
        return cls(shift, bits, min(free, shift), 0 if over == 0 else 1 if over <= 8 else 2)


class _Edges:
    """An edge list to be partitioned."""

    def __init__(self, source: IntArray, target: IntArray) -> None:
        self.source, self.target = (
            read_only(source),
            read_only(target),
        )  # for one type of array to kernels
        self.length = len(source)

    def count(self, start: int, stop: int, shift: int, counts: IntArray) -> None:
        jit.compiled(partition.count_edges)(self.source, start, stop, shift, counts)

    def deal(self, start: int, stop: int, shift: int, *to: Any) -> None:
        jit.compiled(partition.deal_edges)(self.source, self.target, start, stop, shift, *to)


class _Rows:
    """The rows of undecided vertices, to be transposed."""

    def __init__(
        self,
        indptr: IntArray,
        indices: IntArray,
        decided: ByteArray,
        dropped: ByteArray,
        state: IntArray,
    ) -> None:
        self.rows = indptr, indices, decided
        self.dropped = dropped
        self.state = state
        self.length = len(decided)

    def count(self, start: int, stop: int, shift: int, counts: IntArray) -> None:
        kernel = jit.compiled(partition.count_rows)
        kernel(*self.rows, self.dropped, start, stop, shift, counts, self.state)

    def deal(self, start: int, stop: int, shift: int, *to: Any) -> None:
        jit.compiled(partition.deal_rows)(*self.rows, start, stop, shift, *to)


def _partitioned(
    source: _Edges | _Rows, vertices: int, dtype: type[np.integer], pool: ThreadPool
) -> tuple[IntArray, IntArray]:
    """Deal edges into buckets and sort each bucket."""
    layout = RadixLayout.of(vertices)
    shift = layout.shift
    buckets = (max(vertices - 1, 0) >> shift) + 1
    cuts = pool.chunks(source.length, pool.threads)
    counts = np.zeros((pool.threads, buckets), np.int64)
    pool.map(lambda i: source.count(cuts[i], cuts[i + 1], shift, counts[i]), pool.threads)
    bounds = np.zeros(buckets + 1, np.int64)
    np.cumsum(counts.sum(axis=0), out=bounds[1:])
    edges = int(bounds[-1])
    cursor = bounds[:-1] + np.cumsum(counts, axis=0) - counts
    indptr = np.empty(vertices + 1, index_dtype(edges))
    indptr[-1] = edges
    rows = np.empty(edges, dtype)
    dealt = rows.view(f"u{rows.itemsize}")
    low = np.empty(edges if layout.low_bytes else 0, np.uint16 if layout.low_bytes == 2 else np.uint8)
    record = dealt, low, layout.bits, layout.fitting
    pool.map(lambda i: source.deal(cuts[i], cuts[i + 1], shift, cursor[i], *record), pool.threads)
    sort = jit.compiled(partition.sort_buckets)
    pool.map_ranges(
        lambda start, stop: sort(bounds, start, stop, shift, *record, indptr),
        _even(bounds, pool.threads * 8),
    )
    return indptr, rows


def _even(bounds: IntArray, count: int) -> list[int]:
    """Return the bounds of ``count`` runs of buckets with about equal numbers of edges."""
    cuts = np.searchsorted(bounds, np.linspace(0, int(bounds[-1]), count + 1)[1:-1])
    return [0, *np.minimum(cuts, len(bounds) - 1).tolist(), len(bounds) - 1]

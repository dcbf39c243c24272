"""Edges dealt into buckets of neighbouring sources, and sorted into CSR rows.

A counting sort of many edges by vertex misses the cache at every edge. Edges are dealt instead: into
buckets of 2^16 neighbouring sources, each of which is filled front to back. That is all a solve of a
large graph needs (``solvers.retrograde``), for whatever it keeps of the sources of a bucket stays near
the processor. Rows are sorted out of the buckets when they are asked for, in the order of the edges,
whatever the number of threads: each thread deals a range of the input to places of its own.

An edge takes 6 bytes in a bucket: the low bits of its source, and its target. Between buckets there is
a gap. With two edges a vertex, buckets would begin almost exactly 2^17 edges apart otherwise, in the
same few lines of the cache, and dealing would take twice as long.

Edges sorted by source are rows already, and few edges are sorted by numpy.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray, index_bytes, index_dtype, read_only, row_bounds
from retrosolve.compilation import jit
from retrosolve.compilation.unsigned import u64
from retrosolve.runtime import memory, tuning
from retrosolve.runtime.threads import ThreadPool, cpu_count
from retrosolve.spaces.csr import partition


class Buckets(NamedTuple):
    """Edges in buckets of ``2 ** shift`` neighbouring sources, each in the order of the input.

    Parameters
    ----------
    low : uint16 [k]
        The low bits of the source of each edge.
    target : uint32 or uint64 [k]
        The targets.
    starts, stops : int64 [buckets]
        Bucket b is ``starts[b]..stops[b]-1`` of both arrays.
    shift : int
        At most 16.
    num_vertices : int
    """

    low: NDArray[np.uint16]
    target: IntArray
    starts: IntArray
    stops: IntArray
    shift: int
    num_vertices: int

    @property
    def sizes(self) -> IntArray:
        """The number of edges of each bucket."""
        return self.stops - self.starts

    def chunks(self) -> Iterator[tuple[IntArray, IntArray]]:
        """Yield sources and targets, bucket by bucket."""
        for bucket, (start, stop) in enumerate(zip(self.starts, self.stops, strict=True)):
            base = bucket << self.shift
            yield base + self.low[start:stop].astype(np.int64), self.target[start:stop]

    def rows(self, pool: ThreadPool, room: IntArray | None = None) -> tuple[IntArray, IntArray]:
        """Sort the edges by source, stably.

        Parameters
        ----------
        pool : ThreadPool
        room : uint32 or uint64 [k], optional
            An array to be overwritten with the rows, which saves the time that new memory takes.

        Returns
        -------
        indptr, indices : int32 or int64 [num_vertices + 1], [m]
        """
        begins = row_bounds(self.sizes)
        edges = int(begins[-1])
        indptr = np.empty(self.num_vertices + 1, index_dtype(edges))
        indptr[-1] = edges
        rows = np.empty(edges, self.target.dtype) if room is None else room[:edges]
        sort = jit.compiled(sort_buckets)
        pool.map_ranges(
            lambda first, last: sort(
                read_only(self.low), read_only(self.target), self.starts, self.stops, begins, first,
                last, self.shift, indptr, rows,
            ),
            even(self.sizes, 4 * pool.threads),
        )  # fmt: skip
        return indptr, rows.view(f"i{rows.itemsize}")


def bucket_starts(sizes: IntArray) -> IntArray:
    """Return where buckets of these sizes begin, with a gap after each, and where the last one ends."""
    gaps = tuning.current().bucket_gap * np.arange(len(sizes) + 1)
    return row_bounds(sizes) + gaps


def even(counts: IntArray, parts: int) -> list[int]:
    """Return the bounds of runs of ranges with about equal counts."""
    total = np.cumsum(counts)
    cuts = np.searchsorted(total, [int(total[-1]) * i // parts for i in range(1, parts)])
    return [0, *cuts.tolist(), len(counts)]


def deal(source: IntArray, target: IntArray, vertices: int, pool: ThreadPool) -> Buckets:
    """Deal edges into buckets of neighbouring sources.

    Parameters
    ----------
    source, target : integers [m]
        The edges.
    vertices : int
        The number of vertices.
    pool : ThreadPool
        The threads to use.

    Raises
    ------
    MemoryBudgetError
        If the edges do not fit in memory.
    """
    shift = tuning.current().bucket_shift
    buckets = (max(vertices - 1, 0) >> shift) + 1
    columns = read_only(source), read_only(target)  # one type of array for kernels
    parts = 4 * pool.threads
    cuts = pool.chunks(len(source), parts)
    counts = np.zeros((parts, buckets), np.int64)
    count, distribute = jit.compiled(partition.count_edges), jit.compiled(partition.deal_edges)
    pool.map(lambda i: count(columns[0], cuts[i], cuts[i + 1], shift, counts[i]), parts)
    sizes = counts.sum(axis=0)
    starts = bucket_starts(sizes)
    memory.check_budget(
        int(starts[-1]) * (2 + index_bytes(vertices)),
        f"a graph of {vertices} vertices and {len(source)} edges",
    )
    cursor = starts[:-1] + np.cumsum(counts, axis=0) - counts
    low = np.empty(starts[-1], np.uint16)
    dealt = np.empty(starts[-1], f"u{index_bytes(vertices)}")
    pool.map(
        lambda i: distribute(*columns, cuts[i], cuts[i + 1], shift, cursor[i], dealt, low, 0, 0),
        parts,
    )
    return Buckets(low, dealt, starts[:-1], starts[:-1] + sizes, shift, vertices)


def rows_as_buckets(indptr: IntArray, indices: IntArray, pool: ThreadPool) -> Buckets:
    """Return CSR rows as buckets, without a copy of the targets."""
    n, shift = len(indptr) - 1, tuning.current().bucket_shift
    buckets = (max(n - 1, 0) >> shift) + 1
    bounds = indptr[np.minimum(np.arange(buckets + 1) << shift, n)].astype(np.int64)
    low = np.empty(len(indices), np.uint16)
    spell = jit.compiled(spell_sources)
    pool.map_ranges(lambda start, stop: spell(indptr, start, stop, shift, low), pool.chunks(n))
    return Buckets(low, indices.view(f"u{indices.itemsize}"), bounds[:-1], bounds[1:], shift, n)


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
    dealt = deal_or_sort(source, target, vertices, pool)
    return dealt.rows(pool) if isinstance(dealt, Buckets) else dealt


def reversed_rows(indptr: IntArray, indices: IntArray, pool: ThreadPool) -> tuple[IntArray, IntArray]:
    """Return the rows of the reversed edges of CSR rows, each in ascending order of the sources."""
    n = len(indptr) - 1
    source = np.repeat(np.arange(n, dtype=indices.dtype), np.diff(indptr))
    return edges_to_csr(indices, source, n, pool)


def deal_or_sort(
    source: IntArray, target: IntArray, vertices: int, pool: ThreadPool
) -> Buckets | tuple[IntArray, IntArray]:
    """Deal edges into buckets, or return them as CSR rows where that takes less time.

    That is so for few edges, and for those that are sorted by source. Parameters and errors are as in
    :func:`edges_to_csr`.
    """
    ordered = is_sorted(source)
    if not ordered and jit.pays(len(source) + vertices):
        return deal(source, target, vertices, pool)
    memory.check_budget(
        index_bytes(len(source)) * (vertices + 1) + index_bytes(vertices) * len(source),
        f"a graph of {vertices} vertices and {len(source)} edges",
    )
    indptr = row_bounds(np.bincount(source, minlength=vertices), index_dtype(len(source)))
    taken = target if ordered else target[np.argsort(source, kind="stable")]
    indices: IntArray = taken.astype(index_dtype(vertices))
    return indptr, indices


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
    return not is_sorted(source)


def _is_local(source: IntArray, target: IntArray) -> bool:
    """Return whether, in a sample, sources, targets and the next sources are close numbers."""
    tuned = tuning.current()
    if len(source) < tuned.locality_sample:
        return False
    sample = np.linspace(0, len(source) - 2, tuned.locality_sample).astype(np.int64)
    at, follows, distance = source[sample].astype(np.int64), source[sample + 1], tuned.local_distance
    near = (np.abs(target[sample] - at) < distance) & (np.abs(follows - at) < distance)
    return bool(near.mean() >= tuned.local_share)


def is_sorted(source: IntArray) -> bool:
    """Return whether the sources never decrease; tests a sample first, then chunk by chunk."""

    def falls(look: IntArray) -> bool:
        return bool(np.count_nonzero(look[1:] < look[:-1]))  # in half the time of any()

    tuned = tuning.current()
    chunk = tuned.sortedness_chunk
    return not falls(source[:: len(source) // tuned.sortedness_sample + 1]) and not any(
        falls(source[start : start + chunk + 1]) for start in range(0, len(source), chunk)
    )


def spell_sources(indptr: IntArray, start: int, stop: int, shift: int, low: NDArray[np.uint16]) -> None:
    """Write the low bits of the source of each edge of some rows.

    Parameters
    ----------
    indptr : int32 or int64 [n + 1]
        Row starts.
    start, stop : int
        The vertices ``start..stop-1`` to work on.
    shift : int
        The number of bits.
    low : uint16 [m]
        Overwritten for the edges of these vertices.
    """
    mask = (1 << shift) - 1
    for v in range(start, stop):
        for e in range(indptr[u64(v)], indptr[u64(v + 1)]):
            low[u64(e)] = v & mask


def sort_buckets(
    low: NDArray[np.uint16], dealt: IntArray, starts: IntArray, stops: IntArray, begins: IntArray,
    first: int, last: int, shift: int, indptr: IntArray, rows: IntArray,
) -> None:  # fmt: skip
    """Sort buckets into rows, each by a counting sort that fits the second-level cache.

    Parameters
    ----------
    low, dealt : uint16 [k], uint32 or uint64 [k]
        The low bits of the vertex to sort by, and the other one.
    starts, stops : int64 [buckets]
        Where each bucket is in these arrays.
    begins : int64 [buckets]
        Where the rows of each bucket begin.
    first, last : int
        The buckets ``first..last-1`` to sort.
    shift : int
        A bucket has ``2 ** shift`` vertices.
    indptr, rows : int32 or int64 [n + 1], uint32 or uint64 [m]
        Overwritten with the rows of these buckets.
    """
    n = len(indptr) - 1
    size = 1 << shift
    cursor = np.empty(size, indptr.dtype)
    for b in range(first, last):
        cursor[:] = 0
        for i in range(starts[b], stops[b]):
            cursor[u64(low[u64(i)])] += 1
        place = begins[b]
        base = b * size
        for k in range(min(size, n - base)):
            count = cursor[u64(k)]
            cursor[u64(k)] = place
            indptr[u64(base + k)] = place
            place += count
        for i in range(starts[b], stops[b]):
            v = u64(low[u64(i)])
            to = cursor[v]
            cursor[v] = to + 1
            rows[u64(to)] = dealt[u64(i)]

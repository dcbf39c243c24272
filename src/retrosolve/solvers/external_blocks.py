"""Edges larger than memory: blocks of rows of predecessors, in memory as far as it goes.

Edges are read once, a chunk at a time. A chunk is dealt into buckets by target (``kernels.partition``)
and written in one piece. A block is a run of buckets; it is read from all chunks when it is first
needed, sorted into rows, and kept as rows from then on. Later it is written anew without the rows and
the edges that no longer matter, and so moves into memory as it shrinks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np

from retrosolve.arrays import ByteArray, IntArray, index_dtype, read_only
from retrosolve.compilation import jit
from retrosolve.csr.build import RadixLayout
from retrosolve.kernels import external, partition
from retrosolve.runtime import tuning
from retrosolve.runtime.prefetch import prefetched
from retrosolve.runtime.spill import Spill, Stored
from retrosolve.runtime.threads import ThreadPool

T = TypeVar("T")

INPUT_BYTES = 72  # of each edge of a chunk: three chunks as read, one as columns, two dealt
BLOCK_BYTES = 36  # of each edge of a block: three blocks dealt, one sorted and its copy


class Rows(NamedTuple):
    """The rows of a block, or some of them, and the entries of the frontier whose rows they are.

    Parameters
    ----------
    rindptr, rindices : int32 [rows + 1], int32 or int64 [edges]
    entries : int32 or int64 [k]
        As in ``kernels.open_moves``, counted from the first row.
    whole : bool
        Whether these are all rows of the block.
    """

    rindptr: IntArray
    rindices: IntArray
    entries: IntArray
    whole: bool = True


class Piece(NamedTuple):
    """Buckets of a chunk: records and low bits as dealt, and where each bucket begins."""

    dealt: IntArray
    low: IntArray
    bounds: IntArray


@dataclass
class Block:
    """The edges that lead to a range of vertices, or a part of them.

    Parameters
    ----------
    start, stop : int
        The vertices.
    edges : int
        The number of edges.
    chunks : sequence of int
        The chunks that the edges are in until they are sorted.
    rows : Stored or None
        The rows, ``rindptr`` and ``rindices``, once they are.
    consumed : int
        The edges in rows of vertices that have notified their predecessors since.
    open_share : float
        The share of the vertices open at first that were undecided when the rows were written.
    """

    start: int
    stop: int
    edges: int
    chunks: Sequence[int]
    rows: Stored | None = None
    consumed: int = 0
    open_share: float = 1.0

    @property
    def left(self) -> int:
        """The largest number of edges that still matter."""
        return self.edges - self.consumed


class Dealt:
    """The edges of a space, dealt by target.

    Parameters
    ----------
    num_vertices, num_edges : int
    spill : Spill
    pool : ThreadPool
    degrees : int32 or int64 [num_vertices] or [0]
        The number of edges out of each vertex is added to it; empty if it is known.
    """

    def __init__(
        self, num_vertices: int, num_edges: int, spill: Spill, pool: ThreadPool, degrees: IntArray
    ) -> None:
        self.num_vertices = num_vertices
        self.num_edges = num_edges
        self.layout = RadixLayout.of(num_vertices)
        self.num_buckets = (max(num_vertices - 1, 0) >> self.layout.shift) + 1
        self.spill = spill
        self.pool = pool
        self.degrees = degrees
        self.chunks: list[Stored] = []
        self.bounds: list[IntArray] = []

    def add(self, source: IntArray, target: IntArray) -> tuple[IntArray, IntArray]:
        """Deal some edges; return what is to be kept of them."""
        size, threads = len(source), self.pool.threads
        cuts = self.pool.chunks(size, threads)
        ends = np.empty((2, size), index_dtype(self.num_vertices))
        counts = np.zeros((threads, self.num_buckets), np.int64)
        shift = self.layout.shift
        columns = read_only(ends[0]), read_only(ends[1])
        work = self.num_vertices + self.num_edges
        count, deal = jit.chosen(partition.count_edges, work), jit.chosen(partition.deal_edges, work)
        degree = jit.chosen(external.count_sources, work)
        ranges = self.pool.chunks(len(self.degrees), threads)

        def copy(i: int) -> None:
            part = slice(cuts[i], cuts[i + 1])
            ends[0, part], ends[1, part] = source[part], target[part]
            count(columns[1], cuts[i], cuts[i + 1], shift, counts[i])

        self.pool.map(copy, threads)
        bounds = np.zeros(self.num_buckets + 1, np.int64)
        np.cumsum(counts.sum(axis=0), out=bounds[1:])
        cursor = bounds[:-1] + np.cumsum(counts, axis=0) - counts
        dealt = np.empty(size, f"u{ends.itemsize}")
        low = np.empty(size if self.layout.low_bytes else 0, self._low_dtype)
        record = dealt, low, self.layout.bits, self.layout.fitting

        def distribute(i: int) -> None:
            deal(columns[1], columns[0], cuts[i], cuts[i + 1], shift, cursor[i], *record)
            degree(columns[0], ranges[i], self.degrees[ranges[i] : ranges[i + 1]])

        self.pool.map(distribute, threads)
        self.bounds.append(bounds)
        return dealt, low

    def keep(self, arrays: tuple[IntArray, IntArray]) -> None:
        """Keep a dealt chunk."""
        self.chunks.append(self.spill.keep(*arrays))

    @property
    def _low_dtype(self) -> type[np.unsignedinteger]:
        return np.uint16 if self.layout.low_bytes == 2 else np.uint8

    def blocks(self, max_edges: int) -> list[Block]:
        """Return the edges in blocks of at most ``max_edges``, or of one bucket of one chunk."""
        if not self.bounds:
            return []
        sizes = np.diff(self.bounds, axis=1)
        found: list[Block] = []
        first, edges = 0, 0
        for bucket, count in enumerate([*sizes.sum(axis=0).tolist(), max_edges + 1]):
            if first < bucket and edges + count > max_edges:
                found += self._runs(first, bucket, sizes, max_edges)
                first, edges = bucket, 0
            edges += count
        return found

    def _runs(self, first: int, last: int, sizes: IntArray, max_edges: int) -> Iterator[Block]:
        """Yield some buckets as one block, or several, each from some of the chunks."""
        shift = self.layout.shift
        start, stop = first << shift, min(last << shift, self.num_vertices)
        chunks: list[int] = []
        edges = 0
        for chunk, count in enumerate(sizes[:, first:last].sum(axis=1).tolist()):
            if edges and edges + count > max_edges:
                yield Block(start, stop, edges, chunks)
                chunks, edges = [], 0
            if count:
                chunks.append(chunk)
                edges += count
        if edges:
            yield Block(start, stop, edges, chunks)

    def fetch(self, block: Block) -> list[Piece]:
        """Read what the chunks have of a block."""
        first, last = self._buckets(block)
        found = []
        for chunk in block.chunks:
            bounds = self.bounds[chunk][first : last + 1]
            begin, end = int(bounds[0]), int(bounds[-1])
            low = (
                self.chunks[chunk].read(1, begin, end)
                if self.layout.low_bytes
                else np.zeros(0, np.uint8)
            )
            found.append(Piece(self.chunks[chunk].read(0, begin, end), low, bounds - begin))
        return found

    def in_memory(self, block: Block) -> bool:
        """Return whether the edges of a block are in memory, as rows or as dealt."""
        if block.rows is not None:
            return block.rows.in_memory
        return all(self.chunks[chunk].in_memory for chunk in block.chunks)

    def _buckets(self, block: Block) -> tuple[int, int]:
        """Return the first bucket of a block and the one after its last."""
        shift = self.layout.shift
        return block.start >> shift, ((block.stop - 1) >> shift) + 1

    def sort(self, block: Block, pieces: list[Piece], entries: IntArray) -> Rows:
        """Return a block as rows, for some entries of a frontier."""
        layout = self.layout
        bounds = np.zeros(len(pieces[0].bounds), np.int64)
        for piece in pieces:
            bounds += piece.bounds
        dealt = np.empty(block.edges, pieces[0].dealt.dtype)
        low = np.empty(block.edges if layout.low_bytes else 0, self._low_dtype)

        def gather(first: int, last: int) -> None:
            for bucket in range(first, last):
                place = int(bounds[bucket])
                for piece in pieces:
                    begin, end = int(piece.bounds[bucket]), int(piece.bounds[bucket + 1])
                    dealt[place : place + end - begin] = piece.dealt[begin:end]
                    if layout.low_bytes:
                        low[place : place + end - begin] = piece.low[begin:end]
                    place += end - begin

        rindptr: IntArray = np.empty(block.stop - block.start + 1, np.int32)
        rindptr[-1] = block.edges
        sort = jit.chosen(partition.sort_buckets, self.num_vertices + self.num_edges)
        record = dealt, low, layout.bits, layout.fitting

        def work(first: int, last: int) -> None:
            gather(first, last)
            sort(bounds, first, last, layout.shift, *record, rindptr)

        cuts = np.searchsorted(bounds, np.linspace(0, block.edges, 4 * self.pool.threads + 1)[1:-1])
        last = len(bounds) - 1
        self.pool.map_ranges(work, [0, *np.minimum(cuts, last).tolist(), last])
        rindices: IntArray = dealt.view(index_dtype(self.num_vertices))
        return Rows(rindptr, rindices, counted_from(block.start, entries))

    def drop(self) -> None:
        """Free the chunks."""
        for chunk in self.chunks:
            chunk.drop()
        self.chunks, self.bounds = [], []


def live_rows(
    rows: tuple[IntArray, IntArray],
    first: int,
    value: ByteArray,
    keep_ties: bool,
    state: IntArray,
    pool: ThreadPool,
) -> tuple[IntArray, IntArray]:
    """Return the rows and edges of a block that still matter.

    Parameters
    ----------
    rows : rindptr, rindices
        Not to be used afterwards.
    first : int
        The first vertex of the block.
    value, keep_ties, state
        See ``kernels.external.drop_dead``.
    pool : ThreadPool
    """
    rindptr, rindices = rows
    if not rindices.flags.writeable:
        rindices = rindices.copy()
    lengths = np.empty(len(rindptr) - 1, rindptr.dtype)
    kernel = jit.chosen(external.drop_dead, len(value))
    cuts = pool.chunks(len(lengths))
    ends = pool.map_ranges(
        lambda start, stop: kernel(
            rindptr, rindices, first, value, keep_ties, state, lengths, start, stop
        ),
        cuts,
    )
    kept = [
        rindices[rindptr[start] : end] for (start, _), end in zip(pairwise(cuts), ends, strict=True)
    ]
    found = np.zeros_like(rindptr)
    np.cumsum(lengths, out=found[1:])
    return found, np.concatenate(kept)


def fetch_rows(block: Block, entries: IntArray) -> Rows:
    """Return the rows of some entries of a frontier, or the whole block where that is faster to read.

    Parameters
    ----------
    block : Block
        A block that is kept as rows.
    entries : int32 or int64 [k]
        Of vertices of the block, ascending.
    """
    assert block.rows is not None
    local = counted_from(block.start, entries)
    if block.rows.in_memory or len(entries) * tuning.current().row_read_cost >= block.rows.num_bytes:
        return Rows(block.rows.read(0), block.rows.read(1), local)
    lengths, found = [0], []
    for row in (local >> 1).tolist():
        begin, end = block.rows.read(0, row, row + 2).tolist()
        found.append(block.rows.read(1, begin, end))
        lengths.append(end - begin)
    rindptr = np.cumsum(lengths).astype(np.int32)
    numbered = 2 * np.arange(len(local)) + (local & 1)
    return Rows(rindptr, np.concatenate(found), numbered.astype(entries.dtype), False)


def counted_from(start: int, entries: IntArray) -> IntArray:
    """Return entries of vertices, counted from the first vertex of a block."""
    return entries - np.asarray(2 * start, entries.dtype)


def fetched(
    blocks: Sequence[tuple[Block, IntArray]], fetch: Callable[[Block, IntArray], T]
) -> Iterator[tuple[Block, IntArray, T]]:
    """Yield blocks with what is read for them, the next of which another thread reads meanwhile."""
    on_disk = not all(block.rows is not None and block.rows.in_memory for block, _ in blocks)
    found = ((block, entries, fetch(block, entries)) for block, entries in blocks)
    return prefetched(found) if on_disk else found

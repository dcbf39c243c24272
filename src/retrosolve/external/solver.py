"""Retrograde analysis of edges on disk: what is kept for each vertex is in memory, the edges are not.

The algorithm is that of ``solvers.worklist``, level by level, as in ``csr.propagation``: a decided
vertex notifies its predecessors, whose open moves are counted down.

Edges are read once, a chunk at a time. A chunk is dealt into buckets by target (``csr.partition``)
and written in one piece. A block is a run of buckets; it is read from all chunks when it is first
needed, sorted into rows of predecessors, and stays as rows from then on. A wide level reads the blocks
that it has vertices in one after the other; a narrow one only the rows of its vertices. Once the rest
fits in memory and levels are narrow, it is run there to its end, so that a long thin tail costs nothing
on disk.

Each edge is used once, when its target is decided. Blocks are written anew as they shrink, without the
rows and the edges that no longer matter, so what a pass reads is at most a constant factor more than
what it uses, and blocks move into memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np

from retrosolve.arrays import ByteArray, IntArray, index_bytes, index_dtype, read_only, row_bounds
from retrosolve.compilation import jit
from retrosolve.compilation.unsigned import u64
from retrosolve.external.files import prefetched, reading_bytes
from retrosolve.external.scratch import Spill, Stored
from retrosolve.runtime import memory, tuning
from retrosolve.runtime.context import NO_CHECKPOINT, Context, Facts, Progress, Snapshot
from retrosolve.runtime.threads import ThreadPool
from retrosolve.spaces.base import EdgeBlockSpace
from retrosolve.spaces.csr import partition
from retrosolve.spaces.csr.open_moves import state_dtype
from retrosolve.spaces.csr.propagation import Propagation, SharedLevels, queue_shape
from retrosolve.tables import ArrayTable
from retrosolve.tables.result import DiskPlan, DiskUse, SolveResult, Statistics
from retrosolve.values import DRAW, LOSS, TIE, WIN, Value

T = TypeVar("T")

INPUT_BYTES = 72  # of each edge of a chunk: three chunks as read, one as columns, two dealt
BLOCK_BYTES = 36  # of each edge of a block: three blocks dealt, one sorted and its copy
SHARE_USED = 3 / 4  # of the free memory, without a budget
SHARE_SPARE = 4 / 5  # of what is left of a budget: the rest is for readers, and holes between arrays
VERTICES_AT_ONCE = 1 << 20
MAX_SHIFT = 16  # the rest of a key has to fit two bytes
LEVELS = "levels of edges on disk"  # what is saved in snapshots


def vertex_bytes(num_vertices: int) -> int:
    """Return the most bytes for each vertex: state, value, remoteness and the frontier."""
    entry, index = queue_shape(num_vertices)[1](0).itemsize, index_dtype(num_vertices)(0).itemsize
    return 1 + index + 4 + 3 * entry


def workspace(num_vertices: int, num_edges: int) -> int:
    """Return the bytes that a solve takes at least, the result included."""
    tuned = tuning.current()
    least = min(tuned.min_edges_per_chunk, num_edges)
    bins = tuned.edges_per_round * queue_shape(num_vertices)[1](0).itemsize
    scratch = INPUT_BYTES * least + min(bins, 64 * num_edges)
    return vertex_bytes(num_vertices) * num_vertices + scratch + reading_bytes(num_edges)


def disk_bytes(num_vertices: int, num_edges: int) -> int:
    """Return the most bytes on disk at a time: all edges dealt, and all of them as rows."""
    vertex = index_dtype(num_vertices)(0).itemsize
    return num_edges * (2 * vertex + 2) + 4 * num_vertices


def disk_plan(space: EdgeBlockSpace, num_edges: int, budget: int | None) -> DiskPlan:
    """Estimate what a solve reads and writes at least, with a budget in bytes."""
    n = space.num_vertices
    sizes = sizes_within(budget or default_budget(), n, num_edges)
    spilled = max(0, disk_bytes(n, num_edges) - sizes.resident)
    passes = 1.0 if spilled == 0 else 3.0
    return DiskPlan(vertex_bytes(n), passes, space.num_bytes + spilled, spilled)


def default_budget() -> int:
    """Return the bytes that a solve without a budget may use."""
    return int(SHARE_USED * memory.available())


def sizes_within(budget: int, num_vertices: int, num_edges: int) -> Sizes:
    """Return how a budget in bytes is used."""
    tuned = tuning.current()
    spare = int(SHARE_SPARE * max(0, budget - workspace(num_vertices, num_edges)))
    chunk = min(tuned.max_edges_per_chunk, spare // (4 * INPUT_BYTES))
    chunk = max(1, min(max(chunk, tuned.min_edges_per_chunk), num_edges))
    least = min(tuned.min_edges_per_chunk, num_edges)
    resident = max(0, spare - INPUT_BYTES * (chunk - least))
    return Sizes(chunk, max(1, chunk * INPUT_BYTES // BLOCK_BYTES), resident)


def solve(space: EdgeBlockSpace, stuck: Value, context: Context) -> SolveResult:
    """Solve a graph whose edges are on disk.

    Parameters
    ----------
    space : EdgeBlockSpace
    stuck : Value
        The value of a vertex without edges, for the player to move.
    context : Context

    Returns
    -------
    SolveResult
        With a table of arrays.

    Raises
    ------
    FormatError
        For a damaged file of edges.
    StoreError
        If the disk is too small, or becomes full.
    """
    n, m = space.num_vertices, space.num_edges
    budget = context.memory_left or default_budget()
    sizes = sizes_within(budget, n, m)
    needed = max(0, disk_bytes(n, m) - sizes.resident)
    with (
        Spill(sizes.resident, space.scratch, needed) as spill,
        ThreadPool(context.threads, n + m) as pool,
        ThreadPoolExecutor(1) as writer,
    ):
        spill.file.check_disk()
        solving = ExternalPropagation(space, stuck, context, sizes, spill, pool, writer)
        solving.run()
        use = DiskUse(solving.passes(), space.num_bytes + spill.bytes_read, spill.bytes_written)
    table = ArrayTable(solving.value, solving.remoteness)
    del solving
    memory.give_back()  # else the next one adds what it takes to what this one has freed
    return SolveResult(table, Statistics(m, use))


class Sizes(NamedTuple):
    """How the memory beyond the state of the vertices is used.

    Parameters
    ----------
    chunk, block : int
        The edges of a chunk, and of a block at most.
    resident : int
        The bytes of edges that stay in memory.
    """

    chunk: int
    block: int
    resident: int


class ExternalPropagation:
    """The state of a solve.

    A snapshot is taken between two levels and holds what belongs to vertices only. A solve that goes on
    from it reads all edges once more and drops those that have been used.

    Parameters
    ----------
    space : EdgeBlockSpace
    stuck : Value
        The value of a vertex without edges.
    context : Context
    sizes : Sizes
    spill : Spill
        Where edges are kept.
    pool : ThreadPool
    writer : ThreadPoolExecutor
        A thread that writes while this one goes on.

    Attributes
    ----------
    value, remoteness : uint8 [n], int32 or int64 [n]
        The result.
    """

    def __init__(
        self, space: EdgeBlockSpace, stuck: Value, context: Context, sizes: Sizes, spill: Spill,
        pool: ThreadPool, writer: ThreadPoolExecutor,
    ) -> None:  # fmt: skip
        self.progress, self.checkpoint, self.sizes = context.progress, context.checkpoint, sizes
        self.spill, self.pool, self.writer = spill, pool, writer
        self.writing: Future[None] | None = None
        self.num_vertices: int = space.num_vertices
        self.owner: ByteArray | None = space.owner
        self.alternating = 1 if space.owner is None else 0
        self.num_edges: int = space.num_edges
        self.value: ByteArray = np.zeros(0, np.uint8)
        self.remoteness: IntArray = np.zeros(0, np.int32)
        self.blocks_read = 0
        self.snapshot = context.checkpoint.resumed(LEVELS)
        counted = self.num_vertices if self.snapshot is None else 0
        degrees = np.zeros(counted, index_dtype(space.num_edges))
        self.dealt = Dealt(self.num_vertices, self.num_edges, spill, pool, degrees)
        self._read(space)
        self.blocks = self.dealt.blocks(sizes.block)
        self.num_blocks = len(self.blocks)
        if self.snapshot is None:
            self._initialise(space, stuck)
        else:
            self._restore(self.snapshot)
        self.entry = np.dtype(queue_shape(self.num_vertices)[1])
        self.levels = SharedLevels(
            self.state, self.value, self.remoteness, self.alternating, self.entry, pool,
            self.num_edges, partial(jit.chosen, work=self.num_vertices + self.num_edges),
        )  # fmt: skip

    def passes(self) -> float:
        """Return how many times all edges have been read, the files and the blocks."""
        return 1 + self.blocks_read / max(self.num_blocks, 1)

    def _read(self, space: EdgeBlockSpace) -> None:
        """Deal all edges, and count those out of each vertex."""
        done = 0
        for source, target in space.edge_blocks(self.sizes.chunk):
            arrays = self.dealt.add(source, target)
            self._write(partial(self.dealt.keep, arrays))
            done += len(source)
            self.progress(Progress("initialisation", done, self.num_edges))
        self._wait()

    def _write(self, work: Callable[[], None]) -> None:
        """Let the other thread begin some work, once it has done the work before."""
        self._wait()
        self.writing = self.writer.submit(work)

    def _wait(self) -> None:
        """Wait for what the other thread has begun. Raises what that has raised."""
        if self.writing is not None:
            self.writing.result()

    def _initialise(self, space: EdgeBlockSpace, stuck: Value) -> None:
        """Decide terminal and stuck vertices."""
        n, degrees = self.num_vertices, self.dealt.degrees
        largest = int(degrees.max(initial=0))
        self.value = np.zeros(n, np.uint8)
        self.remoteness = np.empty(n, index_dtype(n))
        self.state: IntArray = np.empty(n, state_dtype(largest, largest))

        def work(start: int, stop: int) -> None:
            part = slice(start, stop)
            value = np.array(space.terminal(start, stop))
            value[(degrees[part] == 0) & (value == 0)] = int(stuck)
            self.value[part] = value
            self.remoteness[part] = np.where(value == 0, -1, 0)
            state = np.where(value == 0, 2 * degrees[part], 0)
            self.state[part] = state if self.owner is None else state | (self.owner[part] == 0)

        self.pool.map_ranges(work, [*range(0, n, VERTICES_AT_ONCE), n])
        self.dealt.degrees = np.zeros(0, degrees.dtype)
        self.undecided = self.num_open = int(np.count_nonzero(self.value == 0))

    def _restore(self, snapshot: Snapshot) -> None:
        """Take the state of the vertices from a snapshot."""
        self.value, self.remoteness = snapshot.array("value"), snapshot.array("remoteness")
        self.state = snapshot.array("state")
        self.undecided = int(np.count_nonzero(self.value == 0))
        self.num_open = int(snapshot.facts["open"])

    def _save(self, front: IntArray, ties: bool, level: int) -> None:
        """Save a snapshot."""
        arrays = {"value": self.value, "remoteness": self.remoteness, "state": self.state}
        facts: Facts = {"stage": LEVELS, "ties": int(ties), "level": level, "open": self.num_open}
        self.checkpoint.save(facts, arrays | {"front": front})

    def _seeds(self, ties: bool) -> IntArray:
        """Return the entries of the vertices that are decided with remoteness 0, ascending."""
        parts = [np.zeros(0, self.entry)]
        for start in range(0, self.num_vertices, VERTICES_AT_ONCE):
            value = self.value[start : start + VERTICES_AT_ONCE]
            remoteness = self.remoteness[start : start + VERTICES_AT_ONCE]
            chosen = (value == TIE) if ties else (value == WIN) | (value == LOSS)
            at = np.flatnonzero(chosen & (remoteness == 0))
            side = (value[at] == WIN).astype(self.entry)
            if self.owner is not None:
                side ^= self.owner[start + at]
            parts.append((2 * (start + at) + side).astype(self.entry))
        return np.concatenate(parts)

    def run(self) -> None:
        """Decide every vertex."""
        facts: Any = {"ties": 0} if self.snapshot is None else self.snapshot.facts
        for ties in (False, True)[facts["ties"] :]:
            front, level = self._seeds(ties), 0
            if self.snapshot is not None:
                front, level = self.snapshot.array("front"), facts["level"]
                self.snapshot = None
            while len(front):
                if self.checkpoint.due():
                    self._save(front, ties, level)
                if self._fits(front):
                    self._run_in_memory(front, ties, level)
                    return
                front, level = self._advance(front, ties, level), level + 1
                self.undecided -= len(front)
                done = self.num_vertices - self.undecided
                self.progress(Progress("solving", done, self.num_vertices))

    # -- a level ------------------------------------------------------------------------------

    def _advance(self, front: IntArray, ties: bool, level: int) -> IntArray:
        """Notify the predecessors of a level; return the entries of the next one, ascending."""
        visited = []
        for block in self.blocks:
            bounds = np.array([2 * block.start, 2 * block.stop], front.dtype)
            begin, end = np.searchsorted(front, bounds).tolist()
            if begin < end or block.rows is None:
                visited.append((block, front[begin:end]))
        for block, entries, read in fetched(visited, self._fetch):
            rows = read if isinstance(read, Rows) else self.dealt.sort(block, read, entries)
            del read
            self.blocks_read += rows.whole and not self.dealt.in_memory(block)
            self.levels.notify(rows.rindptr, rows.rindices, rows.entries, ties)
            at = rows.entries >> 1
            block.consumed += int((rows.rindptr[at + 1] - rows.rindptr[at]).sum(dtype=np.int64))
            self._store(block, rows, ties)
        self._wait()
        self.dealt.drop()
        return self._commit(ties, level + 1)

    def _fetch(self, block: Block, entries: IntArray) -> Rows | list[Piece]:
        """Read what a level needs of a block; all that was dealt of it if that is not sorted yet."""
        return self.dealt.fetch(block) if block.rows is None else fetch_rows(block, entries)

    def _commit(self, ties: bool, level: int) -> IntArray:
        """Write the values and the remoteness of the next level; return its entries, ascending."""
        front = np.empty(self.levels.num_decided(), self.entry)
        counts = self.levels.commit(ties, level, front, 0)
        ends = np.cumsum(counts)
        for r in np.flatnonzero(counts > 1).tolist():
            front[ends[r] - counts[r] : ends[r]].sort()
        return front

    def _store(self, block: Block, rows: Rows, ties: bool) -> None:
        """Keep a block that was sorted, or one that has shrunk, without what no longer matters."""
        share = self.undecided / max(self.num_open, 1)
        shrunk = block.remaining * share < tuning.current().live_share * block.edges * block.open_share
        if not rows.whole or not (shrunk or block.rows is None):
            return
        live = rows.rindptr, rows.rindices
        if shrunk:
            live = live_rows(live, block.start, self.value, not ties, self.state, self.pool)

        def write() -> None:
            block.rows = self.spill.keep(*live, instead=block.rows)

        block.edges, block.consumed, block.open_share = len(live[1]), 0, share
        self._write(write)

    # -- the rest, in memory ------------------------------------------------------------------

    def _fits(self, front: IntArray) -> bool:
        """Return whether levels are narrow and what is left of the edges fits in memory."""
        if len(front) > tuning.current().max_serial_width or any(b.rows is None for b in self.blocks):
            return False
        edges = sum(block.remaining for block in self.blocks)
        return edges * index_dtype(self.num_vertices)(0).itemsize <= self.sizes.resident

    def _run_in_memory(self, front: IntArray, ties: bool, level: int) -> None:
        """Run the level of ``front`` and all that follow, from rows of all vertices."""
        n = self.num_vertices
        del self.levels
        rindptr, rindices = self._gathered(front, ties)
        queue = np.empty(*queue_shape(n))
        propagation = Propagation(
            rindptr, rindices, self.owner is not None, self.state, self.value, self.remoteness, queue,
            self.pool, self.progress, tuning.current().max_serial_width, NO_CHECKPOINT, {},
        )  # fmt: skip
        queue[: len(front)] = front
        propagation.run(len(front), ties, level)
        if not ties:
            front = self._seeds(True)
            queue[: len(front)] = front
            propagation.run(len(front), True, 0)

    def _gathered(self, front: IntArray, ties: bool) -> tuple[IntArray, IntArray]:
        """Return the remaining edges of all blocks as rows of predecessors."""
        decided = self.value[front >> 1]
        self.value[front >> 1] = 0  # their rows still matter
        lengths = np.zeros(self.num_vertices + 1, np.int64)
        whole = [(block, np.arange(2 * block.start, 2 * block.stop, 2)) for block in self.blocks]
        for block, _, rows in fetched(whole, fetch_rows):
            assert block.rows is not None
            live = live_rows(rows[:2], block.start, self.value, not ties, self.state, self.pool)
            block.rows = self.spill.keep(*live, instead=block.rows)
            lengths[block.start + 1 : block.stop + 1] += np.diff(live[0])
        self.value[front >> 1] = decided
        np.cumsum(lengths, out=lengths)
        edges = int(lengths[-1])
        cursor: IntArray = lengths.astype(index_dtype(edges))
        del lengths
        rindices: IntArray = np.empty(edges, index_dtype(self.num_vertices))
        append = jit.chosen(append_rows, self.num_vertices + self.num_edges)
        for block in self.blocks:
            assert block.rows is not None
            work = partial(append, *block.rows.read_all(), block.start, cursor, rindices)
            self.pool.map_ranges(work, self.pool.chunks(block.stop - block.start))
            del work
            block.rows.drop()
        cursor[1:] = cursor[:-1].copy()
        cursor[:1] = 0
        self.blocks = []
        return cursor, rindices


class Rows(NamedTuple):
    """The rows of a block, or some of them, and the entries of the frontier whose rows they are.

    Parameters
    ----------
    rindptr, rindices : int32 [rows + 1], int32 or int64 [edges]
    entries : int32 or int64 [k]
        As in ``csr.open_moves``, counted from the first row.
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
    def remaining(self) -> int:
        """The largest number of edges that still matter."""
        return self.edges - self.consumed


class RadixLayout(NamedTuple):
    """The layout of a radix partition of edges; see ``csr.partition``.

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
        self.low_dtype = np.uint16 if self.layout.low_bytes == 2 else np.uint8
        self.num_buckets = (max(num_vertices - 1, 0) >> self.layout.shift) + 1
        self.spill = spill
        self.pool = pool
        self.degrees = degrees
        self.chunks: list[Stored] = []
        self.bounds: list[IntArray] = []

    def add(self, source: IntArray, target: IntArray) -> tuple[IntArray, IntArray]:
        """Deal some edges; return what is to be kept of them."""
        size, parts = len(source), self.pool.threads
        cuts = self.pool.chunks(size, parts)
        ends = np.empty((2, size), index_dtype(self.num_vertices))
        counts = np.zeros((parts, self.num_buckets), np.int64)
        shift = self.layout.shift
        columns = read_only(ends[0]), read_only(ends[1])
        work = self.num_vertices + self.num_edges
        count, deal = jit.chosen(partition.count_edges, work), jit.chosen(partition.deal_edges, work)

        def copy(i: int) -> None:
            part = slice(cuts[i], cuts[i + 1])
            ends[0, part], ends[1, part] = source[part], target[part]
            count(columns[1], cuts[i], cuts[i + 1], shift, counts[i])

        self.pool.map(copy, parts)
        bounds = row_bounds(counts.sum(axis=0))
        cursor = bounds[:-1] + np.cumsum(counts, axis=0) - counts
        dealt = np.empty(size, f"u{ends.itemsize}")
        low: IntArray = np.empty(size if self.layout.low_bytes else 0, self.low_dtype)
        record = dealt, low, self.layout.bits, self.layout.fitting

        def distribute(i: int) -> None:
            if i < parts:
                deal(columns[1], columns[0], cuts[i], cuts[i + 1], shift, cursor[i], *record)
            elif len(self.degrees):
                count(columns[0], 0, size, 0, self.degrees)

        self.pool.map(distribute, parts + 1)
        self.bounds.append(bounds)
        return dealt, low

    def keep(self, arrays: tuple[IntArray, IntArray]) -> None:
        """Keep a dealt chunk."""
        self.chunks.append(self.spill.keep(*arrays))

    def blocks(self, max_edges: int) -> list[Block]:
        """Return the edges in blocks of at most ``max_edges``, or of one bucket of one chunk."""
        if not self.bounds:
            return []
        sizes = np.diff(self.bounds, axis=1)
        blocks: list[Block] = []
        first, edges = 0, 0
        for bucket, count in enumerate([*sizes.sum(axis=0).tolist(), max_edges + 1]):
            if first < bucket and edges + count > max_edges:
                blocks += self._runs(first, bucket, sizes, max_edges)
                first, edges = bucket, 0
            edges += count
        return blocks

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
        shift, has_low = self.layout.shift, self.layout.low_bytes > 0
        first, last = block.start >> shift, ((block.stop - 1) >> shift) + 1
        pieces = []
        for chunk in block.chunks:
            bounds = self.bounds[chunk][first : last + 1]
            begin, end = int(bounds[0]), int(bounds[-1])
            low = self.chunks[chunk].read(1, begin * has_low, end * has_low)
            pieces.append(Piece(self.chunks[chunk].read(0, begin, end), low, bounds - begin))
        return pieces

    def in_memory(self, block: Block) -> bool:
        """Return whether the edges of a block are in memory, as rows or as dealt."""
        if block.rows is not None:
            return block.rows.in_memory
        return all(self.chunks[chunk].in_memory for chunk in block.chunks)

    def sort(self, block: Block, pieces: list[Piece], entries: IntArray) -> Rows:
        """Return a block as rows, for some entries of a frontier."""
        layout = self.layout
        bounds = np.sum([piece.bounds for piece in pieces], axis=0)
        dealt = np.empty(block.edges, pieces[0].dealt.dtype)
        low = np.empty(block.edges if layout.low_bytes else 0, self.low_dtype)

        def gather(first: int, last: int) -> None:
            for bucket in range(first, last):
                place = int(bounds[bucket])
                for piece in pieces:
                    begin, end = int(piece.bounds[bucket]), int(piece.bounds[bucket + 1])
                    dealt[place : place + end - begin] = piece.dealt[begin:end]
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
        See ``drop_dead``.
    pool : ThreadPool
    """
    rindptr, rindices = rows
    if not rindices.flags.writeable:
        rindices = rindices.copy()
    lengths = np.empty(len(rindptr) - 1, rindptr.dtype)
    kernel = jit.chosen(drop_dead, len(value))
    cuts = pool.chunks(len(lengths))
    ends = pool.map_ranges(
        lambda start, stop: kernel(
            rindptr, rindices, first, value, keep_ties, state, lengths, start, stop
        ),
        cuts,
    )
    parts = [
        rindices[rindptr[start] : end] for (start, _), end in zip(pairwise(cuts), ends, strict=True)
    ]
    return row_bounds(lengths, rindptr.dtype), np.concatenate(parts)


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
    lengths, rows_read = [0], []
    for row in (local >> 1).tolist():
        begin, end = block.rows.read(0, row, row + 2).tolist()
        rows_read.append(block.rows.read(1, begin, end))
        lengths.append(end - begin)
    rindptr = np.cumsum(lengths).astype(np.int32)
    numbered = 2 * np.arange(len(local)) + (local & 1)
    return Rows(rindptr, np.concatenate(rows_read), numbered.astype(entries.dtype), False)


def counted_from(start: int, entries: IntArray) -> IntArray:
    """Return entries of vertices, counted from the first vertex of a block."""
    return entries - np.asarray(2 * start, entries.dtype)


def fetched(
    blocks: Sequence[tuple[Block, IntArray]], fetch: Callable[[Block, IntArray], T]
) -> Iterator[tuple[Block, IntArray, T]]:
    """Yield blocks with what is read for them, the next of which another thread reads meanwhile."""
    on_disk = not all(block.rows is not None and block.rows.in_memory for block, _ in blocks)
    items = ((block, entries, fetch(block, entries)) for block, entries in blocks)
    return prefetched(items) if on_disk else items


# -- kernels --------------------------------------------------------------------------------------
#
# A block has rows of predecessors: row ``w - first`` holds the sources of the edges that lead to
# vertex ``w``. A row matters until its vertex has notified its predecessors, and an edge until its
# source is decided.


def drop_dead(
    rindptr: IntArray, rindices: IntArray, first: int, value: ByteArray, keep_ties: bool,
    state: IntArray, lengths: IntArray, start: int, stop: int,
) -> int:  # fmt: skip
    """Move the edges that still matter to the beginning of a range of rows.

    Parameters
    ----------
    rindptr, rindices : int32 or int64 [rows + 1], [m]
        The rows of a block; ``rindices`` is changed in place.
    first : int
        The vertex of row 0.
    value : uint8 [n]
        Rows of vertices with a value are dropped.
    keep_ties : bool
        Whether rows of vertices with a TIE are kept nevertheless.
    state : uint8, int32 or int64 [n]
        See ``csr.open_moves``. Edges out of decided vertices are dropped.
    lengths : int32 or int64 [rows]
        Overwritten with the edges left in each row.
    start, stop : int
        The rows ``start..stop-1`` to work on.

    Returns
    -------
    int
        Where the edges of these rows end; they begin at ``rindptr[start]``.
    """
    place: int = rindptr[start]
    for r in range(start, stop):
        begin = place
        code = value[u64(first + r)]
        if code == DRAW or (keep_ties and code == TIE):
            for e in range(rindptr[u64(r)], rindptr[u64(r + 1)]):
                v = rindices[u64(e)]
                rindices[u64(place)] = v
                place += 1 if state[u64(v)] >= 2 else 0
        lengths[u64(r)] = place - begin
    return place


def append_rows(
    rindptr: IntArray, rindices: IntArray, first: int, cursor: IntArray, out: IntArray,
    start: int, stop: int,
) -> None:  # fmt: skip
    """Copy rows of a block into the rows of all vertices.

    Parameters
    ----------
    rindptr, rindices, first
        As in ``drop_dead``.
    cursor : int32 or int64 [n + 1]
        Where the next edge of each vertex goes; changed in place.
    out : int32 or int64 [edges]
        Changed in place.
    start, stop : int
        The rows ``start..stop-1`` to work on.
    """
    for r in range(start, stop):
        place = cursor[u64(first + r)]
        for e in range(rindptr[u64(r)], rindptr[u64(r + 1)]):
            out[u64(place)] = rindices[u64(e)]
            place += 1
        cursor[u64(first + r)] = place

"""The levels of ``solvers.external``: from the edges of a space to the value of every vertex."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from retrosolve.arrays import ByteArray, IntArray, index_dtype
from retrosolve.compilation import jit
from retrosolve.csr import propagation as frontier
from retrosolve.csr.propagation import Propagation, even, queue_shape
from retrosolve.kernels import external as external_kernels
from retrosolve.kernels.open_moves import state_dtype
from retrosolve.runtime import tuning
from retrosolve.runtime.checkpoint import Facts, Snapshot
from retrosolve.runtime.context import NO_CHECKPOINT, Context
from retrosolve.runtime.prefetch import prefetched
from retrosolve.runtime.progress import Progress
from retrosolve.runtime.spill import Spill
from retrosolve.runtime.threads import ThreadPool
from retrosolve.solvers.external_blocks import Block, Dealt, Piece, Rows, fetch_rows, fetched, live_rows
from retrosolve.values import LOSS, TIE, WIN, Value

VERTICES_AT_ONCE = 1 << 20
LEVELS = "levels of edges on disk"  # what is saved in snapshots


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


class Behind:
    """Work that another thread does, one call at a time, while this one goes on."""

    def __init__(self, executor: ThreadPoolExecutor) -> None:
        self._executor = executor
        self._last: Future[None] | None = None

    def do(self, work: Callable[[], None]) -> None:
        """Begin some work once the work before is done."""
        self.wait()
        self._last = self._executor.submit(work)

    def wait(self) -> None:
        """Wait for what was begun. Raises what it has raised."""
        last, self._last = self._last, None
        if last is not None:
            last.result()


class ExternalPropagation:
    """The state of a solve.

    A snapshot is taken between two levels and holds what belongs to vertices only. A solve that goes on
    from it reads all edges once more and drops those that have been used.

    Parameters
    ----------
    space : StateSpace
        With the capability EDGE_BLOCKS.
    stuck : Value
        The value of a vertex without edges.
    context : Context
    sizes : Sizes
    spill : Spill
        Where edges are kept.
    pool : ThreadPool
    behind : Behind
        The thread that writes.

    Attributes
    ----------
    value, remoteness : uint8 [n], int32 or int64 [n]
        The result.
    """

    def __init__(
        self, space: Any, stuck: Value, context: Context, sizes: Sizes, spill: Spill,
        pool: ThreadPool, behind: Behind,
    ) -> None:  # fmt: skip
        self.progress, self.checkpoint, self.sizes = context.progress, context.checkpoint, sizes
        self.spill, self.pool, self.behind = spill, pool, behind
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
        self.entry = queue_shape(self.num_vertices)[1]
        self.num_ranges = (self.num_vertices >> frontier.RANGE_SHIFT) + 1
        tuned = tuning.current()
        edges = max(tuned.min_edges_per_thread, tuned.edges_per_round // pool.threads)
        edges = min(edges, max(self.num_edges, 1))
        self.capacity = max(tuned.min_edges_per_bin, edges // self.num_ranges)
        self.bins = np.empty((pool.threads, self.num_ranges * self.capacity), self.entry)
        self.found: IntArray = np.empty(self.num_vertices + self.num_ranges, self.entry)

    def passes(self) -> float:
        """Return how many times all edges have been read, the files and the blocks."""
        return 1 + self.blocks_read / max(self.num_blocks, 1)

    def _read(self, space: Any) -> None:
        """Deal all edges, and count those out of each vertex."""
        done = 0
        for source, target in prefetched(space.edge_blocks(self.sizes.chunk)):
            arrays = self.dealt.add(source, target)
            self.behind.do(partial(self.dealt.keep, arrays))
            done += len(source)
            self.progress(Progress("initialisation", done, self.num_edges))
        self.behind.wait()

    def _initialise(self, space: Any, stuck: Value) -> None:
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
        found = [np.zeros(0, self.entry)]
        for start in range(0, self.num_vertices, VERTICES_AT_ONCE):
            value = self.value[start : start + VERTICES_AT_ONCE]
            remoteness = self.remoteness[start : start + VERTICES_AT_ONCE]
            chosen = (value == TIE) if ties else (value == WIN) | (value == LOSS)
            at = np.flatnonzero(chosen & (remoteness == 0))
            side = (value[at] == WIN).astype(self.entry)
            if self.owner is not None:
                side ^= self.owner[start + at]
            found.append((2 * (start + at) + side).astype(self.entry))
        return np.concatenate(found)

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
        counts = np.zeros(self.num_ranges, np.int64)
        for block, entries, read in fetched(visited, self._fetch):
            rows = read if isinstance(read, Rows) else self.dealt.sort(block, read, entries)
            del read
            self.blocks_read += rows.whole and not self.dealt.in_memory(block)
            self._notify(rows, ties, counts)
            at = rows.entries >> 1
            block.consumed += int((rows.rindptr[at + 1] - rows.rindptr[at]).sum(dtype=np.int64))
            self._store(block, rows, ties)
        self.behind.wait()
        self.dealt.drop()
        return self._commit(counts, ties, level + 1)

    def _chosen(self, kernel: Any) -> Any:
        """Return a kernel, compiled if the graph is large."""
        return jit.chosen(kernel, self.num_vertices + self.num_edges)

    def _fetch(self, block: Block, entries: IntArray) -> Rows | list[Piece]:
        """Read what a level needs of a block; all that was dealt of it if that is not sorted yet."""
        return self.dealt.fetch(block) if block.rows is None else fetch_rows(block, entries)

    def _notify(self, rows: Rows, ties: bool, counts: IntArray) -> None:
        """Notify the predecessors of some entries, in rounds limited by the bins."""
        threads, size = self.pool.threads, len(rows.entries)
        filled = np.zeros((threads, self.num_ranges), np.int64)
        cuts = [size * t // threads for t in range(threads + 1)]
        place, edge = cuts[:-1], [-1] * threads
        scatter, apply = self._chosen(frontier.scatter_to_bins), self._chosen(frontier.apply_bins)

        def scatter_chunk(t: int) -> None:
            place[t], edge[t] = scatter(
                rows.rindptr, rows.rindices, rows.entries, place[t], edge[t], cuts[t + 1],
                self.capacity, self.bins[t], filled[t],
            )  # fmt: skip

        def apply_chunk(start: int, stop: int) -> None:
            apply(
                self.state, self.alternating, ties, self.found, counts, self.bins.reshape(-1), filled,
                self.capacity, start, stop,
            )  # fmt: skip

        while any(place[t] < cuts[t + 1] for t in range(threads)):
            self.pool.map(scatter_chunk, threads)
            self.pool.map_ranges(apply_chunk, even(filled.sum(axis=0), threads))

    def _commit(self, counts: IntArray, ties: bool, level: int) -> IntArray:
        """Write the values and the remoteness of what a level has found; return its entries."""
        places = np.cumsum(counts) - counts
        front = np.empty(int(counts.sum()), self.entry)
        commit = self._chosen(frontier.commit_level)
        self.pool.map_ranges(
            lambda start, stop: commit(
                self.state, self.alternating, ties, level, self.value, self.remoteness, self.found,
                counts, places, front, start, stop,
            ),
            even(counts, self.pool.threads),
        )  # fmt: skip
        for r in np.flatnonzero((counts > 1) & (counts < frontier.MIN_SORTED)).tolist():
            front[places[r] : places[r] + counts[r]].sort()
        return front

    def _store(self, block: Block, rows: Rows, ties: bool) -> None:
        """Keep a block that was sorted, or one that has shrunk, without what no longer matters."""
        share = self.undecided / max(self.num_open, 1)
        shrunk = block.left * share < tuning.current().live_share * block.edges * block.open_share
        if not rows.whole or not (shrunk or block.rows is None):
            return
        kept = rows.rindptr, rows.rindices
        if shrunk:
            kept = live_rows(kept, block.start, self.value, not ties, self.state, self.pool)
        old = block.rows
        edges = len(kept[1])

        def write() -> None:
            if old is not None:
                old.drop()
            block.rows = self.spill.keep(*kept)

        block.edges, block.consumed, block.open_share = edges, 0, share
        self.behind.do(write)

    # -- the rest, in memory ------------------------------------------------------------------

    def _fits(self, front: IntArray) -> bool:
        """Return whether levels are narrow and what is left of the edges fits in memory."""
        if len(front) > tuning.current().max_serial_width or any(b.rows is None for b in self.blocks):
            return False
        left = sum(block.left for block in self.blocks)
        return left * index_dtype(self.num_vertices)(0).itemsize <= self.sizes.resident

    def _run_in_memory(self, front: IntArray, ties: bool, level: int) -> None:
        """Run the level of ``front`` and all that follow, from rows of all vertices."""
        n = self.num_vertices
        del self.bins, self.found
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
        """Return what is left of all blocks as one: rows of predecessors."""
        decided = self.value[front >> 1]
        self.value[front >> 1] = 0  # their rows still matter
        lengths = np.zeros(self.num_vertices + 1, np.int64)
        whole = [(block, np.arange(2 * block.start, 2 * block.stop, 2)) for block in self.blocks]
        for block, _, rows in fetched(whole, fetch_rows):
            assert block.rows is not None
            kept = live_rows(rows[:2], block.start, self.value, not ties, self.state, self.pool)
            block.rows.drop()
            block.rows = self.spill.keep(*kept)
            lengths[block.start + 1 : block.stop + 1] += np.diff(kept[0])
        self.value[front >> 1] = decided
        np.cumsum(lengths, out=lengths)
        edges = int(lengths[-1])
        cursor: IntArray = lengths.astype(index_dtype(edges))
        del lengths
        rindices: IntArray = np.empty(edges, index_dtype(self.num_vertices))
        append = self._chosen(external_kernels.append_rows)
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

"""Backward propagation level by level along transposed edges, by one thread or any number of them.

The algorithm is that of ``worklist``, in another order of its edges; ``csr.open_moves`` has the
encoding of states and entries. Narrow frontiers are processed by one thread in one call, so that a
graph with a million levels costs no more than its edges. Wide frontiers are shared among threads, each
of which updates its own vertices.

Most of an edge's time is waiting: for memory, and for branches that went another way than was
predicted. So levels go in batches. First come the bounds of the rows of a batch, then the rows, whose
loads wait together. Short rows are copied at a fixed length and advanced by their true length, which
avoids a mispredicted branch. Then come the edges, without a branch: every entry is written to the end
of the queue, which moves only if the entry is decided. The arrays that are appended to have a spare
place for that.

To share a level, vertices are taken in ranges of 2^16, so few that the cache holds their state. Each
thread reads the predecessors of its own part of the frontier and sorts them into bins by range; then
each takes some of the ranges, and is the only one to change the state of their vertices. So nothing is
locked, nothing is decided differently for another number of threads, and the next frontier comes out
in order, so that the rows it asks for are read one after the other.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, index_dtype
from retrosolve.compilation import jit
from retrosolve.compilation.unsigned import num_bits, u64
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Checkpoint, Facts, Progress, ProgressCallback, Snapshot
from retrosolve.runtime.threads import ThreadPool
from retrosolve.runtime.workspace import Buffers
from retrosolve.spaces.csr.build import even
from retrosolve.spaces.csr.open_moves import (
    counter,
    entry_of,
    is_open,
    notified,
    side,
    value_of,
    vertex,
)

PROPAGATION = "propagation"
RANGE_SHIFT = 15  # the vertex of a range and its side take 16 bits
MAX_GATHERED, SHORT_ROW = 1 << 9, 4  # edges
# Entries. Where threads share a level, ``prefetch`` makes the compiler read the rows at once.
BATCH = 128
MAX_NARROW = 32  # entries are read again so soon that a prediction does better than waiting


def buffers(num_vertices: int, num_edges: int) -> Buffers:
    """Declare the arrays of a propagation by several threads, but for the rows of the predecessors."""
    n, (length, entry) = num_vertices, queue_shape(num_vertices)
    return Buffers(
        state=(n, index_dtype(num_edges)),
        queue=(length, entry),
        rindptr=(n + 1, index_dtype(num_edges)),
        decided=(n, np.uint16),
        bins=(tuning.current().edges_per_round, np.uint16),
    )


def queue_shape(num_vertices: int) -> tuple[int, type[np.integer]]:
    """Return the length and the dtype of a queue: an entry for each vertex, and a spare one."""
    return num_vertices + 1, index_dtype(2 * num_vertices + 1)


@dataclass
class Propagation:
    """A propagation along transposed edges.

    Parameters
    ----------
    rindptr, rindices : int [n + 1], [edges]
        Rows of the predecessors.
    owned : bool
        Whether vertices have owners; the owners themselves are in ``state``.
    state, queue : int [n], [n + 1]
        See ``csr.open_moves``; changed.
    value, remoteness : uint8 [n], int [n]
        The result; changed.
    pool : ThreadPool
    progress : callable
    max_serial_width : int
        The largest frontier that one thread processes.
    checkpoint : Checkpoint
    rows_from : mapping of str to array
        What a resumed solve needs besides the graph to transpose the same edges; saved in snapshots.
    stage : str
        Of snapshots: those with other edges in ``rindices`` have another.
    """

    rindptr: IntArray
    rindices: IntArray
    owned: bool
    state: IntArray
    value: ByteArray
    remoteness: IntArray
    queue: IntArray
    pool: ThreadPool
    progress: ProgressCallback
    max_serial_width: int
    checkpoint: Checkpoint
    rows_from: Mapping[str, NDArray[Any]]
    stage: str = PROPAGATION

    def run(self, tail: int, ties: bool, level: int, head: int = 0) -> None:
        """Propagate from ``queue[head:tail]``, the vertices decided at ``level``, to the end."""
        self._run(head, head, tail, ties, level - 1)

    def resume(self, snapshot: Snapshot) -> bool:
        """Go on from a snapshot to the end of its phase; return whether that is the phase of ties."""
        facts: Any = snapshot.facts
        head, tail = facts["head"], facts["tail"]
        snapshot.read(self._arrays(head, tail))
        self._run(head, facts["end"], tail, bool(facts["ties"]), facts["level"])
        return bool(facts["ties"])

    def _save(self, head: int, end: int, tail: int, ties: bool, level: int) -> None:
        """Save a snapshot."""
        facts: Facts = {
            "stage": self.stage, "head": int(head), "end": int(end), "tail": int(tail),
            "ties": int(ties), "level": int(level),
        }  # fmt: skip
        self.checkpoint.save(facts, {**self._arrays(head, tail), **self.rows_from})

    def _arrays(self, head: int, tail: int) -> dict[str, NDArray[Any]]:
        """Return the arrays of a snapshot but for those of ``rows_from``."""
        return {
            "state": self.state, "value": self.value, "remoteness": self.remoteness,
            "queue": self.queue[head:tail],
        }  # fmt: skip

    def _run(self, head: int, end: int, tail: int, ties: bool, level: int) -> None:
        """Propagate from ``queue[head:end]`` of a level and ``queue[end:tail]`` of the next one."""
        kernel = jit.chosen(propagate, len(self.value) + len(self.rindices))
        budget = tuning.current().edges_per_report
        while head < tail:
            head, end, tail, level = kernel(
                self.rindptr, self.rindices, self.state, self.alternating, ties, self.value,
                self.remoteness, self.queue, head, end, tail, level, self.max_serial_width, budget,
            )  # fmt: skip
            if head == end and tail - end > self.max_serial_width:
                level += 1
                head, end, tail = tail, tail, self._shared_level(ties, level, end, tail)
            if self.checkpoint.due():
                self._save(head, end, tail, ties, level)
            self.progress(Progress("solving", head, len(self.value)))

    @property
    def alternating(self) -> int:
        """1 if the players alternate, otherwise 0."""
        return 0 if self.owned else 1

    @functools.cached_property
    def _shared(self) -> SharedLevels:
        return SharedLevels(
            self.state, self.value, self.remoteness, self.alternating, self.queue.dtype, self.pool,
            len(self.rindices), jit.compiled,
        )  # fmt: skip

    def _shared_level(self, ties: bool, level: int, head: int, end: int) -> int:
        """Process one level with all threads; return the new tail."""
        self._shared.notify(self.rindptr, self.rindices, self.queue[head:end], ties)
        return end + int(self._shared.commit(ties, level + 1, self.queue, end).sum())


class SharedLevels:
    """Levels that all threads share, each of which updates its own ranges of vertices.

    Parameters
    ----------
    state, value, remoteness : int [n], uint8 [n], int [n]
        See ``csr.open_moves``; changed.
    alternating : int
        1 if the players alternate, otherwise 0.
    entry : dtype
        Of the entries of a frontier.
    pool : ThreadPool
    num_edges : int
        The most edges that lead to a level.
    chosen : callable
        ``chosen(kernel)`` returns the kernel as it is to be called.
    """

    def __init__(
        self, state: IntArray, value: ByteArray, remoteness: IntArray, alternating: int,
        entry: np.dtype[Any], pool: ThreadPool, num_edges: int, chosen: Callable[[Any], Any],
    ) -> None:  # fmt: skip
        self._state, self._value, self._remoteness = state, value, remoteness
        self._alternating, self._pool, self._chosen = alternating, pool, chosen
        self._num_ranges = (len(value) >> RANGE_SHIFT) + 1
        tuned = tuning.current()
        edges = max(tuned.min_edges_per_thread, tuned.edges_per_round // pool.threads)
        edges = min(edges, max(num_edges, 1))
        self._capacity = max(tuned.min_edges_per_bin, edges // self._num_ranges)
        self._bins = np.empty((pool.threads, self._num_ranges * self._capacity), np.uint16)
        self._decided = np.empty(len(value) + self._num_ranges, np.uint16)
        self._counts = np.zeros(self._num_ranges, np.int64)

    def notify(self, rindptr: IntArray, rindices: IntArray, entries: IntArray, ties: bool) -> None:
        """Notify the predecessors of some entries of a level, in rounds limited by the bins."""
        threads, size, capacity = self._pool.threads, len(entries), self._capacity
        filled = np.zeros((threads, self._num_ranges), np.int64)
        cuts = [size * t // threads for t in range(threads + 1)]
        place, edge = cuts[:-1], [-1] * threads
        scatter, apply = self._chosen(scatter_to_bins), self._chosen(apply_bins)

        def scatter_chunk(t: int) -> None:
            place[t], edge[t] = scatter(
                rindptr, rindices, entries, place[t], edge[t], cuts[t + 1], capacity, self._bins[t],
                filled[t],
            )  # fmt: skip

        def apply_chunk(start: int, stop: int) -> None:
            apply(
                self._state, self._alternating, ties, self._decided, self._counts,
                self._bins.reshape(-1), filled, capacity, start, stop,
            )  # fmt: skip

        while any(place[t] < cuts[t + 1] for t in range(threads)):
            self._pool.map(scatter_chunk, threads)
            self._pool.map_ranges(apply_chunk, even(filled.sum(axis=0), threads))

    def num_decided(self) -> int:
        """Return the number of vertices that the notified level decides."""
        return int(self._counts.sum())

    def commit(self, ties: bool, level: int, queue: IntArray, start: int) -> IntArray:
        """Write values and remotenesses of the vertices of a level, and their entries to a queue.

        Returns the number of entries of each range of vertices; they begin at ``start``.
        """
        counts, self._counts = self._counts, np.zeros(self._num_ranges, np.int64)
        places = start + np.cumsum(counts) - counts
        commit = self._chosen(commit_level)

        def commit_chunk(first: int, last: int) -> None:
            commit(
                self._state, self._alternating, ties, level, self._value, self._remoteness,
                self._decided, counts, places, queue, first, last,
            )  # fmt: skip

        self._pool.map_ranges(commit_chunk, even(counts, self._pool.threads))
        return counts


def seed(fresh: NDArray[np.uint64], queue: IntArray) -> int:
    """Put sets of vertices into a queue.

    Parameters
    ----------
    fresh : uint64 [2 * words]
        A set of vertices for each side, as bits.
    queue : int32 or int64 [n + 1]
        Overwritten with their entries, in order.

    Returns
    -------
    int
        The number of entries.
    """
    words = len(fresh) // 2
    tail = 0
    for w in range(words):
        one = fresh[u64(words + w)]
        rest = fresh[u64(w)] | one
        while rest != 0:
            below = (rest - u64(1)) & ~rest  # the bits below the lowest one
            on = 1 if one & (below + u64(1)) else 0
            queue[u64(tail)] = entry_of(64 * w + np.int64(num_bits(below)), on)
            tail += 1
            rest &= rest - u64(1)
    return tail


def propagate(
    rindptr: IntArray, rindices: IntArray, state: IntArray, alternating: int, ties: bool,
    value: ByteArray, remoteness: IntArray, queue: IntArray, head: int, end: int, tail: int,
    level: int, widest: int, budget: int,
) -> tuple[int, int, int, int]:  # fmt: skip
    """Run whole levels of at most ``widest`` entries on one thread, first in, first out.

    A level is settled, its values and remoteness written, when the one before it is done. Stops when
    the next level is wider, or empty; or anywhere once ``budget`` edges have been visited.

    Computes what ``worklist.propagate`` does, for the edges of a batch of entries at a time::

        for e in range(rindptr[w], rindptr[w + 1]):
            v = rindices[e]
            if open_moves[v] == 0:
                continue
            if tied or lost != same:
                open_moves[v] = 0
            else:
                open_moves[v] -= 1
            if open_moves[v] == 0:
                queue[tail] = v
                tail += 1

    Parameters
    ----------
    rindptr, rindices : integers [n + 1], [m]
        Rows of the predecessors.
    state : uint8, int32 or int64 [n]
        See the module; changed in place.
    alternating : int
        1 if players alternate, 0 if vertices have owners.
    ties : bool
        Whether ties are propagated, not wins and losses.
    value, remoteness : uint8 [n], int32 or int64 [n]
        Changed in place.
    queue : int32 or int64 [n + 1]
        Entries; changed in place.
    head, end, tail : int
        ``queue[head:end]`` is of ``level``, ``queue[end:tail]`` of the next one.
    level, widest, budget : int
        The level, the widest one to run, and the edges to visit.

    Returns
    -------
    head, end, tail, level : int
        Where to go on.
    """
    predecessors = np.empty(MAX_GATHERED, queue.dtype)
    begins, ends = np.empty(BATCH, np.int64), np.empty(BATCH, np.int64)
    edges, prefetch = len(rindices), 0
    rest: Any = np.int64(-1)
    v: Any
    while budget > 0 or rest >= 0:
        if head == end:
            if head == tail or tail - end > widest:
                break
            end = tail
            level += 1
        guess = end - head <= MAX_NARROW and rest < 0
        batch = min(BATCH, end - head)
        for i in range(batch):
            w = vertex(queue[u64(head + i)])
            begin = rindptr[w]
            begins[u64(i)] = begin
            ends[u64(i)] = rindptr[w + u64(1)]
            if guess and begin < edges:
                prefetch ^= rindices[u64(begin)]  # the first line of each row, all of them at once
        if guess:
            # A vertex decided here may be looked at a few entries later: a predicted branch has gone on
            # by then, the branchless lines below would wait for the store.
            for i in range(batch):
                on = side(queue[u64(head + i)])
                budget -= ends[u64(i)] - begins[u64(i)] + 1
                for e in range(begins[u64(i)], ends[u64(i)]):
                    v = u64(rindices[u64(e)])
                    s = state[v]
                    if counter(s) > 1 and not ties and side(s) != on:
                        state[v] = s - 2
                    elif is_open(s):
                        state[v] = side(s)
                        queue[u64(tail)] = entry_of(v, on ^ alternating)
                        tail += 1
            head += batch
        else:
            if rest >= 0:  # the last batch ended within this row
                begins[0] = rest
            count: Any = np.int64(0)
            taken: Any = np.int64(0)
            while taken < batch and count <= MAX_GATHERED - SHORT_ROW:
                on = side(queue[u64(head + taken)])
                begin = begins[u64(taken)]
                length, rest = ends[u64(taken)] - begin, np.int64(-1)
                if length <= SHORT_ROW and begin + SHORT_ROW <= edges:
                    # As many edges whatever the length, for nobody predicts it: what is copied of the
                    # next row is overwritten, as ``count`` goes on by the true length.
                    for e in range(SHORT_ROW):
                        predecessors[u64(count + e)] = entry_of(rindices[u64(begin + e)], on)
                else:
                    if length > MAX_GATHERED - count:
                        length = MAX_GATHERED - count
                        rest = begin + length
                    for e in range(length):
                        predecessors[u64(count + e)] = entry_of(rindices[u64(begin + e)], on)
                count += length
                taken += rest < 0
            head += taken
            budget -= count + 1
            for i in range(count):
                entry = predecessors[u64(i)]
                v = vertex(entry)
                before = state[v]
                after = notified(before, entry, ties)
                state[v] = after
                # Every vertex is appended, and the next one overwrites those that are not decided now.
                queue[u64(tail)] = entry ^ alternating
                tail += is_open(before) != is_open(after)
        if head == end:
            for i in range(end, tail):
                entry = queue[u64(i)]
                v = vertex(entry)
                remoteness[v] = level + 1
                value[v] = value_of(entry, state[v], alternating, ties)
    begins[0] = prefetch  # without a use of it LLVM would delete the loads above
    return head, end, tail, level


def scatter_to_bins(
    rindptr: IntArray, rindices: IntArray, queue: IntArray, start: int, edge: int, stop: int,
    capacity: int, bins: IntArray, filled: IntArray,
) -> tuple[int, int]:  # fmt: skip
    """Sort the predecessors of entries into bins by range, until one is full.

    Parameters
    ----------
    rindptr, rindices : integers [n + 1], [m]
        Rows of the predecessors.
    queue : int32 or int64 [n + 1]
        Entries.
    start, stop : int
        The entries ``start..stop-1`` to work on.
    edge : int
        The edge of the first of them to go on with, -1 at its beginning.
    capacity : int
        The edges that a bin holds.
    bins, filled : uint16 [ranges * capacity], int64 [ranges]
        Bins of this thread, overwritten, and how much of each is used.

    Returns
    -------
    start, edge : int
        The entry and the edge to go on with.
    """
    begins, ends = np.empty(BATCH, np.int64), np.empty(BATCH, np.int64)
    edges, prefetch = len(rindices), 0
    filled[:] = 0
    full = False
    while start < stop and not full:
        batch = min(BATCH, stop - start)
        for i in range(batch):
            w = vertex(queue[u64(start + i)])
            begin = rindptr[w]
            begins[u64(i)] = begin
            ends[u64(i)] = rindptr[w + u64(1)]
            if begin < edges:
                prefetch ^= rindices[u64(begin)]  # the first line of each row, all of them at once
        if edge >= 0:  # a bin was full within this row
            begins[0] = edge
            edge = -1
        for i in range(batch):
            on = side(queue[u64(start + i)])
            for e in range(begins[u64(i)], ends[u64(i)]):
                entry = u64(entry_of(rindices[u64(e)], on))
                r = entry >> u64(RANGE_SHIFT + 1)
                count = filled[r]
                if count == capacity:
                    full = True
                    edge = e
                    break
                bins[r * u64(capacity) + u64(count)] = entry & u64((2 << RANGE_SHIFT) - 1)
                filled[r] = count + 1
            if full:
                batch = i
                break
        start += batch
    begins[0] = prefetch  # without a use of it LLVM would delete the loads above
    return start, edge


def apply_bins(
    state: IntArray, alternating: int, ties: bool, decided: NDArray[np.uint16], counts: IntArray,
    bins: IntArray, filled: IntArray, capacity: int, start: int, stop: int,
) -> None:  # fmt: skip
    """Apply the bins of all threads for some ranges; append the entries that they decide.

    Computes the lines of ``worklist.propagate`` that stand in :func:`propagate`.

    Parameters
    ----------
    state, alternating, ties
        As in ``propagate``.
    decided : uint16 [n + ranges]
        Decided entries, without the bits that are those of their range; each range has a part of its
        own.
    counts : int64 [ranges]
        How much of each part is used; changed in place.
    bins, filled : uint16 [threads * ranges * capacity], int64 [threads, ranges]
        The bins of all threads, and how much of each is used.
    capacity : int
        The edges that a bin holds.
    start, stop : int
        The ranges ``start..stop-1`` to work on.
    """
    threads, ranges = filled.shape
    for r in range(start, stop):
        base = u64(r << RANGE_SHIFT)
        tail = (r << RANGE_SHIFT) + r + counts[r]
        for t in range(threads):
            bin_start = (t * ranges + r) * capacity
            for i in range(bin_start, bin_start + filled[t, r]):
                entry = np.int64(bins[u64(i)])
                v = base + vertex(entry)
                before = state[v]
                after = notified(before, entry, ties)
                state[v] = after
                decided[u64(tail)] = entry ^ alternating  # stays only if it is decided now
                tail += is_open(before) != is_open(after)
        counts[r] = tail - (r << RANGE_SHIFT) - r


def commit_level(
    state: IntArray, alternating: int, ties: bool, level: int, value: ByteArray,
    remoteness: IntArray, decided: NDArray[np.uint16], counts: IntArray, places: IntArray,
    queue: IntArray, start: int, stop: int,
) -> None:  # fmt: skip
    """Settle the entries that were decided in some ranges and put them into the queue.

    Those of a range stay together, in no order: what they look up next is near enough.

    Parameters
    ----------
    state, alternating, ties, value, remoteness
        As in ``propagate``.
    level : int
        The remoteness of these entries.
    decided, counts
        As in ``apply_bins``.
    places : int64 [ranges]
        Where the entries of each range go in ``queue``.
    queue : int32 or int64 [n + 1]
        Changed in place.
    start, stop : int
        The ranges ``start..stop-1`` to work on.
    """
    for r in range(start, stop):
        base = (r << RANGE_SHIFT) + r
        for i in range(counts[r]):
            entry = (r << RANGE_SHIFT + 1) + np.int64(decided[u64(base + i)])
            v = vertex(entry)
            remoteness[v] = level
            value[v] = value_of(entry, state[v], alternating, ties)
            queue[u64(places[r] + i)] = entry

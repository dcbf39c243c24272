"""Propagation level by level along transposed edges (``kernels.frontier``).

Narrow frontiers are processed by one thread in one call, so that a graph with a million levels costs no
more than its edges. Wide frontiers are shared among threads, each of which updates its own vertices.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, index_dtype
from retrosolve.compilation import jit
from retrosolve.kernels import frontier as kernels
from retrosolve.runtime import tuning
from retrosolve.runtime.checkpoint import Checkpoint, Snapshot
from retrosolve.runtime.progress import Progress, ProgressCallback
from retrosolve.runtime.threads import ThreadPool

PROPAGATION = "propagation"


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
        See ``kernels.frontier``; changed.
    value, remoteness : uint8 [n], int [n]
        The result; changed.
    pool : ThreadPool
    progress : callable
    max_serial_width : int
        The largest frontier that one thread processes.
    checkpoint : Checkpoint
    rows_from : mapping of str to array
        What a resumed solve needs besides the graph to transpose the same edges; saved in snapshots.
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

    def run(self, tail: int, ties: bool, level: int, head: int = 0) -> None:
        """Propagate from ``queue[head:tail]``, the vertices decided at ``level``, to the end."""
        self._run(head, head, tail, ties, level - 1)

    def resume(self, snapshot: Snapshot) -> bool:
        """Go on from a snapshot to the end of its phase; return whether that is the phase of ties."""
        facts: Any = snapshot.facts
        head, tail = facts["head"], facts["tail"]
        snapshot.read("state", self.state)
        snapshot.read("value", self.value)
        snapshot.read("remoteness", self.remoteness)
        snapshot.read("queue", self.queue[head:tail])
        self._run(head, facts["end"], tail, bool(facts["ties"]), facts["level"])
        return bool(facts["ties"])

    def _save(self, head: int, end: int, tail: int, ties: bool, level: int) -> None:
        """Save a snapshot."""
        arrays = {
            "state": self.state, "value": self.value, "remoteness": self.remoteness,
            "queue": self.queue[head:tail],
        }  # fmt: skip
        facts: dict[str, int | str] = {
            "stage": PROPAGATION, "head": int(head), "end": int(end), "tail": int(tail),
            "ties": int(ties), "level": int(level),
        }  # fmt: skip
        self.checkpoint.save(facts, {**arrays, **self.rows_from})

    def _run(self, head: int, end: int, tail: int, ties: bool, level: int) -> None:
        """Propagate from ``queue[head:end]`` of a level and ``queue[end:tail]`` of the next one."""
        propagate = jit.chosen(kernels.propagate, len(self.value) + len(self.rindices))
        budget = tuning.current().edges_per_report
        while head < tail:
            head, end, tail, level = propagate(
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
    def _num_ranges(self) -> int:
        """The number of ranges of vertices, each with a bin of every thread."""
        return (len(self.value) >> kernels.RANGE_SHIFT) + 1

    @functools.cached_property
    def _capacity(self) -> int:
        """The number of edges of a bin."""
        tuned = tuning.current()
        edges = max(tuned.min_edges_per_thread, tuned.edges_per_round // self.pool.threads)
        return max(tuned.min_edges_per_bin, edges // self._num_ranges)

    @functools.cached_property
    def _bins(self) -> IntArray:
        """The bins of each thread, one for each range."""
        return np.empty((self.pool.threads, self._num_ranges * self._capacity), self.queue.dtype)

    @functools.cached_property
    def _found(self) -> IntArray:
        """The vertices decided in a level, range by range."""
        return np.empty(len(self.value) + self._num_ranges, self.queue.dtype)

    def _shared_level(self, ties: bool, level: int, head: int, end: int) -> int:
        """Process one level with all threads, in rounds limited by the bins; return the new tail."""
        threads, bins, capacity = self.pool.threads, self._bins, self._capacity
        filled = np.zeros((threads, self._num_ranges), np.int64)
        counts = np.zeros(self._num_ranges, np.int64)
        cuts = [head + (end - head) * t // threads for t in range(threads + 1)]
        place, edge = cuts[:-1], [-1] * threads
        scatter, apply = jit.compiled(kernels.scatter_to_bins), jit.compiled(kernels.apply_bins)
        commit = jit.compiled(kernels.commit_level)

        def scatter_chunk(t: int) -> None:
            place[t], edge[t] = scatter(
                self.rindptr, self.rindices, self.queue, place[t], edge[t], cuts[t + 1], capacity,
                bins[t], filled[t],
            )  # fmt: skip

        def apply_chunk(start: int, stop: int) -> None:
            apply(
                self.state, self.alternating, ties, self._found, counts, bins.reshape(-1), filled,
                capacity, start, stop,
            )  # fmt: skip

        def commit_chunk(start: int, stop: int) -> None:
            commit(
                self.state, self.alternating, ties, level + 1, self.value, self.remoteness, self._found,
                counts, places, self.queue, start, stop,
            )  # fmt: skip

        while any(place[t] < cuts[t + 1] for t in range(threads)):
            self.pool.map(scatter_chunk, threads)
            self.pool.map_ranges(apply_chunk, even(filled.sum(axis=0), threads))
        places = end + np.cumsum(counts) - counts
        self.pool.map_ranges(commit_chunk, even(counts, threads))
        return end + int(counts.sum())


def even(counts: IntArray, parts: int) -> list[int]:
    """Return the bounds of runs of ranges with about equal counts."""
    total = np.cumsum(counts)
    cuts = np.searchsorted(total, [int(total[-1]) * i // parts for i in range(1, parts)])
    return [0, *cuts.tolist(), len(counts)]

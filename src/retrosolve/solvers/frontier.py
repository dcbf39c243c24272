"""Propagate level by level along reversed rows, each thread the owner of its vertices.

See ``kernels.frontier``. Narrow frontiers are run by one thread in one call, so that a graph of a
million levels costs no more than its edges; wide ones are shared out.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from retrosolve.arrays import ByteArray, IntArray, index_dtype
from retrosolve.compilation import jit
from retrosolve.kernels import frontier as kernels
from retrosolve.runtime import tuning
from retrosolve.runtime.progress import Progress, ProgressCallback
from retrosolve.runtime.threads import ThreadPool

LARGEST_IN_A_BYTE = 127  # moves of a vertex whose state is a byte


def state_dtype(largest_degree: int, edges: int) -> type[np.integer]:
    """Return the dtype for the state of vertices with at most so many moves.

    Nearly always a byte is enough: more of them stay in the cache.
    """
    return np.uint8 if largest_degree <= LARGEST_IN_A_BYTE else index_dtype(2 * edges + 1)


def queue_shape(vertices: int) -> tuple[int, type[np.integer]]:
    """Return length and dtype of a queue: an entry for each vertex, and a spare one."""
    return vertices + 1, index_dtype(2 * vertices + 1)


@dataclass
class Propagation:
    """What is propagated: reversed rows, and what changes, the ``state`` and ``queue`` of the kernels.

    ``owned`` tells whether vertices have owners; who they are is in the state. Levels of at most
    ``max_serial_width`` entries are run by one thread.
    """

    rindptr: IntArray
    rindices: IntArray
    owned: bool
    state: IntArray
    value: ByteArray
    remoteness: IntArray
    queue: IntArray
    pool: ThreadPool
    report: ProgressCallback
    max_serial_width: int

    def run(self, tail: int, ties: bool, level: int, head: int = 0) -> None:
        """Propagate from ``queue[head:tail]``, settled and of ``level``, to the end."""
        propagate = jit.compiled(kernels.propagate)
        budget = tuning.current().edges_per_report
        end, level = head, level - 1
        while head < tail:
            head, end, tail, level = propagate(
                self.rindptr, self.rindices, self.state, self.alternating, ties, self.value,
                self.remoteness, self.queue, head, end, tail, level, self.max_serial_width, budget,
            )  # fmt: skip
            if head == end and tail - end > self.max_serial_width:
                level += 1
                head, end, tail = tail, tail, self._shared_level(ties, level, end, tail)
            self.report(Progress("solving", head, len(self.value)))

    @property
    def alternating(self) -> int:
        """Whether who wins a vertex is not who wins the next one, as the kernels want it."""
        return 0 if self.owned else 1

    @functools.cached_property
    def _ranges(self) -> int:
        return (len(self.value) >> kernels.RANGE_SHIFT) + 1

    @functools.cached_property
    def _capacity(self) -> int:
        """How many edges a bin holds."""
        tuned = tuning.current()
        edges = max(tuned.min_edges_per_thread, tuned.edges_per_round // self.pool.threads)
        return max(tuned.min_edges_per_bin, edges // self._ranges)

    @functools.cached_property
    def _bins(self) -> IntArray:
        return np.empty((self.pool.threads, self._ranges * self._capacity), self.queue.dtype)

    @functools.cached_property
    def _found(self) -> IntArray:
        return np.empty(len(self.value) + self._ranges, self.queue.dtype)

    def _shared_level(self, ties: bool, level: int, head: int, end: int) -> int:
        """Run one level by all threads, in rounds of as much as the bins hold; return the new tail."""
        threads, bins, capacity = self.pool.threads, self._bins, self._capacity
        filled = np.zeros((threads, self._ranges), np.int64)
        counts = np.zeros(self._ranges, np.int64)
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
            self.pool.map_ranges(apply_chunk, _even(filled.sum(axis=0), threads))
        places = end + np.cumsum(counts) - counts
        self.pool.map_ranges(commit_chunk, _even(counts, threads))
        return end + int(counts.sum())


def _even(counts: IntArray, parts: int) -> list[int]:
    """Cut the ranges into parts that hold about as much."""
    total = np.cumsum(counts)
    cuts = np.searchsorted(total, [int(total[-1]) * i // parts for i in range(1, parts)])
    return [0, *cuts.tolist(), len(counts)]

"""Push level by level along reversed rows, each thread the owner of its vertices.

See ``kernels.levels``. Narrow frontiers are run by one thread in one call, so that a graph of a million
levels costs no more than its edges; wide ones are shared out.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from retrosolve.kernels import levels
from retrosolve.kernels.fitting import Fitted
from retrosolve.parallel import Crew
from retrosolve.progress import Progress, Report
from retrosolve.validation import ByteArray, IntArray, index_dtype

WIDEST_ALONE = 1 << 13
ENTRIES_A_ROUND, FEWEST_A_BIN = 1 << 18, 1 << 12
EDGES_A_REPORT = 1 << 23

LARGEST_IN_A_BYTE = 127  # moves of a vertex whose state is a byte


def state_dtype(largest_degree: int, edges: int) -> type[np.integer]:
    """Give the dtype for the state of vertices with at most so many moves.

    Nearly always a byte is enough: more of them stay in the cache.
    """
    return np.uint8 if largest_degree <= LARGEST_IN_A_BYTE else index_dtype(2 * edges + 1)


def queue_room(vertices: int) -> IntArray:
    """Make an empty queue: an entry for each vertex, and a spare one."""
    return np.empty(vertices + 1, index_dtype(2 * vertices + 1))


@dataclass
class Pushing:
    """What is pushed: reversed rows, and what changes, the ``state`` and ``queue`` of the kernels.

    ``owned`` tells whether vertices have owners; who they are is in the state.
    """

    rindptr: IntArray
    rindices: IntArray
    owned: bool
    state: IntArray
    value: ByteArray
    remoteness: IntArray
    queue: IntArray
    crew: Crew
    report: Report

    def run(self, tail: int, ties: bool, level: int) -> None:
        """Push from the first ``tail`` entries of the queue, which are of ``level``, to the end."""
        kernel = self._kernel("run_levels")
        alone = self.threads == 1
        head, end, level = 0, 0, level - 1
        while head < tail:
            head, end, tail, level = kernel(
                self.rindptr, self.rindices, self.state, self.flip, ties, self.value, self.remoteness,
                self.queue, head, end, tail, level, len(self.queue) if alone else WIDEST_ALONE,
                EDGES_A_REPORT,
            )  # fmt: skip
            if head == end and tail - end > WIDEST_ALONE and not alone:
                level += 1
                end = tail
                tail = self._shared_level(ties, level, head, end)
                head = end
            self.report(Progress("solving", head, len(self.value)))

    @property
    def flip(self) -> int:
        """Whether who wins a vertex is not who wins the next one, as the kernels want it."""
        return 0 if self.owned else 1

    @functools.cached_property
    def threads(self) -> int:
        """A power of two, so that the owner of a vertex is some of its bits."""
        return 1 << (self.crew.threads.bit_length() - 1)

    @functools.cached_property
    def _capacity(self) -> int:
        return max(FEWEST_A_BIN, ENTRIES_A_ROUND // self.threads)

    @functools.cached_property
    def _bins(self) -> IntArray:
        return np.empty((self.threads, self.threads * self._capacity), self.queue.dtype)

    @functools.cached_property
    def _own(self) -> list[IntArray]:
        blocks = -(-len(self.value) // (1 << levels.BLOCK_SHIFT))
        owned = -(-blocks // self.threads) << levels.BLOCK_SHIFT
        return [np.empty(owned + 1, self.queue.dtype) for _ in range(self.threads)]

    def _shared_level(self, ties: bool, level: int, head: int, end: int) -> int:
        """Run one level by all threads, in rounds of as much as the bins hold; give the new tail."""
        threads, mask, capacity, bins, own = (
            self.threads, self.threads - 1, self._capacity, self._bins, self._own
        )  # fmt: skip
        filled = np.zeros((threads, threads), np.int64)
        cuts = [head + (end - head) * t // threads for t in range(threads + 1)]
        place, edge, found = cuts[:-1], [-1] * threads, [0] * threads
        gather, absorb = self._kernel("gather"), self._kernel("absorb")

        def gather_part(t: int) -> None:
            place[t], edge[t] = gather(
                self.rindptr, self.rindices, self.state, self.flip, ties, level, self.value,
                self.remoteness, self.queue, place[t], edge[t], cuts[t + 1], mask, capacity, bins[t],
                filled[t],
            )  # fmt: skip

        def absorb_part(o: int) -> None:
            found[o] = absorb(
                self.state, self.flip, ties, own[o], found[o], bins.reshape(-1), filled.reshape(-1),
                mask, capacity, threads, o,
            )  # fmt: skip

        def append_part(o: int) -> None:
            # In order of vertices, what follows reads and writes memory in order too.
            new = own[o][: found[o]]
            new.sort()
            start = end + sum(found[:o])
            self.queue[start : start + found[o]] = new

        while any(place[t] < cuts[t + 1] for t in range(threads)):
            self.crew.each(gather_part, threads)
            self.crew.each(absorb_part, threads)
        self.crew.each(append_part, threads)
        return end + sum(found)

    def _kernel(self, name: str) -> Any:
        return _kernels().kernel(name, len(self.value) + len(self.rindices))


@functools.cache
def _kernels() -> Fitted:
    return Fitted([levels], {})

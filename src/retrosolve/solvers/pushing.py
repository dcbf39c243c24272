"""Push level by level along reversed rows, each thread the owner of its vertices.

See ``kernels.levels``. Narrow frontiers are run by one thread in one call, so that a graph of a million
levels costs no more than its edges; wide ones are shared out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from retrosolve.kernels import jit
from retrosolve.kernels import levels as kernels
from retrosolve.parallel import Crew
from retrosolve.progress import Progress, Report
from retrosolve.validation import ByteArray, IntArray, index_dtype

WIDEST_ALONE = 1 << 13
ENTRIES_A_ROUND, FEWEST_A_BIN = 1 << 18, 1 << 12
EDGES_A_REPORT = 1 << 23


@dataclass
class Push:
    """What is pushed: reversed rows, owners, and the state that changes.

    ``remaining`` [n] holds the open moves of each undecided vertex, 0 for those that are decided.
    """

    rindptr: IntArray
    rindices: IntArray
    owner: ByteArray
    owned: bool
    value: ByteArray
    remoteness: IntArray
    remaining: IntArray


def push_levels(
    push: Push, seeds: Sequence[tuple[ByteArray, bool, int]], crew: Crew, report: Report
) -> None:
    """Run each phase to its end. A seed is its frontier as bits, whether they are ties, their level."""
    queue = _Queue(push, crew, report)
    for frontier, ties, level in seeds:
        queue.run(frontier, ties, level)


class _Queue:
    """The frontier, first in, first out; for shared levels also a list of its own for each thread."""

    def __init__(self, push: Push, crew: Crew, report: Report) -> None:
        n = len(push.value)
        self.push = push
        self.report = report
        self.crew = crew
        # A power of two, so that the owner of a vertex is some of its bits.
        self.threads = 1 << (crew.threads.bit_length() - 1)
        self.mask = self.threads - 1
        self.entries: IntArray = np.empty(n, index_dtype(2 * n + 1))
        self.capacity = max(FEWEST_A_BIN, ENTRIES_A_ROUND // self.threads)
        self.own: list[IntArray] = []
        self.bins: IntArray = np.empty((0, 0), self.entries.dtype)

    def run(self, frontier: ByteArray, ties: bool, level: int) -> None:
        """Push from the frontier until nothing follows."""
        push = self.push
        alone = jit.compiled(kernels.run_levels)
        head, tail = 0, int(jit.compiled(kernels.enter)(frontier, self.entries))
        while head < tail:
            head, tail, level = alone(
                push.rindptr, push.rindices, push.owner, push.owned, ties, push.remaining,
                push.value, push.remoteness, self.entries, head, tail, level, WIDEST_ALONE,
                EDGES_A_REPORT,
            )  # fmt: skip
            if tail - head > WIDEST_ALONE:
                level += 1
                head, tail = self._shared_level(ties, level, head, tail)
            self.report(Progress("solving", tail, len(push.value)))

    def _shared_level(self, ties: bool, level: int, head: int, tail: int) -> tuple[int, int]:
        """Run one level by all threads, in rounds of as much as the bins hold."""
        push, mask, threads, capacity = self.push, self.mask, self.threads, self.capacity
        self._make_room()
        bins, own = self.bins, self.own
        filled = np.zeros((threads, threads), np.int64)
        cuts = [head + (tail - head) * t // threads for t in range(threads + 1)]
        place, edge, found = cuts[:-1], [-1] * threads, [0] * threads
        gather, absorb = jit.compiled(kernels.gather), jit.compiled(kernels.absorb)
        settle = jit.compiled(kernels.settle)

        def gather_part(t: int) -> None:
            place[t], edge[t] = gather(
                push.rindptr, push.rindices, self.entries, place[t], edge[t], cuts[t + 1], mask,
                capacity, bins[t], filled[t],
            )  # fmt: skip

        def absorb_part(o: int) -> None:
            found[o] = absorb(
                push.owner, push.owned, ties, push.remaining, own[o], found[o], bins.reshape(-1),
                filled.reshape(-1), mask, capacity, threads, o,
            )  # fmt: skip

        def settle_part(o: int) -> None:
            # In order of vertices, what follows reads and writes memory in order too.
            new = own[o][: found[o]]
            new.sort()
            settle(push.owner, push.owned, ties, level, push.value, push.remoteness, new)
            start = tail + sum(found[:o])
            self.entries[start : start + found[o]] = new

        while any(place[t] < cuts[t + 1] for t in range(threads)):
            self.crew.each(gather_part, threads)
            self.crew.each(absorb_part, threads)
        self.crew.each(settle_part, threads)
        return tail, tail + sum(found)

    def _make_room(self) -> None:
        """Make the bins and the threads' own lists, once."""
        if self.own:
            return
        dtype = self.entries.dtype
        blocks = -(-len(self.push.value) // (1 << kernels.BLOCK_SHIFT))
        owned = -(-blocks // self.threads) << kernels.BLOCK_SHIFT
        self.own = [np.empty(owned, dtype) for _ in range(self.threads)]
        self.bins = np.empty((self.threads, self.threads * self.capacity), dtype)

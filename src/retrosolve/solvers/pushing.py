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
ENTRIES_A_BATCH = 1 << 10
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
    """The frontiers, a part of the queue for each thread."""

    def __init__(self, push: Push, crew: Crew, report: Report) -> None:
        n = len(push.value)
        self.push = push
        self.report = report
        self.crew = crew
        # A power of two, so that the owner of a vertex is some of its bits.
        self.threads = 1 << (crew.threads.bit_length() - 1)
        self.mask = self.threads - 1
        blocks = -(-n // (1 << kernels.BLOCK_SHIFT))
        rounds = -(-blocks // self.threads)
        self.base = np.arange(self.threads, dtype=np.int64) * (rounds << kernels.BLOCK_SHIFT)
        length = self.threads * (rounds << kernels.BLOCK_SHIFT)
        self.entries: IntArray = np.empty(length, index_dtype(2 * n + 1))
        self.batch = np.empty(ENTRIES_A_BATCH, self.entries.dtype)
        self.capacity = max(FEWEST_A_BIN, ENTRIES_A_ROUND // self.threads)
        self.bins: IntArray | None = None

    def run(self, frontier: ByteArray, ties: bool, level: int) -> None:
        """Push from the frontier until nothing follows."""
        heads, tails = self.base.copy(), self.base.copy()
        jit.compiled(kernels.enter)(frontier, self.mask, self.entries, tails)
        ends = np.empty_like(heads)
        push = self.push
        alone = jit.compiled(kernels.run_levels)
        width = int((tails - heads).sum())
        while width:
            level, width = alone(
                push.rindptr, push.rindices, push.owner, push.owned, ties, push.remaining,
                push.value, push.remoteness, self.entries, self.mask, ends, heads, tails,
                self.batch, level, WIDEST_ALONE, EDGES_A_REPORT,
            )  # fmt: skip
            if width > WIDEST_ALONE:
                level += 1
                width = self._shared_level(ties, level, heads, tails)
            pushed = int((tails - self.base).sum())
            self.report(Progress("solving", pushed, len(push.value)))

    def _shared_level(self, ties: bool, level: int, heads: IntArray, tails: IntArray) -> int:
        """Run one level by all threads, in rounds of as much as the bins hold."""
        push, mask, threads = self.push, self.mask, self.threads
        if self.bins is None:
            self.bins = np.empty(threads * threads * self.capacity, self.entries.dtype)
        bins = self.bins.reshape(threads, -1)
        filled = np.zeros((threads, threads), np.int64)
        ends = tails.copy()
        gather, absorb = jit.compiled(kernels.gather), jit.compiled(kernels.absorb)
        settle = jit.compiled(kernels.settle)
        edges = [-1] * threads

        def gather_part(t: int) -> None:
            heads[t], edges[t] = gather(
                push.rindptr, push.rindices, self.entries, heads[t], edges[t], ends[t], mask,
                self.capacity, bins[t], filled[t],
            )  # fmt: skip

        def absorb_part(o: int) -> None:
            tails[o] = absorb(
                push.owner, push.owned, ties, push.remaining, self.entries, tails[o],
                bins.reshape(-1), filled.reshape(-1), mask, self.capacity, threads, o,
            )  # fmt: skip

        def settle_part(o: int) -> None:
            # In order of vertices, what follows reads and writes memory in order too.
            self.entries[ends[o] : tails[o]].sort()
            settle(
                push.owner, push.owned, ties, level, push.value, push.remoteness, self.entries,
                ends[o], tails[o],
            )  # fmt: skip

        while bool((heads < ends).any()):
            self.crew.each(gather_part, threads)
            self.crew.each(absorb_part, threads)
        self.crew.each(settle_part, threads)
        return int((tails - ends).sum())

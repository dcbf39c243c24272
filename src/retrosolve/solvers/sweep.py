"""Sets of vertices as bits, and the sweeps over them: what the large solvers share.

Three bits a vertex and its remoteness are the whole state; see ``kernels.sweep`` for what they mean.
"""

from __future__ import annotations

import numpy as np

from retrosolve.arrays import PLACEHOLDER, ByteArray, IntArray, index_dtype
from retrosolve.compilation import jit
from retrosolve.kernels import sweep as kernels
from retrosolve.runtime.threads import ThreadPool
from retrosolve.spaces.base import CsrSpace
from retrosolve.values import INVALID, Value


class SweepState:
    """The state of a solve by sweeps: sides, ties, what is decided, and what came last."""

    def __init__(self, graph: CsrSpace, stuck: Value, pool: ThreadPool) -> None:
        n = graph.num_vertices
        self.graph = graph
        self.pool = pool
        self.bytes = (n + 7) // 8
        self.cuts = pool.chunks(self.bytes)
        self.sides = np.zeros(2 * self.bytes, np.uint8)
        self.tied = np.zeros(self.bytes, np.uint8)
        self.decided = np.zeros(self.bytes, np.uint8)
        self.fresh = np.zeros(2 * self.bytes, np.uint8)
        self.remoteness: IntArray = np.empty(n, index_dtype(n))
        self.owned = graph.owner is not None
        self.owner = PLACEHOLDER if graph.owner is None else graph.owner
        terminal = PLACEHOLDER if graph.terminals is None else graph.terminals
        initialise = jit.compiled(kernels.initialise)
        degrees = pool.map_ranges(
            lambda start, stop: initialise(
                graph.indptr, terminal, graph.terminals is not None, self.owner, self.owned,
                int(stuck), self.sides, self.tied, self.decided, self.remoteness, start, stop,
            ),
            self.cuts,
        )  # fmt: skip
        self.largest_degree = max(degrees, default=0)
        self.level = 0
        self.fresh[:] = self.sides
        self.undecided = n - self._count(self.decided) + (8 * self.bytes - n)

    @staticmethod
    def _count(bits: ByteArray) -> int:
        return int(np.bitwise_count(bits).sum(dtype=np.int64))

    def halves(self, bits: ByteArray) -> tuple[ByteArray, ByteArray]:
        """Return both halves of a pair of sets."""
        return bits[: self.bytes], bits[self.bytes :]

    def sweep(self) -> tuple[int, int]:
        """Sweep once for wins and losses. Return the edges visited and the vertices decided."""
        zero, one = self.halves(self.fresh)
        news = int(zero.any()) | int(one.any()) << 1
        if not news:
            return 0, 0
        self.level += 1
        kernel = jit.compiled(kernels.sweep)
        graph = self.graph
        found = self.pool.map_ranges(
            lambda start, stop: kernel(
                graph.indptr, graph.indices, self.owner, self.owned, self.sides, self.decided,
                self.fresh, news, self.remoteness, self.level, start, stop,
            ),
            self.cuts,
        )  # fmt: skip
        self.sides |= self.fresh
        self.decided |= zero
        self.decided |= one
        return self._totals(found)

    def sweep_ties(self) -> tuple[int, int]:
        """Sweep once for ties. Return the edges visited and the vertices decided."""
        self.level += 1
        kernel = jit.compiled(kernels.sweep_ties)
        graph = self.graph
        found = self.pool.map_ranges(
            lambda start, stop: kernel(
                graph.indptr, graph.indices, self.tied, self.decided, self.fresh,
                self.remoteness, self.level, start, stop,
            ),
            self.cuts,
        )  # fmt: skip
        fresh = self.halves(self.fresh)[0]
        self.tied |= fresh
        self.decided |= fresh
        return self._totals(found)

    def start_ties(self) -> None:
        """Begin the phase of ties: those there are come first."""
        self.level = 0
        self.fresh[: self.bytes] = self.tied
        self.fresh[self.bytes :] = 0

    def _totals(self, found: list[tuple[int, int]]) -> tuple[int, int]:
        decided = sum(int(vertices) for _, vertices in found)
        self.undecided -= decided
        return sum(int(edges) for edges, _ in found), decided

    def values(self) -> ByteArray:
        """Return the value of every vertex [n]."""
        value = np.empty(self.graph.num_vertices, np.uint8)
        kernel = jit.compiled(kernels.values)
        self.pool.map_ranges(
            lambda start, stop: kernel(
                self.sides, self.tied, self.owner, self.owned, value, start, stop
            ),
            self.cuts,
        )
        terminals = self.graph.terminals
        if terminals is not None:
            value[terminals == INVALID] = INVALID
        return value

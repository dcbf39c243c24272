"""Sweeps over large graphs, with sets of vertices as bits.

The state is three bits for each vertex, and its remoteness; see ``kernels.sweep``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import PLACEHOLDER, ByteArray, IntArray, index_dtype
from retrosolve.compilation import jit
from retrosolve.kernels import sweep as kernels
from retrosolve.runtime.checkpoint import Facts, Snapshot
from retrosolve.runtime.threads import ThreadPool
from retrosolve.spaces.base import CsrSpace
from retrosolve.values import INVALID, Value

SWEEP = "sweep"


class SweepState:
    """The state of a solve by sweeps.

    Attributes
    ----------
    sides : uint8 [2 * num_bytes]
        Where players alternate, the LOSS and then the WIN vertices; with owners, the vertices that
        player 1 wins and then those that player 0 wins.
    tied, decided : uint8 [num_bytes]
        The vertices with a TIE, and all decided vertices.
    fresh : uint8 [2 * num_bytes]
        The vertices decided in the last sweep, as in ``sides``.
    remoteness : int32 or int64 [n]
    undecided : int
        The number of undecided vertices.
    """

    def __init__(self, graph: CsrSpace, stuck: Value, pool: ThreadPool) -> None:
        n = graph.num_vertices
        self.graph = graph
        self.pool = pool
        self.num_bytes = (n + 7) // 8
        self.cuts = pool.chunks(self.num_bytes)
        self.sides = np.zeros(2 * self.num_bytes, np.uint8)
        self.tied = np.zeros(self.num_bytes, np.uint8)
        self.decided = np.zeros(self.num_bytes, np.uint8)
        self.fresh = np.zeros(2 * self.num_bytes, np.uint8)
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
        self.undecided = n - self._count(self.decided) + (8 * self.num_bytes - n)

    def snapshot(self, ties: bool, spent: float) -> tuple[Facts, Mapping[str, NDArray[Any]]]:
        """Return the facts and the arrays of a snapshot after a sweep; ``spent`` is its caller's."""
        facts: dict[str, int | str] = {
            "stage": SWEEP, "ties": int(ties), "spent": int(spent), "level": self.level,
            "undecided": self.undecided,
        }  # fmt: skip
        return facts, self._arrays()

    def restore(self, snapshot: Snapshot) -> tuple[bool, float]:
        """Read a snapshot; return whether ties are swept, and what was spent."""
        facts: Any = snapshot.facts
        for name, array in self._arrays().items():
            snapshot.read(name, array)
        self.level, self.undecided = facts["level"], facts["undecided"]
        return bool(facts["ties"]), float(facts["spent"])

    def _arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays that sweeps change."""
        return {
            "sides": self.sides, "tied": self.tied, "decided": self.decided, "fresh": self.fresh,
            "remoteness": self.remoteness,
        }  # fmt: skip

    @staticmethod
    def _count(bits: ByteArray) -> int:
        """Return the size of a set."""
        return int(np.bitwise_count(bits).sum(dtype=np.int64))

    def halves(self, bits: ByteArray) -> tuple[ByteArray, ByteArray]:
        """Return both sets of a pair."""
        return bits[: self.num_bytes], bits[self.num_bytes :]

    def sweep(self) -> tuple[int, int]:
        """Sweep once for wins and losses; return the numbers of edges visited and vertices decided."""
        zero, one = self.halves(self.fresh)
        changed = int(zero.any()) | int(one.any()) << 1
        if not changed:
            return 0, 0
        self.level += 1
        kernel = jit.compiled(kernels.sweep)
        graph = self.graph
        found = self.pool.map_ranges(
            lambda start, stop: kernel(
                graph.indptr, graph.indices, self.owner, self.owned, self.sides, self.decided,
                self.fresh, changed, self.remoteness, self.level, start, stop,
            ),
            self.cuts,
        )  # fmt: skip
        self.sides |= self.fresh
        self.decided |= zero
        self.decided |= one
        return self._totals(found)

    def sweep_ties(self) -> tuple[int, int]:
        """Sweep once for ties; return the numbers of edges visited and vertices decided."""
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
        """Start the phase of ties from the ties that are decided."""
        self.level = 0
        self.fresh[: self.num_bytes] = self.tied
        self.fresh[self.num_bytes :] = 0

    def _totals(self, found: list[tuple[int, int]]) -> tuple[int, int]:
        """Return the sums of edges and decided vertices of the chunks of a sweep."""
        decided = sum(int(vertices) for _, vertices in found)
        self.undecided -= decided
        return sum(int(edges) for edges, _ in found), decided

    def values(self) -> ByteArray:
        """Return the value of every vertex, uint8 [n]."""
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

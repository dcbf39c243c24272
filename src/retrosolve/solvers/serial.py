"""Small graphs, and graphs whose edges lead to close numbers, on one thread.

Edges need not be sorted. While a level has a tiny fraction of the vertices, all edges are scanned for
it, which costs a quarter of transposing them. Otherwise all of them are transposed by one counting
sort, and values are propagated (``kernels.frontier``).
"""

from __future__ import annotations

import numpy as np

from retrosolve.arrays import PLACEHOLDER, ByteArray, IntArray, index_dtype
from retrosolve.compilation import jit
from retrosolve.kernels import serial as kernels
from retrosolve.kernels.frontier import state_dtype
from retrosolve.runtime import tuning, workspace
from retrosolve.runtime.context import Context
from retrosolve.runtime.threads import ALONE
from retrosolve.solvers.frontier import PROPAGATION, Propagation, queue_shape
from retrosolve.spaces.base import CsrSpace
from retrosolve.spaces.stored import narrow_dtype
from retrosolve.values import TIE, Value


def solve(graph: CsrSpace, stuck: Value, context: Context) -> tuple[ByteArray, IntArray]:
    """Solve a graph with stored edges in O(n + m) time.

    Parameters
    ----------
    graph : CsrSpace
    stuck : Value
        The value of a vertex without edges, for the player to move.
    context : Context

    Returns
    -------
    value : uint8 [n]
    remoteness : int32 or int64 [n]
    """
    n, m = graph.num_vertices, graph.num_edges
    transpose = (n + 1, index_dtype(m)), (m, narrow_dtype(n))
    with workspace.arrays(queue_shape(n), (n, np.uint8), *transpose) as arrays:
        return _SerialSolve(graph, stuck, context, *arrays).solve()


class _SerialSolve:
    """A graph and the state of its solve; see ``kernels.frontier``."""

    def __init__(
        self,
        graph: CsrSpace,
        stuck: Value,
        context: Context,
        queue: IntArray,
        state: IntArray,
        rindptr: IntArray,
        rindices: IntArray,
    ) -> None:
        n = graph.num_vertices
        self.graph = graph
        self.context = context
        self.owned = graph.owner is not None
        self.may_tie = stuck == TIE or graph.terminals is not None
        self.queue = queue
        degree = self._degrees()
        self.value, self.remoteness = np.empty(n, np.uint8), np.empty(n, index_dtype(n))
        needed = state_dtype(int(np.maximum.reduce(degree, initial=0)), graph.num_edges)
        self.state: IntArray = state if needed == np.uint8 else np.empty(n, needed)
        self.rindptr, self.rindices = rindptr, rindices
        self.tail: int = jit.compiled(kernels.initialise)(
            PLACEHOLDER if graph.terminals is None else graph.terminals, graph.terminals is not None,
            PLACEHOLDER if graph.owner is None else graph.owner, self.owned,
            int(stuck), degree, self.value, self.remoteness, self.state, self.queue,
        )  # fmt: skip
        self.propagation: Propagation | None = None

    def _degrees(self) -> IntArray:
        """Return the number of edges out of each vertex, in the memory of the queue."""
        degree = self.queue[: self.graph.num_vertices]
        if self.graph.edge_list is None:
            return np.subtract(self.graph.indptr[1:], self.graph.indptr[:-1], out=degree)
        degree[:] = 0
        jit.compiled(kernels.degrees)(self.graph.edge_list[0], degree)
        return degree

    def solve(self) -> tuple[ByteArray, IntArray]:
        """Solve for wins and losses, then for ties; return values and remotenesses."""
        snapshot = self.context.checkpoint.resumed(PROPAGATION)
        if snapshot is None:
            self._run(self.tail, ties=False)
            finished = False
        else:
            self.propagation = self._transpose()
            finished = self.propagation.resume(snapshot)
        if self.may_tie and not finished:
            ties = np.flatnonzero(self.value == TIE)
            self.queue[: len(ties)] = 2 * ties
            self._run(len(ties), ties=True)
        return self.value, self.remoteness

    def _run(self, tail: int, ties: bool) -> None:
        """Run a phase from the first ``tail`` entries of the queue, decided before any move."""
        head = level = 0
        if self.propagation is None and self.graph.edge_list is not None:
            tuned = tuning.current()
            tiny = self.graph.num_vertices // tuned.tiny_fraction
            while head < tail <= head + tiny and level < tuned.max_full_scans:
                head, tail = tail, self._scan_level(ties, head, tail, level)
                level += 1
        if head < tail:
            self.propagation = self.propagation or self._transpose()
            self.propagation.run(tail, ties, level, head)

    def _scan_level(self, ties: bool, head: int, tail: int, level: int) -> int:
        """Process one level by scanning all edges; return the new tail."""
        assert self.graph.edge_list is not None
        new_tail: int = jit.compiled(kernels.scan_level)(
            *self.graph.edge_list, np.zeros(self.graph.num_vertices, np.uint8), self.state,
            0 if self.owned else 1, ties, self.value, self.remoteness, self.queue, head, tail, level,
        )  # fmt: skip
        return new_tail

    def _transpose(self) -> Propagation:
        """Transpose the edges; return the propagation along them."""
        self.rindptr[:] = 0
        if self.graph.edge_list is not None:
            jit.compiled(kernels.reverse_edges)(*self.graph.edge_list, self.rindptr, self.rindices)
        else:
            rows = self.graph.indptr, self.graph.indices
            jit.compiled(kernels.reverse_rows)(*rows, self.rindptr, self.rindices)
        return Propagation(
            self.rindptr, self.rindices, self.owned, self.state, self.value, self.remoteness,
            self.queue, ALONE, self.context.progress, self.graph.num_vertices,
            self.context.checkpoint, {},
        )  # fmt: skip

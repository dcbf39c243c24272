"""Small graphs, and graphs whose edges lead to close numbers, on one thread.

The algorithm is that of ``worklist``. Edges need not be sorted. While a level has a tiny fraction of
the vertices, all edges are scanned for it, which costs a quarter of transposing them. Otherwise all of
them are transposed by one counting sort, straight to their place, which is best while the cache holds
what is met (``csr.partition`` is for the rest); then values are propagated (``csr.propagation``).
"""

from __future__ import annotations

import numpy as np

from retrosolve.arrays import ByteArray, IntArray, index_dtype, or_placeholder
from retrosolve.compilation import jit
from retrosolve.compilation.unsigned import u64
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Context
from retrosolve.runtime.threads import ALONE
from retrosolve.runtime.workspace import Buffers
from retrosolve.spaces.base import CsrSpace, StateSpace
from retrosolve.spaces.csr.open_moves import (
    MARK,
    counter,
    entry_of,
    is_open,
    side,
    state_dtype,
    value_of,
    vertex,
)
from retrosolve.spaces.csr.propagation import Propagation, queue_shape
from retrosolve.spaces.graph import narrow_dtype
from retrosolve.values import DRAW, INVALID, LOSS, TIE, WIN, Value

SERIAL = "serial propagation"  # the stage of snapshots, which are of all edges


def buffers(space: StateSpace, num_edges: int) -> Buffers:
    """Declare the arrays of a solve beyond the graph, the result included."""
    n, edge = space.num_vertices, index_dtype(num_edges)
    return Buffers(
        value=(n, np.uint8),
        remoteness=(n, index_dtype(n)),
        queue=queue_shape(n),
        state=(n, np.uint8),
        wide_state=(n, edge),  # where a vertex has many edges
        front=(n, np.uint8),
        rindptr=(n + 1, edge),
        rindices=(num_edges, narrow_dtype(n)),
    )


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
    declared = buffers(graph, graph.num_edges)
    with declared.scratch("queue", "state", "rindptr", "rindices") as arrays:
        return _SerialSolve(graph, stuck, context, declared, *arrays).solve()


class _SerialSolve:
    """A graph and the state of its solve; see ``csr.propagation``."""

    def __init__(
        self,
        graph: CsrSpace,
        stuck: Value,
        context: Context,
        declared: Buffers,
        queue: IntArray,
        state: IntArray,
        rindptr: IntArray,
        rindices: IntArray,
    ) -> None:
        self.graph = graph
        self.context = context
        self.owned = graph.owner is not None
        self.may_tie = stuck == TIE or graph.terminals is not None
        self.queue = queue
        degree = self._degrees()
        self.value, self.remoteness = declared.empty("value"), declared.empty("remoteness")
        needed = state_dtype(int(np.maximum.reduce(degree, initial=0)), graph.num_edges)
        self.state = state if needed == np.uint8 else declared.empty("wide_state", needed)
        self.rindptr, self.rindices = rindptr, rindices
        self.tail: int = jit.compiled(initialise)(
            *or_placeholder(graph.terminals), *or_placeholder(graph.owner), int(stuck), degree,
            self.value, self.remoteness, self.state, self.queue,
        )  # fmt: skip
        self.propagation: Propagation | None = None

    def _degrees(self) -> IntArray:
        """Return the number of edges out of each vertex, in the memory of the queue."""
        degree = self.queue[: self.graph.num_vertices]
        if self.graph.edge_list is None:
            return np.subtract(self.graph.indptr[1:], self.graph.indptr[:-1], out=degree)
        degree[:] = 0
        jit.compiled(degrees)(self.graph.edge_list[0], degree)
        return degree

    def solve(self) -> tuple[ByteArray, IntArray]:
        """Solve for wins and losses, then for ties; return values and remotenesses."""
        snapshot = self.context.checkpoint.resumed(SERIAL)
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
        new_tail: int = jit.compiled(scan_level)(
            *self.graph.edge_list, np.zeros(self.graph.num_vertices, np.uint8), self.state,
            0 if self.owned else 1, ties, self.value, self.remoteness, self.queue, head, tail, level,
        )  # fmt: skip
        return new_tail

    def _transpose(self) -> Propagation:
        """Transpose the edges; return the propagation along them."""
        self.rindptr[:] = 0
        if self.graph.edge_list is not None:
            jit.compiled(reverse_edges)(*self.graph.edge_list, self.rindptr, self.rindices)
        else:
            rows = self.graph.indptr, self.graph.indices
            jit.compiled(reverse_rows)(*rows, self.rindptr, self.rindices)
        return Propagation(
            self.rindptr, self.rindices, self.owned, self.state, self.value, self.remoteness,
            self.queue, ALONE, self.context.progress, self.graph.num_vertices,
            self.context.checkpoint, {}, SERIAL,
        )  # fmt: skip


def degrees(numbers: IntArray, counts: IntArray) -> None:
    """Count how often each number occurs.

    Parameters
    ----------
    numbers : integers [m]
        Numbers from 0 to n - 1.
    counts : int32 or int64 [n]
        All 0 before; the counts after.
    """
    for e in range(len(numbers)):
        counts[u64(numbers[u64(e)])] += 1


def reverse_edges(source: IntArray, target: IntArray, rindptr: IntArray, rindices: IntArray) -> None:
    """Reverse edges that come in any order, by one counting sort.

    Parameters
    ----------
    source, target : uint16, int32 or int64 [m]
        The edges.
    rindptr : int32 or int64 [n + 1]
        All 0 before; the row starts after.
    rindices : uint16, int32 or int64 [m]
        Overwritten with the predecessors, in the order of the edges.
    """
    for e in range(len(target)):
        rindptr[u64(target[u64(e)])] += 1
    for v in range(len(rindptr) - 1):
        rindptr[u64(v + 1)] += rindptr[u64(v)]
    for e in range(len(source) - 1, -1, -1):
        w = u64(target[u64(e)])
        place = rindptr[w] - 1
        rindptr[w] = place
        rindices[u64(place)] = source[u64(e)]


def reverse_rows(indptr: IntArray, indices: IntArray, rindptr: IntArray, rindices: IntArray) -> None:
    """Reverse edges that come as rows, by one counting sort.

    Parameters
    ----------
    indptr, indices : int32 or int64 [n + 1], [m]
        Rows of the successors.
    rindptr, rindices
        As in ``reverse_edges``.
    """
    n = len(indptr) - 1
    for e in range(len(indices)):
        rindptr[u64(indices[u64(e)])] += 1
    for v in range(n):
        rindptr[u64(v + 1)] += rindptr[u64(v)]
    for v in range(n - 1, -1, -1):
        for e in range(indptr[v], indptr[v + 1]):
            w = u64(indices[u64(e)])
            place = rindptr[w] - 1
            rindptr[w] = place
            rindices[u64(place)] = v


def scan_level(
    source: IntArray, target: IntArray, front: ByteArray, state: IntArray, alternating: int,
    ties: bool, value: ByteArray, remoteness: IntArray, queue: IntArray, head: int, tail: int,
    level: int,
) -> int:  # fmt: skip
    """Run one level by a scan of all edges, none of them reversed.

    The vertices that it decides are settled at ``level + 1`` and appended to the queue. These are the
    lines of ``worklist.propagate``, with a predicted branch: few edges lead into a level that is tiny.

    Parameters
    ----------
    source, target : uint16, int32 or int64 [m]
        The edges.
    front : uint8 [n]
        All 0 before and after; marks the level.
    state, alternating, ties, value, remoteness, queue
        As in ``propagation.propagate``.
    head, tail, level : int
        ``queue[head:tail]`` is of ``level``.

    Returns
    -------
    int
        The new end of the queue.
    """
    for i in range(head, tail):
        front[vertex(queue[u64(i)])] = MARK + side(queue[u64(i)])
    end = tail
    for e in range(len(target)):
        mark = front[u64(target[u64(e)])]
        if mark == 0:
            continue
        v = u64(source[u64(e)])
        s = state[v]
        if not is_open(s):
            continue
        if ties or side(s) == side(mark) or counter(s) == 1:
            entry = entry_of(v, side(mark) ^ alternating)
            state[v] = side(s)
            queue[u64(tail)] = entry
            tail += 1
            remoteness[v] = level + 1
            value[v] = value_of(entry, s, alternating, ties)
        else:
            state[v] = s - 2
    for i in range(head, end):
        front[vertex(queue[u64(i)])] = 0
    return tail


def initialise(
    terminal: ByteArray, has_terminals: bool, owner: ByteArray, owned: bool, stuck: int,
    degree: IntArray, value: ByteArray, remoteness: IntArray, state: IntArray, queue: IntArray,
) -> int:  # fmt: skip
    """Settle terminal vertices and those without moves; queue and count those that are won or lost.

    Parameters
    ----------
    terminal, owner : uint8 [n]
        Terminal values, read only if ``has_terminals``; the player to move, read only if ``owned``.
    has_terminals, owned : bool
        Whether there are terminal values, and owners.
    stuck : int
        The value of a vertex without moves.
    degree : int32 or int64 [n]
        The number of moves; ``queue`` may begin at the same address.
    value, remoteness : uint8 [n], int32 or int64 [n]
        Overwritten; 0 and -1 where undecided.
    state, queue
        Overwritten, as in ``csr.open_moves``; ``queue`` has a spare place at its end.

    Returns
    -------
    int
        The end of the queue.
    """
    n, tail = len(state), 0
    if not has_terminals and not owned:
        for v in range(n):  # without a branch, so that LLVM handles several at a time
            open_moves = degree[v]
            value[v] = stuck if open_moves == 0 else DRAW
            remoteness[v] = 0 if open_moves == 0 else -1
            state[v] = 2 * open_moves
        if stuck != TIE:
            won = 1 if stuck == WIN else 0
            for v in range(n):  # each is appended, and the next one overwrites those that are undecided
                queue[u64(tail)] = entry_of(v, won)
                tail += value[u64(v)] != DRAW
        return tail
    for v in range(n):
        end = terminal[u64(v)] if has_terminals else DRAW
        open_moves = degree[u64(v)]
        end = stuck if end == DRAW and open_moves == 0 else end
        own = 1 if owned and owner[u64(v)] == 0 else 0
        value[u64(v)] = end
        remoteness[u64(v)] = 0 if end not in (DRAW, INVALID) else -1
        state[u64(v)] = own if end != DRAW else 2 * open_moves + own
        won = 1 if end == WIN else 0
        if won == 1 or end == LOSS:
            queue[u64(tail)] = entry_of(v, won if own or not owned else 1 - won)
            tail += 1
    return tail

"""The textbook algorithm: a queue of decided vertices, and a counter of open moves at each other one.

A decided vertex notifies its predecessors. One that sees a WIN is decided at once; one that sees a LOSS
counts down its open moves and is a LOSS at zero. The queue is first in, first out, so vertices enter it
in order of remoteness, and the move that brings a counter to zero is the longest. Ties follow in a
second phase, in which one move to a TIE decides. What is never decided is a DRAW.

All other retrograde solvers compute the same, faster or in less memory: ``propagate`` is what they
quote. Small graphs are solved by this file itself, without a compiler where they are tiny.

Sources: Dowling and Gallier's linear-time Horn satisfiability (1984), doi:10.1016/0743-1066(84)90014-1,
has the counters; Thompson's "Retrograde analysis of certain endgames" (ICCA Journal 9, 1986) applies
them to chess.
"""

from __future__ import annotations

import numpy as np

from retrosolve.arrays import ByteArray, IntArray, index_dtype, or_placeholder, row_bounds
from retrosolve.compilation import jit
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Context, Progress
from retrosolve.runtime.workspace import Buffers
from retrosolve.spaces.base import CsrSpace, StateSpace
from retrosolve.tables import ArrayTable
from retrosolve.tables.result import SolveResult, Statistics
from retrosolve.values import DRAW, INVALID, LOSS, TIE, WIN, Value


def buffers(space: StateSpace, num_edges: int) -> Buffers:
    """Declare the arrays of a solve beyond the graph, the result included."""
    n, vertex, edge = space.num_vertices, index_dtype(space.num_vertices), index_dtype(num_edges)
    return Buffers(
        value=(n, np.uint8),
        remoteness=(n, vertex),
        queue=(n, vertex),
        open_moves=(n, np.int64),
        rindptr=((2, n), edge),  # and the degrees that it is the sum of
        edges=((4, num_edges), vertex),  # sources and targets before they are sorted, and after
        order=((2, num_edges), np.int64),
    )


def solve(graph: CsrSpace, stuck: Value, context: Context) -> SolveResult:
    """Solve a graph with stored edges in O(n + m) time, on one thread.

    Parameters
    ----------
    graph : CsrSpace
    stuck : Value
        The value of a vertex without edges, for the player to move.
    context : Context

    Returns
    -------
    SolveResult
        With a table of arrays.

    Examples
    --------
    >>> import retrosolve as rs
    >>> graph = rs.Graph.from_edges(["a", "b", "b"], ["b", "a", "c"])
    >>> [str(rs.solve(graph, solver="worklist")[v]) for v in "abc"]
    ['LOSS in 2', 'WIN in 1', 'LOSS in 0']
    """
    value, remoteness = initialise(graph, stuck)
    rindptr, rindices = _transpose_undecided(graph, value)
    open_moves = np.where(value == DRAW, graph.out_degrees(), 0)
    owner, owned = or_placeholder(graph.owner)
    work, budget = graph.num_vertices + graph.num_edges, tuning.current().edges_per_report
    queue, decided = np.empty_like(remoteness), 0
    for seeds in np.flatnonzero((value == WIN) | (value == LOSS)), np.flatnonzero(value == TIE):
        head, tail = 0, len(seeds)
        queue[:tail] = seeds
        while head < tail:
            head, tail = jit.run(
                propagate, work, rindptr, rindices, owner, owned, value, remoteness, open_moves,
                queue, head, tail, budget,
            )  # fmt: skip
            context.progress(Progress("solving", decided + head, graph.num_vertices))
        decided += tail
    return SolveResult(ArrayTable(value, remoteness), Statistics(graph.num_edges))


def _transpose_undecided(graph: CsrSpace, value: ByteArray) -> tuple[IntArray, IntArray]:
    """Return the rows of predecessors, only from edges out of undecided vertices."""
    source = np.repeat(np.arange(graph.num_vertices, dtype=graph.indices.dtype), graph.out_degrees())
    undecided = value[source] == DRAW
    source, target = source[undecided], graph.indices[undecided]
    degrees = np.bincount(target, minlength=graph.num_vertices)
    return row_bounds(degrees, graph.indptr.dtype), source[np.argsort(target, kind="stable")]


def propagate(
    rindptr: IntArray, rindices: IntArray, owner: ByteArray, owned: bool, value: ByteArray,
    remoteness: IntArray, open_moves: IntArray, queue: IntArray, head: int, tail: int, budget: int,
) -> tuple[int, int]:  # fmt: skip
    """Take vertices from the queue until it is empty or ``budget`` edges have been visited.

    Parameters
    ----------
    rindptr, rindices : int32 or int64 [n + 1], [m]
        Rows of the predecessors.
    owner : uint8 [n]
        The player to move, read only if ``owned``.
    owned : bool
        Whether vertices have owners; if not, players alternate.
    value, remoteness : uint8 [n], int32 or int64 [n]
        Changed in place.
    open_moves : int32 or int64 [n]
        Moves not yet seen to lose, 0 for decided vertices. Changed in place.
    queue : int32 or int64 [n]
        Decided vertices in order of remoteness; changed in place.
    head, tail : int
        ``queue[head:tail]`` is still to be taken.
    budget : int
        Edges and vertices to visit.

    Returns
    -------
    head, tail : int
        The new ends of the queue.
    """
    while head < tail and budget > 0:
        w = queue[head]
        head += 1
        level = remoteness[w] + 1
        tied, lost = value[w] == TIE, value[w] == LOSS
        begin, end = rindptr[w], rindptr[w + 1]
        budget -= end - begin + 1
        for e in range(begin, end):
            v = rindices[e]
            count = open_moves[v]
            if count == 0:
                continue
            same = owned and owner[v] == owner[w]
            if tied or lost != same:  # the player who moves at v wins at w, or ties in the second phase
                value[v] = TIE if tied else WIN
                open_moves[v] = 0
            else:
                open_moves[v] = count - 1
                if count > 1:
                    continue
                value[v] = LOSS
            remoteness[v] = level
            queue[tail] = v
            tail += 1
    return head, tail


def initialise(graph: CsrSpace, stuck: Value) -> tuple[ByteArray, IntArray]:
    """Return value and remoteness with only terminal and stuck vertices decided.

    Parameters
    ----------
    graph : CsrSpace
    stuck : Value
        The value of a vertex without edges, for the player to move.

    Returns
    -------
    value : uint8 [n]
        0 for undecided vertices.
    remoteness : int32 or int64 [n]
        0 for decided vertices, -1 elsewhere.
    """
    n = graph.num_vertices
    value = np.zeros(n, np.uint8) if graph.terminals is None else np.array(graph.terminals)
    value[(graph.out_degrees() == 0) & (value == 0)] = int(stuck)
    remoteness = np.full(n, -1, index_dtype(n))
    remoteness[(value != 0) & (value != INVALID)] = 0
    return value, remoteness

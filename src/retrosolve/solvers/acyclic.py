"""Loop-free graphs: every vertex decided once, in reverse topological order.

Depth-first on the rows as they are (``kernels.loopfree``): no reversed graph, no counters. A cycle
is refused by naming one. Nothing is a DRAW in a loop-free graph.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from retrosolve.arrays import PLACEHOLDER, ByteArray, IntArray, index_dtype
from retrosolve.compilation import jit
from retrosolve.errors import GraphError
from retrosolve.kernels.acyclic import search
from retrosolve.runtime import tuning
from retrosolve.runtime.progress import Progress, ProgressCallback, no_progress
from retrosolve.solvers.initial import initialise
from retrosolve.spaces.graph import Edges, Graph
from retrosolve.values import Value

NAMED_AT_MOST = 12


def workspace(vertices: int, edges: int) -> int:
    """Give the bytes a solve takes beyond the graph: the result, the stack and its cursors."""
    return vertices * (1 + 2 * index_dtype(vertices)(0).itemsize + index_dtype(edges)(0).itemsize)


def solve(
    graph: Graph, stuck: Value, report: ProgressCallback = no_progress, threads: int | None = None
) -> tuple[ByteArray, IntArray]:
    """Give value [n] and remoteness [n] of every vertex. Cost O(n + m).

    Raises GraphError if a cycle can be played; out-edges of terminal vertices cannot.
    """
    value, remoteness = initialise(graph, stuck)
    cursor = graph.indptr[:-1].copy()
    stack = np.empty(graph.vertices, remoteness.dtype)
    owned = graph.owner is not None
    owner = graph.owner if graph.owner is not None else PLACEHOLDER
    ascending = direction(graph) < 0
    root, step = (0, 1) if ascending else (graph.vertices - 1, -1)
    depth, budget = 0, tuning.current().edges_per_report
    while 0 <= root < graph.vertices:
        root, depth, clash = jit.run(
            search,
            graph.vertices + graph.edges,
            graph.indptr,
            graph.indices,
            owner,
            owned,
            value,
            remoteness,
            cursor,
            stack,
            root,
            step,
            depth,
            budget,
        )
        if clash >= 0:
            raise GraphError(_cycle_message(graph, stack[:depth], clash))
        done = root if ascending else graph.vertices - 1 - root
        report(Progress("solving", done, graph.vertices))
    return value, remoteness


def direction(graph: Graph) -> int:
    """Tell whether the numbering is topological: 1 if all edges lead up, -1 if down, else 0.

    Edges out of terminal vertices do not count. A graph without edges gives 1.
    """
    up = down = True
    for source, target in _in_stretches(graph):
        tail, head = source, target
        if graph.terminal is not None:
            goes_on = graph.terminal[tail] == 0
            tail, head = tail[goes_on], head[goes_on]
        up = up and bool((tail < head).all())
        down = down and bool((tail > head).all())
        if not (up or down):
            return 0
    return 1 if up else -1


def _in_stretches(graph: Graph) -> Iterator[Edges]:
    """Give all edges as sources and targets: first some from all over, then in longer stretches."""
    tuned = tuning.current()
    start, look = 0, tuned.topological_sample
    given = graph.unsorted
    if given is not None:
        step = graph.edges // look + 1
        yield given[0][::step], given[1][::step]
    length = graph.vertices if given is None else graph.edges
    while start < length:
        stop = min(start + look, length)
        if given is not None:
            yield given[0][start:stop], given[1][start:stop]
        else:
            indptr, target = graph.rows(start, stop)
            yield np.repeat(np.arange(start, stop), np.diff(indptr)), target
        start, look = stop, min(2 * look, tuned.max_topological_chunk)


def _cycle_message(graph: Graph, stack: IntArray, clash: int) -> str:
    cycle = stack[int(np.flatnonzero(stack == clash)[-1]) :].tolist()
    shown = [str(graph.name(v)) for v in cycle[:NAMED_AT_MOST]]
    if len(cycle) > NAMED_AT_MOST:
        shown.append(f"... ({len(cycle)} vertices)")
    path = " -> ".join([*shown, str(graph.name(clash))])
    return f"the acyclic solver needs a graph without cycles, and this is one: {path}"

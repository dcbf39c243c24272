"""Loop-free graphs: every vertex decided once, in reverse topological order.

Depth-first on the rows as they are (``kernels.loopfree``): no reversed graph, no counters. A cycle
is refused by naming one. Nothing is a DRAW in a loop-free graph.
"""

from __future__ import annotations

import numpy as np

from retrosolve.arrays import PLACEHOLDER, IntArray, index_dtype
from retrosolve.compilation import jit
from retrosolve.errors import GraphError
from retrosolve.kernels.acyclic import search
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Context
from retrosolve.runtime.progress import Progress
from retrosolve.solvers.initial import initialise
from retrosolve.solvers.result import SolveResult
from retrosolve.spaces.base import CsrSpace
from retrosolve.tables import ArrayTable
from retrosolve.values import Value

NAMED_AT_MOST = 12


def workspace(vertices: int, edges: int) -> int:
    """Give the bytes a solve takes beyond the graph: the result, the stack and its cursors."""
    return vertices * (1 + 2 * index_dtype(vertices)(0).itemsize + index_dtype(edges)(0).itemsize)


def solve(graph: CsrSpace, stuck: Value, context: Context) -> SolveResult:
    """Solve a graph without cycles in O(n + m) time.

    Raises GraphError if a cycle can be played; out-edges of terminal vertices cannot.
    """
    value, remoteness = initialise(graph, stuck)
    cursor = graph.indptr[:-1].copy()
    stack = np.empty(graph.num_vertices, remoteness.dtype)
    owned = graph.owner is not None
    owner = graph.owner if graph.owner is not None else PLACEHOLDER
    ascending = graph.direction < 0
    root, step = (0, 1) if ascending else (graph.num_vertices - 1, -1)
    depth, budget = 0, tuning.current().edges_per_report
    while 0 <= root < graph.num_vertices:
        root, depth, clash = jit.run(
            search,
            graph.num_vertices + graph.num_edges,
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
        done = root if ascending else graph.num_vertices - 1 - root
        context.progress(Progress("solving", done, graph.num_vertices))
    return SolveResult(ArrayTable(value, remoteness))


def _cycle_message(graph: CsrSpace, stack: IntArray, clash: int) -> str:
    cycle = stack[int(np.flatnonzero(stack == clash)[-1]) :].tolist()
    shown = [str(graph.position(v)) for v in cycle[:NAMED_AT_MOST]]
    if len(cycle) > NAMED_AT_MOST:
        shown.append(f"... ({len(cycle)} vertices)")
    path = " -> ".join([*shown, str(graph.position(clash))])
    return f"the acyclic solver needs a graph without cycles, and this is one: {path}"

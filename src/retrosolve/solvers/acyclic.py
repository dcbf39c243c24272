"""Acyclic graphs: every vertex is decided once, in reverse topological order.

The search is depth-first along the rows (``kernels.acyclic``), without transposed edges or counters. No
vertex of an acyclic graph is a DRAW. A graph with a cycle raises an error that names the cycle.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrosolve.arrays import PLACEHOLDER, IntArray, index_dtype
from retrosolve.compilation import jit
from retrosolve.errors import GraphError
from retrosolve.kernels.acyclic import search
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Context
from retrosolve.runtime.progress import Progress
from retrosolve.solvers.initial import initialise
from retrosolve.spaces.base import CsrSpace
from retrosolve.tables import ArrayTable
from retrosolve.tables.result import SolveResult
from retrosolve.values import Value

MAX_SHOWN = 12
STAGE = "acyclic"


def workspace(num_vertices: int, num_edges: int) -> int:
    """Return the bytes of a solve beyond the graph: the result, the stack and its cursors."""
    vertex, edge = index_dtype(num_vertices)(0).itemsize, index_dtype(num_edges)(0).itemsize
    return num_vertices * (1 + 2 * vertex + edge)


def solve(graph: CsrSpace, stuck: Value, context: Context) -> SolveResult:
    """Solve an acyclic graph in O(n + m) time.

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

    Raises
    ------
    GraphError
        If there is a cycle of edges out of vertices that are not terminal.
    """
    value, remoteness = initialise(graph, stuck)
    cursor = graph.indptr[:-1].copy()
    stack = np.empty(graph.num_vertices, remoteness.dtype)
    owned = graph.owner is not None
    owner = graph.owner if graph.owner is not None else PLACEHOLDER
    ascending = graph.direction < 0
    root, step = (0, 1) if ascending else (graph.num_vertices - 1, -1)
    depth, budget = 0, tuning.current().edges_per_report
    checkpoint = context.checkpoint
    snapshot = checkpoint.resumed(STAGE)
    if snapshot is not None:
        facts: Any = snapshot.facts
        root, depth = facts["root"], facts["depth"]
        arrays = {"value": value, "remoteness": remoteness, "cursor": cursor, "stack": stack[:depth]}
        for name, array in arrays.items():
            snapshot.read(name, array)
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
        if checkpoint.due():
            checkpoint.save(
                {"stage": STAGE, "root": int(root), "depth": int(depth)},
                {"value": value, "remoteness": remoteness, "cursor": cursor, "stack": stack[:depth]},
            )
        done = root if ascending else graph.num_vertices - 1 - root
        context.progress(Progress("solving", done, graph.num_vertices))
    return SolveResult(ArrayTable(value, remoteness))


def _cycle_message(graph: CsrSpace, stack: IntArray, clash: int) -> str:
    """Return the sentence for a cycle, the part of the stack from ``clash`` on."""
    cycle = stack[int(np.flatnonzero(stack == clash)[-1]) :].tolist()
    shown = [str(graph.position(v)) for v in cycle[:MAX_SHOWN]]
    if len(cycle) > MAX_SHOWN:
        shown.append(f"... ({len(cycle)} vertices)")
    path = " -> ".join([*shown, str(graph.position(clash))])
    return f"the acyclic solver needs a graph without cycles, and this is one: {path}"

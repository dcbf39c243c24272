"""Acyclic graphs: every vertex is decided once, after its successors.

The search is depth-first along the rows, with a stack of its own, without transposed edges or counters.
If the vertices are numbered so that edges lead to decided ones first, the stack never grows and this is
one pass over the edges. No vertex of an acyclic graph is a DRAW. A graph with a cycle raises an error
that names the cycle.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrosolve.arrays import ByteArray, IntArray, index_dtype, or_placeholder
from retrosolve.compilation import jit
from retrosolve.errors import GraphError
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Context, Facts, Progress
from retrosolve.runtime.workspace import Buffers
from retrosolve.solvers.worklist import initialise
from retrosolve.spaces.base import CsrSpace, StateSpace
from retrosolve.tables import ArrayTable
from retrosolve.tables.result import SolveResult
from retrosolve.values import LOSS, TIE, WIN, Value

MAX_SHOWN = 12
STAGE = "acyclic"
BOTH = WIN + LOSS


def buffers(space: StateSpace, num_edges: int) -> Buffers:
    """Declare the arrays of a solve beyond the graph, the result included."""
    n, vertex = space.num_vertices, index_dtype(space.num_vertices)
    return Buffers(
        value=(n, np.uint8),
        remoteness=(n, vertex),
        cursor=(n, index_dtype(num_edges)),
        stack=(n, vertex),
    )


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
    stack = np.empty_like(remoteness)
    owner, owned = or_placeholder(graph.owner)
    ascending = graph.direction < 0
    root, step = (0, 1) if ascending else (graph.num_vertices - 1, -1)
    depth, budget = 0, tuning.current().edges_per_report
    checkpoint = context.checkpoint
    snapshot = checkpoint.resumed(STAGE)
    arrays = {"value": value, "remoteness": remoteness, "cursor": cursor}
    if snapshot is not None:
        facts: Any = snapshot.facts
        root, depth = facts["root"], facts["depth"]
        snapshot.read(arrays | {"stack": stack[:depth]})
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
            place: Facts = {"stage": STAGE, "root": int(root), "depth": int(depth)}
            checkpoint.save(place, arrays | {"stack": stack[:depth]})
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


def search(
    indptr: IntArray, indices: IntArray, owner: ByteArray, owned: bool, value: ByteArray,
    remoteness: IntArray, cursor: IntArray, stack: IntArray, root: int, step: int, depth: int,
    budget: int,
) -> tuple[int, int, int]:  # fmt: skip
    """Decide vertices until none is left, a cycle is met, or ``budget`` edges have been visited.

    Parameters
    ----------
    indptr, indices : int32 or int64 [n + 1], [m]
        Rows of the successors.
    owner : uint8 [n]
        The player to move, read only if ``owned``.
    owned : bool
        Whether vertices have owners; if not, players alternate.
    value, remoteness : uint8 [n], int32 or int64 [n]
        Changed in place; the remoteness is -1 where undecided, -2 while on the stack.
    cursor, stack : int32 or int64 [n]
        The next edge to take, at first the row starts; and the path that leads to the vertex at work.
    root, step, depth : int
        The vertex to try next, how to go on from it (1 or -1), and the length of the path.
    budget : int
        Edges and roots to visit.

    Returns
    -------
    root, depth, clash : int
        Where to go on, and the vertex on the stack that an edge leads back to, or -1.
    """
    n = len(indptr) - 1
    while budget > 0:
        if depth == 0:
            while 0 <= root < n and value[root] != 0:
                root += step
                budget -= 1
            if not 0 <= root < n:
                return root, 0, -1
            stack[0] = root
            depth = 1
            remoteness[root] = -2
        v = stack[depth - 1]
        if cursor[v] < indptr[v + 1]:
            w = indices[cursor[v]]
            cursor[v] += 1
            budget -= 1
            if value[w] == 0:
                if remoteness[w] == -2:
                    return root, depth, w
                stack[depth] = w
                depth += 1
                remoteness[w] = -2
            continue
        depth -= 1
        best = LOSS  # with 0 plies: nothing is chosen yet, and a LOSS is chosen from losses alone
        plies = 0
        for e in range(indptr[v], indptr[v + 1]):
            w = indices[e]
            seen = value[w]
            if seen != TIE and not (owned and owner[v] == owner[w]):
                seen = BOTH - seen  # what the other player wins is lost here
            r = remoteness[w] + 1
            if seen == best:
                plies = max(plies, r) if best == LOSS else min(plies, r)
            elif seen == WIN or best == LOSS:
                best = seen
                plies = r
        value[v] = best
        remoteness[v] = plies
    return root, depth, -1

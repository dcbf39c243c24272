"""Retrograde analysis of a stored graph: linear in the edges, exact remoteness.

Reverse the edges; start from the decided vertices; each decided vertex tells its predecessors
(``kernels.push``). First all wins and losses, then ties among what is left; the rest are draws.

Sources: the method goes back to Zermelo (1913) and, with counters, to Dowling and Gallier's
linear-time Horn satisfiability (1984) and Thompson's chess endings (1986).
"""

from __future__ import annotations

import numpy as np

from retrosolve.graph import Graph
from retrosolve.kernels import csr, jit
from retrosolve.kernels.push import push
from retrosolve.progress import Report, silent
from retrosolve.solvers.first_look import first_look
from retrosolve.solvers.propagation import EDGES_A_REPORT, propagate
from retrosolve.validation import ByteArray, IntArray, index_dtype
from retrosolve.values import Value


def workspace(vertices: int, edges: int) -> int:
    """Give the bytes a solve takes beyond the graph: the result, reversed rows, counters, queue."""
    vertex, edge = index_dtype(vertices)(0).itemsize, index_dtype(edges)(0).itemsize
    return vertices * (1 + 3 * vertex + 2 * edge) + edges * vertex


def solve(graph: Graph, stuck: Value, report: Report = silent) -> tuple[ByteArray, IntArray]:
    """Give value [n] and remoteness [n] of every vertex. Cost O(n + m)."""
    value, remoteness = first_look(graph, stuck)
    rindptr, rindices = reversed_rows(graph, value)
    remaining = graph.out_degrees()
    owned = graph.owner is not None
    owner = graph.owner if graph.owner is not None else np.zeros(1, np.uint8)

    def advance(queue: IntArray, head: int, tail: int) -> tuple[int, int]:
        position: tuple[int, int] = jit.run(
            push,
            graph.vertices + graph.edges,
            rindptr,
            rindices,
            owner,
            owned,
            value,
            remoteness,
            remaining,
            queue,
            head,
            tail,
            EDGES_A_REPORT,
        )
        return position

    propagate(advance, value, remoteness, report)
    return value, remoteness


def reversed_rows(graph: Graph, value: ByteArray) -> tuple[IntArray, IntArray]:
    """Give the reversed rows of a graph, without the edges out of vertices already decided."""
    work = graph.vertices + graph.edges
    rindptr = np.zeros(graph.vertices + 1, graph.indptr.dtype)
    jit.run(csr.count_reversed, work, graph.indptr, graph.indices, value, rindptr)
    rindices = np.empty(int(rindptr[-1]), graph.indices.dtype)
    jit.run(
        csr.fill_reversed,
        work,
        graph.indptr,
        graph.indices,
        value,
        rindptr[:-1].copy(),
        rindices,
    )
    return rindptr, rindices

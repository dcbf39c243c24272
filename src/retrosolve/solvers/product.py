"""Retrograde analysis of two tokens, one for each player, without storing an edge.

The same propagation as ``retrograde``, but predecessors are read off the reversed moves of the
token that has just been moved (``kernels.product``).
"""

from __future__ import annotations

import numpy as np

from retrosolve.kernels import jit
from retrosolve.kernels.product import push_product
from retrosolve.product import ProductGraph
from retrosolve.progress import Report, silent
from retrosolve.solvers.first_look import first_look
from retrosolve.solvers.propagation import EDGES_A_REPORT, all_seeds, propagate
from retrosolve.solvers.retrograde import small_reversed_rows
from retrosolve.validation import ByteArray, IntArray, index_dtype
from retrosolve.values import Value


def workspace(vertices: int, edges: int) -> int:
    """Give the bytes a solve takes beyond the terminal values: the result, counters, queue."""
    return vertices * (1 + 3 * index_dtype(vertices)(0).itemsize)


def solve(
    graph: ProductGraph, stuck: Value, report: Report = silent, threads: int | None = None
) -> tuple[ByteArray, IntArray]:
    """Give value [n] and remoteness [n] of every vertex. Cost O(n + moves)."""
    value, remoteness = first_look(graph, stuck)
    remaining = graph.out_degrees()
    reversed_moves = [
        array
        for token in (graph.first, graph.second)
        for array in small_reversed_rows(token, np.zeros(token.vertices, np.uint8))
    ]

    def advance(queue: IntArray, head: int, tail: int) -> tuple[int, int]:
        position: tuple[int, int] = jit.run(
            push_product,
            graph.vertices + graph.edges,
            *reversed_moves,
            value,
            remoteness,
            remaining,
            queue,
            head,
            tail,
            EDGES_A_REPORT,
        )
        return position

    propagate(advance, all_seeds(value), np.empty_like(remoteness), report)
    return value, remoteness

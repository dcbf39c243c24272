"""Initialisation: what is decided before any move is considered."""

from __future__ import annotations

import numpy as np

from retrosolve.arrays import ByteArray, IntArray, index_dtype
from retrosolve.spaces.base import CsrSpace
from retrosolve.values import INVALID, Value


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

"""Initialisation: what is decided before any move is considered."""

from __future__ import annotations

import numpy as np

from retrosolve.arrays import ByteArray, IntArray, index_dtype
from retrosolve.spaces.base import CsrSpace
from retrosolve.values import INVALID, Value


def initialise(graph: CsrSpace, stuck: Value) -> tuple[ByteArray, IntArray]:
    """Return value [n] and remoteness [n] with terminal and stuck vertices decided, at remoteness 0.

    Elsewhere the value is 0 and the remoteness -1. Cost O(n); 5 bytes a vertex (9 past int32).
    """
    n = graph.num_vertices
    value = np.zeros(n, np.uint8) if graph.terminals is None else np.array(graph.terminals)
    value[(graph.out_degrees() == 0) & (value == 0)] = stuck
    remoteness = np.full(n, -1, index_dtype(n))
    remoteness[(value != 0) & (value != INVALID)] = 0
    return value, remoteness

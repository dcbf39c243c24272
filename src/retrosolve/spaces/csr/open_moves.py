"""The counter of a vertex and the entry of a queue: the two integers of retrograde analysis on edges.

A vertex is decided by the side that its successors are on. Where vertices have owners, side 1 is what
player 0 wins and side 0 what player 1 wins. Where the players alternate, side 1 are the vertices that
the player to move wins, and side 0 those that are lost.

=========  ======================  ===================================================================
state      ``2 * open + own``      ``open`` moves of a vertex are not yet seen to lose, 0 once it is
                                   decided; ``own`` is the side on which it likes a successor to be:
                                   that of its owner, always 0 where the players alternate
entry      ``2 * vertex + side``   a decided vertex and its side; a bin holds the predecessors of an
                                   entry with the side of that
=========  ======================  ===================================================================

A successor on its own side decides a vertex, and so does the last one on the other. Either way it joins
the side of that successor, or the other one where the players alternate. For ties, the first successor
decides.

The functions are inlined in compiled kernels. They are the only ones that know the encoding.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrosolve.compilation.unsigned import u64
from retrosolve.objectives.words import LOSS, TIE, WIN

MARK = 2  # a byte for each vertex: 0, or MARK and the side of its entry
MAX_UINT8_DEGREE = 127  # the largest out-degree for which the state of a vertex fits a byte


def state_dtype(largest_degree: int, num_edges: int) -> type[np.integer[Any]]:
    """Return the narrowest dtype for the state of vertices of at most ``largest_degree`` edges."""
    if largest_degree <= MAX_UINT8_DEGREE:
        return np.uint8
    return np.int32 if 2 * num_edges + 1 <= np.iinfo(np.int32).max else np.int64


def is_open(state: Any) -> Any:
    """Return whether a vertex is undecided."""
    return state >= 2


def counter(state: Any) -> Any:
    """Return the number of open moves."""
    return state >> 1


def side(number: Any) -> Any:
    """Return the own side of a state, or the side of an entry."""
    return number & 1


def entry_of(number: Any, on: Any) -> Any:
    """Return the entry of a vertex on a side."""
    return 2 * np.int64(number) + on


def vertex(entry: Any) -> Any:
    """Return the vertex of an entry, as an unsigned index."""
    return u64(entry >> 1)


def notified(state: Any, entry: Any, ties: Any) -> Any:
    """Return the state of a predecessor of a decided vertex that is on the side of ``entry``.

    Computes without a branch, which nothing could predict, the lines of ``worklist.propagate``::

        if open_moves[v] == 0:
            continue
        if tied or lost != same:
            open_moves[v] = 0
        else:
            open_moves[v] = open_moves[v] - 1

    A decided vertex keeps its state. The vertex is decided now if it was open and is no more.
    """
    fewer = state - 2 if is_open(state) else state
    return side(state) if ties or side(state ^ entry) == 0 else fewer


def value_of(entry: Any, state: Any, alternating: Any, ties: Any) -> Any:
    """Return the value of a vertex that was decided: a WIN on its own side, TIE in the phase of ties.

    Computes ``value[v] = TIE if tied else WIN`` and ``value[v] = LOSS`` of ``worklist.propagate``.
    """
    return TIE if ties else (WIN if side(entry ^ state ^ alternating) == 0 else LOSS)

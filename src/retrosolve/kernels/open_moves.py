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
"""

from __future__ import annotations

from typing import Any

import numpy as np

MAX_UINT8_DEGREE = 127  # the largest out-degree for which the state of a vertex fits a byte


def state_dtype(largest_degree: int, num_edges: int) -> type[np.integer[Any]]:
    """Return the narrowest dtype for the state of vertices of at most ``largest_degree`` edges."""
    if largest_degree <= MAX_UINT8_DEGREE:
        return np.uint8
    return np.int32 if 2 * num_edges + 1 <= np.iinfo(np.int32).max else np.int64

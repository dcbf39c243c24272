"""Work over the edges of a graph a block of vertices at a time, without touching the rest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.graph import GraphLike
from retrosolve.validation import ByteArray, IntArray
from retrosolve.values import Value

VERTICES_A_BLOCK = 1 << 18
SWAPPED = np.array([Value.DRAW, Value.LOSS, Value.WIN, Value.TIE], np.uint8)


@dataclass
class Block:
    """The vertices ``start..stop-1`` and the edges out of them.

    ``row`` [edges] is each edge's source less ``start``, ``target`` [edges] its target and ``seen``
    [edges] the target's value as the player who moves at the source sees it.
    """

    start: int
    stop: int
    row: IntArray
    target: IntArray
    seen: ByteArray

    def reduce(self, ufunc: np.ufunc, data: NDArray[Any], empty: int) -> IntArray:
        """Combine ``data`` [edges], ordered by row, over each row; ``empty`` where there is none."""
        result = np.full(self.stop - self.start, empty, np.int64)
        if len(data):
            first = np.flatnonzero(np.diff(self.row, prepend=-1))
            result[self.row[first]] = ufunc.reduceat(data.astype(np.int64, copy=False), first)
        return result


def blocks(graph: GraphLike, value: ByteArray, size: int = VERTICES_A_BLOCK) -> Iterator[Block]:
    """Give all vertices in blocks of ``size``, edges out of terminal vertices left out."""
    owner = graph.owner
    for start in range(0, graph.vertices, size):
        stop = min(start + size, graph.vertices)
        indptr, target = graph.rows(start, stop)
        row = np.repeat(np.arange(stop - start), np.diff(indptr))
        if graph.terminal is not None:
            live = graph.terminal[start:stop][row] == 0
            row, target = row[live], target[live]
        seen = SWAPPED[value[target]]
        if owner is not None:
            same = owner[start:stop][row] == owner[target]
            seen = np.where(same, value[target], seen)
        yield Block(start, stop, row, target, seen)

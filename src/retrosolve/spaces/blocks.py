"""Work over the edges of a graph a block of vertices at a time, without touching the rest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.spaces.graph import StateSpace
from retrosolve.tables.answers import Answers
from retrosolve.values import Value

VERTICES_A_BLOCK = 1 << 18
OPPOSITE = np.arange(256, dtype=np.uint8)
OPPOSITE[[Value.WIN, Value.LOSS]] = Value.LOSS, Value.WIN


@dataclass
class Block:
    """The vertices ``start..stop-1`` and the edges out of them.

    ``row`` [edges] is each edge's source less ``start``, ``target`` [edges] its target and ``seen``
    [edges] the target's value as the player who moves at the source sees it. ``ends`` [vertices] are
    the terminal values.
    """

    start: int
    stop: int
    row: IntArray
    target: IntArray
    seen: ByteArray
    ends: ByteArray | None

    def reduce(self, ufunc: np.ufunc, data: NDArray[Any], empty: int) -> IntArray:
        """Combine ``data`` [edges], ordered by row, over each row; ``empty`` where there is none."""
        result = np.full(self.stop - self.start, empty, np.int64)
        if len(data):
            first = np.flatnonzero(np.diff(self.row, prepend=-1))
            result[self.row[first]] = ufunc.reduceat(data.astype(np.int64, copy=False), first)
        return result


def blocks(
    graph: StateSpace,
    answers: Answers,
    first: int = 0,
    last: int | None = None,
    size: int = VERTICES_A_BLOCK,
) -> Iterator[Block]:
    """Give vertices, all or ``first..last-1``, in blocks; edges out of terminal ones are left out."""
    last = graph.vertices if last is None else last
    for start in range(first, last, size):
        stop = min(start + size, last)
        indptr, target = graph.rows(start, stop)
        row = np.repeat(np.arange(stop - start), np.diff(indptr))
        ends = graph.ends(start, stop)
        if ends is not None:
            live = ends[row] == 0
            row, target = row[live], target[live]
        value = answers.values(target)
        seen = OPPOSITE[value]
        mover = graph.movers(np.arange(start, stop))
        if mover is not None:
            seen = np.where(mover[row] == graph.movers(target), value, seen)
        yield Block(start, stop, row, target, seen, ends)

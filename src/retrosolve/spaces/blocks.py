"""Work over the edges of a space a block of vertices at a time, without touching the rest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.spaces.base import StateSpace
from retrosolve.tables import Table
from retrosolve.values import Value

VERTICES_PER_BLOCK = 1 << 18
OPPOSITE = np.arange(256, dtype=np.uint8)
OPPOSITE[[Value.WIN, Value.LOSS]] = Value.LOSS, Value.WIN


@dataclass
class Block:
    """The vertices ``start..stop-1`` and the edges out of them.

    Parameters
    ----------
    start, stop : int
    row : int [edges]
        Each edge's source less ``start``.
    target : int [edges]
        Each edge's target.
    value_for_mover : uint8 [edges]
        The target's value as the player who moves at the source sees it.
    terminal : uint8 [stop - start]
        The terminal values.
    """

    start: int
    stop: int
    row: IntArray
    target: IntArray
    value_for_mover: ByteArray
    terminal: ByteArray

    def reduce(self, ufunc: np.ufunc, data: NDArray[Any], empty: int) -> IntArray:
        """Combine ``data`` [edges], ordered by row, over each row; ``empty`` where there is none."""
        result = np.full(self.stop - self.start, empty, np.int64)
        if len(data):
            first = np.flatnonzero(np.diff(self.row, prepend=-1))
            result[self.row[first]] = ufunc.reduceat(data.astype(np.int64, copy=False), first)
        return result


def blocks(
    space: StateSpace,
    table: Table,
    first: int = 0,
    last: int | None = None,
    size: int = VERTICES_PER_BLOCK,
) -> Iterator[Block]:
    """Yield the vertices ``first..last-1`` in blocks; edges out of terminal ones are left out."""
    last = space.num_vertices if last is None else last
    for start in range(first, last, size):
        stop = min(start + size, last)
        indptr, target = space.successors(start, stop)
        row = np.repeat(np.arange(stop - start), np.diff(indptr))
        terminal = space.terminal(start, stop)
        if terminal.any():
            live = terminal[row] == 0
            row, target = row[live], target[live]
        value = table.values(target)
        for_mover = OPPOSITE[value]
        player = space.player(np.arange(start, stop))
        if player is not None:
            for_mover = np.where(player[row] == space.player(target), value, for_mover)
        yield Block(start, stop, row, target, for_mover, terminal)

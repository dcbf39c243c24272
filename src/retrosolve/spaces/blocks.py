"""Iterate over the edges of a space in blocks of vertices."""

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
    """The vertices ``start..stop-1`` and the edges out of them, except out of terminal vertices.

    Parameters
    ----------
    start, stop : int
    row : int [edges]
        The source of each edge, minus ``start``.
    target : int [edges]
        The target of each edge.
    value_for_mover : uint8 [edges]
        The value of the target for the player who moves at the source.
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
        """Reduce ``data`` over the edges of each row.

        Parameters
        ----------
        ufunc : numpy.ufunc
        data : array [edges]
        empty : int
            The result for a row without edges.

        Returns
        -------
        int64 [stop - start]
        """
        result = np.full(self.stop - self.start, empty, np.int64)
        if len(data):
            first = np.flatnonzero(np.diff(self.row, prepend=-1))
            result[self.row[first]] = ufunc.reduceat(data.astype(np.int64, copy=False), first)
        return result


def blocks(
    space: StateSpace,
    table: Table,
    start: int = 0,
    stop: int | None = None,
    size: int = VERTICES_PER_BLOCK,
) -> Iterator[Block]:
    """Yield the vertices ``start..stop-1`` in blocks of ``size``.

    Parameters
    ----------
    space : StateSpace
    table : Table
        The values of the vertices of ``space``.
    start, stop : int, optional
        By default all vertices.
    size : int
        The number of vertices of a block.
    """
    stop = space.num_vertices if stop is None else stop
    for first in range(start, stop, size):
        last = min(first + size, stop)
        indptr, target = space.successors(first, last)
        row = np.repeat(np.arange(last - first), np.diff(indptr))
        terminal = space.terminal(first, last)
        if terminal.any():
            live = terminal[row] == 0
            row, target = row[live], target[live]
        value = table.values(target)
        for_mover = OPPOSITE[value]
        player = space.player(np.arange(first, last))
        if player is not None:
            for_mover = np.where(player[row] == space.player(target), value, for_mover)
        yield Block(first, last, row, target, for_mover, terminal)

"""A table of values whose remoteness is left out: win/loss/draw only."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.tables.arrays import ArrayTable
from retrosolve.tables.base import ALL, Table
from retrosolve.tables.summary import spans


def values_only(table: Table) -> Table:
    """Return a table with the same values and without remoteness."""
    return _ValueTable(table) if table.has_remoteness else table


def without_remoteness(table: Table) -> Table:
    """Return the values of a table in an array of their own, one byte per vertex."""
    if not table.has_remoteness:
        return table
    values: ByteArray = np.empty(table.num_vertices, np.uint8)
    for start, stop in spans(len(values)):
        values[start:stop] = table.values(slice(start, stop))
    return values_only(ArrayTable(values, np.broadcast_to(np.int32(-1), len(values))))


def kinds_only(table: Table) -> Table:
    """Return a table of the four values that the results of another table count as."""
    return _KindTable(table)


class _ValueTable(Table):
    """The values of another table."""

    has_remoteness = False

    def __init__(self, table: Table) -> None:
        self._table = table
        self.num_vertices, self._codec = table.num_vertices, table.codec

    def values(self, at: Any = ALL) -> ByteArray:
        """Return the values of a slice or an array of vertices."""
        return self._table.values(at)

    def remoteness(self, at: Any = ALL) -> IntArray:
        """Return -1 for each vertex."""
        return np.full(len(self.values(at)), -1, np.int32)

    def counts(self, start: int, stop: int) -> IntArray:
        """Count the values of the vertices ``start..stop-1``, int64 [256]."""
        return self._table.counts(start, stop)

    def packed(self, at: Any = ALL) -> IntArray:
        """Return the values as packed words with a remoteness of 0, a copy."""
        values = self.values(at)
        return self.codec.pack(values, np.zeros(len(values), np.int32))


class _KindTable(Table):
    """Who wins, by the results of another table."""

    has_remoteness = False

    def __init__(self, table: Table) -> None:
        self._table = table
        self.num_vertices = table.num_vertices

    def values(self, at: Any = ALL) -> ByteArray:
        """Return the kinds of some vertices."""
        kinds: ByteArray = self._table.codec.kinds[self._table.values(at)]
        return kinds

    def remoteness(self, at: Any = ALL) -> IntArray:
        """Return -1 for each vertex."""
        return np.full(len(self.values(at)), -1, np.int32)

    def packed(self, at: Any = ALL) -> IntArray:
        """Return the kinds as packed words with a remoteness of 0."""
        values = self.values(at)
        return self.codec.pack(values, np.zeros(len(values), np.int32))

"""FilledTable: a table whose INVALID indices hold anything, and which asks the rules for them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.tables.base import ALL, Table
from retrosolve.values import INVALID

VERTICES_AT_ONCE = 1 << 12
GAP = 1 << 6  # asking for so many vertices takes as long as asking for one


class FilledTable(Table):
    """A table that compresses well because its INVALID indices have the values of their neighbours.

    Parameters
    ----------
    table : Table
        Right wherever an index is a position.
    invalid : callable
        ``invalid(start, stop)`` returns which of the vertices ``start..stop-1`` are INVALID, bool.
    """

    def __init__(self, table: Table, invalid: Callable[[int, int], NDArray[np.bool_]]) -> None:
        self.table = table
        self._invalid = invalid
        self.num_vertices = table.num_vertices
        self.has_remoteness = table.has_remoteness
        self._codec = table.codec

    def values(self, at: Any = ALL) -> ByteArray:
        """Return the values of a slice or an array of vertices."""
        values: ByteArray = self.table.values(at).copy()
        values[self._where(at)] = INVALID
        return values

    def remoteness(self, at: Any = ALL) -> IntArray:
        """Return the remotenesses of a slice or an array of vertices."""
        remoteness: IntArray = self.table.remoteness(at).copy()
        if self.has_remoteness:
            remoteness[self._where(at)] = -1
        return remoteness

    def packed(self, at: Any = ALL) -> IntArray:
        """Return packed words, a copy."""
        return self.codec.pack(self.values(at), self.remoteness(at))

    def _where(self, at: Any) -> NDArray[np.bool_]:
        """Return which of some vertices are INVALID."""
        if isinstance(at, slice):
            start, stop, step = at.indices(self.num_vertices)
            if step == 1:
                return self._invalid(start, max(start, stop))
            at = np.arange(start, stop, step)
        found = np.zeros(len(at), bool)
        order = np.argsort(at, kind="stable")
        ascending = np.asarray(at)[order]
        begins = np.diff(ascending, prepend=-GAP) >= GAP
        begins |= np.diff(ascending // VERTICES_AT_ONCE, prepend=-1) > 0
        for low, high in pairwise([*np.flatnonzero(begins).tolist(), len(at)]):
            first, last = int(ascending[low]), int(ascending[high - 1])
            found[order[low:high]] = self._invalid(first, last + 1)[ascending[low:high] - first]
        return found

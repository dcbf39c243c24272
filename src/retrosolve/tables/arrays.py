"""ArrayTable: two plain arrays, for graphs with stored edges."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, read_only
from retrosolve.errors import GraphError
from retrosolve.tables.base import ALL, Table, checked_array
from retrosolve.tables.packed import pack
from retrosolve.values import INVALID, Value

CHECKED_AT_ONCE = 1 << 20


class ArrayTable(Table):
    """A value and a remoteness for each vertex, in two arrays.

    Parameters
    ----------
    value : uint8 [n]
    remoteness : int32 or int64 [n]

    Notes
    -----
    5 bytes a vertex, 9 from 2^31 vertices on.
    """

    kind = "arrays"
    has_remoteness = True

    def __init__(self, value: ByteArray, remoteness: IntArray) -> None:
        self._value: ByteArray = read_only(value)
        self._remoteness: IntArray = read_only(remoteness)
        self.num_vertices = len(value)

    def values(self, at: Any = ALL) -> ByteArray:
        """Return the values of a slice or an array of vertices."""
        values: ByteArray = self._value[at]
        return values

    def remoteness(self, at: Any = ALL) -> IntArray:
        """Return the remotenesses of a slice or an array of vertices."""
        remoteness: IntArray = self._remoteness[at]
        return remoteness

    def counts(self, start: int, stop: int) -> IntArray:
        """Count the values of the vertices ``start..stop-1``, int64 [256]."""
        return np.bincount(self._value[start:stop], minlength=256)

    def packed(self) -> IntArray:
        """Return values and remotenesses as packed words, a copy."""
        return pack(self._value, self._remoteness)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return ``value`` and ``remoteness``."""
        return {"value": self._value, "remoteness": self._remoteness}

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> ArrayTable:
        """Return the table of ``value`` and ``remoteness``."""
        value = checked_array(arrays, "value", (np.uint8,))
        remoteness = checked_array(arrays, "remoteness", (np.int32, np.int64))
        if len(value) != len(remoteness):
            raise GraphError(
                f"value has {len(value)} entries and remoteness {len(remoteness)}: expected as many"
            )
        return cls(value, remoteness)

    def check(self) -> None:
        """Raise GraphError unless values are known ones, and remotenesses fit them."""
        for start in range(0, self.num_vertices, CHECKED_AT_ONCE):
            part = slice(start, start + CHECKED_AT_ONCE)
            value, remoteness = self._value[part], self._remoteness[part]
            wrong = (value > max(Value)) & (value != INVALID)
            if wrong.any():
                v = int(wrong.argmax())
                raise GraphError(
                    f"value of vertex {start + v} is {value[v]}: expected 0 to {int(max(Value))}"
                )
            undecided = (value == Value.DRAW) | (value == INVALID)
            wrong = np.where(
                undecided, remoteness != -1, (remoteness < 0) | (remoteness >= self.num_vertices)
            )
            if wrong.any():
                v = int(wrong.argmax())
                expected = "-1" if undecided[v] else f"0 to {self.num_vertices - 1}"
                raise GraphError(
                    f"remoteness of vertex {start + v} is {remoteness[v]}, its value {value[v]}: "
                    f"expected {expected}"
                )

"""ArrayTable: two plain arrays, for graphs with stored edges."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, read_only
from retrosolve.tables.base import ALL, Table

put = object.__setattr__  # a small solve would notice the test whether an attribute is set again


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

    has_remoteness = True
    _value: ByteArray
    _remoteness: IntArray

    def __init__(self, value: ByteArray, remoteness: IntArray) -> None:
        put(self, "_value", read_only(value))
        put(self, "_remoteness", read_only(remoteness))
        put(self, "num_vertices", len(value))

    def values(self, at: Any = ALL) -> ByteArray:
        """Return the values of a slice or an array of vertices."""
        values: ByteArray = self._value[at]
        return values

    def remoteness(self, at: Any = ALL) -> IntArray:
        """Return the remotenesses of a slice or an array of vertices."""
        remoteness: IntArray = self._remoteness[at]
        return remoteness

    def packed(self, at: Any = ALL) -> IntArray:
        """Return values and remotenesses as packed words, a copy."""
        return self.codec.pack(self._value[at], self._remoteness[at])

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return ``value`` and ``remoteness``."""
        return {"value": self._value, "remoteness": self._remoteness}

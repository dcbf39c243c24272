"""Answers: the value and remoteness of every vertex, as arrays or packed in one word a vertex."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from retrosolve.validation import ByteArray, IntArray, frozen, index_dtype

NO_POSITION = 255
"""The value of an index that stands for no position."""

CODE_BITS = 3
# What the codes of ``kernels.indexed`` come to: those that are still open are draws.
VALUE_OF_CODE = np.array([0, 1, 2, 3, 0, 0, 0, NO_POSITION], np.uint8)


class Answers(Protocol):
    """The values and remotenesses of all vertices, or of some."""

    def lengths(self) -> dict[str, int]:
        """Give how many values and remotenesses there are; in a good answer one of each a vertex."""

    def values(self, at: Any = slice(None)) -> ByteArray:
        """Give the values at a slice or an array of vertices, uint8."""

    def plies(self, at: Any = slice(None)) -> IntArray:
        """Give the remoteness there, -1 for a DRAW and where there is no position."""


class Unpacked:
    """Two arrays, ``value`` uint8 [n] and ``remoteness`` [n]; read-only."""

    def __init__(self, value: ByteArray, remoteness: IntArray) -> None:
        self._value: ByteArray = frozen(value)
        self._remoteness: IntArray = frozen(remoteness)

    def lengths(self) -> dict[str, int]:
        """Give how many values and remotenesses there are."""
        return {"value": len(self._value), "remoteness": len(self._remoteness)}

    def values(self, at: Any = slice(None)) -> ByteArray:
        """Give the values at a slice or an array of vertices, uint8."""
        values: ByteArray = self._value[at]
        return values

    def plies(self, at: Any = slice(None)) -> IntArray:
        """Give the remoteness there."""
        plies: IntArray = self._remoteness[at]
        return plies


class Packed:
    """One word a vertex, uint16 or uint32 [n]: a code in the low 3 bits, the remoteness above.

    A DRAW is 0, where there is no position the code is 7, and else the code is the value.
    """

    def __init__(self, state: IntArray) -> None:
        self.state: IntArray = frozen(state)

    @classmethod
    def of(cls, value: ByteArray, remoteness: IntArray) -> Packed:
        """Pack two arrays, values NO_POSITION included."""
        highest = int(remoteness.max(initial=0))
        words: Any = remoteness.astype(np.uint16 if highest < 1 << (16 - CODE_BITS) else np.uint32)
        words[remoteness < 0] = 0
        words <<= np.uint8(CODE_BITS)
        words |= value & np.uint8(7)
        return cls(words)

    def lengths(self) -> dict[str, int]:
        """Give how many values and remotenesses there are."""
        return {"value": len(self.state), "remoteness": len(self.state)}

    def values(self, at: Any = slice(None)) -> ByteArray:
        """Give the values at a slice or an array of vertices, uint8."""
        values: ByteArray = VALUE_OF_CODE[self.state[at] & np.uint8(7)]
        return values

    def plies(self, at: Any = slice(None)) -> IntArray:
        """Give the remoteness there."""
        words = self.state[at]
        plies: IntArray = (words >> np.uint8(CODE_BITS)).astype(index_dtype(len(self.state)))
        code = words & np.uint8(7)
        plies[(code == 0) | (code > 3)] = -1
        return plies

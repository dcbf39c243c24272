"""PackedTable: one word a vertex, for games whose edges are generated from their rules."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.csr.validation import ByteArray, IntArray, index_dtype, read_only
from retrosolve.tables.base import ALL, Table
from retrosolve.values import INVALID

CODE_BITS = 3
WORDS: tuple[tuple[Any, int], ...] = tuple(
    (dtype, (1 << (8 * dtype(0).itemsize - CODE_BITS)) - 1)
    for dtype in (np.uint16, np.uint32, np.uint64)
)
"""The types of a packed word, narrowest first, and the largest remoteness that each holds."""

# What the codes of ``kernels.generated`` come to: those that are still open are draws.
VALUE_OF_CODE = np.array([0, 1, 2, 3, 0, 0, 0, INVALID], np.uint8)


def largest_remoteness(words: IntArray) -> int:
    """Return the largest remoteness that words of this type hold."""
    return next(largest for dtype, largest in WORDS if dtype == words.dtype)


def word_dtype(remoteness: int) -> Any:
    """Return the narrowest type of word that holds a remoteness."""
    return next(dtype for dtype, largest in WORDS if remoteness <= largest)


def widened(words: IntArray, remoteness: int) -> IntArray:
    """Return ``words``, converted to a wider type where their own does not hold ``remoteness``."""
    if remoteness <= largest_remoteness(words):
        return words
    wider: IntArray = words.astype(word_dtype(remoteness))
    return wider


def pack(value: ByteArray, remoteness: IntArray) -> IntArray:
    """Return values (INVALID included) and remotenesses as packed words."""
    highest = int(remoteness.max(initial=0))
    words: Any = remoteness.astype(word_dtype(highest))
    words[remoteness < 0] = 0
    words <<= np.uint8(CODE_BITS)
    words |= value & np.uint8(7)
    packed: IntArray = words
    return packed


class PackedTable(Table):
    """One word a vertex: a code in the low 3 bits, the remoteness above.

    Parameters
    ----------
    words : uint16, uint32 or uint64 [n]
        A DRAW is 0 and an INVALID index has code 7; any other code is the value.

    Notes
    -----
    2 bytes a vertex for a remoteness of up to 8,191 plies, 4 or 8 beyond.
    """

    kind = "packed"
    has_remoteness = True

    def __init__(self, words: IntArray) -> None:
        self.words: IntArray = read_only(words)
        self.num_vertices = len(words)

    def values(self, at: Any = ALL) -> ByteArray:
        """Return the values at a slice or an array of vertices."""
        values: ByteArray = VALUE_OF_CODE[self.words[at] & np.uint8(7)]
        return values

    def remoteness(self, at: Any = ALL) -> IntArray:
        """Return the remotenesses at a slice or an array of vertices."""
        words = self.words[at]
        remoteness: IntArray = (words >> np.uint8(CODE_BITS)).astype(index_dtype(len(self.words)))
        code = words & np.uint8(7)
        remoteness[(code == 0) | (code > 3)] = -1
        return remoteness

    def counts(self, start: int, stop: int) -> IntArray:
        """Count the values of the vertices ``start..stop-1``, int64 [256]."""
        codes = (self.words[start:stop] & np.uint8(7)).astype(np.uint8)
        counts = np.zeros(256, np.int64)
        for code, value in enumerate(VALUE_OF_CODE):
            counts[value] += np.count_nonzero(codes == code)
        return counts

    def packed(self) -> IntArray:
        """Return the words, no copy."""
        return self.words

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return ``words``."""
        return {"words": self.words}

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> PackedTable:
        """Return the table of ``words``."""
        return cls(arrays["words"])

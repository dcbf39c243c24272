"""PackedTable: one word for each vertex, for games with generated edges."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, index_dtype, read_only
from retrosolve.errors import GraphError
from retrosolve.kernels import words
from retrosolve.tables.base import ALL, Table, checked_array


def pack(value: ByteArray, remoteness: IntArray) -> IntArray:
    """Return values (INVALID included) and remotenesses as packed words."""
    decided = np.maximum(remoteness, 0).astype(words.word_dtype(int(remoteness.max(initial=0))))
    packed: IntArray = words.pack(words.code_of(value).astype(decided.dtype), decided)
    return packed


class PackedTable(Table):
    """One word for each vertex, with a code and the remoteness.

    Parameters
    ----------
    packed : uint16, uint32 or uint64 [n]
        See ``kernels.words``; the codes of undecided vertices stand for a DRAW.

    Notes
    -----
    2 bytes a vertex for a remoteness of up to 8,191 plies, 4 or 8 beyond.
    """

    kind = "packed"
    has_remoteness = True

    def __init__(self, packed: IntArray) -> None:
        self.words: IntArray = read_only(packed)
        self.num_vertices = len(packed)

    def values(self, at: Any = ALL) -> ByteArray:
        """Return the values of a slice or an array of vertices."""
        values: ByteArray = words.VALUE_OF_CODE[words.code_of(self.words[at])]
        return values

    def remoteness(self, at: Any = ALL) -> IntArray:
        """Return the remotenesses of a slice or an array of vertices."""
        chosen = self.words[at]
        remoteness: IntArray = words.remoteness_of(chosen).astype(index_dtype(len(self.words)))
        code = words.code_of(chosen)
        remoteness[(code == words.DRAW) | (code > words.TIE)] = -1
        return remoteness

    def counts(self, start: int, stop: int) -> IntArray:
        """Count the values of the vertices ``start..stop-1``, int64 [256]."""
        codes = words.code_of(self.words[start:stop]).astype(np.uint8)
        counts = np.zeros(256, np.int64)
        for code, value in enumerate(words.VALUE_OF_CODE):
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
        return cls(checked_array(arrays, "words", tuple(dtype for dtype, _ in words.WORDS)))

    def check(self) -> None:
        """Raise GraphError for a remoteness of as many plies as there are vertices, or more."""
        if words.remoteness_of(int(self.words.max(initial=0))) < self.num_vertices:
            return
        code, remoteness = words.code_of(self.words), words.remoteness_of(self.words)
        wrong = (code >= words.WIN) & (code <= words.TIE) & (remoteness >= self.num_vertices)
        if wrong.any():
            v = int(wrong.argmax())
            raise GraphError(
                f"remoteness of vertex {v} is {remoteness[v]}: expected 0 to {self.num_vertices - 1}"
            )

"""PackedTable: the packed words in one array, for games with generated edges."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray, read_only
from retrosolve.objectives import words
from retrosolve.objectives.codec import VALUES, Codec
from retrosolve.tables.base import ALL, Table


class PackedTable(Table):
    """One word for each vertex, with a code and the remoteness.

    Parameters
    ----------
    packed : uint16, uint32 or uint64 [n]
        See ``objectives.words``; the codes of undecided vertices stand for a DRAW.
    codec : Codec
        Of the same words.

    Notes
    -----
    2 bytes a vertex for a remoteness of up to 8,191 plies, 4 or 8 beyond.
    """

    has_remoteness = True

    def __init__(self, packed: IntArray, codec: Codec = VALUES) -> None:
        self._codec = codec
        self.words: IntArray = read_only(packed)
        self.num_vertices = len(packed)

    def counts(self, start: int, stop: int) -> IntArray:
        """Count the values of the vertices ``start..stop-1``, int64 [256]."""
        if self.codec is not VALUES:
            return super().counts(start, stop)
        codes = words.code_of(self.words[start:stop]).astype(np.uint8)
        counts = np.zeros(256, np.int64)
        for code, value in enumerate(words.VALUE_OF_CODE):
            counts[value] += np.count_nonzero(codes == code)
        return counts

    def packed(self, at: Any = ALL) -> IntArray:
        """Return the words; all of them or a slice without a copy."""
        return self.words if at is ALL else self.words[at]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return ``words``."""
        return {"words": self.words}

"""What the codes of INVALID indices are on disk, and whether several codes share a byte.

With remoteness, an INVALID index has a code of its own, so that the table alone says which indices are
positions. That takes a twentieth of the size. Without remoteness it would take more than half, so there
an INVALID index may have the code of the index before it, where the rules say which indices are INVALID
and a sample becomes smaller.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import zstandard
from numpy.typing import NDArray

from retrosolve.spaces.base import Capability, StateSpace
from retrosolve.store.bits import MAX_KINDS, pack_bits
from retrosolve.store.encoding import Encoder
from retrosolve.tables.coded import Dictionary
from retrosolve.values import INVALID

SAMPLES = 8
SAMPLE_SIZE = 1 << 18
WORTHWHILE = 0.9  # of the size with a code for INVALID


@dataclass
class Filling:
    """How codes are written.

    Parameters
    ----------
    hole : int or None
        The code of INVALID if it is not written, but filled.
    dictionary : Dictionary
        What the written codes stand for.
    last : int
        The code written last, which fills what comes next.
    """

    hole: int | None
    dictionary: Dictionary
    last: int = 0

    @property
    def packed(self) -> bool:
        """Whether several codes share a byte."""
        return len(self.dictionary.value) <= MAX_KINDS

    def written(self, codes: NDArray[Any]) -> NDArray[Any]:
        """Return the next codes as they are written."""
        if self.hole is None or not len(codes):
            return codes
        known = codes != self.hole
        before = np.where(known, np.arange(len(codes)), -1)
        np.maximum.accumulate(before, out=before)
        shifted = codes - (codes > self.hole)
        found: NDArray[Any] = np.where(before >= 0, shifted[before], self.last).astype(codes.dtype)
        self.last = int(found[-1])
        return found


def choose_filling(encoder: Encoder, space: StateSpace) -> Filling:
    """Return how to write the codes of a table, by what compresses a sample of them better."""
    plain = Filling(None, encoder.dictionary)
    holes = np.flatnonzero(encoder.dictionary.value == INVALID)
    known = Capability.GENERATED in space.capabilities
    if encoder.has_remoteness or not len(holes) or not known:
        return plain
    if Capability.REACHABLE_ONLY in space.capabilities:
        return plain
    hole = int(holes[0])
    value, remoteness = encoder.dictionary
    filled = Filling(hole, Dictionary(np.delete(value, hole), np.delete(remoteness, hole)))
    samples = [encoder.encoded(start, stop) for start, stop in _samples(space.num_vertices)]
    smaller = _size(filled, samples) < WORTHWHILE * _size(plain, samples)
    return Filling(hole, filled.dictionary) if smaller else plain


def _samples(n: int) -> list[tuple[int, int]]:
    """Return evenly spread ranges of vertices."""
    if n <= SAMPLES * SAMPLE_SIZE:
        return [(0, n)]
    starts = np.linspace(0, n - SAMPLE_SIZE, SAMPLES).astype(np.int64).tolist()
    return [(start, start + SAMPLE_SIZE) for start in starts]


def _size(filling: Filling, samples: list[NDArray[Any]]) -> int:
    """Return the bytes of compressed samples."""
    compress = zstandard.ZstdCompressor().compress
    size = 0
    for codes in samples:
        written = filling.written(codes)
        size += len(compress((pack_bits(written) if filling.packed else written).tobytes()))
    return size

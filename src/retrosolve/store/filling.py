"""What the codes of INVALID indices are on disk, and whether several codes share a byte.

With remoteness, an INVALID index has a code of its own, so that the table alone says which indices are
positions. That takes a twentieth of the size. Without remoteness it would take more than half, so there
an INVALID index may have the code of the index before it, where a built-in game says which indices are
INVALID and a sample becomes smaller. Other rules run only by consent, without which a table must be
readable. Where no index is INVALID, four codes to a byte are always smaller.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import zstandard
from numpy.typing import NDArray

from retrosolve.spaces.base import Capability, StateSpace
from retrosolve.store.bits import block_bytes
from retrosolve.store.encoding import Encoder
from retrosolve.store.specs import runs_nothing_else
from retrosolve.tables.coded import Dictionary
from retrosolve.tables.pairs import MAX_KINDS, pack_pairs
from retrosolve.values import INVALID

SAMPLES = 8
SAMPLE_SIZE = 1 << 18
WORTHWHILE = 0.9  # of the size with a code for INVALID


@dataclass(frozen=True)
class Filling:
    """How codes are written.

    Parameters
    ----------
    hole : int or None
        The code of INVALID if it is not written, but filled.
    dictionary : Dictionary
        What the written codes stand for.
    packed : bool
        Whether several codes share a byte.
    """

    hole: int | None
    dictionary: Dictionary
    packed: bool = False

    def read(self, encoder: Encoder, start: int, stop: int) -> NDArray[Any]:
        """Return the codes of the vertices ``start..stop-1``, as they are stored."""
        if self.packed and self.hole is None and encoder.in_pairs:
            return encoder.pairs(start, stop)
        written = self.written(encoder.codes(start, stop))
        return pack_pairs(written) if self.packed else written

    def written(self, codes: NDArray[Any]) -> NDArray[Any]:
        """Return the codes of consecutive vertices as they are written."""
        if self.hole is None or not len(codes):
            return codes
        known = codes != self.hole
        before = np.where(known, np.arange(len(codes), dtype=np.int32), np.int32(-1))
        np.maximum.accumulate(before, out=before)
        shifted = codes - (codes > self.hole)
        found: NDArray[Any] = np.where(before >= 0, shifted[before], 0).astype(codes.dtype)
        return found


def choose_filling(encoder: Encoder, space: StateSpace, level: int) -> Filling:
    """Return how to write the codes of a table, by what compresses a sample of them best.

    Parameters
    ----------
    encoder : Encoder
    space : StateSpace
    level : int
        The level of the compression.
    """
    holes = np.flatnonzero(encoder.dictionary.value == INVALID)
    if encoder.in_pairs and not len(holes):
        return Filling(None, encoder.dictionary, packed=True)
    forms = _forms(None, encoder.dictionary)
    offered = space.capabilities
    by_rules = Capability.GENERATED in offered and Capability.REACHABLE_ONLY not in offered
    if len(holes) and by_rules and not encoder.has_remoteness and runs_nothing_else(space.spec()):
        hole = int(holes[0])
        value, remoteness = encoder.dictionary
        rest = Dictionary(np.delete(value, hole), np.delete(remoteness, hole))
        forms += _forms(hole, rest)
    if len(forms) == 1:
        return forms[0]
    samples = [encoder.encoded(start, stop) for start, stop in _samples(space.num_vertices)]
    sizes = [_size(form, samples, level) for form in forms]
    weighted = [
        size / (1 if form.hole is None else WORTHWHILE) for form, size in zip(forms, sizes, strict=True)
    ]
    return forms[int(np.argmin(weighted))]


def _forms(hole: int | None, dictionary: Dictionary) -> list[Filling]:
    """Return the forms of codes without and, where they are few, with several to a byte."""
    plain = Filling(hole, dictionary)
    few = len(dictionary.value) <= MAX_KINDS
    return [plain, Filling(hole, dictionary, packed=True)] if few else [plain]


def _samples(n: int) -> list[tuple[int, int]]:
    """Return evenly spread ranges of vertices."""
    if n <= SAMPLES * SAMPLE_SIZE:
        return [(0, n)]
    starts = np.linspace(0, n - SAMPLE_SIZE, SAMPLES).astype(np.int64).tolist()
    return [(start, start + SAMPLE_SIZE) for start in starts]


def _size(filling: Filling, samples: list[NDArray[Any]], level: int) -> int:
    """Return the bytes of samples in compressed blocks."""
    compress, size = zstandard.ZstdCompressor(level).compress, 0
    for codes in samples:
        written = filling.written(codes)
        data = (pack_pairs(written) if filling.packed else written).tobytes()
        step = block_bytes(filling.packed)
        size += sum(len(compress(data[at : at + step])) for at in range(0, len(data), step))
    return size

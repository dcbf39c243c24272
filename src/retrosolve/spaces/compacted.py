"""The positions of a game of which only some indices occur, numbered without gaps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.kernels import compact
from retrosolve.kernels.checked import any_position
from retrosolve.kernels.compact import BLOCK_WORDS, WORD_BITS
from retrosolve.tables.summary import spans

BLOCK = WORD_BITS * BLOCK_WORDS
REPLACEMENTS = {
    "index_of": compact.compact_index_of,
    "position_of": compact.compact_position_of,
    "position_limit": any_position,
}


class Occurring:
    """Which indices occur, a bit for each.

    Parameters
    ----------
    num_vertices : int

    Notes
    -----
    9 bytes for 64 indices.

    Examples
    --------
    >>> occurring = Occurring(1000)
    >>> occurring.set(100, np.array([True, False, True]))
    >>> occurring.finish()
    2
    >>> occurring.before(102), occurring.which(99, 104).tolist()
    (1, [False, True, False, True, False])
    """

    def __init__(self, num_vertices: int) -> None:
        self.num_vertices = num_vertices
        blocks = -(-num_vertices // BLOCK)
        self._bits: ByteArray = np.zeros(blocks * BLOCK // 8, np.uint8)
        dtype: Any = np.uint32 if num_vertices < 1 << 32 else np.int64
        self._before: IntArray = np.zeros(blocks + 1, dtype)

    def set(self, start: int, valid: NDArray[np.bool_]) -> None:
        """Set which of the indices from ``start`` on occur."""
        first, last = start // 8 * 8, -(-(start + len(valid)) // 8) * 8
        whole = np.zeros(last - first, bool)
        whole[start - first : start - first + len(valid)] = valid
        self._bits[first // 8 : last // 8] |= np.packbits(whole, bitorder="little")

    def finish(self) -> int:
        """Count the indices that occur; return how many there are."""
        for start, stop in spans(len(self._before) - 1):
            part = np.bitwise_count(self._bits[start * BLOCK // 8 : stop * BLOCK // 8])
            self._before[start + 1 : stop + 1] = part.reshape(-1, BLOCK // 8).sum(axis=1)
        np.cumsum(self._before, out=self._before)
        return int(self._before[-1])

    def which(self, start: int, stop: int) -> NDArray[np.bool_]:
        """Return which of the indices ``start..stop-1`` occur."""
        first = start // 8
        bits = np.unpackbits(self._bits[first : -(-stop // 8)], bitorder="little")
        return bits[start - 8 * first : stop - 8 * first].astype(bool)

    def before(self, index: int) -> int:
        """Return how many indices before one occur."""
        block = index // BLOCK
        return int(self._before[block]) + int(self.which(block * BLOCK, index).sum())

    def index(self, number: int) -> int:
        """Return the index that has so many before it which occur."""
        block = int(np.searchsorted(self._before, number, side="right")) - 1
        found = np.flatnonzero(self.which(block * BLOCK, (block + 1) * BLOCK))
        return block * BLOCK + int(found[number - int(self._before[block])])

    def index_table(self) -> tuple[NDArray[Any], ...]:
        """Return the arrays for ``kernels.compact``."""
        return self._bits.view("<u4"), self._before


def compact_bytes(num_vertices: int) -> int:
    """Return the bytes of :class:`Occurring`."""
    return 9 * num_vertices // 64


def claimed(space: Any, occurring: Occurring) -> Any:
    """Return a space of the indices that occur, where one more index stands for all others."""
    replacements = REPLACEMENTS | {"index_of": compact.claimed_index_of}
    return replace(compacted(space, occurring, replacements), solved=None)


def compacted(space: Any, occurring: Occurring, replacements: Mapping[str, Any] = REPLACEMENTS) -> Any:
    """Return a space of the indices that occur, numbered without gaps.

    Parameters
    ----------
    space : GeneratedSpace
        With ranked positions.
    occurring : Occurring
    replacements : mapping of str to function, optional
        What replaces kernels, by the names of these.
    """
    return replace(
        space,
        kernels=space.kernels.replacing(replacements),
        num_vertices=occurring.before(space.num_vertices),
        tiers=tuple(occurring.before(first) for first in space.tiers),
        index_table=occurring.index_table(),
        initial_indices=tuple(occurring.before(index) for index in space.initial_indices),
    )

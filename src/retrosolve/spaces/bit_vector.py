"""BitVector: a bit for each index, with rank and select; and spaces of the indices that are set.

A solve or a proof within a small budget numbers the positions that occur without gaps: the index of a
position is the rank of its bit, and the position of an index is found by select (Jacobson, 1989).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, spans
from retrosolve.spaces.base import RulesSpace
from retrosolve.spaces.checked import any_position, rank, unrank

if TYPE_CHECKING:
    from retrosolve.spaces.generated import GeneratedSpace

WORD_BITS, BLOCK_WORDS = 32, 8
BLOCK = WORD_BITS * BLOCK_WORDS


class BitVector:
    """A bit for each index, with the number of bits set before any of them.

    Parameters
    ----------
    num_vertices : int

    Notes
    -----
    9 bytes for 64 indices.

    Examples
    --------
    >>> bits = BitVector(1000)
    >>> bits.set(100, np.array([True, False, True]))
    >>> bits.finish()
    2
    >>> bits.rank(102), bits.select(1), bits.bits(99, 104).tolist()
    (1, 102, [False, True, False, True, False])
    """

    def __init__(self, num_vertices: int) -> None:
        self.num_vertices = num_vertices
        blocks = -(-num_vertices // BLOCK)
        self._bits: ByteArray = np.zeros(blocks * BLOCK // 8, np.uint8)
        dtype: Any = np.uint32 if num_vertices < 1 << 32 else np.int64
        self._ranks: IntArray = np.zeros(blocks + 1, dtype)

    def set(self, start: int, valid: NDArray[np.bool_]) -> None:
        """Set bits from ``start`` on."""
        first, last = start // 8 * 8, -(-(start + len(valid)) // 8) * 8
        whole = np.zeros(last - first, bool)
        whole[start - first : start - first + len(valid)] = valid
        self._bits[first // 8 : last // 8] |= np.packbits(whole, bitorder="little")

    def finish(self) -> int:
        """Count the bits for :meth:`rank` and :meth:`select`; return how many are set."""
        for start, stop in spans(len(self._ranks) - 1):
            part = np.bitwise_count(self._bits[start * BLOCK // 8 : stop * BLOCK // 8])
            self._ranks[start + 1 : stop + 1] = part.reshape(-1, BLOCK // 8).sum(axis=1)
        np.cumsum(self._ranks, out=self._ranks)
        return int(self._ranks[-1])

    def bits(self, start: int, stop: int) -> NDArray[np.bool_]:
        """Return the bits ``start..stop-1``."""
        first = start // 8
        bits = np.unpackbits(self._bits[first : -(-stop // 8)], bitorder="little")
        return bits[start - 8 * first : stop - 8 * first].astype(bool)

    def compress(
        self, first: int, last: int, read: Callable[[int, int], IntArray], out: IntArray
    ) -> None:
        """Write what ``read(start, stop)`` returns, counted from ``first``, where bits are set."""
        place = 0
        for start, stop in spans(last - first):
            found = read(start, stop)[self.bits(first + start, first + stop)]
            out[place : place + len(found)] = found
            place += len(found)

    def rank(self, index: int) -> int:
        """Return how many bits before an index are set."""
        block = index // BLOCK
        return int(self._ranks[block]) + int(self.bits(block * BLOCK, index).sum())

    def select(self, number: int) -> int:
        """Return the index of the set bit with so many set before it."""
        block = int(np.searchsorted(self._ranks, number, side="right")) - 1
        places = np.flatnonzero(self.bits(block * BLOCK, (block + 1) * BLOCK))
        return block * BLOCK + int(places[number - int(self._ranks[block])])

    def index_table(self) -> tuple[NDArray[Any], ...]:
        """Return the arrays for the kernels below."""
        return self._bits.view("<u4"), self._ranks


def bit_vector_bytes(num_vertices: int) -> int:
    """Return the bytes of a :class:`BitVector`."""
    return 9 * num_vertices // 64


def compacted(
    space: RulesSpace, bits: BitVector, replacements: Mapping[str, Any] | None = None
) -> RulesSpace:
    """Return a space of the indices that are set, numbered without gaps.

    Parameters
    ----------
    space : GeneratedSpace
        With ranked positions.
    bits : BitVector
    replacements : mapping of str to function, optional
        More kernels to replace, by their names.
    """
    by_bits = {
        "index_of": compact_index_of,
        "position_of": compact_position_of,
        "position_limit": any_position,
    }
    return replace(
        cast("GeneratedSpace", space),
        kernels=space.kernels.replacing(by_bits | dict(replacements or {})),
        num_vertices=bits.rank(space.num_vertices),
        tiers=tuple(bits.rank(first) for first in space.tiers),
        index_table=bits.index_table(),
        initial_indices=tuple(bits.rank(index) for index in space.initial_indices),
    )


def claimed(space: RulesSpace, bits: BitVector) -> RulesSpace:
    """Return a space of the indices that are set, where one more index stands for all others."""
    one_more = compacted(space, bits, {"index_of": claimed_index_of})
    return replace(cast("GeneratedSpace", one_more), solved=None)


# -- kernels --------------------------------------------------------------------------------------
#
# ``index_table`` is ``bits`` uint32 [words], the first bit lowest, and ``ranks`` uint32 or int64
# [words / 8 + 1], how many bits are set before each block of 8 words, at last all of them.


def compact_index_of(position, data, index_table):
    """Override ``index_of``: the rank of the bit of a canonical position, below 0 if it is not set."""
    bits, ranks = index_table
    index = np.int64(rank(position, data))
    if index < 0 or index >= WORD_BITS * len(bits):
        return np.int64(-1)
    place, bit = index >> 5, index & 31
    word = np.int64(bits[place])
    if word >> bit & 1 == 0:
        return np.int64(-1)
    block = place // BLOCK_WORDS
    count = np.int64(ranks[block]) + (word & (np.int64(1) << bit) - 1).bit_count()
    for k in range(BLOCK_WORDS * block, place):
        count += np.int64(bits[k]).bit_count()
    return count


def claimed_index_of(position, data, index_table):
    """Override ``index_of``: as ``compact_index_of``, one more than all where the bit is not set."""
    index = compact_index_of(position, data, index_table)
    return index if index >= 0 else np.int64(index_table[1][-1])


def compact_position_of(index, data, index_table):
    """Override ``position_of``: the position of the bit that an index selects."""
    bits, ranks = index_table
    low, high = np.int64(0), np.int64(len(ranks) - 1)
    while high - low > 1:
        middle = low + high >> 1
        if np.int64(ranks[middle]) <= index:
            low = middle
        else:
            high = middle
    rest = np.int64(index) - np.int64(ranks[low])
    place = BLOCK_WORDS * low
    word = np.int64(bits[place])
    count = word.bit_count()
    while rest >= count:
        rest -= count
        place += 1
        word = np.int64(bits[place])
        count = word.bit_count()
    while rest > 0:
        word &= word - 1  # clears the lowest bit
        rest -= 1
    return unrank(WORD_BITS * place + ((word & -word) - 1).bit_count(), data)

"""An index of the positions that occur, in the order of a sparse one. Specialised.

``index_table`` is ``bits`` uint32 [words], a bit for each index of the sparse one, the first in the
lowest bit, and ``before`` uint32 or int64 [words / 8 + 1], how many bits are set before each block of
8 words, at last all of them.
"""

import numpy as np

from retrosolve.kernels.checked import (
    rank,
    unrank,
)

INLINED = ("count_bits",)
WORD_BITS, BLOCK_WORDS = 32, 8


def count_bits(word):
    """Return the number of bits set in a word of 32 bits.

    Parameters
    ----------
    word : int64
        Below 2^32.
    """
    word = word - (word >> 1 & 0x55555555)
    word = (word & 0x33333333) + (word >> 2 & 0x33333333)
    word = word + (word >> 4) & 0x0F0F0F0F
    word = word + (word >> 8)
    return word + (word >> 16) & 0x3F


def compact_index_of(position, data, index_table):
    """Override ``index_of``: return the index of a canonical position, below 0 if it does not occur."""
    bits, before = index_table
    index = np.int64(rank(position, data))
    if index < 0 or index >= WORD_BITS * len(bits):
        return np.int64(-1)
    place, bit = index >> 5, index & 31
    word = np.int64(bits[place])
    if word >> bit & 1 == 0:
        return np.int64(-1)
    block = place // BLOCK_WORDS
    count = np.int64(before[block]) + count_bits(word & (np.int64(1) << bit) - 1)
    for k in range(BLOCK_WORDS * block, place):
        count += count_bits(np.int64(bits[k]))
    return count


def claimed_index_of(position, data, index_table):
    """Override ``index_of``: as ``compact_index_of``, one more than all for what does not occur."""
    index = compact_index_of(position, data, index_table)
    return index if index >= 0 else np.int64(index_table[1][-1])


def compact_position_of(index, data, index_table):
    """Override ``position_of``: return the position of an index."""
    bits, before = index_table
    low, high = np.int64(0), np.int64(len(before) - 1)
    while high - low > 1:
        middle = low + high >> 1
        if np.int64(before[middle]) <= index:
            low = middle
        else:
            high = middle
    left = np.int64(index) - np.int64(before[low])
    place = BLOCK_WORDS * low
    word = np.int64(bits[place])
    count = count_bits(word)
    while left >= count:
        left -= count
        place += 1
        word = np.int64(bits[place])
        count = count_bits(word)
    while left > 0:
        word &= word - 1
        left -= 1
    return unrank(WORD_BITS * place + count_bits((word & -word) - 1), data)

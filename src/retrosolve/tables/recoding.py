"""Words of tables looked up, counted and collected: from packed words to codes, by compiled kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray, read_only
from retrosolve.compilation import jit
from retrosolve.compilation.unsigned import u64
from retrosolve.tables.coded import Dictionary

COUNTED_AT_ONCE = 1 << 16  # elements that stay in the cache of the processor
LANES_OF_COUNTS = 4
"""Counts are kept this many times over: adding to one that was just added to waits for it."""


class CountingLookup:
    """The codes of numbers, such as packed words, looked up and counted; for several threads.

    Parameters
    ----------
    numbers : integer [k], ascending
        All that are looked up.
    codes : uint8, uint16 or wider [k]
        The code of each.
    num_codes : int
    work : int
        How many elements are looked up in all, which decides whether compiling pays.
    """

    def __init__(self, numbers: IntArray, codes: NDArray[Any], num_codes: int, work: int) -> None:
        size = max(1 << 16, int(numbers[-1]) + 1 if len(numbers) else 0)
        self._sorted = None if size <= max(1 << 16, 2 * len(numbers)) else numbers
        if self._sorted is None:
            lookup = np.zeros(size, codes.dtype)
            lookup[numbers] = codes
            codes = lookup
        self._codes = read_only(codes)
        self._num_codes = num_codes
        self._has_kernel = self._sorted is None and jit.beats_numpy(work)

    def __call__(self, numbers: NDArray[Any]) -> tuple[NDArray[Any], IntArray]:
        """Return the codes of an array of numbers, and how often each code occurs among them."""
        if self._has_kernel and numbers.dtype.itemsize <= 2:
            lanes = np.zeros((LANES_OF_COUNTS, self._num_codes), np.int64)
            codes: NDArray[Any] = np.empty(len(numbers), self._codes.dtype)
            jit.compiled(recode)(read_only(numbers), self._codes, codes, lanes)
            return codes, lanes.sum(axis=0)
        places = numbers if self._sorted is None else np.searchsorted(self._sorted, numbers)
        codes = self._codes[places]
        counts = np.zeros(self._num_codes, np.int64)
        for low in range(0, len(codes), COUNTED_AT_ONCE):
            counts += np.bincount(codes[low : low + COUNTED_AT_ONCE], minlength=self._num_codes)
        return codes, counts


class DistinctWords:
    """The packed words that occur in parts which several threads bring.

    Parameters
    ----------
    work : int
        The number of words of all parts, which decides whether compiling pays.
    """

    def __init__(self, work: int) -> None:
        self._seen = np.zeros(1 << 16, np.uint8)  # words of 16 bits
        self._others: list[IntArray] = []
        self._has_kernel = jit.beats_numpy(work)

    def add(self, words: IntArray) -> None:
        """Add the words of a part."""
        if words.dtype != np.uint16:
            self._others.append(np.unique(words))
        elif self._has_kernel:
            jit.compiled(mark_seen)(read_only(words), self._seen)
        else:
            self._seen[words] = 1

    def words(self) -> IntArray:
        """Return the words that occur, ascending, in the widest type of those that were added."""
        narrow = np.flatnonzero(self._seen).astype(np.uint16)
        # Their type says what codes of points mean: it is not that of an empty array beside them.
        parts = [part for part in (narrow, *self._others) if len(part)]
        return np.unique(np.concatenate(parts)) if parts else narrow


class WordCodes:
    """The codes of packed words by their place in a dictionary that grows.

    Parameters
    ----------
    dictionary : uint64 [k]
        Canonical words, in the order of their codes.
    words : unsigned, ascending
        The words that are looked up.
    canonical_words : uint64
        The same in canonical form.
    work : int
        How many are looked up in all.
    """

    def __init__(
        self, dictionary: IntArray, words: IntArray, canonical_words: IntArray, work: int
    ) -> None:
        order = np.argsort(dictionary)
        codes = order[np.searchsorted(dictionary, canonical_words, sorter=order)]
        self.dtype = code_dtype(len(dictionary))
        self._lookup = CountingLookup(words, codes.astype(self.dtype), len(dictionary), work)

    def __call__(self, words: IntArray) -> NDArray[Any]:
        """Return the codes of packed words."""
        return self._lookup(words)[0]


def canonical(words: IntArray) -> IntArray:
    """Return packed words as a finished table has them, uint64."""
    return Dictionary.of_words(words, True).words().astype(np.uint64)


def code_dtype(num_codes: int) -> np.dtype[Any]:
    """Return the narrowest type of so many codes."""
    return np.dtype(np.min_scalar_type(max(num_codes - 1, 0)))


# -- kernels ---------------------------------------------------------------------------------------


def recode(source: NDArray[Any], lookup: NDArray[Any], out: NDArray[Any], counts: IntArray) -> None:
    """Look up each element of an array, and count what is found.

    Parameters
    ----------
    source : unsigned [n]
    lookup : unsigned [k]
        For each number that an element may be.
    out : unsigned [n]
        Overwritten.
    counts : int64 [4, m]
        Added to; the sum of its rows counts.
    """
    for at in range(len(source)):
        code = lookup[source[u64(at)]]
        out[u64(at)] = code
        counts[u64(at) & u64(3), code] += 1


def mark_seen(source: IntArray, seen: NDArray[np.uint8]) -> None:
    """Mark the numbers that occur in an array.

    Parameters
    ----------
    source : unsigned [n]
    seen : uint8 [k]
        Changed in place: 1 for each number that occurs.
    """
    for at in range(len(source)):
        seen[source[u64(at)]] = 1

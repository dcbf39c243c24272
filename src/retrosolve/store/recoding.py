"""Arrays of many elements, a part at a time: looked up, counted, and what occurs in them."""

from __future__ import annotations

from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray, read_only
from retrosolve.compilation import jit
from retrosolve.kernels import recoding as kernels

COUNTED_AT_ONCE = 1 << 16  # elements that stay in the cache of the processor


class Recoder:
    """Looks up elements, such as packed words, and counts what is found; for several threads.

    Parameters
    ----------
    lookup : uint8, uint16 or wider [k]
        For each number that an element may be.
    num_codes : int
        How many there are.
    work : int
        The number of elements of all parts, which decides whether compiling pays.
    """

    def __init__(self, lookup: NDArray[Any], num_codes: int, work: int) -> None:
        self._lookup = read_only(lookup)
        self._counts = np.zeros(num_codes, np.int64)
        self._counting = Lock()
        self._has_kernel = jit.beats_numpy(work)

    def __call__(self, source: NDArray[Any]) -> NDArray[Any]:
        """Return what an array is looked up as, counted."""
        if self._has_kernel and source.dtype.itemsize <= 2:
            lanes = np.zeros((kernels.LANES_OF_COUNTS, len(self._counts)), np.int64)
            out: NDArray[Any] = np.empty(len(source), self._lookup.dtype)
            jit.compiled(kernels.recode)(read_only(source), self._lookup, out, lanes)
            self._add(lanes.sum(axis=0))
            return out
        out = self._lookup[source]
        for low in range(0, len(out), COUNTED_AT_ONCE):
            part = out[low : low + COUNTED_AT_ONCE]
            self._add(np.bincount(part, minlength=len(self._counts)))
        return out

    def _add(self, counts: IntArray) -> None:
        with self._counting:
            self._counts += counts

    def counts(self) -> IntArray:
        """Return how often each code was found, int64 [num_codes]."""
        return self._counts


class Seen:
    """Which packed words of 16 bits occur.

    Parameters
    ----------
    work : int
        The number of words of all parts, which decides whether compiling pays.
    """

    def __init__(self, work: int) -> None:
        self._seen = np.zeros(1 << 16, np.uint8)
        self._has_kernel = jit.beats_numpy(work)

    def add(self, words: IntArray) -> None:
        """Note the words of a part."""
        if self._has_kernel:
            jit.compiled(kernels.mark_seen)(read_only(words), self._seen)
        else:
            self._seen[words] = 1

    def words(self) -> IntArray:
        """Return the words that occur, ascending."""
        return np.flatnonzero(self._seen)

"""Counters of open moves that several threads take from: in an array, or in the words. Specialised."""

import numpy as np

from retrosolve.kernels.placeholders import exchange
from retrosolve.kernels.words import OPEN, code_of, pack, remoteness_of

INLINED = ("count_down", "count_down_word")


def count_down(state, remaining, i, below):
    """Take 1 from a counter that other threads may change.

    Parameters
    ----------
    state, remaining
        As in ``initialise``; changed in place.
    i, below : int
        The index, and where the tier begins.

    Returns
    -------
    int
        What is left, -1 if the index is decided by now.
    """
    if len(remaining) == 0:
        return count_down_word(state, i)
    found = np.int64(remaining[i - below])
    while True:
        before = np.int64(exchange(remaining, i - below, found, found - 1))
        if before == found:
            return found - 1
        found = before


def count_down_word(state, i):
    """Do as ``count_down`` for a counter in the word.

    Parameters
    ----------
    state : words [n]
        Changed in place.
    i : int
        The index.

    Returns
    -------
    int
        What is left, -1 if the index is decided by now.
    """
    word = np.int64(state[i])
    while code_of(word) == OPEN:
        before = np.int64(exchange(state, i, word, word - pack(OPEN, 1)))
        if before == word:
            return remoteness_of(word) - 1
        word = before
    return np.int64(-1)

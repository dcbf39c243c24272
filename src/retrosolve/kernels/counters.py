"""Counters of open moves that several threads take from: in an array, or in the words. Specialised.

``counter_bits`` is -1 for counters in the array ``remaining``. Otherwise an undecided word has its
bound in so many bits above the code, and its counter above them; see ``words.bound_bits``.
"""

import numpy as np

from retrosolve.kernels.atomic import exchange
from retrosolve.kernels.words import (
    LOSS_NOT_BEFORE,
    OPEN,
    PENDING_LOSS,
    PENDING_WIN,
    code_of,
    pack,
    remoteness_of,
)

INLINED = ("bound_of", "count_down", "count_down_word", "first_word")


def first_word(win, floor, left, counter_bits):
    """Return the word of an index as moves to earlier tiers leave it.

    Parameters
    ----------
    win, floor : int64
        The levels of the first WIN and the last LOSS by these moves, 0 for none.
    left : int64
        How many moves are not seen to lose.
    counter_bits : int
    """
    if win > 0:
        return pack(PENDING_WIN, win)
    if left == 0:
        return pack(PENDING_LOSS, floor)
    bound = floor if counter_bits < 0 else floor | left << counter_bits
    return pack(LOSS_NOT_BEFORE if floor > 0 else OPEN, bound)


def bound_of(word, counter_bits):
    """Return the level before which an undecided index is not a LOSS.

    Parameters
    ----------
    word : int64
    counter_bits : int
    """
    bound = remoteness_of(word)
    return bound if counter_bits < 0 else bound & (np.int64(1) << counter_bits) - 1


def count_down(state, remaining, counter_bits, i, below):
    """Take 1 from a counter that other threads may change.

    Parameters
    ----------
    state : words [n]
        Changed in place.
    remaining : uint8, uint16 or uint32 [any length]
        Changed in place.
    counter_bits : int
    i, below : int
        The index, and where the tier begins.

    Returns
    -------
    int
        What is left, -1 if the index is decided by now.
    """
    if counter_bits >= 0:
        return count_down_word(state, counter_bits, i)
    found = np.int64(remaining[i - below])
    while True:
        before = np.int64(exchange(remaining, i - below, found, found - 1))
        if before == found:
            return found - 1
        found = before


def count_down_word(state, counter_bits, i):
    """Do as ``count_down`` for a counter in the word.

    Parameters
    ----------
    state : words [n]
        Changed in place.
    counter_bits, i : int

    Returns
    -------
    int
        What is left, -1 if the index is decided by now.
    """
    one = pack(OPEN, np.int64(1) << counter_bits)
    word = np.int64(state[i])
    while code_of(word) in (OPEN, LOSS_NOT_BEFORE):
        before = np.int64(exchange(state, i, word, word - one))
        if before == word:
            return (remoteness_of(word) >> counter_bits) - 1
        word = before
    return np.int64(-1)

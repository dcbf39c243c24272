"""The proof of a compiled game's answers, its moves made anew. A pattern, as ``indexed`` is.

What ``verify`` checks with arrays, a position at a time: it shares no step with what finds answers.
"""

import numpy as np

from retrosolve.kernels.pattern import (
    NO_POSITION,
    canonical,
    index_of,
    position_of,
    same_side,
    successors,
    terminal,
)

FAR = np.int64(1) << 60


def expected(nearest_win, nearest_tie, draws, farthest):
    """Give the word that a position's moves make, from what they lead to and in how many plies."""
    if nearest_win != FAR:
        return 1 | (nearest_win << 3)
    if nearest_tie != FAR:
        return 3 | (nearest_tie << 3)
    if draws > 0:
        return np.int64(0)
    return 2 | (farthest << 3)


def prove(first, last, stuck, reached_only, words, moves, data, found):
    """Give the first index in ``first..last-1`` whose answer its moves do not bear out; -1 if none.

    A word is 8 times the remoteness and a code: 0 DRAW, 1 WIN, 2 LOSS, 3 TIE, 7 no position. ``stuck``
    is the value of a position without moves. With ``reached_only`` what is not in the answer needs no
    proof: that no move leads there is part of that of the others.
    """
    out = np.empty(moves, np.int64)
    for i in range(first, last):
        word = np.int64(words[i])
        if reached_only and word == 7:
            continue
        p = position_of(i, data, found)
        given = np.int64(terminal(p, data))
        if given == NO_POSITION or canonical(p, data) != p:
            if word != 7:
                return i
            continue
        if given != 0:
            if word != given:
                return i
            continue
        count = successors(p, out, data)
        if count == 0:
            if word != stuck:
                return i
            continue
        nearest_win, nearest_tie, farthest = FAR, FAR, np.int64(0)
        draws = 0
        for k in range(count):
            q = canonical(out[k], data)
            j = index_of(q, data, found)
            if j < 0 or j >= len(words):
                return i
            answer = np.int64(words[j])
            value, plies = answer & 7, (answer >> 3) + 1
            if value > 3:
                return i
            if same_side(p, q, data) and value in (1, 2):
                value = 3 - value
            if value == 2:
                nearest_win = min(nearest_win, plies)
            elif value == 3:
                nearest_tie = min(nearest_tie, plies)
            elif value == 0:
                draws += 1
            farthest = max(farthest, plies)
        if word != expected(nearest_win, nearest_tie, draws, farthest):
            return i
    return -1

"""The proof of a compiled game's answers, its moves made anew. A pattern, as ``indexed`` is.

What ``verify`` checks with arrays, a position at a time: it shares no step with what finds answers.
"""

import numpy as np

from retrosolve.kernels.checked import (
    CANARY,
    COUNT,
    INDEX,
    OVERRUN,
    TARGET,
    TOLD,
    ZERO,
    blame,
    check_guard,
    room_for,
    told,
)
from retrosolve.kernels.placeholders import (
    canonical,
    index_of,
    position_limit,
    position_of,
    same_side,
    successors,
)
from retrosolve.kernels.words import (
    DRAW,
    INVALID,
    INVALID_CODE,
    LOSS,
    TIE,
    WIN,
    code_of,
    pack,
    remoteness_of,
)

FAR = np.int64(1) << 60
ALL, POSITIONS, REACHED = range(3)


def expected(nearest_win, nearest_tie, draws, farthest):
    """Give the word that a position's moves make, from what they lead to and in how many plies."""
    if nearest_win != FAR:
        return pack(WIN, nearest_win)
    if nearest_tie != FAR:
        return pack(TIE, nearest_tie)
    if draws > 0:
        return np.int64(DRAW)
    return pack(LOSS, farthest)


def prove(first, last, below, which, sample, stuck, words, marks, moves, data, found, fault):
    """Return the first index in ``first..last-1`` whose answer its moves do not bear out; -1 if none.

    ``words`` [n] are as in ``kernels.words``, with the codes of finished solves only. ``stuck`` is the
    value of a position without moves. ``which`` says what is looked at: ALL, the POSITIONS only,
    or what is REACHED: then ``marks`` uint8 [n] is 1 for an index that something proven leads to, and 2
    once it is proven itself. With a ``sample`` of indices the range is that of places in it.
    Comes second whether an index from ``below`` on was marked.
    """
    out = room_for(moves)
    limit = position_limit(len(words))
    more = False
    for place in range(first, last):
        i = sample[place] if len(sample) > 0 else place
        word = np.int64(words[i])
        if which == REACHED:
            if marks[i] != 1:
                continue
            marks[i] = 2
            if word == INVALID_CODE:
                return i, more
        elif which == POSITIONS and word == INVALID_CODE:
            continue
        p = position_of(i, data, found)
        given = np.int64(told(p, data))
        if given < 0:
            given = INVALID + blame(fault, TOLD, p, ZERO, ZERO, ZERO)
        if given != 0:
            if word != code_of(given):
                return i, more
            continue
        count = successors(p, out, data)
        if count < 0 or count > moves or out[moves] != CANARY:
            count = blame(fault, COUNT, p, count, ZERO, moves)
        if count == 0:
            if word != stuck:
                return i, more
            continue
        nearest_win, nearest_tie, farthest = FAR, FAR, np.int64(0)
        draws = 0
        for k in range(count):
            q = out[k]
            if q < 0 or q >= limit:
                q = p + blame(fault, TARGET, p, q, ZERO, limit)
            q = canonical(q, data)
            j = index_of(q, data, found)
            if q < 0 or j < 0 or j >= len(words):
                j = blame(fault, INDEX, p, q, j, len(words))
            if which == REACHED and marks[j] == 0:
                marks[j] = 1
                if j >= below:
                    more = True
            answer = np.int64(words[j])
            value, plies = code_of(answer), remoteness_of(answer) + 1
            if value > TIE:
                return i, more
            if same_side(p, q, data) and value in (WIN, LOSS):
                value = 3 - value
            if value == LOSS:
                nearest_win = min(nearest_win, plies)
            elif value == TIE:
                nearest_tie = min(nearest_tie, plies)
            elif value == DRAW:
                draws += 1
            farthest = max(farthest, plies)
        if word != expected(nearest_win, nearest_tie, draws, farthest):
            return i, more
    check_guard(first, last, OVERRUN, out, moves, fault)
    return -1, more


def first_unmarked(first, last, words, marks):
    """Return the first index that is said to be a position and is not marked; -1 if there is none."""
    for i in range(first, last):
        if words[i] != INVALID_CODE and marks[i] == 0:
            return i
    return -1

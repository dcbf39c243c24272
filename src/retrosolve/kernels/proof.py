"""The proof of a compiled game's answers, its moves made anew. Specialised.

What ``verify`` checks with arrays, a position at a time: it shares no step with what finds answers.
"""

import numpy as np

from retrosolve.kernels.checked import (
    BAD_TERMINAL,
    CANARY,
    COUNT,
    INDEX,
    OVERRUN,
    TARGET,
    ZERO,
    blame,
    check_guard,
    room_for,
    terminal_or_invalid,
)
from retrosolve.kernels.codes import INVALID
from retrosolve.kernels.placeholders import (
    borrowed,
    canonical,
    index_of,
    position_limit,
    position_of,
    same_side,
    successors,
)
from retrosolve.kernels.words import DRAW, INVALID_CODE, LOSS, TIE, WIN, code_of, pack, remoteness_of

FAR = np.int64(1) << 60
ALL, POSITIONS, REACHED = range(3)


def expected(nearest_win, nearest_tie, draws, farthest):
    """Return the word that a position must have by what its moves lead to.

    Parameters
    ----------
    nearest_win, nearest_tie : int64
        The fewest plies to a won and to a tied end, FAR if there is none.
    draws : int
        How many moves lead to a DRAW.
    farthest : int64
        The most plies to an end that is lost.
    """
    if nearest_win != FAR:
        return pack(WIN, nearest_win)
    if nearest_tie != FAR:
        return pack(TIE, nearest_tie)
    if draws > 0:
        return np.int64(DRAW)
    return pack(LOSS, farthest)


def prove(start, stop, below, which, sample, stuck, words, marks, max_moves, data, index_table, fault):
    """Find an index whose word its moves do not bear out.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    below : int
        Where the tier begins.
    which : int
        ALL indices, the POSITIONS only, or those that are REACHED.
    sample : int64 [any length]
        If not empty, ``start..stop-1`` are places in it, and it holds the indices.
    stuck : int
        The value of a position without moves.
    words : words [n]
        The solution to prove.
    marks : uint8 [n]
        If ``which`` is REACHED: 1 for an index that a proven one leads to, 2 once it is proven itself.
    max_moves : int
        The most moves of a position.
    data, index_table, fault
        See ``kernels.checked``.

    Returns
    -------
    index, more : int, bool
        The first such index, -1 if there is none; whether an index from ``below`` on was marked.
    """
    data, index_table = borrowed(data), borrowed(index_table)
    out = room_for(max_moves)
    limit = position_limit(len(words))
    more = False
    for place in range(start, stop):
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
        p = position_of(i, data, index_table)
        given = np.int64(terminal_or_invalid(p, data))
        if given < 0:
            given = INVALID + blame(fault, BAD_TERMINAL, p, ZERO, ZERO, ZERO)
        if given != 0:
            if word != code_of(given):
                return i, more
            continue
        count = successors(p, out, data)
        if count < 0 or count > max_moves or out[max_moves] != CANARY:
            count = blame(fault, COUNT, p, count, ZERO, max_moves)
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
            j = index_of(q, data, index_table)
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
    check_guard(start, stop, OVERRUN, out, max_moves, fault)
    return -1, more


def first_unmarked(start, stop, words, marks):
    """Find an index that is said to be a position and is not marked.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    words, marks
        As in ``prove``.

    Returns
    -------
    int
        The first one, -1 if there is none.
    """
    for i in range(start, stop):
        if words[i] != INVALID_CODE and marks[i] == 0:
            return i
    return -1

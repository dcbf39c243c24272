"""The proof of a compiled game's answers, its moves made anew. A pattern, as ``indexed`` is.

What ``verify`` checks with arrays, a position at a time: it shares no step with what finds answers.
"""

import numpy as np

from retrosolve.kernels.checked import (
    NO_TARGET,
    blame,
    check_guard,
    checked_index,
    checked_target,
    moves_of,
    room_for,
    told,
)
from retrosolve.kernels.pattern import NO_POSITION, position_of, same_side

INLINED = ("borne_out",)
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


def borne_out(i, stuck, words, out, moves, data, found, fault):
    """Return how many moves an index has, -1 if they do not bear its answer out.

    The indices that they lead to are left in ``out``. A word is 8 times the remoteness and a code:
    0 DRAW, 1 WIN, 2 LOSS, 3 TIE, 7 no position. ``stuck`` is the value of a position without moves.
    """
    word = np.int64(words[i])
    p = position_of(i, data, found)
    given = np.int64(told(p, data, fault))
    if given == NO_POSITION:
        return 0 if word == 7 else -1
    if given != 0:
        return 0 if word == given else -1
    count = moves_of(p, out, moves, data, fault)
    if count == 0:
        return 0 if word == stuck else -1
    nearest_win, nearest_tie, farthest = FAR, FAR, np.int64(0)
    draws = 0
    for k in range(count):
        q = checked_target(p, out[k], len(words), data, fault)
        j = checked_index(p, q, len(words), data, found, fault)
        out[k] = j
        answer = np.int64(words[j])
        value, plies = answer & 7, (answer >> 3) + 1
        if value > 3:
            if told(q, data, fault) == NO_POSITION:
                blame(fault, NO_TARGET, p, q, j, 0)
            return -1
        if same_side(p, q, data) and value in (1, 2):
            value = 3 - value
        if value == 2:
            nearest_win = min(nearest_win, plies)
        elif value == 3:
            nearest_tie = min(nearest_tie, plies)
        elif value == 0:
            draws += 1
        farthest = max(farthest, plies)
    return count if word == expected(nearest_win, nearest_tie, draws, farthest) else -1


def prove(first, last, stuck, reached_only, words, moves, data, found, fault):
    """Return the first index in ``first..last-1`` whose answer its moves do not bear out; -1 if none.

    With ``reached_only`` an index whose answer is that it is no position is passed over.
    """
    out = room_for(moves)
    for i in range(first, last):
        if reached_only and words[i] == 7:
            continue
        if borne_out(i, stuck, words, out, moves, data, found, fault) < 0:
            return i
    check_guard(first, last, words, 0, out, moves, data, found, fault)
    return -1


def prove_reached(first, last, below, stuck, words, marks, moves, data, found, fault):
    """Prove the marked indices in ``first..last-1`` and mark what their moves lead to.

    ``marks`` uint8 [n] is 0 for an index that nothing is known to lead to, 1 for a marked one, 2 once
    it is proven. Returns whether an index from ``below`` on, where the tier begins, was marked, and the
    first index that is marked and not borne out, -1 if there is none.
    """
    out = room_for(moves)
    more = False
    for i in range(first, last):
        if marks[i] != 1:
            continue
        marks[i] = 2
        count = borne_out(i, stuck, words, out, moves, data, found, fault)
        if count < 0 or words[i] == 7:
            return more, i
        for k in range(count):
            j = out[k]
            if marks[j] == 0:
                marks[j] = 1
                if j >= below:
                    more = True
    check_guard(first, last, words, 0, out, moves, data, found, fault)
    return more, -1


def first_unmarked(first, last, words, marks):
    """Return the first index that is said to be a position and is not marked; -1 if there is none."""
    for i in range(first, last):
        if words[i] != 7 and marks[i] == 0:
            return i
    return -1

"""The proof of a compiled game's answers, its moves made anew. Specialised.

What ``verify`` checks with arrays, a position at a time: it shares no step with what finds answers.
"""

import numpy as np

from retrosolve.kernels.atomic import no_refcount, prefetch
from retrosolve.kernels.checked import (
    BAD_TERMINAL,
    CANARY,
    COUNT,
    INDEX,
    OVERRUN,
    TARGET,
    ZERO,
    canonical,
    check_guard,
    index_of,
    position_limit,
    position_of,
    report_fault,
    room_for,
    same_side,
    successors,
    terminal_or_invalid,
)
from retrosolve.kernels.codes import INVALID
from retrosolve.kernels.preferences import WORST, preference, word_of
from retrosolve.kernels.words import INVALID_CODE, code_of

INLINED = ("claimed_word",)
ALL, POSITIONS, REACHED = range(3)


def prove(
    start, stop, below, which, sample, stuck, words, meaning, marks, max_moves, data, index_table,
    fault,
):  # fmt: skip
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
    words : words or codes [n]
        The solution to prove.
    meaning : int64 [k]
        The word of each code; empty if ``words`` are words.
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
    data, index_table = no_refcount(data), no_refcount(index_table)
    out = room_for(max_moves)
    # Claims are looked up at random places. So those about the moves of a position are only asked for,
    # and compared while the moves of the next one are made. Nothing returns from within: numba would
    # count references to arrays again and again.
    targets = np.empty((2, max_moves), np.int64)
    waiting, length, turn = np.int64(-1), 0, 0
    limit = position_limit(len(words))
    wrong, more = np.int64(-1), False
    for place in range(start, stop):
        i = np.int64(sample[place] if len(sample) > 0 else place)
        word = claimed_word(words, meaning, i)
        if which == REACHED:
            if marks[i] != 1:
                continue
            marks[i] = 2
            if word == INVALID_CODE:
                wrong = i
                break
        elif which == POSITIONS and word == INVALID_CODE:
            continue
        p = position_of(i, data, index_table)
        given = np.int64(terminal_or_invalid(p, data))
        if given < 0:
            given = INVALID + report_fault(fault, BAD_TERMINAL, p, ZERO, ZERO, ZERO)
        if given != 0:
            if word != code_of(given):
                wrong = i
                break
            continue
        count = successors(p, out, data)
        if count < 0 or count > max_moves or out[max_moves] != CANARY:
            count = report_fault(fault, COUNT, p, count, ZERO, max_moves)
        if count == 0:
            if word != stuck:
                wrong = i
                break
            continue
        before, now = targets[1 - turn], targets[turn]
        best = WORST
        for k in range(count):
            q = out[k]
            if q < 0 or q >= limit:
                q = p + report_fault(fault, TARGET, p, q, ZERO, limit)
            q = canonical(q, data)
            j = index_of(q, data, index_table)
            if q < 0 or j < 0 or j >= len(words):
                j = report_fault(fault, INDEX, p, q, j, len(words))
            prefetch(words, j)
            if which == REACHED and marks[j] == 0:
                marks[j] = 1
                if j >= below:
                    more = True
            now[k] = ~j if same_side(p, q, data) else j
            if k < length:
                j = before[k]
                answer = claimed_word(words, meaning, ~j if j < 0 else j)
                best = min(best, preference(answer, j < 0))
        for k in range(count, length):
            j = before[k]
            answer = claimed_word(words, meaning, ~j if j < 0 else j)
            best = min(best, preference(answer, j < 0))
        if length > 0 and claimed_word(words, meaning, waiting) != word_of(best):
            wrong, length = waiting, 0
            break
        waiting, length, turn = i, count, 1 - turn
    best = WORST
    for k in range(length):
        j = targets[1 - turn, k]
        answer = claimed_word(words, meaning, ~j if j < 0 else j)
        best = min(best, preference(answer, j < 0))
    if length > 0 and claimed_word(words, meaning, waiting) != word_of(best):
        wrong = waiting
    check_guard(start, stop, OVERRUN, out, max_moves, fault)
    return wrong, more


def claimed_word(words, meaning, i):
    """Return the word of an index; see ``prove``.

    Parameters
    ----------
    words : words or codes [n]
    meaning : int64 [k]
    i : int
    """
    if len(meaning) == 0:
        return np.int64(words[i])
    return np.int64(meaning[words[i]])


def first_unmarked(start, stop, words, meaning, marks):
    """Find an index that is said to be a position and is not marked.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    words, meaning, marks
        As in ``prove``.

    Returns
    -------
    int
        The first one, -1 if there is none.
    """
    for i in range(start, stop):
        if marks[i] == 0 and claimed_word(words, meaning, i) != INVALID_CODE:
            return i
    return -1

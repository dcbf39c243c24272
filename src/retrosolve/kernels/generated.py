"""Solving a game over an index, its moves made as they are needed. A pattern, fitted to each game.

The functions of a game are names of ``pattern`` that are bound anew for each game before its kernels
are compiled: see ``fitting``.

State is one word an index, as in ``words``; ``remaining`` counts the different successors that are not
yet seen to lose.

A level is a pass over the state that takes what has its remoteness: no vertex gets the level that is
being passed, so parts may be passed at the same time, and the answer is the same for any number of
threads.
"""

import numpy as np

from retrosolve.kernels.checked import (
    ANY_POSITION,
    CANARY,
    COUNT,
    INDEX,
    NO_TARGET,
    ORIGIN,
    ORIGIN_COUNT,
    ORIGIN_OVERRUN,
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
    predecessors,
    same_position,
    same_side,
    subtract_one,
    successors,
)
from retrosolve.kernels.words import (
    INVALID,
    INVALID_CODE,
    LOSS,
    LOSS_NOT_BEFORE,
    OPEN,
    PENDING_LOSS,
    PENDING_WIN,
    TIE,
    WIN,
    code_of,
    pack,
    remoteness_of,
)

INLINED = ("tell",)
SHORT = 64  # so many positions are compared with one another; more are sorted


def different(out, count, limit, data):
    """Make the first ``count`` positions of ``out`` canonical and keep each once; count those.

    Where one is not from 0 to ``limit`` - 1, or its canonical form below 0, it comes to stand in front
    and -1 is returned.
    """
    kept = 0
    met = 0
    wrong = ZERO
    right = True
    for k in range(count):
        q = out[k]
        if q >= 0 and q < limit:
            q = canonical(q, data)
        if q < 0 or q >= limit:
            wrong, right = q, False  # to return here would cost the counting of references
        bit = 1 << ((q ^ (q >> 6) ^ (q >> 13) ^ (q >> 29)) & 31)
        if met & bit:
            again = False
            for j in range(kept):
                if out[j] == q:
                    again = True
            if again:
                continue
        met |= bit
        out[kept] = q
        kept += 1
    if not right:
        out[0] = wrong
        kept = -1
    return kept


def different_of_many(out, count, limit, data):
    """Do the same by sorting (Shell, 1959, with Knuth's gaps)."""
    for k in range(count):
        if out[k] >= 0 and out[k] < limit:
            out[k] = canonical(out[k], data)
        if out[k] < 0 or out[k] >= limit:
            out[0] = out[k]
            return -1
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(gap, count):
            q = out[k]
            j = k
            while j >= gap and out[j - gap] > q:
                out[j] = out[j - gap]
                j -= gap
            out[j] = q
        gap //= 3
    kept = 1
    for k in range(1, count):
        if out[k] != out[kept - 1]:
            out[kept] = out[k]
            kept += 1
    return kept


def seen(code, p, q, data):
    """Say what the player to move at ``p`` makes of a successor ``q`` that is WIN, LOSS or TIE."""
    if code == TIE or same_side(p, q, data):
        return code
    return 3 - code


def look(first, last, below, above, stuck, state, remaining, moves, data, found, fault):
    """Take the first look at the indices ``first..last-1`` of the tier ``below..above-1``.

    Fills ``state`` and ``remaining``, the latter ``below`` places behind. Returns the last level that
    something is due at, and the number of moves.
    """
    out = room_for(moves)
    due, edges = 0, 0
    limit = position_limit(len(state))
    for i in range(first, last):
        remaining[i - below] = 0
        if code_of(state[i]) == INVALID_CODE:
            continue
        p = position_of(i, data, found)
        given = told(p, data)
        if given < 0:
            given = INVALID + blame(fault, TOLD, p, ZERO, ZERO, ZERO)
        if given != 0:
            state[i] = code_of(given)
            continue
        count = successors(p, out, data)
        if count < 0 or count > moves or out[moves] != CANARY:
            count = blame(fault, COUNT, p, count, ZERO, moves)
        edges += count
        if count == 0:
            state[i] = stuck
            continue
        if count <= SHORT:
            count = different(out, count, limit, data)
        else:
            count = different_of_many(out, count, limit, data)
        if count < 0:
            count = blame(fault, TARGET, p, out[0], ZERO, limit)
        win, floor = 0, 0
        left = count
        for k in range(count if below > 0 else 0):
            q = out[k]
            j = index_of(q, data, found)
            if q < 0 or j < 0 or j >= above:
                j = blame(fault, INDEX, p, q, j, above)
            if j >= below:
                continue
            word = np.int64(state[j])
            code, level = code_of(word), remoteness_of(word)
            if code == INVALID_CODE:
                blame(fault, NO_TARGET, p, q, j, ZERO)
            if code not in (WIN, LOSS):
                continue
            if seen(code, p, q, data) == WIN:
                win = level + 1 if win == 0 else min(win, level + 1)
            else:
                floor = max(floor, level + 1)
                left -= 1
        if win > 0:
            state[i] = pack(PENDING_WIN, win)
        elif left == 0:
            state[i] = pack(PENDING_LOSS, floor)
        elif floor > 0:
            state[i] = pack(LOSS_NOT_BEFORE, floor)
        else:
            state[i] = OPEN
        remaining[i - below] = left
        due = max(due, win, floor)
    check_guard(first, last, OVERRUN, out, moves, fault)
    return due, edges


def look_for_ties(first, last, below, state, moves, data, found, fault):
    """Mark what is undecided and has a TIE in a lower tier; return the last level that is due."""
    out = room_for(moves)
    due = 0
    limit = position_limit(len(state))
    for i in range(first, last):
        if code_of(state[i]) != OPEN and code_of(state[i]) != LOSS_NOT_BEFORE:
            continue
        p = position_of(i, data, found)
        count = successors(p, out, data)
        if count < 0 or count > moves or out[moves] != CANARY:
            count = blame(fault, COUNT, p, count, ZERO, moves)
        tie = 0
        for k in range(count):
            q = out[k]
            if q < 0 or q >= limit:
                q = p + blame(fault, TARGET, p, q, ZERO, limit)
            q = canonical(q, data)
            j = index_of(q, data, found)
            if q < 0 or j < 0 or j >= len(state):
                j = blame(fault, INDEX, p, q, j, len(state))
            if j < below and code_of(state[j]) == TIE:
                level = remoteness_of(np.int64(state[j])) + 1
                tie = level if tie == 0 else min(tie, level)
        if tie > 0:
            state[i] = pack(PENDING_WIN, tie)
            due = max(due, tie)
    return due


def pass_level(
    first, last, below, above, level, ties, state, remaining, origins, queue, data, found, fault
):
    """Tell the predecessors of every index in ``first..last-1`` that has this level.

    ``below..above-1`` is the tier, ``origins`` the most predecessors there are. What is decided goes
    into ``queue`` while that has room. Returns how many were decided, more than ``len(queue)`` if it
    overflowed, and how many had the level.
    """
    out = room_for(origins)
    decided, had = ZERO, ZERO
    for j in range(first, last):
        word = np.int64(state[j])
        code = code_of(word)
        if remoteness_of(word) != level or code in (OPEN, INVALID_CODE, LOSS_NOT_BEFORE):
            continue
        if code == PENDING_WIN:
            code = TIE if ties else WIN
            state[j] = pack(code, level)
        elif code == PENDING_LOSS:
            code = LOSS
            state[j] = pack(code, level)
        if (code == TIE) != ties:
            continue
        had += 1
        decided = tell(
            j, code, below, above, level, state, remaining, out, origins, queue, decided, data, found,
            fault,
        )  # fmt: skip
    check_guard(first, last, ORIGIN_OVERRUN, out, origins, fault)
    return decided, had


def tell(j, code, below, above, level, state, remaining, out, origins, queue, tail, data, found, fault):
    """Tell the predecessors of one index. Returns the new end of ``queue``."""
    q = position_of(j, data, found)
    count = predecessors(q, out, data)
    if count < 0 or count > origins or out[origins] != CANARY:
        count = blame(fault, ORIGIN_COUNT, q, count, ZERO, origins)
    if count <= SHORT:
        count = different(out, count, ANY_POSITION, data)
    else:
        count = different_of_many(out, count, ANY_POSITION, data)
    if count < 0:
        count = blame(fault, ORIGIN, q, out[0], ZERO, ZERO)
    for k in range(count):
        p = out[k]
        i = index_of(p, data, found)
        if i < below or i >= above:
            continue
        word = np.int64(state[i])
        kind = code_of(word)
        if kind not in (OPEN, LOSS_NOT_BEFORE, PENDING_WIN) or not same_position(i, p, data, found):
            continue
        result = seen(code, p, q, data)
        if result != LOSS:
            if kind == PENDING_WIN and remoteness_of(word) <= level + 1:
                continue
            state[i] = pack(result, level + 1)
        else:
            if kind == PENDING_WIN or subtract_one(remaining, i - below) != 1:
                continue
            if kind == LOSS_NOT_BEFORE and remoteness_of(word) > level + 1:
                state[i] = pack(PENDING_LOSS, remoteness_of(word))
                continue
            state[i] = pack(LOSS, level + 1)
        if tail < len(queue):
            queue[tail] = i
        tail += 1
    return tail


def run_queue(
    queue, head, tail, below, above, level, state, remaining, origins, highest, data, found, fault
):
    """Run level after level on one thread, first in, first out, from ``queue[head:tail]``.

    All of it has ``level``. Stops where the queue is full, or at level ``highest``, the last that a
    word holds. Returns the head, the tail and the level of what is left.
    """
    out = room_for(origins)
    while head < tail <= len(queue) and level < highest and fault[0] == 0:
        end = tail
        while head < end:
            j = queue[head]
            head += 1
            code = code_of(np.int64(state[j]))
            tail = tell(
                j, code, below, above, level, state, remaining, out, origins, queue, tail, data, found,
                fault,
            )  # fmt: skip
        level += 1
    check_guard(below, above, ORIGIN_OVERRUN, out, origins, fault)
    return head, tail, level


def has(first, last, code, state):
    """Tell whether some index has this code."""
    for i in range(first, last):  # noqa: SIM110  # numba has no any()
        if code_of(state[i]) == code:
            return True
    return False

"""Solving a game over an index by its moves alone. A pattern, with the state of ``indexed``."""

import numpy as np

from retrosolve.kernels.checked import (
    CANARY,
    COUNT,
    INDEX,
    NO_TARGET,
    OVERRUN,
    TARGET,
    TOLD,
    ZERO,
    blame,
    check_guard,
    room_for,
    told,
)
from retrosolve.kernels.generated import seen
from retrosolve.kernels.placeholders import (
    canonical,
    index_of,
    position_limit,
    position_of,
    successors,
)
from retrosolve.kernels.words import (
    INVALID,
    INVALID_CODE,
    LOSS,
    OPEN,
    TIE,
    WIN,
    code_of,
    pack,
    remoteness_of,
)


def look_open(first, last, stuck, state, moves, data, found, fault):
    """Take the first look for ``sweep``: what is over, stuck, or no position. Returns the moves."""
    out = room_for(moves)
    edges = 0
    for i in range(first, last):
        if code_of(state[i]) == INVALID_CODE:
            continue
        p = position_of(i, data, found)
        given = told(p, data)
        if given < 0:
            given = INVALID + blame(fault, TOLD, p, ZERO, ZERO, ZERO)
        if given != 0:
            state[i] = code_of(given)
        else:
            count = successors(p, out, data)
            if count < 0 or count > moves or out[moves] != CANARY:
                count = blame(fault, COUNT, p, count, ZERO, moves)
            edges += count
            state[i] = stuck if count == 0 else OPEN
    check_guard(first, last, OVERRUN, out, moves, fault)
    return edges


def sweep(first, last, above, level, ties, state, moves, data, found, fault):
    """Decide what has remoteness ``level + 1``, by looking at the successors of what is undecided.

    No move may lead to index ``above``, where the tier ends, or past it.
    Returns how many were decided, and whether some successor is decided later than ``level``.
    """
    out = room_for(moves)
    decided, later = 0, 0
    limit = position_limit(len(state))
    for i in range(first, last):
        if code_of(state[i]) != OPEN:
            continue
        p = position_of(i, data, found)
        count = successors(p, out, data)
        if count < 0 or count > moves or out[moves] != CANARY:
            count = blame(fault, COUNT, p, count, ZERO, moves)
        good = False
        bad = 0
        for k in range(count):
            q = out[k]
            if q < 0 or q >= limit:
                q = p + blame(fault, TARGET, p, q, ZERO, limit)
            q = canonical(q, data)
            j = index_of(q, data, found)
            if q < 0 or j < 0 or j >= above:
                j = blame(fault, INDEX, p, q, j, above)
            word = np.int64(state[j])
            code = code_of(word)
            if code == INVALID_CODE:
                blame(fault, NO_TARGET, p, q, j, ZERO)
            if code == OPEN or (code == TIE) != ties:
                continue
            if remoteness_of(word) > level:
                later = 1
                continue
            if ties or seen(code, p, q, data) == WIN:
                good = True
                break
            bad += 1
        if good or (bad == count and not ties):
            state[i] = pack((TIE if ties else WIN) if good else LOSS, level + 1)
            decided += 1
    return decided, later


def pass_once(first, last, below, above, stuck, state, moves, data, found, fault):
    """Settle the indices ``first..last-1`` of a tier all of whose moves lead below it.

    ``above`` is where the tier ends. Returns the number of moves, -1, having stopped, if one leads into
    the tier itself, and the largest remoteness.
    """
    out = room_for(moves)
    edges = 0
    highest = np.int64(0)
    limit = position_limit(len(state))
    for i in range(first, last):
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
        win, tie, loss = np.int64(-1), np.int64(-1), np.int64(0)
        draw = False
        for k in range(count):
            q = out[k]
            if q < 0 or q >= limit:
                q = p + blame(fault, TARGET, p, q, ZERO, limit)
            q = canonical(q, data)
            j = index_of(q, data, found)
            if q < 0 or j < 0 or j >= above:
                j = blame(fault, INDEX, p, q, j, above)
            if j >= below:
                return np.int64(-1), highest
            word = np.int64(state[j])
            code, level = code_of(word), remoteness_of(word)
            if code == INVALID_CODE:
                blame(fault, NO_TARGET, p, q, j, ZERO)
            if code == OPEN:
                draw = True
                continue
            result = seen(code, p, q, data)
            if result == WIN and (win < 0 or level < win):
                win = level
            if result == TIE and (tie < 0 or level < tie):
                tie = level
            loss = max(loss, level)
        if count == 0:
            state[i] = stuck
        elif win >= 0:
            state[i] = pack(WIN, win + 1)
            highest = max(highest, win + 1)
        elif tie >= 0:
            state[i] = pack(TIE, tie + 1)
            highest = max(highest, tie + 1)
        elif draw:
            state[i] = OPEN
        else:
            state[i] = pack(LOSS, loss + 1)
            highest = max(highest, loss + 1)
    check_guard(first, last, OVERRUN, out, moves, fault)
    return np.int64(edges), highest

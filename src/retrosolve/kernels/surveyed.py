"""Retrograde analysis by index: rules that survey an index and name predecessors by index. Specialised.

The same as in ``generated`` and ``generated_sweep``, with the same state, but moves within a tier are
only counted, and no position is made from an index and ranked again. Players alternate.
"""

import numpy as np

from retrosolve.kernels.atomic import no_refcount, prefetch
from retrosolve.kernels.checked import (
    CANARY,
    INDEX_COUNT,
    SURVEY_COUNT,
    SURVEY_INDEX,
    SURVEY_INVALID,
    SURVEY_OVERRUN,
    ZERO,
    blame,
    check_guard,
    predecessor_indices,
    room_for,
    survey,
)
from retrosolve.kernels.counters import bound_of, count_down, first_word
from retrosolve.kernels.successor_sets import last_word
from retrosolve.kernels.words import (
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


def surveyed_initialise(
    start, stop, below, above, stuck, state, remaining, counter_bits, max_moves, data, index_table,
    fault,
):  # fmt: skip
    """Override ``initialise`` in a game with ``survey``.

    Parameters
    ----------
    start, stop, below, above, stuck, state, remaining, counter_bits, max_moves
        As there.
    data, index_table, fault
        See ``kernels.checked``.

    Returns
    -------
    due, edges : int
        As there.
    """
    data, index_table = no_refcount(data), no_refcount(index_table)
    out = room_for(max_moves)
    due, edges = 0, 0
    apart = counter_bits < 0
    for i in range(start, stop):
        if apart:
            remaining[i - below] = 0
        if code_of(state[i]) == INVALID_CODE:
            continue
        given, moves, within, beyond = survey(i, out, data)
        if beyond < 0 or within < 0 or within + beyond > max_moves or out[max_moves] != CANARY:
            given = INVALID_CODE + blame(fault, SURVEY_COUNT, i, within, beyond, max_moves)
        if given != 0:
            state[i] = code_of(given)
            continue
        edges += moves
        if moves == 0:
            state[i] = stuck
            continue
        win, floor = 0, 0
        left = within + beyond
        for k in range(beyond):
            j = out[k]
            if j < 0 or j >= below:
                j = blame(fault, SURVEY_INDEX, i, j, j, below)
            word = np.int64(state[j])
            code, level = code_of(word), remoteness_of(word)
            if code == INVALID_CODE:
                blame(fault, SURVEY_INVALID, i, j, j, ZERO)
            if code == LOSS:
                win = level + 1 if win == 0 else min(win, level + 1)
            elif code == WIN:
                floor = max(floor, level + 1)
                left -= 1
        state[i] = first_word(win, floor, left, counter_bits)
        if apart:
            remaining[i - below] = left
        due = max(due, win, floor)
    check_guard(start, stop, SURVEY_OVERRUN, out, max_moves, fault)
    return due, edges


def surveyed_acyclic_tier(start, stop, below, above, stuck, state, max_moves, data, index_table, fault):
    """Override ``solve_acyclic_tier`` in a game with ``survey``.

    Parameters
    ----------
    start, stop, below, above, stuck, state, max_moves
        As there.
    data, index_table, fault
        See ``kernels.checked``.

    Returns
    -------
    edges, highest : int
        As there.
    """
    data, index_table = no_refcount(data), no_refcount(index_table)
    out = room_for(max_moves)
    edges, highest = np.int64(0), np.int64(0)
    for i in range(start, stop):
        if code_of(state[i]) == INVALID_CODE:
            continue
        given, moves, within, beyond = survey(i, out, data)
        if beyond < 0 or within < 0 or within + beyond > max_moves or out[max_moves] != CANARY:
            given = INVALID_CODE + blame(fault, SURVEY_COUNT, i, within, beyond, max_moves)
        if given != 0:
            state[i] = code_of(given)
            continue
        if within > 0:
            return np.int64(-1), highest
        edges += moves
        win, tie, loss = np.int64(-1), np.int64(-1), np.int64(0)
        draw = False
        for k in range(beyond):
            j = out[k]
            if j < 0 or j >= below:
                j = blame(fault, SURVEY_INDEX, i, j, j, below)
            word = np.int64(state[j])
            code, level = code_of(word), remoteness_of(word)
            if code == INVALID_CODE:
                blame(fault, SURVEY_INVALID, i, j, j, ZERO)
            if code == OPEN:
                draw = True
                continue
            if code == LOSS and (win < 0 or level < win):
                win = level
            if code == TIE and (tie < 0 or level < tie):
                tie = level
            loss = max(loss, level)
        word = stuck if beyond == 0 else last_word(win, tie, draw, loss)
        state[i] = word
        highest = max(highest, remoteness_of(word))
    check_guard(start, stop, SURVEY_OVERRUN, out, max_moves, fault)
    return edges, highest


def indexed_notify_predecessors(
    j, code, below, above, level, state, remaining, counter_bits, out, max_predecessors, queue, tail,
    data, index_table, fault,
):  # fmt: skip
    """Override ``notify_predecessors`` in a game with ``predecessor_indices``.

    Parameters
    ----------
    j, code, below, above, level, state, remaining, counter_bits, out, max_predecessors, queue, tail
        As there.
    data, index_table, fault
        See ``kernels.checked``.

    Returns
    -------
    int
        As there.
    """
    count = predecessor_indices(j, out, data)
    if count < 0 or count > max_predecessors or out[max_predecessors] != CANARY:
        count = blame(fault, INDEX_COUNT, j, count, ZERO, max_predecessors)
    for k in range(count):
        if out[k] >= below and out[k] < above:
            prefetch(state, out[k])
            if counter_bits < 0:
                prefetch(remaining, out[k] - below)
    for k in range(count):
        i = out[k]
        if i < below or i >= above:
            continue
        word = np.int64(state[i])
        kind = code_of(word)
        if kind not in (OPEN, LOSS_NOT_BEFORE, PENDING_WIN):
            continue
        if code != WIN:
            if kind == PENDING_WIN and remoteness_of(word) <= level + 1:
                continue
            state[i] = pack(WIN if code == LOSS else TIE, level + 1)
        else:
            if kind == PENDING_WIN or count_down(state, remaining, counter_bits, i, below) != 0:
                continue
            bound = bound_of(word, counter_bits)
            if kind == LOSS_NOT_BEFORE and bound > level + 1:
                state[i] = pack(PENDING_LOSS, bound)
                continue
            state[i] = pack(LOSS, level + 1)
        if tail < len(queue):
            queue[tail] = i
        tail += 1
    return tail

"""Solving a game over an index by successors alone, with the state of ``generated``. Specialised."""

import numpy as np

from retrosolve.kernels.atomic import no_refcount
from retrosolve.kernels.checked import (
    BAD_TERMINAL,
    CANARY,
    COUNT,
    INDEX,
    NO_TARGET,
    OVERRUN,
    TARGET,
    ZERO,
    blame,
    canonical,
    check_guard,
    index_of,
    position_limit,
    position_of,
    room_for,
    successors,
    terminal_or_invalid,
)
from retrosolve.kernels.codes import INVALID
from retrosolve.kernels.successor_sets import last_word, value_for_mover
from retrosolve.kernels.words import INVALID_CODE, LOSS, OPEN, TIE, WIN, code_of, pack, remoteness_of


def initialise_open(start, stop, stuck, state, max_moves, data, index_table, fault):
    """Settle what is terminal, has no moves, or is invalid.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    stuck : int
        The value of a position without moves.
    state : words [n]
        Changed in place.
    max_moves : int
        The most moves of a position.
    data, index_table, fault
        See ``kernels.checked``.

    Returns
    -------
    int
        The number of moves.
    """
    data, index_table = no_refcount(data), no_refcount(index_table)
    out = room_for(max_moves)
    edges = 0
    for i in range(start, stop):
        if code_of(state[i]) == INVALID_CODE:
            continue
        p = position_of(i, data, index_table)
        given = terminal_or_invalid(p, data)
        if given < 0:
            given = INVALID + blame(fault, BAD_TERMINAL, p, ZERO, ZERO, ZERO)
        if given != 0:
            state[i] = code_of(given)
        else:
            count = successors(p, out, data)
            if count < 0 or count > max_moves or out[max_moves] != CANARY:
                count = blame(fault, COUNT, p, count, ZERO, max_moves)
            edges += count
            state[i] = stuck if count == 0 else OPEN
    check_guard(start, stop, OVERRUN, out, max_moves, fault)
    return edges


def sweep(start, stop, above, level, ties, state, max_moves, data, index_table, fault):
    """Decide what has remoteness ``level + 1``, by the successors of what is undecided.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    above : int
        Where the tier ends; no move may lead there or past it.
    level : int
        The last level that is known.
    ties : bool
        Whether ties are propagated, not wins and losses.
    state : words [n]
        Changed in place.
    max_moves : int
        The most moves of a position.
    data, index_table, fault
        See ``kernels.checked``.

    Returns
    -------
    decided, later : int
        How many were decided, and whether some successor is decided later than ``level``.
    """
    data, index_table = no_refcount(data), no_refcount(index_table)
    out = room_for(max_moves)
    decided, later = 0, 0
    limit = position_limit(len(state))
    for i in range(start, stop):
        if code_of(state[i]) != OPEN:
            continue
        p = position_of(i, data, index_table)
        count = successors(p, out, data)
        if count < 0 or count > max_moves or out[max_moves] != CANARY:
            count = blame(fault, COUNT, p, count, ZERO, max_moves)
        good = False
        bad = 0
        for k in range(count):
            q = out[k]
            if q < 0 or q >= limit:
                q = p + blame(fault, TARGET, p, q, ZERO, limit)
            q = canonical(q, data)
            j = index_of(q, data, index_table)
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
            if ties or value_for_mover(code, p, q, data) == WIN:
                good = True
                break
            bad += 1
        if good or (bad == count and not ties):
            state[i] = pack((TIE if ties else WIN) if good else LOSS, level + 1)
            decided += 1
    return decided, later


def solve_acyclic_tier(start, stop, below, above, stuck, state, max_moves, data, index_table, fault):
    """Solve indices of a tier all of whose moves lead below it.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    below, above : int
        The tier is ``below..above-1``.
    stuck : int
        The value of a position without moves.
    state : words [n]
        Changed in place.
    max_moves : int
        The most moves of a position.
    data, index_table, fault
        See ``kernels.checked``.

    Returns
    -------
    edges, highest : int
        The number of moves, -1 if one leads into the tier itself, and the largest remoteness.
    """
    data, index_table = no_refcount(data), no_refcount(index_table)
    out = room_for(max_moves)
    edges = 0
    highest = np.int64(0)
    limit = position_limit(len(state))
    for i in range(start, stop):
        if code_of(state[i]) == INVALID_CODE:
            continue
        p = position_of(i, data, index_table)
        given = terminal_or_invalid(p, data)
        if given < 0:
            given = INVALID + blame(fault, BAD_TERMINAL, p, ZERO, ZERO, ZERO)
        if given != 0:
            state[i] = code_of(given)
            continue
        count = successors(p, out, data)
        if count < 0 or count > max_moves or out[max_moves] != CANARY:
            count = blame(fault, COUNT, p, count, ZERO, max_moves)
        edges += count
        win, tie, loss = np.int64(-1), np.int64(-1), np.int64(0)
        draw = False
        for k in range(count):
            q = out[k]
            if q < 0 or q >= limit:
                q = p + blame(fault, TARGET, p, q, ZERO, limit)
            q = canonical(q, data)
            j = index_of(q, data, index_table)
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
            result = value_for_mover(code, p, q, data)
            if result == WIN and (win < 0 or level < win):
                win = level
            if result == TIE and (tie < 0 or level < tie):
                tie = level
            loss = max(loss, level)
        word = stuck if count == 0 else last_word(win, tie, draw, loss)
        state[i] = word
        highest = max(highest, remoteness_of(word))
    check_guard(start, stop, OVERRUN, out, max_moves, fault)
    return np.int64(edges), highest

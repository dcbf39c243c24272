"""Retrograde analysis of a game over an index, its moves generated as they are needed. Specialised.

The functions of a game are the names in ``placeholders``, replaced for each game before its kernels are
compiled: see ``compilation.specialize``.

The state is one word an index, as in ``words``; ``remaining`` counts the different successors that are
not yet seen to lose, unless ``counter_bits`` says that they are in the words (see ``counters``).

A level is a pass over the state that takes what has its remoteness. No vertex gets the level of the
pass, so several threads may work on it, and the result does not depend on their number.
"""

import numpy as np

from retrosolve.kernels.atomic import no_refcount
from retrosolve.kernels.checked import (
    ANY_POSITION,
    BAD_TERMINAL,
    CANARY,
    COUNT,
    INDEX,
    NO_TARGET,
    OVERRUN,
    PREDECESSOR,
    PREDECESSOR_COUNT,
    PREDECESSOR_OVERRUN,
    TARGET,
    ZERO,
    blame,
    canonical,
    check_guard,
    index_of,
    position_limit,
    position_of,
    predecessors,
    room_for,
    same_position,
    successors,
    terminal_or_invalid,
)
from retrosolve.kernels.codes import INVALID
from retrosolve.kernels.counters import bound_of, count_down, first_word
from retrosolve.kernels.successor_sets import (
    MAX_COMPARED,
    unique_canonical,
    unique_canonical_sorted,
    value_for_mover,
)
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

INLINED = ("notify_predecessors",)


def initialise(
    start, stop, below, above, stuck, state, remaining, counter_bits, max_moves, data, index_table,
    fault,
):  # fmt: skip
    """Settle what is terminal, has no moves or is decided by moves to earlier tiers; count moves.

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
    remaining : uint8, uint16 or uint32 [above - below or 0]
        Overwritten with the number of different successors not yet seen to lose.
    counter_bits : int
        See ``counters``.
    max_moves : int
        The most moves of a position.
    data, index_table, fault
        See ``kernels.checked``.

    Returns
    -------
    due, edges : int
        The last level at which something is pending, and the number of moves.
    """
    data, index_table = no_refcount(data), no_refcount(index_table)
    out = room_for(max_moves)
    due, edges = 0, 0
    limit = position_limit(len(state))
    apart = counter_bits < 0
    for i in range(start, stop):
        if apart:
            remaining[i - below] = 0
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
        if count == 0:
            state[i] = stuck
            continue
        if count <= MAX_COMPARED:
            count = unique_canonical(out, count, limit, data)
        else:
            count = unique_canonical_sorted(out, count, limit, data)
        if count < 0:
            count = blame(fault, TARGET, p, out[0], ZERO, limit)
        win, floor = 0, 0
        left = count
        for k in range(count if below > 0 else 0):
            q = out[k]
            j = index_of(q, data, index_table)
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
            if value_for_mover(code, p, q, data) == WIN:
                win = level + 1 if win == 0 else min(win, level + 1)
            else:
                floor = max(floor, level + 1)
                left -= 1
        state[i] = first_word(win, floor, left, counter_bits)
        if apart:
            remaining[i - below] = left
        due = max(due, win, floor)
    check_guard(start, stop, OVERRUN, out, max_moves, fault)
    return due, edges


def initialise_ties(start, stop, below, state, max_moves, data, index_table, fault):
    """Mark as pending what is undecided and has a TIE in an earlier tier.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    below : int
        Where the tier begins.
    state : words [n]
        Changed in place.
    max_moves : int
        The most moves of a position.
    data, index_table, fault
        See ``kernels.checked``.

    Returns
    -------
    int
        The last level at which something is pending.
    """
    data, index_table = no_refcount(data), no_refcount(index_table)
    out = room_for(max_moves)
    due = 0
    limit = position_limit(len(state))
    for i in range(start, stop):
        if code_of(state[i]) != OPEN and code_of(state[i]) != LOSS_NOT_BEFORE:
            continue
        p = position_of(i, data, index_table)
        count = successors(p, out, data)
        if count < 0 or count > max_moves or out[max_moves] != CANARY:
            count = blame(fault, COUNT, p, count, ZERO, max_moves)
        tie = 0
        for k in range(count):
            q = out[k]
            if q < 0 or q >= limit:
                q = p + blame(fault, TARGET, p, q, ZERO, limit)
            q = canonical(q, data)
            j = index_of(q, data, index_table)
            if q < 0 or j < 0 or j >= len(state):
                j = blame(fault, INDEX, p, q, j, len(state))
            if j < below and code_of(state[j]) == TIE:
                level = remoteness_of(np.int64(state[j])) + 1
                tie = level if tie == 0 else min(tie, level)
        if tie > 0:
            state[i] = pack(PENDING_WIN, tie)
            due = max(due, tie)
    return due


def propagate_level(
    start, stop, below, above, level, ties, state, remaining, counter_bits, max_predecessors, queue,
    data, index_table, fault,
):  # fmt: skip
    """Notify the predecessors of every index that has this level.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    below, above : int
        The tier is ``below..above-1``.
    level : int
        The level.
    ties : bool
        Whether ties are propagated, not wins and losses.
    state, remaining, counter_bits
        As in ``initialise``; the arrays are changed in place.
    max_predecessors : int
        The most predecessors of a position.
    queue : int64 [any length]
        Overwritten with what is decided, as long as there is room.
    data, index_table, fault
        See ``kernels.checked``.

    Returns
    -------
    decided, had : int
        How many were decided, more than ``len(queue)`` if it overflowed, and how many had the level.
    """
    data, index_table = no_refcount(data), no_refcount(index_table)
    out = room_for(max_predecessors)
    decided, had = ZERO, ZERO
    for j in range(start, stop):
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
        decided = notify_predecessors(
            j, code, below, above, level, state, remaining, counter_bits, out, max_predecessors, queue,
            decided, data, index_table, fault,
        )  # fmt: skip
    check_guard(start, stop, PREDECESSOR_OVERRUN, out, max_predecessors, fault)
    return decided, had


def notify_predecessors(
    j, code, below, above, level, state, remaining, counter_bits, out, max_predecessors, queue, tail,
    data, index_table, fault,
):  # fmt: skip
    """Notify the predecessors of one decided index.

    Parameters
    ----------
    j, code : int
        The index, and its code: WIN, LOSS or TIE.
    below, above : int
        The tier is ``below..above-1``.
    level : int
        The level of the index.
    state, remaining, counter_bits
        As in ``initialise``; the arrays are changed in place.
    out : int64 [max_predecessors + GUARD]
        Room for predecessors.
    max_predecessors : int
        The most predecessors of a position.
    queue, tail : int64 [any length], int
        What is decided is appended at ``tail``, as long as there is room.
    data, index_table, fault
        See ``kernels.checked``.

    Returns
    -------
    int
        The new end of the queue, also past its length.
    """
    q = position_of(j, data, index_table)
    count = predecessors(q, out, data)
    if count < 0 or count > max_predecessors or out[max_predecessors] != CANARY:
        count = blame(fault, PREDECESSOR_COUNT, q, count, ZERO, max_predecessors)
    if count <= MAX_COMPARED:
        count = unique_canonical(out, count, ANY_POSITION, data)
    else:
        count = unique_canonical_sorted(out, count, ANY_POSITION, data)
    if count < 0:
        count = blame(fault, PREDECESSOR, q, out[0], ZERO, ZERO)
    for k in range(count):
        p = out[k]
        i = index_of(p, data, index_table)
        if i < below or i >= above:
            continue
        word = np.int64(state[i])
        kind = code_of(word)
        if kind not in (OPEN, LOSS_NOT_BEFORE, PENDING_WIN) or not same_position(
            i, p, data, index_table
        ):
            continue
        result = value_for_mover(code, p, q, data)
        if result != LOSS:
            if kind == PENDING_WIN and remoteness_of(word) <= level + 1:
                continue
            state[i] = pack(result, level + 1)
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


def run_queue(
    queue, head, tail, below, above, level, state, remaining, counter_bits, max_predecessors, highest,
    data, index_table, fault,
):  # fmt: skip
    """Run level after level on one thread, first in, first out.

    Stops where the queue is full, or at level ``highest``.

    Parameters
    ----------
    queue : int64 [any length]
        Indices; changed in place.
    head, tail, level : int
        ``queue[head:tail]`` is of ``level``.
    below, above : int
        The tier is ``below..above-1``.
    state, remaining, counter_bits
        As in ``initialise``; the arrays are changed in place.
    max_predecessors, highest : int
        The most predecessors of a position, and the last level that a word holds.
    data, index_table, fault
        See ``kernels.checked``.

    Returns
    -------
    head, tail, level : int
        Where to go on.
    """
    data, index_table = no_refcount(data), no_refcount(index_table)
    out = room_for(max_predecessors)
    while head < tail <= len(queue) and level < highest and fault[0] == 0:
        end = tail
        while head < end:
            j = queue[head]
            head += 1
            code = code_of(np.int64(state[j]))
            tail = notify_predecessors(
                j, code, below, above, level, state, remaining, counter_bits, out, max_predecessors,
                queue, tail, data, index_table, fault,
            )  # fmt: skip
        level += 1
    check_guard(below, above, PREDECESSOR_OVERRUN, out, max_predecessors, fault)
    return head, tail, level


def has_code(start, stop, code, state):
    """Return whether some index has this code.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    code : int
        The code to look for.
    state : words [n]
        Only read.
    """
    for i in range(start, stop):  # noqa: SIM110  # numba has no any()
        if code_of(state[i]) == code:
            return True
    return False

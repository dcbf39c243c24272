"""The moves of a game over an index: followed, counted, written. A pattern, as ``indexed`` is."""

import numpy as np

from retrosolve.kernels.checked import (
    CHANGED,
    NO_TARGET,
    REACHED_NONE,
    blame,
    check_guard,
    checked_index,
    checked_target,
    moves_of,
    room_for,
    told,
)
from retrosolve.kernels.indexed import FLOOR, NONE, OPEN
from retrosolve.kernels.pattern import NO_POSITION, player, position_of


def reach(first, last, below, above, state, moves, data, found, fault):
    """Mark what the moves of the marked indices in ``first..last-1`` lead to.

    What is marked is OPEN and becomes FLOOR; what is not is NONE. No move may lead to ``above`` or past
    it. Returns whether something of the tier, from ``below`` on, was marked.
    """
    out = room_for(moves)
    more = False
    for i in range(first, last):
        if state[i] & 7 != OPEN:
            continue
        state[i] = FLOOR
        p = position_of(i, data, found)
        given = told(p, data, fault)
        if given == NO_POSITION:
            blame(fault, REACHED_NONE, p, 0, i, 0)
        if given != 0:
            continue
        for k in range(moves_of(p, out, moves, data, fault)):
            q = checked_target(p, out[k], len(state), data, fault)
            j = checked_index(p, q, above, data, found, fault)
            if state[j] & 7 == NONE:
                state[j] = OPEN
                if j >= below:
                    more = True
    check_guard(first, last, state, 0, out, moves, data, found, fault)
    return more


def count_moves(first, last, real, counts, ends, moves, data, found, fault):
    """Count the moves of each ``real`` index, ``counts`` [last - first]; say in ``ends`` what it is."""
    out = room_for(moves)
    for i in range(first, last):
        if not real[i - first]:
            continue
        p = position_of(i, data, found)
        given = told(p, data, fault)
        ends[i - first] = given
        counts[i - first] = moves_of(p, out, moves, data, fault) if given == 0 else 0
    check_guard(first, last, ends, first, out, moves, data, found, fault)


def write_moves(first, last, indptr, indices, size, moves, data, found, fault):
    """Write the index, below ``size``, that each move leads to, row by row, as counted before."""
    out = room_for(moves)
    for i in range(first, last):
        at = indptr[i - first]
        row = indptr[i - first + 1] - at
        if row == 0:
            continue
        p = position_of(i, data, found)
        count = moves_of(p, out, moves, data, fault)
        if count != row:
            blame(fault, CHANGED, p, count, 0, row)
            return
        for k in range(count):
            q = checked_target(p, out[k], size, data, fault)
            indices[at + k] = checked_index(p, q, size, data, found, fault)


def find_move_to_none(first, last, indptr, indices, ends, data, found, fault):
    """Look for a move, of the indices ``first..last-1``, to what is no position by ``ends`` [size]."""
    for i in range(first, last):
        for e in range(indptr[i - first], indptr[i - first + 1]):
            if ends[indices[e]] == NO_POSITION:
                p = position_of(i, data, found)
                j = np.int64(indices[e])
                blame(fault, NO_TARGET, p, position_of(j, data, found), j, 0)
                return


def sides(first, last, real, owner, data, found, fault):
    """Write who moves at each index that is a position, ``owner`` and ``real`` [last - first]."""
    for i in range(first, last):
        if real[i - first]:
            owner[i - first] = player(position_of(i, data, found), data)

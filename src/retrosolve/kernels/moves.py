"""The moves of a game over an index: followed, counted, written. A pattern, as ``indexed`` is."""

import numpy as np

from retrosolve.kernels.checked import (
    CANARY,
    CHANGED,
    COUNT,
    FALSE_ORIGIN,
    INDEX,
    LEFT_OUT,
    NO_TARGET,
    OVERRUN,
    RANK,
    REACHED_NONE,
    SHARED_INDEX,
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
    player,
    position_limit,
    position_of,
    predecessors,
    same_position,
    successors,
)
from retrosolve.kernels.words import INVALID, INVALID_CODE, LOSS_NOT_BEFORE, OPEN, code_of


def reach(first, last, below, above, state, moves, data, found, fault):
    """Mark what the moves of the marked indices in ``first..last-1`` lead to.

    What is marked is OPEN and becomes LOSS_NOT_BEFORE; what is not is INVALID_CODE. No move may lead to
    ``above`` or past it. Returns whether something of the tier, from ``below`` on, was marked.
    """
    out = room_for(moves)
    more = False
    limit = position_limit(len(state))
    for i in range(first, last):
        if code_of(state[i]) != OPEN:
            continue
        state[i] = LOSS_NOT_BEFORE
        p = position_of(i, data, found)
        given = told(p, data)
        if given < 0:
            given = INVALID + blame(fault, TOLD, p, ZERO, ZERO, ZERO)
        if given == INVALID:
            blame(fault, REACHED_NONE, p, ZERO, i, ZERO)
        if given != 0:
            continue
        count = successors(p, out, data)
        if count < 0 or count > moves or out[moves] != CANARY:
            count = blame(fault, COUNT, p, count, ZERO, moves)
        for k in range(count):
            q = out[k]
            if q < 0 or q >= limit:
                q = p + blame(fault, TARGET, p, q, ZERO, limit)
            q = canonical(q, data)
            j = index_of(q, data, found)
            if q < 0 or j < 0 or j >= above:
                j = blame(fault, INDEX, p, q, j, above)
            if code_of(state[j]) == INVALID_CODE:
                state[j] = OPEN
                if j >= below:
                    more = True
    check_guard(first, last, OVERRUN, out, moves, fault)
    return more


def count_moves(first, last, real, counts, ends, moves, data, found, fault):
    """Count the moves of each ``real`` index, ``counts`` [last - first]; say in ``ends`` what it is."""
    out = room_for(moves)
    for i in range(first, last):
        if not real[i - first]:
            continue
        p = position_of(i, data, found)
        given = told(p, data)
        if given < 0:
            given = INVALID + blame(fault, TOLD, p, ZERO, ZERO, ZERO)
        ends[i - first] = given
        if given != 0:
            continue
        count = successors(p, out, data)
        if count < 0 or count > moves or out[moves] != CANARY:
            count = blame(fault, COUNT, p, count, ZERO, moves)
        counts[i - first] = count
    check_guard(first, last, OVERRUN, out, moves, fault)


def write_moves(first, last, indptr, indices, size, moves, data, found, fault):
    """Write the index, below ``size``, that each move leads to, row by row, as counted before."""
    out = room_for(moves)
    limit = position_limit(size)
    for i in range(first, last):
        at = indptr[i - first]
        row = indptr[i - first + 1] - at
        if row == 0:
            continue
        p = position_of(i, data, found)
        count = successors(p, out, data)
        if count < 0 or count > moves or out[moves] != CANARY:
            count = blame(fault, COUNT, p, count, ZERO, moves)
        if count != row:
            blame(fault, CHANGED, p, count, ZERO, row)
            return
        for k in range(count):
            q = out[k]
            if q < 0 or q >= limit:
                q = p + blame(fault, TARGET, p, q, ZERO, limit)
            q = canonical(q, data)
            j = index_of(q, data, found)
            if q < 0 or j < 0 or j >= size:
                j = blame(fault, INDEX, p, q, j, size)
            indices[at + k] = j


def find_move_to_none(first, last, indptr, indices, ends, data, found, fault):
    """Look for a move, of the indices ``first..last-1``, to what is no position by ``ends`` [size]."""
    for i in range(first, last):
        for e in range(indptr[i - first], indptr[i - first + 1]):
            if ends[indices[e]] == INVALID:
                p = position_of(i, data, found)
                j = np.int64(indices[e])
                blame(fault, NO_TARGET, p, position_of(j, data, found), j, 0)
                return


def sides(first, last, real, owner, data, found, fault):
    """Write who moves at each index that is a position, ``owner`` and ``real`` [last - first]."""
    for i in range(first, last):
        if real[i - first]:
            owner[i - first] = player(position_of(i, data, found), data)


def find_contradiction(index, below, above, moves, origins, data, found, fault):
    """Look for what the functions of a game contradict each other about at an index.

    Its position has another index; or a move leads out of its tier ``below..above-1`` upwards, or to a
    position whose index is that of another, or predecessors leave it out, which for lower tiers they
    may. ``origins`` is 0 where there are none.
    """
    out, back = room_for(moves), room_for(origins)
    p = position_of(index, data, found)
    if told(p, data) != 0:
        return
    if index_of(p, data, found) != index:
        blame(fault, RANK, p, index_of(p, data, found), index, ZERO)
        return
    for k in range(successors(p, out, data)):
        q = canonical(out[k], data)
        j = index_of(q, data, found)
        if j >= above:
            blame(fault, INDEX, p, q, j, above)
        elif position_of(j, data, found) != q:
            blame(fault, SHARED_INDEX, p, q, j, position_of(j, data, found))
        if j >= below and origins > 0:
            there = False
            for m in range(predecessors(q, back, data)):
                if index_of(canonical(back[m], data), data, found) == index:
                    there = True
            if not there:
                blame(fault, LEFT_OUT, p, q, j, ZERO)


def find_false_origin(first, last, index, known, moves, origins, data, found, fault):
    """Look among the indices ``first..last-1`` for one that ``index`` precedes without a move there.

    ``known`` [n] are words, with INVALID_CODE for an index that is no position.
    """
    out, back = room_for(moves), room_for(origins)
    p = position_of(index, data, found)
    if told(p, data) != 0:
        return
    count = successors(p, out, data)
    for j in range(first, last):
        if code_of(known[j]) == INVALID_CODE:
            continue
        q = position_of(j, data, found)
        if told(q, data) == INVALID:
            continue
        for m in range(predecessors(q, back, data)):
            origin = canonical(back[m], data)
            if index_of(origin, data, found) != index or not same_position(index, origin, data, found):
                continue
            there = False
            for k in range(count):
                if index_of(canonical(out[k], data), data, found) == j:
                    there = True
            if not there:
                blame(fault, FALSE_ORIGIN, q, origin, index, p)

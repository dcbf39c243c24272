"""The positions of a game: looked up, their moves followed, counted, written. Specialised."""

import numpy as np

from retrosolve.compilation.atomic import no_refcount
from retrosolve.objectives.words import INVALID_CODE, LOSS_NOT_BEFORE, OPEN, code_of
from retrosolve.spaces.checked import (
    CHANGED,
    FALSE_PREDECESSOR,
    INDEX,
    LEFT_OUT,
    NO_TARGET,
    OVERRUN,
    RANK,
    REACHED_INVALID,
    SHARED_INDEX,
    ZERO,
    canonical,
    check_guard,
    checked_code,
    checked_count,
    checked_index,
    checked_target,
    index_of,
    payoff,
    player,
    position_limit,
    position_of,
    predecessors,
    report_fault,
    reward,
    room_for,
    same_position,
    successors,
    terminal,
    terminal_or_invalid,
)
from retrosolve.values import INVALID


def mark_reachable(start, stop, below, above, state, max_moves, data, index_table, fault):
    """Mark what the moves of marked indices lead to.

    A marked index is OPEN and becomes LOSS_NOT_BEFORE; all others are INVALID_CODE.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    below, above : int
        The tier is ``below..above-1``.
    state : words [n]
        Changed in place.
    max_moves : int
        The most moves of a position.
    data, index_table, fault
        See ``spaces.checked``.

    Returns
    -------
    bool
        Whether something from ``below`` on was marked.
    """
    data, index_table, fault = no_refcount((data, index_table, fault))
    out = room_for(max_moves)
    more = False
    limit = position_limit(len(state))
    for i in range(start, stop):
        if code_of(state[i]) != OPEN:
            continue
        state[i] = LOSS_NOT_BEFORE
        p = position_of(i, data, index_table)
        given = checked_code(terminal_or_invalid(p, data), p, fault)
        if given == INVALID:
            report_fault(fault, REACHED_INVALID, p, ZERO, i, ZERO)
        if given != 0:
            continue
        count = checked_count(successors(p, out, data), p, out[max_moves], max_moves, fault)
        for k in range(count):
            q = canonical(checked_target(out[k], p, limit, fault), data)
            j = checked_index(index_of(q, data, index_table), p, q, above, fault)
            if code_of(state[j]) == INVALID_CODE:
                state[j] = OPEN
                if j >= below:
                    more = True
    check_guard(start, stop, OVERRUN, out, max_moves, fault)
    return more


def count_moves(start, stop, real, counts, terminals, max_moves, data, index_table, fault):
    """Count moves and ask for terminal values.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    real : bool [stop - start]
        Which indices are positions.
    counts, terminals : int32, uint8 [stop - start]
        Overwritten with the number of moves and the terminal value, where ``real``.
    max_moves : int
        The most moves of a position.
    data, index_table, fault
        See ``spaces.checked``.
    """
    data, index_table, fault = no_refcount((data, index_table, fault))
    out = room_for(max_moves)
    for i in range(start, stop):
        if not real[i - start]:
            continue
        p = position_of(i, data, index_table)
        given = checked_code(terminal_or_invalid(p, data), p, fault)
        terminals[i - start] = given
        if given != 0:
            continue
        count = checked_count(successors(p, out, data), p, out[max_moves], max_moves, fault)
        counts[i - start] = count
    check_guard(start, stop, OVERRUN, out, max_moves, fault)


def write_moves(start, stop, indptr, indices, rewards, size, max_moves, data, index_table, fault):
    """Write the index that each move leads to, and what it wins.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    indptr : int64 [stop - start + 1]
        Row starts, from ``count_moves``.
    indices : int32 or int64 [m]
        Overwritten.
    rewards : int64 [m] or [0]
        Overwritten with the rewards; empty if nobody asks for them.
    size : int
        What indices must be less than.
    max_moves : int
        The most moves of a position.
    data, index_table, fault
        See ``spaces.checked``.
    """
    data, index_table, fault = no_refcount((data, index_table, fault))
    out = room_for(max_moves)
    limit = position_limit(size)
    for i in range(start, stop):
        at = indptr[i - start]
        row = indptr[i - start + 1] - at
        if row == 0:
            continue
        p = position_of(i, data, index_table)
        count = checked_count(successors(p, out, data), p, out[max_moves], max_moves, fault)
        if count != row:
            report_fault(fault, CHANGED, p, count, ZERO, row)
            return
        for k in range(count):
            q = checked_target(out[k], p, limit, fault)
            if len(rewards) > 0:
                rewards[at + k] = reward(p, q, data)
            q = canonical(q, data)
            j = checked_index(index_of(q, data, index_table), p, q, size, fault)
            indices[at + k] = j


def write_points(start, stop, counts, terminals, points, data, index_table, fault):
    """Write the payoff of each index at which the game is over.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    counts, terminals : int32, uint8 [stop - start]
        The number of moves and the terminal value, from ``count_moves``.
    points : int64 [stop - start]
        Overwritten where the game is over.
    data, index_table, fault
        See ``spaces.checked``.
    """
    data, index_table, fault = no_refcount((data, index_table, fault))
    for i in range(start, stop):
        code = terminals[i - start]
        if code != INVALID and (code != 0 or counts[i - start] == 0):
            points[i - start] = payoff(position_of(i, data, index_table), data)


def find_move_to_invalid(start, stop, indptr, indices, terminals, data, index_table, fault):
    """Find a move to an index that is INVALID; it becomes the fault.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    indptr, indices : int64 [stop - start + 1], int32 or int64 [m]
        Rows of the successors.
    terminals : uint8 [n]
        Terminal values.
    data, index_table, fault
        See ``spaces.checked``.
    """
    for i in range(start, stop):
        for e in range(indptr[i - start], indptr[i - start + 1]):
            if terminals[indices[e]] == INVALID:
                p = position_of(i, data, index_table)
                j = np.int64(indices[e])
                report_fault(fault, NO_TARGET, p, position_of(j, data, index_table), j, 0)
                return


def sides(start, stop, real, owner, data, index_table, fault):
    """Ask who is to move.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    real, owner : bool, uint8 [stop - start]
        Which indices are positions; overwritten with the player to move there.
    data, index_table, fault
        See ``spaces.checked``.
    """
    data, index_table, fault = no_refcount((data, index_table, fault))
    for i in range(start, stop):
        if real[i - start]:
            owner[i - start] = player(position_of(i, data, index_table), data)


def find_contradiction(index, below, above, max_moves, max_predecessors, data, index_table, fault):
    """Find what the functions of a game contradict each other about at an index; it becomes the fault.

    Its position has another index; or a move leads up the tiers, or to a position whose index is that
    of another, or predecessors leave it out, which for earlier tiers they may.

    Parameters
    ----------
    index : int
        The index to look at.
    below, above : int
        The tier is ``below..above-1``.
    max_moves : int
        The most moves of a position.
    max_predecessors : int
        The most predecessors of a position, 0 if the game has none.
    data, index_table, fault
        See ``spaces.checked``.
    """
    data, index_table, fault = no_refcount((data, index_table, fault))
    out, back = room_for(max_moves), room_for(max_predecessors)
    p = position_of(index, data, index_table)
    if terminal_or_invalid(p, data) != 0:
        return
    if index_of(p, data, index_table) != index:
        report_fault(fault, RANK, p, index_of(p, data, index_table), index, ZERO)
        return
    for k in range(successors(p, out, data)):
        q = canonical(out[k], data)
        j = index_of(q, data, index_table)
        if j >= above:
            report_fault(fault, INDEX, p, q, j, above)
        elif position_of(j, data, index_table) != q:
            report_fault(fault, SHARED_INDEX, p, q, j, position_of(j, data, index_table))
        if j >= below and max_predecessors > 0:
            there = False
            for m in range(predecessors(q, back, data)):
                if index_of(canonical(back[m], data), data, index_table) == index:
                    there = True
            if not there:
                report_fault(fault, LEFT_OUT, p, q, j, ZERO)


def find_false_predecessor(
    start, stop, index, known, max_moves, max_predecessors, data, index_table, fault
):
    """Find an index whose predecessors name ``index``, which has no move there; it becomes the fault.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    index : int
        The index to look for.
    known : words [n]
        INVALID_CODE for an index that is no position.
    max_moves, max_predecessors : int
        The most moves and predecessors of a position.
    data, index_table, fault
        See ``spaces.checked``.
    """
    data, index_table, fault = no_refcount((data, index_table, fault))
    out, back = room_for(max_moves), room_for(max_predecessors)
    p = position_of(index, data, index_table)
    if terminal_or_invalid(p, data) != 0:
        return
    count = successors(p, out, data)
    for j in range(start, stop):
        if code_of(known[j]) == INVALID_CODE:
            continue
        q = position_of(j, data, index_table)
        if terminal_or_invalid(q, data) == INVALID:
            continue
        for m in range(predecessors(q, back, data)):
            origin = canonical(back[m], data)
            if index_of(origin, data, index_table) != index or not same_position(
                index, origin, data, index_table
            ):
                continue
            there = False
            for k in range(count):
                if index_of(canonical(out[k], data), data, index_table) == j:
                    there = True
            if not there:
                report_fault(fault, FALSE_PREDECESSOR, q, origin, index, p)


# -- look-ups of many positions at once -----------------------------------------------------------


def find_indices(start, stop, positions, found, size, data, index_table, place):
    """Find the indices of positions, of which nothing is known; the rules may raise anything.

    Parameters
    ----------
    start, stop : int
        The places ``start..stop-1`` to work on.
    positions : int64 [k]
        Below 0 for what is no position.
    found : int64 [k]
        Overwritten where a position has an index.
    size : int
        What indices must be less than.
    data, index_table
        See ``spaces.checked``.
    place : int64 [1]
        Overwritten with the place at which the kernel works.
    """
    for k in range(start, stop):
        place[0] = k
        p = positions[k]
        if p < 0:
            continue
        q = canonical(p, data)
        if q < 0 or (q != p and terminal(p, data) == INVALID):
            continue
        i = index_of(q, data, index_table)
        # What is no position may have the rank of one: the way back tells.
        if i < 0 or i >= size or position_of(i, data, index_table) != q:
            continue
        given = terminal_or_invalid(q, data)
        if given >= 0 and given != INVALID:
            found[k] = i


def write_moves_of(
    start, stop, vertices, positions, counts, targets, indices, rewards, ends, size, max_moves, data,
    index_table, fault,
):  # fmt: skip
    """Write some positions, and the indices that the moves out of them lead to.

    Parameters
    ----------
    start, stop : int
        The places ``start..stop-1`` to work on.
    vertices : int64 [k]
        Indices of positions.
    positions, counts : int64 [k]
        Overwritten with the positions and the numbers of their moves, 0 where the game is over.
    targets : int64 [k, max_moves] or [0, 0]
        Overwritten with what ``successors`` writes; empty if nobody asks for it.
    indices : int32 or int64 [k, max_moves]
        Overwritten with the indices of that.
    rewards : int64 [k, max_moves] or [0, 0]
        Overwritten with what the moves win; empty for rules without rewards.
    ends : uint8 [k, max_moves] or [0, 0]
        Overwritten with the terminal values of the targets; empty if nobody asks for them.
    size : int
        What indices must be less than.
    max_moves : int
        The most moves of a position.
    data, index_table, fault
        See ``spaces.checked``.
    """
    data, index_table, fault = no_refcount((data, index_table, fault))
    out = room_for(max_moves)
    limit = position_limit(size)
    for v in range(start, stop):
        p = position_of(vertices[v], data, index_table)
        positions[v] = p
        given = checked_code(terminal_or_invalid(p, data), p, fault)
        if given != 0:
            continue
        count = checked_count(successors(p, out, data), p, out[max_moves], max_moves, fault)
        for k in range(count):
            q = checked_target(out[k], p, limit, fault)
            if len(targets) > 0:
                targets[v, k] = q
            if len(rewards) > 0:
                rewards[v, k] = reward(p, q, data)
            q = canonical(q, data)
            if len(ends) > 0:
                ends[v, k] = terminal_or_invalid(q, data)
            j = checked_index(index_of(q, data, index_table), p, q, size, fault)
            indices[v, k] = j
        counts[v] = count
    check_guard(start, stop, OVERRUN, out, max_moves, fault)


def write_positions(vertices, positions, data, index_table, fault):
    """Write the positions of some indices.

    Parameters
    ----------
    vertices : int64 [k]
        Indices of positions.
    positions : int64 [k]
        Overwritten.
    data, index_table, fault
        See ``spaces.checked``.
    """
    for k in range(len(vertices)):
        positions[k] = position_of(vertices[k], data, index_table)

"""Look-ups of many positions of a game at once. Specialised."""

from retrosolve.kernels.atomic import no_refcount
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
    reward,
    room_for,
    successors,
    terminal,
    terminal_or_invalid,
)
from retrosolve.kernels.codes import INVALID


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
        See ``kernels.checked``.
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
    start, stop, vertices, counts, targets, rewards, size, max_moves, data, index_table, fault
):
    """Write the indices that the moves out of some vertices lead to.

    Parameters
    ----------
    start, stop : int
        The places ``start..stop-1`` to work on.
    vertices : int64 [k]
        Indices of positions.
    counts, targets : int64 [k], int32 or int64 [k, max_moves]
        Overwritten with the number of moves, 0 where the game is over, and with their targets.
    rewards : int64 [k, max_moves] or [0, 0]
        Overwritten with what the moves win; empty for rules without rewards.
    size : int
        What indices must be less than.
    max_moves : int
        The most moves of a position.
    data, index_table, fault
        See ``kernels.checked``.
    """
    data, index_table = no_refcount(data), no_refcount(index_table)
    out = room_for(max_moves)
    limit = position_limit(size)
    for v in range(start, stop):
        p = position_of(vertices[v], data, index_table)
        given = terminal_or_invalid(p, data)
        if given < 0:
            given = INVALID + report_fault(fault, BAD_TERMINAL, p, ZERO, ZERO, ZERO)
        if given != 0:
            continue
        count = successors(p, out, data)
        if count < 0 or count > max_moves or out[max_moves] != CANARY:
            count = report_fault(fault, COUNT, p, count, ZERO, max_moves)
        for k in range(count):
            q = out[k]
            if q < 0 or q >= limit:
                q = p + report_fault(fault, TARGET, p, q, ZERO, limit)
            if len(rewards) > 0:
                rewards[v, k] = reward(p, q, data)
            q = canonical(q, data)
            j = index_of(q, data, index_table)
            if q < 0 or j < 0 or j >= size:
                j = report_fault(fault, INDEX, p, q, j, size)
            targets[v, k] = j
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
        See ``kernels.checked``.
    """
    for k in range(len(vertices)):
        positions[k] = position_of(vertices[k], data, index_table)

"""The rules of a game, called by kernels that trust nothing they return. A pattern, as ``indexed`` is.

Compiled code that follows a wrong number reads or writes somewhere in memory, so what each function
returns is compared with its contract before it is used. Kernels cannot raise: what is wrong is written
into ``fault`` int64 [5] (the kind, the position, the number that is wrong, its index, the limit), the
kernel goes on with a harmless number, and the caller raises RulesError.

``out`` is longer than the author was promised: the guard zone behind it holds CANARY, and is looked at
after every call.
"""

import numpy as np

from retrosolve.kernels.pattern import (
    NO_POSITION,
    canonical,
    index_of,
    player_is_valid,
    position_limit,
    position_of,
    predecessors,
    successors,
    terminal,
)

GUARD = 1024
CANARY = -(1 << 62) - 0x5EED

FAULT = 5
FINE = 0
COUNT, OVERRUN, TARGET, INDEX, NO_TARGET = 1, 2, 3, 4, 5  # of successors
ORIGIN_COUNT, ORIGIN_OVERRUN, ORIGIN = 6, 7, 8  # of predecessors
CODE, PLAYER, UNRANKED, REACHED_NONE, NOT_CANONICAL, CHANGED = 9, 10, 11, 12, 13, 14

ANY_POSITION = (1 << 63) - 1

INLINED = ("told", "moves_of", "origins_of", "checked_target", "checked_index")


def any_position(size):
    """Stand in for ``position_limit`` in a game whose positions are not their own index."""
    return ANY_POSITION


def blame(fault, kind, position, number, index, limit):
    """Keep the first thing that was wrong."""
    if fault[0] == FINE:
        fault[0] = kind
        fault[1] = position
        fault[2] = number
        fault[3] = index
        fault[4] = limit


def room_for(most):
    """Return room for ``most`` positions, and the guard zone behind it."""
    out = np.empty(most + GUARD, np.int64)
    out[most:] = CANARY
    return out


def is_intact(out, most):
    """Tell whether nothing was written into the guard zone."""
    for k in range(most, len(out)):  # noqa: SIM110  # numba has no all()
        if out[k] != CANARY:
            return False
    return True


def check_guard(first, last, known, origin, out, most, data, found, fault):
    """Find who wrote into the guard zone, if anybody did, at the end of a kernel.

    Asked again are the indices ``first..last-1`` that are positions: 7 stands in the low bits of
    ``known[i - origin]`` where index i is none.
    """
    if is_intact(out, most):
        return
    for i in range(first, last):
        if known[i - origin] & 7 == 7:
            continue
        p = position_of(i, data, found)
        if terminal(p, data) == 0:
            again = room_for(most)
            count = successors(p, again, data)
            if not is_intact(again, most):
                blame(fault, OVERRUN, p, count, 0, most)
                return
    blame(fault, OVERRUN, -1, 0, 0, most)


def check_origin_guard(first, last, known, out, most, data, found, fault):
    """Do the same for what ``predecessors`` has written."""
    if is_intact(out, most):
        return
    for i in range(first, last):
        if known[i] & 7 == 7:
            continue
        p = position_of(i, data, found)
        again = room_for(most)
        count = predecessors(p, again, data)
        if not is_intact(again, most):
            blame(fault, ORIGIN_OVERRUN, p, count, 0, most)
            return
    blame(fault, ORIGIN_OVERRUN, -1, 0, 0, most)


def told(position, data, fault):
    """Return what ``terminal`` says of a position; NO_POSITION also of one that another stands for."""
    if position < 0:
        blame(fault, UNRANKED, position, position, 0, 0)
        return NO_POSITION
    given = int(terminal(position, data))
    if given == NO_POSITION or canonical(position, data) != position:
        return NO_POSITION
    if given < 0 or given > 3:
        blame(fault, CODE, position, given, 0, 0)
        return NO_POSITION
    if not player_is_valid(position, data):
        blame(fault, PLAYER, position, 0, 0, 0)
    return given


def moves_of(position, out, most, data, fault):
    """Write the targets of the moves into ``out`` and return how many there are."""
    count = successors(position, out, data)
    if count < 0 or count > most:
        blame(fault, COUNT, position, count, 0, most)
        return 0
    if out[most] != CANARY:
        blame(fault, OVERRUN, position, count, 0, most)
        return 0
    return count


def origins_of(position, out, most, data, fault):
    """Write the predecessors into ``out`` and return how many there are."""
    count = predecessors(position, out, data)
    if count < 0 or count > most:
        blame(fault, ORIGIN_COUNT, position, count, 0, most)
        return 0
    if out[most] != CANARY:
        blame(fault, ORIGIN_OVERRUN, position, count, 0, most)
        return 0
    return count


def checked_target(position, target, size, data, fault):
    """Return the canonical form of what a move leads to."""
    if target < 0 or target >= position_limit(size):
        blame(fault, TARGET, position, target, 0, size)
        return position
    return canonical(target, data)


def checked_index(position, target, limit, data, found, fault):
    """Return the index of a canonical target, which must be below ``limit``."""
    index = index_of(target, data, found)
    if index < 0 or index >= limit:
        blame(fault, INDEX, position, target, index, limit)
        return 0
    return index

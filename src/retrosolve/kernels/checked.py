"""The rules of a game, called by kernels that trust nothing they return. A pattern, as ``indexed`` is.

Compiled code that follows a wrong number reads or writes somewhere in memory, so what each function
returns is compared with its contract before it is used. Kernels cannot raise: what is wrong is written
into ``fault`` int64 [5] (the kind, the position, the number that is wrong, its index, the limit), the
kernel goes on with a harmless number, and the caller raises RulesError.

``out`` is longer than the author was promised: the guard zone behind it holds CANARY. Its first place
is looked at after every call, the rest at the end of a kernel.

The comparisons stand in the kernels themselves: a function in between would count references to all
arrays of ``data`` at each call, which doubles the time.
"""

import numpy as np

from retrosolve.kernels.placeholders import (
    canonical,
    player_is_valid,
    position_of,
    predecessors,
    successors,
    terminal,
)
from retrosolve.kernels.words import INVALID, INVALID_CODE, code_of

GUARD = 1024
CANARY = -(1 << 62) - 0x5EED

# Numbers of NumPy: numba would compile a function anew for each plain number that it is called with.
FAULT = 5
ZERO, NOWHERE, ANY_POSITION = np.int64(0), np.int64(-1), np.int64((1 << 63) - 1)
FINE = ZERO
COUNT, OVERRUN, TARGET, INDEX, SHARED_INDEX, NO_TARGET, CHANGED = np.arange(1, 8)  # of successors
ORIGIN_COUNT, ORIGIN_OVERRUN, ORIGIN, LEFT_OUT, FALSE_ORIGIN = np.arange(8, 13)  # of predecessors
TOLD, CODE, PLAYER, UNRANKED, RANK, REACHED_NONE, NOT_CANONICAL = np.arange(13, 20)  # of a position


def any_position(size):
    """Stand in for ``position_limit`` in a game whose positions are not their own index."""
    return ANY_POSITION


def blame(fault, kind, position, number, index, limit):
    """Keep the first thing that was wrong. Returns 0, to go on with."""
    if fault[0] == FINE:
        fault[0] = kind
        fault[1] = position
        fault[2] = number
        fault[3] = index
        fault[4] = limit
    return 0


def room_for(most):
    """Return room for ``most`` positions, and the guard zone behind it."""
    out = np.empty(most + GUARD, np.int64)
    out[most:] = CANARY
    return out


def check_guard(first, last, kind, out, most, fault):
    """Look for what was written into the guard zone while the indices ``first..last-1`` were asked."""
    if (out[most:] != CANARY).any():
        blame(fault, kind, NOWHERE, first, last, most)


def find_overrun(first, last, known, backwards, most, data, found):
    """Return the first position of ``first..last-1`` whose moves run into the guard zone, -1 if none.

    ``backwards`` asks for predecessors instead. ``known`` [n] are words, with INVALID_CODE for an index
    that is no position.
    """
    for i in range(first, last):
        if code_of(known[i]) == INVALID_CODE:
            continue
        p = position_of(i, data, found)
        out = room_for(most)
        if backwards:
            predecessors(p, out, data)
        elif terminal(p, data) == 0:
            successors(p, out, data)
        if (out[most:] != CANARY).any():
            return p
    return -1


def told(position, data):
    """Return what ``terminal`` says of a position, below 0 if that or the position cannot be.

    It is INVALID also of a position that another stands for.
    """
    given = int(terminal(position, data))
    if given == INVALID or canonical(position, data) != position:
        return INVALID
    if position < 0 or given < 0 or given > 3 or not player_is_valid(position, data):
        return -1
    return given


def find_told(position, data):
    """Return what is wrong with a position that ``told`` refuses: the kind of fault, and a number."""
    given = int(terminal(position, data))
    if position < 0:
        return UNRANKED, position
    if given < 0 or given > 3:
        return CODE, given
    return PLAYER, ZERO

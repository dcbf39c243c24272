"""Finding positions breadth-first, into a hash table of their numbers. A pattern, as ``indexed`` is.

``order`` [room] holds the positions as they are found; ``table`` [a power of two] holds their numbers,
-1 where free, at the first free place from where the position belongs. A game that is explored has
``hashed_index_of`` for its ``index_of``, and ``found_position`` for its ``position_of``.
"""

from retrosolve.kernels.checked import (
    CANARY,
    COUNT,
    NOT_CANONICAL,
    OVERRUN,
    REACHED_NONE,
    TARGET,
    TOLD,
    ZERO,
    blame,
    check_guard,
    room_for,
    told,
)
from retrosolve.kernels.placeholders import canonical, successors, terminal
from retrosolve.kernels.words import INVALID


def scattered(position):
    """Spread positions evenly: two multiplications that stay below 2^63, and a shift."""
    mixed = (position & 0x3FFFFFFF) * 0x5BD1E995 + ((position >> 30) ^ (position >> 47)) * 0x1B873593
    return mixed ^ (mixed >> 31)


def find(position, order, table):
    """Give the number of a position, or -1 less the free place in ``table`` that it would take."""
    mask = len(table) - 1
    place = scattered(position) & mask
    while True:
        number = table[place]
        if number < 0:
            return -1 - place
        if order[number] == position:
            return number
        place = (place + 1) & mask


def hashed_index_of(position, data, found):
    """Give the number of a canonical position, below 0 if it was not found."""
    return find(position, found[0], found[1])


def found_position(index, data, found):
    """Give the position of a number."""
    return found[0][index]


def enter(positions, order, tail, table):
    """Enter canonical positions that the search begins with; give the number of those known."""
    for k in range(len(positions)):
        place = find(positions[k], order, table)
        if place < 0:
            order[tail] = positions[k]
            table[-1 - place] = tail
            tail += 1
    return tail


def refill(order, tail, table):
    """Enter the first ``tail`` positions into an empty, larger table."""
    mask = len(table) - 1
    for number in range(tail):
        place = scattered(order[number]) & mask
        while table[place] >= 0:
            place = (place + 1) & mask
        table[place] = number


def explore(order, table, head, tail, most, ends, indptr, indices, edges, stored, moves, data, fault):
    """Take positions in the order they were found and enter what their moves lead to.

    Goes on until there is no other, ``most`` are known, or ``order`` or ``indices`` might overflow at
    the next; ``table`` has more room than ``order``. Fills ``ends`` with what ``terminal`` says of each
    and, if ``stored``, ``indptr`` and ``indices`` with the moves. Returns head, tail and edges.
    """
    out = room_for(moves)
    while head < tail <= most and fault[0] == 0:
        if tail + moves > len(order) or (stored and edges + moves > len(indices)):
            break
        p = order[head]
        given = told(p, data)
        if given < 0:
            given = INVALID + blame(fault, TOLD, p, ZERO, ZERO, ZERO)
        if given == INVALID:
            kind = REACHED_NONE if terminal(p, data) == INVALID else NOT_CANONICAL
            blame(fault, kind, p, canonical(p, data), 0, 0)
            break
        ends[head] = given
        count = successors(p, out, data) if given == 0 else 0
        if count < 0 or count > moves or out[moves] != CANARY:
            count = blame(fault, COUNT, p, count, ZERO, moves)
        for k in range(count):
            q = out[k]
            if q >= 0:
                q = canonical(q, data)
            if q < 0:
                blame(fault, TARGET, p, q, ZERO, ZERO)
                return head, tail, edges
            number = find(q, order, table)
            if number < 0:
                order[tail] = q
                table[-1 - number] = tail
                number = tail
                tail += 1
            if stored:
                indices[edges + k] = number
        head += 1
        edges += count
        if stored:
            indptr[head] = edges
    check_guard(0, head, OVERRUN, out, moves, fault)
    return head, tail, edges

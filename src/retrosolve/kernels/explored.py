"""Finding positions breadth-first, into a hash table of their numbers. A pattern, as ``indexed`` is.

``order`` [room] holds the positions as they are found; ``table`` [a power of two] holds their numbers,
-1 where free, at the first free place from where the position belongs. A game that is explored has
``hashed_index_of`` for its ``index_of``, and ``found_position`` for its ``position_of``.
"""

import numpy as np

from retrosolve.kernels.pattern import NO_POSITION, canonical, successors, terminal

SPARE = 64  # room for moves past the most that there are said to be


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


def explore(order, table, head, tail, most, ends, indptr, indices, edges, stored, moves, data):
    """Take positions in the order they were found and enter what their moves lead to.

    Goes on until there is no other, ``most`` are known, or ``order`` or ``indices`` might overflow at
    the next; ``table`` has more room than ``order``. Fills ``ends`` with what ``terminal`` says of each
    and, if ``stored``, ``indptr`` and ``indices`` with the moves. Returns head, tail, edges, and the
    number of a position that cannot be: said to be none, with a move below 0 or more than ``moves`` of
    them; -1 if there is none.
    """
    out = np.empty(moves + SPARE, np.int64)
    while head < tail <= most:
        if tail + moves > len(order) or (stored and edges + moves > len(indices)):
            break
        p = order[head]
        given = terminal(p, data)
        if given == NO_POSITION:
            return head, tail, edges, head
        ends[head] = given
        count = successors(p, out, data) if given == 0 else 0
        if count > moves:
            return head, tail, edges, head
        for k in range(count):
            q = canonical(out[k], data)
            if q < 0:
                return head, tail, edges, head
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
    return head, tail, edges, -1

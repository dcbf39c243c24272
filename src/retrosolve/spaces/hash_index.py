"""Finding positions breadth-first, into a hash table of their numbers. Specialised.

``order`` [room] holds the positions as they are found; ``table`` [a power of two] holds their numbers,
-1 where free, at the first free place from where the position belongs. A game that is explored has
``hashed_index_of`` for its ``index_of``, and ``found_position`` for its ``position_of``.
"""

from retrosolve.compilation.atomic import no_refcount
from retrosolve.spaces.checked import (
    NOT_CANONICAL,
    OVERRUN,
    REACHED_INVALID,
    TARGET,
    ZERO,
    canonical,
    check_guard,
    checked_code,
    checked_count,
    report_fault,
    room_for,
    successors,
    terminal,
    terminal_or_invalid,
)
from retrosolve.values import INVALID


def mix(position):
    """Spread positions evenly: two multiplications that stay below 2^63, and a shift.

    Parameters
    ----------
    position : int64
        The position, 0 or more.
    """
    mixed = (position & 0x3FFFFFFF) * 0x5BD1E995 + ((position >> 30) ^ (position >> 47)) * 0x1B873593
    return mixed ^ (mixed >> 31)


def lookup(position, order, table):
    """Return the index of a position, or -1 less the free place in ``table`` that it would take.

    Parameters
    ----------
    position : int64
        The position.
    order, table : int64 [room], int32 or int64 [power of two]
        See the module.
    """
    mask = len(table) - 1
    place = mix(position) & mask
    while True:
        number = table[place]
        if number < 0:
            return -1 - place
        if order[number] == position:
            return number
        place = (place + 1) & mask


def hashed_index_of(position, data, index_table):
    """Override ``index_of``: return the index of a canonical position, below 0 if it was not found.

    Parameters
    ----------
    position : int64
        The position.
    data, index_table
        Not used; ``order`` and ``table``.
    """
    return lookup(position, index_table[0], index_table[1])


def found_position(index, data, index_table):
    """Override ``position_of``: return the position of an index.

    Parameters
    ----------
    index : int
        The index.
    data, index_table
        Not used; ``order`` and ``table``.
    """
    return index_table[0][index]


def insert(positions, order, tail, table):
    """Insert the canonical positions that the search begins with; return the number of positions.

    Parameters
    ----------
    positions : int64 [any length]
        The positions.
    order, table : int64 [room], int32 or int64 [power of two]
        See the module.
    tail : int
        The number of positions before.
    """
    for k in range(len(positions)):
        place = lookup(positions[k], order, table)
        if place < 0:
            order[tail] = positions[k]
            table[-1 - place] = tail
            tail += 1
    return tail


def rehash(order, tail, table):
    """Insert all positions into an empty, larger table.

    Parameters
    ----------
    order, tail : int64 [room], int
        The positions are ``order[:tail]``.
    table : int32 or int64 [power of two]
        -1 everywhere before.
    """
    mask = len(table) - 1
    for number in range(tail):
        place = mix(order[number]) & mask
        while table[place] >= 0:
            place = (place + 1) & mask
        table[place] = number


def breadth_first(
    order, table, head, tail, most, terminals, indptr, indices, edges, stored, max_moves, data, fault
):
    """Take positions in the order they were found and insert what their moves lead to.

    Goes on until there is no other, ``most`` are known, or ``order`` or ``indices`` might overflow at
    the next one.

    Parameters
    ----------
    order, table : int64 [room], int32 or int64 [power of two]
        See the module.
    head, tail, most : int
        The positions taken, the positions known, and how many may be known.
    terminals : uint8 [room]
        Overwritten with terminal values, if ``stored``.
    indptr, indices, edges : int64 [room + 1], int32 or int64 [any length], int
        Overwritten with the moves, if ``stored``; ``edges`` of them are there before.
    stored : bool
        Whether moves are stored, or just counted.
    max_moves : int
        The most moves of a position.
    data, fault
        See ``spaces.checked``.

    Returns
    -------
    head, tail, edges : int
        Where to go on.
    """
    data, fault = no_refcount((data, fault))
    out = room_for(max_moves)
    while head < tail <= most and fault[0] == 0:
        if tail + max_moves > len(order) or (stored and edges + max_moves > len(indices)):
            break
        p = order[head]
        end_value = checked_code(terminal_or_invalid(p, data), p, fault)
        if end_value == INVALID:
            kind = REACHED_INVALID if terminal(p, data) == INVALID else NOT_CANONICAL
            report_fault(fault, kind, p, canonical(p, data), 0, 0)
            break
        if stored:
            terminals[head] = end_value
        count = successors(p, out, data) if end_value == 0 else 0
        count = checked_count(count, p, out[max_moves], max_moves, fault)
        for k in range(count):
            q = out[k]
            if q >= 0:
                q = canonical(q, data)
            if q < 0:
                report_fault(fault, TARGET, p, q, ZERO, ZERO)
                return head, tail, edges
            number = lookup(q, order, table)
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
    check_guard(0, head, OVERRUN, out, max_moves, fault)
    return head, tail, edges

"""Edges sorted by counting alone, straight to their place: best while the cache holds what is met.

That is so for small graphs, and for large ones whose edges lead to neighbours. ``kernels.partition``
is for the rest.
"""

import numpy as np

from retrosolve.kernels.codes import INVALID
from retrosolve.kernels.unsigned import u64


def degrees(numbers, counts):
    """Count how often each number occurs.

    Parameters
    ----------
    numbers : integers [m]
        Numbers from 0 to n - 1.
    counts : int32 or int64 [n]
        All 0 before; the counts after.
    """
    for e in range(len(numbers)):
        counts[u64(numbers[u64(e)])] += 1


def reverse_edges(source, target, rindptr, rindices):
    """Reverse edges that come in any order, by one counting sort.

    Parameters
    ----------
    source, target : uint16, int32 or int64 [m]
        The edges.
    rindptr : int32 or int64 [n + 1]
        All 0 before; the row starts after.
    rindices : uint16, int32 or int64 [m]
        Overwritten with the predecessors, in the order of the edges.
    """
    for e in range(len(target)):
        rindptr[u64(target[u64(e)])] += 1
    for v in range(len(rindptr) - 1):
        rindptr[u64(v + 1)] += rindptr[u64(v)]
    for e in range(len(source) - 1, -1, -1):
        w = u64(target[u64(e)])
        place = rindptr[w] - 1
        rindptr[w] = place
        rindices[u64(place)] = source[u64(e)]


def reverse_rows(indptr, indices, rindptr, rindices):
    """Reverse edges that come as rows, by one counting sort.

    Parameters
    ----------
    indptr, indices : int32 or int64 [n + 1], [m]
        Rows of the successors.
    rindptr, rindices
        As in ``reverse_edges``.
    """
    n = len(indptr) - 1
    for e in range(len(indices)):
        rindptr[u64(indices[u64(e)])] += 1
    for v in range(n):
        rindptr[u64(v + 1)] += rindptr[u64(v)]
    for v in range(n - 1, -1, -1):
        for e in range(indptr[v], indptr[v + 1]):
            w = u64(indices[u64(e)])
            place = rindptr[w] - 1
            rindptr[w] = place
            rindices[u64(place)] = v


def scan_level(
    source, target, front, state, alternating, ties, value, remoteness, queue, head, tail, level
):
    """Run one level by a scan of all edges, none of them reversed.

    What that decides is settled at ``level + 1`` and appended to the queue.

    Parameters
    ----------
    source, target : uint16, int32 or int64 [m]
        The edges.
    front : uint8 [n]
        All 0 before and after; marks the level.
    state, alternating, ties, value, remoteness, queue
        As in ``kernels.frontier.propagate``.
    head, tail, level : int
        ``queue[head:tail]`` is of ``level``.

    Returns
    -------
    int
        The new end of the queue.
    """
    for i in range(head, tail):
        front[u64(queue[u64(i)] >> 1)] = 2 + (queue[u64(i)] & 1)
    end = tail
    for e in range(len(target)):
        mark = front[u64(target[u64(e)])]
        if mark == 0:
            continue
        v = np.int64(source[u64(e)])
        side = mark & 1
        s = state[u64(v)]
        if s < 2:
            continue
        if ties or (s & 1) == side or s < 4:
            state[u64(v)] = s & 1
            queue[u64(tail)] = 2 * v + (side ^ alternating)
            tail += 1
            remoteness[u64(v)] = level + 1
            value[u64(v)] = 3 if ties else (1 if (side ^ s) & 1 == 0 else 2)
        else:
            state[u64(v)] = s - 2
    for i in range(head, end):
        front[u64(queue[u64(i)] >> 1)] = 0
    return tail


def initialise(terminal, has_terminals, owner, owned, stuck, degree, value, remoteness, state, queue):
    """Settle terminal vertices and those without moves; queue and count those that are won or lost.

    Parameters
    ----------
    terminal, owner : uint8 [n]
        Terminal values, read only if ``has_terminals``; the player to move, read only if ``owned``.
    has_terminals, owned : bool
        Whether there are terminal values, and owners.
    stuck : int
        The value of a vertex without moves.
    degree : int32 or int64 [n]
        The number of moves; ``queue`` may begin at the same address.
    value, remoteness : uint8 [n], int32 or int64 [n]
        Overwritten; 0 and -1 where undecided.
    state, queue
        Overwritten, as in ``kernels.frontier``; ``queue`` has a spare place at its end.

    Returns
    -------
    int
        The end of the queue.
    """
    n, tail = len(state), 0
    if not has_terminals and not owned:
        for v in range(n):  # without a branch, so that several go at a time
            open_moves = degree[v]
            value[v] = stuck if open_moves == 0 else 0
            remoteness[v] = 0 if open_moves == 0 else -1
            state[v] = 2 * open_moves
        if stuck != 3:
            won = 1 if stuck == 1 else 0
            for v in range(n):
                queue[u64(tail)] = 2 * v + won
                tail += value[u64(v)] != 0
        return tail
    for v in range(n):
        given = terminal[u64(v)] if has_terminals else 0
        open_moves = degree[u64(v)]
        given = stuck if given == 0 and open_moves == 0 else given
        own = 1 if owned and owner[u64(v)] == 0 else 0
        value[u64(v)] = given
        remoteness[u64(v)] = 0 if given not in (0, INVALID) else -1
        state[u64(v)] = own if given != 0 else 2 * open_moves + own
        won = 1 if given == 1 else 0
        if won == 1 or given == 2:
            queue[u64(tail)] = 2 * v + (won if own or not owned else 1 - won)
            tail += 1
    return tail

"""Edges sorted by counting alone, straight to their place: best while the cache holds what is met.

That is so for small graphs, and for large ones whose edges lead to neighbours. ``kernels.partition``
is for the rest.
"""

import numpy as np

from retrosolve.kernels.unsigned import at


def count(ends, counts):
    """Count how often each number is in ``ends`` [m], in ``counts`` [n], all 0 before."""
    for e in range(len(ends)):
        counts[at(ends[at(e)])] += 1


def reverse_edges(source, target, rindptr, rindices):
    """Reverse edges in any order: ``rindptr`` [n + 1], all 0 before, and ``rindices`` [m]."""
    for e in range(len(target)):
        rindptr[at(target[at(e)])] += 1
    for v in range(len(rindptr) - 1):
        rindptr[at(v + 1)] += rindptr[at(v)]
    for e in range(len(source) - 1, -1, -1):
        w = at(target[at(e)])
        place = rindptr[w] - 1
        rindptr[w] = place
        rindices[at(place)] = source[at(e)]


def reverse_rows(indptr, indices, rindptr, rindices):
    """Do the same with edges that come as rows."""
    n = len(indptr) - 1
    for e in range(len(indices)):
        rindptr[at(indices[at(e)])] += 1
    for v in range(n):
        rindptr[at(v + 1)] += rindptr[at(v)]
    for v in range(n - 1, -1, -1):
        for e in range(indptr[v], indptr[v + 1]):
            w = at(indices[at(e)])
            place = rindptr[w] - 1
            rindptr[w] = place
            rindices[at(place)] = v


def tell(source, target, front, state, flip, ties, value, remoteness, queue, head, tail, level):
    """Run the level ``queue[head:tail]`` by looking at all edges, none of them reversed.

    ``front`` [n], all 0 before and after, marks the level; the rest is as in ``kernels.levels``.
    Settles what that decides, as ``level + 1``, appends it, and returns the new tail.
    """
    for i in range(head, tail):
        front[at(queue[at(i)] >> 1)] = 2 + (queue[at(i)] & 1)
    end = tail
    for e in range(len(target)):
        told = front[at(target[at(e)])]
        if told == 0:
            continue
        v = np.int64(source[at(e)])
        joins = told & 1
        s = state[at(v)]
        if s < 2:
            continue
        if ties or (s & 1) == joins or s < 4:
            state[at(v)] = s & 1
            queue[at(tail)] = 2 * v + (joins ^ flip)
            tail += 1
            remoteness[at(v)] = level + 1
            value[at(v)] = 3 if ties else (1 if (joins ^ s) & 1 == 0 else 2)
        else:
            state[at(v)] = s - 2
    for i in range(head, end):
        front[at(queue[at(i)] >> 1)] = 0
    return tail


def first_look(terminal, ended, owner, owned, stuck, degree, value, remoteness, state, queue):
    """Settle terminal and stuck vertices; queue those that are won or lost, and count them.

    ``terminal`` [n] is read only if ``ended``, ``owner`` [n] only if ``owned``. ``value``,
    ``remoteness`` and ``state`` [n] are overwritten; ``state`` and ``queue`` are those of
    ``kernels.levels``, and ``queue``, which has a spare place, may begin where ``degree`` does.
    """
    n, tail = len(state), 0
    if not ended and not owned:
        for v in range(n):  # without a branch, so that several go at a time
            open_moves = degree[v]
            value[v] = stuck if open_moves == 0 else 0
            remoteness[v] = 0 if open_moves == 0 else -1
            state[v] = 2 * open_moves
        if stuck != 3:
            won = 1 if stuck == 1 else 0
            for v in range(n):
                queue[at(tail)] = 2 * v + won
                tail += value[at(v)] != 0
        return tail
    for v in range(n):
        given = terminal[at(v)] if ended else 0
        open_moves = degree[at(v)]
        given = stuck if given == 0 and open_moves == 0 else given
        own = 1 if owned and owner[at(v)] == 0 else 0
        value[at(v)] = given
        remoteness[at(v)] = 0 if given != 0 and given != 255 else -1  # noqa: PLR1714
        state[at(v)] = own if given != 0 else 2 * open_moves + own
        won = 1 if given == 1 else 0
        if won == 1 or given == 2:
            queue[at(tail)] = 2 * v + (won if own or not owned else 1 - won)
            tail += 1
    return tail

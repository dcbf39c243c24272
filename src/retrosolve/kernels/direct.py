"""Edges sorted by counting alone, straight to their place: best while the cache holds what is met.

That is so for small graphs, and for large ones whose edges lead to neighbours. ``kernels.partition``
is for the rest.
"""

from retrosolve.kernels.index import at


def reverse_edges(source, target, degree, rindptr, rindices):
    """Reverse edges in any order; count them by source in ``degree`` [n], all 0 before.

    ``rindptr`` [n + 1], all 0 before, and ``rindices`` [m] become the reversed rows.
    """
    for e in range(len(source)):
        degree[at(source[at(e)])] += 1
        rindptr[at(target[at(e)])] += 1
    for v in range(len(degree)):
        rindptr[at(v + 1)] += rindptr[at(v)]
    for e in range(len(source) - 1, -1, -1):
        w = at(target[at(e)])
        place = rindptr[w] - 1
        rindptr[w] = place
        rindices[at(place)] = source[at(e)]


def reverse_rows(indptr, indices, degree, rindptr, rindices):
    """Do the same with edges that come as rows."""
    n = len(degree)
    for v in range(n):
        degree[v] = indptr[v + 1] - indptr[v]
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


def first_look(terminal, ended, owner, owned, stuck, degree, value, remoteness, state, queue):
    """Settle terminal and stuck vertices; queue those that are won or lost, and count them.

    ``terminal`` [n] is read only if ``ended``, ``owner`` [n] only if ``owned``. ``value``,
    ``remoteness`` and ``state`` [n] are overwritten; ``state`` and ``queue`` are those of
    ``kernels.levels``, and ``queue`` may begin where ``degree`` does.
    """
    tail = 0
    for v in range(len(state)):
        given = terminal[v] if ended else 0
        open_moves = degree[v]
        if given == 0 and open_moves == 0:
            given = stuck
        own = 1 if owned and owner[v] == 0 else 0
        value[v] = given
        remoteness[v] = -1
        if given != 0:
            open_moves = 0
            remoteness[v] = 0
            if given != 3:
                won = 1 if given == 1 else 0
                queue[tail] = 2 * v + (won if own or not owned else 1 - won)
                tail += 1
        state[v] = 2 * open_moves + own
    return tail

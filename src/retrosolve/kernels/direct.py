"""Edges sorted by counting alone, straight to their place: best while the cache holds what is met.

That is so for small graphs, and for large ones whose edges lead to neighbours. ``kernels.partition``
is for the rest.
"""


def reverse_edges(source, target, remaining, rindptr, rindices):
    """Reverse edges in any order; count them by source in ``remaining`` [n], all 0 before.

    ``rindptr`` [n + 1], all 0 before, and ``rindices`` [m] become the reversed rows.
    """
    n = len(remaining)
    for e in range(len(source)):
        remaining[source[e]] += 1
        rindptr[target[e]] += 1
    for v in range(n):
        rindptr[v + 1] += rindptr[v]
    for e in range(len(source) - 1, -1, -1):
        place = rindptr[target[e]] - 1
        rindptr[target[e]] = place
        rindices[place] = source[e]


def reverse_rows(indptr, indices, remaining, rindptr, rindices):
    """Do the same with edges that come as rows."""
    n = len(remaining)
    for v in range(n):
        remaining[v] = indptr[v + 1] - indptr[v]
    for e in range(len(indices)):
        rindptr[indices[e]] += 1
    for v in range(n):
        rindptr[v + 1] += rindptr[v]
    for v in range(n - 1, -1, -1):
        for e in range(indptr[v], indptr[v + 1]):
            place = rindptr[indices[e]] - 1
            rindptr[indices[e]] = place
            rindices[place] = v


def first_look(terminal, ended, stuck, value, remoteness, remaining, queue):
    """Settle terminal and stuck vertices; queue those that are won or lost, and count them.

    ``terminal`` [n] is read only if ``ended``. ``value`` and ``remoteness`` [n] are overwritten, and
    ``remaining`` [n], the number of moves, becomes 0 for what is settled.
    """
    tail = 0
    for v in range(len(remaining)):
        given = terminal[v] if ended else 0
        if given == 0 and remaining[v] == 0:
            given = stuck
        value[v] = given
        remoteness[v] = -1
        if given != 0:
            remoteness[v] = 0
            remaining[v] = 0
            if given != 3:
                queue[tail] = v
                tail += 1
    return tail

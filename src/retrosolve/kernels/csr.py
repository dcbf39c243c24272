"""Edges to rows, and rows reversed. CSR: row v is indices[indptr[v]:indptr[v + 1]]."""


def count_rows(source, indptr):
    """Fill ``indptr`` [n + 1], zeros on entry, with the row starts of the edges ``source`` [m]."""
    for e in range(len(source)):
        indptr[source[e] + 1] += 1
    for v in range(len(indptr) - 1):
        indptr[v + 1] += indptr[v]


def fill_rows(source, target, cursor, indices):
    """Put each target into its row, in input order.

    ``cursor`` [n] holds the row starts on entry and the row ends on exit.
    """
    for e in range(len(source)):
        v = source[e]
        indices[cursor[v]] = target[e]
        cursor[v] += 1


def count_reversed(indptr, indices, value, rindptr):
    """Fill ``rindptr`` [n + 1], zeros on entry, with the in-degrees summed up.

    Rows of vertices whose ``value`` is set are left out: terminals have no way out.
    """
    n = len(indptr) - 1
    for v in range(n):
        if value[v] == 0:
            for e in range(indptr[v], indptr[v + 1]):
                rindptr[indices[e] + 1] += 1
    for v in range(n):
        rindptr[v + 1] += rindptr[v]


def fill_reversed(indptr, indices, value, cursor, rindices):
    """Fill ``rindices`` with predecessors in ascending order.

    ``cursor`` [n] holds the row starts of the reversed graph on entry and the row ends on exit.
    """
    for v in range(len(indptr) - 1):
        if value[v] == 0:
            for e in range(indptr[v], indptr[v + 1]):
                w = indices[e]
                rindices[cursor[w]] = v
                cursor[w] += 1

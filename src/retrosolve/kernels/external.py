"""Edges that come in blocks from disk: counting sources, and dropping what no longer matters.

A block holds rows of predecessors: row ``w - first`` the sources of the edges that lead to vertex
``w``. A row matters until its vertex has notified its predecessors, and an edge until its source is
decided.
"""

from retrosolve.kernels.unsigned import u64


def count_sources(source, first, counts):
    """Count the edges out of a range of vertices.

    Parameters
    ----------
    source : int32 or int64 [m]
        The source of each edge.
    first : int
        The first vertex of the range.
    counts : int32 or int64 [range]
        Added to.
    """
    size = len(counts)
    for e in range(len(source)):
        at = source[u64(e)] - first
        if 0 <= at < size:
            counts[u64(at)] += 1


def drop_dead(rindptr, rindices, first, value, keep_ties, state, lengths, start, stop):
    """Move the edges that still matter to the beginning of a range of rows.

    Parameters
    ----------
    rindptr, rindices : int32 or int64 [rows + 1], [m]
        The rows of a block; ``rindices`` is changed in place.
    first : int
        The vertex of row 0.
    value : uint8 [n]
        Rows of vertices with a value are dropped.
    keep_ties : bool
        Whether rows of vertices with a TIE are kept nevertheless.
    state : uint8, int32 or int64 [n]
        See ``kernels.open_moves``. Edges out of decided vertices are dropped.
    lengths : int32 or int64 [rows]
        Overwritten with the edges left in each row.
    start, stop : int
        The rows ``start..stop-1`` to work on.

    Returns
    -------
    int
        Where the edges of these rows end; they begin at ``rindptr[start]``.
    """
    place = rindptr[start]
    for r in range(start, stop):
        begin = place
        code = value[u64(first + r)]
        if code == 0 or (keep_ties and code == 3):
            for e in range(rindptr[u64(r)], rindptr[u64(r + 1)]):
                v = rindices[u64(e)]
                rindices[u64(place)] = v
                place += 1 if state[u64(v)] >= 2 else 0
        lengths[u64(r)] = place - begin
    return place


def append_rows(rindptr, rindices, first, cursor, out, start, stop):
    """Copy rows of a block into the rows of all vertices.

    Parameters
    ----------
    rindptr, rindices, first
        As in ``drop_dead``.
    cursor : int32 or int64 [n + 1]
        Where the next edge of each vertex goes; changed in place.
    out : int32 or int64 [edges]
        Changed in place.
    start, stop : int
        The rows ``start..stop-1`` to work on.
    """
    for r in range(start, stop):
        place = cursor[u64(first + r)]
        for e in range(rindptr[u64(r)], rindptr[u64(r + 1)]):
            out[u64(place)] = rindices[u64(e)]
            place += 1
        cursor[u64(first + r)] = place

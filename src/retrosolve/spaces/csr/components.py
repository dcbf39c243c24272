"""The order of stored edges: strongly connected components, and whether a numbering is topological.

Components come in an order in which no edge leads to a later one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from retrosolve.arrays import ByteArray, IntArray, index_dtype
from retrosolve.compilation import jit


class Components(NamedTuple):
    """The strongly connected components of a graph.

    Parameters
    ----------
    order : int [n]
        The vertices, component by component.
    bounds : int [components + 1]
        Component i is ``order[bounds[i]:bounds[i + 1]]``; its edges lead into it or into earlier ones.
    number : int [n]
        The component of each vertex.
    """

    order: IntArray
    bounds: IntArray
    number: IntArray


def strong_components(
    indptr: IntArray, indices: IntArray, terminals: ByteArray | None = None
) -> Components:
    """Return the strongly connected components.

    Parameters
    ----------
    indptr, indices : int32 or int64 [n + 1], [m]
        Rows of the successors.
    terminals : uint8 [n], optional
        Edges out of vertices whose terminal value is not 0 do not count.

    Notes
    -----
    O(n + m) time and five integers per vertex. Tarjan, "Depth-first search and linear graph algorithms"
    (1972), doi:10.1137/0201010, which finds each component after those that it leads to.

    Examples
    --------
    >>> found = strong_components(np.array([0, 1, 3, 3]), np.array([1, 0, 2]))
    >>> found.order.tolist(), found.bounds.tolist(), found.number.tolist()
    ([2, 1, 0], [0, 1, 3], [1, 1, 0])
    """
    n = len(indptr) - 1
    vertex = index_dtype(n)
    order, number, low, path = (np.zeros(n, vertex) for _ in range(4))
    bounds, cursor = np.zeros(n + 1, vertex), indptr[:-1].copy()
    if terminals is not None:
        ended = terminals != 0
        cursor[ended] = indptr[1:][ended]
    count = jit.run(search, n + len(indices), indptr, indices, cursor, low, path, order, bounds, number)
    return Components(order, bounds[: count + 1], number)


def search(
    indptr: IntArray, indices: IntArray, cursor: IntArray, low: IntArray, path: IntArray,
    order: IntArray, bounds: IntArray, number: IntArray,
) -> int:  # fmt: skip
    """Search depth-first with a stack of its own, and return the number of components.

    Parameters
    ----------
    indptr, indices : int32 or int64 [n + 1], [m]
        Rows of the successors.
    cursor : int32 or int64 [n]
        The next edge of each vertex; changed in place.
    low : int32 or int64 [n]
        Zeros. Overwritten with the first vertex, by its place in the search from 1, that a vertex is
        known to reach; n + 1 once its component is complete.
    path : int32 or int64 [n]
        Overwritten with the vertices from a root to the one at work.
    order, bounds, number : int32 or int64 [n], [n + 1], [n]
        Zeros. Overwritten with the components. Until its component is complete, a vertex waits at the
        end of ``order``, which fills from both sides, and ``number`` is its place in the search.
    """
    n = len(indptr) - 1
    count, done, waiting, visited = 0, 0, n, 0
    for root in range(n):
        if low[root] != 0:
            continue
        depth = 1
        path[0] = root
        visited += 1
        low[root] = number[root] = visited
        waiting -= 1
        order[waiting] = root
        while depth > 0:
            v = path[depth - 1]
            if cursor[v] < indptr[v + 1]:
                w = indices[cursor[v]]
                cursor[v] += 1
                if low[w] == 0:
                    path[depth] = w
                    depth += 1
                    visited += 1
                    low[w] = number[w] = visited
                    waiting -= 1
                    order[waiting] = w
                elif low[w] <= n and number[w] < low[v]:  # its component is not complete
                    low[v] = number[w]
                continue
            depth -= 1
            if depth > 0 and low[v] < low[path[depth - 1]]:
                low[path[depth - 1]] = low[v]
            if low[v] == number[v]:  # the first vertex of its component: the last ones that wait are it
                last = -1
                while last != v:
                    last = order[waiting]
                    waiting += 1
                    low[last] = n + 1
                    number[last] = count
                    order[done] = last
                    done += 1
                count += 1
                bounds[count] = done
    return count


FIRST_CHUNK, MAX_CHUNK = 1 << 8, 1 << 18

Edges = tuple[IntArray, IntArray]


def topological_direction(chunks: Iterator[Edges], terminals: ByteArray | None) -> int:
    """Return 1 if every edge leads to a larger vertex, -1 if every edge leads to a smaller one, else 0.

    Parameters
    ----------
    chunks : iterator of (source, target)
        The edges in chunks; no more of them are generated once the result is 0.
    terminals : uint8 [n], optional
        Edges out of vertices whose terminal value is not 0 do not count.

    Notes
    -----
    The result without edges is 1.
    """
    up = down = True
    for source, target in chunks:
        tail, head = source, target
        if terminals is not None:
            live = terminals[tail] == 0
            tail, head = tail[live], head[live]
        rising = np.count_nonzero(tail < head)
        up = up and rising == len(tail)
        down = down and rising == 0 and bool((tail > head).all())
        if not (up or down):
            return 0
    return 1 if up else -1


def edge_list_chunks(source: IntArray, target: IntArray) -> Iterator[Edges]:
    """Yield the edges of an edge list: first a sample of all, then increasingly long chunks."""
    step = len(source) // FIRST_CHUNK + 1
    yield source[::step], target[::step]
    for start, stop in _cuts(len(source)):
        yield source[start:stop], target[start:stop]


def row_chunks(indptr: IntArray, indices: IntArray) -> Iterator[Edges]:
    """Yield the edges of CSR rows in increasingly long chunks of vertices."""
    for start, stop in _cuts(len(indptr) - 1):
        starts = indptr[start : stop + 1]
        yield np.repeat(np.arange(start, stop), np.diff(starts)), indices[starts[0] : starts[-1]]


def _cuts(length: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of increasingly long chunks."""
    start, chunk = 0, FIRST_CHUNK
    while start < length:
        stop = min(start + chunk, length)
        yield start, stop
        start, chunk = stop, min(2 * chunk, MAX_CHUNK)

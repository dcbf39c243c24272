"""StoredSpace: edges, owners, terminal values and scores in arrays, without positions."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from retrosolve.arrays import ByteArray, IntArray, index_dtype, read_only
from retrosolve.runtime.threads import ThreadPool
from retrosolve.spaces.base import Capability, Csr, CsrSpace, Size
from retrosolve.spaces.csr import build, order
from retrosolve.spaces.csr.components import Components, strong_components

Edges = tuple[IntArray, IntArray]

_sorting = threading.Lock()

# By whether there are owners, chance apart, and whether the numbering is topological: joining flags
# takes microseconds, which a small solve would notice.
CAPABILITIES = {
    (False, False): Capability.CSR,
    (False, True): Capability.CSR | Capability.TOPOLOGICAL,
    (True, False): Capability.CSR | Capability.OWNED,
    (True, True): Capability.CSR | Capability.OWNED | Capability.TOPOLOGICAL,
}
CHANCE_CAPABILITIES = {
    numbered: CAPABILITIES[True, numbered] | Capability.CHANCE for numbered in (False, True)
}


class StoredSpace(CsrSpace):
    """The edges of a graph: CSR rows, or what they are sorted from on first access.

    That is an edge list, or edges dealt into buckets; see :mod:`retrosolve.spaces.csr.build`.
    """

    __slots__ = (
        "_buckets", "_components", "_direction", "_edge_list", "_rows", "has_chance", "is_dealt",
        "num_edges", "num_vertices", "owner", "payoff", "prefers_edge_list", "reward", "terminals",
        "weight",
    )  # fmt: skip

    num_vertices: int
    """The number of vertices."""
    owner: ByteArray | None
    """Who moves at each vertex, uint8 [num_vertices]; None where the players alternate."""
    terminals: ByteArray | None
    """The terminal value of each vertex, uint8 [num_vertices], 0 for none; None without any."""
    payoff: IntArray | None
    """The payoff of each vertex where the game ends, int32 [num_vertices]; None without any."""
    reward: IntArray | None
    """The reward of each edge, row by row, int32 [num_edges]; None without any."""
    weight: IntArray | None
    """The weight of each edge, row by row, int32 [num_edges]; None without any."""
    has_chance: bool
    """Whether chance owns a vertex."""
    prefers_edge_list: bool
    """Whether the edges were not in rows at first, as is best if one thread sorts them by target."""
    num_edges: int
    """The number of edges, duplicates and those out of terminal vertices counted."""
    is_dealt: bool
    """Whether the edges were in buckets at first, so that a solve that needs rows has to sort them."""
    _edge_list: Edges | None
    _buckets: build.Buckets | None
    _rows: Edges | None
    _direction: int | None
    _components: Components | None

    @property
    def indptr(self) -> IntArray:
        """The start of each row, int [n + 1]."""
        return self._in_rows()[0]

    @property
    def indices(self) -> IntArray:
        """The successors of each vertex, row by row, int [m]."""
        return self._in_rows()[1]

    @property
    def edge_list(self) -> Edges | None:
        """The edges as sources and targets until rows are first accessed; then None."""
        return self._edge_list

    def buckets(self, pool: ThreadPool) -> build.Buckets:
        """Return the edges in buckets of neighbouring sources."""
        return self._buckets or build.rows_as_buckets(*self._in_rows(), pool)

    def _in_rows(self) -> Edges:
        """Return the CSR arrays; sort the edges on first access."""
        if self._rows is None:
            with _sorting:  # threads that share the work on a graph ask for its rows at the same time
                self._rows = self._rows or self._sorted()
            self._edge_list = self._buckets = None
        return self._rows

    def _sorted(self) -> Edges:
        """Sort the edges into CSR arrays."""
        with ThreadPool(None, self.num_vertices + self.num_edges) as pool:
            if self._buckets is not None:
                indptr, indices = self._buckets.rows(pool)
            else:
                assert self._edge_list is not None
                index = index_dtype(self.num_vertices)
                source, target = self._edge_list
                indptr, indices = build.edges_to_csr(
                    source.astype(index, copy=False), target.astype(index, copy=False),
                    self.num_vertices, pool,
                )  # fmt: skip
        return read_only(indptr), read_only(indices)

    @property
    def direction(self) -> int:
        """1 if the numbering is topological and all edges lead up, -1 if they lead down, else 0.

        Edges out of terminal vertices do not count. 1 for a graph without edges.
        """
        if self._direction is None:
            if self._edge_list is not None:
                chunks = order.edge_list_chunks(*self._edge_list)
            elif self._buckets is not None:
                chunks = self._buckets.chunks()
            else:
                chunks = order.row_chunks(*self._in_rows())
            self._direction = order.topological_direction(chunks, self.terminals)
        return self._direction

    @property
    def components(self) -> Components:
        """The strongly connected components; edges out of terminal vertices do not count."""
        if self._components is None:
            self._components = strong_components(self.indptr, self.indices, self.terminals)
        return self._components

    @property
    def capabilities(self) -> Capability:
        """CSR, OWNED with owners, TOPOLOGICAL for a topological numbering."""
        direction = self.direction if self._direction is None else self._direction
        if self.has_chance:
            return CHANCE_CAPABILITIES[direction != 0]
        return CAPABILITIES[self.owner is not None, direction != 0]

    def player(self, indices: IntArray) -> ByteArray | None:
        """Return who moves at some vertices, uint8; None where the players alternate."""
        return None if self.owner is None else self.owner[indices]

    def terminal(self, start: int, stop: int) -> ByteArray:
        """Return the terminal values of the vertices ``start..stop-1``, 0 where there are none."""
        if self.terminals is None:
            return np.zeros(stop - start, np.uint8)
        return self.terminals[start:stop]

    def payoffs(self, start: int, stop: int) -> IntArray | None:
        """Return the payoffs of the vertices ``start..stop-1``."""
        return None if self.payoff is None else self.payoff[start:stop]

    def rewards(self, start: int, stop: int) -> IntArray | None:
        """Return the rewards of the edges out of the vertices ``start..stop-1``."""
        if self.reward is None:
            return None
        return self.reward[self.indptr[start] : self.indptr[stop]]

    def weights(self, start: int, stop: int) -> IntArray | None:
        """Return the weights of the edges out of the vertices ``start..stop-1``."""
        if self.weight is None:
            return None
        return self.weight[self.indptr[start] : self.indptr[stop]]

    def out_degrees(self) -> IntArray:
        """Return the number of edges out of each vertex [num_vertices]."""
        indptr = self.indptr
        return indptr[1:] - indptr[:-1]  # np.diff takes microseconds more, which a small solve notices

    def successors(self, start: int, stop: int) -> Csr:
        """Return the edges out of the vertices ``start..stop-1``; the first row begins at 0."""
        indptr = self.indptr[start : stop + 1]
        return Csr(indptr - indptr[0], self.indices[indptr[0] : indptr[-1]])

    def neighbors(self, vertex: int) -> IntArray:
        """Return the vertices that ``vertex`` has edges to, duplicates kept, as a view."""
        return self.indices[self.indptr[vertex] : self.indptr[vertex + 1]]

    def estimate(self) -> Size:
        """Return the exact size."""
        return Size(self.num_vertices, self.num_edges, True)


def narrow_dtype(vertices: int) -> type[np.integer[Any]]:
    """Return the smallest integer type for vertex numbers."""
    return np.uint16 if vertices <= 1 << 16 else index_dtype(vertices)

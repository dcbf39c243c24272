"""ProductGraph: two players, each with a token on a graph of its own, moving in turn.

A position is (first token, second token, whose turn), and a move changes one token only, so the
graph of the game follows from the two small ones and none of its edges is stored. The vertex of
tokens p (of k) and t (of m) with player s to move is ``(s * k + p) * m + t``.

Bytes: 1 a vertex for the terminal values; the moves of either token are small.
"""

from __future__ import annotations

import numpy as np

from retrosolve.errors import GraphError
from retrosolve.graph import Graph
from retrosolve.validation import ByteArray, IntArray, index_dtype, per_vertex


class ProductGraph:
    """The product of two tokens' moves, made as it is asked for.

    ``first`` and ``second`` are graphs without owners or terminals: where each token may step.
    ``terminal`` [2 * k * m] holds the value of finished positions, 0 elsewhere.

    >>> loop = Graph.from_edges([0, 1], [1, 0])
    >>> game = ProductGraph(loop, loop, np.array([2, 0, 0, 2, 1, 0, 0, 1], np.uint8))
    >>> game.vertices, game.edges, game.successors(1).tolist()
    (8, 8, [7])
    """

    __slots__ = ("first", "second", "terminal")

    first: Graph
    second: Graph
    terminal: ByteArray

    def __init__(self, first: Graph, second: Graph, terminal: ByteArray) -> None:
        self.first = first
        self.second = second
        checked = per_vertex(terminal, "terminal", self.vertices, None)
        if checked is None:
            raise GraphError("a product graph needs its terminal values: expected an array")
        self.terminal = checked

    @property
    def vertices(self) -> int:
        """How many positions there are."""
        return 2 * self.first.vertices * self.second.vertices

    @property
    def edges(self) -> int:
        """How many moves there are, those out of terminal positions counted."""
        return self.first.edges * self.second.vertices + self.second.edges * self.first.vertices

    @property
    def owner(self) -> ByteArray:
        """Who moves at each vertex; made anew at each call."""
        half = self.vertices // 2
        return np.repeat(np.array([0, 1], np.uint8), half)

    def ends(self, start: int, stop: int) -> ByteArray:
        """Give the terminal values of the vertices ``start..stop-1``."""
        return self.terminal[start:stop]

    def out_degrees(self) -> IntArray:
        """Give the number of moves at each vertex [vertices]."""
        first, second = self.first.out_degrees(), self.second.out_degrees()
        return np.concatenate(
            [np.repeat(first, self.second.vertices), np.tile(second, self.first.vertices)]
        )

    def successors(self, vertex: int) -> IntArray:
        """Give the vertices that moves from ``vertex`` lead to."""
        return self.rows(vertex, vertex + 1)[1]

    def rows(self, start: int, stop: int) -> tuple[IntArray, IntArray]:
        """Give the CSR rows of the vertices ``start..stop-1``, the first row starting at 0."""
        k, m = self.first.vertices, self.second.vertices
        vertex = np.arange(start, stop, dtype=np.int64)
        turn, pair = np.divmod(vertex, max(k * m, 1))
        p, t = np.divmod(pair, max(m, 1))
        row_of = np.where(turn == 0, p, t)
        first, second = self.first.indptr, self.second.indptr
        # The token that moves is the first on turn 0; indices past its range are never read.
        begin = np.where(turn == 0, first[np.minimum(row_of, k)], second[np.minimum(row_of, m)])
        end = np.where(turn == 0, first[np.minimum(row_of + 1, k)], second[np.minimum(row_of + 1, m)])
        degree = (end - begin).astype(np.int64)
        indptr = np.zeros(len(vertex) + 1, np.int64)
        np.cumsum(degree, out=indptr[1:])
        row = np.repeat(np.arange(len(vertex)), degree)
        place = np.arange(indptr[-1]) - indptr[row] + begin[row].astype(np.int64)
        moved_first = turn[row] == 0
        indices = np.empty(len(row), np.int64)
        indices[moved_first] = (
            k * m + self.first.indices[place[moved_first]].astype(np.int64) * m + t[row[moved_first]]
        )
        moved_second = ~moved_first
        indices[moved_second] = p[row[moved_second]] * m + self.second.indices[place[moved_second]]
        return indptr, indices

    def explicit(self) -> Graph:
        """Give the same game as a Graph with every edge stored, the owners included."""
        indptr, indices = self.rows(0, self.vertices)
        return Graph(
            indptr.astype(index_dtype(len(indices))),
            indices.astype(index_dtype(self.vertices)),
            self.owner,
            self.terminal,
        )

    def __repr__(self) -> str:
        return f"ProductGraph(vertices={self.vertices}, edges={self.edges})"

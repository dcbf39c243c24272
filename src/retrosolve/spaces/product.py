"""ProductSpace: two players, each with a token on a graph of its own, moving in turn.

A position is (first token, second token, whose turn), and a move changes one token only, so the
graph of the game follows from the two small ones and none of its edges is stored. The vertex of
tokens p (of k) and t (of m) with player s to move is ``(s * k + p) * m + t``.

Bytes: those of the two small graphs, and a few for each pair of tokens whose meeting matters.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from retrosolve.arrays import ByteArray, IntArray, index_dtype
from retrosolve.compilation.specialize import SpecializedKernels
from retrosolve.csr.validation import vertex_array
from retrosolve.errors import GraphError
from retrosolve.kernels import bitset_proof
from retrosolve.runtime.threads import ThreadPool
from retrosolve.spaces.graph import Graph
from retrosolve.values import INVALID, Value


class TerminalMap:
    """Where a game of two tokens is over, by turn: for the player to move there.

    ``first`` [2, k] and ``second`` [2, m] hold the value that either token's place makes, 0 where the
    game goes on; the second token's counts before the first's. ``pairs`` are two arrays, first and
    second tokens, ``codes`` [2, pairs] their values, which count before both: 0 goes on, 255
    (INVALID) is none.

    >>> caught = TerminalMap(np.zeros((2, 2), np.uint8), np.zeros((2, 2), np.uint8), ([0, 1], [0, 1]), [[1, 1], [2, 2]])
    >>> caught.block(1, 0, 2).tolist()
    [[2, 0], [0, 2]]
    """  # noqa: E501

    __slots__ = ("codes", "first", "pairs", "second")

    def __init__(self, first: Any, second: Any, pairs: Any, codes: Any) -> None:
        self.first: ByteArray = np.asarray(first, np.uint8)
        self.second: ByteArray = np.asarray(second, np.uint8)
        p, t = (np.asarray(part, np.int64).reshape(-1) for part in pairs)
        order = np.argsort(p, kind="stable")
        self.pairs: tuple[IntArray, IntArray] = (p[order], t[order])
        self.codes: ByteArray = np.asarray(codes, np.uint8).reshape(2, -1)[:, order]

    @classmethod
    def dense(cls, terminal: ByteArray, k: int, m: int) -> TerminalMap:
        """Take the values of all 2 * k * m vertices."""
        by_turn = terminal.reshape(2, k, m)
        p, t = np.nonzero(by_turn.any(axis=0))
        nothing = np.zeros((2, k), np.uint8), np.zeros((2, m), np.uint8)
        return cls(*nothing, (p, t), by_turn[:, p, t])

    def block(self, turn: int, start: int, stop: int) -> ByteArray:
        """Give the values of the first tokens ``start..stop-1`` and all second ones, a row a token."""
        second = self.second[turn]
        codes = np.where(second != 0, second, self.first[turn, start:stop, None])
        first, last = np.searchsorted(self.pairs[0], (start, stop))
        codes[self.pairs[0][first:last] - start, self.pairs[1][first:last]] = self.codes[
            turn, first:last
        ]
        return codes


@dataclass(frozen=True)
class ShiftLayout:
    """A token's graph laid out on a line, so that every move is a step by one of ``offsets``.

    ``place`` [vertices] are different whole numbers, 0 or more. There is an edge just where two
    vertices' places differ by an offset.
    """

    place: IntArray
    offsets: IntArray


class ProductSpace:
    """The product of two tokens' moves, made as it is asked for.

    ``first`` and ``second`` are graphs without owners or terminals: where each token may step.
    ``ends`` says where the game is over, as Ends or as an array of 2 * k * m values. ``line`` is a
    layout of ``second``, if it has one: solving is then far faster.

    >>> loop = Graph.from_edges([0, 1], [1, 0])
    >>> game = ProductSpace(loop, loop, np.array([2, 0, 0, 2, 1, 0, 0, 1], np.uint8))
    >>> game.vertices, game.edges, game.successors(1).tolist()
    (8, 8, [7])
    """

    __slots__ = ("at_end", "first", "line", "second")

    first: Graph
    second: Graph
    at_end: TerminalMap
    line: ShiftLayout | None

    def __init__(
        self,
        first: Graph,
        second: Graph,
        ends: TerminalMap | ByteArray,
        line: ShiftLayout | None = None,
    ) -> None:
        self.first = first
        self.second = second
        if isinstance(ends, TerminalMap):
            self.at_end = ends
        else:
            checked = vertex_array(ends, "terminal", self.vertices, None)
            if checked is None:
                raise GraphError("a product graph needs its terminal values: expected an array")
            self.at_end = TerminalMap.dense(checked, first.vertices, second.vertices)
        self.line = line
        if line is not None:
            _check_line(line, second)

    @property
    def vertices(self) -> int:
        """How many positions there are."""
        return 2 * self.first.vertices * self.second.vertices

    @property
    def edges(self) -> int:
        """How many moves there are, those out of terminal positions counted."""
        return self.first.edges * self.second.vertices + self.second.edges * self.first.vertices

    @property
    def work(self) -> int:
        """About how many moves there are to make, to judge whether compiling pays."""
        return self.vertices + self.edges

    @property
    def owner(self) -> ByteArray:
        """Who moves at each vertex; made anew at each call."""
        half = self.vertices // 2
        return np.repeat(np.array([0, 1], np.uint8), half)

    def movers(self, at: IntArray) -> ByteArray:
        """Give who moves at some vertices."""
        return (at >= self.vertices // 2).astype(np.uint8)

    @property
    def terminal(self) -> ByteArray:
        """The terminal value of each vertex; made anew at each call."""
        return self.ends(0, self.vertices)

    def ends(self, start: int, stop: int) -> ByteArray:
        """Give the terminal values of the vertices ``start..stop-1``."""
        k, m = self.first.vertices, max(self.second.vertices, 1)
        rows = range(start // m, -(-stop // m))
        parts = [
            self.at_end.block(turn, max(rows.start - turn * k, 0), min(rows.stop - turn * k, k))
            for turn in (0, 1)
            if rows.start < (turn + 1) * k and rows.stop > turn * k
        ]
        flat = np.concatenate([part.reshape(-1) for part in parts] or [np.zeros(0, np.uint8)])
        return flat[start - rows.start * m : stop - rows.start * m]

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

    def first_violation(
        self, words: IntArray, stuck: int, first: int, last: int, pool: ThreadPool
    ) -> int | None:
        """Give the first vertex in ``first..last-1`` whose packed answer its moves do not bear out."""
        moves = [
            array.astype(np.int64)
            for token in (self.first, self.second)
            for array in (token.indptr, token.indices)
        ]
        prove = _proof().kernel("prove", self.work)
        wrong = pool.map_ranges(
            lambda a, b: int(prove(a, b, stuck, self.ends(a, b), *moves, words)),
            [first + cut for cut in pool.chunks(last - first)],
        )
        return next((v for v in wrong if v >= 0), None)

    def materialize(self) -> Graph:
        """Give the same game as a Graph with every edge stored, the owners included.

        What is no position is a TIE there.
        """
        indptr, indices = self.rows(0, self.vertices)
        ends = self.terminal
        ends[ends == INVALID] = Value.TIE
        return Graph(
            indptr.astype(index_dtype(len(indices))),
            indices.astype(index_dtype(self.vertices)),
            self.owner,
            ends,
        )

    def __repr__(self) -> str:
        return f"ProductSpace(vertices={self.vertices}, edges={self.edges})"


@functools.cache
def _proof() -> SpecializedKernels:
    return SpecializedKernels([bitset_proof], {})


def _check_line(line: ShiftLayout, graph: Graph) -> None:
    """Refuse a layout that is not that of the graph."""
    place, offsets = np.asarray(line.place, np.int64), np.unique(np.asarray(line.offsets, np.int64))
    n = graph.vertices
    if len(place) != n or len(np.unique(place)) != n or place.min(initial=0) < 0:
        raise GraphError(f"a layout of {n} vertices needs {n} different places, 0 or more")
    reach = int(np.abs(offsets).max(initial=0))
    at = np.full(int(place.max(initial=0)) + 2 * reach + 1, -1, np.int64)
    at[place + reach] = np.arange(n)
    laid = [(v, to) for o in offsets for v, to in [(np.arange(n), at[place + reach + o])]]
    expected = np.concatenate([(v * n + to)[to >= 0] for v, to in laid] or [np.zeros(0, np.int64)])
    source = np.repeat(np.arange(n), np.diff(graph.indptr))
    if not np.array_equal(np.unique(expected), np.unique(source * n + graph.indices)):
        raise GraphError("the layout has other edges than the graph: expected one offset for each step")

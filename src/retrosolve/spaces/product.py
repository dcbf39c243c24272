"""ProductSpace: two players, each with a token on a graph of its own, moving in turn.

A position is (first token, second token, whose turn), and a move changes one token only, so the
graph of the game follows from the two small ones and none of its edges is stored. The vertex of
tokens p (of k) and t (of m) with player s to move is ``(s * k + p) * m + t``.

Bytes: those of the two small graphs, and a few for each pair of tokens whose meeting matters.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from retrosolve.arrays import ByteArray, IntArray, index_dtype
from retrosolve.csr.validation import vertex_array
from retrosolve.errors import GraphError, StoreError
from retrosolve.spaces.base import Capability, Csr, Size, StateSpace
from retrosolve.spaces.graph import Graph


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


class TwoTokenRules(Protocol):
    """What a product space asks of the rules of a game of two tokens."""

    players: tuple[str, str]
    initial: Any

    def index(self, position: Any) -> int: ...  # noqa: D102
    def position(self, index: int) -> Hashable: ...  # noqa: D102
    def named_moves(self, position: Any) -> list[tuple[str, Hashable]]: ...  # noqa: D102
    def text(self, position: Any) -> str: ...  # noqa: D102
    def parse(self, text: str) -> Any: ...  # noqa: D102
    def svg(self, position: Any) -> str | None: ...  # noqa: D102
    def spec(self) -> dict[str, Any]: ...  # noqa: D102


class ProductSpace(StateSpace):
    """The product of two tokens' moves, made as it is asked for.

    ``first`` and ``second`` are graphs without owners or terminals: where each token may step.
    ``ends`` says where the game is over, as Ends or as an array of 2 * k * m values. ``line`` is a
    layout of ``second``, if it has one: solving is then far faster.

    >>> loop = Graph.from_edges([0, 1], [1, 0])
    >>> game = ProductSpace(loop, loop, np.array([2, 0, 0, 2, 1, 0, 0, 1], np.uint8))
    >>> game.num_vertices, game.num_edges, game.neighbors(1).tolist()
    (8, 8, [7])
    """

    __slots__ = ("first", "layout", "num_vertices", "rules", "second", "terminal_map")

    def __init__(
        self,
        first: Graph,
        second: Graph,
        terminals: TerminalMap | ByteArray,
        layout: ShiftLayout | None = None,
        rules: TwoTokenRules | None = None,
    ) -> None:
        self.first = first
        self.second = second
        self.num_vertices: int = 2 * first.num_vertices * second.num_vertices
        if isinstance(terminals, TerminalMap):
            self.terminal_map = terminals
        else:
            checked = vertex_array(terminals, "terminal", self.num_vertices, None)
            if checked is None:
                raise GraphError("a product space needs its terminal values: expected an array")
            self.terminal_map = TerminalMap.dense(checked, first.num_vertices, second.num_vertices)
        self.layout = layout
        self.rules = rules
        if layout is not None:
            _check_layout(layout, second)

    def named_by(self, rules: TwoTokenRules) -> ProductSpace:
        """Return the same space with positions and moves named by a game."""
        return ProductSpace(self.first, self.second, self.terminal_map, self.layout, rules)

    @property
    def has_names(self) -> bool:
        """Whether rules name the positions."""
        return self.rules is not None

    @property
    def players(self) -> tuple[str, str]:
        """What the two players are called."""
        return ("0", "1") if self.rules is None else self.rules.players

    @property
    def initial(self) -> Hashable | None:
        """The position that the game starts from; None if it has none of its own."""
        return None if self.rules is None else self.rules.initial

    @property
    def capabilities(self) -> Capability:
        """BIT_ROWS and OWNED."""
        return Capability.BIT_ROWS | Capability.OWNED

    @property
    def num_edges(self) -> int:
        """The number of moves, those out of terminal positions counted."""
        first, second = self.first, self.second
        return first.num_edges * second.num_vertices + second.num_edges * first.num_vertices

    @property
    def work(self) -> int:
        """About the number of moves to generate, to judge whether compiling pays."""
        return self.num_vertices + self.num_edges

    def player(self, indices: IntArray) -> ByteArray:
        """Return who moves at some vertices."""
        return (indices >= self.num_vertices // 2).astype(np.uint8)

    def terminal(self, start: int, stop: int) -> ByteArray:
        """Return the terminal values of the vertices ``start..stop-1``."""
        k, m = self.first.num_vertices, max(self.second.num_vertices, 1)
        rows = range(start // m, -(-stop // m))
        parts = [
            self.terminal_map.block(turn, max(rows.start - turn * k, 0), min(rows.stop - turn * k, k))
            for turn in (0, 1)
            if rows.start < (turn + 1) * k and rows.stop > turn * k
        ]
        flat = np.concatenate([part.reshape(-1) for part in parts] or [np.zeros(0, np.uint8)])
        return flat[start - rows.start * m : stop - rows.start * m]

    def out_degrees(self) -> IntArray:
        """Give the number of moves at each vertex [vertices]."""
        first, second = self.first.out_degrees(), self.second.out_degrees()
        return np.concatenate(
            [np.repeat(first, self.second.num_vertices), np.tile(second, self.first.num_vertices)]
        )

    def successors(self, start: int, stop: int) -> Csr:
        """Return the edges out of the vertices ``start..stop-1``, generated anew."""
        k, m = self.first.num_vertices, self.second.num_vertices
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
        return Csr(indptr, indices)

    def estimate(self) -> Size:
        """Return the size, which is known."""
        return Size(self.num_vertices, self.num_edges, True)

    def materialize(self) -> Graph:
        """Return the same game as a Graph with every edge stored, the owners included."""
        indptr, indices = self.successors(0, self.num_vertices)
        return Graph(
            indptr.astype(index_dtype(len(indices))),
            indices.astype(index_dtype(self.num_vertices)),
            self.player(np.arange(self.num_vertices)),
            self.terminal(0, self.num_vertices),
        )

    # -- positions ----------------------------------------------------------------------------

    def index(self, position: Any) -> int:
        """Return the index of a position, by the game's own numbering."""
        return super().index(position) if self.rules is None else self.rules.index(position)

    def position(self, index: int) -> Hashable:
        """Return the position of an index: the index itself without rules."""
        return index if self.rules is None else self.rules.position(index)

    def moves(self, position: Any) -> list[tuple[str, Hashable]]:
        """Return the moves that the rules name; without rules, the successors."""
        if self.rules is not None:
            return self.rules.named_moves(position)
        return [(str(w), w) for w in dict.fromkeys(self.neighbors(self.index(position)).tolist())]

    def text(self, position: Any) -> str:
        """Return a position as the rules write it."""
        return str(position) if self.rules is None else self.rules.text(position)

    def parse(self, text: str) -> Hashable:
        """Return the position that the rules read from ``text``."""
        return super().parse(text) if self.rules is None else self.rules.parse(text)

    def svg(self, position: Any) -> str | None:
        """Return a position as the rules draw it."""
        return None if self.rules is None else self.rules.svg(position)

    # -- saving -------------------------------------------------------------------------------

    def spec(self) -> dict[str, Any]:
        """Return how to make the game again. Raises StoreError for a product space without rules."""
        if self.rules is None:
            raise StoreError("a product space without rules cannot be saved: expected a TwoTokenGame")
        return self.rules.spec()

    def __repr__(self) -> str:
        return f"ProductSpace(vertices={self.num_vertices}, edges={self.num_edges})"


def _check_layout(layout: ShiftLayout, graph: Graph) -> None:
    """Refuse a layout that is not that of the graph."""
    place, offsets = np.asarray(layout.place, np.int64), np.unique(np.asarray(layout.offsets, np.int64))
    n = graph.num_vertices
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

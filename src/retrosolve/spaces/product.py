"""ProductSpace: two players move in turn, each a token on a graph.

A position consists of the vertex p (of k) of the first token, the vertex t (of m) of the second, and
the player s to move; its index is ``(s * k + p) * m + t``. A move changes one token only, so the edges
of the game follow from the two graphs and are not stored.
"""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from retrosolve.arrays import ByteArray, IntArray, index_dtype
from retrosolve.errors import GraphError, StoreError
from retrosolve.runtime.threads import ALONE
from retrosolve.spaces.base import Capability, Csr, CsrSpace, Positions, StateSpace
from retrosolve.spaces.csr.build import reversed_rows
from retrosolve.spaces.csr.validation import vertex_array
from retrosolve.spaces.graph import Graph
from retrosolve.spaces.rule_positions import RulesPositions
from retrosolve.values import TIE, Value


class TerminalMap:
    """The terminal values of a game of two tokens, by the player to move and for that player.

    Parameters
    ----------
    first_values : uint8 [2, k]
        The value due to the vertex of the first token, 0 where the game goes on.
    second_values : uint8 [2, m]
        The value due to the vertex of the second token; unless it is 0, it overrides ``first_values``.
    pairs : tuple of two int arrays [pairs]
        Vertices of the first and the second token.
    pair_values : uint8 [2, pairs]
        The values of these pairs, which override both: 0 where the game goes on, INVALID where there is
        no position.

    Notes
    -----
    2 bytes a vertex of either graph and 18 bytes a pair.

    Examples
    --------
    >>> nowhere = np.zeros((2, 2), np.uint8)
    >>> caught = TerminalMap(nowhere, nowhere, ([0, 1], [0, 1]), [[1, 1], [2, 2]])
    >>> caught.block(1, 0, 2).tolist()
    [[2, 0], [0, 2]]
    """

    __slots__ = ("first_values", "pair_values", "pairs", "second_values")

    def __init__(self, first_values: Any, second_values: Any, pairs: Any, pair_values: Any) -> None:
        self.first_values: ByteArray = np.asarray(first_values, np.uint8)
        self.second_values: ByteArray = np.asarray(second_values, np.uint8)
        p, t = (np.asarray(part, np.int64).reshape(-1) for part in pairs)
        order = np.argsort(p, kind="stable")
        self.pairs: tuple[IntArray, IntArray] = (p[order], t[order])
        self.pair_values: ByteArray = np.asarray(pair_values, np.uint8).reshape(2, -1)[:, order]

    @classmethod
    def dense(cls, terminal: ByteArray, k: int, m: int) -> TerminalMap:
        """Return the map of an array of values of all 2 * k * m vertices."""
        by_turn = terminal.reshape(2, k, m)
        p, t = np.nonzero(by_turn.any(axis=0))
        nothing = np.zeros((2, k), np.uint8), np.zeros((2, m), np.uint8)
        return cls(*nothing, (p, t), by_turn[:, p, t])

    def block(self, turn: int, start: int, stop: int) -> ByteArray:
        """Return the values for the first token at ``start..stop-1`` and the second anywhere.

        Parameters
        ----------
        turn : {0, 1}
            The player to move.
        start, stop : int

        Returns
        -------
        uint8 [stop - start, m]
        """
        second = self.second_values[turn]
        values = np.where(second != 0, second, self.first_values[turn, start:stop, None])
        p, t = self.pairs
        at = slice(*np.searchsorted(p, (start, stop)))
        values[p[at] - start, t[at]] = self.pair_values[turn, at]
        return values


@dataclass(frozen=True)
class ShiftLayout:
    """A linear layout of a graph, in which every edge is a shift by one of a few offsets.

    Parameters
    ----------
    coordinate : int [vertices]
        The coordinate of each vertex on a line, all different, 0 or more.
    offsets : int [shifts]
        There is an edge exactly where the coordinates of two vertices differ by an offset.
    """

    coordinate: IntArray
    offsets: IntArray


class TwoTokenSpace(StateSpace):
    """A space with the capability BIT_ROWS: two tokens on graphs of their own, and who is to move."""

    __slots__ = ()

    first: CsrSpace
    """The moves of the first token, without owners or terminal values."""
    second: CsrSpace
    """The moves of the second token."""
    terminal_map: TerminalMap
    """The terminal values."""
    layout: ShiftLayout | None
    """A linear layout of ``second``, if there is one."""

    @property
    @abstractmethod
    def work(self) -> int:
        """The approximate number of moves to generate, which decides whether compiling pays."""

    def may_tie(self, stuck: Value) -> bool:
        """Return whether some position is a tie before any move."""
        ends = self.terminal_map
        codes = ends.first_values, ends.second_values, ends.pair_values
        can_be_stuck = any((token.out_degrees() == 0).any() for token in (self.first, self.second))
        return any((part == TIE).any() for part in codes) or (stuck is Value.TIE and can_be_stuck)


def two_tokens(space: StateSpace) -> TwoTokenSpace:
    """Return a space with the capability BIT_ROWS as such."""
    assert isinstance(space, TwoTokenSpace)
    return space


def rows_both_ways(graph: CsrSpace) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return the rows of successors and the rows of predecessors of a small graph, int64."""
    indptr, indices = graph.indptr.astype(np.int64), graph.indices.astype(np.int64)
    rindptr, sources = reversed_rows(indptr, indices, ALONE)
    return indptr, indices, rindptr.astype(np.int64), sources.astype(np.int64)


class ProductSpace(TwoTokenSpace):
    """The positions of a game of two tokens, with edges generated on demand.

    Parameters
    ----------
    first, second : Graph
        The moves of each token, without owners or terminal values; k and m vertices.
    terminals : TerminalMap or uint8 [2 * k * m]
        The terminal values.
    layout : ShiftLayout, optional
        A linear layout of ``second``. Solving is much faster with one.

    Raises
    ------
    GraphError
        If the terminal values or the layout do not fit the graphs.

    Notes
    -----
    The memory of the two graphs, and a few bytes for each pair in ``terminals``.

    Examples
    --------
    >>> loop = Graph.from_edges([0, 1], [1, 0])
    >>> game = ProductSpace(loop, loop, np.array([2, 0, 0, 2, 1, 0, 0, 1], np.uint8))
    >>> game.num_vertices, game.num_edges, game.neighbors(1).tolist()
    (8, 8, [7])
    """

    __slots__ = (
        "_named", "_start", "first", "layout", "num_vertices", "rules", "second", "terminal_map",
    )  # fmt: skip

    def __init__(
        self,
        first: Graph,
        second: Graph,
        terminals: TerminalMap | ByteArray,
        layout: ShiftLayout | None = None,
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
        self._start: Hashable | None = None
        self._named: RulesPositions | None = None
        self.rules = None
        if layout is not None:
            _check_layout(layout, second)

    def named_by(self, positions: RulesPositions, start: Hashable | None) -> ProductSpace:
        """Return the same space with the positions of a game and its initial position."""
        named = copy.copy(self)  # constructing it would check the layout once more
        object.__setattr__(named, "_start", start)
        named._named = positions
        object.__setattr__(named, "rules", positions.rules)
        return named

    @property
    def positions(self) -> Positions:
        """The positions of the game, the indices themselves without one."""
        return self._named or super().positions

    @property
    def has_names(self) -> bool:
        """Whether rules name the positions."""
        return self._named is not None

    @property
    def start(self) -> Hashable | None:
        """The initial position; None without rules."""
        return self._start

    @property
    def capabilities(self) -> Capability:
        """BIT_ROWS and OWNED."""
        return Capability.BIT_ROWS | Capability.OWNED

    @property
    def num_edges(self) -> int:
        """The number of moves, those out of terminal positions included."""
        first, second = self.first, self.second
        return first.num_edges * second.num_vertices + second.num_edges * first.num_vertices

    @property
    def work(self) -> int:
        """The approximate number of moves to generate, which decides whether compiling pays."""
        return self.num_vertices + self.num_edges

    def player(self, indices: IntArray) -> ByteArray:
        """Return who moves at some vertices."""
        return (indices >= self.num_vertices // 2).astype(np.uint8)

    def common_player(self, start: int, stop: int) -> int | None:
        """Return who moves at a range of vertices in one half of the index."""
        half = self.num_vertices // 2
        return None if start < half < stop else int(start >= half)

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
        """Return the number of moves at each vertex, int [num_vertices]."""
        first, second = self.first.out_degrees(), self.second.out_degrees()
        return np.concatenate(
            [np.repeat(first, self.second.num_vertices), np.tile(second, self.first.num_vertices)]
        )

    def successors(self, start: int, stop: int) -> Csr:
        """Return the edges out of the vertices ``start..stop-1``, generated on demand."""
        m, half = max(self.second.num_vertices, 1), self.num_vertices // 2
        counts = np.zeros(stop - start + 1, np.int64)
        targets: list[IntArray] = [counts[:0]]
        for turn, low, high in ((0, start, min(stop, half)), (1, max(start, half), stop)):
            if low >= high:
                continue
            p, t = np.divmod(np.arange(low, high) - turn * half, m)
            moves = self.second.edges_of(t) if turn else self.first.edges_of(p)
            degrees = np.diff(moves.indptr)
            counts[low - start + 1 : high - start + 1] = degrees
            if turn:
                targets.append(np.repeat(p * m, degrees) + moves.target)
            else:
                targets.append(half + np.repeat(t, degrees) + moves.target.astype(np.int64) * m)
        return Csr(np.cumsum(counts), np.concatenate(targets))

    def materialize(self) -> Graph:
        """Return the same game as a graph with every edge stored and with owners."""
        indptr, indices = self.successors(0, self.num_vertices)
        return Graph._of_rows(
            indptr.astype(index_dtype(len(indices))),
            indices.astype(index_dtype(self.num_vertices)),
            self.player(np.arange(self.num_vertices)),
            self.terminal(0, self.num_vertices),
        )

    # -- saving -------------------------------------------------------------------------------

    def spec(self) -> dict[str, Any]:
        """Return the specification of the game. Raises StoreError for a space without rules."""
        if self.rules is None:
            raise StoreError("a product space without rules cannot be saved: expected a TwoTokenGame")
        return self.rules.spec()

    def content(self) -> tuple[Any, ...]:
        """Return the graphs of the tokens and the terminal values."""
        tokens = tuple((token.indptr, token.indices) for token in (self.first, self.second))
        terminals = self.terminal_map
        values = terminals.first_values, terminals.second_values, terminals.pair_values
        return tokens, values, terminals.pairs

    def __repr__(self) -> str:
        return f"ProductSpace(vertices={self.num_vertices}, edges={self.num_edges})"


def _check_layout(layout: ShiftLayout, graph: Graph) -> None:
    """Raise GraphError unless the layout has exactly the edges of the graph."""
    at = np.asarray(layout.coordinate, np.int64)
    offsets = np.unique(np.asarray(layout.offsets, np.int64))
    n = graph.num_vertices
    if len(at) != n or len(np.unique(at)) != n or at.min(initial=0) < 0:
        raise GraphError(f"a layout of {n} vertices needs {n} different places, 0 or more")
    reach = int(np.abs(offsets).max(initial=0))
    vertex_at = np.full(int(at.max(initial=0)) + 2 * reach + 1, -1, np.int64)
    vertex_at[at + reach] = np.arange(n)
    targets = [vertex_at[at + reach + offset] for offset in offsets]
    edges = [(np.arange(n) * n + target)[target >= 0] for target in targets]
    expected = np.concatenate([np.zeros(0, np.int64), *edges])
    source = np.repeat(np.arange(n), np.diff(graph.indptr))
    if not np.array_equal(np.unique(expected), np.unique(source * n + graph.indices)):
        raise GraphError("the layout has other edges than the graph: expected one offset for each step")

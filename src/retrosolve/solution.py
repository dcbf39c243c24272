"""Solution: the value and remoteness of every vertex, and what follows from them.

Two flat arrays, ``value`` uint8 [n] and ``remoteness`` int32 [n] (int64 past 2^31 vertices), beside
the graph they belong to. Moves, best moves and lines are worked out when asked for.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.blocks import SWAPPED, Block, blocks
from retrosolve.errors import GraphError
from retrosolve.graph import Graph, GraphLike
from retrosolve.positions import Positions
from retrosolve.validation import ByteArray, IntArray, frozen
from retrosolve.values import Move, Outcome, Value

# Sort keys of moves, best first: WIN soonest, TIE soonest, DRAW, LOSS latest. The gaps exceed any
# remoteness.
_GAP = np.int64(1) << 40
_KEY_BASE = np.array([2 * _GAP, 0, 4 * _GAP, _GAP], np.int64)  # by value as the mover sees it
_KEY_SIGN = np.array([0, 1, -1, 1], np.int64)


class Solution:
    """The answer for every position of a game.

    Made by :func:`retrosolve.solve` and :func:`retrosolve.open`. ``solution[position]`` is its
    Outcome. ``graph`` is what was solved, ``stuck`` the value of vertices with no way out,
    ``solver`` the algorithm's name, ``seconds`` the time of each stage.

    >>> import retrosolve as rs
    >>> solution = rs.solve(rs.Graph.from_edges(["a", "b", "b"], ["b", "a", "c"]))
    >>> solution["b"], solution.best_moves("b")[0].name
    (Outcome(value=<Value.WIN: 1>, remoteness=1), 'c')
    >>> solution
    Solution(positions=3, win=1, loss=2, tie=0, draw=0)
    """

    __slots__ = ("_remoteness", "_value", "graph", "positions", "seconds", "solver", "stuck")

    def __init__(
        self,
        graph: GraphLike,
        value: ByteArray,
        remoteness: IntArray,
        positions: Positions,
        stuck: Value = Value.LOSS,
        solver: str = "unknown",
        seconds: Mapping[str, float] = MappingProxyType({}),
    ) -> None:
        self.graph = graph
        self.positions = positions
        self.stuck = stuck
        self.solver = solver
        self.seconds = dict(seconds)
        self._value: ByteArray = frozen(value)
        self._remoteness: IntArray = frozen(remoteness)

    # -- whole arrays -------------------------------------------------------------------------

    @property
    def value(self) -> ByteArray:
        """The value of each vertex, uint8 [n]: DRAW=0, WIN=1, LOSS=2, TIE=3."""
        return self._value

    @property
    def remoteness(self) -> IntArray:
        """The plies to the end of the game from each vertex, int32 [n]; -1 for a DRAW."""
        return self._remoteness

    def best(self) -> IntArray:
        """Give a best successor of each vertex, int64 [n]; -1 where the game is over.

        It is the target of the first of ``best_moves``. Cost O(n + m).
        """
        best = np.full(self.graph.vertices, -1, np.int64)
        for block in blocks(self.graph, self.value):
            if len(block.row):
                key = _move_keys(block, self.remoteness)
                smallest = block.reduce(np.minimum, key, 0)
                at_best = np.flatnonzero(key == smallest[block.row])
                rows, first = np.unique(block.row[at_best], return_index=True)
                best[block.start + rows] = block.target[at_best[first]]
        return best

    def winner(self, endless: int | None = None) -> NDArray[np.int8]:
        """Say which player wins at each vertex, int8 [n]: 0, 1, or -1 for nobody.

        ``endless`` is the player who wins when the play never ends (as the safe player does in a
        safety game); None leaves a DRAW to nobody. A TIE is nobody's. Raises GraphError for a graph
        without owners, whose vertices do not say who moves.
        """
        owner = self.graph.owner
        if owner is None:
            raise GraphError("winner() needs an owner for each vertex; here players just alternate")
        if endless is not None and (isinstance(endless, bool) or endless not in (0, 1)):
            raise GraphError(f"endless={endless!r}: expected 0, 1 or None")
        mover = owner.astype(np.int8)
        nobody = np.int8(-1)
        never = nobody if endless is None else np.int8(endless)
        return np.choose(self.value, [never, mover, 1 - mover, nobody]).astype(np.int8)

    def columns(self) -> dict[str, NDArray[Any]]:
        """Give the solution as equally long arrays, ready for a data frame.

        ``vertex``, ``name`` (where there are names), ``owner``, ``terminal`` (where given),
        ``value`` (uint8 codes of Value), ``remoteness`` (-1 for a DRAW) and ``best`` (a best
        successor's vertex, -1 where there is none).
        """
        graph = self.graph
        table: dict[str, NDArray[Any]] = {"vertex": np.arange(graph.vertices)}
        if isinstance(graph, Graph) and graph.names is not None:
            names = np.empty(graph.vertices, object)
            names[:] = graph.names
            table["name"] = names
        for name, array in (("owner", graph.owner), ("terminal", graph.terminal)):
            if array is not None:
                table[name] = array
        table |= {"value": self.value, "remoteness": self.remoteness, "best": self.best()}
        return table

    # -- summaries ----------------------------------------------------------------------------

    def counts(self) -> dict[Value, int]:
        """Give the number of positions of each value, WIN, LOSS, TIE, DRAW, zeros included."""
        return _counted(self.value)

    def counts_by_owner(self) -> dict[str, dict[Value, int]] | None:
        """Give the counts for each player to move apart; None without owners."""
        owner = self.graph.owner
        if owner is None:
            return None
        return {
            player: _counted(self.value[owner == side])
            for side, player in enumerate(self.positions.players)
        }

    def histogram(self) -> dict[Value, dict[int | None, int]]:
        """Give the number of positions by value and remoteness; that of a DRAW is None."""
        table: dict[Value, dict[int | None, int]] = {}
        for value in (Value.WIN, Value.LOSS, Value.TIE):
            plies, count = np.unique(self.remoteness[self.value == value], return_counts=True)
            table[value] = dict(zip(plies.tolist(), count.tolist(), strict=True))
        draws = int(np.count_nonzero(self.value == Value.DRAW))
        table[Value.DRAW] = {None: draws} if draws else {}
        return table

    def longest(self) -> dict[Value, int | None]:
        """Give the largest remoteness of WIN, LOSS and TIE; None where there is no such position."""
        result: dict[Value, int | None] = {}
        for value in (Value.WIN, Value.LOSS, Value.TIE):
            plies = self.remoteness[self.value == value]
            result[value] = int(plies.max()) if len(plies) else None
        return result

    # -- one position -------------------------------------------------------------------------

    @property
    def start(self) -> Hashable | None:
        """The position that the game starts from, None if it has none of its own."""
        return self.positions.start

    def __getitem__(self, position: Hashable) -> Outcome:
        """Give the outcome of a position. Raises PositionError if it is not in the solution."""
        return self._outcome(self.positions.vertex(position))

    def __len__(self) -> int:
        return self.graph.vertices

    def moves(self, position: Hashable) -> list[Move]:
        """Give the moves from a position, best first, none where the game is over.

        Best is: a WIN as soon as possible, a TIE as soon as possible, a DRAW, a LOSS as late as
        possible; among equals the order of the rules. Each outcome is that of the position moved to.
        """
        return [move for _, move in self._ranked(position)]

    def best_moves(self, position: Hashable) -> list[Move]:
        """Give the moves that keep the value and, if it is not a DRAW, the remoteness."""
        ranked = self._ranked(position)
        return [move for key, move in ranked if key == ranked[0][0]]

    def line(self, position: Hashable, plies: int | None = None) -> list[Move]:
        """Give perfect play from a position to the end; a DRAW stops at the first repetition.

        At each step the first of ``best_moves`` is played. ``plies`` is the most moves to give.
        """
        line: list[Move] = []
        met = {position}
        while (plies is None or len(line) < plies) and (best := self.best_moves(position)):
            line.append(best[0])
            position = best[0].position
            if position in met:
                break
            met.add(position)
        return line

    def _outcome(self, vertex: int) -> Outcome:
        plies = int(self.remoteness[vertex])
        return Outcome(Value(int(self.value[vertex])), None if plies < 0 else plies)

    def _ranked(self, position: Hashable) -> list[tuple[int, Move]]:
        vertex = self.positions.vertex(position)
        if self.graph.terminal is not None and self.graph.terminal[vertex]:
            return []
        named = self.positions.moves(position)
        targets = np.array([self.positions.vertex(target) for _, target in named], np.int64)
        seen = SWAPPED[self.value[targets]]
        owner = self.graph.owner
        if owner is not None:
            seen = np.where(owner[targets] == owner[vertex], self.value[targets], seen)
        keys = _keys(seen, self.remoteness[targets]).tolist()
        moves = [
            (key, Move(name, target, self._outcome(int(w))))
            for key, (name, target), w in zip(keys, named, targets, strict=True)
        ]
        return sorted(moves, key=lambda ranked: ranked[0])

    def save(self, path: str | Path) -> None:
        """Save the solution as a directory, which ``retrosolve.open`` reads again.

        An older saved solution there is replaced; whatever else is there raises StoreError.
        """
        from retrosolve.store import save

        save(self, path)

    # -- showing itself -----------------------------------------------------------------------

    def __repr__(self) -> str:
        counts = ", ".join(f"{value.word}={count}" for value, count in self.counts().items())
        return f"Solution(positions={len(self)}, {counts})"

    def _repr_html_(self) -> str:
        longest = self.longest()
        rows = "".join(
            f"<tr><td>{value.name}</td><td>{count}</td><td>{_dash(longest.get(value))}</td></tr>"
            for value, count in self.counts().items()
        )
        return (
            f"<table><caption>{len(self)} positions, solver {self.solver}</caption>"
            "<tr><th>value</th><th>positions</th><th>longest, plies</th></tr>"
            f"{rows}</table>"
        )


def _keys(seen: ByteArray, remoteness: IntArray) -> IntArray:
    return _KEY_BASE[seen] + _KEY_SIGN[seen] * remoteness


def _move_keys(block: Block, remoteness: IntArray) -> IntArray:
    return _keys(block.seen, remoteness[block.target])


def _counted(value: ByteArray) -> dict[Value, int]:
    counts = np.bincount(value, minlength=len(Value))
    order = (Value.WIN, Value.LOSS, Value.TIE, Value.DRAW)
    return {kind: int(counts[kind]) for kind in order}


def _dash(number: int | None) -> str:
    return "-" if number is None else str(number)

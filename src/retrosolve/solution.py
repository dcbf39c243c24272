"""Solution: the value and remoteness of every vertex, and what follows from them.

``answers`` holds them, beside the graph that they belong to: two flat arrays, or for a compiled game
two bytes a vertex, from which ``value`` uint8 [n] and ``remoteness`` int32 [n] (int64 past 2^31
vertices) are made when asked for. Moves, best moves and lines are worked out when asked for.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.errors import GraphError
from retrosolve.spaces.blocks import OPPOSITE, blocks
from retrosolve.spaces.graph import Graph, StateSpace
from retrosolve.spaces.positions import Positions
from retrosolve.tables.answers import Answers, Unpacked
from retrosolve.values import Move, Outcome, Value

IN_ORDER = (Value.WIN, Value.LOSS, Value.TIE, Value.DRAW)
VERTICES_A_SPAN = 1 << 20
NO_COUNTS = np.zeros(256, np.int64)

# Sort keys of moves, best first: WIN soonest, TIE soonest, DRAW, LOSS latest. The gaps exceed any
# remoteness.
_GAP = np.int64(1) << 40
_KEY_BASE = np.array([2 * _GAP, 0, 4 * _GAP, _GAP], np.int64)  # by value as the mover sees it
_KEY_SIGN = np.array([0, 1, -1, 1], np.int64)


class Solution:
    """The answer for every position of a game.

    Made by :func:`retrosolve.solving` and :func:`retrosolve.open`. ``solution[position]`` is its
    Outcome. ``graph`` is what was solved, ``stuck`` the value of vertices with no way out,
    ``solver`` the algorithm's name, ``seconds`` the time of each stage, with those that make up
    the solving of compiled rules.

    >>> import retrosolve as rs
    >>> solution = rs.solve(rs.Graph.from_edges(["a", "b", "b"], ["b", "a", "c"]))
    >>> solution["b"], solution.best_moves("b")[0].name
    (Outcome(value=<Value.WIN: 1>, remoteness=1), 'c')
    >>> solution
    Solution(positions=3, win=1, loss=2, tie=0, draw=0)
    """

    __slots__ = ("answers", "graph", "positions", "seconds", "solver", "stuck")

    def __init__(
        self,
        graph: StateSpace,
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
        self.answers: Answers = Unpacked(value, remoteness)

    @classmethod
    def packed(
        cls, graph: StateSpace, answers: Answers, positions: Positions, stuck: Value, solver: str,
        seconds: Mapping[str, float],
    ) -> Solution:  # fmt: skip
        """Make a solution of answers in whatever form they are."""
        nothing = np.empty(0, np.uint8)
        solution = cls(graph, nothing, nothing, positions, stuck, solver, seconds)
        solution.answers = answers
        return solution

    # -- whole arrays -------------------------------------------------------------------------

    @property
    def value(self) -> ByteArray:
        """The value of each vertex, uint8 [n]: DRAW=0, WIN=1, LOSS=2, TIE=3.

        255 where the index of a compiled game stands for no position.
        """
        return self.answers.values()

    @property
    def remoteness(self) -> IntArray:
        """The plies to the end of the game from each vertex, int32 [n]; -1 for a DRAW.

        Raises GraphError for a solution that was made without them.
        """
        if not self.answers.has_remoteness:
            raise GraphError("this solution holds values alone: expected one made with its remoteness")
        return self.answers.plies()

    def best(self) -> IntArray:
        """Give a best successor of each vertex, int64 [n]; -1 where the game is over.

        It is the target of the first of ``best_moves``. Cost O(n + m).
        """
        best = np.full(self.graph.vertices, -1, np.int64)
        for block in blocks(self.graph, self.answers):
            if len(block.row):
                key = _keys(block.seen, self.answers.plies(block.target))
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
        codes = np.minimum(self.value, 4)
        return np.choose(codes, [never, mover, 1 - mover, nobody, nobody]).astype(np.int8)

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
        return _by_value(sum((self.answers.tally(*span) for span in self._spans()), NO_COUNTS))

    def counts_by_player(self) -> dict[str, dict[Value, int]] | None:
        """Give the counts for each player to move apart; None without owners."""
        counts = [NO_COUNTS.copy(), NO_COUNTS.copy()]
        for start, stop in self._spans():
            movers = self.graph.movers(np.arange(start, stop))
            if movers is None:
                return None
            ones = int(movers.sum(dtype=np.int64))
            if ones in (0, stop - start):
                counts[ones > 0] += self.answers.tally(start, stop)
                continue
            values = self.answers.values(slice(start, stop))
            for side in (0, 1):
                counts[side] += np.bincount(values[movers == side], minlength=256)
        return {
            player: _by_value(part) for player, part in zip(self.positions.players, counts, strict=True)
        }

    def _spans(self) -> Iterator[tuple[int, int]]:
        """Cut the vertices into stretches."""
        for start in range(0, self.graph.vertices, VERTICES_A_SPAN):
            yield start, min(start + VERTICES_A_SPAN, self.graph.vertices)

    def _answers(self) -> Iterator[tuple[ByteArray, IntArray]]:
        """Give values and remotenesses a stretch at a time."""
        for span in self._spans():
            yield self.answers.values(slice(*span)), self.answers.plies(slice(*span))

    def histogram(self) -> dict[Value, dict[int | None, int]]:
        """Give the number of positions by value and remoteness; that of a DRAW is None.

        So is every one in a solution of values alone.
        """
        table: dict[Value, dict[int | None, int]] = {value: {} for value in IN_ORDER}
        for values, remoteness in self._answers():
            for value in IN_ORDER:
                counts = np.bincount(remoteness[values == value] + 1)
                for ply, count in ((int(at) - 1, int(counts[at])) for at in np.flatnonzero(counts)):
                    key = ply if ply >= 0 else None
                    table[value][key] = table[value].get(key, 0) + count
        return {value: dict(sorted(part.items(), key=_ply)) for value, part in table.items()}

    def longest(self) -> dict[Value, int | None]:
        """Give the largest remoteness of WIN, LOSS and TIE; None where there is no such position."""
        result: dict[Value, int | None] = dict.fromkeys(IN_ORDER[:3])
        for values, remoteness in self._answers():
            for value, before in result.items():
                plies = remoteness[values == value]
                if len(plies) and self.answers.has_remoteness:
                    result[value] = max(int(plies.max()), -1 if before is None else before)
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
        return sum(self.counts().values())

    def moves(self, position: Hashable) -> list[Move]:
        """Give the moves from a position, best first, none where the game is over.

        Best is: a WIN as soon as possible, a TIE as soon as possible, a DRAW, a LOSS as late as
        possible; among equals the order of the rules. Each outcome is that of the position moved to.
        """
        return [move for _, move in self._ranked(position)]

    def best_moves(self, position: Hashable) -> list[Move]:
        """Give the moves that keep the value and, if it is not a DRAW, the remoteness.

        In a solution of values alone all that keep the value: a win may be put off by them for ever.
        """
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
        at = np.array([vertex])
        plies = int(self.answers.plies(at)[0])
        return Outcome(Value(int(self.answers.values(at)[0])), None if plies < 0 else plies)

    def _ranked(self, position: Hashable) -> list[tuple[int, Move]]:
        vertex = self.positions.vertex(position)
        ends = self.graph.ends(vertex, vertex + 1)
        if ends is not None and ends[0]:
            return []
        named = self.positions.moves(position)
        targets = np.array([self.positions.vertex(target) for _, target in named], np.int64)
        seen = OPPOSITE[self.answers.values(targets)]
        movers = self.graph.movers(targets)
        if movers is not None:
            same = movers == self.graph.movers(np.array([vertex]))
            seen = np.where(same, self.answers.values(targets), seen)
        keys = _keys(seen, self.answers.plies(targets)).tolist()
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
        counts = ", ".join(f"{value.label}={count}" for value, count in self.counts().items())
        return f"Solution(positions={len(self)}, {counts})"

    def _repr_html_(self) -> str:
        longest = self.longest()
        rows = "".join(
            f"<tr><td>{value.name}</td><td>{count}</td><td>{_dash(longest.get(value))}</td></tr>"
            for value, count in self.counts().items()
        )
        picture = "" if self.start is None else self.positions.svg(self.start) or ""
        return (
            f"{picture}<table><caption>{len(self)} positions, solver {self.solver}</caption>"
            "<tr><th>value</th><th>positions</th><th>longest, plies</th></tr>"
            f"{rows}</table>"
        )


def _keys(seen: ByteArray, remoteness: IntArray) -> IntArray:
    return _KEY_BASE[seen] + _KEY_SIGN[seen] * remoteness


def _by_value(counts: IntArray) -> dict[Value, int]:
    return {value: int(counts[value]) for value in IN_ORDER}


def _ply(item: tuple[int | None, int]) -> int:
    return -1 if item[0] is None else item[0]


def _dash(number: int | None) -> str:
    return "-" if number is None else str(number)

"""Solution: the value and remoteness of every vertex, and what follows from them.

``answers`` holds them, beside the graph that they belong to: two flat arrays, or for a compiled game
two bytes a vertex, from which ``value`` uint8 [n] and ``remoteness`` int32 [n] (int64 past 2^31
vertices) are made when asked for. Moves, best moves and lines are worked out when asked for.
"""

from __future__ import annotations

import copy
from collections.abc import Hashable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.errors import GraphError, PositionError
from retrosolve.spaces.base import StateSpace
from retrosolve.spaces.blocks import OPPOSITE, blocks
from retrosolve.tables import Table
from retrosolve.values import INVALID, Move, Outcome, Value

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

    __slots__ = ("_num_edges", "seconds", "solver", "space", "start", "stuck", "table")

    def __init__(
        self,
        space: StateSpace,
        table: Table,
        stuck: Value = Value.LOSS,
        solver: str = "unknown",
        seconds: Mapping[str, float] = MappingProxyType({}),
        num_edges: int | None = None,
    ) -> None:
        self.space = space
        self.table = table
        self.stuck = stuck
        self.solver = solver
        self.seconds = dict(seconds)
        self._num_edges = num_edges
        self.start: Hashable | None = space.initial

    @property
    def num_edges(self) -> int:
        """The number of moves. May cost a pass over all positions if the solver did not count them."""
        return self.space.num_edges if self._num_edges is None else self._num_edges

    # -- whole arrays -------------------------------------------------------------------------

    def values(self) -> ByteArray:
        """Return the value of each vertex, uint8 [n]: DRAW=0, WIN=1, LOSS=2, TIE=3, INVALID=255.

        Decodes the whole table; ``table.values(at)`` decodes a part.
        """
        return self.table.values()

    def remoteness(self) -> IntArray:
        """Return the plies to the end of the game from each vertex, int32 [n]; -1 for a DRAW.

        Decodes the whole table; ``table.remoteness(at)`` decodes a part. Raises GraphError for a
        solution without remoteness.
        """
        if not self.table.has_remoteness:
            raise GraphError("this solution has no remoteness: expected one made with remoteness=True")
        return self.table.remoteness()

    def best_successors(self) -> IntArray:
        """Return a best successor of each vertex, int64 [n]; -1 where the game is over.

        It is the target of the first of ``best_moves``. Cost O(n + m).
        """
        best = np.full(self.space.num_vertices, -1, np.int64)
        for block in blocks(self.space, self.table):
            if len(block.row):
                key = _keys(block.value_for_mover, self.table.remoteness(block.target))
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
        owner = self.space.player(np.arange(self.space.num_vertices))
        if owner is None:
            raise GraphError("winner() needs an owner for each vertex; here players just alternate")
        if endless is not None and (isinstance(endless, bool) or endless not in (0, 1)):
            raise GraphError(f"endless={endless!r}: expected 0, 1 or None")
        mover = owner.astype(np.int8)
        nobody = np.int8(-1)
        never = nobody if endless is None else np.int8(endless)
        codes = np.minimum(self.values(), 4)
        return np.choose(codes, [never, mover, 1 - mover, nobody, nobody]).astype(np.int8)

    def columns(self) -> dict[str, NDArray[Any]]:
        """Give the solution as equally long arrays, ready for a data frame.

        ``vertex``, ``name`` (where there are names), ``owner``, ``terminal`` (where given),
        ``value`` (uint8 codes of Value), ``remoteness`` (-1 for a DRAW) and ``best`` (a best
        successor's vertex, -1 where there is none).
        """
        space, real = self.space, self.space.valid()
        table: dict[str, NDArray[Any]] = {"vertex": real}
        if space.has_names:
            names = np.empty(len(real), object)
            names[:] = [space.position(v) for v in real.tolist()]
            table["name"] = names
        owner = space.player(real)
        if owner is not None:
            table["owner"] = owner
        terminal = space.terminal(0, space.num_vertices)[real]
        if terminal.any():
            table["terminal"] = terminal
        best = self.best_successors()[real]
        table |= {"value": self.table.values(real), "remoteness": self.table.remoteness(real)}
        return table | {"best": best}

    # -- summaries ----------------------------------------------------------------------------

    def counts(self) -> dict[Value, int]:
        """Give the number of positions of each value, WIN, LOSS, TIE, DRAW, zeros included."""
        return _by_value(sum((self.table.counts(*span) for span in self._spans()), NO_COUNTS))

    def counts_by_player(self) -> dict[str, dict[Value, int]] | None:
        """Give the counts for each player to move apart; None without owners."""
        counts = [NO_COUNTS.copy(), NO_COUNTS.copy()]
        for start, stop in self._spans():
            movers = self.space.player(np.arange(start, stop))
            if movers is None:
                return None
            ones = int(movers.sum(dtype=np.int64))
            if ones in (0, stop - start):
                counts[ones > 0] += self.table.counts(start, stop)
                continue
            values = self.table.values(slice(start, stop))
            for side in (0, 1):
                counts[side] += np.bincount(values[movers == side], minlength=256)
        return {
            player: _by_value(part) for player, part in zip(self.space.players, counts, strict=True)
        }

    def _spans(self) -> Iterator[tuple[int, int]]:
        """Cut the vertices into stretches."""
        for start in range(0, self.space.num_vertices, VERTICES_A_SPAN):
            yield start, min(start + VERTICES_A_SPAN, self.space.num_vertices)

    def _answers(self) -> Iterator[tuple[ByteArray, IntArray]]:
        """Give values and remotenesses a stretch at a time."""
        for span in self._spans():
            yield self.table.values(slice(*span)), self.table.remoteness(slice(*span))

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
                if len(plies) and self.table.has_remoteness:
                    result[value] = max(int(plies.max()), -1 if before is None else before)
        return result

    # -- one position -------------------------------------------------------------------------

    def __getitem__(self, position: Hashable) -> Outcome:
        """Give the outcome of a position. Raises PositionError if it is not in the solution."""
        return self._outcome(self.space.index(position))

    def __iter__(self) -> Iterator[Hashable]:
        """Iterate over the positions, in the order of their indices."""
        for start, stop in self._spans():
            valid = np.flatnonzero(self.table.values(slice(start, stop)) != INVALID)
            yield from map(self.space.position, (start + valid).tolist())

    def __contains__(self, position: Hashable) -> bool:
        """Return whether the solution holds a position."""
        try:
            self.space.index(position)
        except PositionError:
            return False
        return True

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
        value, plies = int(self.table.values(at)[0]), int(self.table.remoteness(at)[0])
        if value == INVALID:
            raise PositionError(f"index {vertex} stands for no position")
        return Outcome(Value(value), None if plies < 0 else plies)

    def _ranked(self, position: Hashable) -> list[tuple[int, Move]]:
        vertex = self.space.index(position)
        if self.space.terminal(vertex, vertex + 1)[0]:
            return []
        named = self.space.moves(position)
        targets = np.array([self.space.index(target) for _, target in named], np.int64)
        seen = OPPOSITE[self.table.values(targets)]
        movers = self.space.player(targets)
        if movers is not None:
            same = movers == self.space.player(np.array([vertex]))
            seen = np.where(same, self.table.values(targets), seen)
        keys = _keys(seen, self.table.remoteness(targets)).tolist()
        moves = [
            (key, Move(name, target, self._outcome(int(w))))
            for key, (name, target), w in zip(keys, named, targets, strict=True)
        ]
        return sorted(moves, key=lambda ranked: ranked[0])

    def starting(self, position: Hashable) -> Solution:
        """Return the same solution with another initial position. Raises PositionError."""
        self.space.index(position)
        found = copy.copy(self)
        found.start = position
        return found

    def save(self, path: str | Path) -> None:
        """Save the solution as a directory, which :func:`retrosolve.open` reads again.

        Parameters
        ----------
        path : str or Path
            An older saved solution there is replaced; whatever else is there raises StoreError.

        Notes
        -----
        Writes the arrays of the table and how to make the game again: for rules from a file its path
        and a digest of its source. Edges are written for a graph only.
        """
        from retrosolve import store

        start = None if self.start is None else self.space.index(self.start)
        saved = store.Saved(self.space, self.table, self.stuck, self.solver, self.num_edges, start)
        store.save(saved, path)

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
        picture = "" if self.start is None else self.space.svg(self.start) or ""
        return (
            f"{picture}<table><caption>{len(self)} positions, solver {self.solver}</caption>"
            "<tr><th>value</th><th>positions</th><th>longest, plies</th></tr>"
            f"{rows}</table>"
        )


def open_solution(path: str | Path, game: Any = None, check: bool = True) -> Solution:
    """Open a saved solution; its arrays are mapped into memory, not read.

    Parameters
    ----------
    path : str or Path
    game : Game or CompiledGame, optional
        The game that was solved. Without it, it is made again as it was: a game of this package by its
        class and arguments, rules from a file by loading that file, which must not have changed.
    check : bool
        False leaves out comparing each file with its checksum, which reads all of it once.

    Returns
    -------
    Solution

    Raises
    ------
    StoreError
        For what is missing, damaged or of another version, and for rules that are gone or have
        changed.

    Examples
    --------
    >>> import tempfile
    >>> import retrosolve as rs
    >>> from retrosolve.games.stones import Stones
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rs.solve(Stones(n=7)).save(f"{folder}/stones")
    ...     str(rs.open(f"{folder}/stones")[7])
    'WIN in 5'
    """
    from retrosolve import store

    saved = store.load(path, game, check)
    solution = Solution(saved.space, saved.table, saved.stuck, saved.solver, num_edges=saved.num_edges)
    initial = saved.space.initial
    if saved.start is None:
        solution.start = None
    elif initial is None or saved.space.index(initial) != saved.start:
        solution.start = saved.space.position(saved.start)
    return solution


def _keys(seen: ByteArray, remoteness: IntArray) -> IntArray:
    return _KEY_BASE[seen] + _KEY_SIGN[seen] * remoteness


def _by_value(counts: IntArray) -> dict[Value, int]:
    return {value: int(counts[value]) for value in IN_ORDER}


def _ply(item: tuple[int | None, int]) -> int:
    return -1 if item[0] is None else item[0]


def _dash(number: int | None) -> str:
    return "-" if number is None else str(number)

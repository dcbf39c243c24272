"""Cops and robber on any graph, undirected or directed.

First the cops, then the robber, choose the vertices they start on. Then they alternate, the cops
first: each cop moves along an edge or, if ``passing`` is allowed, stays; so does the robber. Several
cops may share a vertex. The cops win by occupying the robber's vertex; the robber wins by never being
caught, which is a DRAW here. A token on a vertex without edges stays there.

Sources: A. Quilliot (1978), R. Nowakowski and P. Winkler (1983), M. Aigner and M. Fromme (1984).
Known: the Petersen graph is the smallest with cop number 3 (W. Baird et al., arXiv:1308.2841).
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from retrosolve.arrays import IntArray, index_dtype, numbered_ranges, row_bounds
from retrosolve.drawing.layout import MAX_DRAWN, Places
from retrosolve.errors import PositionError, RulesError
from retrosolve.formats import read_graph
from retrosolve.pursuit import drawing
from retrosolve.rules.ranking import multiset_counts, rank_multiset, unrank_multiset
from retrosolve.rules.two_tokens import TwoTokenGame
from retrosolve.runtime.memory import check_budget
from retrosolve.runtime.text import mark
from retrosolve.spaces.graph import Graph
from retrosolve.spaces.product import ProductSpace, TerminalMap
from retrosolve.values import INVALID, Value

TEXT = re.compile(r"cops (.+), robber (.+), (cops|robber) to move")
COPS, ROBBER = PLAYERS = (mark("cops"), mark("robber"))
MAX_COPS = 255
MOVES_PER_BLOCK = 1 << 20
BYTES_PER_MOVE = 16
WORK_BYTES_PER_MOVE = 56  # of one block
MAX_INT64 = 2**63 - 1
SURELY_TOO_MANY = 64  # comb(2 * 64, 64) exceeds 64 bits by far
PETERSEN = tuple(
    edge for i in range(5) for edge in ((i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5))
)


class NetworkXGraph(Protocol):
    """A graph of NetworkX, as far as it is read here."""

    @property
    def nodes(self) -> Iterable[Hashable]:
        """The vertices."""

    def adjacency(self) -> Iterable[tuple[Hashable, Iterable[Hashable]]]:
        """Return the neighbours of each vertex."""


GraphLike: TypeAlias = Graph | NetworkXGraph | Iterable[tuple[Hashable, Hashable]]
"""What a graph may be given as: pairs are edges both ways."""


class CopsPosition(NamedTuple):
    """The vertices of the cops and of the robber, and who moves.

    Parameters
    ----------
    cops : tuple
        Vertices of the cops, in the order of the graph; ``()`` before they have chosen.
    robber : hashable or None
        Vertex of the robber; None before he has chosen.
    turn : str
        ``"cops"`` or ``"robber"``.

    Examples
    --------
    >>> CopsPosition((0, 2), 1, "robber").turn
    'robber'
    """

    cops: tuple[Hashable, ...]
    robber: Hashable | None
    turn: str


class CopsAndRobber(TwoTokenGame):
    """The game of cops and robber on one graph.

    Parameters
    ----------
    graph : Graph, networkx graph, or iterable of pairs
        A Graph is directed; a pair of vertices is an edge both ways. A loop allows staying.
    cops : int
        Number of cops.
    passing : bool
        Whether a token may stay where it is.

    Raises
    ------
    RulesError
        If the graph has no vertices, there are no cops, or there are too many positions for 64 bits.

    Notes
    -----
    Cost: about 2 * n^(k+1) / k! positions for k cops on n vertices, 3 bytes each while solving; no
    edge is stored.

    Examples
    --------
    >>> import retrosolve as rs
    >>> game = CopsAndRobber([(0, 1), (1, 2), (2, 3), (3, 0)], cops=2)
    >>> solution = rs.solve(game)
    >>> str(solution[game.start()]), str(rs.solve(CopsAndRobber(game.graph))[game.start()])
    ('WIN in 3', 'DRAW')
    >>> solution.best_moves(game.start())[0].name
    'to 0 1'
    """

    players = PLAYERS
    rebuilt_by = "from_edges"

    def __init__(self, graph: GraphLike, cops: int = 1, passing: bool = True) -> None:
        if isinstance(cops, bool) or not isinstance(cops, int | np.integer) or cops < 1:
            raise RulesError(f"cops={cops!r}: expected a whole number above 0")
        self.graph = as_graph(graph)
        self.passing = bool(passing)
        self.cops = int(cops)
        n = self.graph.num_vertices
        if n == 0:
            raise RulesError("the graph has no vertices: expected at least one")
        self.initial: CopsPosition = CopsPosition((), None, COPS)
        self._steps = steps(self.graph, self.passing)
        self._teams = count_teams(n, self.cops)
        if cops > MAX_COPS:
            raise RulesError(f"cops={cops!r}: expected at most {MAX_COPS}")

    @cached_property
    def _multisets(self) -> IntArray:
        """The numbers by which teams are ranked."""
        return multiset_counts(self.graph.num_vertices, self.cops)

    @cached_property
    def _places(self) -> Places:
        """Where the vertices are drawn."""
        return drawing.places_of(self.graph)

    @classmethod
    def from_edges(
        cls, source: list[int], target: list[int], names: list[Hashable], cops: int, passing: bool
    ) -> CopsAndRobber:
        """Return the game on the graph with these edges between vertices with these names."""
        return cls(Graph.from_edges(source, target, len(names), names=names), cops, passing)

    def recipe(self) -> tuple[str, dict[str, Any]]:
        """Return the call that makes the game again, the graph as lists."""
        graph = self.graph
        n = graph.num_vertices
        return "CopsAndRobber.from_edges", {
            "source": np.repeat(np.arange(n), graph.out_degrees()).tolist(),
            "target": graph.indices.tolist(),
            "names": [graph.position(v) for v in range(n)],
            "cops": self.cops,
            "passing": self.passing,
        }

    # -- the plain rules ----------------------------------------------------------------------

    def start(self) -> CopsPosition:
        """Return the position before anybody has chosen a vertex."""
        return self.initial

    def terminal(self, position: CopsPosition) -> Value | None:
        """Return WIN or LOSS if the robber is caught, else None."""
        if position.robber is None or position.robber not in position.cops:
            return None
        return Value.WIN if position.turn == COPS else Value.LOSS

    def player(self, position: CopsPosition) -> int:
        """Return 0 for the cops, 1 for the robber."""
        return PLAYERS.index(position.turn)

    def moves(self, position: CopsPosition) -> list[tuple[str, CopsPosition]]:
        """Return the moves, named by target; a side that has not chosen may choose any vertex."""
        cops, robber, turn = position
        everywhere = range(self.graph.num_vertices)
        if turn == ROBBER:
            goals = everywhere if robber is None else self._steps[self.graph.index(robber)]
            names = [self.graph.position(w) for w in goals]
            return [(f"to {name}", CopsPosition(cops, name, COPS)) for name in names]
        if cops:
            choices = [self._steps[self.graph.index(cop)] for cop in cops]
            teams: dict[tuple[int, ...], None] = {(): None}
            for row in choices:
                teams = dict.fromkeys(tuple(sorted((*team, w))) for team in teams for w in row)
        else:
            teams = dict.fromkeys(combinations_with_replacement(everywhere, self.cops))
        moves = []
        for team in teams:
            named = tuple(self.graph.position(v) for v in team)
            moves.append((f"to {' '.join(map(str, named))}", CopsPosition(named, robber, ROBBER)))
        return moves

    def text(self, position: CopsPosition) -> str:
        """Return a position in words."""
        cops, robber, turn = position
        placed = " ".join(map(str, cops)) or "to be placed"
        return f"cops {placed}, robber {'to be placed' if robber is None else robber}, {turn} to move"

    def svg(self, position: CopsPosition) -> str | None:
        """Return a drawing of the graph with all tokens; None for more than 200 vertices."""
        if self.graph.num_vertices > MAX_DRAWN:
            return None
        title = f"Cops and robber: {self.text(position)}"
        return drawing.graph_with(title, self.graph, self._places, position.cops, position.robber)

    def move_points(self, position: CopsPosition, target: CopsPosition) -> tuple[str, ...]:
        """Return the numbers of the vertices where all cops, or the robber, are after the move."""
        moved = (target.robber,) if position.turn == ROBBER else target.cops
        return tuple(str(self.graph.index(vertex)) for vertex in moved)

    def parse(self, text: str) -> CopsPosition:
        """Return the position of a text; the names of the vertices must be single words."""
        match = TEXT.fullmatch(text.strip())
        if match is None:
            raise PositionError(f"{text!r} is no position: expected 'cops 0 3, robber 5, cops to move'")
        teams, robber, turn = match.groups()
        waiting = "to be placed"
        cops = [] if teams == waiting else [self.graph.parse(name) for name in teams.split()]
        cops.sort(key=self.graph.index)
        place = None if robber == waiting else self.graph.parse(robber)
        position = CopsPosition(tuple(cops), place, turn)
        self.index(position)
        return position

    # -- the same game without stored edges ---------------------------------------------------

    def product(self) -> ProductSpace:
        """Return the space of all positions; the last vertex of either side means "not chosen yet"."""
        n, teams = self.graph.num_vertices, self._teams
        least = 2 * (teams + 1) * (n + 1) // 4 + 40 * self.cops * teams
        what = f"{self.cops} cops on {n} vertices, win/loss/draw only,"
        check_budget(least, what)
        members = all_placements(n, self.cops)
        degree = np.array([len(row) for row in self._steps])
        check_budget(least + joint_moves_bytes(members, degree), what)
        first = np.zeros((2, teams + 1), np.uint8)
        second = np.zeros((2, n + 1), np.uint8)
        first[:, teams] = INVALID
        second[0, n] = INVALID
        pairs = np.repeat(np.arange(teams), self.cops) * n + members.ravel()  # ascending
        pairs = pairs[np.append(True, pairs[1:] != pairs[:-1])]
        codes = np.repeat(np.array([[Value.WIN], [Value.LOSS]], np.uint8), len(pairs) + 1, axis=1)
        codes[:, -1] = 0, INVALID
        p, t = np.append(pairs // n, teams), np.append(pairs % n, n)
        return ProductSpace(
            self._team_graph(), _with_choice(self._steps), TerminalMap(first, second, (p, t), codes)
        )

    def _team_graph(self) -> Graph:
        """Return the joint moves of the cops; from the last vertex they reach every team."""
        teams = self._teams
        indptr, indices = joint_moves(self._steps, self.cops)
        everywhere = np.arange(teams, dtype=indices.dtype)
        return Graph.from_csr(
            np.append(indptr, len(indices) + teams), np.concatenate([indices, everywhere])
        )

    def index(self, position: CopsPosition) -> int:
        """Return the index of a position. Raises PositionError."""
        try:
            cops, robber, turn = position
            player = PLAYERS.index(turn)
            n, teams = self.graph.num_vertices, self._teams
            if (len(cops), robber is None) in ((self.cops, False), (self.cops, player == 1), (0, True)):
                team = sorted(self.graph.index(cop) for cop in cops)
                p = rank_multiset(team, self._multisets) if team else teams
                t = n if robber is None else self.graph.index(robber)
                if team or player == 0:
                    return (player * (teams + 1) + p) * (n + 1) + t
        except (TypeError, ValueError, PositionError):
            pass
        raise PositionError(
            f"{position!r} is no position of this game: expected (vertices of {self.cops} cops, the "
            "robber's vertex, 'cops' or 'robber')"
        ) from None

    def position(self, index: int) -> CopsPosition:
        """Return the position of an index."""
        n, teams = self.graph.num_vertices, self._teams
        row, t = divmod(index, n + 1)
        turn, p = divmod(row, teams + 1)
        team = [0] * self.cops if p < teams else []
        unrank_multiset(p, self._multisets, team)
        cops = tuple(self.graph.position(v) for v in team)
        return CopsPosition(cops, None if t == n else self.graph.position(t), PLAYERS[turn])


def on_graph(
    graph: str = "", cops: int = 3, passing: bool = True, directed: bool = True
) -> CopsAndRobber:
    """Make the game on the graph of a file, or on the Petersen graph if there is no file name.

    Edges of a file lead one way, unless ``directed`` is false.
    """
    if not graph:
        return CopsAndRobber(PETERSEN, cops, passing)
    read = read_graph(Path(graph))
    if not directed:
        ends = np.repeat(np.arange(read.num_vertices), read.out_degrees()), read.indices
        both = np.concatenate(ends), np.concatenate(ends[::-1])
        read = Graph.from_edges(*both, read.num_vertices, names=read.names)
    return CopsAndRobber(read, cops, passing)


def as_graph(graph: GraphLike) -> Graph:
    """Return a graph as a Graph.

    Parameters
    ----------
    graph : Graph, networkx graph, or iterable of pairs
        A Graph is returned as it is; a pair of vertices is an edge both ways.

    Raises
    ------
    RulesError
        For anything else.
    """
    if isinstance(graph, Graph):
        return graph
    if hasattr(graph, "adjacency") and hasattr(graph, "nodes"):
        return Graph.from_networkx(graph)
    try:
        pairs = [(u, v) for u, v in graph]
    except (TypeError, ValueError):
        raise RulesError(
            f"{type(graph).__name__} is no graph: expected a Graph, one of NetworkX, or pairs"
        ) from None
    return Graph.from_edges(
        [u for u, _ in pairs] + [v for _, v in pairs], [v for _, v in pairs] + [u for u, _ in pairs]
    )


def steps(graph: Graph, passing: bool) -> list[list[int]]:
    """Return the targets of one token from each vertex; itself where it may stay, or must."""
    rows = []
    for v in range(graph.num_vertices):
        row = dict.fromkeys(graph.neighbors(v).tolist())
        rows.append(list({v: None} | row if passing or not row else row))
    return rows


def _with_choice(rows: list[list[int]]) -> Graph:
    """Return the moves of one token as a graph with one more vertex, which leads to all others."""
    n = len(rows)
    source = np.repeat(np.arange(n + 1), [*map(len, rows), n])
    target = np.concatenate([np.array(row, np.int64) for row in [*rows, range(n)]])
    return Graph.from_edges(source, target, n + 1)


# -- teams -------------------------------------------------------------------------------------------
#
# A team of k cops on n vertices is a multiset, ranked in colexicographic order as in
# retrosolve.rules.ranking. So teams with largest member x are contiguous, in the order of the teams
# that are left without it.


def count_teams(n: int, cops: int) -> int:
    """Return the number of teams of ``cops`` members on n vertices.

    Raises RulesError if positions would not fit 64 bits.

    >>> count_teams(3, 40)
    861
    """
    teams = MAX_INT64 if min(n - 1, cops) > SURELY_TOO_MANY else comb(n + cops - 1, cops)
    if 2 * (teams + 1) * (n + 1) > MAX_INT64:
        raise RulesError(
            f"{cops} cops on {n} vertices have more positions than 64 bits can number: "
            "expected fewer cops or vertices"
        )
    return teams


def all_placements(n: int, cops: int) -> IntArray:
    """Return all teams of ``cops`` members on n vertices in the order of their ranks, [teams, cops]."""
    teams = np.arange(n, dtype=np.int64)[:, None]
    for size in range(2, cops + 1):
        rest, last = _by_largest(n, size)
        teams = np.column_stack([teams[rest], last])
    return teams


def joint_moves_bytes(members: IntArray, degree: IntArray) -> int:
    """Return an upper bound on the memory of ``joint_moves``, its result included.

    A team has at most as many moves as its members have choices, and at most as many as there are
    teams.
    """
    choices = degree[members].astype(float).prod(axis=1)
    moves = int(np.minimum(choices, len(members)).sum())
    return BYTES_PER_MOVE * moves + WORK_BYTES_PER_MOVE * int(min(choices.sum(), MOVES_PER_BLOCK))


def joint_moves(steps: Sequence[Sequence[int]], cops: int) -> tuple[IntArray, IntArray]:
    """Return the moves of all teams as CSR rows, ascending and distinct.

    Parameters
    ----------
    steps : sequence of sequences of int
        ``steps[v]`` are the targets of one member from v.
    cops : int
        Number of members.

    Returns
    -------
    indptr, indices : int arrays
        Ranks of the teams that a team can move to.

    Notes
    -----
    The moves of teams of one member fewer come first; adding the largest member to them makes each
    target once, not once for every way to reach it.
    """
    n = len(steps)
    degree = np.array([len(row) for row in steps], np.int64)
    start = row_bounds(degree)
    flat = np.concatenate([np.sort(np.array(row, np.int64)) for row in steps])
    indptr, indices = start, flat
    for size in range(2, cops + 1):
        rest, last = _by_largest(n, size)
        joined = _joined(n, size)
        reach = np.diff(indptr)[rest]
        teams, counts = [], np.zeros(len(last), np.int64)
        for begin, end in _blocks(reach * degree[last]):
            row, place = numbered_ranges(indptr[rest[begin:end]], reach[begin:end])
            target = indices[place]
            pair, place = numbered_ranges(start[last[begin + row]], degree[last[begin + row]])
            codes = row[pair] * len(last) + joined[target[pair], flat[place]]
            row, team = np.divmod(_distinct(codes, (end - begin) * len(last)), len(last))
            counts[begin:end] = np.bincount(row, minlength=end - begin)
            teams.append(team.astype(index_dtype(len(last))))
        indptr, indices = row_bounds(counts), np.concatenate(teams)
    return indptr, indices


def _by_largest(n: int, size: int) -> tuple[IntArray, IntArray]:
    """Return the rank of each team of ``size`` without its largest member, and that member."""
    counts = np.array([comb(x + size - 1, size - 1) for x in range(n)], np.int64)
    _, rest = numbered_ranges(np.zeros(n, np.int64), counts)
    return rest, np.repeat(np.arange(n), counts)


def _joined(n: int, size: int) -> IntArray:
    """Return the rank of each team of ``size - 1`` members with vertex v added, [teams, n]."""
    teams = all_placements(n, size - 1)
    # The number of multisets before largest member x in each place.
    before = np.ascontiguousarray(multiset_counts(n - 1, size)[:, 1:].T)
    vertices = np.arange(n)
    number = np.zeros((len(teams), n), np.int64)
    below = np.zeros((len(teams), n), np.int8 if size < 128 else np.int64)
    for place in range(size - 1):
        member = teams[:, place, None]
        stays = member <= vertices
        number += np.where(stays, before[place, member], before[place + 1, member])
        below += stays
    return number + before[below, vertices]


def _blocks(work: IntArray) -> Iterator[tuple[int, int]]:
    """Yield the bounds of blocks of rows, each with about MOVES_PER_BLOCK of work."""
    done = np.cumsum(work)
    begin = 0
    while begin < len(work):
        so_far = int(done[begin - 1]) if begin else 0
        end = max(begin + 1, int(np.searchsorted(done, so_far + MOVES_PER_BLOCK, side="right")))
        yield begin, end
        begin = end


def _distinct(codes: IntArray, size: int) -> IntArray:
    """Return the distinct codes, which are below ``size``, in ascending order."""
    if size > 16 * len(codes):
        codes = np.sort(codes)  # np.unique hashes integers, which is far slower
        return codes[np.append(True, codes[1:] != codes[:-1])] if len(codes) else codes
    present = np.zeros(size, bool)
    present[codes] = True
    return np.flatnonzero(present)

"""Cops and robber on any graph, undirected or directed.

Some cops, then the robber, choose the vertices that they start on. Then they move in turn, the cops
first: each cop goes along an edge or, where ``passing`` is allowed, stays; so does the robber. Several
cops may stand on one vertex. The cops win when one of them is where the robber is; the robber wins by
never being caught, which is a DRAW here. Who stands where no edge leads on stays there in any case.

Sources: A. Quilliot (1978), R. Nowakowski and P. Winkler (1983), M. Aigner and M. Fromme (1984).
Known: cop number 3 of the Petersen graph, the smallest with 3 (W. Baird et al., arXiv:1308.2841).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import combinations_with_replacement
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from retrosolve.errors import PositionError, RulesError
from retrosolve.formats import read_graph
from retrosolve.pursuit.teams import (
    all_placements,
    count_teams,
    joint_moves,
    joint_moves_bytes,
    unrank_multiset,
)
from retrosolve.rules.two_tokens import TwoTokenGame
from retrosolve.runtime.memory import check_budget
from retrosolve.spaces.graph import Graph
from retrosolve.spaces.product import ProductSpace, TerminalMap
from retrosolve.values import INVALID, Value

COPS, ROBBER = PLAYERS = ("cops", "robber")
PETERSEN = tuple(
    edge for i in range(5) for edge in ((i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5))
)


class CopsPosition(NamedTuple):
    """Where the cops stand, in the graph's order, where the robber, and whose turn it is.

    Before they have chosen, the cops stand nowhere, ``()``, and the robber is None.
    """

    cops: tuple[Hashable, ...]
    robber: Hashable | None
    turn: str


class CopsAndRobber(TwoTokenGame):
    """The game of ``cops`` cops and a robber on a graph.

    The graph is a Graph, whose edges are directed, one of NetworkX, or pairs of vertices, each an edge
    both ways. A loop lets who stands there stay.

    Raises RulesError for a graph without vertices, a number of cops below 1, or more positions than
    64 bits can number.

    >>> import retrosolve as rs
    >>> game = CopsAndRobber([(0, 1), (1, 2), (2, 3), (3, 0)], cops=2)
    >>> solution = rs.solve(game)
    >>> str(solution[game.start()]), str(rs.solve(CopsAndRobber(game.graph))[game.start()])
    ('WIN in 3', 'DRAW')
    >>> solution.best_moves(game.start())[0].name
    'to 0 1'
    """

    players = PLAYERS

    def __init__(
        self, graph: Graph | Iterable[tuple[Any, Any]] | Any, cops: int = 1, passing: bool = True
    ) -> None:
        if isinstance(cops, bool) or not isinstance(cops, int | np.integer) or cops < 1:
            raise RulesError(f"cops={cops!r}: expected a whole number above 0")
        self.graph = as_graph(graph)
        self.passing = bool(passing)
        self.cops = int(cops)
        n = self.graph.vertices
        if n == 0:
            raise RulesError("the graph has no vertices: expected somewhere to stand")
        self.initial: CopsPosition = CopsPosition((), None, COPS)
        self._steps = steps(self.graph, self.passing)
        self._teams = count_teams(n, self.cops)

    # -- the plain rules ----------------------------------------------------------------------

    def start(self) -> CopsPosition:
        """Give the position before anybody has chosen a vertex."""
        return self.initial

    def terminal(self, position: CopsPosition) -> Value | None:
        """Tell whether the robber is caught."""
        if position.robber is None or position.robber not in position.cops:
            return None
        return Value.WIN if position.turn == COPS else Value.LOSS

    def player(self, position: CopsPosition) -> int:
        """Give 0 for the cops, 1 for the robber."""
        return PLAYERS.index(position.turn)

    def moves(self, position: CopsPosition) -> list[tuple[str, CopsPosition]]:
        """Give where those who move may go: all vertices for who has not chosen yet."""
        cops, robber, turn = position
        everywhere = range(self.graph.vertices)
        if turn == ROBBER:
            goals = everywhere if robber is None else self._steps[self.graph.vertex(robber)]
            names = [self.graph.name(w) for w in goals]
            return [(f"to {name}", CopsPosition(cops, name, COPS)) for name in names]
        if cops:
            choices = [self._steps[self.graph.vertex(cop)] for cop in cops]
            teams: dict[tuple[int, ...], None] = {(): None}
            for row in choices:
                teams = dict.fromkeys(tuple(sorted((*team, w))) for team in teams for w in row)
        else:
            teams = dict.fromkeys(combinations_with_replacement(everywhere, self.cops))
        found = []
        for team in teams:
            named = tuple(self.graph.name(v) for v in team)
            found.append((f"to {' '.join(map(str, named))}", CopsPosition(named, robber, ROBBER)))
        return found

    def text(self, position: CopsPosition) -> str:
        """Write a position in words."""
        cops, robber, turn = position
        standing = " ".join(map(str, cops)) or "to be placed"
        return f"cops {standing}, robber {'to be placed' if robber is None else robber}, {turn} to move"

    # -- the same game without stored edges ---------------------------------------------------

    def product(self) -> ProductSpace:
        """Give all positions. Either side's last vertex stands for not having chosen yet."""
        n, teams = self.graph.vertices, self._teams
        least = 2 * (teams + 1) * (n + 1) // 4 + 40 * self.cops * teams
        what = f"{self.cops} cops on {n} vertices, for values alone,"
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
        """Give the moves of all cops together; the last vertex leads to every team."""
        teams = self._teams
        indptr, indices = joint_moves(self._steps, self.cops)
        everywhere = np.arange(teams, dtype=indices.dtype)
        return Graph.from_csr(
            np.append(indptr, len(indices) + teams), np.concatenate([indices, everywhere])
        )

    def vertex(self, position: CopsPosition) -> int:
        """Give the vertex of a position."""
        try:
            cops, robber, turn = position
            player = PLAYERS.index(turn)
            n, teams = self.graph.vertices, self._teams
            if (len(cops), robber is None) in ((self.cops, False), (self.cops, player == 1), (0, True)):
                team = sorted(self.graph.vertex(cop) for cop in cops)
                p = sum(comb(v + i, i + 1) for i, v in enumerate(team)) if team else teams
                t = n if robber is None else self.graph.vertex(robber)
                if team or player == 0:
                    return (player * (teams + 1) + p) * (n + 1) + t
        except (TypeError, ValueError, PositionError):
            pass
        raise PositionError(
            f"{position!r} is no position of this game: expected (vertices of {self.cops} cops, the "
            "robber's vertex, 'cops' or 'robber')"
        ) from None

    def position(self, vertex: int) -> CopsPosition:
        """Give the position of a vertex."""
        n, teams = self.graph.vertices, self._teams
        row, t = divmod(vertex, n + 1)
        turn, p = divmod(row, teams + 1)
        team = () if p == teams else unrank_multiset(p, self.cops)
        cops = tuple(self.graph.name(v) for v in team)
        return CopsPosition(cops, None if t == n else self.graph.name(t), PLAYERS[turn])


def on_graph(graph: str = "", cops: int = 3, passing: bool = True) -> CopsAndRobber:
    """Make the game on the graph of a file, or on the Petersen graph where none is named."""
    return CopsAndRobber(read_graph(Path(graph)) if graph else PETERSEN, cops, passing)


def as_graph(graph: Any) -> Graph:
    """Take a Graph, a graph of NetworkX, or pairs of vertices, each an edge both ways."""
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
    """Give where one may go from each vertex, itself included where one may stay, or has to."""
    rows = []
    for v in range(graph.vertices):
        row = dict.fromkeys(graph.successors(v).tolist())
        rows.append(list({v: None} | row if passing or not row else row))
    return rows


def _with_choice(rows: list[list[int]]) -> Graph:
    """Give these moves as a graph, with one more vertex that leads to all others."""
    n = len(rows)
    source = np.repeat(np.arange(n + 1), [*map(len, rows), n])
    target = np.concatenate([np.array(row, np.int64) for row in [*rows, range(n)]])
    return Graph.from_edges(source, target, n + 1)

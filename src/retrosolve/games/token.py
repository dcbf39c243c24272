"""The token on a graph: players in turn push one token along the edges; whoever cannot loses.

The plainest of all the games here: any graph file is one. This gives it as rules, with a start, so
that only what can be reached from there is looked at.
"""

from __future__ import annotations

from collections.abc import Hashable

from retrosolve.rules.game import Game
from retrosolve.spaces.graph import Graph
from retrosolve.values import Value


class Token(Game):
    """A token that starts on the vertex ``start`` of a graph.

    Owners and terminal values of the graph hold. Raises PositionError for an unknown start.

    >>> import retrosolve as rs
    >>> graph = rs.Graph.from_edges(["a", "b", "b", "x"], ["b", "a", "c", "y"])
    >>> solution = rs.solve(Token(graph, "a"))
    >>> len(solution), str(solution["a"])
    (3, 'LOSS in 2')
    """

    def __init__(self, graph: Graph, start: Hashable) -> None:
        self.graph = graph
        self._start = start
        graph.index(start)

    def start(self) -> Hashable:
        """Give the vertex that the token starts on."""
        return self._start

    def moves(self, position: Hashable) -> list[tuple[str, Hashable]]:
        """Push the token along an edge, named by where it leads."""
        names = [
            self.graph.position(w) for w in self.graph.neighbors(self.graph.index(position)).tolist()
        ]
        return [(str(name), name) for name in names]

    def terminal(self, position: Hashable) -> Value | None:
        """Give the terminal value of the vertex, if it has one."""
        if self.graph.terminals is None:
            return None
        code = int(self.graph.terminals[self.graph.index(position)])
        return Value(code) if code else None

    def player(self, position: Hashable) -> int:
        """Give the owner of the vertex."""
        if self.graph.owner is None:
            raise NotImplementedError
        return int(self.graph.owner[self.graph.index(position)])

    def implements(self, name: str) -> bool:
        """Have a player just where the graph has owners."""
        if name == "player":
            return self.graph.owner is not None
        return super().implements(name)

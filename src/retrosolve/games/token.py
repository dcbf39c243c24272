"""A token on a graph: the players alternately move it along an edge; the one who cannot loses.

Solving a Graph gives the same values for all vertices. As rules with a start, only the reachable part
is explored.
"""

from __future__ import annotations

from collections.abc import Hashable

from retrosolve.rules.contract import Game
from retrosolve.spaces.graph import Graph
from retrosolve.values import Value


class Token(Game):
    """A token that starts on a vertex of a graph. A position is the name of a vertex.

    Parameters
    ----------
    graph : Graph
        Its owners and terminal values apply.
    start : hashable
        Name of the initial vertex.

    Raises
    ------
    PositionError
        If the graph has no such vertex.

    Examples
    --------
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
        """Return the initial vertex."""
        return self._start

    def moves(self, position: Hashable) -> list[tuple[str, Hashable]]:
        """Return the moves along the edges, named by their targets."""
        names = [
            self.graph.position(w) for w in self.graph.neighbors(self.graph.index(position)).tolist()
        ]
        return [(str(name), name) for name in names]

    def terminal(self, position: Hashable) -> Value | None:
        """Return the terminal value of the vertex, None if it has none."""
        if self.graph.terminals is None:
            return None
        code = int(self.graph.terminals[self.graph.index(position)])
        return Value(code) if code else None

    def player(self, position: Hashable) -> int:
        """Return the owner of the vertex."""
        if self.graph.owner is None:
            raise NotImplementedError
        return int(self.graph.owner[self.graph.index(position)])

    def implements(self, name: str) -> bool:
        """Return whether a rule is defined; ``player`` is if the graph has owners."""
        if name == "player":
            return self.graph.owner is not None
        return super().implements(name)

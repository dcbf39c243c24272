"""Positions: how the vertices of a solved graph are called, and which moves they have.

A ``Solution`` knows vertex numbers only. What a position is to a person (a number, a name, an object
of somebody's rules) and what its moves are called is known by one of these.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Protocol

from retrosolve.csr.validation import vertex_of
from retrosolve.spaces.graph import Graph


class Positions(Protocol):
    """The names of the vertices of a game."""

    start: Hashable | None
    """The position that the game starts from, if it has one."""

    players: tuple[str, str]
    """What the two owners are called."""

    def vertex(self, position: Hashable) -> int:
        """Give the vertex of a position. Raises PositionError if there is none."""

    def position(self, vertex: int) -> Hashable:
        """Give the position of a vertex."""

    def moves(self, position: Hashable) -> list[tuple[str, Hashable]]:
        """Give the name and the target of each move, in the order of the rules."""

    def text(self, position: Hashable) -> str:
        """Write a position for a person."""

    def svg(self, position: Hashable) -> str | None:
        """Draw a position, an ``<svg>`` element; None where nobody says how."""


class GraphPositions:
    """The vertices of a plain graph, by name where it has names, else by number."""

    def __init__(self, graph: Graph, start: Hashable | None = None) -> None:
        self.graph = graph
        self.start = start
        self.players = ("0", "1")
        if start is not None:
            self.vertex(start)

    def vertex(self, position: Hashable) -> int:
        """Give the vertex with this name or number."""
        if self.graph.names is None:
            return vertex_of(position, self.graph.vertices, None)
        return self.graph.vertex(position)

    def position(self, vertex: int) -> Hashable:
        """Give the name or number of a vertex."""
        return self.graph.name(vertex)

    def moves(self, position: Hashable) -> list[tuple[str, Hashable]]:
        """Give each successor once, under its own name."""
        successors = dict.fromkeys(self.graph.successors(self.vertex(position)).tolist())
        return [(str(self.graph.name(w)), self.graph.name(w)) for w in successors]

    def text(self, position: Hashable) -> str:
        """Write the name or number."""
        return str(position)

    def svg(self, position: Hashable) -> str | None:
        """Draw nothing: a vertex has no looks."""
        return None

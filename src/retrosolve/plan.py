"""Plan: which solver takes a game, and what it will cost, before any work."""

from __future__ import annotations

from dataclasses import dataclass

from retrosolve import memory
from retrosolve.errors import GraphError
from retrosolve.graph import Graph, GraphLike
from retrosolve.product import ProductGraph
from retrosolve.rules.game import Game
from retrosolve.rules.pursuit import PursuitGame
from retrosolve.solvers import choose
from retrosolve.validation import index_dtype


@dataclass(frozen=True)
class Plan:
    """What a solve will take. ``bytes`` counts what it adds to its input, the result included.

    Vertices, edges and bytes are None for rules whose positions must first be found.

    >>> import retrosolve as rs
    >>> print(rs.plan(rs.Graph.from_edges([0, 1], [1, 2])))
    solver acyclic, 3 vertices, 2 edges, about 39 bytes
    """

    solver: str
    vertices: int | None
    edges: int | None
    bytes: int | None

    def __str__(self) -> str:
        if self.bytes is None:
            return f"solver {self.solver}, positions to be found first"
        return (
            f"solver {self.solver}, {self.vertices} vertices, {self.edges} edges, "
            f"about {memory.readable(self.bytes)}"
        )


def plan(subject: Graph | ProductGraph | Game, solver: str = "auto") -> Plan:
    """Say what solving a graph or a game will take, without solving it.

    Raises GraphError for an unknown solver, or one that does not take this graph.
    """
    if isinstance(subject, PursuitGame):
        subject = subject.product()
    if isinstance(subject, Game):
        chosen = solver if solver == "auto" else choose(Graph.from_csr([0], []), solver).name
        return Plan(chosen, None, None, None)
    if not isinstance(subject, Graph | ProductGraph):
        raise GraphError(f"{subject!r} cannot be solved: expected a Graph or a Game")
    return plan_graph(subject, solver)


def plan_graph(graph: GraphLike, solver: str) -> Plan:
    """Say what solving a graph will take."""
    chosen = choose(graph, solver)
    needed = chosen.workspace(graph.vertices, graph.edges)
    if not isinstance(graph, chosen.takes):
        vertex, edge = index_dtype(graph.vertices), index_dtype(graph.edges)
        needed += graph.vertices * edge(0).itemsize + graph.edges * (vertex(0).itemsize + 40)
    return Plan(chosen.name, graph.vertices, graph.edges, needed)

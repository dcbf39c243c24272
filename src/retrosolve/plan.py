"""Plan: which solver takes a game, and what it will cost, before any work."""

from __future__ import annotations

from dataclasses import dataclass

from retrosolve import memory as memory_of
from retrosolve.errors import GraphError
from retrosolve.graph import Graph, GraphLike
from retrosolve.indexed import IndexedGraph
from retrosolve.kernels import jit
from retrosolve.parallel import available
from retrosolve.product import ProductGraph
from retrosolve.rules.binding import bound
from retrosolve.rules.compiled import CompiledGame
from retrosolve.rules.game import Game
from retrosolve.rules.pursuit import PursuitGame
from retrosolve.solvers import SOLVERS, Solver, choose
from retrosolve.validation import index_dtype

COMPILER_SECONDS = 0.8  # to load numba and kernels compiled before


@dataclass(frozen=True)
class Plan:
    """What a solve will take, before any work.

    ``bytes`` is the most that it adds to its input, the result included; ``seconds`` a rough
    estimate, which for ``sweep`` and ``reference`` depends on the number of levels. All but the
    solver are None for rules whose positions must first be found; ``edges`` alone is where just
    what play can reach of an index is solved.

    >>> import retrosolve as rs
    >>> print(rs.plan(rs.Graph.from_edges([0, 1], [1, 2])))
    solver    acyclic
    vertices  3
    edges     2
    memory    39 bytes
    time      under 0.1 s
    """

    solver: str
    vertices: int | None
    edges: int | None
    bytes: int | None
    seconds: float | None

    def rows(self) -> list[tuple[str, str]]:
        """Give what there is to tell, a label and a text each."""
        if self.bytes is None or self.seconds is None:
            return [("solver", self.solver), ("positions", "to be found first")]
        time = f"about {self.seconds:.1f} s" if self.seconds >= 0.1 else "under 0.1 s"
        return [
            ("solver", self.solver),
            ("vertices", str(self.vertices)),
            ("edges", "to be found" if self.edges is None else str(self.edges)),
            ("memory", memory_of.readable(self.bytes)),
            ("time", time),
        ]

    def __str__(self) -> str:
        return "\n".join(f"{label:<9} {text}" for label, text in self.rows())


def plan(
    subject: Graph | ProductGraph | Game | CompiledGame,
    solver: str = "auto",
    threads: int | None = None,
    memory: int | None = None,
    remoteness: bool = True,
) -> Plan:
    """Say what solving a graph or a game will take, without solving it.

    ``memory`` is a budget in bytes: a leaner solver is taken where the first choice needs more.
    ``remoteness=False`` asks for values alone.
    Raises GraphError for an unknown solver, or one that does not take this graph.
    """
    if isinstance(subject, PursuitGame):
        subject = subject.product()
    if isinstance(subject, Game):
        chosen = solver if solver == "auto" else choose(Graph.from_csr([0], []), solver).name
        return Plan(chosen, None, None, None, None)
    if isinstance(subject, CompiledGame):
        if subject.size is None:
            return Plan(solver, None, None, None, None)
        return plan_graph(bound(subject), solver, threads, memory, remoteness)
    if not isinstance(subject, Graph | ProductGraph):
        raise GraphError(f"{subject!r} cannot be solved: expected a Graph or a Game")
    return plan_graph(subject, solver, threads, memory, remoteness)


def plan_graph(
    graph: GraphLike,
    solver: str,
    threads: int | None = None,
    memory: int | None = None,
    remoteness: bool = True,
) -> Plan:
    """Say what solving a graph will take."""
    chosen, needed = chosen_within(graph, solver, memory, remoteness)
    known = None if _yet_to_find(graph) else _edges(graph)
    return Plan(chosen.name, graph.vertices, known, needed, _seconds(graph, chosen, threads))


def chosen_within(
    graph: GraphLike, solver: str, memory: int | None, remoteness: bool
) -> tuple[Solver, int]:
    """Choose a solver, a leaner one if memory is short and that is left open, and tell its bytes."""
    chosen = choose(graph, solver, remoteness)
    needed = _bytes(graph, chosen)
    room = memory_of.room() if needed > memory_of.SMALL else needed
    if solver == "auto" and needed > min(memory or room, room):
        leaner = _leaner(graph, chosen)
        if leaner:
            chosen = SOLVERS[leaner]
            needed = _bytes(graph, chosen)
    return chosen, needed


def _yet_to_find(graph: GraphLike) -> bool:
    """Tell whether it will turn out only by solving which vertices are positions."""
    return isinstance(graph, IndexedGraph) and bool(graph.starts) and graph.reached is None


def _edges(graph: GraphLike) -> int:
    """Give the number of edges, about, where to count them would take making them all."""
    return graph.edges_guessed() if isinstance(graph, IndexedGraph) else graph.edges


def _leaner(graph: GraphLike, solver: Solver) -> str | None:
    if isinstance(graph, IndexedGraph) and IndexedGraph not in solver.takes:
        return "rescan"
    return solver.leaner


def _bytes(graph: GraphLike, solver: Solver) -> int:
    edges = _edges(graph)
    needed = solver.workspace(graph, edges)
    if not isinstance(graph, solver.takes) and getattr(graph, "stored", None) is None:
        vertex, edge = index_dtype(graph.vertices)(0).itemsize, index_dtype(edges)(0).itemsize
        beside = 40 if isinstance(graph, ProductGraph) else 0
        needed += graph.vertices * (edge + 6) + edges * (vertex + beside)
    return needed


def _seconds(graph: GraphLike, solver: Solver, threads: int | None) -> float:
    edges = _edges(graph)
    seconds = solver.seconds(graph, edges, threads or available())
    compiles = solver.name != "reference" and jit.pays(graph.vertices + edges) and not jit.loaded()
    return seconds + COMPILER_SECONDS * compiles

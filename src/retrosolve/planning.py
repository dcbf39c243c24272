"""Plan: which solver takes a game, and what it will cost, before any work."""

from __future__ import annotations

from dataclasses import dataclass

from retrosolve.arrays import index_dtype
from retrosolve.compilation import jit
from retrosolve.errors import GraphError
from retrosolve.rules.compiled import CompiledGame
from retrosolve.rules.game import Game
from retrosolve.rules.indexing import bound
from retrosolve.rules.two_tokens import TwoTokenGame
from retrosolve.runtime import memory as memory_of
from retrosolve.runtime import tuning
from retrosolve.runtime.threads import cpu_count
from retrosolve.solvers import SOLVERS, Solver, choose
from retrosolve.spaces.generated import GeneratedSpace
from retrosolve.spaces.graph import Graph, StateSpace
from retrosolve.spaces.product import ProductSpace

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
            ("memory", memory_of.format_bytes(self.bytes)),
            ("time", time),
        ]

    def __str__(self) -> str:
        return "\n".join(f"{label:<9} {text}" for label, text in self.rows())


def plan(
    subject: Graph | ProductSpace | Game | CompiledGame,
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
    if isinstance(subject, TwoTokenGame):
        subject = subject.product()
    if isinstance(subject, Game):
        chosen = solver if solver == "auto" else choose(Graph.from_csr([0], []), solver).name
        return Plan(chosen, None, None, None, None)
    if isinstance(subject, CompiledGame):
        if subject.size is None:
            return Plan(solver, None, None, None, None)
        return plan_graph(bound(subject), solver, threads, memory, remoteness)
    if not isinstance(subject, Graph | ProductSpace):
        raise GraphError(f"{subject!r} cannot be solved: expected a Graph or a Game")
    return plan_graph(subject, solver, threads, memory, remoteness)


def plan_graph(
    graph: StateSpace,
    solver: str,
    threads: int | None = None,
    memory: int | None = None,
    remoteness: bool = True,
) -> Plan:
    """Say what solving a graph will take."""
    chosen, needed = select_within_budget(graph, solver, memory, remoteness)
    known = None if _yet_to_find(graph) else _edges(graph)
    return Plan(chosen.name, graph.vertices, known, needed, _seconds(graph, chosen, threads))


def select_within_budget(
    graph: StateSpace, solver: str, memory: int | None, remoteness: bool
) -> tuple[Solver, int]:
    """Choose a solver, a leaner one if memory is short and that is left open, and tell its bytes."""
    chosen = choose(graph, solver, remoteness)
    needed = _bytes(graph, chosen)
    room = memory_of.room() if needed > tuning.current().max_unchecked_bytes else needed
    if solver == "auto" and needed > min(memory or room, room):
        leaner = _leaner(graph, chosen)
        if leaner:
            chosen = SOLVERS[leaner]
            needed = _bytes(graph, chosen)
    return chosen, needed


def _yet_to_find(graph: StateSpace) -> bool:
    """Tell whether it will turn out only by solving which vertices are positions."""
    return isinstance(graph, GeneratedSpace) and bool(graph.starts) and graph.reached is None


def _edges(graph: StateSpace) -> int:
    """Give the number of edges, about, where to count them would take making them all."""
    return graph.estimate_edges() if isinstance(graph, GeneratedSpace) else graph.edges


def _leaner(graph: StateSpace, solver: Solver) -> str | None:
    if isinstance(graph, GeneratedSpace) and GeneratedSpace not in solver.takes:
        return "rescan"
    return solver.leaner


def _bytes(graph: StateSpace, solver: Solver) -> int:
    edges = _edges(graph)
    needed = solver.workspace(graph, edges)
    if not isinstance(graph, solver.takes) and getattr(graph, "stored", None) is None:
        vertex, edge = index_dtype(graph.vertices)(0).itemsize, index_dtype(edges)(0).itemsize
        beside = 40 if isinstance(graph, ProductSpace) else 0
        needed += graph.vertices * (edge + 6) + edges * (vertex + beside)
    return needed


def _seconds(graph: StateSpace, solver: Solver, threads: int | None) -> float:
    edges = _edges(graph)
    seconds = solver.seconds(graph, edges, threads or cpu_count())
    compiles = solver.name != "reference" and jit.pays(graph.vertices + edges) and not jit.loaded()
    return seconds + COMPILER_SECONDS * compiles

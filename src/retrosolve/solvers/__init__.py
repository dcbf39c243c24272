"""The solvers: one algorithm a file, and the table that names them all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from retrosolve.arrays import INT32_LIMIT, ByteArray, IntArray
from retrosolve.errors import GraphError
from retrosolve.solvers import acyclic, bitset, generated, reference, retrograde
from retrosolve.spaces.generated import GeneratedSpace
from retrosolve.spaces.graph import Graph, StateSpace
from retrosolve.spaces.product import ProductSpace
from retrosolve.tables.answers import Answers


@dataclass(frozen=True)
class Solver:
    """One algorithm: its name, what it does, which graphs it takes, what it costs.

    ``run(graph, stuck, report, threads)`` gives value and remoteness, or answers in a form of their
    own; ``workspace(graph, edges)`` gives the bytes it takes for them and for its own needs, the graph
    itself not counted, with so many edges, and ``seconds(graph, edges, threads)`` about the time;
    ``leaner`` names the solver that gives the same in less memory.
    """

    name: str
    summary: str
    takes: tuple[type, ...]
    run: Callable[..., tuple[ByteArray, IntArray] | Answers]
    workspace: Callable[[Any, int], int]
    seconds: Callable[[Any, int, int], float]
    loop_free_only: bool = False
    leaner: str | None = None


def _by_size(workspace: Callable[[int, int], int]) -> Callable[[Any, int], int]:
    return lambda graph, edges: workspace(graph.vertices, edges)


def _linear(
    vertex: float, edge: float, most_threads: int = INT32_LIMIT
) -> Callable[[Any, int, int], float]:
    """Estimate from nanoseconds a vertex and an edge of one core, by so many threads at most."""

    def seconds(graph: Any, edges: int, threads: int) -> float:
        spent: float = vertex * graph.vertices + edge * edges
        return spent / min(threads, most_threads) / 1e9

    return seconds


def _reference_workspace(vertices: int, edges: int) -> int:
    return 200 * vertices + 40 * edges  # Python lists and integers


VALUES_ALONE = "product-values"

SOLVERS: dict[str, Solver] = {
    solver.name: solver
    for solver in (
        Solver(
            "reference",
            "apply the rules until nothing changes, in plain Python; the specification",
            (Graph,),
            reference.solve,
            _by_size(_reference_workspace),
            _linear(3000, 3000, most_threads=1),
        ),
        Solver(
            "acyclic",
            "loop-free graphs in reverse topological order",
            (Graph,),
            acyclic.solve,
            _by_size(acyclic.workspace),
            _linear(20, 15, most_threads=1),
            loop_free_only=True,
        ),
        Solver(
            "retrograde",
            "backwards along reversed edges, level by level; linear in the edges",
            (Graph,),
            retrograde.solve,
            _by_size(retrograde.workspace),
            retrograde.seconds,
            leaner="sweep",
        ),
        Solver(
            "sweep",
            "level by level over all undecided vertices; the least memory, slow for many levels",
            (Graph,),
            retrograde.solve_by_sweeps,
            _by_size(retrograde.sweep_workspace),
            _linear(400, 80),
        ),
        Solver(
            "product",
            "two tokens on graphs of their own, 64 positions at a time, no edge stored",
            (ProductSpace,),
            bitset.solve,
            bitset.workspace,
            _linear(50, 0),
        ),
        Solver(
            VALUES_ALONE,
            "the same without remoteness: values alone, in two bits a position",
            (ProductSpace,),
            bitset.values,
            bitset.values_workspace,
            _linear(8, 0),
        ),
        Solver(
            "predecessors",
            "compiled rules backwards, level by level, no move stored",
            (GeneratedSpace,),
            generated.solve,
            _by_size(generated.workspace),
            _linear(400, 20),
            leaner="rescan",
        ),
        Solver(
            "rescan",
            "compiled rules, looking at all undecided positions at each level; the least memory",
            (GeneratedSpace,),
            generated.rescan,
            _by_size(generated.rescan_workspace),
            generated.rescan_seconds,
        ),
    )
}


def choose(graph: StateSpace, name: str = "auto", remoteness: bool = True) -> Solver:
    """Give the solver of this name, or the one that suits the graph best for ``"auto"``.

    Without ``remoteness``, the one that finds values alone.
    """
    if not remoteness:
        if name not in ("auto", VALUES_ALONE) or not isinstance(graph, ProductSpace):
            raise GraphError(
                "remoteness=False is for games of two tokens, such as policeman and thief, solved by "
                f"{VALUES_ALONE}: expected remoteness=True"
            )
        return SOLVERS[VALUES_ALONE]
    if name == "auto":
        if isinstance(graph, ProductSpace):
            return SOLVERS["product"]
        if isinstance(graph, GeneratedSpace):
            return _for_rules(graph)
        if isinstance(graph, Graph) and acyclic.direction(graph) != 0:
            return SOLVERS["acyclic"]
        return SOLVERS["retrograde"]
    if name not in SOLVERS:
        raise GraphError(f"solver={name!r} is not known: expected auto, {', '.join(SOLVERS)}")
    solver = SOLVERS[name]
    if not isinstance(graph, solver.takes) and Graph not in solver.takes:
        raise GraphError(f"the {solver.name} solver takes {_names(solver.takes)}, not {graph!r}")
    return solver


def fitted(graph: StateSpace, solver: Solver) -> StateSpace:
    """Give the graph in a form that the solver takes, storing its edges if it must."""
    if isinstance(graph, ProductSpace | GeneratedSpace) and not isinstance(graph, solver.takes):
        return graph.materialize()
    return graph


def _for_rules(graph: GeneratedSpace) -> Solver:
    """Choose for compiled rules: predecessors; one pass a tier; or with all moves stored."""
    if graph.origins and graph.stored is None:
        return SOLVERS["predecessors"]
    if graph.starts:
        return SOLVERS["rescan"]
    return SOLVERS["rescan" if graph.moves_leave_tier() else "retrograde"]


def _names(types: tuple[Any, ...]) -> str:
    return " or ".join(t.__name__ for t in types)

"""The solvers: one algorithm a file, and the table that names them all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from retrosolve.arrays import INT32_LIMIT
from retrosolve.errors import GraphError
from retrosolve.runtime.context import Context
from retrosolve.solvers import acyclic, bitset, generated, reference, retrograde
from retrosolve.solvers.result import SolveResult
from retrosolve.spaces.base import Capability, StateSpace
from retrosolve.values import Value

ASSUMED_BRANCHING = 8


class Cost(NamedTuple):
    """About what a solve takes: bytes beyond its input, the result included, and seconds."""

    memory_bytes: int
    seconds: float


class Solver(NamedTuple):
    """One algorithm on one kind of space.

    Parameters
    ----------
    name : str
        The name of the algorithm; the same for stored and generated edges.
    summary : str
    requires : Capability
        What a space must offer.
    run : callable
        ``run(space, stuck, context)`` returns a SolveResult.
    memory : callable
        ``memory(space, num_edges)`` returns the bytes of the result and the working memory.
    seconds : callable
        ``seconds(space, num_edges, threads)`` returns about the time.
    has_remoteness : bool
        Whether the result has remotenesses.
    low_memory_alternative : str, optional
        The algorithm that returns the same in less memory.
    """

    name: str
    summary: str
    requires: Capability
    run: Callable[[Any, Value, Context], SolveResult]
    memory: Callable[[Any, int], int]
    seconds: Callable[[Any, int, int], float]
    has_remoteness: bool = True
    low_memory_alternative: str | None = None

    def cost(self, space: StateSpace, num_edges: int, threads: int) -> Cost:
        """Return about what a solve takes, materializing included."""
        memory_bytes = self.memory(space, num_edges)
        if Capability.CSR in self.requires and Capability.CSR not in space.capabilities:
            memory_bytes += _materialized_bytes(space, num_edges)
        return Cost(memory_bytes, self.seconds(space, num_edges, threads))


def _by_size(memory: Callable[[int, int], int]) -> Callable[[Any, int], int]:
    return lambda space, edges: memory(space.num_vertices, edges)


def _linear(
    vertex: float, edge: float, most_threads: int = INT32_LIMIT
) -> Callable[[Any, int, int], float]:
    """Return an estimate from nanoseconds a vertex and an edge of one core."""

    def seconds(space: StateSpace, edges: int, threads: int) -> float:
        spent: float = vertex * space.num_vertices + edge * edges
        return spent / min(threads, most_threads) / 1e9

    return seconds


def _materialized_bytes(space: StateSpace, edges: int) -> int:
    """Return the bytes that storing every edge takes, what making them takes included."""
    n = space.num_vertices
    vertex, edge = 4 if n <= INT32_LIMIT else 8, 4 if edges <= INT32_LIMIT else 8
    beside = 40 if Capability.BIT_ROWS in space.capabilities else 0
    return n * (edge + 6) + edges * (vertex + beside)


def _reference_memory(vertices: int, edges: int) -> int:
    return 200 * vertices + 40 * edges  # Python lists and integers


SOLVERS: tuple[Solver, ...] = (
    Solver(
        "reference",
        "apply the rules until nothing changes, in plain Python; the specification",
        Capability.CSR,
        reference.solve,
        _by_size(_reference_memory),
        _linear(3000, 3000, most_threads=1),
    ),
    Solver(
        "acyclic",
        "acyclic graphs in reverse topological order",
        Capability.CSR,
        acyclic.solve,
        _by_size(acyclic.workspace),
        _linear(20, 15, most_threads=1),
    ),
    Solver(
        "retrograde",
        "backwards along generated predecessors, level by level; no edge stored",
        Capability.GENERATED | Capability.PREDECESSORS,
        generated.solve,
        _by_size(generated.workspace),
        _linear(400, 20),
        low_memory_alternative="sweep",
    ),
    Solver(
        "retrograde",
        "backwards along reversed edges, level by level; linear in the edges",
        Capability.CSR,
        retrograde.solve,
        _by_size(retrograde.workspace),
        retrograde.seconds,
        low_memory_alternative="sweep",
    ),
    Solver(
        "sweep",
        "level by level over all undecided positions, edges generated anew; the least memory",
        Capability.GENERATED,
        generated.sweep,
        _by_size(generated.sweep_workspace),
        generated.sweep_seconds,
    ),
    Solver(
        "sweep",
        "level by level over all undecided vertices; the least memory, slow for many levels",
        Capability.CSR,
        retrograde.solve_by_sweeps,
        _by_size(retrograde.sweep_workspace),
        _linear(400, 80),
    ),
    Solver(
        "bitset",
        "two tokens on graphs of their own, 64 positions at a time; no edge stored",
        Capability.BIT_ROWS,
        bitset.solve,
        bitset.workspace,
        _linear(50, 0),
    ),
    Solver(
        "bitset",
        "the same without remoteness: win, loss or draw in two bits a position",
        Capability.BIT_ROWS,
        bitset.solve_values,
        bitset.values_workspace,
        _linear(8, 0),
        has_remoteness=False,
    ),
)

NAMES: tuple[str, ...] = tuple(dict.fromkeys(solver.name for solver in SOLVERS))

# The algorithm for a space with these capabilities, the first that fits. Stored edges come first: with
# them nothing has to be generated.
AUTOMATIC: tuple[tuple[Capability, str], ...] = (
    (Capability.BIT_ROWS, "bitset"),
    (Capability.GENERATED | Capability.CSR, "retrograde"),
    (Capability.CSR | Capability.TOPOLOGICAL, "acyclic"),
    (Capability.GENERATED | Capability.PREDECESSORS, "retrograde"),
    (Capability.GENERATED | Capability.REACHABLE_ONLY, "sweep"),
    (Capability.GENERATED | Capability.TOPOLOGICAL, "sweep"),
    (Capability.NONE, "retrograde"),
)


def check_name(name: str) -> None:
    """Raise GraphError unless there is an algorithm of this name, or it is "auto"."""
    if name not in ("auto", *NAMES):
        raise GraphError(f"solver={name!r} is not known: expected auto, {', '.join(NAMES)}")


def choose(space: StateSpace, name: str = "auto", remoteness: bool = True) -> Solver:
    """Return the solver with this name for a space, or the one that suits it best for ``"auto"``.

    A solver that the space has no fast form for works on the materialized space, if it works on graphs.

    Raises
    ------
    GraphError
        If there is no such solver, or if it neither takes the space nor graphs.
    """
    check_name(name)
    given = space.capabilities
    if name == "auto":
        name = next(algorithm for needed, algorithm in AUTOMATIC if needed in given)
    rows = [solver for solver in SOLVERS if solver.name == name]
    if not remoteness:
        rows = [solver for solver in rows if not solver.has_remoteness]
        if not rows or Capability.BIT_ROWS not in given:
            raise GraphError(
                "remoteness=False is for games of two tokens, such as policeman and thief, solved by "
                "bitset: expected remoteness=True"
            )
        return rows[0]
    rows = [solver for solver in rows if solver.has_remoteness]
    if Capability.CSR in given:
        rows.sort(key=lambda solver: Capability.CSR not in solver.requires)
    for solver in rows:
        if solver.requires in given:
            return solver
    for solver in rows:
        if Capability.CSR in solver.requires:
            return solver
    raise GraphError(f"the {name} solver takes games of two tokens, not {space!r}")

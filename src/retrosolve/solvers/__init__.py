"""The solvers: one algorithm in each file, and the table of all of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from retrosolve import distributed, external
from retrosolve.arrays import index_dtype
from retrosolve.errors import GraphError
from retrosolve.runtime.context import Context
from retrosolve.solvers import (
    acyclic,
    bitset,
    components,
    generated,
    reference,
    retrograde,
    worklist,
)
from retrosolve.spaces.base import Capability, StateSpace
from retrosolve.spaces.costs import Seconds, linear
from retrosolve.spaces.tier_window import kernel_bytes, writing_bytes
from retrosolve.tables.result import DiskPlan, SolveResult
from retrosolve.values import Value


class Solver(NamedTuple):
    """An algorithm for one kind of space.

    Parameters
    ----------
    name : str
        The name of the algorithm, which is the same for stored and generated edges.
    summary : str
        One line on what it does.
    requires : Capability
        What a space has to offer.
    run : callable
        ``run(space, stuck, context)`` returns a SolveResult.
    memory : callable
        ``memory(space, num_edges)`` estimates the bytes of the result and the working memory.
    seconds : callable
        ``seconds(space, num_edges, threads)`` estimates the time.
    has_remoteness : bool
        Whether the result has remoteness.
    low_memory_alternative : str, optional
        The algorithm that computes the same in less memory.
    disk : callable, optional
        ``disk(space, num_edges, budget)`` estimates memory, reading and writing of edges on disk.
    memory_on_disk : callable, optional
        ``memory_on_disk(space)`` estimates the bytes if finished tiers are written to disk, for an
        algorithm that does that.
    cluster : callable, optional
        ``cluster(space, num_edges, nodes, partitions)`` estimates memory and traffic of each machine.
    """

    name: str
    summary: str
    requires: Capability
    run: Callable[[Any, Value, Context], SolveResult]
    memory: Callable[[Any, int], int]
    seconds: Seconds
    has_remoteness: bool = True
    low_memory_alternative: str | None = None
    disk: Callable[[Any, int, int | None], DiskPlan] | None = None
    memory_on_disk: Callable[[Any], int] | None = None
    cluster: Callable[[Any, int, int, int], distributed.ClusterPlan] | None = None

    def memory_bytes(self, space: StateSpace, num_edges: int, on_disk: bool = False) -> int:
        """Return the bytes of a solve, materializing included, the solution in memory or on disk."""
        if on_disk and self.memory_on_disk is not None:
            kernels = kernel_bytes(space) if Capability.GENERATED in space.capabilities else 0
            return self.memory_on_disk(space) + kernels
        needed = self.memory(space, num_edges) + on_disk * writing_bytes(space.num_vertices)
        if _has_edges(self.requires) and not _has_edges(space.capabilities):
            needed += _materialized_bytes(space, num_edges)
        return needed

    def prepared(self, space: StateSpace) -> StateSpace:
        """Return the space to run on: with every edge stored, if that is what it takes."""
        return space.materialize() if _has_edges(self.requires) else space


@cache  # testing flags takes microseconds, which a small solve would notice
def _has_edges(capabilities: Capability) -> bool:
    """Return whether stored edges are among some capabilities."""
    return Capability.CSR in capabilities


def _by_size(memory: Callable[[int, int], int]) -> Callable[[Any, int], int]:
    """Return an estimate for a space from one for numbers of vertices and edges."""
    return lambda space, num_edges: memory(space.num_vertices, num_edges)


def _materialized_bytes(space: StateSpace, num_edges: int) -> int:
    """Return the bytes that materializing takes, temporary arrays included."""
    n = space.num_vertices
    vertex, edge = index_dtype(n)(0).itemsize, index_dtype(num_edges)(0).itemsize
    temporary = 40 if Capability.BIT_ROWS in space.capabilities else 0
    return n * (edge + 6) + num_edges * (vertex + temporary)


def _reference_memory(num_vertices: int, num_edges: int) -> int:
    """Estimate the bytes of the Python lists and integers of the reference solver."""
    return 200 * num_vertices + 40 * num_edges


SOLVERS: tuple[Solver, ...] = (
    Solver(
        "reference",
        "apply the rules until nothing changes, in plain Python; the specification",
        Capability.CSR,
        reference.solve,
        _by_size(_reference_memory),
        linear(3000, 3000, max_threads=1),
    ),
    Solver(
        "worklist",
        "backwards by a queue of decided vertices and counters of open moves, as in textbooks",
        Capability.CSR,
        worklist.solve,
        _by_size(worklist.workspace),
        linear(40, 60, max_threads=1),
    ),
    Solver(
        "acyclic",
        "acyclic graphs in reverse topological order",
        Capability.CSR,
        acyclic.solve,
        _by_size(acyclic.workspace),
        linear(20, 15, max_threads=1),
    ),
    Solver(
        "retrograde",
        "backwards in one small component after the other; only its own edges are stored meanwhile",
        Capability.GENERATED | Capability.COMPONENTS,
        components.solve,
        components.workspace,
        linear(150, 20),
        low_memory_alternative="sweep",
        memory_on_disk=components.disk_workspace,
    ),
    Solver(
        "retrograde",
        "backwards along generated predecessors, level by level; no edge stored",
        Capability.GENERATED | Capability.PREDECESSORS,
        generated.solve,
        generated.workspace,
        linear(400, 20),
        low_memory_alternative="sweep",
        memory_on_disk=generated.disk_workspace,
    ),
    Solver(
        "retrograde",
        "backwards along edges on disk, level by level; only vertices in memory",
        Capability.EDGE_BLOCKS,
        external.solve,
        _by_size(external.workspace),
        linear(150, 60),
        disk=external.disk_plan,
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
        memory_on_disk=generated.sweep_disk_workspace,
    ),
    Solver(
        "sweep",
        "level by level over all undecided vertices; the least memory, slow for many levels",
        Capability.CSR,
        retrograde.solve_by_sweeps,
        _by_size(retrograde.sweep_workspace),
        linear(400, 80),
    ),
    Solver(
        "bitset",
        "two tokens on graphs of their own, 64 positions at a time; no edge stored",
        Capability.BIT_ROWS,
        bitset.solve,
        bitset.workspace,
        linear(50, 0),
    ),
    Solver(
        "bitset",
        "the same without remoteness: win, loss or draw in two bits a position",
        Capability.BIT_ROWS,
        bitset.solve_values,
        bitset.values_workspace,
        linear(8, 0),
        has_remoteness=False,
    ),
    Solver(
        "ray",
        "backwards in partitions, by processes of a Ray cluster; needs retrosolve[ray]",
        Capability.NONE,
        distributed.solve,
        _by_size(distributed.workspace),
        linear(250, 60),
        memory_on_disk=distributed.disk_workspace,
        cluster=distributed.cluster_plan,
    ),
)

NAMES: tuple[str, ...] = tuple(dict.fromkeys(solver.name for solver in SOLVERS))

# The algorithm for a space with these capabilities; the first row that fits applies.
AUTOMATIC: tuple[tuple[Capability, str], ...] = (
    (Capability.BIT_ROWS, "bitset"),
    (Capability.GENERATED | Capability.CSR, "retrograde"),
    (Capability.CSR | Capability.TOPOLOGICAL, "acyclic"),
    (Capability.GENERATED | Capability.COMPONENTS, "retrograde"),
    (Capability.GENERATED | Capability.PREDECESSORS, "retrograde"),
    (Capability.GENERATED | Capability.REACHABLE_ONLY, "sweep"),
    (Capability.GENERATED | Capability.TOPOLOGICAL, "sweep"),
    (Capability.NONE, "retrograde"),
)


def check_name(name: str) -> None:
    """Raise GraphError unless ``name`` is "auto" or the name of an algorithm."""
    if name not in ("auto", *NAMES):
        raise GraphError(f"solver={name!r} is not known: expected auto, {', '.join(NAMES)}")


def choose(space: StateSpace, name: str = "auto", remoteness: bool = True) -> Solver:
    """Return the solver for a space.

    Parameters
    ----------
    space : StateSpace
    name : str
        The name of an algorithm, or "auto" for the one that suits the space best.
    remoteness : bool
        Whether remoteness is required.

    Returns
    -------
    Solver
        The variant for the edges of the space or, if there is none, the one for stored edges, to which
        the space has to be materialized.

    Raises
    ------
    GraphError
        If there is no such algorithm, or if it applies neither to the space nor to stored edges.
    """
    solver = _choose(space.capabilities, name, remoteness)
    if solver is not None:
        return solver
    check_name(name)
    if remoteness:
        raise GraphError(f"the {name} solver takes games of two tokens, not {space!r}")
    raise GraphError(
        "remoteness=False is for games of two tokens, such as policeman and thief, solved by bitset: "
        "expected remoteness=True"
    )


@cache
def _choose(offered: Capability, name: str, remoteness: bool) -> Solver | None:
    """Return the solver of that name, or the best, for a space that offers this; None without one."""
    if name == "auto":
        name = next(algorithm for needed, algorithm in AUTOMATIC if needed in offered)
    rows = [row for row in SOLVERS if row.name == name and row.has_remoteness == remoteness]
    stored = [row for row in rows if Capability.CSR in row.requires]
    generated = [row for row in rows if Capability.CSR not in row.requires]
    preferred = stored + generated if Capability.CSR in offered else generated + stored
    return next((row for row in preferred if row.requires in offered), next(iter(stored), None))

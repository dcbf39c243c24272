"""plan(): which solver takes a game and what it costs, before any work."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from retrosolve.compilation import jit
from retrosolve.objectives import Objective, objective_of
from retrosolve.runtime import memory as memory_of
from retrosolve.runtime.threads import cpu_count
from retrosolve.solvers import check_name, select
from retrosolve.spaces.base import SizeEstimate
from retrosolve.spaces.solvable import solvable, space_without_search
from retrosolve.tables.result import ClusterPlan, DiskPlan
from retrosolve.values import print_as_text
from retrosolve.verification.verify import choose_prover

SPREAD = 2  # between machines, whose memory is faster or slower
COMPILER_SECONDS = 0.8  # to load numba and kernels compiled before


@dataclass(frozen=True)
class Plan:
    """An estimate of a solve, made without it.

    For rules whose positions have to be explored it is an estimate from a sample of at most 10,000
    positions, made in about a second; smaller games are explored whole.

    Parameters
    ----------
    solver : str
        The name of the algorithm, "auto" where that depends on what exploring finds.
    num_vertices, num_edges : int or None
        The size, estimated for rules. None where it has to be found first.
    memory_bytes : int or None
        The most that the solve adds to its input, the result included.
    seconds : float or None
        A rough estimate of the solve, which for ``sweep`` and ``reference`` depends on the number of
        levels.
    proof_seconds : float or None
        A rough estimate of :func:`retrosolve.verify` after it.
    proof_memory_bytes : int or None
        The most that the proof adds to a solution in memory, in the budget if there is one.
    sample : PlanSample or None
        The estimate for a game whose size is not known; all numbers above are None then.
    disk : DiskPlan or None
        For edges on disk, the memory for each vertex, how often all edges are read, and the bytes read
        and written, at least. A solve uses more memory than the estimate if there is more.
    cluster : ClusterPlan or None
        With ``solver="ray"``, the memory and the traffic of each machine.

    Examples
    --------
    >>> import retrosolve as rs
    >>> print(rs.plan(rs.Graph.from_edges([0, 1], [1, 2])))
    solver    acyclic
    vertices  3
    edges     2
    memory    39 bytes
    time      under 0.1 s
    proof     under 0.1 s, 120 bytes
    """

    solver: str
    num_vertices: int | None
    num_edges: int | None
    memory_bytes: int | None
    seconds: float | None
    proof_seconds: float | None
    sample: PlanSample | None = None
    disk: DiskPlan | None = None
    cluster: ClusterPlan | None = None
    proof_memory_bytes: int | None = None

    def rows(self) -> list[tuple[str, str]]:
        """Return a label and a text for each line to show."""
        if self.sample is not None:
            return [("solver", self.solver), *self.sample.rows()]
        assert self.memory_bytes is not None
        assert self.seconds is not None
        assert self.proof_seconds is not None
        assert self.proof_memory_bytes is not None
        memory = memory_of.format_bytes(self.memory_bytes)
        proof = memory_of.format_bytes(self.proof_memory_bytes)
        rows = [
            ("solver", self.solver),
            ("vertices", str(self.num_vertices)),
            ("edges", "to be found" if self.num_edges is None else str(self.num_edges)),
            ("memory", memory),
            ("time", _in_seconds(self.seconds)),
            ("proof", f"{_in_seconds(self.proof_seconds)}, {proof}"),
        ]
        if self.disk is not None:
            read = memory_of.format_bytes(self.disk.bytes_read)
            written = memory_of.format_bytes(self.disk.bytes_written)
            passes = f"{self.disk.passes:.0f} pass{'es' if self.disk.passes > 1 else ''}"
            each = self.disk.vertex_bytes
            rows[3] = ("memory", f"{memory} at least, {each} bytes of it for each vertex")
            rows.insert(4, ("disk", f"{passes}, {read} read and {written} written, at least"))
        if self.cluster is not None:
            cluster = self.cluster
            on_node = memory_of.format_bytes(cluster.node_memory_bytes)
            held = f"{on_node} on each of {cluster.nodes} nodes, {cluster.partitions} partitions in all"
            rows[3] = ("memory", f"{held}, and {memory} on the driver")
            traffic = memory_of.format_bytes(cluster.node_traffic_bytes)
            rows.insert(4, ("traffic", f"up to {traffic} into each node"))
        return rows

    _repr_pretty_ = print_as_text

    def __str__(self) -> str:
        return "\n".join(f"{label:<9} {text}" for label, text in self.rows())


@dataclass(frozen=True)
class PlanSample:
    """An estimate from the first positions of a game that is too large to explore in a second.

    Attributes
    ----------
    positions : int
        The number of positions met: the game has at least as many.
    explored : int
        How many of them the estimate is from.
    moves, memory_bytes, seconds : float
        What a position takes on average: moves, bytes, and seconds until it is explored.
    positions_that_fit : int
        How many such positions fit in the memory, the budget if there is one.
    """

    positions: int
    explored: int
    moves: float
    memory_bytes: float
    seconds: float
    positions_that_fit: int

    def rows(self) -> list[tuple[str, str]]:
        """Return a label and a text for each line to show."""
        return [
            ("positions", f"more than {self.positions} (estimate from the first {self.explored})"),
            ("edges", f"about {self.moves:.1f} a position"),
            (
                "memory",
                f"about {self.memory_bytes:.0f} bytes a position: "
                f"{self.positions_that_fit:.2g} positions would fit",
            ),
            ("time", f"about {self.seconds * 1e6:.2g} s a million positions"),
        ]


def _in_seconds(seconds: float) -> str:
    """Return a time as a range; estimates are for free processors, and the least of it."""
    if seconds < 0.1:
        return "under 0.1 s"
    return f"{_two_digits(seconds)} to {_two_digits(SPREAD * seconds)} s"


def _two_digits(seconds: float) -> str:
    """Return a number of seconds with about two digits.

    >>> _two_digits(0.234), _two_digits(9.87), _two_digits(123)
    ('0.23', '9.9', '120')
    """
    return f"{float(f'{seconds:.2g}'):g}" if seconds < 1e6 else f"{seconds:.2g}"


def busy_factor() -> float:
    """Return how many times as long a solve takes now, beside other programs: 1 or more."""
    try:
        load = os.getloadavg()[0]
    except (AttributeError, OSError):  # the system does not say
        return 1.0
    return 1 + load / cpu_count()


def plan(
    subject: Any,
    *,
    objective: str | Objective | None = None,
    solver: str = "auto",
    threads: int | None = None,
    memory: float | str | None = None,
    nodes: int = 1,
    partitions: int | None = None,
) -> Plan:
    """Estimate the time and memory of solving a graph or a game, without solving it.

    Parameters
    ----------
    subject : Graph, Game or CompiledGame
    objective : str or Objective, optional
        As in :func:`retrosolve.solve`.
    solver : str
        The name of an algorithm, or "auto".
    threads : int, optional
        The most threads to use.
    memory : int or str, optional
        A budget in bytes, or as text such as "2GB": a solver that needs less is taken where the first
        choice needs more.
    nodes : int
        With ``solver="ray"``, the number of machines.
    partitions : int, optional
        With ``solver="ray"``, the number of partitions; by default one for each processor of machines
        like this one.

    Raises
    ------
    GraphError
        For an unknown solver, or one that does not take this subject, and for other arguments that
        make no sense.
    RulesError
        For rules that break their contract in the first positions.
    MemoryBudgetError
        For edges on disk, if the budget is less than a solve needs.

    Notes
    -----
    Cost: constant time for stored edges and compiled rules with an index; at most a second of exploring
    for other rules.

    Examples
    --------
    A game in plain Python is explored for at most a second:

    >>> import retrosolve as rs
    >>> from retrosolve.games.lgame import LGame
    >>> plan = rs.plan(LGame())
    >>> plan.num_vertices, plan.sample.positions > 1000
    (None, True)
    """
    asked = objective_of(objective or "outcome")
    budget = memory_of.parse_bytes(memory)
    space = space_without_search(subject)
    exploring_bytes, exploring_seconds = 0, 0.0
    if space is None:
        check_name(solver)
        sample = solvable(subject).estimate_size()
        if sample.space is None:
            return Plan(solver, None, None, None, None, None, _plan_sample(sample, budget))
        space = sample.space
        exploring_bytes = int(sample.memory_bytes * sample.explored)
        exploring_seconds = sample.seconds * sample.explored
        budget = budget and max(1, budget - exploring_bytes)
    if objective is None:
        asked = objective_of(space.default_objective)
    chosen, memory_bytes = select(space, solver, asked, budget)
    size = space.estimate()
    edges = size.likely_edges
    usable = threads or cpu_count()
    seconds = chosen.seconds(space, edges, usable)
    compiles = chosen.name != "reference" and jit.pays(space.num_vertices + edges) and not jit.loaded()
    seconds += COMPILER_SECONDS * compiles + exploring_seconds
    memory_bytes += exploring_bytes
    prover = choose_prover(space, asked.name, edges)
    proof = prover.seconds(space, edges, usable)
    disk = cluster = None
    if chosen.cluster is not None:
        cluster = chosen.cluster(space, edges, nodes, partitions or nodes * usable)
        seconds /= nodes
    if chosen.disk is not None:
        files: Any = space
        memory_bytes = max(memory_bytes, files.numbering_bytes)
        memory_of.check_budget(memory_bytes, f"solving {space!r}", budget)
        disk = chosen.disk(space, edges, budget)
    return Plan(
        chosen.name, space.num_vertices, size.num_edges, memory_bytes, seconds, proof, disk=disk,
        cluster=cluster,
        proof_memory_bytes=prover.memory(space, edges, budget),
    )  # fmt: skip


def _plan_sample(sample: SizeEstimate, memory: int | None) -> PlanSample:
    """Return the estimate for a game that is too large to be explored first."""
    fit = (memory or memory_of.room()) / sample.memory_bytes
    positions, explored, moves, memory_bytes, seconds, _ = sample
    return PlanSample(positions, explored, moves, memory_bytes, seconds, int(fit))

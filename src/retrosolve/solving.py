"""solve(): from a graph or a game to a Solution; plan(): what that costs, before any work."""

from __future__ import annotations

import functools
import logging
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from retrosolve.arrays import is_whole
from retrosolve.errors import GraphError, LimitError, MemoryBudgetError, StoreError
from retrosolve.objectives import Objective, objective_of
from retrosolve.runtime import memory as memory_budget
from retrosolve.runtime.context import (
    ClusterOptions,
    CompilingReported,
    Context,
    Interrupted,
    Progress,
    ProgressCallback,
    check_progress,
    interruptible,
    no_progress,
    whole_numbers,
    with_deadline,
)
from retrosolve.runtime.memory import format_bytes
from retrosolve.runtime.threads import cpu_count, limited
from retrosolve.solution import OpenedSolution, Solution
from retrosolve.solvers import Solver, check_name, select
from retrosolve.spaces.base import StateSpace, solvable, space_of, space_without_search
from retrosolve.tables.base import without_remoteness
from retrosolve.tables.result import ClusterPlan, DiskPlan
from retrosolve.values import Value, print_as_text

NO_CONTEXT = nullcontext()

logger = logging.getLogger(__name__)


def solve(
    subject: Any,
    *,
    objective: str | Objective | None = None,
    stuck: str | Value | None = None,
    solver: str = "auto",
    out: str | Path | None = None,
    resume: bool = False,
    progress: ProgressCallback | None = None,
    threads: int | None = None,
    workers: int | None = None,
    memory: float | str | None = None,
    limit: int | None = None,
    timeout: float | None = None,
    checkpoint_every: float = 60.0,
    address: str | None = None,
    partitions: int | None = None,
    snapshots: str | None = None,
) -> Solution:
    """Solve a game strongly: compute the value and remoteness of every position.

    Parameters
    ----------
    subject : Graph, Game or CompiledGame
        The positions of a Game are explored from its start. :func:`retrosolve.game` makes the built-in
        games.
    objective : str or Objective, optional
        The question, by default that of the game: "score" for games that count points, "nimber" for
        heaps, otherwise "outcome". An outcome is the value and the remoteness of each position,
        "win-loss-draw" the value alone. That takes two bits per position on disk and, for games of two
        tokens, a fraction of the time and memory; other games are solved with the remoteness, which is
        then left out. "conversion" counts the plies to a move that leaves its tier; nimbers are for
        games that are added up. See ``retrosolve.objectives``.
    stuck : {"loss", "win", "tie"} or Value, optional
        What it means to have no move: normal play (the default), misère play, or the end without a
        winner. A parameter of the objective.
    solver : str
        The name of an algorithm in ``retrosolve.solvers``, or "auto".
    out : str or Path, optional
        The directory to save the solution in. Tiers of a compiled game are written as they are
        finished, at the latest some seconds later. If they do not all fit in the budget, or in half a
        gigabyte, memory holds only the tier that is being solved and those that its moves lead to. The
        solution that is returned stays on disk.
    resume : bool
        Whether to go on with an unfinished solve of ``out``. If there is none the solve begins anew; if
        ``out`` already has the solution, that is returned.
    progress : callable, optional
        Called with a :class:`Progress` now and then. Its stages are "compiling", "finding positions",
        "initialisation" and "solving", as far as the game has them.
    threads : int, optional
        The most threads to use; the answer does not depend on it.
    workers : int, optional
        The number of processes that explore rules in plain Python, this one included (threads on a
        free-threaded Python); the answer does not depend on it. By default one, or one for each
        processor where the rules are slow and positions can be sent to another process. If that is
        asked for and they cannot, RulesError.
    memory : int or str, optional
        A budget in bytes, or as text such as "2GB", for what the solve adds to its input, the positions
        found included. A solver that needs less memory is taken if necessary. By default positions may
        take three quarters of the free memory. The memory of the machine is a limit in any case.
    limit : int, optional
        The largest number of positions. By default as many as the memory holds.
    timeout : float, optional
        The most seconds. The solve ends at the first report of progress after that, as it does if
        ``progress`` raises an exception; with ``out`` it can be resumed.
    checkpoint_every : float
        With ``out``, the seconds between two checkpoints, each at the end of a level. They take at most
        a twentieth of the time.
    address : str, optional
        With ``solver="ray"``, the Ray cluster: "auto" for the one that this machine belongs to, "local"
        for a new one of this machine, or ``ray://host:port``. By default the one that is connected
        already, or a new one.
    partitions : int, optional
        With ``solver="ray"``, in how many parts positions are owned, at most one for each processor of
        the cluster; the answer does not depend on it. By default as many as this machine has.
    snapshots : str, optional
        With ``solver="ray"`` and ``out``, where partitions write their checkpoints: an address such as
        ``s3://bucket/folder`` that all machines reach. By default beside ``out``.

    Returns
    -------
    Solution

    Raises
    ------
    GraphError
        For arguments that make no sense.
    RulesError
        For rules that break their contract.
    LimitError
        For a game with more than ``limit`` positions, and once ``timeout`` is over.
    MemoryBudgetError
        Before any work that would not fit, and while positions are found that do not fit.
    StoreError
        If ``out`` cannot be written, is in use, or has an unfinished solve that is not resumed, is of
        other rules, another graph or other options, or of rules that cannot be compared. If only saving
        has failed, its attribute ``solution`` is the solution, to be saved elsewhere.
    KeyboardInterrupt
        With ``out``, also for SIGTERM: once the state has been saved, with a message that says so.

    Notes
    -----
    A process that solves with ``out`` may be killed at any moment; the same call with ``resume=True``
    then gives the same solution. Exploring is not saved: positions without an index are found again.

    Linear in vertices and edges, except for the solvers ``sweep`` and ``reference``;
    :func:`retrosolve.plan` estimates bytes and seconds.

    Examples
    --------
    >>> import retrosolve as rs
    >>> graph = rs.Graph.from_edges([0, 1, 2], [1, 2, 0])
    >>> rs.solve(graph).counts()[rs.Value.DRAW]
    3

    A game without an end is refused once it has more positions than ``limit``:

    >>> class Endless(rs.Game):
    ...     def start(self):
    ...         return 0
    ...     def moves(self, n):
    ...         return [("on", n + 1)]
    >>> rs.solve(Endless(), limit=1000)
    Traceback (most recent call last):
    retrosolve.errors.LimitError: the game has more than 1000 positions, the limit: 1001 were found,
    1000 of them explored: expected a higher limit or a smaller game
    """
    asked = objective_of(objective or "outcome", stuck)
    check_progress(progress)
    if timeout is not None:
        progress = with_deadline(progress or no_progress, timeout)
    budget = memory_budget.parse_bytes(memory)
    threads, workers, limit, partitions = whole_numbers(
        threads=threads, workers=workers, limit=limit, partitions=partitions
    )
    if out is None and resume:
        raise GraphError("resume=True without out=: expected the directory of the unfinished solve")
    if (
        not (is_whole(checkpoint_every) or isinstance(checkpoint_every, float))
        or not checkpoint_every > 0
    ):
        raise GraphError(f"checkpoint_every={checkpoint_every!r}: expected seconds, above 0")
    cluster = _cluster(solver, address, partitions, snapshots)
    context = Context(
        threads, budget, progress or no_progress, limit=limit, workers=workers, cluster=cluster
    )
    with (
        memory_budget.exhaustion("solving"),
        CompilingReported(progress) if progress else NO_CONTEXT,
        limited(threads) if threads else NO_CONTEXT,
    ):
        space = space_of(subject, context)
        if objective is None and asked.name != space.default_objective:
            asked = objective_of(space.default_objective, stuck)
        _check_limit(space.num_vertices, limit)
        context.timer.stage("finding positions")
        left = context.memory_left
        chosen, needed = select(space, solver, asked, left, out is not None)
        try:
            memory_budget.check_budget(needed, functools.partial(_described, space, context), left)
        except MemoryBudgetError as error:
            least = select(space, solver, asked, left, on_disk=True).memory_bytes
            room = memory_budget.room()
            if out is not None or least > min(left or room, room):
                raise
            there = f"enough to solve it into a folder (out), with about {format_bytes(least)}"
            raise MemoryBudgetError(f"{error}, {there}") from None
        if out is not None:
            where = _Destination(out, resume, checkpoint_every)
            return _solve_into(where, space, chosen, asked, context)
        return _solved(space, chosen, asked, context)


def _cluster(
    solver: str, address: str | None, partitions: int | None, snapshots: str | None
) -> ClusterOptions | None:
    """Return how a distributed solve runs. Raises GraphError for options of it without it."""
    if solver == "ray":
        return ClusterOptions(address, partitions, snapshots)
    given = {"address": address, "partitions": partitions, "snapshots": snapshots}
    for name, value in given.items():
        if value is not None:
            raise GraphError(f"{name}={value!r} with solver={solver!r}: expected solver='ray' for that")
    return None


def _solved(space: StateSpace, chosen: Solver, objective: Objective, context: Context) -> Solution:
    """Return the solution of a space by a solver."""
    result = chosen.run(chosen.prepared(space), objective, context)
    table = result.table if objective.has_levels else without_remoteness(result.table)
    context.timer.stage("solving")
    seconds = context.timer.seconds
    if logger.isEnabledFor(logging.INFO):
        logger.info("solved %r with %s in %.3f s", space, chosen.name, sum(seconds.values()))
    return Solution(
        space.detach(table), table, None, chosen.name, seconds, result.statistics.num_edges,
        result.statistics.levels, objective,
    )  # fmt: skip


class _Destination(NamedTuple):
    """Where a solve is saved, and how; see :func:`solve`."""

    out: str | Path
    resume: bool
    every: float


def _solve_into(
    where: _Destination, space: StateSpace, chosen: Solver, objective: Objective, context: Context
) -> Solution:
    """Return the solution of a space, saved in a directory."""
    from retrosolve import store

    identity = store.identity_of(space, objective, chosen.name)
    solution = None
    try:
        with (
            interruptible() as interruption,
            store.solving_into(
                where.out, space, identity, where.resume, where.every, interruption
            ) as run,
        ):
            opened, levels = run.opened() if where.resume else None, ()
            if opened is None:
                report = context.progress

                def reported(progress: Progress) -> None:
                    if interruption.requested:
                        raise Interrupted(run.interrupt_message())
                    report(progress)

                context.progress = reported
                if (
                    chosen.objective == objective.name and chosen.resumes
                ):  # tiers are written as they are
                    context.checkpoint = run.checkpoint
                solution = _solved(space, chosen, objective, context)
                opened, levels = run.finish(solution._to_record()), solution.levels
                context.timer.stage("writing")
    except BaseException as error:
        if solution is None:
            raise
        if isinstance(error, StoreError) or not isinstance(error, Exception):
            _hand_over(solution, error)
            raise
        unsaved = StoreError(f"cannot save {where.out}: {type(error).__name__}: {error}")
        _hand_over(solution, unsaved)
        raise unsaved from error
    return OpenedSolution(opened, context.timer.seconds, levels)


def _hand_over(solution: Solution, error: Any) -> None:
    """Make a solution that could not be saved an attribute of the error."""
    error.solution = solution
    error.add_note(
        "The attribute solution of this error is the solution; its save() writes it elsewhere."
    )


def _described(space: StateSpace, context: Context) -> str:
    """Describe the solve that is about to start, for an error message."""
    if context.memory_left == context.memory:
        return f"solving {space!r}"
    spent = format_bytes(context.spent_bytes)
    return f"solving {space!r} after finding its positions, which took {spent},"


def _check_limit(positions: int, limit: int | None) -> None:
    """Raise LimitError for more positions than the limit."""
    if limit is not None and positions > limit:
        raise LimitError(
            f"the game has {positions} positions, more than the limit of {limit}: "
            "expected a higher limit or a smaller game"
        )


# -- plan ---------------------------------------------------------------------------------------------


SPREAD = 2  # between machines, whose memory is faster or slower


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
        The most that the proof adds to a solution in memory, in the budget if there is one; with
        ``out`` to the solution in the folder.
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
        memory = format_bytes(self.memory_bytes)
        proof = format_bytes(self.proof_memory_bytes)
        rows = [
            ("solver", self.solver),
            ("vertices", str(self.num_vertices)),
            ("edges", "to be found" if self.num_edges is None else str(self.num_edges)),
            ("memory", memory),
            ("time", _in_seconds(self.seconds)),
            ("proof", f"{_in_seconds(self.proof_seconds)}, {proof}"),
        ]
        if self.disk is not None:
            read = format_bytes(self.disk.bytes_read)
            written = format_bytes(self.disk.bytes_written)
            passes = f"{self.disk.passes:.0f} pass{'es' if self.disk.passes > 1 else ''}"
            each = self.disk.vertex_bytes
            rows[3] = ("memory", f"{memory} at least, {each} bytes of it for each vertex")
            rows.insert(4, ("disk", f"{passes}, {read} read and {written} written, at least"))
        if self.cluster is not None:
            cluster = self.cluster
            on_node = format_bytes(cluster.node_memory_bytes)
            held = f"{on_node} on each of {cluster.nodes} nodes, {cluster.partitions} partitions in all"
            rows[3] = ("memory", f"{held}, and {memory} on the driver")
            traffic = format_bytes(cluster.node_traffic_bytes)
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


def plan(
    subject: Any,
    *,
    objective: str | Objective | None = None,
    solver: str = "auto",
    out: str | Path | None = None,
    threads: int | None = None,
    memory: float | str | None = None,
    nodes: int | None = None,
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
    out : str or Path, optional
        The folder of a solve into one, which takes less memory; nothing is written.
    threads : int, optional
        The most threads to use.
    memory : int or str, optional
        A budget in bytes, or as text such as "2GB": a solver that needs less is taken where the first
        choice needs more.
    nodes : int, optional
        With ``solver="ray"``, the number of machines; by default one.
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

    A solve into a folder holds the words of the tiers that are still needed, not those of all:

    >>> endings = rs.game("chess:5men")
    >>> rs.plan(endings).memory_bytes > 20 * rs.plan(endings, out="endings").memory_bytes
    True
    """
    from retrosolve.verification.verify import choose_prover, proof_bytes  # a solve does without

    asked = objective_of(objective or "outcome")
    budget = memory_budget.parse_bytes(memory)
    threads, nodes, partitions = whole_numbers(threads=threads, nodes=nodes, partitions=partitions)
    nodes = nodes or 1
    space = space_without_search(subject)
    exploring_bytes, exploring_seconds = 0, 0.0
    if space is None:
        check_name(solver)
        sample = solvable(subject).estimate_size()
        if sample.space is None:
            fit = int((budget or memory_budget.room()) / sample.memory_bytes)
            return Plan(solver, None, None, None, None, None, PlanSample(*sample[:5], fit))
        space = sample.space
        exploring_bytes = round(sample.memory_bytes * sample.explored)
        exploring_seconds = sample.seconds * sample.explored
        budget = budget and max(1, budget - exploring_bytes)
    if objective is None:
        asked = objective_of(space.default_objective)
    chosen, memory_bytes = select(space, solver, asked, budget, out is not None)
    size = space.estimate()
    edges = size.likely_edges
    usable = threads or cpu_count()
    seconds = chosen.seconds_with_compiler(space, edges, usable) + exploring_seconds
    memory_bytes += exploring_bytes
    prover = choose_prover(space, asked, edges, chosen.name == "lanes")
    proof = prover.seconds(space, edges, usable)
    disk = cluster = None
    if chosen.cluster is not None:
        cluster = chosen.cluster(space, edges, nodes, partitions or nodes * usable)
        seconds /= nodes
    if chosen.disk is not None:
        files: Any = space
        memory_bytes = max(memory_bytes, files.numbering_bytes)
        memory_budget.check_budget(memory_bytes, f"solving {space!r}", budget)
        disk = chosen.disk(space, edges, budget)
    return Plan(
        chosen.name, space.num_vertices, size.num_edges, memory_bytes, seconds, proof, disk=disk,
        cluster=cluster,
        proof_memory_bytes=proof_bytes(prover, space, edges, budget, out is not None),
    )  # fmt: skip

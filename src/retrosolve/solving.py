"""solve(): from a graph or a game to a Solution."""

from __future__ import annotations

import functools
import logging
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple

from retrosolve.errors import GraphError, LimitError, StoreError
from retrosolve.objectives import Objective, objective_of
from retrosolve.runtime import memory as memory_budget
from retrosolve.runtime.context import ClusterOptions, Context, Interrupted, interruptible
from retrosolve.runtime.memory import format_bytes
from retrosolve.runtime.progress import (
    CompilingReported,
    Progress,
    ProgressCallback,
    check_progress,
    no_progress,
    with_deadline,
)
from retrosolve.runtime.threads import limited
from retrosolve.solution import OpenedSolution, Solution
from retrosolve.solvers import Solver, select
from retrosolve.spaces.base import StateSpace
from retrosolve.spaces.solvable import space_of
from retrosolve.tables.base import without_remoteness
from retrosolve.values import Value

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
    counts = {"threads": threads, "workers": workers, "limit": limit, "partitions": partitions}
    for name, number in counts.items():
        if number is not None and (type(number) is not int or number < 1):
            raise GraphError(f"{name}={number!r}: expected a whole number above 0, or None")
    if out is None and resume:
        raise GraphError("resume=True without out=: expected the directory of the unfinished solve")
    if type(checkpoint_every) not in (int, float) or not checkpoint_every > 0:
        raise GraphError(f"checkpoint_every={checkpoint_every!r}: expected seconds, above 0")
    cluster = _cluster(solver, address, partitions, snapshots)
    context = Context(
        threads, budget, progress or no_progress, limit=limit, workers=workers, cluster=cluster
    )
    with (
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
        memory_budget.check_budget(needed, functools.partial(_described, space, context), left)
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
        space.detach(table), table, objective.stuck, chosen.name, seconds,
        result.statistics.num_edges, result.statistics.levels, objective,
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
    """Return what is about to be done, for an error message."""
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

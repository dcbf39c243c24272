"""solve(): from a graph or a game to a Solution."""

from __future__ import annotations

import functools
import logging
from typing import Any

from retrosolve.compilation.watch import CompilingReported
from retrosolve.errors import GraphError, LimitError
from retrosolve.planning import select_within_budget
from retrosolve.runtime import memory as memory_budget
from retrosolve.runtime.context import Context
from retrosolve.runtime.memory import format_bytes
from retrosolve.runtime.progress import ProgressCallback, no_progress
from retrosolve.solution import Solution
from retrosolve.spaces.base import Capability, StateSpace
from retrosolve.spaces.solvable import space_of
from retrosolve.values import stuck_value

logger = logging.getLogger(__name__)


def solve(
    subject: Any,
    stuck: str = "loss",
    solver: str = "auto",
    threads: int | None = None,
    workers: int | None = None,
    memory: int | str | None = None,
    limit: int | None = None,
    remoteness: bool = True,
    progress: ProgressCallback | None = None,
) -> Solution:
    """Solve a game strongly: compute the value and remoteness of every position.

    Parameters
    ----------
    subject : Graph, Game or CompiledGame
        Anything with a ``state_space`` method. The positions of a Game are explored from its start.
    stuck : {"loss", "win", "tie"}
        What it means to have no move: normal play, misère play, or the end without a winner.
    solver : str
        The name of an algorithm in ``retrosolve.solvers``, or "auto".
    threads : int, optional
        The most threads to use; the answer does not depend on it.
    workers : int, optional
        The number of processes that explore rules in plain Python, this one included (threads on a
        free-threaded Python); the answer does not depend on it. By default one, or one for each
        processor where the rules are slow.
    memory : int or str, optional
        A budget in bytes, or as text such as "2GB", for what the solve adds to its input, the positions
        found included. A solver that needs less memory is taken if necessary. By default positions may
        take three quarters of the free memory. The memory of the machine is a limit in any case.
    limit : int, optional
        The largest number of positions. By default as many as the memory holds.
    remoteness : bool
        False asks for win, loss and draw only, which for games of two tokens takes a fraction of the
        time and memory.
    progress : callable, optional
        Called with a :class:`Progress` now and then. Its stages are "compiling", "finding positions",
        "initialisation" and "solving", as far as the game has them.

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
        For a game with more than ``limit`` positions.
    MemoryBudgetError
        Before any work that would not fit, and while positions are found that do not fit: under a
        budget as soon as nearly half of it is used and those known lead to too many others.

    Notes
    -----
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
    stuck_as = stuck_value(stuck)
    budget = memory_budget.parse_bytes(memory)
    for name, number in (("threads", threads), ("workers", workers), ("limit", limit)):
        if number is not None and (type(number) is not int or number < 1):
            raise GraphError(f"{name}={number!r}: expected a whole number above 0, or None")
    context = Context(threads, budget, progress or no_progress, limit=limit, workers=workers)
    with CompilingReported(context.progress):
        space = space_of(subject, context)
        _check_limit(space.num_vertices, limit)
        context.timer.stage("finding positions")
        left = context.memory_left
        chosen, _, needed = select_within_budget(space, solver, left, remoteness)
        memory_budget.check_budget(needed, functools.partial(_described, space, context), left)
        solved = space.materialize() if Capability.CSR in chosen.requires else space
        result = chosen.run(solved, stuck_as, context)
        context.timer.stage("solving")
    seconds = context.timer.seconds
    logger.info("solved %r with %s in %.3f s", space, chosen.name, sum(seconds.values()))
    return Solution(
        space.for_solution(result.table),
        result.table,
        stuck_as,
        chosen.name,
        seconds,
        result.statistics.num_edges,
    )


def _described(space: StateSpace, context: Context) -> str:
    """Return what is about to be done, for an error message."""
    if context.memory_left == context.memory:
        return f"solving {space!r}"
    spent = format_bytes(context.spent.bytes)
    return f"solving {space!r} after finding its positions, which took {spent},"


def _check_limit(positions: int, limit: int | None) -> None:
    """Raise LimitError for more positions than the limit."""
    if limit is not None and positions > limit:
        raise LimitError(
            f"the game has {positions} positions, more than the limit of {limit}: "
            "expected a higher limit or a smaller game"
        )

"""solve(): from a graph or a game to a Solution."""

from __future__ import annotations

import logging
from typing import Any

from retrosolve.compilation.watch import CompilingReported
from retrosolve.errors import GraphError
from retrosolve.planning import select_within_budget
from retrosolve.runtime import memory as memory_budget
from retrosolve.runtime.context import Context
from retrosolve.runtime.memory import format_bytes
from retrosolve.runtime.progress import ProgressCallback, no_progress
from retrosolve.solution import Solution
from retrosolve.spaces.base import Capability, space_of
from retrosolve.values import stuck_value

logger = logging.getLogger(__name__)


def solve(
    subject: Any,
    stuck: str = "loss",
    solver: str = "auto",
    threads: int | None = None,
    memory: int | None = None,
    progress: ProgressCallback | None = None,
    remoteness: bool = True,
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
    memory : int, optional
        A budget in bytes for what the solve adds to its input. A solver that needs less memory is taken
        if necessary. The memory of the machine is a limit in any case.
    progress : callable, optional
        Called with a :class:`Progress` now and then. Its stages are "compiling", "finding positions",
        "initialisation" and "solving", as far as the game has them.
    remoteness : bool
        False asks for win, loss and draw only, which for games of two tokens takes a fraction of the
        time and memory.

    Returns
    -------
    Solution

    Raises
    ------
    GraphError
        For arguments that make no sense.
    RulesError
        For rules that break their contract.
    MemoryBudgetError
        Before any work that would not fit.

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
    """
    stuck_as = stuck_value(stuck)
    for name, number in (("threads", threads), ("memory", memory)):
        if number is not None and (type(number) is not int or number < 1):
            raise GraphError(f"{name}={number!r}: expected a whole number above 0, or None")
    context = Context(threads, memory, progress or no_progress)
    with CompilingReported(context.progress):
        space = space_of(subject, context)
        context.timer.stage("finding positions")
        left = context.memory_left
        chosen, _, needed = select_within_budget(space, solver, left, remoteness)
        what = f"solving {space!r}"
        if left != memory:
            what += f" after finding its positions, which took {format_bytes(context.spent.bytes)},"
        memory_budget.check_budget(needed, what, left)
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

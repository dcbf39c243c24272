"""Solve: from a graph or a game to a Solution."""

from __future__ import annotations

import logging
import time

from retrosolve import memory as memory_budget
from retrosolve.errors import GraphError
from retrosolve.graph import Graph
from retrosolve.plan import plan_graph
from retrosolve.positions import GraphPositions, Positions
from retrosolve.product import ProductGraph
from retrosolve.progress import Report, silent
from retrosolve.rules.explore import explore
from retrosolve.rules.game import Game
from retrosolve.rules.pursuit import PursuitGame, PursuitPositions
from retrosolve.solution import Solution
from retrosolve.solvers import SOLVERS, fitted
from retrosolve.values import stuck_value

logger = logging.getLogger(__name__)


def solve(
    subject: Graph | Game,
    stuck: str = "loss",
    solver: str = "auto",
    threads: int | None = None,
    memory: int | None = None,
    progress: Report | None = None,
) -> Solution:
    """Solve a game completely: value and remoteness of every position.

    ``subject`` is a Graph, or a Game whose positions are then found. ``stuck`` says what having no
    move means to the player to move: ``"loss"`` (normal play), ``"win"`` (misère) or ``"tie"``.
    ``solver`` is a name in ``retrosolve.solvers.SOLVERS`` or ``"auto"``. ``threads`` is the most
    that may be used; the answer does not depend on it. ``memory`` is a budget in bytes for what the
    solve adds to its input, for which a leaner solver is taken if need be; the machine's memory is
    one always. ``progress`` is called with a
    Progress now and then.

    Raises GraphError for arguments that make no sense, RulesError for rules that break their
    contract, and MemoryBudgetError before starting what will not fit.

    Cost: linear in the vertices and edges; ``retrosolve.plan`` tells the bytes.

    >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 0])
    >>> solve(graph).counts()[0]
    3
    """
    stuck_as = stuck_value(stuck)
    for name, number in (("threads", threads), ("memory", memory)):
        if number is not None and (type(number) is not int or number < 1):
            raise GraphError(f"{name}={number!r}: expected a whole number above 0, or None")
    report = progress or silent
    began = time.perf_counter()
    graph, positions = laid_out(subject, report)
    found = time.perf_counter()
    planned = plan_graph(graph, solver, threads, memory)
    memory_budget.require(planned.bytes or 0, f"solving {graph!r}", memory)
    chosen = SOLVERS[planned.solver]
    fit = fitted(graph, chosen)
    value, remoteness = chosen.run(fit, stuck_as, report, threads)
    solved = time.perf_counter()
    seconds = {"finding positions": found - began, "solving": solved - found}
    logger.info("solved %r with %s in %.3f s", graph, chosen.name, solved - found)
    return Solution(fit, value, remoteness, positions, stuck_as, chosen.name, seconds)


def laid_out(subject: Graph | Game, report: Report = silent) -> tuple[Graph | ProductGraph, Positions]:
    """Give the graph of a game, its positions found if need be, and the names of its vertices."""
    if isinstance(subject, PursuitGame):
        return subject.product(), PursuitPositions(subject)
    if isinstance(subject, Game):
        return explore(subject, report=report)
    if isinstance(subject, Graph):
        return subject, GraphPositions(subject)
    raise GraphError(f"{subject!r} cannot be solved: expected a Graph or a Game")

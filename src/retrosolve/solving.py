"""Solve: from a graph or a game to a Solution."""

from __future__ import annotations

import logging
import time

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.errors import GraphError
from retrosolve.planning import select_within_budget
from retrosolve.rules.compiled import CompiledGame
from retrosolve.rules.exploring import explore
from retrosolve.rules.game import Game
from retrosolve.rules.indexing import IndexedPositions, bound, explored_space
from retrosolve.rules.two_tokens import PursuitPositions, TwoTokenGame
from retrosolve.runtime import memory as memory_budget
from retrosolve.runtime.progress import ProgressCallback, no_progress
from retrosolve.solution import Solution
from retrosolve.solvers import fitted
from retrosolve.spaces.blocks import VERTICES_A_BLOCK
from retrosolve.spaces.generated import GeneratedSpace
from retrosolve.spaces.graph import Graph, StateSpace
from retrosolve.spaces.positions import GraphPositions, Positions
from retrosolve.spaces.product import ProductSpace
from retrosolve.tables.answers import Answers, Packed, Unpacked
from retrosolve.values import INVALID, stuck_value

logger = logging.getLogger(__name__)


def solve(
    subject: Graph | Game | CompiledGame,
    stuck: str = "loss",
    solver: str = "auto",
    threads: int | None = None,
    memory: int | None = None,
    progress: ProgressCallback | None = None,
    remoteness: bool = True,
) -> Solution:
    """Solve a game completely: value and remoteness of every position.

    ``subject`` is a Graph, or a Game or CompiledGame whose positions are then found. ``stuck`` says
    what having no move means to the player to move: ``"loss"`` (normal play), ``"win"`` (misère) or
    ``"tie"``.
    ``solver`` is a name in ``retrosolve.solvers.SOLVERS`` or ``"auto"``. ``threads`` is the most
    that may be used; the answer does not depend on it. ``memory`` is a budget in bytes for what the
    solve adds to its input, for which a leaner solver is taken if need be; the machine's memory is
    one always. ``progress`` is called with a Progress now and then. ``remoteness=False`` asks for
    values alone, which for games of two tokens takes a fraction of the time and memory.

    Raises GraphError for arguments that make no sense, RulesError for rules that break their
    contract, and MemoryBudgetError before starting what will not fit.

    Cost: linear in the vertices and edges; ``retrosolve.planning`` tells the bytes.

    >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 0])
    >>> solve(graph).counts()[0]
    3
    """
    stuck_as = stuck_value(stuck)
    for name, number in (("threads", threads), ("memory", memory)):
        if number is not None and (type(number) is not int or number < 1):
            raise GraphError(f"{name}={number!r}: expected a whole number above 0, or None")
    report = progress or no_progress
    began = time.perf_counter()
    graph, positions = laid_out(subject, report)
    found = time.perf_counter()
    chosen, needed = select_within_budget(graph, solver, memory, remoteness)
    memory_budget.check_budget(needed, f"solving {graph!r}", memory)
    fit = fitted(graph, chosen)
    answers = _answers(chosen.run(fit, stuck_as, report, threads), graph)
    solved = time.perf_counter()
    seconds = {"finding positions": found - began, "solving": solved - found}
    if isinstance(graph, GeneratedSpace):
        seconds |= graph.seconds
    logger.info("solved %r with %s in %.3f s", graph, chosen.name, solved - found)
    if isinstance(graph, GeneratedSpace):
        graph.stored = None
        if graph.starts and isinstance(answers, Packed):
            graph.reached = answers.state
    if not isinstance(graph, Graph):
        fit = graph
    return Solution.packed(fit, answers, positions, stuck_as, chosen.name, seconds)


def _answers(result: Answers | tuple[ByteArray, IntArray], graph: StateSpace) -> Answers:
    """Put what a solver gave into one form; what is no position has no value."""
    if not isinstance(result, tuple):
        return result
    value, remoteness = result
    if isinstance(graph, ProductSpace) or (isinstance(graph, GeneratedSpace) and not graph.found):
        for start in range(0, len(value), VERTICES_A_BLOCK):
            stop = min(start + VERTICES_A_BLOCK, len(value))
            none = graph.ends(start, stop) == INVALID
            value[start:stop][none] = INVALID
            remoteness[start:stop][none] = -1
    if isinstance(graph, GeneratedSpace):
        return Packed.of(value, remoteness)
    return Unpacked(value, remoteness)


def laid_out(
    subject: Graph | Game | CompiledGame, report: ProgressCallback = no_progress
) -> tuple[Graph | ProductSpace | GeneratedSpace, Positions]:
    """Give the graph of a game, its positions found if need be, and the names of its vertices."""
    if isinstance(subject, TwoTokenGame):
        return subject.product(), PursuitPositions(subject)
    if isinstance(subject, Game):
        return explore(subject, report=report)
    if isinstance(subject, CompiledGame):
        made = explored_space(subject, report=report) if subject.size is None else bound(subject)
        return made, IndexedPositions(subject, made)
    if isinstance(subject, Graph):
        return subject, GraphPositions(subject)
    raise GraphError(f"{subject!r} cannot be solved: expected a Graph or a Game, made by its class")

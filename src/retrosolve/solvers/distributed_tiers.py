"""The driver of a distributed solve: tier by tier, level by level, and what is kept of it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.cluster.crew import Crew
from retrosolve.cluster.ranges import owned
from retrosolve.kernels.words import largest_remoteness, widened, word_dtype
from retrosolve.runtime.context import Context
from retrosolve.runtime.progress import Progress
from retrosolve.solvers.distributed_partition import NEVER, Prepared, Step
from retrosolve.solvers.distributed_rows import Tier
from retrosolve.solvers.distributed_words import SharedTiers
from retrosolve.solvers.distributed_worker import Worker
from retrosolve.solvers.result import LevelUse, SolveResult, Statistics
from retrosolve.spaces.base import Capability
from retrosolve.tables import PackedTable
from retrosolve.values import Value


@dataclass
class Goal:
    """What is to be solved, and what stays of it when workers are lost.

    Parameters
    ----------
    space : StateSpace
    stuck : Value
    context : Context
    partitions : int
    snapshots : str or None
        Where partitions write snapshots; by default beside the directory of the solve.

    Attributes
    ----------
    reached : tuple of two int
        The tier and the level of the last snapshot.
    levels : list of LevelUse
        The levels so far, those that were run again included.
    """

    space: Any
    stuck: Value
    context: Context
    partitions: int
    snapshots: str | None = None
    reached: tuple[int, int] = (-1, 0)
    levels: list[LevelUse] = field(default_factory=list)

    @property
    def bounds(self) -> list[tuple[int, int]]:
        """The range of each tier."""
        return list(pairwise([*self.space.tiers, self.space.num_vertices]))


class Attempt:
    """A solve as far as its workers live.

    Parameters
    ----------
    goal : Goal
    crew : Crew
    """

    def __init__(self, goal: Goal, crew: Crew) -> None:
        self.goal, self.crew = goal, crew
        self.context = goal.context
        places = owned(0, goal.partitions, crew.size)
        self.numbers = [range(*span) for span in places]
        crew.start(Worker, (goal.space, goal.stuck), self.numbers)
        self.num_vertices: int = goal.space.num_vertices
        self.words: IntArray = np.zeros(self.num_vertices, word_dtype(0))
        self.earlier = SharedTiers(goal.space, crew)
        self.num_edges = self.highest = self.num_decided = 0
        self.has_ties = False

    def run(self) -> SolveResult:
        """Solve all tiers. Raises WorkerLost."""
        space, context = self.goal.space, self.context
        for tier, (below, above) in enumerate(self.goal.bounds):
            self._solve_tier(tier, below, above)
            context.progress(Progress("solving", above, self.num_vertices))
        counted = Capability.GENERATED in space.capabilities
        num_edges = self.num_edges if counted else None
        return SolveResult(PackedTable(self.words), Statistics(num_edges, levels=tuple(self.goal.levels)))

    # -- a tier ---------------------------------------------------------------------------------

    def _solve_tier(self, tier: int, below: int, above: int) -> None:
        """Solve a tier, and let the others read it."""
        spans = owned(below, above, self.goal.partitions)
        tiers = [Tier(below, above, *span) for span in spans]
        self.earlier.hold(tier, self._read)
        each = [[tiers[number] for number in numbers] for numbers in self.numbers]
        prepared: list[Prepared] = _flat(self.crew.call("begin", self.has_ties, each=each))
        self.context.timer.stage("initialisation")
        edges = sum(found.num_edges for found in prepared)
        if any(found.kept for found in prepared):
            due = min(found.due for found in prepared)
            self._propagate(tier, False, 0, due)
            if any(found.has_ties for found in prepared):
                due = min(_flat(self.crew.call("each", "begin_ties")))
                self._propagate(tier, True, 0, due)
            highest = self.crew.call("each", "finish")
        else:
            highest = self.crew.call("each", "settle")
        self.context.timer.stage("propagation")
        self.num_edges += edges
        self.highest = max(self.highest, *_flat(highest))
        self.has_ties = self.has_ties or any(self.crew.call("has_ties"))
        self._collect(tiers)
        self.earlier.reserve(self.highest)

    def _collect(self, tiers: Sequence[Tier]) -> None:
        """Take the words of a finished tier."""
        for worker, numbers in enumerate(self.numbers):
            for place, number in enumerate(numbers):
                words = self.crew.tell(worker, "words", place)
                if len(words):
                    self.words = widened(self.words, largest_remoteness(words))
                    self.words[tiers[number].start : tiers[number].stop] = words

    def _read(self, start: int, stop: int) -> IntArray:
        """Return words of earlier tiers."""
        return self.words[start:stop]

    def _propagate(self, tier: int, ties: bool, level: int, due: int) -> None:
        """Run levels until nothing is decided and nothing due."""
        steps: list[Step] = _flat(self.crew.exchange("front", ties, level))
        while True:
            decided = sum(step.decided for step in steps)
            if not decided:
                if due == NEVER:
                    return
                level = max(level, due - 1)
            began = time.perf_counter()
            reports = self.crew.exchange("advance", ties, level)
            seconds = time.perf_counter() - began
            steps, level = _flat(reports), level + 1
            due = min(step.due for step in steps)
            self._note(tier, ties, level, steps, seconds)

    def _note(self, tier: int, ties: bool, level: int, steps: list[Step], seconds: float) -> None:
        """Record what a level took, and report how much is decided."""
        decided = [step.decided for step in steps]
        slowest = max(range(len(steps)), key=lambda p: steps[p].seconds)
        use = LevelUse(
            tier, ties, level, sum(decided), sum(number > 0 for number in decided),
            sum(step.nbytes for step in steps), seconds, slowest, steps[slowest].seconds,
        )  # fmt: skip
        self.goal.levels.append(use)
        self.num_decided += use.decided
        self.context.progress(Progress("solving", self.num_decided, self.num_vertices))


def _flat(lists: list[list[Any]]) -> list[Any]:
    """Return what all partitions report, in their order."""
    return [item for part in lists for item in part]

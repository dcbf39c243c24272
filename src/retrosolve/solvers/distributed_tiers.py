"""The driver of a distributed solve: tier by tier, level by level."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.cluster.group import WorkerGroup
from retrosolve.cluster.ranges import owned
from retrosolve.errors import ClusterError
from retrosolve.kernels.words import widened, word_dtype
from retrosolve.runtime.progress import Progress
from retrosolve.solvers.distributed_goal import Goal, SavedLevel
from retrosolve.solvers.distributed_partition import NEVER, Prepared, Step
from retrosolve.solvers.distributed_rows import Tier
from retrosolve.solvers.distributed_words import Place, SharedTiers, runs_of, words_of, write_files
from retrosolve.solvers.distributed_worker import Worker
from retrosolve.solvers.result import LevelUse, SolveResult, Statistics
from retrosolve.spaces.base import Capability
from retrosolve.tables import PackedTable
from retrosolve.tables.coded import CodedTable
from retrosolve.values import TIE


class Attempt:
    """A solve as far as its workers live.

    Parameters
    ----------
    goal : Goal
    group : WorkerGroup
    """

    def __init__(self, goal: Goal, group: WorkerGroup) -> None:
        self.goal, self.group = goal, group
        self.context, self.files = goal.context, goal.context.checkpoint.tiers
        self.numbers = [range(*span) for span in owned(0, goal.partitions, group.size)]
        group.start(Worker, (goal.space, goal.stuck), self.numbers)
        self.num_vertices: int = goal.space.num_vertices
        self.words: IntArray = np.zeros(0, word_dtype(0))
        self.num_edges = self.highest = self.num_decided = self.first = 0
        self.has_ties = False
        if self.files is None:
            self.words = np.zeros(self.num_vertices, word_dtype(0))
        else:
            self._check_sees(goal.context.checkpoint.place)
            self.first, self.highest = self.files.num_finished, self.files.highest
            self.num_edges = self.files.num_edges
            self.has_ties = bool((self.files.dictionary().value == TIE).any())
        self.earlier = SharedTiers(goal.space, group, self.highest)

    def _check_sees(self, place: str | None) -> None:
        """Raise ClusterError unless all machines see the folder that is solved into."""
        for node, sees in zip(self.group.nodes, self.group.call("sees", place), strict=True):
            if not sees:
                raise ClusterError(
                    f"node {node} does not see {place}: expected out= on a file system that all "
                    "machines of the cluster share"
                )

    def run(self) -> SolveResult:
        """Solve all tiers that are not finished. Raises WorkerLost."""
        for tier in range(self.first, len(self.goal.bounds)):
            self._solve_tier(tier)
            above = self.goal.bounds[tier][1]
            self.context.progress(Progress("solving", above, self.num_vertices))
        self.goal.forget()
        counted = Capability.GENERATED in self.goal.space.capabilities
        statistics = Statistics(self.num_edges if counted else None, levels=tuple(self.goal.levels))
        if self.files is None:
            return SolveResult(PackedTable(self.words), statistics)
        table = CodedTable(self.files.codes(), self.files.dictionary(), True)
        return SolveResult(table, statistics)

    # -- a tier ---------------------------------------------------------------------------------

    def _solve_tier(self, tier: int) -> None:
        """Solve a tier, keep it, and let the partitions read it."""
        places = self._places(tier)
        self.earlier.hold(tier, self._read)
        each: list[list[Tier]] = [[] for _ in self.numbers]
        for place in places:
            each[place.worker].append(place.tier)
        prepared: list[Prepared] = _flat(self.group.call("begin", self.has_ties, each=each))
        self.context.timer.stage("initialisation")
        if any(found.kept for found in prepared):
            self._run_levels(tier, prepared)
            ended = self.group.call("end", "finish")
        else:
            ended = self.group.call("end", "settle")
        self.context.timer.stage("propagation")
        self.num_edges += sum(found.num_edges for found in prepared)
        self.highest = max(self.highest, *(found.highest for found in ended))
        self.has_ties = self.has_ties or any(found.has_ties for found in ended)
        self._keep(tier, places)
        self.earlier.publish(tier, places, self.highest)
        self.context.timer.stage("writing")

    def _places(self, tier: int) -> list[Place]:
        """Return where each partition is, and which vertices of a tier it owns."""
        below, above = self.goal.bounds[tier]
        spans = owned(below, above, self.goal.partitions)
        tiers = [Tier(below, above, *span) for span in spans]
        return [
            Place(worker, number - numbers[0], tiers[number], runs_of(self.goal.space, tiers[number]))
            for worker, numbers in enumerate(self.numbers)
            for number in numbers
        ]

    def _keep(self, tier: int, places: Sequence[Place]) -> None:
        """Take the words of a finished tier, or have them written."""
        if self.files is not None:
            words = np.unique(np.concatenate(self.group.call("distinct")))
            fill = partial(write_files, self.group, places)
            self.files.write_in_parts(tier, words, fill, self.num_edges, self.highest)
            self.goal.saved = None
            return
        self.words = widened(self.words, self.highest)
        below = self.goal.bounds[tier][0]
        for place in places:
            for first, word, size in place.runs:
                words = self.group.get(words_of(self.group, place, word, word + size))
                self.words[below + first : below + first + size] = words

    def _read(self, tier: int, start: int, stop: int) -> IntArray:
        """Return words of a finished tier, counted from its beginning."""
        if self.files is not None:
            return self.files.read(tier, start, stop)
        below = self.goal.bounds[tier][0]
        return self.words[below + start : below + stop]

    def _run_levels(self, tier: int, prepared: list[Prepared]) -> None:
        """Run the levels of a tier, from its snapshot if there is one."""
        saved = self.goal.saved
        due = min(found.due for found in prepared)
        level, ties = 0, False
        if saved is not None and saved.tier == tier:
            due = min(_flat(self.group.call("restore", saved.place, saved.parts)))
            level, ties = saved.level, saved.ties
        if not ties:
            self._propagate(tier, False, level, due)
            if not any(found.has_ties for found in prepared):
                return
            level, due = 0, min(_flat(self.group.call("each", "begin_ties")))
        self._propagate(tier, True, level, due)

    def _propagate(self, tier: int, ties: bool, level: int, due: int) -> None:
        """Run levels until nothing is decided and nothing due."""
        steps: list[Step] = _flat(self.group.exchange("front", ties, level))
        while True:
            if not any(step.decided for step in steps):
                if due == NEVER:
                    return
                level = max(level, due - 1)
            began = time.perf_counter()
            steps = _flat(self.group.exchange("advance", ties, level))
            seconds, level = time.perf_counter() - began, level + 1
            due = min(step.due for step in steps)
            if self.context.checkpoint.due():
                self._save(tier, ties, level)
            self._note(tier, ties, level, steps, seconds)

    def _save(self, tier: int, ties: bool, level: int) -> None:
        """Save a snapshot: each partition its part."""
        place = self.goal.next_place()
        parts = _flat(self.group.call("save", place))
        self.goal.keep(SavedLevel(tier, ties, level, place, parts))

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
        done = min(self.goal.bounds[tier][0] + self.num_decided, self.num_vertices)
        self.context.progress(Progress("solving", done, self.num_vertices))


def _flat(lists: list[list[Any]]) -> list[Any]:
    """Return what all partitions report, in their order."""
    return [item for part in lists for item in part]

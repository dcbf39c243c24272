"""Retrograde analysis in partitions, in processes of one machine or of many.

Each partition owns a range of the vertices of a tier, and the edges out of them. Levels run in step: a
partition publishes what it has decided at a level, all of them read that, count down the open moves of
their own vertices and so find the next level. What is published is one object for each worker and
level, and it names each vertex once, however many edges lead to it. Values and remotenesses do not
depend on the number of partitions, and a solve that has lost workers goes on from its last snapshot.
"""

from __future__ import annotations

import functools
import json
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple, cast

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.distributed.group import WorkerGroup, WorkerLost, owned
from retrosolve.distributed.partition import NEVER, LevelReport, TierStart
from retrosolve.distributed.rows import Tier
from retrosolve.distributed.snapshots import SnapshotPart, delete
from retrosolve.distributed.words import Assignment, SharedTiers, words_of, write_files
from retrosolve.distributed.worker import Worker
from retrosolve.errors import ClusterError
from retrosolve.kernels.words import widened, word_dtype
from retrosolve.runtime.checkpoint import Facts
from retrosolve.runtime.context import ClusterOptions, Context
from retrosolve.runtime.progress import Progress
from retrosolve.runtime.threads import ThreadPool, cpu_count
from retrosolve.spaces.base import Capability, RulesSpace, StateSpace
from retrosolve.spaces.reachability import mark_reachable
from retrosolve.tables import PackedTable
from retrosolve.tables.coded import CodedTable
from retrosolve.tables.result import LevelUse, SolveResult, Statistics
from retrosolve.values import TIE, Value

logger = logging.getLogger(__name__)

MAX_FRUITLESS = 5  # attempts that lose a worker without having come further than those before


def solve(space: StateSpace, stuck: Value, context: Context) -> SolveResult:
    """Solve any space in partitions.

    Parameters
    ----------
    space : StateSpace
    stuck : Value
        The value of a vertex without edges, for the player to move.
    context : Context
        Its ``cluster`` says where, and how many partitions there are.

    Returns
    -------
    SolveResult
        With the use of each level.

    Raises
    ------
    RulesError
        If the rules break their contract.
    StoreError
        If a snapshot cannot be written or read.
    ClusterError
        If there is no cluster, or if workers are lost again and again.
    """
    options = context.cluster or ClusterOptions()
    open_group = options.open_group
    if open_group is None:
        from retrosolve.distributed.ray_group import connect
        from retrosolve.distributed.ray_group import open_group as on_ray

        connect(options.address)
        open_group = functools.partial(on_ray, options.address)
    partitions = options.partitions or cpu_count()
    spec = SolveSpec(_shipped(space, context), stuck, context, partitions, options.snapshots)
    fruitless, furthest = 0, spec.reached()
    while True:
        group = None
        try:
            group = open_group(partitions)
            result = DistributedSolve(spec, group).run()
            group.close()
            return result
        except WorkerLost as lost:
            reached = spec.reached()
            logger.info("a worker was lost: going on from tier %d, level %d", reached[0], reached[2])
            fruitless = 0 if reached > furthest else fruitless + 1
            furthest = reached
            if fruitless >= MAX_FRUITLESS:
                why = str(lost).partition("\n")[0]
                raise ClusterError(
                    f"workers were lost {fruitless} times without any progress, the last one because "
                    f"of {why}: expected a cluster with more memory or better nodes"
                ) from None
            if group is not None:
                group.kill()
        except BaseException:
            if group is not None:
                group.kill()
            raise


def _shipped(space: StateSpace, context: Context) -> StateSpace:
    """Return the input of workers: rows if edges are stored, reachable indices if only they count."""
    if Capability.CSR in space.capabilities:
        graph = space.materialize()
        assert graph.indptr is not None  # sorted here, once
        return graph
    if Capability.REACHABLE_ONLY in space.capabilities:
        generated = cast(RulesSpace, space)
        with ThreadPool(context.threads, generated.work) as pool:
            words = mark_reachable(generated, pool, context.progress)
        context.timer.stage("finding positions")
        return space.detach(PackedTable(words))
    return space


# -- what is solved, and what outlives a lost worker ------------------------------------------------

STAGE = "partitions"  # what is saved in snapshots
FOLDER = "parts"


class SavedLevel(NamedTuple):
    """A snapshot: everything up to ``level`` of a tier, in parts at a place."""

    tier: int
    ties: bool
    level: int
    place: str
    parts: Sequence[SnapshotPart]


@dataclass
class SolveSpec:
    """What is to be solved, and what stays of it when workers are lost.

    Parameters
    ----------
    space : StateSpace
    stuck : Value
    context : Context
    partitions : int
    snapshots : str, optional
        Where partitions write snapshots; by default beside the directory that is solved into.

    Attributes
    ----------
    saved : SavedLevel or None
        The last snapshot, of a tier that is not finished.
    levels : list of LevelUse
        The levels so far, those that were run again included.
    """

    space: StateSpace
    stuck: Value
    context: Context
    partitions: int
    snapshots: str | None = None
    saved: SavedLevel | None = None
    levels: list[LevelUse] = field(default_factory=list)

    def __post_init__(self) -> None:
        snapshot = self.context.checkpoint.resumed(STAGE)
        if snapshot is not None:
            facts: Any = snapshot.facts
            parts = [SnapshotPart(*part) for part in json.loads(snapshot.array("parts").tobytes())]
            ties = bool(facts["ties"])
            self.saved = SavedLevel(facts["tier"], ties, facts["level"], facts["place"], parts)

    @property
    def bounds(self) -> list[tuple[int, int]]:
        """The vertices of each tier, which partitions share."""
        return list(pairwise([*self.space.tiers, self.space.num_vertices]))

    def reached(self) -> tuple[int, int, int]:
        """Return the beginning of an attempt: the number of finished tiers, and a level."""
        tiers = self.context.checkpoint.tiers
        finished = 0 if tiers is None else tiers.num_finished
        return (finished, 0, 0) if self.saved is None else (finished, self.saved.ties, self.saved.level)

    def next_place(self) -> str:
        """Return where to write the next snapshot: not over the last one."""
        folder = self.snapshots or self.context.checkpoint.place
        last = "" if self.saved is None else self.saved.place[-1:]
        return f"{folder}/{FOLDER}-{1 if last == '0' else 0}"

    def keep(self, saved: SavedLevel) -> None:
        """Record a snapshot that is written, and delete the one before. Raises StoreError."""
        facts: Facts = {
            "stage": STAGE, "tier": saved.tier, "ties": int(saved.ties), "level": saved.level,
            "place": saved.place,
        }  # fmt: skip
        parts = np.frombuffer(json.dumps(saved.parts).encode(), np.uint8)
        self.context.checkpoint.save(facts, {"parts": parts})
        before, self.saved = self.saved, saved
        if before is not None and before.place != saved.place:
            delete(before.place)

    def forget(self) -> None:
        """Delete what snapshots have left elsewhere than beside the directory that is solved into."""
        if self.snapshots is not None:
            for number in (0, 1):
                delete(f"{self.snapshots}/{FOLDER}-{number}")


# -- one attempt: tier by tier, level by level ------------------------------------------------------


class DistributedSolve:
    """A solve as far as its workers live.

    Parameters
    ----------
    spec : SolveSpec
    group : WorkerGroup
    """

    def __init__(self, spec: SolveSpec, group: WorkerGroup) -> None:
        self.spec, self.group = spec, group
        self.context, self.files = spec.context, spec.context.checkpoint.tiers
        self.numbers = [range(*span) for span in owned(0, spec.partitions, group.size)]
        group.start(Worker, (spec.space, spec.stuck), self.numbers)
        self.num_vertices: int = spec.space.num_vertices
        self.words: IntArray = np.zeros(0, word_dtype(0))
        self.num_edges = self.highest = self.num_decided = self.first = 0
        self.has_ties = False
        if self.files is None:
            self.words = np.zeros(self.num_vertices, word_dtype(0))
        else:
            self._check_sees(spec.context.checkpoint.place)
            self.first, self.highest = self.files.num_finished, self.files.highest
            self.num_edges = self.files.num_edges
            self.has_ties = bool((self.files.dictionary().value == TIE).any())
        self.earlier = SharedTiers(spec.space, group, self.highest)

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
        for tier in range(self.first, len(self.spec.bounds)):
            self._solve_tier(tier)
            above = self.spec.bounds[tier][1]
            self.context.progress(Progress("solving", above, self.num_vertices))
        self.spec.forget()
        counted = Capability.GENERATED in self.spec.space.capabilities
        statistics = Statistics(self.num_edges if counted else None, levels=tuple(self.spec.levels))
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
        prepared: list[TierStart] = _flat(self.group.call("begin", self.has_ties, each=each))
        self.context.timer.stage("initialisation")
        if any(start.num_inner for start in prepared):
            self._run_levels(tier, prepared)
            ended = self.group.call("end", "finish")
        else:
            ended = self.group.call("end", "settle")
        self.context.timer.stage("propagation")
        self.num_edges += sum(start.num_edges for start in prepared)
        self.highest = max(self.highest, *(result.highest for result in ended))
        self.has_ties = self.has_ties or any(result.has_ties for result in ended)
        self._keep(tier, places)
        self.earlier.publish(tier, places, self.highest)
        self.context.timer.stage("writing")

    def _places(self, tier: int) -> list[Assignment]:
        """Return where each partition is, and which vertices of a tier it owns."""
        below, above = self.spec.bounds[tier]
        spans = owned(below, above, self.spec.partitions)
        tiers = [Tier(below, above, *span) for span in spans]
        return [
            Assignment(worker, number - numbers[0], tiers[number])
            for worker, numbers in enumerate(self.numbers)
            for number in numbers
        ]

    def _keep(self, tier: int, places: Sequence[Assignment]) -> None:
        """Take the words of a finished tier, or have them written."""
        if self.files is not None:
            words = np.unique(np.concatenate(self.group.call("distinct")))
            fill = functools.partial(write_files, self.group, places)
            self.files.write_in_parts(tier, words, fill, self.num_edges, self.highest)
            self.spec.saved = None
            return
        self.words = widened(self.words, self.highest)
        for place in places:
            words = words_of(self.group, place, 0, place.tier.size)
            self.words[place.tier.start : place.tier.stop] = self.group.get(words)

    def _read(self, tier: int, start: int, stop: int) -> IntArray:
        """Return words of a finished tier, counted from its beginning."""
        if self.files is not None:
            return self.files.read(tier, start, stop)
        below = self.spec.bounds[tier][0]
        return self.words[below + start : below + stop]

    def _run_levels(self, tier: int, prepared: list[TierStart]) -> None:
        """Run the levels of a tier, from its snapshot if there is one."""
        saved = self.spec.saved
        due = min(start.due for start in prepared)
        level, ties = 0, False
        if saved is not None and saved.tier == tier:
            due = min(_flat(self.group.call("restore", saved.place, saved.parts)))
            level, ties = saved.level, saved.ties
        if not ties:
            self._propagate(tier, False, level, due)
            if not any(start.has_ties for start in prepared):
                return
            level, due = 0, min(_flat(self.group.call("each", "begin_ties")))
        self._propagate(tier, True, level, due)

    def _propagate(self, tier: int, ties: bool, level: int, due: int) -> None:
        """Run levels until nothing is decided and nothing due."""
        steps: list[LevelReport] = _flat(self.group.exchange("front", ties, level))
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
        place = self.spec.next_place()
        parts = _flat(self.group.call("save", place))
        self.spec.keep(SavedLevel(tier, ties, level, place, parts))

    def _note(
        self, tier: int, ties: bool, level: int, steps: list[LevelReport], seconds: float
    ) -> None:
        """Record what a level took, and report how much is decided."""
        decided = [step.decided for step in steps]
        slowest = max(range(len(steps)), key=lambda p: steps[p].seconds)
        use = LevelUse(
            tier, ties, level, sum(decided), sum(number > 0 for number in decided),
            sum(step.nbytes for step in steps), seconds, slowest, steps[slowest].seconds,
        )  # fmt: skip
        self.spec.levels.append(use)
        self.num_decided += use.decided
        done = min(self.spec.bounds[tier][0] + self.num_decided, self.num_vertices)
        self.context.progress(Progress("solving", done, self.num_vertices))


def _flat(lists: list[list[Any]]) -> list[Any]:
    """Return the reports of all partitions, in their order."""
    return [item for part in lists for item in part]

"""Retrograde analysis in partitions, in processes of one machine or of many.

Each partition owns a range of the vertices of a tier, and the edges out of them. Levels run in step: a
partition publishes what it has decided at a level, all of them read that, count down the open moves of
their own vertices and so find the next level. What is published is one object for each partition and
level, and it names each vertex once, however many edges lead to it. Values and remotenesses do not
depend on the number of partitions, and a solve that has lost workers goes on from its last snapshot.
"""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.distributed.group import WorkerGroup, owned, work_through
from retrosolve.distributed.partition import (
    NEVER,
    LevelReport,
    Partition,
    SnapshotPart,
    Tier,
    TierEnd,
    TierStart,
    delete,
)
from retrosolve.distributed.plan import buffers
from retrosolve.errors import ClusterError
from retrosolve.objectives.words import widened, word_dtype
from retrosolve.runtime.context import ClusterOptions, Context, Facts
from retrosolve.runtime.progress import Progress
from retrosolve.runtime.threads import ThreadPool, cpu_count
from retrosolve.spaces.base import Capability, RulesSpace, StateSpace
from retrosolve.spaces.reachability import mark_reachable
from retrosolve.store.resume import TierPlan
from retrosolve.tables import PackedTable
from retrosolve.tables.coded import CodedTable
from retrosolve.tables.result import LevelUse, SolveResult, Statistics
from retrosolve.tables.summary import spans
from retrosolve.values import TIE, Value


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
    spec = SolveSpec(_shipped(space, context), stuck, context, options.snapshots)
    return work_through(
        open_group,
        options.partitions or cpu_count(),
        lambda group: DistributedSolve(spec, group).run(),
        spec.reached,
        "without any progress",
    )


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


class Reached(NamedTuple):
    """How far a solve has come: the number of finished tiers, and a level of the next one."""

    finished: int
    ties: int
    level: int


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
        return self.space.tier_bounds

    def reached(self) -> Reached:
        """Return the beginning of an attempt."""
        tiers = self.context.checkpoint.tiers
        finished = 0 if tiers is None else tiers.num_finished
        return Reached(finished, *((0, 0) if self.saved is None else self.saved[1:3]))

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
    """A solve as far as its workers live, each of them a partition.

    Parameters
    ----------
    spec : SolveSpec
    group : WorkerGroup
    """

    def __init__(self, spec: SolveSpec, group: WorkerGroup) -> None:
        self.spec, self.group = spec, group
        self.context, self.files = spec.context, spec.context.checkpoint.tiers
        group.start(Partition, spec.space, spec.stuck)
        self.num_vertices: int = spec.space.num_vertices
        self.words: IntArray = np.zeros(0, word_dtype(0))
        self.num_edges = self.highest = self.num_decided = self.first = 0
        self.has_ties = False
        if self.files is None:
            self.words = buffers(spec.space, 0).zeros("words")
        else:
            self._check_sees(spec.context.checkpoint.place)
            self.first, self.highest = self.files.num_finished, self.files.highest
            self.num_edges = self.files.num_edges
            self.has_ties = bool((self.files.dictionary().value == TIE).any())
        # The first worker of each machine writes what others have decided.
        first = {node: worker for worker, node in reversed(list(enumerate(group.nodes)))}
        self.leaders = sorted(first.values())
        self.held: set[int] = set()
        self._share_words()

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
        below, above = self.spec.bounds[tier]
        tiers = [Tier(below, above, *span) for span in owned(below, above, self.group.size)]
        self._hold(tier)
        prepared: list[TierStart] = self.group.call("begin", self.has_ties, each=tiers)
        self.context.timer.stage("initialisation")
        has_levels = any(start.num_inner for start in prepared)
        if has_levels:
            self._run_levels(tier, prepared)
        ended: list[TierEnd] = self.group.call("finish" if has_levels else "settle")
        self.context.timer.stage("propagation")
        self.num_edges += sum(start.num_edges for start in prepared)
        self.highest = max(self.highest, *(end.highest for end in ended))
        self.has_ties = self.has_ties or any(end.has_ties for end in ended)
        self._keep(tier, tiers)
        self._publish(tier, tiers)
        self.context.timer.stage("writing")

    def _keep(self, tier: int, tiers: Sequence[Tier]) -> None:
        """Take the words of a finished tier, or have them written."""
        if self.files is not None:
            words = np.unique(np.concatenate(self.group.call("distinct")))
            fill = functools.partial(write_files, self.group, tiers)
            self.files.write_in_parts(tier, words, fill, self.num_edges, self.highest)
            self.spec.saved = None
            return
        self.words = widened(self.words, self.highest)
        for worker, part in enumerate(tiers):
            self.words[part.start : part.stop] = self.group.call_one(worker, "words_between")

    # -- the words of earlier tiers, once on each machine ---------------------------------------

    def _share_words(self) -> None:
        """Make the words of earlier tiers that the workers of each machine share."""
        self.kind = word_dtype(self.highest)
        if len(self.spec.bounds) > 1:
            call, kind, nodes = self.group.call_one, str(self.kind.__name__), self.group.nodes
            paths = {nodes[leader]: call(leader, "new_words", kind) for leader in self.leaders}
            self.group.call("open_words", kind, each=[paths[node] for node in nodes])
            for leader in self.leaders:
                call(leader, "unlink", paths[nodes[leader]])

    def _hold(self, tier: int) -> None:
        """Hold the tiers that moves of a tier lead to, and no others."""
        if len(self.spec.bounds) == 1:
            return
        needed = set(self.spec.space.tier_targets(tier))
        for other in sorted(self.held - needed):
            for leader in self.leaders:
                self.group.call_one(leader, "drop_words", *self.spec.bounds[other])
        for other in sorted(needed - self.held):
            below, above = self.spec.bounds[other]
            for start, stop in spans(above - below):
                if self.files is None:
                    words = self.words[below + start : below + stop]
                else:
                    words = self.files.read(other, start, stop)
                for leader in self.leaders:
                    self.group.call_one(leader, "fill_words", below + start, words)
        self.held = needed

    def _publish(self, tier: int, tiers: Sequence[Tier]) -> None:
        """Let all machines read a finished tier."""
        if tier + 1 == len(self.spec.bounds):
            return
        if word_dtype(self.highest) is not self.kind:
            self.held = set()
            self._share_words()
        self.group.call("share")
        for worker, part in enumerate(tiers):
            for leader in self.leaders:
                if self.group.nodes[leader] != self.group.nodes[worker]:
                    words = self.group.handle(worker, "words_between")
                    self.group.call_one(leader, "fill_words", part.start, words)
        self.held.add(tier)

    # -- levels ---------------------------------------------------------------------------------

    def _run_levels(self, tier: int, prepared: list[TierStart]) -> None:
        """Run the levels of a tier, from its snapshot if there is one."""
        saved = self.spec.saved
        due = min(start.due for start in prepared)
        level, ties = 0, False
        if saved is not None and saved.tier == tier:
            due = min(self.group.call("restore", saved.place, saved.parts))
            level, ties = saved.level, saved.ties
        if not ties:
            self._propagate(tier, False, level, due)
            if not any(start.has_ties for start in prepared):
                return
            level, due = 0, min(self.group.call("begin_ties"))
        self._propagate(tier, True, level, due)

    def _propagate(self, tier: int, ties: bool, level: int, due: int) -> None:
        """Run levels until nothing is decided and nothing due."""
        steps: list[LevelReport] = self.group.exchange("front", ties, level)
        while True:
            if not any(step.decided for step in steps):
                if due == NEVER:
                    return
                level = max(level, due - 1)
            began = time.perf_counter()
            steps = self.group.exchange("advance", ties, level)
            seconds, level = time.perf_counter() - began, level + 1
            due = min(step.due for step in steps)
            if self.context.checkpoint.due():
                place = self.spec.next_place()
                parts = self.group.call("save", place)
                self.spec.keep(SavedLevel(tier, ties, level, place, parts))
            self._note(tier, ties, level, steps, seconds)

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


def write_files(group: WorkerGroup, tiers: Sequence[Tier], plan: TierPlan) -> None:
    """Write all files of a finished tier, each by the worker that has its first vertex."""
    waiting = []
    (size,), shard = plan.array.shape, plan.array.shard
    for start in range(0, size, shard):
        words: dict[int, Any] = {}
        for worker, part in enumerate(tiers):
            first = part.start - part.below
            low, high = max(start, first), min(start + shard, first + part.size)
            if low < high:
                words[worker] = group.handle(worker, "words_between", low - first, high - first)
        waiting.append(group.handle(min(words), "write", plan, start, *words.values()))
    for handle in waiting:
        group.get(handle)

"""Retrograde analysis in partitions, in processes of one machine or of many.

Each partition owns a range of the vertices of a tier, and the edges out of them. Levels run in step: a
partition publishes what it has decided at a level, all of them read that, count down the open moves of
their own vertices and so find the next level. What is published is one object for each partition and
level, and it names each vertex once, however many edges lead to it. Values and remotenesses do not
depend on the number of partitions, and a solve that has lost workers goes on from its last snapshot.

Nobody is told of an edge, so no two messages say the same. Snapshots are a file for each partition, on
any file system that fsspec knows. Parts are read by the ranges of vertices that they hold, so a solve
may go on with another number of partitions.
"""

from __future__ import annotations

import functools
import json
import mmap
import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import PLACEHOLDER, ByteArray, IntArray, index_dtype, read_only, spans
from retrosolve.compilation import jit
from retrosolve.compilation.unsigned import u64
from retrosolve.distributed.group import RayGroup, groups_of, owned, work_through
from retrosolve.distributed.plan import SPARSE, buffers, entry_dtype, message_bytes
from retrosolve.errors import ClusterError, RulesError, StoreError
from retrosolve.objectives.words import (
    LOSS,
    LOSS_NOT_BEFORE,
    OPEN,
    PENDING_LOSS,
    PENDING_WIN,
    TIE,
    WIN,
    code_of,
    pack,
    remoteness_of,
    widened,
    word_dtype,
)
from retrosolve.runtime.context import ClusterOptions, Context, Facts, Progress
from retrosolve.runtime.files import error_text
from retrosolve.runtime.memory import format_bytes
from retrosolve.runtime.threads import ThreadPool, cpu_count
from retrosolve.spaces.base import (
    ASSUMED_BRANCHING,
    Capability,
    EdgeBlockSpace,
    RulesSpace,
    StateSpace,
)
from retrosolve.spaces.csr import partition
from retrosolve.spaces.csr.build import edges_to_csr
from retrosolve.spaces.csr.open_moves import state_dtype
from retrosolve.spaces.reachability import mark_reachable
from retrosolve.store.resume import SnapshotFile, TierPlan, write_arrays, write_words
from retrosolve.tables import PackedTable
from retrosolve.tables.coded import CodedTable
from retrosolve.tables.recoding import canonical
from retrosolve.tables.result import LevelUse, SolveResult, Statistics
from retrosolve.values import INVALID, Value


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
    spec = SolveSpec(_shipped(space, context), stuck, context, options.snapshots)
    return work_through(
        options.open_group or groups_of(options.address),
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
    group : RayGroup
    """

    def __init__(self, spec: SolveSpec, group: RayGroup) -> None:
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
            self.has_ties = bool((self.files.dictionary().value == Value.TIE).any())
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


def write_files(group: RayGroup, tiers: Sequence[Tier], plan: TierPlan) -> None:
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


class SnapshotPart(NamedTuple):
    """The part of a snapshot that is of one partition.

    Parameters
    ----------
    start, stop : int
        Its vertices.
    name : str
        Its file.
    arrays : dict
        Where its arrays are in the file.
    """

    start: int
    stop: int
    name: str
    arrays: dict[str, dict[str, Any]]


def write_part(place: str, span: tuple[int, int], arrays: Mapping[str, NDArray[Any]]) -> SnapshotPart:
    """Write the part of a partition into a folder, which is made. Raises StoreError.

    Parameters
    ----------
    place : str
        A path, or an address such as ``s3://bucket/folder``.
    span : tuple of two int
        The vertices of the partition.
    arrays : mapping of str to array
        An element for each vertex.
    """
    system, folder = opened(place)
    name = f"part-{span[0]}"
    if span[0] == span[1]:
        return SnapshotPart(*span, name, {})
    path = f"{folder}/{name}"
    try:
        system.makedirs(folder, exist_ok=True)
        with system.open(path, "wb") as file:
            places = write_arrays(file, arrays)
            if "file" in system.protocol:
                file.flush()
                os.fsync(file.fileno())
    except OSError as error:
        needed = format_bytes(sum(array.nbytes for array in arrays.values()))
        raise StoreError(
            f"cannot write {path}, which needs {needed}: {error_text(error)}: "
            "expected room for it, on a file system of all machines"
        ) from None
    return SnapshotPart(*span, name, places)


def read_range(
    place: str, parts: Sequence[SnapshotPart], name: str, span: tuple[int, int]
) -> NDArray[Any]:
    """Return an array of the vertices of a partition, from all parts that have some of them.

    Raises StoreError.
    """
    system, folder = opened(place)
    ranges = []
    for part in sorted(parts):
        low, high = max(part.start, span[0]), min(part.stop, span[1])
        if low < high:
            file = SnapshotFile(f"{folder}/{part.name}", part.arrays, opened=system.open)
            ranges.append(file.array(name)[low - part.start : high - part.start])
    if not ranges:
        kinds = [part.arrays[name]["dtype"] for part in parts if part.arrays]
        return np.zeros(0, kinds[0])
    return np.concatenate(ranges)


def delete(place: str) -> None:
    """Delete the parts in a folder, if there are any."""
    system, folder = opened(place)
    if system.exists(folder):
        system.rm(folder, recursive=True)


def opened(place: str) -> tuple[Any, str]:
    """Return the file system of a place, and its path there. Raises StoreError."""
    import fsspec

    try:
        system, path = fsspec.core.url_to_fs(place)
    except (ValueError, ImportError) as error:
        raise StoreError(f"cannot use {place} for snapshots: {error}") from None
    return system, str(path)


NEVER = 1 << 62
VERTICES_AT_ONCE = 1 << 18
EDGES_PER_BUCKET = 4
SHARED_MEMORY = Path("/dev/shm")
NO_BITS: ByteArray = np.zeros(0, np.uint8)


class Tier(NamedTuple):
    """A tier and the part of it that a partition owns.

    Parameters
    ----------
    below, above : int
        The tier is ``below..above-1``.
    start, stop : int
        The vertices of the partition.
    """

    below: int
    above: int
    start: int
    stop: int

    @property
    def size(self) -> int:
        """The number of vertices of the partition."""
        return self.stop - self.start


class Message(NamedTuple):
    """The vertices that a partition has decided in a level.

    An entry is ``2 * v + side``, as in ``csr.open_moves``, with ``v`` counted from the first vertex
    of the partition. Entries are sent as sorted numbers, or as a set of bits for each side that occurs,
    whichever takes fewer bytes.

    Parameters
    ----------
    first, size : int
        The vertices of the partition are ``first..first+size-1``.
    num_entries : int
    entries : uint32 or uint64 [num_entries] or [0]
        The entries, ascending, unless they are sent as bits.
    bits : uint8 [(size + 7) // 8] or [0], twice
        For each side, the set of its vertices.
    """

    first: int
    size: int
    num_entries: int
    entries: IntArray
    bits: tuple[ByteArray, ByteArray] = (NO_BITS, NO_BITS)

    @property
    def nbytes(self) -> int:
        """The bytes of the arrays."""
        return self.entries.nbytes + sum(bits.nbytes for bits in self.bits)

    def unpacked(self) -> IntArray:
        """Return the entries, ascending, as numbers."""
        if len(self.entries) == self.num_entries:
            return self.entries
        sides = []
        for side, bits in enumerate(self.bits):
            members = np.flatnonzero(np.unpackbits(bits, bitorder="little"))
            sides.append(2 * members.astype(self.entries.dtype) + self.entries.dtype.type(side))
        if len(sides[0]) and len(sides[1]):
            return np.sort(np.concatenate(sides))
        return sides[0] if len(sides[0]) else sides[1]


def packed(first: int, size: int, entries: IntArray) -> Message:
    """Return the message of some entries, in any order."""
    entries = entries.astype(entry_dtype(size), copy=False)
    ones = int((entries & 1).sum(dtype=np.int64))
    sides = len(entries) - ones, ones
    if message_bytes(size, sides) == entries.nbytes:
        return Message(first, size, len(entries), np.sort(entries))
    bits = [NO_BITS, NO_BITS]
    for side in (0, 1):
        if sides[side]:
            members = np.zeros(size, np.uint8)
            members[entries[(entries & 1) == side] >> 1] = 1
            bits[side] = np.packbits(members, bitorder="little")
    return Message(first, size, len(entries), np.zeros(0, entries.dtype), (bits[0], bits[1]))


class TierStart(NamedTuple):
    """What a partition reports of a tier before its first level.

    Parameters
    ----------
    num_edges, num_inner : int
        The edges out of its vertices, and those that stay in the tier.
    due : int
        As in :class:`LevelReport`.
    has_ties : bool
        Whether some vertex is a TIE, or inherits one.
    """

    num_edges: int
    num_inner: int
    due: int
    has_ties: bool


class LevelReport(NamedTuple):
    """What a partition reports of a level.

    Parameters
    ----------
    decided : int
        How many vertices it has decided.
    due : int
        The next level at which one of its vertices is decided by an earlier tier, NEVER without one.
    nbytes : int
        The bytes that it publishes.
    seconds : float
        How long it took.
    """

    decided: int
    due: int
    nbytes: int
    seconds: float = 0.0


class TierEnd(NamedTuple):
    """The largest remoteness in a partition of a finished tier, and whether some vertex is a TIE."""

    highest: int
    has_ties: bool


class Partition:
    """The vertices of a partition, tier by tier.

    Parameters
    ----------
    space : StateSpace
    stuck : Value
        The value of a vertex without edges, for the player to move.

    Attributes
    ----------
    state, words : unsigned integers [size]
        See the kernels below.
    """

    state: IntArray
    words: IntArray

    def __init__(self, space: StateSpace, stuck: Value) -> None:
        self.space = space
        self.stuck = stuck
        self.alternating = int(Capability.OWNED not in space.capabilities)
        self.work = space.num_vertices * ASSUMED_BRANCHING
        self.tier = Tier(0, 0, 0, 0)
        self._earlier: IntArray = np.zeros(1, word_dtype(0))
        self._due: dict[int, list[IntArray]] = {}

    # -- the words of earlier tiers, which the partitions of a machine share --------------------

    def new_words(self, dtype: str) -> str:
        """Return the path of a new file of zeros for these words, in memory if there is room.

        It is deleted once all have opened it, so that nothing is left of processes that are killed.
        """
        size = max(1, self.space.num_vertices) * np.dtype(dtype).itemsize
        folder = None
        if SHARED_MEMORY.is_dir():
            status = os.statvfs(SHARED_MEMORY)
            folder = SHARED_MEMORY if status.f_bavail * status.f_frsize > size else None
        handle, path = tempfile.mkstemp(prefix="retrosolve-", dir=folder)
        with open(handle, "wb") as file:
            file.truncate(size)
        return path

    def open_words(self, dtype: str, path: str) -> None:
        """Map that file; only what is written into it takes memory."""
        with open(path, "r+b") as file:
            self._map = mmap.mmap(file.fileno(), 0)
        self._earlier = np.frombuffer(self._map, dtype)

    def unlink(self, path: str) -> None:
        """Delete the file, which stays until the last worker that maps it ends."""
        os.unlink(path)

    def drop_words(self, start: int, stop: int) -> None:
        """Return the memory of the whole pages of a range to the system; it reads as zeros then."""
        width, page = self._earlier.itemsize, mmap.PAGESIZE
        low, high = -(-start * width // page) * page, stop * width // page * page
        if low < high and hasattr(mmap, "MADV_REMOVE"):
            self._map.madvise(mmap.MADV_REMOVE, low, high - low)

    def fill_words(self, start: int, words: IntArray) -> None:
        """Write words of a tier."""
        self._earlier[start : start + len(words)] = words

    def share(self) -> None:
        """Write the words of the finished tier where the partitions of this machine read them."""
        self.fill_words(self.tier.start, self.words)

    # -- a tier before its levels ---------------------------------------------------------------

    def begin(self, has_ties: bool, tier: Tier) -> TierStart:
        """Settle what needs no level, and take the edges of a tier.

        ``has_ties`` says whether some vertex of an earlier tier is a TIE.

        Raises
        ------
        RulesError
            For a move to a later tier, or to an INVALID index.
        """
        self.tier = tier
        player = self.space.player(np.arange(tier.start, tier.stop))
        self._own = np.zeros(tier.size, np.uint8) if player is None else (player == 0).astype(np.uint8)
        self._tie_levels: IntArray = np.zeros(tier.size if has_ties else 0, np.uint32)
        in_files = Capability.EDGE_BLOCKS in self.space.capabilities
        parts = self._edges_in_files() if in_files else self._edges_within()
        sources, targets = (np.concatenate(side) for side in zip(*parts, strict=True))
        del parts
        if in_files:
            self._settle(sources)
        self._rows = rows_of(sources, targets, tier.above - tier.below, tier.size)
        del sources, targets
        kind = entry_dtype(tier.size)
        self._found, self._late = np.empty(tier.size + 1, kind), np.empty(tier.size + 1, kind)
        ties = bool((code_of(self.words) == TIE).any() or self._tie_levels.any())
        return TierStart(self._num_edges, len(self._rows.edges), self._collect_due(), ties)

    def _edges_within(self) -> list[tuple[IntArray, IntArray]]:
        """Settle what is decided before any level; return the edges within the tier."""
        space, tier = self.space, self.tier
        size, num_targets = tier.size, tier.above - tier.below
        owner = PLACEHOLDER
        if not self.alternating and tier.below:
            owner = read_only(space.player(np.arange(tier.below)))
        earlier = read_only(self._earlier)
        self.words = np.zeros(size, earlier.dtype)
        self.state = np.zeros(size, np.uint8)
        initialise = jit.chosen(initialise_rows, space.num_vertices + size)
        parts = [_no_edges(size, num_targets)]
        self._num_edges = 0
        for low, high in spans(size, VERTICES_AT_ONCE):
            start, stop = tier.start + low, tier.start + high
            indptr, targets = space.successors(start, stop)
            terminals = space.terminal(start, stop)
            if len(targets) and int(targets.max()) >= tier.above:
                _refuse_later(cast(RulesSpace, space), tier, start, indptr, targets)
            degrees = np.diff(indptr)
            largest = int(degrees.max(initial=0)) + 2
            kind = np.promote_types(self.state.dtype, state_dtype(largest, largest))
            self.state = self.state.astype(kind, copy=False)
            inner = (
                np.empty(len(targets), index_dtype(size)),
                np.empty(len(targets), index_dtype(num_targets)),
            )
            count, bad = initialise(
                low, read_only(indptr), read_only(targets), terminals, self._own[low:high], tier.below,
                earlier, owner, self.alternating, int(self.stuck), self.state, self.words,
                self._tie_levels, *inner,
            )  # fmt: skip
            if bad >= 0:
                _refuse_invalid(cast(RulesSpace, space), start + int(bad))
            self._num_edges += int(degrees[terminals == 0].sum(dtype=np.int64))
            parts.append((inner[0][:count], inner[1][:count]))
        return parts

    def _edges_in_files(self) -> list[tuple[IntArray, IntArray]]:
        """Return the edges out of the vertices of the partition; reads all files."""
        tier, none = self.tier, _no_edges(self.tier.size, self.space.num_vertices)
        parts = [none]
        for sources, targets in cast(EdgeBlockSpace, self.space).edge_blocks():
            chosen = np.flatnonzero((sources >= tier.start) & (sources < tier.stop))
            source = (sources[chosen] - tier.start).astype(none[0].dtype)
            parts.append((source, targets[chosen].astype(none[1].dtype)))
        return parts

    def _settle(self, sources: IntArray) -> None:
        """Settle what is terminal or stuck in a graph without tiers, by the sources of its edges."""
        degrees = np.bincount(sources, minlength=self.tier.size)
        value = np.array(self.space.terminal(self.tier.start, self.tier.stop))
        self._num_edges = int(degrees[value == 0].sum())
        value[(degrees == 0) & (value == 0)] = int(self.stuck)
        largest = int(degrees.max(initial=0))
        open_moves = np.where(value == 0, 2 * degrees, 0)
        self.state = (open_moves + self._own).astype(state_dtype(largest, largest))
        self.words = code_of(value).astype(word_dtype(0))

    def _collect_due(self) -> int:
        """Group the vertices that earlier tiers decide by their level; return the first level."""
        self._due = defaultdict(list)
        code = code_of(self.words)
        self._add_due(np.flatnonzero((code == PENDING_WIN) | (code == PENDING_LOSS)))
        return min(self._due, default=NEVER)

    def _add_due(self, vertices: IntArray) -> None:
        levels = remoteness_of(self.words[vertices])
        order = np.argsort(levels, kind="stable")
        for part in np.split(vertices[order], np.flatnonzero(np.diff(levels[order])) + 1):
            if len(part):
                self._due[int(remoteness_of(self.words[part[0]]))].append(part)

    # -- levels ---------------------------------------------------------------------------------

    def front(self, ties: bool, level: int, *_: Any) -> tuple[LevelReport, Message]:
        """Publish what has been decided at a level before, to begin from there."""
        words = self.words
        code = code_of(words)
        chosen = code == TIE if ties else (code == WIN) | (code == LOSS)
        at = np.flatnonzero(chosen & (remoteness_of(words) == level))
        return self._published(self._entries(at, code[at] == WIN))

    def _entries(self, at: IntArray, won: Any) -> IntArray:
        """Return the entries of some vertices, and whether each is a WIN."""
        side = self._own[at] ^ ~won ^ self.alternating
        kind = entry_dtype(self.tier.size)
        entries: IntArray = (2 * at.astype(kind) + side.astype(kind)).astype(kind)
        return entries

    def _published(self, entries: IntArray) -> tuple[LevelReport, Message]:
        message = packed(self.tier.start - self.tier.below, self.tier.size, entries)
        return LevelReport(len(entries), min(self._due, default=NEVER), message.nbytes), message

    def advance(self, ties: bool, level: int, *messages: Message) -> tuple[LevelReport, Message]:
        """Decide what has the remoteness ``level + 1``, and publish it.

        Parameters
        ----------
        ties : bool
            Whether ties are propagated, not wins and losses.
        level : int
            The remoteness of what the messages hold.
        *messages : Message
            What all partitions have decided.
        """
        began = time.perf_counter()
        self.words = widened(self.words, level + 1)
        notify = jit.chosen(notify_sources, self.work)
        count = 0
        for message in messages:
            if message.num_entries:
                decided, late = notify(
                    *self._rows, message.first, message.unpacked(), self.alternating, ties, level,
                    self.state, self.words, self._found[count:], self._late,
                )  # fmt: skip
                count += decided
                self._add_due(self._late[:late].astype(np.int64))
        entries = np.concatenate([self._found[:count], self._fall_due(ties, level + 1)])
        step, message = self._published(entries)
        return step._replace(seconds=time.perf_counter() - began), message

    def _fall_due(self, ties: bool, level: int) -> IntArray:
        """Decide what earlier tiers decide at a level; return its entries."""
        vertices = np.concatenate([np.zeros(0, np.int64), *self._due.pop(level, [])])
        words = self.words[vertices]
        code = code_of(words)
        falls = ((code == PENDING_WIN) | (code == PENDING_LOSS)) & (remoteness_of(words) == level)
        at, won = vertices[falls], code[falls] == PENDING_WIN
        self.state[at] &= 1
        decided = np.where(won, TIE if ties else WIN, LOSS)
        self.words[at] = pack(decided, level).astype(self.words.dtype)
        return self._entries(at, won)

    def begin_ties(self) -> int:
        """Let undecided vertices inherit a TIE; return the first level at which one does."""
        self._inherit(self.state >= 2, PENDING_WIN)
        return self._collect_due()

    def _inherit(self, is_open: Any, code: Any) -> None:
        """Write a code into open vertices that inherit a TIE."""
        if len(self._tie_levels):
            chosen = is_open & (self._tie_levels > 0)
            levels = self._tie_levels[chosen].astype(np.int64)
            self.words = widened(self.words, int(levels.max(initial=0)))
            self.words[chosen] = pack(code, levels).astype(self.words.dtype)

    # -- a tier after its levels ----------------------------------------------------------------

    def settle(self) -> TierEnd:
        """Decide at once what earlier tiers decide, in a tier that no move stays in."""
        words, code = self.words, code_of(self.words)
        for pending, decided in ((PENDING_WIN, WIN), (PENDING_LOSS, LOSS)):
            at = code == pending
            words[at] = pack(decided, remoteness_of(words[at])).astype(words.dtype)
        self._inherit((self.state >= 2) & (code != PENDING_WIN), TIE)
        return self.finish()

    def finish(self) -> TierEnd:
        """Make what is undecided a DRAW, and free what only levels need."""
        words = self.words
        code = code_of(words)
        words[code == LOSS_NOT_BEFORE] = OPEN
        decided = (code >= WIN) & (code <= TIE)
        highest = int(remoteness_of(words[decided]).max(initial=0))
        self._due = {}
        del self._rows, self.state, self._tie_levels, self._found, self._late
        return TierEnd(highest, bool((code == TIE).any()))

    def words_between(self, start: int = 0, stop: int | None = None) -> IntArray:
        """Return words of the finished tier, counted from the first of the partition."""
        return self.words[start:stop]

    def distinct(self) -> IntArray:
        """Return the different words of the finished tier, ascending."""
        return np.unique(canonical(np.unique(self.words)))

    def write(self, plan: TierPlan, start: int, *words: IntArray) -> None:
        """Write a file of the finished tier, with its words in parts. Raises StoreError."""
        write_words(plan, start, np.concatenate(words))

    # -- snapshots ------------------------------------------------------------------------------

    def sees(self, path: str) -> bool:
        """Return whether a file of the driver is there on this machine."""
        return os.path.exists(path)

    def save(self, place: str) -> SnapshotPart:
        """Write the part of a snapshot that is of this partition. Raises StoreError."""
        arrays = {"words": self.words, "state": self.state}
        return write_part(place, (self.tier.start, self.tier.stop), arrays)

    def restore(self, place: str, parts: Sequence[SnapshotPart]) -> int:
        """Go on from a snapshot; return the next level at which something is due. Raises StoreError."""
        span = self.tier.start, self.tier.stop
        self.words, self.state = (read_range(place, parts, name, span) for name in ("words", "state"))
        return self._collect_due()


def _no_edges(size: int, num_targets: int) -> tuple[IntArray, IntArray]:
    """Return no sources and no targets."""
    return np.zeros(0, index_dtype(size)), np.zeros(0, index_dtype(num_targets))


def _refuse_later(
    space: RulesSpace, tier: Tier, start: int, indptr: IntArray, targets: IntArray
) -> None:
    """Raise the error for a move to a later tier."""
    edge = int(np.argmax(targets >= tier.above))
    v = start + int(np.searchsorted(indptr, edge, side="right")) - 1
    name, target = (space.text(space.position(at)) for at in (v, int(targets[edge])))
    raise RulesError(f"{space.name}: {name} leads to {target}, which is in a later tier")


def _refuse_invalid(space: RulesSpace, v: int) -> None:
    """Raise the error for a move to an INVALID index."""
    name = space.text(space.position(v))
    target = next(w for w in space.neighbors(v).tolist() if space.terminal(w, w + 1)[0] == INVALID)
    to = space.text(space.position(target))
    raise RulesError(f"{space.name}: {name} leads to {to}, which is no position by terminal()")


# -- edges by target ------------------------------------------------------------------------------
#
# Edges are kept in buckets of ``2 ** shift`` vertices: ``starts`` has where each begins, and an edge is
# ``source | (target & mask) << bits``, the source counted from the first vertex of the partition. Where
# ``shift`` is 0 these are ordinary rows; otherwise memory depends on the edges only.


class Rows(NamedTuple):
    """Edges by target, as above."""

    starts: IntArray
    edges: IntArray
    shift: int
    bits: int


def rows_of(sources: IntArray, targets: IntArray, num_targets: int, size: int) -> Rows:
    """Return edges by target, in memory that depends on the edges where they are few."""
    number, bits = len(sources), size.bit_length()
    work = num_targets + number
    if num_targets <= SPARSE * number or num_targets < 64:
        with ThreadPool(1, work) as pool:
            starts, edges = edges_to_csr(targets, sources, max(num_targets, size), pool)
        return Rows(starts, edges, 0, bits)
    shift = max(1, (num_targets * EDGES_PER_BUCKET // (number + 1)).bit_length() - 1)
    starts = np.zeros((num_targets >> shift) + 2, np.int64)
    jit.chosen(partition.count_edges, work)(targets, 0, number, shift, starts[1:])
    np.cumsum(starts, out=starts)
    dealt: IntArray = np.empty(number, np.uint32 if bits + shift <= 32 else np.uint64)
    jit.chosen(partition.deal_edges, work)(
        targets, sources, 0, number, shift, starts.copy(), dealt, NO_BITS.copy(), bits, shift
    )
    return Rows(starts, dealt, shift, bits)


# -- kernels --------------------------------------------------------------------------------------
#
# ``state`` [size] is that of ``csr.open_moves``, ``2 * open + own``, and ``words`` [size] has the
# packed words of ``objectives.words``. A vertex with a pending win has one open move more than it has
# edges, so that it never becomes a LOSS; one with a pending loss has none.


def initialise_rows(
    start: int, indptr: IntArray, targets: IntArray, terminals: ByteArray, own: ByteArray, below: int,
    earlier: IntArray, owner: ByteArray, alternating: int, stuck: int, state: IntArray, words: IntArray,
    tie_levels: IntArray, kept_source: IntArray, kept_target: IntArray,
) -> tuple[int, int]:  # fmt: skip
    """Settle what is terminal, stuck or decided by earlier tiers; keep the edges within the tier.

    Parameters
    ----------
    start : int
        The first vertex of the rows, counted from the first of the partition.
    indptr, targets : integers [rows + 1], [m]
        Rows of successors.
    terminals : uint8 [rows]
        Terminal values.
    own : uint8 [rows]
        The side on which each vertex likes a successor to be.
    below : int
        Where the tier begins.
    earlier : words [below] or more
        The words of earlier tiers.
    owner : uint8 [below] or more, or [1]
        Who moves in earlier tiers, unless players alternate.
    alternating : int
        1 if players alternate, 0 if vertices have owners.
    stuck : int
        The value of a vertex without edges.
    state, words : unsigned integers [size]
        Overwritten for these vertices.
    tie_levels : uint32 [size] or [0]
        Gets the level at which a vertex inherits a TIE, if it has room.
    kept_source, kept_target : uint32 or int64 [m], int32 or int64 [m]
        Overwritten with the edges within the tier, both ends counted from where it begins, the source
        from the first vertex of the partition.

    Returns
    -------
    kept, bad : int
        The number of edges kept, and a row with a move to an INVALID index, -1 if there is none.
    """
    kept, bad = 0, -1
    for i in range(len(indptr) - 1):
        v = u64(start + i)
        state[v] = own[u64(i)]
        begin, end = indptr[u64(i)], indptr[u64(i + 1)]
        given = terminals[u64(i)]
        if given != 0 or begin == end:
            words[v] = code_of(given) if given != 0 else stuck
            continue
        win, floor, tie, left = 0, 0, 0, 0
        for e in range(begin, end):
            j = np.int64(targets[u64(e)])
            if j >= below:
                kept_source[u64(kept)] = start + i
                kept_target[u64(kept)] = j - below
                kept += 1
                left += 1
                continue
            word = np.int64(earlier[u64(j)])
            code, level = code_of(word), remoteness_of(word) + 1
            if code in (WIN, LOSS):
                side = (code == WIN) ^ (owner[u64(j)] == 1) if alternating == 0 else code == WIN
                if side == own[u64(i)]:
                    win = level if win == 0 else min(win, level)
                else:
                    floor = max(floor, level)
                continue
            left += 1
            if code == TIE:
                tie = level if tie == 0 else min(tie, level)
            elif code != OPEN:
                bad = i
        if win > 0:
            words[v] = pack(PENDING_WIN, win)
            left += 1
        elif left == 0:
            words[v] = pack(PENDING_LOSS, floor)
        elif floor > 0:
            words[v] = pack(LOSS_NOT_BEFORE, floor)
        else:
            words[v] = OPEN
        state[v] += 2 * left
        if tie > 0 and len(tie_levels) > 0:
            tie_levels[v] = tie
    return kept, bad


def notify_sources(
    starts: IntArray, edges: IntArray, shift: int, bits: int, first: int, entries: IntArray,
    alternating: int, ties: bool, level: int, state: IntArray, words: IntArray, found: IntArray,
    late: IntArray,
) -> tuple[int, int]:  # fmt: skip
    """Notify the sources of the edges that lead to what a partition has decided.

    Parameters
    ----------
    starts, edges, shift, bits
        As above.
    first : int
        The first vertex of that partition, counted from where the tier begins.
    entries : uint32 or uint64 [k]
        What it has decided, as in a :class:`Message`.
    alternating, ties
        As in ``csr.propagation.propagate``.
    level : int
        The remoteness of the entries.
    state, words
        As above; changed in place.
    found, late : uint32 or uint64 [size + 1], [size + 1]
        Overwritten with entries that are decided, and with vertices whose last move has lost but whose
        remoteness is larger than ``level + 1``.

    Returns
    -------
    found, late : int
        The number of each.
    """
    mask, low = (1 << shift) - 1, (1 << bits) - 1
    num_found, num_late = 0, 0
    for i in range(len(entries)):
        entry = np.int64(entries[u64(i)])
        w, side = first + (entry >> 1), entry & 1
        bucket = u64(w >> shift)
        for e in range(starts[bucket], starts[bucket + u64(1)]):
            edge = np.int64(edges[u64(e)])
            if edge >> bits != w & mask:
                continue
            v = edge & low
            s = np.int64(state[u64(v)])
            if s < 2:
                continue
            if ties or (s & 1) == side:
                word = np.int64(words[u64(v)])
                if code_of(word) == PENDING_WIN and remoteness_of(word) <= level + 1:
                    continue
            elif s >= 4:
                state[u64(v)] = s - 2
                continue
            else:
                word = np.int64(words[u64(v)])
                if code_of(word) == LOSS_NOT_BEFORE and remoteness_of(word) > level + 1:
                    words[u64(v)] = pack(PENDING_LOSS, remoteness_of(word))
                    state[u64(v)] = s & 1
                    late[u64(num_late)] = v
                    num_late += 1
                    continue
            state[u64(v)] = s & 1
            won = (s & 1) == side
            words[u64(v)] = pack(TIE if ties else (WIN if won else LOSS), level + 1)
            found[u64(num_found)] = 2 * v + (side ^ alternating)
            num_found += 1
    return num_found, num_late

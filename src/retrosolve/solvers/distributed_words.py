"""The words of earlier tiers, which all partitions read: once on each machine of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from retrosolve.arrays import IntArray
from retrosolve.cluster.group import WorkerGroup
from retrosolve.kernels.words import word_dtype
from retrosolve.solvers.distributed_rows import Tier
from retrosolve.spaces.base import Capability
from retrosolve.store.tiers import TierPlan
from retrosolve.tables.summary import spans

ReadTier = Callable[[int, int, int], IntArray]


class Place(NamedTuple):
    """Where a partition is, and which vertices of a tier it has.

    Parameters
    ----------
    worker, place : int
        Its worker, and its place among the partitions of that.
    tier : Tier
    runs : tuple of tuples of three int
        The runs of vertices whose words it has: the first vertex of each, counted from the first of the
        tier, where its words begin, and its length.
    """

    worker: int
    place: int
    tier: Tier
    runs: tuple[tuple[int, int, int], ...]


def runs_of(space: Any, tier: Tier) -> tuple[tuple[int, int, int], ...]:
    """Return the runs of vertices of a partition; of rows of two tokens there is one for each turn."""
    if Capability.BIT_ROWS not in space.capabilities:
        return ((tier.start - tier.below, 0, tier.size),)
    m, k = space.second.num_vertices, space.first.num_vertices
    size = tier.size * m
    return (tier.start * m, 0, size), ((k + tier.start) * m, size, size)


class SharedTiers:
    """Which tiers the machines of a cluster hold: those that moves of the current tier lead to.

    Parameters
    ----------
    space : StateSpace
    group : WorkerGroup
    highest : int
        The largest remoteness so far.
    """

    def __init__(self, space: Any, group: WorkerGroup, highest: int) -> None:
        self.space, self.group = space, group
        self.bounds = list(pairwise([*space.tiers, space.num_vertices]))
        self.held: set[int] = set()
        # The first worker of each machine writes what others have decided.
        first = {node: worker for worker, node in reversed(list(enumerate(group.nodes)))}
        self.leaders = sorted(first.values())
        self.kind = word_dtype(highest)
        if len(self.bounds) > 1:
            self._open()

    def _open(self) -> None:
        """Make the shared words of each machine."""
        kind = str(self.kind.__name__)
        for leader in self.leaders:
            path = self.group.tell(leader, "new_words", kind)
            here = self.group.nodes[leader]
            for worker in range(self.group.size):
                if self.group.nodes[worker] == here:
                    self.group.tell(worker, "open_words", kind, path)
            self.group.tell(leader, "forget_file", path)

    def hold(self, tier: int, read: ReadTier) -> None:
        """Hold the tiers that moves of a tier lead to, and no others.

        ``read(tier, start, stop)`` returns words of a finished tier, counted from its beginning.
        """
        if len(self.bounds) == 1:
            return
        needed = set(self.space.tier_targets(tier))
        for other in sorted(self.held - needed):
            for leader in self.leaders:
                self.group.tell(leader, "drop_words", *self.bounds[other])
        for other in sorted(needed - self.held):
            below, above = self.bounds[other]
            for start, stop in spans(above - below):
                words = read(other, start, stop)
                for leader in self.leaders:
                    self.group.tell(leader, "fill_words", below + start, words)
        self.held = needed

    def publish(self, tier: int, places: Sequence[Place], highest: int) -> None:
        """Let all machines read a finished tier."""
        if tier + 1 == len(self.bounds):
            return
        if word_dtype(highest) is not self.kind:
            self.kind, self.held = word_dtype(highest), set()
            self._open()
        self.group.call("share")
        for place in places:
            for leader in self.leaders:
                if self.group.nodes[leader] != self.group.nodes[place.worker]:
                    words = words_of(self.group, place, 0, place.tier.size)
                    self.group.tell(leader, "fill_words", place.tier.start, words)
        self.held.add(tier)


def words_of(group: WorkerGroup, place: Place, start: int, stop: int) -> Any:
    """Return a handle of words of a partition, from its first on."""
    return group.handle(place.worker, "words", place.place, start, stop)


def write_files(group: WorkerGroup, places: Sequence[Place], plan: TierPlan) -> None:
    """Write all files of a finished tier, each by the worker that has its first vertex."""
    waiting = []
    for start in range(0, plan.size, plan.shard):
        parts = list(overlapping(places, start, min(start + plan.shard, plan.size)))
        words = [words_of(group, *part) for part in parts]
        waiting.append(group.handle(parts[0][0].worker, "write", plan, start, *words))
    for handle in waiting:
        group.get(handle)


def overlapping(places: Sequence[Place], start: int, stop: int) -> Iterator[tuple[Place, int, int]]:
    """Yield the partitions that have some vertices of a range of their tier, and which words."""
    found = []
    for place in places:
        for first, word, size in place.runs:
            low, high = max(start, first), min(stop, first + size)
            if low < high:
                found.append((low, place, word + low - first, word + high - first))
    for _, place, begin, end in sorted(found, key=lambda part: part[0]):
        yield place, begin, end

"""The words of earlier tiers, which all partitions read: in shared memory, once on each machine."""

from __future__ import annotations

import mmap
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.distributed.group import WorkerGroup
from retrosolve.distributed.rows import Tier
from retrosolve.kernels.words import word_dtype
from retrosolve.spaces.base import StateSpace
from retrosolve.store.resume import TierPlan
from retrosolve.tables.summary import spans

MEMORY = Path("/dev/shm")


ReadTier = Callable[[int, int, int], IntArray]


class SharedWords:
    """An array of words that several processes map; only what was written takes memory.

    Parameters
    ----------
    path : str
        The file, from :func:`new_file`.
    num_words : int
    dtype : dtype

    Attributes
    ----------
    words : array [num_words]
    """

    def __init__(self, path: str, num_words: int, dtype: Any) -> None:
        kind = np.dtype(dtype)
        with open(path, "r+b") as file:
            self._map = mmap.mmap(file.fileno(), max(1, num_words * kind.itemsize))
        self.words: IntArray = np.frombuffer(self._map, kind, num_words)

    def drop(self, start: int, stop: int) -> None:
        """Return the memory of the whole pages of a range to the system; it reads as zeros then."""
        width, page = self.words.itemsize, mmap.PAGESIZE
        low, high = -(-start * width // page) * page, stop * width // page * page
        if low < high and hasattr(mmap, "MADV_REMOVE"):
            self._map.madvise(mmap.MADV_REMOVE, low, high - low)


def new_file(num_words: int, dtype: Any) -> str:
    """Return the path of a new file of zeros for :class:`SharedWords`, in memory if there is room.

    It is deleted once all have opened it, so that nothing is left of processes that are killed.
    """
    size = max(1, num_words * np.dtype(dtype).itemsize)
    folder = None
    if MEMORY.is_dir():
        status = os.statvfs(MEMORY)
        folder = MEMORY if status.f_bavail * status.f_frsize > size else None
    handle, path = tempfile.mkstemp(prefix="retrosolve-", dir=folder)
    try:
        os.truncate(handle, size)
    finally:
        os.close(handle)
    return path


class Assignment(NamedTuple):
    """A partition: which worker has it, and which vertices of a tier it owns.

    Parameters
    ----------
    worker, place : int
        Its worker, and its place among the partitions of that.
    tier : Tier
    """

    worker: int
    place: int
    tier: Tier


class SharedTiers:
    """Which tiers the machines of a cluster hold: those that moves of the current tier lead to.

    Parameters
    ----------
    space : StateSpace
    group : WorkerGroup
    highest : int
        The largest remoteness so far.
    """

    def __init__(self, space: StateSpace, group: WorkerGroup, highest: int) -> None:
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
            path = self.group.call_one(leader, "new_words", kind)
            here = self.group.nodes[leader]
            for worker in range(self.group.size):
                if self.group.nodes[worker] == here:
                    self.group.call_one(worker, "open_words", kind, path)
            self.group.call_one(leader, "unlink", path)

    def hold(self, tier: int, read: ReadTier) -> None:
        """Hold the tiers that moves of a tier lead to, and no others.

        ``read(tier, start, stop)`` returns words of a finished tier, counted from its beginning.
        """
        if len(self.bounds) == 1:
            return
        needed = set(self.space.tier_targets(tier))
        for other in sorted(self.held - needed):
            for leader in self.leaders:
                self.group.call_one(leader, "drop_words", *self.bounds[other])
        for other in sorted(needed - self.held):
            below, above = self.bounds[other]
            for start, stop in spans(above - below):
                words = read(other, start, stop)
                for leader in self.leaders:
                    self.group.call_one(leader, "fill_words", below + start, words)
        self.held = needed

    def publish(self, tier: int, places: Sequence[Assignment], highest: int) -> None:
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
                    self.group.call_one(leader, "fill_words", place.tier.start, words)
        self.held.add(tier)


def words_of(group: WorkerGroup, place: Assignment, start: int, stop: int) -> Any:
    """Return a handle of words of a partition, from its first on."""
    return group.handle(place.worker, "words", place.place, start, stop)


def write_files(group: WorkerGroup, places: Sequence[Assignment], plan: TierPlan) -> None:
    """Write all files of a finished tier, each by the worker that has its first vertex."""
    waiting = []
    (size,), shard = plan.array.shape, plan.array.shard
    for start in range(0, size, shard):
        parts = list(overlapping(places, start, min(start + shard, size)))
        words = [words_of(group, *part) for part in parts]
        waiting.append(group.handle(parts[0][0].worker, "write", plan, start, *words))
    for handle in waiting:
        group.get(handle)


def overlapping(
    places: Sequence[Assignment], start: int, stop: int
) -> Iterator[tuple[Assignment, int, int]]:
    """Yield the partitions that own vertices of a range of their tier, each with the words it has."""
    for place in sorted(places, key=lambda place: place.tier.start):
        first = place.tier.start - place.tier.below
        low, high = max(start, first), min(stop, first + place.tier.size)
        if low < high:
            yield place, low - first, high - first

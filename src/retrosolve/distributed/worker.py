"""A worker of a distributed solve: a process with some of the partitions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from retrosolve.arrays import IntArray, read_only
from retrosolve.distributed.messages import Message
from retrosolve.distributed.partition import LevelReport, Partition, TierStart, canonical
from retrosolve.distributed.rows import Tier
from retrosolve.distributed.snapshots import SnapshotPart, read_range, write_part
from retrosolve.distributed.words import SharedWords, new_file
from retrosolve.kernels.words import TIE, code_of, word_dtype
from retrosolve.spaces.base import StateSpace
from retrosolve.store.resume import TierPlan, write_words
from retrosolve.values import Value


class TierResult(NamedTuple):
    """The largest remoteness of a tier in a worker, and whether some vertex is a TIE."""

    highest: int
    has_ties: bool


class Worker:
    """Some of the partitions of a solve, and the words of earlier tiers.

    The workers of a machine share these words.

    Parameters
    ----------
    space : StateSpace
    stuck : Value
        The value of a vertex without edges, for the player to move.
    numbers : sequence of int
        Which partitions these are.
    """

    def __init__(self, space: StateSpace, stuck: Value, numbers: Sequence[int]) -> None:
        self.numbers = numbers
        self.partitions = [Partition(space, stuck) for _ in numbers]
        self._num_vertices = space.num_vertices
        self._shared: SharedWords | None = None

    # -- words of earlier tiers -----------------------------------------------------------------

    def new_words(self, dtype: str) -> str:
        """Return the path of a new file for the words that the workers of a machine share."""
        return new_file(self._num_vertices, dtype)

    def open_words(self, dtype: str, path: str) -> None:
        """Map that file."""
        self._shared = SharedWords(path, self._num_vertices, dtype)

    def unlink(self, path: str) -> None:
        """Delete the file, which stays until the last worker that maps it ends."""
        os.unlink(path)

    def drop_words(self, start: int, stop: int) -> None:
        """Return the memory of a tier to the system."""
        assert self._shared is not None
        self._shared.drop(start, stop)

    def fill_words(self, start: int, words: IntArray) -> None:
        """Write words of a tier."""
        assert self._shared is not None
        self._shared.words[start : start + len(words)] = words

    def share(self) -> None:
        """Write the words of the finished tier where the workers of this machine read them."""
        for partition in self.partitions:
            self.fill_words(partition.tier.start, partition.words)

    def words(self, which: int, start: int, stop: int) -> IntArray:
        """Return words of the partition at a place among those of this worker, from its first on."""
        words: IntArray = self.partitions[which].words[start:stop]
        return words

    # -- a tier ---------------------------------------------------------------------------------

    def begin(self, has_ties: bool, tiers: Sequence[Tier]) -> list[TierStart]:
        """Begin a tier; see :meth:`Partition.begin`."""
        earlier = np.zeros(1, word_dtype(0)) if self._shared is None else self._shared.words
        return [
            partition.begin(tier, read_only(earlier), has_ties)
            for partition, tier in zip(self.partitions, tiers, strict=True)
        ]

    def front(self, ties: bool, level: int, *_: Any) -> tuple[list[LevelReport], list[Message]]:
        """Publish what was decided at a level before."""
        return _split(partition.front(ties, level) for partition in self.partitions)

    def advance(
        self, ties: bool, level: int, *published: Sequence[Message]
    ) -> tuple[list[LevelReport], list[Message]]:
        """Decide what has the remoteness ``level + 1``, and publish it."""
        messages = [message for worker in published for message in worker]
        return _split(partition.advance(ties, level, messages) for partition in self.partitions)

    def each(self, method: str) -> list[Any]:
        """Call a method of every partition."""
        return [getattr(partition, method)() for partition in self.partitions]

    def end(self, method: str) -> TierResult:
        """End a tier of all partitions by one of their methods."""
        highest = max(self.each(method))
        return TierResult(highest, any(bool((code_of(p.words) == TIE).any()) for p in self.partitions))

    # -- files ----------------------------------------------------------------------------------

    def sees(self, path: str) -> bool:
        """Return whether a file of the driver is there on this machine."""
        return os.path.exists(path)

    def save(self, place: str) -> list[SnapshotPart]:
        """Write the part of a snapshot that is of each partition. Raises StoreError."""
        return [
            write_part(place, (partition.tier.start, partition.tier.stop), partition.snapshot())
            for partition in self.partitions
        ]

    def restore(self, place: str, parts: Sequence[SnapshotPart]) -> list[int]:
        """Go on from a snapshot; return the next level at which something is due. Raises StoreError."""
        return [
            partition.restore(
                {
                    name: read_range(place, parts, name, (partition.tier.start, partition.tier.stop))
                    for name in partition.arrays
                }
            )
            for partition in self.partitions
        ]

    def distinct(self) -> IntArray:
        """Return the different words of the finished tier, ascending."""
        words = [canonical(partition.words) for partition in self.partitions]
        return np.unique(np.concatenate(words))

    def write(self, plan: TierPlan, start: int, *words: IntArray) -> None:
        """Write a file of the finished tier, given its words in parts. Raises StoreError."""
        write_words(plan, start, np.concatenate(words))


def _split(steps: Iterable[tuple[LevelReport, Message]]) -> tuple[list[LevelReport], list[Message]]:
    """Return the steps and the messages of some partitions."""
    pairs = list(steps)
    return [step for step, _ in pairs], [message for _, message in pairs]

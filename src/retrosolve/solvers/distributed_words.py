"""The words of earlier tiers, which all partitions read: once on each machine of a cluster."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from retrosolve.arrays import IntArray
from retrosolve.cluster.crew import Crew
from retrosolve.kernels.words import word_dtype
from retrosolve.tables.summary import spans

Read = Callable[[int, int], IntArray]


class SharedTiers:
    """Which tiers the machines of a cluster hold; those that moves of the current tier lead to.

    Parameters
    ----------
    space : StateSpace
    crew : Crew
    """

    def __init__(self, space: Any, crew: Crew) -> None:
        self.space, self.crew = space, crew
        self.bounds = list(pairwise([*space.tiers, space.num_vertices]))
        self.held: set[int] = set()
        # The first worker of each machine writes what others have decided.
        first = {node: worker for worker, node in reversed(list(enumerate(crew.nodes)))}
        self.leaders = sorted(first.values())
        self.kind = word_dtype(0)
        if len(self.bounds) > 1:
            self._open()

    def _open(self) -> None:
        """Make the shared words of each machine."""
        kind = str(self.kind.__name__)
        for leader in self.leaders:
            path = self.crew.tell(leader, "new_words", kind)
            here = self.crew.nodes[leader]
            for worker in range(self.crew.size):
                if self.crew.nodes[worker] == here:
                    self.crew.tell(worker, "open_words", kind, path)
            self.crew.tell(leader, "forget_file", path)

    def hold(self, tier: int, read: Read) -> None:
        """Hold the tiers that moves of a tier lead to, and no others.

        ``read(start, stop)`` returns words of finished tiers.
        """
        if len(self.bounds) == 1:
            return
        needed = set(self.space.tier_targets(tier))
        for other in sorted(self.held - needed):
            for leader in self.leaders:
                self.crew.tell(leader, "drop_words", *self.bounds[other])
        for other in sorted(needed - self.held):
            self._fill(other, read, self.leaders)
        self.held = needed

    def _fill(self, tier: int, read: Read, leaders: list[int]) -> None:
        """Write the words of a tier on some machines, a part at a time."""
        below, above = self.bounds[tier]
        for start, stop in spans(above - below):
            words = read(below + start, below + stop)
            for leader in leaders:
                self.crew.tell(leader, "fill_words", below + start, words)

    def reserve(self, highest: int) -> None:
        """Make the words wide enough for a remoteness; what is held is read again."""
        wider = word_dtype(highest)
        if wider is not self.kind and len(self.bounds) > 1:
            self.kind, self.held = wider, set()
            self._open()

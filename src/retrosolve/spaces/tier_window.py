"""The words of a few tiers of a game in memory: the tier at work, and those that its moves lead to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

from retrosolve.arrays import IntArray
from retrosolve.runtime.window import Span, WordWindow
from retrosolve.tables.summary import spans

Read = Callable[[int, int], IntArray]
WRITING_BYTES = 60_000_000  # for compressing a part of a tier


class TierWindow(WordWindow):
    """The words of some tiers; those of others read as INVALID_CODE.

    Parameters
    ----------
    space : GeneratedSpace
    remoteness : int
        The largest remoteness that the words have room for at first.
    """

    def __init__(self, space: Any, remoteness: int) -> None:
        super().__init__(space.num_vertices, remoteness)
        self.bounds: list[Span] = list(pairwise([*space.tiers, space.num_vertices]))

    def has(self, tier: int) -> bool:
        """Return whether a tier is loaded."""
        return self.bounds[tier] in self.ranges

    def of(self, tier: int) -> IntArray:
        """Return the words of a loaded tier, not a copy."""
        below, above = self.bounds[tier]
        return self.words[below:above]

    def keep(self, tiers: Iterable[int]) -> list[int]:
        """Load these tiers, filled with zeros, and no others; return those that were not loaded yet."""
        needed = sorted(set(tiers))
        kept = {self.bounds[tier] for tier in needed}
        for span in self.ranges - kept:
            self.release(*span)
        fresh = [tier for tier in needed if not self.has(tier)]
        for tier in fresh:
            self.load(*self.bounds[tier])
        return fresh

    def fill(self, tier: int, read: Read) -> None:
        """Fill a loaded tier with what ``read(start, stop)`` returns of it, a part at a time."""
        words = self.of(tier)
        for start, stop in spans(len(words)):
            words[start:stop] = read(start, stop)


def window_bytes(space: Any, counter_bytes: int = 0) -> int:
    """Return the most bytes that solving a game tier by tier takes, the writing of tiers included.

    Parameters
    ----------
    space : GeneratedSpace
    counter_bytes : int
        The bytes for each index of the tier that is being solved, besides a word of two.
    """
    sizes = [above - below for below, above in pairwise([*space.tiers, space.num_vertices])]
    needed, pending = [0], set[int]()
    for tier in reversed(range(len(sizes))):
        tiers = {tier, *space.tier_targets(tier)}
        words = 2 * sum(sizes[t] for t in tiers)
        needed.append(words + max(counter_bytes * sizes[tier], WRITING_BYTES))
        if space.initial_indices:
            pending |= tiers
            needed.append(2 * sum(sizes[t] for t in pending) + sizes[tier] // 4)
            pending.discard(tier)
    return max(needed)

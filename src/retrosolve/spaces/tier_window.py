"""The words of a few tiers of a game in memory: the tier at work, and those that its moves lead to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

from retrosolve.arrays import IntArray
from retrosolve.runtime.memory import NO_LIMIT
from retrosolve.runtime.threads import ThreadPool
from retrosolve.runtime.window import Span, WordWindow
from retrosolve.spaces.compacted import compact_bytes
from retrosolve.tables.summary import spans

Read = Callable[[int, int], IntArray]
MAX_WRITING_BYTES = 48_000_000


class TierWindow(WordWindow):
    """The words of some tiers; those of others read as INVALID_CODE.

    Parameters
    ----------
    space : GeneratedSpace
    remoteness : int
        The largest remoteness that the words have room for at first.
    kind : dtype, optional
        Another dtype, for words without a remoteness.
    """

    def __init__(self, space: Any, remoteness: int, kind: Any = None) -> None:
        super().__init__(space.num_vertices, remoteness, kind)
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

    def fill(self, tier: int, read: Read, pool: ThreadPool | None = None) -> None:
        """Fill a loaded tier with what ``read(start, stop)`` returns of it, a part at a time.

        With a pool its threads share the parts.
        """
        words, parts = self.of(tier), list(spans(len(self.of(tier))))

        def fill_part(at: int) -> None:
            start, stop = parts[at]
            words[start:stop] = read(start, stop)

        if pool is not None:
            pool.map(fill_part, len(parts))
            return
        for at in range(len(parts)):
            fill_part(at)


def window_bytes(space: Any, counter_bytes: int = 0) -> int:
    """Return the most bytes that solving a game tier by tier takes, the writing of tiers included.

    Parameters
    ----------
    space : GeneratedSpace
    counter_bytes : int
        The bytes for each index of the tier that is being solved, besides a word of two.
    """
    sizes = _sizes(space)
    needed = [2 * _pending(space)]
    for tier, size in enumerate(sizes):
        words = 2 * sum(sizes[t] for t in {tier, *space.tier_targets(tier)})
        needed.append(words + max(counter_bytes * size, writing_bytes(size)))
    return max(needed)


def writing_bytes(size: int) -> int:
    """Return the bytes that writing so many codes takes: libraries, and a part that is compressed."""
    return min(20 * size, 4_000_000) + min(3 * size, MAX_WRITING_BYTES)


def marking_bytes(space: Any) -> int:
    """Return the bytes of finding positions at a byte for each index; many if all indices count."""
    if not space.initial_indices:
        return NO_LIMIT
    return _pending(space) + compact_bytes(space.num_vertices)


def _sizes(space: Any) -> list[int]:
    """Return the number of indices of each tier."""
    return [above - below for below, above in pairwise([*space.tiers, space.num_vertices])]


def _pending(space: Any) -> int:
    """Return the most indices that are in memory while reachable positions are found."""
    if not space.initial_indices:
        return 0
    sizes, pending, most = _sizes(space), set[int](), 0
    for tier in reversed(range(len(sizes))):
        pending |= {tier, *space.tier_targets(tier)}
        most = max(most, sum(sizes[t] for t in pending) + sizes[tier] // 4)
        pending.discard(tier)
    return most

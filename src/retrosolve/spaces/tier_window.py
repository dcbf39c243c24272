"""The words of a few tiers of a game in memory: the tier at work, and those that its moves lead to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from retrosolve.arrays import IntArray
from retrosolve.runtime.memory import NO_LIMIT
from retrosolve.runtime.threads import ThreadPool
from retrosolve.runtime.window import Span, WordWindow
from retrosolve.spaces.compacted import compact_bytes
from retrosolve.tables.summary import spans

Read = Callable[[int, int], IntArray]
MAX_WRITING_BYTES = 24_000_000
KERNEL_BYTES = 80_000_000  # of the compiler and what it makes for a game; 60 where that is on disk


class TierWindow(WordWindow):
    """The words of some tiers; those of others read as INVALID_CODE.

    Parameters
    ----------
    space : GeneratedSpace
    remoteness : int
        The largest remoteness that the words have room for at first.
    kind : dtype, optional
        Another dtype, for words without a remoteness.
    extra : int
        How many words follow those of the last tier.
    is_held : bool
        Whether tiers stay once they are loaded.
    """

    def __init__(
        self, space: Any, remoteness: int, kind: Any = None, extra: int = 0, is_held: bool = False
    ) -> None:
        super().__init__(space.num_vertices + extra, remoteness, kind)
        self.is_held = is_held
        self.bounds: list[Span] = list(pairwise([*space.tiers, space.num_vertices]))
        self._tiers: set[int] = set()
        self._first = 0  # the tiers before it are loaded, and no others

    @property
    def tiers(self) -> list[int]:
        """The tiers that are loaded, ascending."""
        return sorted(self._tiers)

    def of(self, tier: int) -> IntArray:
        """Return the words of a loaded tier, not a copy."""
        below, above = self.bounds[tier]
        return self.words[below:above]

    def keep(self, tiers: Iterable[int]) -> list[int]:
        """Load these tiers, filled with zeros; return those that were not loaded yet.

        Others are released, unless the window holds all.
        """
        needed = set(tiers)
        if self.is_held:
            needed |= self._tiers
        for tier in self._tiers - needed:
            self.release(*self.bounds[tier])
        fresh = sorted(needed - self._tiers)
        for tier in fresh:
            self.load(*self.bounds[tier])
        self._tiers = needed
        self._first = 0
        return fresh

    def keep_for(self, tier: int, targets: Sequence[int]) -> list[int]:
        """Load a tier and those that its moves lead to, as :meth:`keep` does."""
        if self.is_held and len(self._tiers) == len(self.bounds):
            return []
        if targets != range(tier) or len(self._tiers) != self._first or self._first > tier:
            return self.keep({tier, *targets})
        # All earlier tiers, of which there may be many: none is released or looked at again.
        fresh = list(range(self._first, tier + 1))
        for new in fresh:
            self.load(*self.bounds[new])
        self._tiers.update(fresh)
        self._first = tier + 1
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


def window_bytes(space: Any, counters: Sequence[int] = ()) -> int:
    """Return the most bytes that solving a game tier by tier takes, the writing of tiers included.

    Parameters
    ----------
    space : GeneratedSpace
    counters : sequence of int
        The bytes for each tier while it is being solved, besides a word of two for each index.
    """
    needed = pending_indices(space)
    for tier, (size, held) in enumerate(_held(space)):
        more = max(counters[tier] if counters else 0, writing_bytes(size))
        needed = max(needed, 2 * held + more)
    return needed


def all_bytes(space: Any, needed: int) -> int:
    """Return the bytes of solving a game with all its tiers in memory, by those of some at a time."""
    return needed + 2 * (int(space.num_vertices) - held_indices(space))


def held_indices(space: Any) -> int:
    """Return the most indices of a tier and of those that its moves lead to."""
    return max(held for _, held in _held(space))


def _held(space: Any) -> Iterator[tuple[int, int]]:
    """Yield the size of each tier, without and with those that its moves lead to."""
    sizes, before = _sizes(space), 0
    for tier, size in enumerate(sizes):
        targets = space.tier_targets(tier)
        yield size, size + (before if targets == range(tier) else sum(sizes[t] for t in set(targets)))
        before += size


def kernel_bytes(space: Any) -> int:
    """Return the bytes that compiling or loading the kernels of a game takes, 0 if they are there."""
    compiles = space.kernels.compiles(space.work)
    return KERNEL_BYTES if compiles and not space.kernels.loaded() else 0


def writing_bytes(size: int) -> int:
    """Return the bytes that writing so many codes takes: libraries, and a part that is compressed."""
    return min(20 * size, MAX_WRITING_BYTES)


def marking_bytes(space: Any) -> int:
    """Return the bytes of finding positions at a byte for each index; many if all indices count."""
    if not space.initial_indices:
        return NO_LIMIT
    return pending_indices(space) + compact_bytes(space.num_vertices)


def _sizes(space: Any) -> list[int]:
    """Return the number of indices of each tier."""
    return [above - below for below, above in pairwise([*space.tiers, space.num_vertices])]


def pending_indices(space: Any) -> int:
    """Return the most indices in memory while reachable positions are found; 0 if all count."""
    if not space.initial_indices:
        return 0
    sizes, pending, held, most = _sizes(space), set[int](), 0, 0
    for tier in reversed(range(len(sizes))):
        fresh = {tier, *space.tier_targets(tier)} - pending
        pending |= fresh
        held += sum(sizes[t] for t in fresh)
        most = max(most, held)
        pending.discard(tier)
        held -= sizes[tier]
    return most

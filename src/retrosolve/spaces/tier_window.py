"""The words of a game in memory: all of them, or those of the tiers that a solve or a proof needs.

A window covers the whole index, but only the ranges that are loaded take memory. Everywhere else it
reads as INVALID_CODE, so that a move to a tier that is not loaded is a fault of the kernel that makes
it and never a wrong answer: those pages are one small file of such words, mapped again and again.
"""

from __future__ import annotations

import ctypes
import functools
import mmap
import os
import platform
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray, spans
from retrosolve.objectives.words import INVALID_CODE, largest_remoteness, widened, word_dtype
from retrosolve.runtime.memory import NO_LIMIT
from retrosolve.runtime.threads import ALONE, ThreadPool
from retrosolve.spaces.base import RulesSpace
from retrosolve.spaces.bit_vector import bit_vector_bytes

MAP_FIXED = 0x10
# mmap has the name from Python 3.13 on; without it, a window larger than memory may be refused.
COMMON = platform.machine() in ("x86_64", "aarch64") and sys.platform == "linux"
NO_RESERVE = getattr(mmap, "MAP_NORESERVE", 0x4000 * COMMON)
FILE_SHARE = 1 << 10  # the file of invalid words is about one part in so many of the window

Span = tuple[int, int]
Read = Callable[[int, int], IntArray]
MAX_WRITING_BYTES = 24_000_000
KERNEL_BYTES = 80_000_000  # of the compiler and what it makes for a game; 60 where that is on disk


class AllWords:
    """The words of all indices, in an ordinary array.

    Parameters
    ----------
    words : uint16, uint32 or uint64 [n]

    Attributes
    ----------
    tied : list of (int, int)
        The ranges of finished tiers that have a TIE, ascending. To look for one in all earlier tiers
        before each would take quadratic time.
    """

    def __init__(self, words: IntArray) -> None:
        self.words = words
        self.tied: list[Span] = []

    def reserve(self, remoteness: int) -> None:
        """Widen the words unless they have room for a remoteness."""
        self.words = widened(self.words, remoteness)

    def loaded(self, start: int, stop: int) -> list[Span]:
        """Return the parts of a range that are in memory."""
        return [(start, stop)]

    def has_tie(self) -> bool:
        """Return whether a finished tier that is in memory has a TIE."""
        return any(self.loaded(start, stop) for start, stop in reversed(self.tied))


class WordWindow(AllWords):
    """The words of some ranges of the index; all others read as INVALID_CODE and take no memory.

    Parameters
    ----------
    num_words : int
    remoteness : int
        The largest remoteness that the words have room for at first.
    kind : dtype, optional
        Another dtype, for words without a remoteness.

    Examples
    --------
    >>> window = WordWindow(100_000)
    >>> window.load(20_000, 30_000)
    >>> window.words[19_999:20_001].tolist(), window.loaded(0, 25_000)
    ([7, 0], [(20000, 25000)])
    """

    def __init__(self, num_words: int, remoteness: int = 0, kind: Any = None) -> None:
        dtype: Any = np.dtype(word_dtype(remoteness) if kind is None else kind)
        self._ranges: list[Span] = []  # ascending, none of them adjacent
        self._map = _Pages(num_words * dtype.itemsize, dtype)
        super().__init__(np.frombuffer(self._map.buffer, dtype, num_words))

    def load(self, start: int, stop: int) -> None:
        """Make room for a range, filled with zeros."""
        width = self.words.itemsize
        for low, high in self._map.provide(start * width, stop * width):
            self.words[low // width : high // width] = 0
        if start < stop:
            ranges = self._ranges
            at = bisect_left(ranges, (start, stop))
            first, last = at, at
            if at > 0 and ranges[at - 1][1] == start:
                first, start = at - 1, ranges[at - 1][0]
            if at < len(ranges) and ranges[at][0] == stop:
                last, stop = at + 1, ranges[at][1]
            ranges[first:last] = [(start, stop)]

    def release(self, start: int, stop: int) -> None:
        """Return the memory of a loaded range to the system."""
        width = self.words.itemsize
        for low, high in self._map.release(start * width, stop * width):
            self.words[low // width : high // width] = INVALID_CODE
        if start < stop:
            at = bisect_right(self._ranges, start, key=itemgetter(0)) - 1
            low, high = self._ranges[at]
            rest = (low, start), (stop, high)
            self._ranges[at : at + 1] = [part for part in rest if part[0] < part[1]]

    def loaded(self, start: int, stop: int) -> list[Span]:
        """Return the parts of a range that are in memory."""
        first = bisect_right(self._ranges, start, key=itemgetter(1))
        last = bisect_left(self._ranges, stop, key=itemgetter(0))
        return [(max(low, start), min(high, stop)) for low, high in self._ranges[first:last]]

    def reserve(self, remoteness: int) -> None:
        """Widen the words unless they have room for a remoteness."""
        if remoteness <= largest_remoteness(self.words):
            return
        wider = WordWindow(len(self.words), remoteness)
        for start, stop in self._ranges:
            wider.load(start, stop)
            for low, high in spans(stop, first=start):
                wider.words[low:high] = self.words[low:high]
        self.words, self._map = wider.words, wider._map


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
        self,
        space: RulesSpace,
        remoteness: int,
        kind: Any = None,
        extra: int = 0,
        is_held: bool = False,
    ) -> None:
        super().__init__(space.num_vertices + extra, remoteness, kind)
        self.is_held = is_held
        self.bounds: list[Span] = space.tier_bounds
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

    def fill(self, tier: int, read: Read, pool: ThreadPool = ALONE) -> None:
        """Fill a loaded tier with what ``read(start, stop)`` returns of it, a part at a time.

        The threads of the pool share the parts.
        """
        words, parts = self.of(tier), list(spans(len(self.of(tier))))

        def fill_part(at: int) -> None:
            start, stop = parts[at]
            words[start:stop] = read(start, stop)

        pool.map(fill_part, len(parts))


class Marks:
    """A byte or a wider number for each index, 0 at first; only those that are set take memory.

    Parameters
    ----------
    length : int
    kind : dtype
    dense : bool
        Whether most are set: in large pages random reads are faster, and take memory by the page.
    """

    def __init__(self, length: int, kind: Any = np.uint8, dense: bool = False) -> None:
        dtype: np.dtype[Any] = np.dtype(kind)
        size = max(length * dtype.itemsize, 1)
        self._map = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        if dense and hasattr(mmap, "MADV_HUGEPAGE"):
            with suppress(OSError):
                self._map.madvise(mmap.MADV_HUGEPAGE)
        self.values: NDArray[Any] = np.frombuffer(self._map, dtype, length)

    def forget(self, start: int, stop: int) -> None:
        """Return the memory of a range to the system, which reads as 0 from here on."""
        page, width = mmap.PAGESIZE, self.values.itemsize
        stop = min(stop, len(self.values))
        low, high = -(-start * width // page) * page, stop * width // page * page
        if low < high and hasattr(mmap, "MADV_DONTNEED"):
            self._map.madvise(mmap.MADV_DONTNEED, low, high - low)
            self.values[start : low // width], self.values[high // width : stop] = 0, 0
        else:
            self.values[start:stop] = 0


# -- estimates -----------------------------------------------------------------------------------


def window_bytes(space: RulesSpace, counters: Sequence[int] = ()) -> int:
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


def all_bytes(space: RulesSpace, needed: int) -> int:
    """Return the bytes of solving a game with all its tiers in memory, by those of some at a time."""
    return needed + 2 * (int(space.num_vertices) - held_indices(space))


def held_indices(space: RulesSpace) -> int:
    """Return the most indices of a tier and of those that its moves lead to."""
    return max(held for _, held in _held(space))


def _held(space: RulesSpace) -> Iterator[tuple[int, int]]:
    """Yield the size of each tier, without and with those that its moves lead to."""
    sizes, before = space.tier_sizes, 0
    for tier, size in enumerate(sizes):
        targets = space.tier_targets(tier)
        yield size, size + (before if targets == range(tier) else sum(sizes[t] for t in set(targets)))
        before += size


def kernel_bytes(space: RulesSpace) -> int:
    """Return the bytes that compiling or loading the kernels of a game takes, 0 if they are there."""
    compiles = space.kernels.compiles(space.work)
    return KERNEL_BYTES if compiles and not space.kernels.loaded() else 0


def writing_bytes(size: int) -> int:
    """Return the bytes that writing so many codes takes: libraries, and a part that is compressed."""
    return min(20 * size, MAX_WRITING_BYTES)


def marking_bytes(space: RulesSpace) -> int:
    """Return the bytes of finding positions at a byte for each index; many if all indices count."""
    if not space.initial_indices:
        return NO_LIMIT
    return pending_indices(space) + bit_vector_bytes(space.num_vertices)


def pending_indices(space: RulesSpace) -> int:
    """Return the most indices in memory while reachable positions are found; 0 if all count."""
    if not space.initial_indices:
        return 0
    sizes, pending, held, most = space.tier_sizes, set[int](), 0, 0
    for tier in reversed(range(len(sizes))):
        fresh = {tier, *space.tier_targets(tier)} - pending
        pending |= fresh
        held += sum(sizes[t] for t in fresh)
        most = max(most, held)
        pending.discard(tier)
        held -= sizes[tier]
    return most


# -- pages ---------------------------------------------------------------------------------------


class _Pages:
    """A range of addresses whose pages are zeros of their own, or invalid words that take no memory."""

    def __init__(self, size: int, dtype: Any) -> None:
        self._size = -(-max(size, 1) // mmap.PAGESIZE) * mmap.PAGESIZE
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NO_RESERVE
        self.buffer = mmap.mmap(-1, self._size, flags, mmap.PROT_READ | mmap.PROT_WRITE)
        self._address = ctypes.addressof(ctypes.c_char.from_buffer(self.buffer))
        self._piece = (self._size // FILE_SHARE // mmap.PAGESIZE + 1) * mmap.PAGESIZE
        self._file = _invalid_words(self._piece, dtype)
        for _ in self.release(0, self._size):
            pass

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            os.close(self._file)

    def provide(self, start: int, stop: int) -> Iterator[Span]:
        """Map the whole pages of a range as zeros; yield the parts at its ends."""
        low, high = self._inside(start, stop)
        if low < high:
            self._replace(low, high, mmap.MAP_ANONYMOUS, -1)
            if hasattr(mmap, "MADV_HUGEPAGE"):  # random reads of a large tier miss small pages
                with suppress(OSError):
                    self.buffer.madvise(mmap.MADV_HUGEPAGE, low, high - low)
        yield from _ends(start, stop, low, high)

    def release(self, start: int, stop: int) -> Iterator[Span]:
        """Map the whole pages of a range as invalid words; yield the parts at its ends."""
        low, high = self._inside(start, stop)
        for begin in range(low, high, self._piece):
            self._replace(begin, min(begin + self._piece, high), 0, self._file)
        yield from _ends(start, stop, low, high)

    def _inside(self, start: int, stop: int) -> Span:
        """Return the whole pages of a range."""
        page = mmap.PAGESIZE
        low = -(-start // page) * page
        return low, max(low, stop // page * page)

    def _replace(self, low: int, high: int, flags: int, file: int) -> None:
        """Map pages anew. Raises OSError."""
        libc = _libc()
        protection = mmap.PROT_READ | mmap.PROT_WRITE
        flags |= mmap.MAP_PRIVATE | MAP_FIXED
        address = self._address + low
        if libc.mmap(address, high - low, protection, flags, file, 0) != address:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code))


@functools.cache
def _libc() -> Any:
    """Return the C library with the types of ``mmap``."""
    libc = ctypes.CDLL(None, use_errno=True)
    size = ctypes.c_size_t
    libc.mmap.restype = size
    libc.mmap.argtypes = (size, size, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)
    return libc


def _invalid_words(size: int, dtype: Any) -> int:
    """Return the handle of a file of INVALID_CODE words that has no name."""
    if hasattr(os, "memfd_create"):
        handle = os.memfd_create("retrosolve")
    else:
        import tempfile

        with tempfile.TemporaryFile() as file:
            handle = os.dup(file.fileno())
    part = np.full(mmap.PAGESIZE // dtype.itemsize, INVALID_CODE, dtype).tobytes()
    for _ in range(size // mmap.PAGESIZE):
        os.write(handle, part)
    return handle


def _ends(start: int, stop: int, low: int, high: int) -> Iterator[Span]:
    """Yield what a range has before and after its whole pages."""
    if low >= high:
        yield start, stop
        return
    if start < low:
        yield start, low
    if high < stop:
        yield high, stop

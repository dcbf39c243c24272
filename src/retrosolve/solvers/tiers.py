"""A game tier by tier: which tiers are in memory, and what is on disk of an unfinished solve.

Without a place on disk all words are in memory. With one (``context.checkpoint.tiers``), finished tiers
are written. Those of a small game stay in memory too, and wait there to be written together: a solve
that takes seconds is written at its end. Of a large game a tier is written as soon as it is finished,
and memory holds only the tier that is being solved and those that its moves lead to.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import VERTICES_PER_SPAN, ByteArray, IntArray, spans
from retrosolve.objectives import Conversion
from retrosolve.objectives.base import VALUES
from retrosolve.objectives.words import INVALID_CODE, OPEN
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Context, Progress, Tiers, counted
from retrosolve.runtime.memory import available, check_budget, give_back
from retrosolve.runtime.threads import ALONE, ThreadPool
from retrosolve.spaces.base import RulesSpace
from retrosolve.spaces.bit_vector import BitVector, bit_vector_bytes, compacted
from retrosolve.spaces.reachability import mark_reachable, mark_tier
from retrosolve.spaces.tier_window import AllWords, TierWindow, all_bytes, kernel_bytes
from retrosolve.tables import PackedTable, Table
from retrosolve.tables.coded import CodedTable, Dictionary
from retrosolve.tables.recoding import canonical
from retrosolve.values import TIE

MARKING = "marking"

SolveTier = Callable[[RulesSpace, AllWords, int, int, int], tuple[int, int]]


def solve_tiers(
    space: RulesSpace,
    context: Context,
    pool: ThreadPool,
    solve: SolveTier,
    needed: Callable[[RulesSpace], int],
    conversion: Conversion | None = None,
) -> tuple[Table, int]:
    """Solve all tiers in order; return the table and the number of edges.

    Parameters
    ----------
    space : GeneratedSpace
    context : Context
    pool : ThreadPool
    solve : callable
        ``solve(space, words, below, above, highest)`` solves the tier ``below..above-1`` in place and
        returns its number of edges and the largest remoteness so far.
    needed : callable
        Returns the bytes that solving a space on disk takes.
    conversion : Conversion, optional
        Counts anew in each tier: what later tiers see of a finished one are the words of ``anew``, and
        its own words are kept beside them, in memory or on disk.
    """
    if context.checkpoint.tiers is not None:
        return _OnDisk(space, context, pool, needed, conversion).solve(solve)
    words = AllWords(mark_reachable(space, pool, context.progress))
    context.timer.stage("finding positions")
    num_edges = highest = 0
    finished = AllWords(words.words[:0] if conversion is None else np.empty_like(words.words))
    for below, above in space.tier_bounds:
        edges, highest = solve(space, words, below, above, highest)
        num_edges += edges
        if conversion is not None:
            tier = words.words[below:above]
            finished.reserve(highest)
            finished.words[below:above] = tier
            _count_anew(tier, conversion, pool)
            highest = conversion.limit or 0
        context.progress(Progress("solving", above, space.num_vertices))
    if conversion is not None:
        return PackedTable(finished.words, conversion.codec()), num_edges
    return PackedTable(words.words), num_edges


def _count_anew(words: IntArray, conversion: Conversion, pool: ThreadPool) -> None:
    """Make the words of a finished tier those that later tiers see, a part at a time."""

    def count(start: int, stop: int) -> None:
        words[start:stop] = conversion.anew(words[start:stop])

    pool.map_ranges(count, [*range(0, len(words), VERTICES_PER_SPAN), len(words)])


class _Layout:
    """The words of a game in memory, one for each index."""

    def __init__(self, space: RulesSpace, files: Tiers, pool: ThreadPool) -> None:
        self.space = space
        self.files = files
        self.pool = pool

    def invalidate_unreachable(self, window: TierWindow, tier: int) -> None:
        """Make what is no position INVALID in a tier of zeros."""
        marks = self.files.read_marks(tier)
        if marks is not None:
            words, unmarked = window.of(tier), ~marks
            code = words.dtype.type(INVALID_CODE)  # multiplying is far faster than assigning to some

            def leave_out(start: int, stop: int) -> None:
                unset = _unpacked(unmarked, start, stop).view(np.uint8)
                np.multiply(unset, code, out=words[start:stop])

            self.pool.map_ranges(leave_out, [*range(0, len(words), VERTICES_PER_SPAN), len(words)])

    def read(self, window: TierWindow, tier: int) -> None:
        """Fill a tier with what was written of it."""
        window.fill(tier, functools.partial(self.files.read, tier), self.pool)

    def part(self, window: TierWindow, tier: int, start: int, stop: int) -> IntArray:
        """Return words of a tier as they are written, counted from its beginning."""
        return window.of(tier)[start:stop]


class _CompactLayout(_Layout):
    """The words of the positions that occur, without gaps."""

    def __init__(self, space: RulesSpace, files: Tiers, pool: ThreadPool, bits: BitVector) -> None:
        super().__init__(compacted(space, bits), files, pool)
        self.first = (*space.tiers, space.num_vertices)
        self.bits = bits

    def invalidate_unreachable(self, window: TierWindow, tier: int) -> None:
        """Do nothing: only positions have words."""

    def read(self, window: TierWindow, tier: int) -> None:
        """Fill a tier with what was written of it."""
        first, last = self.first[tier : tier + 2]
        self.bits.compress(first, last, functools.partial(self.files.read, tier), window.of(tier))

    def part(self, window: TierWindow, tier: int, start: int, stop: int) -> IntArray:
        """Return words of a tier as they are written, counted from its beginning."""
        first = self.first[tier]
        valid = self.bits.bits(first + start, first + stop)
        place = self.bits.rank(first + start)
        words = window.words
        found: IntArray = np.full(stop - start, INVALID_CODE, words.dtype)
        found[valid] = words[place : place + int(valid.sum())]
        return found


def _unpacked(marks: ByteArray, start: int, stop: int) -> NDArray[np.bool_]:
    """Return bits ``start..stop-1``; ``start`` is a multiple of 8."""
    return np.unpackbits(marks[start // 8 : -(-stop // 8)], count=stop - start).view(np.bool_)


class _ConversionCoding:
    """The words of a conversion on disk: those of outcomes, with values of its own."""

    canonical = staticmethod(canonical)

    def __init__(self, conversion: Conversion) -> None:
        self.codec = conversion.codec()

    def dictionary(self, words: IntArray) -> Dictionary:
        """Return the values and distances of words."""
        return Dictionary.of_words(words, True, self.codec)


class _OnDisk:
    """The tiers of a game, written as they are finished and read again where moves lead to them."""

    def __init__(
        self, space: RulesSpace, context: Context, pool: ThreadPool,
        needed: Callable[[RulesSpace], int], conversion: Conversion | None,
    ) -> None:  # fmt: skip
        assert context.checkpoint.tiers is not None
        self.space = space
        self.context = context
        self.pool = pool
        self.needed = needed
        self.conversion = conversion
        self.files = context.checkpoint.tiers
        if conversion is not None:
            self.files.coding = _ConversionCoding(conversion)
        self.num_tiers = len(space.tiers)
        left = context.memory_left
        self.left = None if left is None else max(1, left - kernel_bytes(space))
        # Numbering the positions without gaps takes time, and less memory.
        self.is_compact = bool(space.initial_indices and self.left and needed(space) > self.left)
        # What the tiers of a conversion say of themselves and to others differs, and memory has one.
        self.is_held = (
            conversion is None
            and not self.is_compact
            and self._has_room(all_bytes(space, needed(space)))
        )

    def _has_room(self, needed: int) -> bool:
        """Return whether all tiers may stay in memory, which takes some bytes."""
        if needed > tuning.current().max_held_bytes:
            return False
        if self.left is None:
            return needed <= tuning.current().max_unchecked_bytes or 2 * needed <= available()
        return needed <= self.left

    def solve(self, solve: SolveTier) -> tuple[Table, int]:
        """Solve the tiers that are not finished; return the table and the number of edges."""
        context, files = self.context, self.files
        window = TierWindow(self.space, files.highest + 1, is_held=True) if self.is_held else None
        if self.space.initial_indices:
            self._mark(window or TierWindow(self.space, 0, np.uint8))
        context.timer.stage("finding positions")
        layout = self._compact_layout() if self.is_compact else _Layout(self.space, files, self.pool)
        if window is None:
            window = TierWindow(layout.space, files.highest + 1)
        else:
            files.hold(lambda start, stop: window.words[start:stop], self._marks_in(window))
        if files.num_finished and TIE in files.dictionary().value:
            window.tied.append((0, window.bounds[files.num_finished - 1][1]))
        for tier in range(files.num_finished, self.num_tiers):
            for fresh in window.keep_for(tier, self.space.tier_targets(tier)):
                if fresh == tier:
                    layout.invalidate_unreachable(window, tier)
                else:
                    layout.read(window, fresh)
                    self._count_anew(window, fresh)
            edges, highest = solve(layout.space, window, *window.bounds[tier], files.highest)
            if self.left is not None and len(window.of(tier)) >= VERTICES_PER_SPAN:
                give_back()
            read = functools.partial(layout.part, window, tier)
            files.write(tier, read, files.num_edges + edges, highest, self.pool)
            self._count_anew(window, tier)
            context.timer.stage("writing")
            done = (*self.space.tiers, self.space.num_vertices)[tier + 1]
            context.progress(Progress("solving", done, self.space.num_vertices))
        if self.is_held and not files.num_written:
            return PackedTable(window.words), files.num_edges
        codec = VALUES if self.conversion is None else self.conversion.codec()
        return CodedTable(files.codes(), files.dictionary(), True, codec), files.num_edges

    def _count_anew(self, window: TierWindow, tier: int) -> None:
        """Make the words of a finished tier those that a conversion sees of it in later tiers."""
        if self.conversion is not None:
            _count_anew(window.of(tier), self.conversion, self.pool)

    def _compact_layout(self) -> _CompactLayout:
        """Return the layout of the marked positions without gaps. Raises MemoryBudgetError."""
        bits = BitVector(self.space.num_vertices)
        for tier, (below, above) in enumerate(self.space.tier_bounds):
            marks = self.files.read_marks(tier)
            assert marks is not None
            for start, stop in spans(above - below):
                bits.set(below + start, _unpacked(marks, start, stop))
        num_positions = bits.finish()
        layout = _CompactLayout(self.space, self.files, self.pool, bits)
        needed = self.needed(layout.space) + bit_vector_bytes(self.space.num_vertices)
        what = f"solving the {num_positions} positions of {self.space!r}"
        check_budget(needed, what, self.left)
        return layout

    # -- which indices are positions ------------------------------------------------------------

    def _mark(self, window: TierWindow) -> None:
        """Mark the indices that play from the start reaches, tier by tier from the last.

        A window that does not hold all tiers is not used further: what was marked outside of the tiers
        that were loaded, which ``tier_targets`` then leaves out, is still there.
        """
        if self.files.num_finished or self.files.has_marks(self.num_tiers):
            return
        # Compiled now, the kernel takes its memory before the window does.
        mark_tier(self.space, self.pool, window.words, 0, 0, lambda _done: None)
        checkpoint = self.context.checkpoint
        snapshot = checkpoint.resumed(MARKING)
        last = self.num_tiers - 1
        pending: set[int] = set()
        if snapshot is not None:
            last, pending = int(snapshot.facts["tier"]), {int(name) for name in snapshot.names}
            for tier in window.keep(pending):
                window.of(tier)[:] = snapshot.array(str(tier))
            if last in pending:  # of what was followed, some was so only in part
                begun = window.of(last)
                begun[begun != INVALID_CODE] = OPEN
            if not window.is_held:  # the window that was saved may have been
                for tier in [tier for tier in pending if tier > last]:
                    self.files.write_marks(tier, _valid(window.of(tier), self.pool))
                    pending.discard(tier)
        if window.is_held:
            pending |= set(range(last + 1))  # all at once: to go through them for each is quadratic
        for tier in range(last, -1, -1):
            if not window.is_held or tier == last:
                pending |= {tier, *self.space.tier_targets(tier)}
                for fresh in window.keep(pending):
                    self._mark_starts(window, fresh)
            self._mark_tier(window, tier)
            if not window.is_held:
                self.files.write_marks(tier, _valid(window.of(tier), self.pool))
                pending.discard(tier)
            if tier and checkpoint.due():
                self._save_marks(window, tier - 1, pending)

    def _mark_starts(self, window: TierWindow, tier: int) -> None:
        """Mark the initial positions in a tier, and nothing else."""
        window.of(tier)[:] = INVALID_CODE
        below, above = window.bounds[tier]
        window.words[[i for i in self.space.initial_indices if below <= i < above]] = 0

    def _mark_tier(self, window: TierWindow, tier: int) -> None:
        """Mark what the marked indices of a tier lead to."""
        below, above = window.bounds[tier]
        n = self.space.num_vertices
        counting = counted(self.context.progress, "finding positions", n - above, n)

        def report(done: int) -> None:
            # Marks are only added, and all of this tier is followed again, so a part of them will do.
            if self.context.checkpoint.due():
                self._save_marks(window, tier, window.tiers)
            counting(done)

        mark_tier(self.space, self.pool, window.words, below, above, report)

    def _save_marks(self, window: TierWindow, tier: int, tiers: Iterable[int]) -> None:
        """Save the marks in some tiers; the moves out of ``tier`` are followed next."""
        codes = {str(t): window.of(t).view(np.uint8)[:: window.words.itemsize] for t in tiers}
        self.context.checkpoint.save({"stage": MARKING, "tier": tier}, codes)

    def _marks_in(self, window: TierWindow) -> Callable[[int], Iterable[ByteArray]] | None:
        """Return the function from the words of a tier to its marks, None if all indices count."""
        if not self.space.initial_indices:
            return None
        # What waits may be written after the pool of the solve was closed.
        return lambda tier: _valid(window.of(tier), ALONE)


def _valid(words: IntArray, pool: ThreadPool) -> Iterator[ByteArray]:
    """Return a bit for each word, a part at a time: whether it is not INVALID_CODE."""
    return pool.ahead(lambda span: np.packbits(words[slice(*span)] != INVALID_CODE), spans(len(words)))

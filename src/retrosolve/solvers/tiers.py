"""A game tier by tier: which tiers are in memory, and what is on disk of an unfinished solve.

Without a place on disk all words are in memory. With one (``context.checkpoint.tiers``), a tier is
written as soon as it is finished, and memory holds only the tier that is being solved and those that
its moves lead to.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

import numpy as np

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.kernels.words import INVALID_CODE, code_of
from retrosolve.runtime.context import Context
from retrosolve.runtime.progress import Progress, counted
from retrosolve.runtime.threads import ThreadPool
from retrosolve.runtime.window import AllWords
from retrosolve.spaces.reachability import mark_reachable, mark_tier
from retrosolve.spaces.tier_window import TierWindow
from retrosolve.tables import PackedTable, Table
from retrosolve.tables.coded import CodedTable
from retrosolve.tables.summary import spans

MARKING = "marking"

SolveTier = Callable[[AllWords, int, int, int], tuple[int, int]]


def solve_tiers(space: Any, context: Context, pool: ThreadPool, solve: SolveTier) -> tuple[Table, int]:
    """Solve all tiers in order; return the table and the number of edges.

    Parameters
    ----------
    space : GeneratedSpace
    context : Context
    pool : ThreadPool
    solve : callable
        ``solve(words, below, above, highest)`` solves the tier ``below..above-1`` in place and returns
        its number of edges and the largest remoteness so far.
    """
    if context.checkpoint.tiers is not None:
        return _OnDisk(space, context, pool).solve(solve)
    words = AllWords(mark_reachable(space, pool, context.progress))
    context.timer.stage("finding positions")
    num_edges = highest = 0
    for below, above in pairwise([*space.tiers, space.num_vertices]):
        edges, highest = solve(words, below, above, highest)
        num_edges += edges
        context.progress(Progress("solving", above, space.num_vertices))
    return PackedTable(words.words), num_edges


class _OnDisk:
    """The tiers of a game, written as they are finished and read again where moves lead to them."""

    def __init__(self, space: Any, context: Context, pool: ThreadPool) -> None:
        assert context.checkpoint.tiers is not None
        self.space = space
        self.context = context
        self.pool = pool
        self.files = context.checkpoint.tiers
        self.num_tiers = len(space.tiers)

    def solve(self, solve: SolveTier) -> tuple[Table, int]:
        """Solve the tiers that are not finished; return the table and the number of edges."""
        context, files, space = self.context, self.files, self.space
        if space.initial_indices:
            self._mark()
        context.timer.stage("finding positions")
        window = TierWindow(space, files.highest + 1)
        for tier in range(files.num_finished, self.num_tiers):
            for fresh in window.keep({tier, *space.tier_targets(tier)}):
                if fresh != tier:
                    window.fill(fresh, functools.partial(files.read, fresh))
            self._leave_out_unmarked(window, tier)
            below, above = window.bounds[tier]
            edges, highest = solve(window, below, above, files.highest)
            files.write(tier, window.of(tier), files.num_edges + edges, highest)
            context.timer.stage("writing")
            context.progress(Progress("solving", above, space.num_vertices))
        return CodedTable(files.codes(), files.dictionary(), True), files.num_edges

    def _leave_out_unmarked(self, window: TierWindow, tier: int) -> None:
        """Make what is no position INVALID in a tier of zeros."""
        marks = self.files.read_marks(tier)
        if marks is None:
            return
        words = window.of(tier)
        for start, stop in spans(len(words)):
            valid = np.unpackbits(marks[start // 8 : -(-stop // 8)], count=stop - start)
            words[start:stop][valid == 0] = INVALID_CODE

    # -- which indices are positions ------------------------------------------------------------

    def _mark(self) -> None:
        """Mark the indices that play from the start reaches, tier by tier from the last.

        Its window is not used further: what was marked outside of the tiers that were loaded, which
        ``tier_targets`` then leaves out, is still there.
        """
        if self.files.num_finished or self.files.has_marks(self.num_tiers):
            return
        window = TierWindow(self.space, 0)
        checkpoint = self.context.checkpoint
        snapshot = checkpoint.resumed(MARKING)
        last = self.num_tiers - 1
        pending: set[int] = set()
        if snapshot is not None:
            last, pending = int(snapshot.facts["tier"]), {int(name) for name in snapshot.names}
            for tier in window.keep(pending):
                snapshot.read(str(tier), window.of(tier))
        for tier in range(last, -1, -1):
            pending |= {tier, *self.space.tier_targets(tier)}
            for fresh in window.keep(pending):
                self._mark_starts(window, fresh)
            self._mark_tier(window, tier)
            self.files.write_marks(tier, _valid(window.of(tier)))
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
        n, checkpoint = self.space.num_vertices, self.context.checkpoint
        report = counted(self.context.progress, "finding positions", n - above, n)
        for _ in mark_tier(self.space, self.pool, window.words, below, above, report):
            if checkpoint.due():
                self._save_marks(window, tier, filter(window.has, range(self.num_tiers)))

    def _save_marks(self, window: TierWindow, tier: int, tiers: Iterable[int]) -> None:
        """Save the marks in some tiers; the moves out of ``tier`` are followed next."""
        words = {str(t): window.of(t) for t in tiers}
        self.context.checkpoint.save({"stage": MARKING, "tier": tier}, words)


def _valid(words: IntArray) -> ByteArray:
    """Return a bit for each word: whether it is that of a position."""
    parts = [
        np.packbits(code_of(words[start:stop]) != INVALID_CODE) for start, stop in spans(len(words))
    ]
    return np.concatenate(parts)

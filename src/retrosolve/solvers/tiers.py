"""A game tier by tier: which tiers are in memory, and what is on disk of an unfinished solve.

Without a place on disk all words are in memory. With one (``context.checkpoint.tiers``), a tier is
written as soon as it is finished, and memory holds only the tier that is being solved and those that
its moves lead to.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray
from retrosolve.kernels.words import INVALID_CODE, code_of
from retrosolve.runtime.context import Context
from retrosolve.runtime.progress import Progress, counted
from retrosolve.runtime.threads import ThreadPool
from retrosolve.runtime.window import AllWords, WordWindow
from retrosolve.spaces.reachability import mark_reachable, mark_tier
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
        self.bounds = list(pairwise([*space.tiers, space.num_vertices]))
        self.window = WordWindow(space.num_vertices, self.files.highest + 1)

    def solve(self, solve: SolveTier) -> tuple[Table, int]:
        """Solve the tiers that are not finished; return the table and the number of edges."""
        context, files = self.context, self.files
        if self.space.initial_indices:
            self._mark()
        context.timer.stage("finding positions")
        for tier in range(files.num_finished, len(self.bounds)):
            below, above = self.bounds[tier]
            self._keep({tier, *self.space.tier_targets(tier)}, tier)
            edges, highest = solve(self.window, below, above, files.highest)
            files.write(tier, self.window.words[below:above], files.num_edges + edges, highest)
            context.timer.stage("writing")
            context.progress(Progress("solving", above, self.space.num_vertices))
        table = CodedTable(files.codes(), files.dictionary(), True)
        return table, files.num_edges

    def _keep(self, needed: set[int], tier: int) -> None:
        """Load the tiers that are needed to solve one, and no others."""
        window = self.window
        spans_needed = {self.bounds[t] for t in needed}
        for span in window.ranges - spans_needed:
            window.release(*span)
        for t in sorted(needed):
            if self.bounds[t] not in window.ranges:
                window.load(*self.bounds[t])
                self._fill(t, t == tier)

    def _fill(self, tier: int, fresh: bool) -> None:
        """Fill a tier that was just loaded: with what is on disk, or with what are positions."""
        below, above = self.bounds[tier]
        words = self.window.words[below:above]
        marks = self.files.read_marks(tier) if fresh else None
        for start, stop in spans(above - below):
            if not fresh:
                words[start:stop] = self.files.read(tier, start, stop)
            elif marks is not None:
                valid = np.unpackbits(marks[start // 8 : -(-stop // 8)], count=stop - start)
                words[start:stop][valid == 0] = INVALID_CODE

    # -- which indices are positions ------------------------------------------------------------

    def _mark(self) -> None:
        """Mark the indices that play from the start reaches, tier by tier from the last."""
        if self.files.num_finished or self.files.has_marks(len(self.bounds)):
            return
        checkpoint, window = self.context.checkpoint, self.window
        snapshot = checkpoint.resumed(MARKING)
        last = len(self.bounds) - 1
        if snapshot is not None:
            last = int(snapshot.facts["tier"])
            for tier in range(last + 1):
                if str(tier) in snapshot.names:
                    window.load(*self.bounds[tier])
                    snapshot.read(str(tier), self._words(tier))
        for tier in range(last, -1, -1):
            for t in sorted({tier, *self.space.tier_targets(tier)}):
                self._load_unmarked(t)
            self._mark_tier(tier)
            self.files.write_marks(tier, self._marks(tier))
            window.release(*self.bounds[tier])
            if tier and checkpoint.due():
                self._save_marks(tier - 1)

    def _marks(self, tier: int) -> ByteArray:
        """Return a bit for each index of a loaded tier: whether it is a position."""
        words = self._words(tier)
        parts = [
            np.packbits(code_of(words[start:stop]) != INVALID_CODE) for start, stop in spans(len(words))
        ]
        return np.concatenate(parts)

    def _words(self, tier: int) -> NDArray[Any]:
        """Return the words of a loaded tier."""
        below, above = self.bounds[tier]
        return self.window.words[below:above]

    def _load_unmarked(self, tier: int) -> None:
        """Load a tier in which only initial positions are marked, unless it is loaded."""
        span = self.bounds[tier]
        if span in self.window.ranges:
            return
        self.window.load(*span)
        self._words(tier)[:] = INVALID_CODE
        starts = [i for i in self.space.initial_indices if span[0] <= i < span[1]]
        self.window.words[starts] = 0

    def _mark_tier(self, tier: int) -> None:
        """Mark what the marked indices of a tier lead to."""
        below, above = self.bounds[tier]
        n = self.space.num_vertices
        report = counted(self.context.progress, "finding positions", n - above, n)
        for _ in mark_tier(self.space, self.pool, self.window.words, below, above, report):
            if self.context.checkpoint.due():
                self._save_marks(tier)

    def _save_marks(self, tier: int) -> None:
        """Save the marks of the tiers up to one, which is the next or is being passed."""
        ranges = self.window.ranges
        loaded = {str(t): self._words(t) for t, span in enumerate(self.bounds) if span in ranges}
        self.context.checkpoint.save({"stage": MARKING, "tier": tier}, loaded)

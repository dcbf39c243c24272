"""Compiled games solved without storing a move: two bytes an index, and one more for counting.

``solve`` tells the predecessors of what is decided, level by level (``kernels.indexed``); ``sweep``,
for games that do not give predecessors, looks at the successors of what is undecided at each level,
which costs time for every level and no counters. Both go tier by tier, and a tier all of whose moves
lead to lower ones takes one pass.

A level is found by passing over the state of its tier; while few vertices change, it is a queue.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.kernels.words import LOSS_NOT_BEFORE, OPEN, TIE, code_of, largest_remoteness, widened
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Context
from retrosolve.runtime.progress import Progress, ProgressCallback, StageTimer
from retrosolve.runtime.threads import ThreadPool
from retrosolve.solvers.result import SolveResult, Statistics
from retrosolve.tables import PackedTable
from retrosolve.values import Value

COUNTERS = (np.uint8, np.uint16, np.uint32)
ONE_PASS_INDEX, SWEEP_INDEX, SWEEP_EDGE = 200, 1000, 150  # nanoseconds of one core


def workspace(vertices: int, edges: int) -> int:
    """Give the bytes that ``solve`` takes: a word and a counter for each index, and the queue.

    Twice the word for a game longer than 8,191 plies, or of more than 255 moves a position twice the
    counter.
    """
    return 3 * vertices + 8 * _queue_length(vertices)


def sweep_workspace(vertices: int, edges: int) -> int:
    """Give the bytes that ``sweep`` takes."""
    return 2 * vertices


def sweep_seconds(space: Any, edges: int, threads: int) -> float:
    """Estimate the time of ``sweep``: several tiers take one pass each, as a rule, one tier many."""
    n = int(space.num_vertices)
    if len(space.tiers) > 1:
        return ONE_PASS_INDEX * n / threads / 1e9
    return (SWEEP_INDEX * n + SWEEP_EDGE * edges) / threads / 1e9


def solve(space: Any, stuck: Value, context: Context) -> SolveResult:
    """Solve a game backwards by its predecessors, level by level, in O(n + m) time."""
    return _tier_by_tier(space, stuck, context, _Tier.by_predecessors)


def sweep(space: Any, stuck: Value, context: Context) -> SolveResult:
    """Solve a game by looking again at all undecided positions at every level.

    Takes O((n + m) * levels) time, O(n + m) if every move leads to an earlier tier.
    """
    return _tier_by_tier(space, stuck, context, _Tier.by_sweeps)


def _tier_by_tier(
    space: Any, stuck: Value, context: Context, way: Callable[[_Tier], int]
) -> SolveResult:
    edges = highest = 0
    timer, report = context.timer, context.progress
    with ThreadPool(context.threads, space.work) as pool:
        state = space.mark_reachable(pool, report)
        timer.stage("finding positions")
        for below, above in pairwise([*space.tiers, space.num_vertices]):
            tier = _Tier(space, stuck, report, pool, state, below, above, timer, highest)
            moves = tier.in_one_pass()
            timer.stage("tiers in one pass")
            edges += way(tier) if moves < 0 else moves
            state, highest = tier.state, tier.highest
            report(Progress("solving", above, space.num_vertices))
    return SolveResult(PackedTable(state), Statistics(edges))


class _Tier:
    """The indices ``below..above-1``, and the state of them and of all before them.

    No remoteness found so far is above ``highest``; the words hold one more.
    """

    def __init__(
        self, space: Any, stuck: Value, report: ProgressCallback, pool: ThreadPool,
        state: IntArray, below: int, above: int, timer: StageTimer, highest: int,
    ) -> None:  # fmt: skip
        self.space = space
        self.stuck = int(stuck)
        self.report = report
        self.pool = pool
        self.highest = highest
        self.state = widened(state, highest + 1)
        self.below, self.above = below, above
        self.timer = timer
        self.settled = 0  # how many indices of the tier have been passed with their level
        self.cuts = [below + cut for cut in pool.chunks(above - below)]

    def _map(self, kernel: str, *args: Any) -> list[Any]:
        run = self.space.run
        return self.pool.map_ranges(lambda a, b: run(kernel, a, b, *args, known=self.state), self.cuts)

    def in_one_pass(self) -> int:
        """Settle the tier in one pass and give the number of moves; -1 if moves lead into it."""
        if self.below == 0 and len(self.space.tiers) == 1:
            return -1
        space = self.space
        passed = self._map(
            "solve_acyclic_tier", self.below, self.above, self.stuck, self.state, space.max_moves
        )
        if any(moves < 0 for moves, _ in passed):
            return -1
        self.highest = max([self.highest, *(int(highest) for _, highest in passed)])
        return sum(int(moves) for moves, _ in passed)

    def by_predecessors(self) -> int:
        """Settle the tier by telling predecessors, level by level. Gives the number of moves."""
        space = self.space
        self.remaining = np.empty(self.above - self.below, _counter(space.max_moves))
        looked = self._map(
            "initialise",
            self.below,
            self.above,
            self.stuck,
            self.state,
            self.remaining,
            space.max_moves,
        )
        self.timer.stage("first look")
        self._levels(False, max((due for due, _ in looked), default=0))
        self.timer.stage("propagation")
        due = 0
        if self._has(TIE, 0, self.below):
            due = max(self._map("initialise_ties", self.below, self.state, space.max_moves), default=0)
        if due or self._has(TIE, self.below, self.above):
            self._levels(True, due)
        del self.remaining
        self._clear()
        self.timer.stage("ties and draws")
        return sum(edges for _, edges in looked)

    def by_sweeps(self) -> int:
        """Settle the tier by looking at successors, sweep by sweep. Gives the number of moves."""
        moves = self._map("initialise_open", self.stuck, self.state, self.space.max_moves)
        self.timer.stage("first look")
        for ties in (False, True):
            level = 0
            while True:
                swept = self._map("sweep", self.above, level, ties, self.state, self.space.max_moves)
                if not any(decided or later for decided, later in swept):
                    break
                level += 1
                self._lead_on_from(level)
                self.settled += sum(decided for decided, _ in swept)
                self.report(Progress("solving", self.below + self.settled, self.space.num_vertices))
            self.timer.stage("ties and draws" if ties else "propagation")
            if not (self._has(TIE, 0, self.below) or self._has(TIE, self.below, self.above)):
                break
        return sum(moves)

    def _levels(self, ties: bool, due: int) -> None:
        """Run level after level. Something may be due up to level ``due``."""
        level = 0
        size = self.above - self.below
        tuned = tuning.current()
        room = min(1 << 16, max(tuned.min_collected, size // tuned.collected_share))
        while True:

            def pass_part(first: int, last: int, level: int = level) -> tuple[int, int, IntArray]:
                queue = np.empty(room, np.int64)
                decided, had = self.space.run(
                    "propagate_level", first, last, self.below, self.above, level, ties, self.state,
                    self.remaining, self.space.max_predecessors, queue, known=self.state,
                )  # fmt: skip
                return decided, had, queue[:decided]

            passed = self.pool.map_ranges(pass_part, self.cuts)
            decided = max((found for found, _, _ in passed), default=0)
            self.settled += sum(had for _, had, _ in passed)
            if decided == 0 and level >= due:
                return
            level += 1
            self._lead_on_from(level)
            if level > due and decided <= room:
                # Two threads may both have decided the same index.
                level = self._run_queue(
                    np.unique(np.concatenate([queue for _, _, queue in passed])), level, ties
                )
                if level < 0:
                    return
            self.report(Progress("solving", self.below + self.settled, self.space.num_vertices))

    def _run_queue(self, frontier: IntArray, level: int, ties: bool) -> int:
        """Run levels from a short frontier. Gives the level to go on with, -1 if nothing is left."""
        length = max(len(frontier), _queue_length(self.above - self.below))
        queue = np.empty(length, np.int64)
        queue[: len(frontier)] = frontier
        head, tail = 0, len(frontier)
        while head < tail <= len(queue):
            head, tail, level = self.space.run(
                "run_queue", queue, head, tail, self.below, self.above, level, self.state,
                self.remaining, self.space.max_predecessors, largest_remoteness(self.state), known=self.state,
            )  # fmt: skip
            self._lead_on_from(level)
        return -1 if head == tail else level

    def _lead_on_from(self, level: int) -> None:
        """Note that ``level`` was found, and have words that hold one more before it is needed."""
        self.highest = max(self.highest, level)
        self.state = widened(self.state, self.highest + 1)

    def _has(self, code: int, first: int, last: int) -> bool:
        cuts = [first + cut for cut in self.pool.chunks(last - first)]
        has = self.space.kernels.kernel("has_code", self.space.work)
        return any(self.pool.map_ranges(lambda a, b: bool(has(a, b, code, self.state)), cuts))

    def _clear(self) -> None:
        """Turn what is open still, and could have been a LOSS only late, into a plain DRAW."""
        for first in range(self.below, self.above, 1 << 20):
            span = self.state[first : min(first + (1 << 20), self.above)]
            span[code_of(span) == LOSS_NOT_BEFORE] = OPEN


def _queue_length(vertices: int) -> int:
    """Return how many vertices the queue holds in a tier of so many."""
    tuned = tuning.current()
    return max(tuned.min_queue, vertices // tuned.queue_share)


def _counter(moves: int) -> Any:
    """Return the narrowest type of integer that counts so many moves."""
    return next(dtype for dtype in COUNTERS if moves <= np.iinfo(dtype).max)

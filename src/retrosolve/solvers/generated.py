"""Compiled games solved without storing a move: two bytes an index, and one more for counting.

``solve`` tells the predecessors of what is decided, level by level (``kernels.indexed``); ``rescan``,
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
from retrosolve.runtime.progress import Progress, ProgressCallback, StageTimer, no_progress
from retrosolve.runtime.threads import ThreadPool
from retrosolve.spaces.generated import GeneratedSpace
from retrosolve.tables.answers import Packed
from retrosolve.values import Value

COUNTERS = (np.uint8, np.uint16, np.uint32)
ONE_PASS_INDEX, RESCAN_INDEX, RESCAN_EDGE = 200, 1000, 150  # nanoseconds of one core


def workspace(vertices: int, edges: int) -> int:
    """Give the bytes that ``solve`` takes: a word and a counter for each index, and the queue.

    Twice the word for a game longer than 8,191 plies, or of more than 255 moves a position twice the
    counter.
    """
    return 3 * vertices + 8 * _queue_length(vertices)


def rescan_workspace(vertices: int, edges: int) -> int:
    """Give the bytes that ``rescan`` takes."""
    return 2 * vertices


def rescan_seconds(graph: GeneratedSpace, edges: int, threads: int) -> float:
    """Estimate the time of ``rescan``: tiers take one pass, as a rule, and one tier many."""
    if len(graph.tiers) > 1:
        return ONE_PASS_INDEX * graph.vertices / threads / 1e9
    return (RESCAN_INDEX * graph.vertices + RESCAN_EDGE * edges) / threads / 1e9


def solve(
    graph: GeneratedSpace,
    stuck: Value,
    report: ProgressCallback = no_progress,
    threads: int | None = None,
) -> Packed:
    """Give value and remoteness of every vertex, by predecessors. Cost O(n + m)."""
    return _tier_by_tier(graph, stuck, report, threads, _Tier.by_predecessors)


def rescan(
    graph: GeneratedSpace,
    stuck: Value,
    report: ProgressCallback = no_progress,
    threads: int | None = None,
) -> Packed:
    """Give the same by looking again at every level. Cost O((n + m) * levels)."""
    return _tier_by_tier(graph, stuck, report, threads, _Tier.by_sweeps)


def _tier_by_tier(
    graph: GeneratedSpace,
    stuck: Value,
    report: ProgressCallback,
    threads: int | None,
    way: Callable[[_Tier], int],
) -> Packed:
    edges = highest = 0
    clock = StageTimer()
    with ThreadPool(threads, graph.work) as pool:
        state = graph.mark_reachable(pool, report)
        clock.stage("finding positions")
        for below, above in pairwise([*graph.tiers, graph.vertices]):
            tier = _Tier(graph, stuck, report, pool, state, below, above, clock, highest)
            moves = tier.in_one_pass()
            clock.stage("tiers in one pass")
            edges += way(tier) if moves < 0 else moves
            state, highest = tier.state, tier.highest
            report(Progress("solving", above, graph.vertices))
    graph.counted = edges
    graph.seconds = clock.seconds
    return Packed(state)


class _Tier:
    """The indices ``below..above-1``, and the state of them and of all before them.

    No remoteness found so far is above ``highest``; the words hold one more.
    """

    def __init__(
        self, graph: GeneratedSpace, stuck: Value, report: ProgressCallback, pool: ThreadPool,
        state: IntArray, below: int, above: int, clock: StageTimer, highest: int,
    ) -> None:  # fmt: skip
        self.graph = graph
        self.stuck = int(stuck)
        self.report = report
        self.pool = pool
        self.highest = highest
        self.state = widened(state, highest + 1)
        self.below, self.above = below, above
        self.clock = clock
        self.settled = 0  # how many indices of the tier have been passed with their level
        self.cuts = [below + cut for cut in pool.chunks(above - below)]

    def _map(self, kernel: str, *args: Any) -> list[Any]:
        run = self.graph.run
        return self.pool.map_ranges(lambda a, b: run(kernel, a, b, *args, known=self.state), self.cuts)

    def in_one_pass(self) -> int:
        """Settle the tier in one pass and give the number of moves; -1 if moves lead into it."""
        if self.below == 0 and len(self.graph.tiers) == 1:
            return -1
        graph = self.graph
        passed = self._map(
            "solve_acyclic_tier", self.below, self.above, self.stuck, self.state, graph.moves
        )
        if any(moves < 0 for moves, _ in passed):
            return -1
        self.highest = max([self.highest, *(int(highest) for _, highest in passed)])
        return sum(int(moves) for moves, _ in passed)

    def by_predecessors(self) -> int:
        """Settle the tier by telling predecessors, level by level. Gives the number of moves."""
        graph = self.graph
        self.remaining = np.empty(self.above - self.below, _counter(graph.moves))
        looked = self._map(
            "initialise", self.below, self.above, self.stuck, self.state, self.remaining, graph.moves
        )
        self.clock.stage("first look")
        self._levels(False, max((due for due, _ in looked), default=0))
        self.clock.stage("propagation")
        due = 0
        if self._has(TIE, 0, self.below):
            due = max(self._map("initialise_ties", self.below, self.state, graph.moves), default=0)
        if due or self._has(TIE, self.below, self.above):
            self._levels(True, due)
        del self.remaining
        self._clear()
        self.clock.stage("ties and draws")
        return sum(edges for _, edges in looked)

    def by_sweeps(self) -> int:
        """Settle the tier by looking at successors, sweep by sweep. Gives the number of moves."""
        moves = self._map("initialise_open", self.stuck, self.state, self.graph.moves)
        self.clock.stage("first look")
        for ties in (False, True):
            level = 0
            while True:
                swept = self._map("sweep", self.above, level, ties, self.state, self.graph.moves)
                if not any(decided or later for decided, later in swept):
                    break
                level += 1
                self._lead_on_from(level)
                self.settled += sum(decided for decided, _ in swept)
                self.report(Progress("solving", self.below + self.settled, self.graph.vertices))
            self.clock.stage("ties and draws" if ties else "propagation")
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
                decided, had = self.graph.run(
                    "propagate_level", first, last, self.below, self.above, level, ties, self.state,
                    self.remaining, self.graph.origins, queue, known=self.state,
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
            self.report(Progress("solving", self.below + self.settled, self.graph.vertices))

    def _run_queue(self, frontier: IntArray, level: int, ties: bool) -> int:
        """Run levels from a short frontier. Gives the level to go on with, -1 if nothing is left."""
        length = max(len(frontier), _queue_length(self.above - self.below))
        queue = np.empty(length, np.int64)
        queue[: len(frontier)] = frontier
        head, tail = 0, len(frontier)
        while head < tail <= len(queue):
            head, tail, level = self.graph.run(
                "run_queue", queue, head, tail, self.below, self.above, level, self.state,
                self.remaining, self.graph.origins, largest_remoteness(self.state), known=self.state,
            )  # fmt: skip
            self._lead_on_from(level)
        return -1 if head == tail else level

    def _lead_on_from(self, level: int) -> None:
        """Note that ``level`` was found, and have words that hold one more before it is needed."""
        self.highest = max(self.highest, level)
        self.state = widened(self.state, self.highest + 1)

    def _has(self, code: int, first: int, last: int) -> bool:
        cuts = [first + cut for cut in self.pool.chunks(last - first)]
        has = self.graph.fitted.kernel("has_code", self.graph.work)
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

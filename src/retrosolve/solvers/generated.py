"""Games with generated edges: two bytes for each index, and one more for counting in long tiers.

``solve`` notifies the predecessors of decided positions, level by level. ``sweep``, for games without
predecessors, examines the successors of all undecided positions at each level; it needs no counters but
takes time for every level. Both proceed tier by tier, and a tier all of whose moves lead to earlier
tiers takes one pass. See ``kernels.generated``.

A level is found by a pass over the state of its tier; while few positions change, it is a queue.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.kernels import generated as kernels
from retrosolve.kernels import generated_sweep
from retrosolve.kernels.words import (
    LOSS_NOT_BEFORE,
    OPEN,
    TIE,
    bound_bits,
    code_of,
    largest_remoteness,
)
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Context
from retrosolve.runtime.progress import Progress, counted
from retrosolve.runtime.threads import ThreadPool
from retrosolve.runtime.window import AllWords
from retrosolve.solvers.tiers import solve_tiers
from retrosolve.spaces.tier_window import marking_bytes, window_bytes
from retrosolve.tables.result import SolveResult, Statistics
from retrosolve.values import Value

COUNTER_DTYPES = (np.uint8, np.uint16, np.uint32)
# Nanoseconds of one core, for estimates.
ACYCLIC_INDEX, SWEEP_INDEX, SWEEP_EDGE = 200, 1000, 150
INDICES_PER_SPAN = 1 << 20
LEVELS_PER_CALL = 1 << 12


def workspace(space: Any, num_edges: int) -> int:
    """Return the bytes that ``solve`` takes: a word for each index, counters of a tier, and the queue.

    Words take twice as much in a game longer than 8,191 plies.
    """
    counters = max(_counters(space))
    return 2 * int(space.num_vertices) + counters + 8 * _queue_length(max(_tier_sizes(space)))


def sweep_workspace(num_vertices: int, num_edges: int) -> int:
    """Return the bytes that ``sweep`` takes: a word for each index."""
    return 2 * num_vertices


def disk_workspace(space: Any) -> int:
    """Return the least bytes that ``solve`` takes if finished tiers are written to disk.

    Of a game of reachable positions these are not known before they are found.
    """
    return min(_disk_bytes(space), marking_bytes(space))


def _disk_bytes(space: Any) -> int:
    """Return the bytes that ``solve`` takes on disk with a word for each index."""
    return window_bytes(space, _counters(space)) + 8 * _queue_length(max(_tier_sizes(space)))


def sweep_disk_workspace(space: Any) -> int:
    """Return the least bytes that ``sweep`` takes if finished tiers are written to disk."""
    return min(window_bytes(space), marking_bytes(space))


def sweep_seconds(space: Any, num_edges: int, threads: int) -> float:
    """Estimate the time of ``sweep``: usually one pass for each of several tiers, many for one tier."""
    n = int(space.num_vertices)
    if len(space.tiers) > 1:
        return ACYCLIC_INDEX * n / threads / 1e9
    return (SWEEP_INDEX * n + SWEEP_EDGE * num_edges) / threads / 1e9


def solve(space: Any, stuck: Value, context: Context) -> SolveResult:
    """Solve a game backwards along generated predecessors, level by level, in O(n + m) time.

    Parameters
    ----------
    space : GeneratedSpace
        With predecessors.
    stuck : Value
        The value of a position without moves, for the player to move.
    context : Context

    Returns
    -------
    SolveResult
        With a packed table.

    Raises
    ------
    RulesError
        If the rules break their contract.
    """
    return _solve_tiers(space, stuck, context, _Tier.solve_retrograde, _disk_bytes)


def sweep(space: Any, stuck: Value, context: Context) -> SolveResult:
    """Solve a game by examining all undecided positions at every level.

    Parameters
    ----------
    space : GeneratedSpace
    stuck : Value
        The value of a position without moves, for the player to move.
    context : Context

    Returns
    -------
    SolveResult
        With a packed table.

    Raises
    ------
    RulesError
        If the rules break their contract.

    Notes
    -----
    O((n + m) * levels) time; O(n + m) if every move leads to an earlier tier.
    """
    return _solve_tiers(space, stuck, context, _Tier.solve_by_sweeps, window_bytes)


def _solve_tiers(
    space: Any, stuck: Value, context: Context, solve_cyclic: Callable[[_Tier], int],
    needed: Callable[[Any], int],
) -> SolveResult:  # fmt: skip
    """Solve tier by tier, in one pass where a tier allows it, otherwise by ``solve_cyclic``."""
    with ThreadPool(context.threads, space.work) as pool:

        def solve_tier(
            solved: Any, words: AllWords, below: int, above: int, highest: int
        ) -> tuple[int, int]:
            tier = _Tier(solved, stuck, context, pool, words, below, above, highest)
            moves = -1 if tier.snapshot else tier.solve_acyclic()
            context.timer.stage("tiers in one pass")
            return solve_cyclic(tier) if moves < 0 else moves, tier.highest

        table, num_edges = solve_tiers(space, context, pool, solve_tier, needed)
    return SolveResult(table, Statistics(num_edges))


class _Tier:
    """The indices ``below..above-1``, and the packed words of all indices up to them.

    ``highest`` is the largest remoteness so far; the words have room for one more.
    """

    def __init__(
        self, space: Any, stuck: Value, context: Context, pool: ThreadPool, words: AllWords,
        below: int, above: int, highest: int,
    ) -> None:  # fmt: skip
        self.space = space
        self.stuck = int(stuck)
        self.progress = context.progress
        self.timer = context.timer
        self.checkpoint = context.checkpoint
        self.pool = pool
        self.words = words
        self.highest = highest
        self.below, self.above = below, above
        words.reserve(highest + 1)
        self.num_decided = 0  # indices of the tier whose level has been passed
        self.cuts = [below + cut for cut in pool.chunks(above - below)]
        self.num_edges = 0
        self.stage = f"tier {below}..{above}"
        self.snapshot = context.checkpoint.resumed(self.stage)

    @property
    def state(self) -> IntArray:
        """The packed words, changed in place."""
        return self.words.words

    def _map(self, kernel: Any, *args: Any, stage: str | None = None) -> list[Any]:
        """Call a kernel for chunks of the tier; return its results. Reports a stage, if it has one."""
        run, total = self.space.run, self.space.num_vertices
        report = None if stage is None else counted(self.progress, stage, self.below, total)
        return self.pool.map_ranges(
            lambda start, stop: run(kernel, start, stop, *args, known=self.state), self.cuts, report
        )

    def solve_acyclic(self) -> int:
        """Solve the tier in one pass; return the number of moves, -1 if some stay within the tier."""
        if self.below == 0 and len(self.space.tiers) == 1:
            return -1
        space = self.space
        results = self._map(
            generated_sweep.solve_acyclic_tier, self.below, self.above, self.stuck, self.state,
            space.max_moves, stage="solving",
        )  # fmt: skip
        if any(moves < 0 for moves, _ in results):
            return -1
        self.highest = max([self.highest, *(int(highest) for _, highest in results)])
        return sum(int(moves) for moves, _ in results)

    def solve_retrograde(self) -> int:
        """Solve the tier by notifying predecessors, level by level; return the number of moves."""
        # Where all are short, words have room for the counters.
        self.counter_bits = bound_bits(self.highest + 1 if self.below else 0, self.space.max_moves)
        counters = self.above - self.below if self.counter_bits < 0 else 0
        self.remaining = np.empty(counters, _counter_dtype(self.space.max_moves))
        ties, level, pending = self._restored(remaining=self.remaining) or self._initialised()
        if not ties:
            self._propagate(ties, level, pending)
            self.timer.stage("propagation")
            level, pending = 0, self._initialise_ties()
            ties = pending > 0 or self._has(TIE, self.below, self.above)
        if ties:
            self._propagate(ties, level, pending)
        del self.remaining
        self._clear_bounds()
        self.timer.stage("ties and draws")
        return self.num_edges

    def _initialised(self) -> tuple[bool, int, int]:
        """Settle what needs no propagation; return where it begins, and the last pending level."""
        results = self._map(
            kernels.initialise, self.below, self.above, self.stuck, self.state, self.remaining,
            self.counter_bits, self.space.max_moves, stage="initialisation",
        )  # fmt: skip
        self.timer.stage("initialisation")
        self.num_edges = sum(moves for _, moves in results)
        return False, 0, max((pending for pending, _ in results), default=0)

    def _initialise_ties(self) -> int:
        """Mark what inherits a TIE from an earlier tier as pending; return the last pending level."""
        if not self._has(TIE, 0, self.below):
            return 0
        size = self.space.max_moves
        return max(self._map(kernels.initialise_ties, self.below, self.state, size), default=0)

    def solve_by_sweeps(self) -> int:
        """Solve the tier by examining successors, sweep by sweep; return the number of moves."""
        size = self.space.max_moves
        restored = self._restored()
        if restored is None:
            moves = self._map(
                generated_sweep.initialise_open, self.stuck, self.state, size, stage="initialisation"
            )
            self.timer.stage("initialisation")
            self.num_edges = sum(moves)
        first, level, _ = restored or (False, 0, 0)
        for ties in (False, True)[first:]:
            while True:
                swept = self._map(generated_sweep.sweep, self.above, level, ties, self.state, size)
                if not any(decided or later for decided, later in swept):
                    break
                level += 1
                self._reserve(level)
                self.num_decided += sum(decided for decided, _ in swept)
                self._save(ties, level)
                self._report()
            level = 0
            self.timer.stage("ties and draws" if ties else "propagation")
            if not (self._has(TIE, 0, self.below) or self._has(TIE, self.below, self.above)):
                break
        return self.num_edges

    def _save(self, ties: bool, level: int, pending: int = 0, **arrays: Any) -> None:
        """Save a snapshot if one is due: everything before ``level`` has been propagated."""
        if self.checkpoint.due():
            facts: dict[str, int | str] = {
                "stage": self.stage, "ties": int(ties), "level": level, "pending": pending,
                "highest": self.highest, "edges": int(self.num_edges), "decided": self.num_decided,
            }  # fmt: skip
            self.checkpoint.save(facts, {"words": self.state[self.below : self.above], **arrays})

    def _restored(self, **arrays: Any) -> tuple[bool, int, int] | None:
        """Return where to go on from a snapshot, which is read; None without one."""
        if self.snapshot is None:
            return None
        facts: Any = self.snapshot.facts
        self._reserve(facts["highest"])
        self.num_edges, self.num_decided = facts["edges"], facts["decided"]
        self.snapshot.read("words", self.state[self.below : self.above])
        for name, array in arrays.items():
            self.snapshot.read(name, array)
        return bool(facts["ties"]), facts["level"], facts["pending"]

    def _report(self) -> None:
        """Report how many indices are decided."""
        self.progress(Progress("solving", self.below + self.num_decided, self.space.num_vertices))

    def _propagate(self, ties: bool, level: int, last_pending: int) -> None:
        """Propagate from a level on; values inherited from earlier tiers take effect up to another."""
        size = self.above - self.below
        tuned = tuning.current()
        room = min(1 << 16, max(tuned.min_collected, size // tuned.collected_share))
        while True:

            def propagate(start: int, stop: int, level: int = level) -> tuple[int, int, IntArray]:
                queue = np.empty(room, np.int64)
                decided, passed = self.space.run(
                    kernels.propagate_level, start, stop, self.below, self.above, level, ties,
                    self.state, self.remaining, self.counter_bits, self.space.max_predecessors, queue,
                    known=self.state,
                )  # fmt: skip
                return decided, passed, queue[:decided]

            results = self.pool.map_ranges(propagate, self.cuts)
            decided = max((decided for decided, _, _ in results), default=0)
            self.num_decided += sum(passed for _, passed, _ in results)
            if decided == 0 and level >= last_pending:
                return
            level += 1
            self._reserve(level)
            if level > last_pending and decided <= room:
                # Two threads may have decided the same index.
                frontier = np.unique(np.concatenate([queue for _, _, queue in results]))
                level = self._run_queue(frontier, level, ties)
                if level < 0:
                    return
            self._save(ties, level, last_pending, remaining=self.remaining)
            self._report()

    def _run_queue(self, frontier: IntArray, level: int, ties: bool) -> int:
        """Run levels from a short frontier; return the next level, -1 if nothing is left."""
        length = max(len(frontier), _queue_length(self.above - self.below))
        queue = np.empty(length, np.int64)
        queue[: len(frontier)] = frontier
        head, tail = 0, len(frontier)
        while head < tail <= len(queue):
            last = min(largest_remoteness(self.state), level + LEVELS_PER_CALL)
            head, tail, level = self.space.run(
                kernels.run_queue, queue, head, tail, self.below, self.above, level, self.state,
                self.remaining, self.counter_bits, self.space.max_predecessors, last, known=self.state,
            )  # fmt: skip
            self._reserve(level)
            self._save(ties, level, remaining=self.remaining)
            self._report()
        return -1 if head == tail else level

    def _reserve(self, level: int) -> None:
        """Record that ``level`` was found; widen the words if they have no room for the next level."""
        self.highest = max(self.highest, level)
        self.words.reserve(self.highest + 1)

    def _has(self, code: int, start: int, stop: int) -> bool:
        """Return whether some word of ``start..stop-1`` has a code."""
        has = self.space.kernels.kernel(kernels.has_code, self.space.work)
        for low, high in self.words.loaded(start, stop):
            cuts = [low + cut for cut in self.pool.chunks(high - low)]
            if any(self.pool.map_ranges(lambda a, b: bool(has(a, b, code, self.state)), cuts)):
                return True
        return False

    def _clear_bounds(self) -> None:
        """Make words of a DRAW of those of undecided positions, with a counter or a bound on a LOSS."""
        for start in range(self.below, self.above, INDICES_PER_SPAN):
            span = self.state[start : min(start + INDICES_PER_SPAN, self.above)]
            code = code_of(span)
            span[(code == LOSS_NOT_BEFORE) | (code == OPEN)] = OPEN


def _queue_length(num_vertices: int) -> int:
    """Return the length of the queue for a tier."""
    tuned = tuning.current()
    return max(tuned.min_queue, num_vertices // tuned.queue_share)


def _tier_sizes(space: Any) -> list[int]:
    """Return the number of indices of each tier."""
    return [above - below for below, above in pairwise([*space.tiers, space.num_vertices])]


def _counters(space: Any) -> list[int]:
    """Return the bytes of the counters of each tier that the words may have no room for."""
    width = int(np.dtype(_counter_dtype(space.max_moves)).itemsize)
    # No remoteness is as large as the number of positions.
    return [
        width * size * (bound_bits(int(first), space.max_moves) < 0)
        for first, size in zip(space.tiers, _tier_sizes(space), strict=True)
    ]


def _counter_dtype(max_moves: int) -> Any:
    """Return the narrowest integer type that counts up to ``max_moves``."""
    return next(dtype for dtype in COUNTER_DTYPES if max_moves <= np.iinfo(dtype).max)

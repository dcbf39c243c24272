"""Games with generated edges: two bytes for each index, and one more for counting in long tiers.

``solve`` notifies the predecessors of decided positions, level by level. ``sweep``, for games without
predecessors, examines the successors of all undecided positions at each level; it needs no counters but
takes time for every level. Both proceed tier by tier, and a tier all of whose moves lead to earlier
tiers takes one pass. ``worklist`` is the textbook algorithm, of which both compute the same.

A level is a pass over the words of its tier that takes those of its remoteness; while few positions
change, it is a queue. No vertex gets the level of the pass, so several threads may work on it, and the
result does not depend on their number.

The kernels below are specialised: the functions of a game replace the placeholders in
``spaces.checked``, and ``data``, ``index_table`` and ``fault`` are as there. The state is one packed
word an index (``objectives.words``), with the number of open moves of an undecided one:

==================  ================================================================================
``counter_bits``    where the open moves of an undecided index are counted
==================  ================================================================================
-1                  in the array ``remaining``; the word is the code and a bound on a LOSS above it
b >= 0              in the word: the code, the bound in b bits above it, the count above the bound
==================  ================================================================================
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrosolve.arrays import IntArray, spans
from retrosolve.compilation.atomic import exchange, no_refcount
from retrosolve.objectives import Conversion, Outcome
from retrosolve.objectives.words import (
    INVALID_CODE,
    LOSS,
    LOSS_NOT_BEFORE,
    OPEN,
    PENDING_LOSS,
    PENDING_WIN,
    TIE,
    WIN,
    bound_bits,
    code_of,
    is_open,
    largest_remoteness,
    pack,
    remoteness_of,
    word_dtype,
)
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Context, Facts, Progress, counted
from retrosolve.runtime.threads import ThreadPool
from retrosolve.runtime.workspace import Buffers
from retrosolve.solvers.tiers import solve_tiers
from retrosolve.spaces.base import Capability, RulesSpace
from retrosolve.spaces.checked import (
    NO_TARGET,
    OVERRUN,
    PREDECESSOR_OVERRUN,
    ZERO,
    canonical,
    check_guard,
    checked_code,
    checked_count,
    checked_index,
    checked_target,
    index_of,
    position_limit,
    position_of,
    predecessors_of,
    report_fault,
    room_for,
    successors,
    survey_index,
    terminal_or_invalid,
    value_for_mover,
)
from retrosolve.spaces.tier_window import AllWords, marking_bytes, window_bytes
from retrosolve.tables.result import SolveResult, Statistics
from retrosolve.values import Value

COUNTER_DTYPES = (np.uint8, np.uint16, np.uint32)
# Nanoseconds of one core, for estimates.
ACYCLIC_INDEX, SWEEP_INDEX, SWEEP_EDGE = 200, 1000, 150
LEVELS_PER_CALL = 1 << 12
WORDS_PER_BLOCK = np.int64(256)
INLINED = (
    "bound_of",
    "count_down",
    "count_down_word",
    "initial_word",
    "notify_predecessors",
    "seen_word",
)


def buffers(space: RulesSpace, num_edges: int) -> Buffers:
    """Declare the arrays of ``solve``: a word for each index, counters of a tier, and the queue.

    Words take twice as much in a game longer than 8,191 plies.
    """
    return sweep_buffers(space, num_edges) | Buffers(
        counters=(max(_counters(space)), np.uint8),
        queue=(_queue_length(max(space.tier_sizes)), np.int64),
    )


def sweep_buffers(space: RulesSpace, num_edges: int) -> Buffers:
    """Declare the array of ``sweep``: a word for each index."""
    return Buffers(words=(space.num_vertices, word_dtype(0)))


def disk_workspace(space: RulesSpace) -> int:
    """Return the least bytes that ``solve`` takes if finished tiers are written to disk.

    Of a game of reachable positions these are not known before they are found.
    """
    return min(_disk_bytes(space), marking_bytes(space))


def _disk_bytes(space: RulesSpace) -> int:
    """Return the bytes that ``solve`` takes on disk with a word for each index."""
    return window_bytes(space, _counters(space)) + 8 * _queue_length(max(space.tier_sizes))


def sweep_disk_workspace(space: RulesSpace) -> int:
    """Return the least bytes that ``sweep`` takes if finished tiers are written to disk."""
    return min(window_bytes(space), marking_bytes(space))


def sweep_seconds(space: RulesSpace, num_edges: int, threads: int) -> float:
    """Estimate the time of ``sweep``: usually one pass for each of several tiers, many for one tier.

    Rules that offer predecessors do so because moves stay within a tier, which takes many passes.
    """
    n = int(space.num_vertices)
    if len(space.tiers) > 1 and Capability.PREDECESSORS not in space.capabilities:
        return ACYCLIC_INDEX * n / threads / 1e9
    return (SWEEP_INDEX * n + SWEEP_EDGE * num_edges) / threads / 1e9


def solve(space: RulesSpace, objective: Outcome, context: Context) -> SolveResult:
    """Solve a game backwards along generated predecessors, level by level, in O(n + m) time.

    Parameters
    ----------
    space : GeneratedSpace
        With predecessors.
    objective : Outcome
        Under a Conversion the distance is counted anew in each tier.
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
    return _solve_tiers(space, objective, context, _Tier.solve_retrograde, _disk_bytes)


def sweep(space: RulesSpace, objective: Outcome, context: Context) -> SolveResult:
    """Solve a game by examining all undecided positions at every level.

    Parameters
    ----------
    space : GeneratedSpace
    objective : Outcome
        As in ``solve``.
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
    return _solve_tiers(space, objective, context, _Tier.solve_by_sweeps, window_bytes)


def conversion_buffers(space: RulesSpace, num_edges: int) -> Buffers:
    """Declare the arrays of ``solve`` for a conversion: another word for each index."""
    return buffers(space, num_edges) | Buffers(finished=(space.num_vertices, word_dtype(0)))


def _solve_tiers(
    space: RulesSpace, objective: Outcome, context: Context,
    solve_cyclic: Callable[[_Tier], int], needed: Callable[[RulesSpace], int],
) -> SolveResult:  # fmt: skip
    """Solve tier by tier, in one pass where a tier allows it, otherwise by ``solve_cyclic``."""
    conversion = objective if isinstance(objective, Conversion) else None
    with ThreadPool(context.threads, space.work) as pool:

        def solve_tier(
            solved: RulesSpace, words: AllWords, below: int, above: int, highest: int
        ) -> tuple[int, int]:
            """Solve one tier; return the number of its moves, and the largest remoteness so far."""
            tier = _Tier(solved, objective.stuck, context, pool, words, below, above, highest)
            moves = -1 if tier.snapshot else tier.solve_acyclic()
            context.timer.stage("tiers in one pass")
            moves = solve_cyclic(tier) if moves < 0 else moves
            tier.finish()
            return moves, tier.highest

        table, num_edges = solve_tiers(space, context, pool, solve_tier, needed, conversion)
    return SolveResult(table, Statistics(num_edges))


class _Tier:
    """The indices ``below..above-1``, and the packed words of all indices up to them.

    ``highest`` is the largest remoteness so far; the words have room for one more.
    """

    def __init__(
        self, space: RulesSpace, stuck: Value, context: Context, pool: ThreadPool, words: AllWords,
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
        self.cuts = pool.chunks(above - below, start=below)
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
            solve_acyclic_tier, self.below, self.above, self.stuck, self.state,
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
        restored = self._restored(remaining=self.remaining)
        if restored is None:
            last, self.num_edges = self._initialised()
            self.timer.stage("initialisation")
            restored = False, 0, last
        ties, level, pending = restored
        if not ties:
            self._propagate(ties, level, pending)
            self.timer.stage("propagation")
            level, pending = 0, 0
            if self.words.has_tie():
                pending, _ = self._initialised(ties=True)
            ties = pending > 0 or self._has_tie()
        if ties:
            self._propagate(ties, level, pending)
        del self.remaining
        self._clear_bounds()
        self.timer.stage("ties and draws")
        return self.num_edges

    def _initialised(self, ties: bool = False) -> tuple[int, int]:
        """Settle what needs no propagation; return the last pending level and the number of moves."""
        results = self._map(
            initialise, self.below, self.above, self.stuck, ties, self.state, self.remaining,
            self.counter_bits, self.space.max_moves, stage=None if ties else "initialisation",
        )  # fmt: skip
        return max((pending for pending, _ in results), default=0), sum(moves for _, moves in results)

    def solve_by_sweeps(self) -> int:
        """Solve the tier by examining successors, sweep by sweep; return the number of moves."""
        size = self.space.max_moves
        restored = self._restored()
        if restored is None:
            moves = self._map(initialise_open, self.stuck, self.state, size, stage="initialisation")
            self.timer.stage("initialisation")
            self.num_edges = sum(moves)
        first, level, _ = restored or (False, 0, 0)
        for ties in (False, True)[first:]:
            while True:
                swept = self._map(sweep_level, self.above, level, ties, self.state, size)
                decided = sum(decided for decided, _ in swept)
                later = min((later for _, later in swept if later), default=0)
                if not decided and not later:
                    break
                level = level + 1 if decided else later
                self._reserve(level)
                self.num_decided += decided
                self._save(ties, level)
                self._report()
            level = 0
            self.timer.stage("ties and draws" if ties else "propagation")
            if not (self.words.has_tie() or self._has_tie()):
                break
        return self.num_edges

    def _save(self, ties: bool, level: int, pending: int = 0, **arrays: Any) -> None:
        """Save a snapshot if one is due: everything before ``level`` has been propagated."""
        if self.checkpoint.due():
            facts: Facts = {
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
        self.snapshot.read({"words": self.state[self.below : self.above], **arrays})
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
                _, decided, _, passed = self._notify(True, start, stop, 0, level, level, ties, queue)
                return decided, passed, queue[:decided]

            results = self.pool.map_ranges(propagate, self.cuts)
            decided = max((decided for decided, _, _ in results), default=0)
            self.num_decided += sum(passed for _, passed, _ in results)
            level = level + 1 if decided else self._next_pending(level)
            if level < 0:
                return
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
            head, tail, level, _ = self._notify(False, head, tail, tail, level, last, ties, queue)
            self._reserve(level)
            self._save(ties, level, remaining=self.remaining)
            self._report()
        return -1 if head == tail else level

    def _notify(
        self, scans: bool, start: int, stop: int, tail: int, level: int, last: int, ties: bool,
        queue: IntArray,
    ) -> tuple[int, int, int, int]:  # fmt: skip
        """Notify the predecessors of indices of a level; see ``propagate_level``."""
        space = self.space
        found: tuple[int, int, int, int] = space.run(
            propagate_level, scans, start, stop, tail, self.below, self.above, level, last, ties,
            self.state, self.remaining, self.counter_bits, space.max_predecessors, queue,
            known=self.state,
        )  # fmt: skip
        return found

    def _reserve(self, level: int) -> None:
        """Record that ``level`` was found; widen the words if they have no room for the next level."""
        self.highest = max(self.highest, level)
        self.words.reserve(self.highest + 1)

    def _next_pending(self, level: int) -> int:
        """Return the next level at which values of earlier tiers take effect, -1 if there is none."""
        kernel = self.space.kernels.kernel(next_pending, self.space.work)
        found = self.pool.map_ranges(lambda a, b: int(kernel(a, b, level, self.state)), self.cuts)
        return min((at for at in found if at >= 0), default=-1)

    def finish(self) -> None:
        """Record whether the tier, which is solved, has a TIE."""
        if self._has_tie():
            self.words.tied.append((self.below, self.above))

    def _has_tie(self) -> bool:
        """Return whether some word of the tier is a TIE."""
        has = self.space.kernels.kernel(has_code, self.space.work)
        return any(self.pool.map_ranges(lambda a, b: bool(has(a, b, TIE, self.state)), self.cuts))

    def _clear_bounds(self) -> None:
        """Make words of a DRAW of those of undecided positions, with a counter or a bound on a LOSS."""
        for start, stop in spans(self.above, first=self.below):
            words = self.state[start:stop]
            code = code_of(words)
            words[(code == LOSS_NOT_BEFORE) | (code == OPEN)] = OPEN


def _queue_length(num_vertices: int) -> int:
    """Return the length of the queue for a tier."""
    tuned = tuning.current()
    return max(tuned.min_queue, num_vertices // tuned.queue_share)


def _counters(space: RulesSpace) -> list[int]:
    """Return the bytes of the counters of each tier that the words may have no room for."""
    width = int(np.dtype(_counter_dtype(space.max_moves)).itemsize)
    # No remoteness is as large as the number of positions.
    return [
        width * size * (bound_bits(int(first), space.max_moves) < 0)
        for first, size in zip(space.tiers, space.tier_sizes, strict=True)
    ]


def _counter_dtype(max_moves: int) -> Any:
    """Return the narrowest integer type that counts up to ``max_moves``."""
    return next(dtype for dtype in COUNTER_DTYPES if max_moves <= np.iinfo(dtype).max)


# -- kernels --------------------------------------------------------------------------------------


def initialise(
    start, stop, below, above, stuck, ties, state, remaining, counter_bits, max_moves, data,
    index_table, fault,
):  # fmt: skip
    """Settle what is terminal, has no moves or is decided by moves to earlier tiers; count moves.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    below, above : int
        The tier is ``below..above-1``.
    stuck : int
        The value of a position without moves.
    ties : bool
        Whether to mark as pending what is undecided and has a TIE in an earlier tier, nothing else.
    state : words [n]
        Changed in place.
    remaining : uint8, uint16 or uint32 [above - below or 0]
        Overwritten with the number of different successors not yet seen to lose.
    counter_bits : int
        See the module.
    max_moves : int
        The most moves of a position.
    data, index_table, fault
        See the module.

    Returns
    -------
    max_pending, edges : int
        The last level at which something is pending, and the number of moves.
    """
    data, index_table, fault = no_refcount((data, index_table, fault))
    # ``survey_index`` is called for each index, with these; ``room`` lives as long as ``out``.
    state = no_refcount(state)
    room = room_for(max_moves)
    out = no_refcount(room)
    max_pending, edges = 0, 0
    has_counters = counter_bits < 0 and not ties
    for i in range(start, stop):
        if has_counters:
            remaining[i - below] = 0
        code = code_of(state[i])
        if code == INVALID_CODE or (ties and code not in (OPEN, LOSS_NOT_BEFORE)):
            continue
        result, moves, within, beyond = survey_index(
            i, below, above, not ties, state, out, max_moves, data, index_table, fault
        )
        if result != 0 or moves == 0:
            state[i] = code_of(result) if result != 0 else stuck
            continue
        edges += moves
        win, tie, min_loss_level, open_moves = 0, 0, 0, within + beyond
        for k in range(beyond):
            code, plies = seen_word(state, out[k])
            if code == WIN:
                win = plies if win == 0 else min(win, plies)
            elif code == TIE:
                tie = plies if tie == 0 else min(tie, plies)
            elif code == LOSS:
                min_loss_level = max(min_loss_level, plies)
                open_moves -= 1
        if ties:
            if tie > 0:
                state[i] = pack(PENDING_WIN, tie)
                max_pending = max(max_pending, tie)
            continue
        state[i] = initial_word(win, min_loss_level, open_moves, counter_bits)
        if has_counters:
            remaining[i - below] = open_moves
        max_pending = max(max_pending, win, min_loss_level)
    check_guard(start, stop, OVERRUN, room, max_moves, fault)
    return max_pending, edges


def seen_word(state, j):
    """Return the value and the remoteness of a move to an index, for the player who makes it.

    Parameters
    ----------
    state : words [n]
    j : int
        The index, or ~index where the same player moves on.

    Returns
    -------
    code, plies : int64
        WIN, LOSS or TIE and the level of the index plus 1; another code where that is not decided.
    """
    word = np.int64(state[~j if j < 0 else j])
    code = code_of(word)
    if j >= 0 and code in (WIN, LOSS):
        code = WIN + LOSS - code
    return code, remoteness_of(word) + 1


def propagate_level(
    scans, start, stop, tail, below, above, level, last, ties, state, remaining, counter_bits,
    max_predecessors, queue, data, index_table, fault,
):  # fmt: skip
    """Notify the predecessors of every index of a level, found by a pass over the words or queued.

    A queue is run level after level on one thread, until it is full or ``last`` is reached.

    Parameters
    ----------
    scans : bool
        Whether to look at the indices ``start..stop-1``, not to take ``queue[start:stop]``.
    start, stop : int
        The indices, or places in the queue.
    tail : int
        What is decided is appended to the queue from here on, as long as there is room.
    below, above : int
        The tier is ``below..above-1``.
    level, last : int
        The level, and the last one that a word holds.
    ties : bool
        Whether ties are propagated, not wins and losses.
    state, remaining, counter_bits
        As in ``initialise``; the arrays are changed in place.
    max_predecessors : int
        The most predecessors of a position.
    queue : int64 [any length]
        Changed in place.
    data, index_table, fault
        See the module.

    Returns
    -------
    next, tail, level, taken : int
        Where to go on, the end of the queue, also past its length, its level, and how many indices
        were of the level.
    """
    data, index_table, fault = no_refcount((data, index_table, fault))
    # ``predecessors_of`` is called for each index, with these; ``room`` lives as long as ``out``.
    state, remaining = no_refcount((state, remaining))
    room = room_for(max_predecessors)
    out = no_refcount(room)
    place, end, taken = np.int64(start), np.int64(stop), ZERO
    passed = place  # what is before it has been looked through for words of the level
    while place < end:
        if scans and place == passed:
            place = block_with_level(place, end, level, state)
            passed = min(place + WORDS_PER_BLOCK, end)
            if place == end:
                break
        j = place if scans else queue[place]
        place += 1
        word = np.int64(state[j])
        code = code_of(word)
        if scans:
            if remoteness_of(word) != level or code in (OPEN, INVALID_CODE, LOSS_NOT_BEFORE):
                continue
            # What earlier tiers decide takes effect at its level.
            if code == PENDING_WIN:
                code = TIE if ties else WIN
                state[j] = pack(code, level)
            elif code == PENDING_LOSS:
                code = LOSS
                state[j] = pack(code, level)
            if (code == TIE) != ties:
                continue
        taken += 1
        count = predecessors_of(
            j, below, above, state, remaining, counter_bits, out, max_predecessors, data, index_table,
            fault,
        )  # fmt: skip
        # worklist.propagate, by several threads and with words for its arrays:
        #     for each predecessor v of w that is open:
        #         if who moves at v wins (or ties) at w: decide v
        #         else: count down its open moves; at zero v is a LOSS
        for k in range(count):
            i = out[k]
            result = code if code == TIE or i < 0 else WIN + LOSS - code
            i = ~i if i < 0 else i
            word = np.int64(state[i])
            if not is_open(word):
                continue
            pending = code_of(word) == PENDING_WIN
            if result != LOSS:
                if pending and remoteness_of(word) <= level + 1:
                    continue  # the move to an earlier tier is as short
                state[i] = pack(result, level + 1)
            else:
                if pending or count_down(state, remaining, counter_bits, i, below) != 0:
                    continue
                # All moves lose. Where the longest leads to an earlier tier, it is a LOSS only there.
                bound = bound_of(word, counter_bits)
                if code_of(word) == LOSS_NOT_BEFORE and bound > level + 1:
                    state[i] = pack(PENDING_LOSS, bound)
                    continue
                state[i] = pack(LOSS, level + 1)
            if tail < len(queue):
                queue[tail] = i
            tail += 1
        if place == end and not scans:
            level += 1
            if tail <= len(queue) and level < last and fault[0] == 0:
                end = tail
    check_guard(below, above, PREDECESSOR_OVERRUN, room, max_predecessors, fault)
    return place, tail, level, taken


def block_with_level(start, stop, level, state):
    """Return where the first block of words begins of which one may be of a level; ``stop`` if none is.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to look at.
    level : int
        The level.
    state : words [n]
        Only read.
    """
    wanted = state.dtype.type(level)
    while start < stop:
        words = state[start : min(start + WORDS_PER_BLOCK, stop)]
        found = False
        # Compiled, many words are compared at a time: a slice is indexed from 0 on, nothing is wider
        # than a word, and the loop has no way out.
        for i in range(len(words)):
            found = found | (remoteness_of(words[i]) == wanted)
        if found:
            break
        start += len(words)
    return start


def has_code(start, stop, code, state):
    """Return whether some index has this code.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    code : int
        The code to look for.
    state : words [n]
        Only read.
    """
    for i in range(start, stop):  # noqa: SIM110  # numba has no any()
        if code_of(state[i]) == code:
            return True
    return False


def next_pending(start, stop, level, state):
    """Return the first level after ``level`` at which some index is pending, -1 if there is none.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to look at.
    level : int
        What is pending until it has taken effect.
    state : words [n]
        Only read.
    """
    first = np.int64(-1)
    for i in range(start, stop):
        word = np.int64(state[i])
        code, at = code_of(word), remoteness_of(word)
        if code in (PENDING_WIN, PENDING_LOSS) and at > level and (first < 0 or at < first):
            first = at
    return first


def initialise_open(start, stop, stuck, state, max_moves, data, index_table, fault):
    """Settle what is terminal, has no moves, or is invalid.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    stuck : int
        The value of a position without moves.
    state : words [n]
        Changed in place.
    max_moves : int
        The most moves of a position.
    data, index_table, fault
        See the module.

    Returns
    -------
    int
        The number of moves.
    """
    data, index_table, fault = no_refcount((data, index_table, fault))
    out = room_for(max_moves)
    edges = 0
    for i in range(start, stop):
        if code_of(state[i]) == INVALID_CODE:
            continue
        p = position_of(i, data, index_table)
        result = checked_code(terminal_or_invalid(p, data), p, fault)
        if result != 0:
            state[i] = code_of(result)
        else:
            count = checked_count(successors(p, out, data), p, out[max_moves], max_moves, fault)
            edges += count
            state[i] = stuck if count == 0 else OPEN
    check_guard(start, stop, OVERRUN, out, max_moves, fault)
    return edges


def sweep_level(start, stop, above, level, ties, state, max_moves, data, index_table, fault):
    """Decide what has remoteness ``level + 1``, by the successors of what is undecided.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    above : int
        Where the tier ends; no move may lead there or past it.
    level : int
        The last level that is known.
    ties : bool
        Whether ties are propagated, not wins and losses.
    state : words [n]
        Changed in place.
    max_moves : int
        The most moves of a position.
    data, index_table, fault
        See the module.

    Returns
    -------
    decided, later : int
        How many were decided, and the first level after ``level`` at which some successor is decided,
        0 if there is none.
    """
    data, index_table, fault = no_refcount((data, index_table, fault))
    out = room_for(max_moves)
    decided, later = 0, ZERO
    limit = position_limit(len(state))
    for i in range(start, stop):
        if code_of(state[i]) != OPEN:
            continue
        p = position_of(i, data, index_table)
        count = checked_count(successors(p, out, data), p, out[max_moves], max_moves, fault)
        good = False
        bad = 0
        for k in range(count):
            q = canonical(checked_target(out[k], p, limit, fault), data)
            j = checked_index(index_of(q, data, index_table), p, q, above, fault)
            word = np.int64(state[j])
            code = code_of(word)
            if code == INVALID_CODE:
                report_fault(fault, NO_TARGET, p, q, j, ZERO)
            if code == OPEN or (code == TIE) != ties:
                continue
            if remoteness_of(word) > level:
                later = remoteness_of(word) if later == 0 else min(later, remoteness_of(word))
                continue
            if ties or value_for_mover(code, p, q, data) == WIN:
                good = True
                break
            bad += 1
        if good or (bad == count and not ties):
            state[i] = pack((TIE if ties else WIN) if good else LOSS, level + 1)
            decided += 1
    return decided, later


def solve_acyclic_tier(start, stop, below, above, stuck, state, max_moves, data, index_table, fault):
    """Solve indices of a tier all of whose moves lead below it.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    below, above : int
        The tier is ``below..above-1``.
    stuck : int
        The value of a position without moves.
    state : words [n]
        Changed in place.
    max_moves : int
        The most moves of a position.
    data, index_table, fault
        See the module.

    Returns
    -------
    edges, highest : int
        The number of moves, -1 if one leads into the tier itself, and the largest remoteness.
    """
    data, index_table, fault = no_refcount((data, index_table, fault))
    # ``survey_index`` is called for each index, with these; ``room`` lives as long as ``out``.
    state = no_refcount(state)
    room = room_for(max_moves)
    out = no_refcount(room)
    edges = 0
    highest = np.int64(0)
    for i in range(start, stop):
        if code_of(state[i]) == INVALID_CODE:
            continue
        result, moves, within, beyond = survey_index(
            i, below, above, False, state, out, max_moves, data, index_table, fault
        )
        if within > 0:
            return np.int64(-1), highest
        if result != 0 or moves == 0:
            state[i] = code_of(result) if result != 0 else stuck
            continue
        edges += moves
        win, tie, loss = np.int64(0), np.int64(0), np.int64(0)
        draw = False
        for k in range(beyond):
            code, plies = seen_word(state, out[k])
            if code == WIN:
                win = plies if win == 0 else min(win, plies)
            elif code == TIE:
                tie = plies if tie == 0 else min(tie, plies)
            elif code == LOSS:
                loss = max(loss, plies)
            else:
                draw = True
        word = settled_word(win, tie, draw, loss)
        state[i] = word
        highest = max(highest, remoteness_of(word))
    check_guard(start, stop, OVERRUN, room, max_moves, fault)
    return np.int64(edges), highest


def initial_word(win, min_loss_level, open_moves, counter_bits):
    """Return the word of an index as moves to earlier tiers leave it.

    Parameters
    ----------
    win, min_loss_level : int64
        The levels of the first WIN and the last LOSS by these moves, 0 for none.
    open_moves : int64
        How many moves are not seen to lose.
    counter_bits : int
    """
    if win > 0:
        return pack(PENDING_WIN, win)
    if open_moves == 0:
        return pack(PENDING_LOSS, min_loss_level)
    bound = min_loss_level if counter_bits < 0 else min_loss_level | open_moves << counter_bits
    return pack(LOSS_NOT_BEFORE if min_loss_level > 0 else OPEN, bound)


def bound_of(word, counter_bits):
    """Return the level before which an undecided index is not a LOSS.

    Parameters
    ----------
    word : int64
    counter_bits : int
    """
    bound = remoteness_of(word)
    return bound if counter_bits < 0 else bound & (np.int64(1) << counter_bits) - 1


def count_down(state, remaining, counter_bits, i, below):
    """Take 1 from a counter that other threads may change.

    Parameters
    ----------
    state : words [n]
        Changed in place.
    remaining : uint8, uint16 or uint32 [any length]
        Changed in place.
    counter_bits : int
    i, below : int
        The index, and where the tier begins.

    Returns
    -------
    int
        What is left, -1 if the index is decided by now.
    """
    if counter_bits >= 0:
        return count_down_word(state, counter_bits, i)
    found = np.int64(remaining[i - below])
    while True:
        before = np.int64(exchange(remaining, i - below, found, found - 1))
        if before == found:
            return found - 1
        found = before


def count_down_word(state, counter_bits, i):
    """Do as ``count_down`` for a counter in the word.

    Parameters
    ----------
    state : words [n]
        Changed in place.
    counter_bits, i : int

    Returns
    -------
    int
        What is left, -1 if the index is decided by now.
    """
    one = pack(OPEN, np.int64(1) << counter_bits)
    word = np.int64(state[i])
    while code_of(word) in (OPEN, LOSS_NOT_BEFORE):
        before = np.int64(exchange(state, i, word, word - one))
        if before == word:
            return (remoteness_of(word) >> counter_bits) - 1
        word = before
    return np.int64(-1)


def settled_word(win, tie, draw, loss):
    """Return the word of an index whose moves all lead to decided ones.

    Parameters
    ----------
    win, tie : int64
        The plies of the shortest move that wins, and of the shortest that ties, 0 for none.
    draw : bool
        Whether some move leads to a DRAW.
    loss : int64
        The plies of the longest move that loses.
    """
    if win > 0:
        return pack(WIN, win)
    if tie > 0:
        return pack(TIE, tie)
    if draw:
        return OPEN
    return pack(LOSS, loss)

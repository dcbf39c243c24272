"""The proof of packed tables by kernels, one position at a time, for games with generated edges."""

from __future__ import annotations

import functools
from bisect import bisect_right
from collections.abc import Callable
from enum import Enum
from itertools import pairwise
from typing import Any, NoReturn

import numpy as np

from retrosolve.arrays import PLACEHOLDER, IntArray, read_only
from retrosolve.compilation.specialize import SpecializedKernels
from retrosolve.errors import VerificationError
from retrosolve.kernels import bitset_proof
from retrosolve.kernels.proof import ALL, POSITIONS, REACHED
from retrosolve.kernels.words import INVALID_CODE
from retrosolve.runtime.progress import ProgressCallback, counted
from retrosolve.runtime.threads import ThreadPool
from retrosolve.runtime.window import AllWords, Marks
from retrosolve.solution import Solution
from retrosolve.spaces.base import Capability
from retrosolve.spaces.blocks import blocks
from retrosolve.spaces.faults import call_rules
from retrosolve.spaces.tier_window import TierWindow
from retrosolve.tables import Table
from retrosolve.tables.summary import spans
from retrosolve.verification.claims import claim
from retrosolve.verification.local import check

VERTICES_PER_RANGE = 1 << 24  # what is proven before the proof ends at a wrong vertex
VERTICES_PER_SAMPLE = 1 << 12
INTERPRETED_SAMPLE = 32
NO_SAMPLE: IntArray = read_only(np.zeros(0, np.int64))

FirstViolation = Callable[[int, int], int]


class Violation(Enum):
    """What is wrong with a vertex."""

    WORD = "its moves imply another value"
    UNREACHABLE = "it is no position"
    UNCOMPILED = "its moves imply another value by the rules in plain Python"


# -- compiled rules -------------------------------------------------------------------------------


def prove_generated(solution: Solution, progress: ProgressCallback, sample: int | None = None) -> None:
    """Prove a solution of compiled rules, and a few positions again by the rules in plain Python.

    With ``sample`` prove about so many vertices only, in short ranges all over each tier.
    """
    space: Any = solution.space
    held = _Held(solution)
    prover = _Generated(space, held, int(solution.stuck), sample)
    with ThreadPool(None, space.work) as pool:
        wrong = prover.first_violation(pool, progress)
    if wrong is not None:
        _refuse_found(solution, held.words, *wrong, prover.check_rules)


class _Held:
    """The packed words of a solution: all of them, or of a table on disk those of a few tiers.

    Raises VerificationError for a wrong remoteness of -1.
    """

    def __init__(self, solution: Solution) -> None:
        self._table = table = solution.table
        self._space: Any = solution.space
        self._window: TierWindow | None = None
        arrays = table.arrays()
        if "words" in arrays:
            self._all = AllWords(arrays["words"])
            return
        highest = 0
        for start, stop in spans(table.num_vertices):
            value, remoteness = table.values(slice(start, stop)), table.remoteness(slice(start, stop))
            wrong = (remoteness < 0) != ((value == 0) | (value > 3))
            if wrong.any():
                v = int(np.argmax(wrong))
                raise VerificationError(
                    f"vertex {start + v} has the value {value[v]} and the remoteness {remoteness[v]}: "
                    "expected a remoteness of -1 just for a DRAW"
                )
            highest = max(highest, int(remoteness.max(initial=0)))
        if arrays:
            self._all = AllWords(table.packed())
        else:
            self._all = self._window = TierWindow(solution.space, highest)

    @property
    def words(self) -> IntArray:
        """The words; INVALID_CODE where they are not held."""
        # Words of a table are read-only, others are not: numba would compile for each of two types.
        words: IntArray = read_only(self._all.words)
        return words

    def hold(self, tier: int) -> None:
        """Of a table on disk, hold the words of a tier and of those that its moves lead to only."""
        if self._window is None:
            return
        for fresh in self._window.keep({tier, *self._space.tier_targets(tier)}):
            below, _ = self._window.bounds[fresh]
            self._window.fill(fresh, functools.partial(self._read, below))

    def _read(self, below: int, start: int, stop: int) -> IntArray:
        """Return the words of some vertices, counted from ``below``."""
        return self._table.packed(slice(below + start, below + stop))


class _Generated:
    """The kernels that prove a solution of a generated space, and their arguments."""

    def __init__(self, space: Any, held: _Held, stuck: int, num_sampled: int | None = None) -> None:
        self.space, self.held, self.stuck = space, held, stuck
        self.share = 1.0 if num_sampled is None else min(1.0, num_sampled / space.num_vertices)
        self.bounds = list(pairwise([*space.tiers, space.num_vertices]))
        self.marks = Marks(space.num_vertices if space.initial_indices else 1)
        compiled = space.kernels.compiles(space.work)
        sample = np.random.default_rng().integers(0, space.num_vertices, INTERPRETED_SAMPLE * compiled)
        self.sample: IntArray = np.sort(sample)

    @property
    def words(self) -> IntArray:
        """The words of the solution, as far as they are held."""
        return self.held.words

    def first_violation(
        self, pool: ThreadPool, progress: ProgressCallback
    ) -> tuple[int, Violation] | None:
        """Return a wrong vertex and what is wrong with it; None if there is none.

        If only reachable positions are solved, reachability is computed again, tier by tier from the
        last; any value of an unreachable vertex is wrong. Takes 1 byte for each vertex of the tiers
        that are held.
        """
        space = self.space
        tiers = range(len(self.bounds))
        prove = self._prove_reachable if space.initial_indices else self._prove_tier
        if self.share < 1:
            prove = self._prove_ranges
        self.marks.values[list(space.initial_indices)] = 1
        for tier in reversed(tiers) if space.initial_indices else tiers:
            self.held.hold(tier)
            wrong = prove(tier, pool, progress)
            if wrong is not None:
                return wrong
            differs = self._first_violation_interpreted(*self.bounds[tier])
            if differs is not None:
                return differs, Violation.UNCOMPILED
        return None

    def _prove_tier(
        self, tier: int, pool: ThreadPool, progress: ProgressCallback
    ) -> tuple[int, Violation] | None:
        """Prove all vertices of a tier."""
        below, above = self.bounds[tier]
        for low in range(below, above, VERTICES_PER_RANGE):
            high = min(low + VERTICES_PER_RANGE, above)
            cuts = [low + cut for cut in pool.chunks(high - low)]
            report = counted(progress, "verifying", low, self.space.num_vertices)
            prove = functools.partial(self._prove, 0, ALL)
            for wrong, _ in pool.map_ranges(prove, cuts, report):
                if wrong >= 0:
                    return wrong, Violation.WORD
        return None

    def _prove_ranges(
        self, tier: int, pool: ThreadPool, progress: ProgressCallback
    ) -> tuple[int, Violation] | None:
        """Prove random ranges of a tier, one in each of equal parts of it."""
        below, above = self.bounds[tier]
        parts = max(1, round((above - below) * self.share / VERTICES_PER_SAMPLE))
        cuts = [below + cut for cut in pool.chunks(above - below, parts)]
        places = np.random.default_rng().random(len(cuts))
        which = POSITIONS if self.space.initial_indices else ALL

        def prove(start: int, stop: int) -> int:
            length = min(VERTICES_PER_SAMPLE, stop - start)
            at = np.searchsorted(cuts, start)
            low = start + int(places[at] * (stop - start - length + 1))
            return self._prove(0, which, low, low + length)[0]

        report = counted(progress, "verifying", below, self.space.num_vertices)
        wrong = [v for v in pool.map_ranges(prove, cuts, report) if v >= 0]
        return (min(wrong), Violation.WORD) if wrong else None

    def _prove_reachable(
        self, tier: int, pool: ThreadPool, progress: ProgressCallback
    ) -> tuple[int, Violation] | None:
        """Prove the reachable vertices of a tier, and that there are no others."""
        (below, above), n = self.bounds[tier], self.space.num_vertices
        cuts = [below + cut for cut in pool.chunks(above - below)]
        prove = functools.partial(self._prove, below, REACHED)
        report = counted(progress, "verifying", n - above, n)
        unfinished = True
        while unfinished:
            proven = pool.map_ranges(prove, cuts, report)
            wrong = [v for v, _ in proven if v >= 0]
            if wrong:
                return min(wrong), Violation.WORD
            # A chunk may mark vertices of chunks already passed, so the last pass marks nothing.
            unfinished = any(more for _, more in proven)
        unmarked = self.space.kernels.kernel("first_unmarked", self.space.work)
        found = pool.map_ranges(lambda a, b: int(unmarked(a, b, self.words, self.marks.values)), cuts)
        self.marks.forget(below, above)
        return next(((v, Violation.UNREACHABLE) for v in found if v >= 0), None)

    def _prove(self, below: int, which: int, start: int, stop: int) -> tuple[int, bool]:
        """Return the first wrong vertex of a range, or -1, and whether any vertex was newly marked."""
        marks = self.marks.values
        args = (below, which, NO_SAMPLE, self.stuck, self.words, marks, self.space.max_moves)
        wrong, more = self.space.run("prove", start, stop, *args, known=self.words)
        return int(wrong), bool(more)

    def _first_violation_interpreted(self, below: int, above: int) -> int | None:
        """Return the first vertex of a sample that is wrong by the rules in plain Python, or None."""
        sample = self.sample[slice(*np.searchsorted(self.sample, (below, above)))]
        if not len(sample):
            return None
        space, words = self.space, self.words
        interpreted, rules = space.kernels.interpreted(), space.arguments(False)
        which = POSITIONS if space.initial_indices else ALL
        args = (0, len(sample), 0, which, sample, self.stuck, words, PLACEHOLDER, space.max_moves)
        locate = functools.partial(space.locate, words)
        with np.errstate(over="ignore"):
            wrong, _ = call_rules(space.name, interpreted, "prove", 0, *args, *rules, locate=locate)
        return int(wrong) if wrong >= 0 else None

    def check_rules(self, vertex: int) -> None:
        """Raise RulesError if the rules contradict each other about a move of a vertex.

        Takes a pass over the predecessors of all positions.
        """
        space = self.space
        tier = bisect_right(space.tiers, vertex)
        span = space.tiers[tier - 1], (*space.tiers, space.num_vertices)[tier]
        args = (vertex, *span, space.max_moves, space.max_predecessors, *space.arguments(False))
        call_rules(space.name, space.kernels.interpreted(), "find_contradiction", 0, *args)
        if space.max_predecessors:
            size = space.max_moves, space.max_predecessors
            space.run("find_false_predecessor", 0, space.num_vertices, vertex, self.words, *size)


def _refuse_found(
    solution: Solution, words: IntArray, v: int, violation: Violation,
    check_rules: Callable[[int], None],
) -> NoReturn:  # fmt: skip
    """Raise the error for a wrong vertex of compiled rules."""
    if violation is Violation.UNCOMPILED:
        raise VerificationError(
            f"{claim(solution, v)}, which the compiled rules bear out but the same rules "
            "called uncompiled do not: expected rules that compute the same either way"
        )
    if violation is Violation.UNREACHABLE:
        raise VerificationError(f"{claim(solution, v)}, but play from the start does not reach it")
    if solution.space.capabilities & Capability.REACHABLE_ONLY and words[v] == INVALID_CODE:
        raise VerificationError(f"{claim(solution, v)}, but play from the start reaches it")
    _refuse_word(solution, words, v, check_rules)


# -- two tokens -----------------------------------------------------------------------------------


def prove_bit_rows(solution: Solution, progress: ProgressCallback) -> None:
    """Prove a solution of a game of two tokens."""
    space: Any = solution.space
    words, stuck = read_only(_packed(solution.table)), int(solution.stuck)
    moves = [
        array.astype(np.int64)
        for token in (space.first, space.second)
        for array in (token.indptr, token.indices)
    ]
    kernel = _bit_rows().kernel("prove", space.work)

    def first_violation(start: int, stop: int) -> int:
        return int(kernel(start, stop, stuck, space.terminal(start, stop), *moves, words))

    _prove_ranges(solution, words, first_violation, lambda v: None, progress)


def _packed(table: Table) -> IntArray:
    """Return a table as packed words; one on disk is decoded a part at a time, into these alone."""
    if table.arrays():
        return table.packed()
    words: IntArray = np.empty(table.num_vertices, np.uint16)
    for start, stop in spans(table.num_vertices):
        part = table.packed(slice(start, stop))
        if part.dtype.itemsize > words.dtype.itemsize:
            words = words.astype(part.dtype)
        words[start:stop] = part
    return words


@functools.cache
def _bit_rows() -> SpecializedKernels:
    """Return the kernels for two tokens."""
    return SpecializedKernels([bitset_proof], {})


# -- both -----------------------------------------------------------------------------------------


def _prove_ranges(
    solution: Solution, words: IntArray, first_violation: FirstViolation,
    check_rules: Callable[[int], None], progress: ProgressCallback,
) -> None:  # fmt: skip
    """Prove all vertices, range by range, with all threads."""
    space: Any = solution.space
    with ThreadPool(None, space.work) as pool:
        for start, stop in spans(space.num_vertices, VERTICES_PER_RANGE):
            cuts = [start + cut for cut in pool.chunks(stop - start)]
            report = counted(progress, "verifying", start, space.num_vertices)
            found = pool.map_ranges(first_violation, cuts, report)
            wrong = next((v for v in found if v >= 0), None)
            if wrong is not None:
                _refuse_word(solution, words, wrong, check_rules)


def _refuse_word(
    solution: Solution, words: IntArray, v: int, check_rules: Callable[[int], None]
) -> NoReturn:
    """Raise the error for a wrong vertex: RulesError if the rules contradict themselves there."""
    check_rules(v)
    for block in blocks(solution.space, solution.table, v, v + 1):
        check(solution, block)
    raise VerificationError(f"vertex {v} has the word {int(words[v])}, which no answer has")

"""The proof of packed tables by kernels, one position at a time, for games with generated edges."""

from __future__ import annotations

import functools
from bisect import bisect_right
from enum import Enum
from typing import Any, NoReturn

import numpy as np

from retrosolve.arrays import PLACEHOLDER, IntArray, read_only
from retrosolve.compilation import jit
from retrosolve.errors import VerificationError
from retrosolve.objectives.words import INVALID_CODE, OPEN
from retrosolve.runtime.context import Context
from retrosolve.runtime.memory import check_budget
from retrosolve.runtime.progress import ProgressCallback, counted
from retrosolve.runtime.threads import ThreadPool
from retrosolve.solution import Solution
from retrosolve.spaces import moves
from retrosolve.spaces.base import Capability, RulesSpace, StateSpace
from retrosolve.spaces.faults import call_rules
from retrosolve.spaces.product import two_tokens
from retrosolve.spaces.tier_window import Marks, pending_indices
from retrosolve.tables import Table
from retrosolve.tables.summary import spans
from retrosolve.values import INVALID
from retrosolve.verification import kernels
from retrosolve.verification.claims import claim
from retrosolve.verification.held import Claims, claims_of
from retrosolve.verification.kernels import ALL, POSITIONS, REACHED
from retrosolve.verification.local import refuse_vertex

VERTICES_PER_RANGE = 1 << 24  # what is proven before the proof ends at a wrong vertex
VERTICES_PER_SAMPLE = 1 << 12
INTERPRETED_SAMPLE = 32
SAMPLE_SEED = 1  # so that a proof that fails at a sampled place fails again
NO_SAMPLE: IntArray = read_only(np.zeros(0, np.int64))


class Violation(Enum):
    """What is wrong with a vertex."""

    WORD = "its moves imply another value"
    UNREACHABLE = "it is no position"
    UNCOMPILED = "its moves imply another value by the rules in plain Python"


# -- compiled rules -------------------------------------------------------------------------------


def marking_bytes(space: RulesSpace, num_edges: int, budget: int | None = None) -> int:
    """Return the bytes of proving a table in memory: a mark for each index, if reachability counts."""
    return pending_indices(space)


def prove_generated(solution: Solution, context: Context, sample: int | None = None) -> None:
    """Prove a solution of compiled rules, and a few positions again by the rules in plain Python.

    With ``sample`` prove about so many vertices only, in short ranges all over each tier.
    """
    prove_with(kernels.prove, int(solution.stuck), solution, context, sample)


def prove_with(
    kernel: Any, stuck: int | IntArray, solution: Solution, context: Context, sample: int | None = None
) -> None:
    """Prove a solution of compiled rules by ``kernels.prove`` or a kernel of ``kernels.proof_of``.

    Parameters
    ----------
    kernel : function
    stuck : int or int64 array
        What it is told of positions at which the game is over.
    solution : Solution
    context : Context
    sample : int, optional
        About how many vertices to prove, by default all.
    """
    space: Any = solution.space
    with ThreadPool(context.threads, space.work) as pool:
        claims = claims_of(solution, context.memory, pool)
        prover = _Generated(claims, stuck, kernel, sample, context.part)
        wrong = prover.first_violation(pool, context.progress)
    if wrong is not None:
        _refuse_found(solution, claims.vertex(wrong[0]), wrong[1])


class _Generated:
    """The kernels that prove a solution of a generated space, and their arguments.

    Parameters
    ----------
    claims : Claims
    stuck : int or int64 array
        What the kernel is told of positions at which the game is over.
    kernel : function
        ``kernels.prove``, or the same for the words of another objective.
    num_sampled : int or None
        About how many vertices to prove; None for all.
    part : tuple of two ints or None
        Which of how many equal parts of the vertices to prove; None for all.
    """

    def __init__(
        self, claims: Claims, stuck: int | IntArray, kernel: Any, num_sampled: int | None,
        part: tuple[int, int] | None,
    ) -> None:  # fmt: skip
        space = claims.space
        self.space, self.claims, self.stuck, self.kernel = space, claims, stuck, kernel
        self.share = 1.0 if num_sampled is None else min(1.0, num_sampled / space.num_vertices)
        self.bounds = space.tier_bounds
        number, parts = part or (1, 1)
        self.first = space.num_vertices * (number - 1) // parts
        self.last = space.num_vertices * number // parts
        self.marks = Marks(len(claims.words) if space.initial_indices else 1)
        size = INTERPRETED_SAMPLE * space.kernels.compiles(space.work)
        sample = np.random.default_rng(SAMPLE_SEED).integers(0, space.num_vertices, size)
        self.sample: IntArray = np.sort(sample)

    @property
    def words(self) -> IntArray:
        """The words or codes of the solution, as far as they are held."""
        return self.claims.words

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
            below, above = self.bounds[tier]
            if above <= self.first or self.last <= below:
                continue
            self.claims.hold(tier, pool)
            wrong = prove(tier, pool, progress)
            if wrong is not None:
                return wrong
            differs = self._first_violation_interpreted(below, above)
            if differs is not None:
                return differs, Violation.UNCOMPILED
        return None

    def _prove_tier(
        self, tier: int, pool: ThreadPool, progress: ProgressCallback
    ) -> tuple[int, Violation] | None:
        """Prove all vertices of a tier that belong to the part."""
        below, above = self.bounds[tier]
        start, stop = max(below, self.first), min(above, self.last)
        for low in range(start, stop, VERTICES_PER_RANGE):
            high = min(low + VERTICES_PER_RANGE, stop)
            cuts = [low + cut for cut in pool.chunks(high - low)]
            report = counted(progress, "verifying", low - self.first, self.last - self.first)
            prove = functools.partial(self._prove, below, ALL)
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
        places = np.random.default_rng([SAMPLE_SEED, tier]).random(len(cuts))
        which = POSITIONS if self.space.initial_indices else ALL

        def prove(start: int, stop: int) -> int:
            length = min(VERTICES_PER_SAMPLE, stop - start)
            at = np.searchsorted(cuts, start)
            low = start + int(places[at] * (stop - start - length + 1))
            return self._prove(below, which, low, low + length)[0]

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
        known = self.words, self.claims.meaning
        unmarked = self.space.kernels.kernel(kernels.first_unmarked, self.space.work)
        found = pool.map_ranges(lambda a, b: int(unmarked(a, b, *known, self.marks.values)), cuts)
        self.marks.forget(below, above)
        return next(((v, Violation.UNREACHABLE) for v in found if v >= 0), None)

    def _prove(self, below: int, which: int, start: int, stop: int) -> tuple[int, bool]:
        """Return the first wrong vertex of a range, or -1, and whether any vertex was newly marked."""
        marks = self.marks.values
        words, meaning = self.words, self.claims.meaning
        args = (below, which, NO_SAMPLE, self.stuck, words, meaning, marks, self.space.max_moves)
        known = None if len(meaning) else words
        wrong, more = self.space.run(self.kernel, start, stop, *args, known=known)
        return int(wrong), bool(more)

    def _first_violation_interpreted(self, below: int, above: int) -> int | None:
        """Return the first vertex of a sample that is wrong by the rules in plain Python, or None."""
        sample = self.sample[slice(*np.searchsorted(self.sample, (below, above)))]
        if not len(sample):
            return None
        space, words = self.space, self.words
        interpreted, rules = space.kernels.interpreted(), space.arguments(False)
        which = POSITIONS if space.initial_indices else ALL
        claims = words, self.claims.meaning, PLACEHOLDER
        args = (0, len(sample), below, which, sample, self.stuck, *claims, space.max_moves)
        locate = functools.partial(space.locate, None if len(claims[1]) else words)
        with np.errstate(over="ignore"):
            wrong, _ = call_rules(space.name, interpreted, self.kernel, 0, *args, *rules, locate=locate)
        return int(wrong) if wrong >= 0 else None


def _check_rules(solution: Solution, vertex: int) -> None:
    """Raise RulesError if the rules contradict each other about a move of a vertex.

    Takes a pass over the predecessors of all positions, and a word for each.
    """
    space: Any = solution.space
    tier = bisect_right(space.tiers, vertex)
    span = space.tiers[tier - 1], (*space.tiers, space.num_vertices)[tier]
    args = (vertex, *span, space.max_moves, space.max_predecessors, *space.arguments(False))
    call_rules(space.name, space.kernels.interpreted(), moves.find_contradiction, 0, *args)
    if space.max_predecessors:
        size = space.max_moves, space.max_predecessors
        words = read_only(
            np.where(solution.table.values() == INVALID, INVALID_CODE, OPEN).astype(np.uint16)
        )
        space.run(moves.find_false_predecessor, 0, space.num_vertices, vertex, words, *size)


def _refuse_found(solution: Solution, v: int, violation: Violation) -> NoReturn:
    """Raise the error for a wrong vertex of compiled rules."""
    if violation is Violation.UNCOMPILED:
        raise VerificationError(
            f"{claim(solution, v)}, which the compiled rules bear out but the same rules "
            "called uncompiled do not: expected rules that compute the same either way"
        )
    if violation is Violation.UNREACHABLE:
        raise VerificationError(f"{claim(solution, v)}, but play from the start does not reach it")
    invalid = solution.table.values(slice(v, v + 1))[0] == INVALID
    if solution.space.capabilities & Capability.REACHABLE_ONLY and invalid:
        raise VerificationError(f"{claim(solution, v)}, but play from the start reaches it")
    _check_rules(solution, v)
    refuse_vertex(solution, v)


# -- two tokens -----------------------------------------------------------------------------------


def no_bytes(space: StateSpace, num_edges: int, budget: int | None = None) -> int:
    """Return the bytes of proving a table in memory: none."""
    return 0


def prove_bit_rows(solution: Solution, context: Context) -> None:
    """Prove a solution of a game of two tokens."""
    space = two_tokens(solution.space)
    needed = 0 if solution.table.arrays() else 2 * space.num_vertices
    check_budget(needed, lambda: f"verifying {space!r}", context.memory)
    words, stuck = read_only(_packed(solution.table)), int(solution.stuck)
    moves = [
        array.astype(np.int64)
        for token in (space.first, space.second)
        for array in (token.indptr, token.indices)
    ]
    kernel = jit.chosen(kernels.prove_pairs, space.work)

    def first_violation(start: int, stop: int) -> int:
        return int(kernel(start, stop, stuck, space.terminal(start, stop), *moves, words))

    with ThreadPool(context.threads, space.work) as pool:
        for start, stop in spans(space.num_vertices, VERTICES_PER_RANGE):
            cuts = [start + cut for cut in pool.chunks(stop - start)]
            report = counted(context.progress, "verifying", start, space.num_vertices)
            found = pool.map_ranges(first_violation, cuts, report)
            wrong = next((v for v in found if v >= 0), None)
            if wrong is not None:
                refuse_vertex(solution, wrong)


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

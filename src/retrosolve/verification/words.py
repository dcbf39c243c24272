"""The proof of packed tables by kernels, one position at a time, for games with generated edges.

A table in memory is read as it is. Of one on disk a code of a byte is held for each index of the tier
at work and of those that its moves lead to, two bytes past 256 pairs of a value and a remoteness. Where
a budget is short and only reachable positions count, those that the table claims are numbered without
gaps, and every other index is one more that is no position.
"""

from __future__ import annotations

import functools
from bisect import bisect_right
from collections.abc import Iterable
from enum import Enum
from typing import Any, NoReturn, cast

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import PLACEHOLDER, IntArray, read_only, spans
from retrosolve.compilation import jit
from retrosolve.errors import VerificationError
from retrosolve.objectives import ChoiceObjective, Conversion
from retrosolve.objectives.base import VALUES, Codec
from retrosolve.objectives.words import INVALID_CODE, OPEN
from retrosolve.runtime.context import Context, ProgressCallback, counted
from retrosolve.runtime.memory import check_budget
from retrosolve.runtime.threads import ThreadPool
from retrosolve.solution import Solution
from retrosolve.spaces import moves
from retrosolve.spaces.base import Capability, RulesSpace
from retrosolve.spaces.bit_vector import BitVector, bit_vector_bytes, claimed
from retrosolve.spaces.faults import call_rules
from retrosolve.spaces.product import two_tokens
from retrosolve.spaces.tier_window import AllWords, Marks, TierWindow, held_indices, pending_indices
from retrosolve.tables import Table
from retrosolve.tables.recoding import DistinctWords
from retrosolve.values import INVALID
from retrosolve.verification import kernels
from retrosolve.verification.kernels import ALL, POSITIONS, REACHED
from retrosolve.verification.local import claim, refuse_vertex

ALL_KINDS = 1 << 16  # of words of two bytes
VERTICES_PER_PART = 1 << 18  # a few megabytes for each thread
NO_CODES: IntArray = read_only(np.zeros(0, np.int64))


class Claims:
    """The claims of a solution about the indices of a space.

    Parameters
    ----------
    solution : Solution
    words : AllWords
        Packed words, or codes of them.
    meaning : int64 [k]
        The packed word of each code; empty if the words are packed.

    Attributes
    ----------
    space : GeneratedSpace
        What the indices belong to.
    """

    def __init__(self, solution: Solution, words: AllWords, meaning: IntArray = NO_CODES) -> None:
        self.solution = solution
        self.space = cast(RulesSpace, solution.space)
        self.meaning = meaning
        self._words = words

    @property
    def words(self) -> IntArray:
        """The words or codes; INVALID_CODE where they are not held."""
        # Words of a table are read-only, others are not: numba would compile for each of two types.
        words: IntArray = read_only(self._words.words)
        return words

    def hold(self, tier: int, pool: ThreadPool) -> None:
        """Hold the claims about a tier and about those that its moves lead to."""

    def vertex(self, index: int) -> int:
        """Return the vertex of the solution that an index stands for."""
        return index


class _HeldClaims(Claims):
    """The claims of a table on disk about a few tiers: about all indices, or about positions alone.

    Positions are numbered without gaps. The last index then stands for all vertices that the table
    claims to be no positions.
    """

    def __init__(self, solution: Solution, kinds: _Kinds, positions: BitVector | None = None) -> None:
        space = cast(RulesSpace, solution.space)
        self._first = (*space.tiers, space.num_vertices)
        held = space if positions is None else claimed(space, positions)
        window = TierWindow(held, 0, kinds.dtype, extra=int(positions is not None))
        super().__init__(solution, window, kinds.meaning)
        self.space, self._window, self._kinds, self._positions = held, window, kinds, positions

    def hold(self, tier: int, pool: ThreadPool) -> None:
        """Read the tiers that are not held yet, and forget those that are not needed."""
        for fresh in self._window.keep_for(tier, self.space.tier_targets(tier)):
            first, last = self._first[fresh : fresh + 2]
            read = functools.partial(self._kinds.read, self.solution.table, first)
            if self._positions is None:
                self._window.fill(fresh, read, pool)
            else:
                self._positions.compress(first, last, read, self._window.of(fresh))

    def vertex(self, index: int) -> int:
        return index if self._positions is None else self._positions.select(index)


class _Kinds:
    """The packed words that occur in a table, and a code for each.

    INVALID_CODE stands for no position: that is what a window reads as where nothing is loaded.
    """

    def __init__(self, packed: IntArray, codec: Codec, objective: ChoiceObjective) -> None:
        self._codec = codec
        known = packed[self.exist(packed)].astype(np.int64)
        self._known = known
        places = np.arange(len(known) + 1)
        self._places = places[places != INVALID_CODE][: len(known)]
        size = max(int(INVALID_CODE) + 1, len(known) + 1)
        self.dtype: Any = np.min_scalar_type(size - 1)
        meaning = np.full(size, INVALID_CODE, np.int64)
        meaning[self._places] = known
        meaning[self._places] = objective.words(
            codec, codec.values_of(known), codec.remoteness_of(known)
        )
        self.meaning: IntArray = read_only(meaning)
        self._of_code: IntArray | None = None  # by the codes of a table that has them

    def read(self, table: Table, first: int, start: int, stop: int) -> IntArray:
        """Return the codes of the vertices ``start..stop-1``, counted from ``first``."""
        known, at = table.coding(), slice(first + start, first + stop)
        if known is None:
            return self.codes(table.packed(at))
        if self._of_code is None:
            self._of_code = self.codes(table.codec.pack(*known))
        found: IntArray = self._of_code[table.codes(at)]
        return found

    def codes(self, packed: IntArray) -> IntArray:
        """Return the codes of packed words that occur."""
        if not len(self._known):
            return np.full(len(packed), INVALID_CODE, self.dtype)
        if packed.dtype == np.uint16:
            return self._lookup[packed]
        at = np.minimum(np.searchsorted(self._known, packed), len(self._known) - 1)
        found: IntArray = np.where(self.exist(packed), self._places[at], INVALID_CODE)
        return found.astype(self.dtype)

    def exist(self, packed: IntArray) -> NDArray[np.bool_]:
        """Return which packed words are not INVALID."""
        exist: NDArray[np.bool_] = self._codec.values_of(packed) != INVALID
        return exist

    @functools.cached_property
    def _lookup(self) -> IntArray:
        """The code of every word of two bytes."""
        return self.codes(np.arange(ALL_KINDS))


def claims_of(solution: Solution, budget: int | None, pool: ThreadPool) -> Claims:
    """Return the claims of a solution of a generated space, in the form that suits a budget.

    Raises
    ------
    VerificationError
        For a wrong remoteness of -1.
    MemoryBudgetError
        If the proof needs more than the budget, or than there is.

    Notes
    -----
    A pass over a table that is not packed words in memory.
    """
    space, table = cast(RulesSpace, solution.space), solution.table
    marks = pending_indices(space)
    arrays = table.arrays()
    if "words" in arrays:
        _check(solution, marks, budget)
        return Claims(solution, AllWords(arrays["words"]))
    objective = solution.objective
    assert isinstance(objective, ChoiceObjective)  # by the table of provers
    kinds = _Kinds(_checked_words(solution, pool), table.codec, objective)
    if arrays:
        _check(solution, marks + 2 * table.num_vertices, budget)
        return Claims(solution, AllWords(table.packed()))
    width = np.dtype(kinds.dtype).itemsize
    needed = width * held_indices(space) + marks
    if not (marks and budget is not None and needed > budget):
        _check(solution, needed, budget)
        return _HeldClaims(solution, kinds)
    numbering = bit_vector_bytes(table.num_vertices)
    _check(solution, numbering, budget)
    compact = _HeldClaims(solution, kinds, _positions(solution, kinds))
    held = width * held_indices(compact.space) + pending_indices(compact.space)
    _check(solution, numbering + held, budget)
    return compact


def _check(solution: Solution, needed: int, budget: int | None) -> None:
    """Raise MemoryBudgetError if the proof needs too much."""
    check_budget(needed, lambda: f"verifying {solution.space!r}", budget)


def _checked_words(solution: Solution, pool: ThreadPool) -> IntArray:
    """Return the packed words that occur. Raises VerificationError for one that contradicts itself."""
    table = solution.table
    known = table.coding()
    if known is not None and not _contradict(solution, *known).any():
        return np.unique(table.codec.pack(*known))
    n = table.num_vertices
    occurring = DistinctWords(n)

    def wrong_vertex(start: int, stop: int) -> int:
        at = slice(start, stop)
        wrong = _contradict(solution, table.values(at), table.remoteness(at))
        if wrong.any():
            return start + int(np.argmax(wrong))
        occurring.add(table.packed(at))
        return -1

    found = pool.map_ranges(wrong_vertex, [*range(0, n, VERTICES_PER_PART), n])
    v = next((v for v in found if v >= 0), None)
    if v is not None:
        if table.codec is not VALUES:
            refuse_vertex(solution, v)
        value, remoteness = table.outcome(v)
        raise VerificationError(
            f"vertex {v} has the value {value} and the remoteness {remoteness}: "
            "expected a remoteness of -1 just for a DRAW"
        )
    return occurring.words()


def _contradict(solution: Solution, value: NDArray[Any], remoteness: IntArray) -> NDArray[np.bool_]:
    """Return where a value and a remoteness do not belong together, and packed words would hide it.

    Words of scores say it themselves, and their proof refuses them.
    """
    wrong: NDArray[np.bool_] = np.zeros(len(value), bool)
    if solution.table.codec is VALUES:
        wrong = (remoteness < 0) != ((value == 0) | (value > 3))
    elif isinstance(solution.objective, Conversion):
        wrong = solution.objective.words(solution.table.codec, value, remoteness) < 0
    return wrong


def _positions(solution: Solution, kinds: _Kinds) -> BitVector:
    """Return which vertices a table claims to be positions, the initial ones among them."""
    table, space = solution.table, solution.space
    bits = BitVector(table.num_vertices)
    for start, stop in spans(table.num_vertices):
        bits.set(start, kinds.exist(table.packed(slice(start, stop))))
    bits.finish()
    initial: Iterable[int] = getattr(space, "initial_indices", ())
    for v in initial:
        if not bits.bits(v, v + 1)[0]:
            raise VerificationError(f"{claim(solution, v)}, but play from the start reaches it")
    return bits


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


def window_bytes(space: RulesSpace) -> int:
    """Return the most bytes of a table on disk that a proof holds: two for each index of some tiers."""
    return 2 * held_indices(space)


def prove_generated(solution: Solution, context: Context) -> None:
    """Prove a solution of compiled rules, and a few positions again by the rules in plain Python."""
    prove_with(kernels.prove, int(solution.stuck), solution, context)


def prove_with(kernel: Any, stuck: int | IntArray, solution: Solution, context: Context) -> None:
    """Prove a solution of compiled rules by ``kernels.prove`` or a kernel of ``kernels.proof_of``.

    Of a sample about so many vertices are proven, in short ranges all over each tier.

    Parameters
    ----------
    kernel : function
    stuck : int or int64 array
        What it is told of positions at which the game is over.
    solution : Solution
    context : Context
    """
    space: Any = solution.space
    with ThreadPool(context.threads, space.work) as pool:
        claims = claims_of(solution, context.memory, pool)
        span = context.span(claims.space.num_vertices)
        prover = _Generated(claims, stuck, kernel, context.sample, span)
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
    span : tuple of two ints
        The first vertex to prove, and the one after the last.
    """

    def __init__(
        self, claims: Claims, stuck: int | IntArray, kernel: Any, num_sampled: int | None,
        span: tuple[int, int],
    ) -> None:  # fmt: skip
        space = claims.space
        self.space, self.claims, self.stuck, self.kernel = space, claims, stuck, kernel
        self.share = 1.0 if num_sampled is None else min(1.0, num_sampled / space.num_vertices)
        self.bounds = space.tier_bounds
        self.first, self.last = span
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
                # The kernels have not seen it if they prove a sample of their own.
                is_wrong = self._prove(below, ALL, differs, differs + 1)[0] >= 0
                return differs, Violation.WORD if is_wrong else Violation.UNCOMPILED
        return None

    def _prove_tier(
        self, tier: int, pool: ThreadPool, progress: ProgressCallback
    ) -> tuple[int, Violation] | None:
        """Prove all vertices of a tier that belong to the part."""
        below, above = self.bounds[tier]
        start, stop = max(below, self.first), min(above, self.last)
        for low, high in spans(stop, VERTICES_PER_RANGE, start):
            cuts = pool.chunks(high - low, start=low)
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
        cuts = pool.chunks(above - below, parts, start=below)
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
        cuts = pool.chunks(above - below, start=below)
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
        within = max(below, self.first), min(above, self.last)
        sample = self.sample[slice(*np.searchsorted(self.sample, within))]
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


def prove_bit_rows(solution: Solution, context: Context) -> None:
    """Prove a solution of a game of two tokens."""
    space = two_tokens(solution.space)
    needed = 0 if solution.table.arrays() else 2 * space.num_vertices
    check_budget(needed, lambda: f"verifying {space!r}", context.memory)
    if "words" not in solution.table.arrays():
        with ThreadPool(context.threads, space.num_vertices) as pool:
            _checked_words(solution, pool)
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
            cuts = pool.chunks(stop - start, start=start)
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

"""The claims of a solution in memory, as the proof by kernels reads them.

A table in memory is read as it is. Of one on disk a code of a byte is held for each index of the tier
at work and of those that its moves lead to, two bytes past 256 pairs of a value and a remoteness. Where
a budget is short and only reachable positions count, those that the table claims are numbered without
gaps, and every other index is one more that is no position.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray, read_only
from retrosolve.errors import VerificationError
from retrosolve.objectives import ChoiceObjective, Conversion
from retrosolve.objectives.codec import VALUES, Codec
from retrosolve.objectives.words import INVALID_CODE
from retrosolve.runtime.memory import check_budget
from retrosolve.runtime.threads import ThreadPool
from retrosolve.solution import Solution
from retrosolve.spaces.base import RulesSpace
from retrosolve.spaces.bit_vector import BitVector, bit_vector_bytes, claimed
from retrosolve.spaces.tier_window import AllWords, TierWindow, held_indices, pending_indices
from retrosolve.tables import Table
from retrosolve.tables.recoding import DistinctWords
from retrosolve.tables.summary import spans
from retrosolve.values import INVALID
from retrosolve.verification.claims import claim
from retrosolve.verification.local import refuse_vertex

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


class _WindowClaims(Claims):
    """The claims of a table on disk about a few tiers."""

    def __init__(self, solution: Solution, kinds: _Kinds) -> None:
        window = TierWindow(cast(RulesSpace, solution.space), 0, kinds.dtype)
        super().__init__(solution, window, kinds.meaning)
        self._window, self._kinds = window, kinds

    def hold(self, tier: int, pool: ThreadPool) -> None:
        """Read the tiers that are not held yet, and forget those that are not needed."""
        for fresh in self._window.keep_for(tier, self.space.tier_targets(tier)):
            below, _ = self._window.bounds[fresh]
            read = functools.partial(self._kinds.read, self.solution.table, below)
            self._window.fill(fresh, read, pool)


class _CompactClaims(Claims):
    """The claims of a table on disk about its positions, numbered without gaps.

    The last index stands for all vertices that the table claims to be no positions.
    """

    def __init__(self, solution: Solution, kinds: _Kinds, bits: BitVector) -> None:
        space = claimed(cast(RulesSpace, solution.space), bits)
        window = TierWindow(space, 0, kinds.dtype, extra=1)
        super().__init__(solution, window, kinds.meaning)
        self._window, self._kinds, self._bits = window, kinds, bits
        self._first = (*solution.space.tiers, solution.space.num_vertices)
        self.space = space

    def hold(self, tier: int, pool: ThreadPool) -> None:
        """Do the same for the positions alone."""
        for fresh in self._window.keep_for(tier, self.space.tier_targets(tier)):
            first, last = self._first[fresh : fresh + 2]
            read = functools.partial(self._kinds.read, self.solution.table, first)
            self._bits.compress(first, last, read, self._window.of(fresh))

    def vertex(self, index: int) -> int:
        return self._bits.select(index)


class _Kinds:
    """The packed words that occur in a table, and a code for each.

    INVALID_CODE stands for no position: that is what a window reads as where nothing is loaded.
    """

    def __init__(self, packed: IntArray, codec: Codec, objective: ChoiceObjective) -> None:
        self._invalid = int(codec.pack(np.array([INVALID]), np.array([-1]))[0])
        known = packed[packed != self._invalid].astype(np.int64)
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
            narrow: IntArray = self._lookup[packed]
            return narrow
        at = np.minimum(np.searchsorted(self._known, packed), len(self._known) - 1)
        found: IntArray = np.where(packed == self._invalid, INVALID_CODE, self._places[at])
        return found.astype(self.dtype)

    def exist(self, packed: IntArray) -> NDArray[np.bool_]:
        """Return which packed words are not INVALID."""
        exist: NDArray[np.bool_] = packed != self._invalid
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
        return _WindowClaims(solution, kinds)
    numbering = bit_vector_bytes(table.num_vertices)
    _check(solution, numbering, budget)
    compact = _CompactClaims(solution, kinds, _positions(solution, kinds))
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

"""The proof of packed tables by kernels, one position at a time, for games with generated edges."""

from __future__ import annotations

import functools
from bisect import bisect_right
from collections.abc import Callable
from itertools import pairwise
from typing import Any, NoReturn

import numpy as np

from retrosolve.arrays import PLACEHOLDER, ByteArray, IntArray, read_only
from retrosolve.compilation.specialize import SpecializedKernels
from retrosolve.errors import VerificationError
from retrosolve.kernels import bitset_proof
from retrosolve.kernels.proof import ALL, POSITIONS, REACHED
from retrosolve.kernels.words import INVALID_CODE
from retrosolve.runtime.progress import ProgressCallback, counted
from retrosolve.runtime.threads import ThreadPool
from retrosolve.solution import Solution
from retrosolve.spaces.blocks import blocks
from retrosolve.spaces.faults import call_rules
from retrosolve.tables.summary import spans
from retrosolve.verification.claims import claim
from retrosolve.verification.local import check

VERTICES_PER_RANGE = 1 << 24  # what is proven before the proof ends at a wrong vertex
INTERPRETED_SAMPLE = 32
NO_SAMPLE: IntArray = read_only(np.zeros(0, np.int64))

FirstViolation = Callable[[int, int], int]


# -- compiled rules -------------------------------------------------------------------------------


def prove_generated(solution: Solution, progress: ProgressCallback) -> None:
    """Prove a solution of compiled rules, and a sample of it again by the rules in plain Python."""
    space: Any = solution.space
    # The words of a table are read-only, copies are not: two types, for each of which numba compiles.
    words, stuck = read_only(_words(solution)), int(solution.stuck)
    prover = _Generated(space, words, stuck)
    if not space.initial_indices:
        _prove_ranges(solution, words, prover.first_violation, prover.check_rules, progress)
    else:
        with ThreadPool(None, space.work) as pool:
            wrong = prover.first_violation_reachable(pool, progress)
        if wrong is not None:
            _refuse_reached(solution, words, *wrong, prover.check_rules)
    if space.kernels.compiles(space.work):
        sample = np.random.default_rng().integers(0, space.num_vertices, INTERPRETED_SAMPLE)
        differs = prover.first_violation_interpreted(sample)
        if differs is not None:
            raise VerificationError(
                f"{claim(solution, differs)}, which the compiled rules bear out but the same rules "
                "called uncompiled do not: expected rules that compute the same either way"
            )


def _words(solution: Solution) -> IntArray:
    """Return the table as packed words. Raises VerificationError for a wrong remoteness of -1."""
    table = solution.table
    words = table.packed()
    if words is table.arrays().get("words"):
        return words
    for start, stop in spans(table.num_vertices):
        value, remoteness = table.values(slice(start, stop)), table.remoteness(slice(start, stop))
        wrong = (remoteness < 0) != ((value == 0) | (value > 3))
        if wrong.any():
            v = int(np.argmax(wrong))
            raise VerificationError(
                f"vertex {start + v} has the value {value[v]} and the remoteness {remoteness[v]}: "
                "expected a remoteness of -1 just for a DRAW"
            )
    return words


class _Generated:
    """The kernels that prove a solution of a generated space, and their arguments."""

    def __init__(self, space: Any, words: IntArray, stuck: int) -> None:
        self.space, self.words, self.stuck = space, words, stuck

    def first_violation(self, start: int, stop: int) -> int:
        """Return the first wrong vertex of ``start..stop-1``, -1 if there is none."""
        return self._prove(0, ALL, np.zeros(1, np.uint8), start, stop)[0]

    def first_violation_reachable(
        self, pool: ThreadPool, progress: ProgressCallback
    ) -> tuple[int, bool] | None:
        """Return a wrong vertex and whether it is reachable; None if there is none.

        Reachability is computed again, tier by tier from the last; any value of an unreachable vertex
        is wrong. Takes 1 byte for each vertex.
        """
        space, n = self.space, self.space.num_vertices
        marks = np.zeros(n, np.uint8)
        marks[list(space.initial_indices)] = 1
        for below, above in reversed(list(pairwise([*space.tiers, n]))):
            cuts = [below + cut for cut in pool.chunks(above - below)]
            prove = functools.partial(self._prove, below, REACHED, marks)
            report = counted(progress, "verifying", n - above, n)
            unfinished = True
            while unfinished:
                proven = pool.map_ranges(prove, cuts, report)
                wrong = [v for v, _ in proven if v >= 0]
                if wrong:
                    return min(wrong), True
                # A chunk may mark vertices of chunks already passed, so the last pass marks nothing.
                unfinished = any(more for _, more in proven)
        unmarked = space.kernels.kernel("first_unmarked", space.work)
        unreached = pool.map_ranges(lambda a, b: int(unmarked(a, b, self.words, marks)), pool.chunks(n))
        return next(((v, False) for v in unreached if v >= 0), None)

    def _prove(
        self, below: int, which: int, marks: ByteArray, start: int, stop: int
    ) -> tuple[int, bool]:
        """Return the first wrong vertex of a range, or -1, and whether any vertex was newly marked."""
        args = (below, which, NO_SAMPLE, self.stuck, self.words, marks, self.space.max_moves)
        wrong, more = self.space.run("prove", start, stop, *args, known=self.words)
        return int(wrong), bool(more)

    def first_violation_interpreted(self, sample: IntArray) -> int | None:
        """Return the first vertex of a sample that is wrong by the rules in plain Python, or None."""
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


def _refuse_reached(
    solution: Solution, words: IntArray, v: int, reached: bool, check_rules: Callable[[int], None]
) -> NoReturn:
    """Raise the error for a wrong vertex of a game of which only reachable positions are solved."""
    if not reached:
        raise VerificationError(f"{claim(solution, v)}, but play from the start does not reach it")
    if words[v] == INVALID_CODE:
        raise VerificationError(f"{claim(solution, v)}, but play from the start reaches it")
    _refuse_word(solution, words, v, check_rules)


# -- two tokens -----------------------------------------------------------------------------------


def prove_bit_rows(solution: Solution, progress: ProgressCallback) -> None:
    """Prove a solution of a game of two tokens."""
    space: Any = solution.space
    words, stuck = read_only(solution.table.packed()), int(solution.stuck)
    moves = [
        array.astype(np.int64)
        for token in (space.first, space.second)
        for array in (token.indptr, token.indices)
    ]
    kernel = _bit_rows().kernel("prove", space.work)

    def first_violation(start: int, stop: int) -> int:
        return int(kernel(start, stop, stuck, space.terminal(start, stop), *moves, words))

    _prove_ranges(solution, words, first_violation, lambda v: None, progress)


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

"""GeneratedSpace: the positions of a compiled game by number, their moves made as they are needed.

Nothing is stored but, for positions found by exploring, the positions themselves. Some numbers may
stand for no position; they have no moves, and the value INVALID.
"""

from __future__ import annotations

import functools
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from retrosolve.arrays import PLACEHOLDER, ByteArray, IntArray, index_dtype, read_only
from retrosolve.compilation.specialize import InterpretedKernels, SpecializedKernels
from retrosolve.errors import RetrosolveError, RulesError
from retrosolve.kernels import checked
from retrosolve.kernels.proof import ALL, POSITIONS, REACHED
from retrosolve.kernels.words import INVALID, INVALID_CODE, code_of, word_dtype
from retrosolve.runtime.progress import Progress, ProgressCallback, no_progress
from retrosolve.runtime.threads import ThreadPool
from retrosolve.spaces.faults import fault_text
from retrosolve.spaces.graph import Graph
from retrosolve.values import Value

SAMPLE = 1 << 12
ASSUMED_BRANCHING = 8
NO_SAMPLE: IntArray = read_only(np.zeros(0, np.int64))


def call_rules(
    name: str, fitted: SpecializedKernels | InterpretedKernels, kernel: str, work: int, *args: Any,
    locate: Callable[[IntArray], None] | None = None,
) -> Any:  # fmt: skip
    """Call a kernel fitted to a game; what it finds wrong with the rules is its last argument.

    What goes wrong in the game's functions raises RulesError, as does what they return if it breaks
    their contract. ``locate`` completes a fault that a kernel has not looked into.
    """
    fault = np.zeros(checked.FAULT, np.int64)
    try:
        result = fitted.run(kernel, work, *args, fault)
    except (RetrosolveError, MemoryError):
        raise
    except Exception as error:
        if fault[0] != checked.FINE:
            raise _refusal(name, fault, locate) from error
        if not type(error).__module__.startswith("numba."):
            raise RulesError(f"the rules of {name} raised {type(error).__name__}: {error}") from error
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        said = [line for line in lines if not line.startswith("Failed in nopython")]
        place = next((at for at, line in enumerate(said) if line.startswith("File ")), 3)
        raise RulesError(
            f"the rules of {name} cannot be compiled: {' '.join(said[: place + 1])}".rstrip(": ")
        ) from error
    if fault[0] != checked.FINE:
        raise _refusal(name, fault, locate)
    return result


def _refusal(name: str, fault: IntArray, locate: Callable[[IntArray], None] | None) -> RulesError:
    if locate is not None:
        locate(fault)
    return RulesError(fault_text(name, fault))


def complete_fault(fitted: SpecializedKernels, known: IntArray, ask: Any, fault: IntArray) -> None:
    """Find what is wrong with a position, or the position that wrote past its room, for ``fault``.

    ``known`` [n] are words, with INVALID_CODE where there is no position; ``ask`` are the data and what
    was found.
    """
    if fault[0] == checked.BAD_TERMINAL:
        fault[0], fault[2] = fitted.interpreted().run("find_terminal_fault", 0, int(fault[1]), ask[0])
    if fault[0] in (checked.OVERRUN, checked.PREDECESSOR_OVERRUN):
        backwards = bool(fault[0] == checked.PREDECESSOR_OVERRUN)
        first, last, most = (int(number) for number in fault[2:])
        fault[1] = fitted.run("find_overrun", len(known), first, last, known, backwards, most, *ask)


@dataclass(eq=False)
class GeneratedSpace:
    """A graph whose rows are made by a game's own functions.

    ``name`` is what the game is called, ``fitted`` are the kernels, ``data`` what the game's functions
    are given, ``found`` the positions found by exploring (positions and hash table; empty for a game
    with a dense index), ``moves`` and ``origins`` the most moves and predecessors of a position, 0
    origins if those are not given, and ``tiers`` the first vertex of each tier. ``stored`` may hold
    rows made while exploring, ``counted`` the number of moves where it is known.

    ``starts`` are the vertices to start from, where only what is reached from there is a position;
    ``reached`` is then a word a vertex, found when first needed, with INVALID_CODE elsewhere.
    ``seconds`` tells what the stages of the last solve took.
    """

    name: str
    fitted: SpecializedKernels
    data: Any
    found: tuple[IntArray, ...]
    vertices: int
    moves: int
    origins: int = 0
    tiers: Sequence[int] = (0,)
    owned: bool = False
    stored: Graph | None = field(default=None, repr=False)
    counted: int | None = None
    starts: tuple[int, ...] = ()
    reached: IntArray | None = field(default=None, repr=False)
    seconds: dict[str, float] = field(default_factory=dict, repr=False)

    @property
    def work(self) -> int:
        """About how many moves there are to make, to judge whether compiling pays."""
        return self.vertices * ASSUMED_BRANCHING

    def run(self, kernel: str, *args: Any, known: IntArray | None = None) -> Any:
        """Call a kernel; ``data`` and ``found`` are its last arguments.

        ``known`` [vertices] are words, with INVALID_CODE where there is no position, if that is known.
        """
        locate = functools.partial(self._locate, self.reached if known is None else known)
        ask = self.data, self.found
        return call_rules(self.name, self.fitted, kernel, self.work, *args, *ask, locate=locate)

    def _locate(self, known: IntArray | None, fault: IntArray) -> None:
        """Complete a fault that a kernel has not looked into."""
        there = np.zeros(self.vertices, word_dtype(0)) if known is None else known
        complete_fault(self.fitted, there, (self.data, self.found), fault)

    @property
    def edges(self) -> int:
        """How many moves there are. Counted by making them all, unless a solve has done so."""
        if self.counted is None:
            with ThreadPool(None, self.work) as pool:
                spans = pool.map_ranges(
                    lambda first, last: int(self._counts(first, last)[0].sum(dtype=np.int64)),
                    pool.chunks(self.vertices),
                )
            self.counted = sum(spans)
        return self.counted

    def estimate_edges(self) -> int:
        """Guess the number of moves from a sample of positions; blindly before those are found."""
        if self.counted is None and self.starts and self.reached is None:
            return self.vertices * ASSUMED_BRANCHING
        if self.counted is not None or self.vertices <= SAMPLE:
            return self.edges
        sample = np.random.default_rng(0).integers(0, self.vertices, SAMPLE)
        met = sum(int(self._counts(int(v), int(v) + 1)[0][0]) for v in sample)
        return round(met / SAMPLE * self.vertices)

    def moves_leave_tier(self) -> bool:
        """Tell from a sample whether each move leads to an earlier tier: then a tier takes one pass."""
        if len(self.tiers) < 2:
            return False
        sample = np.random.default_rng(0).integers(0, self.vertices, SAMPLE)
        below = np.searchsorted(self.tiers, sample, side="right") - 1
        return all(
            not (self.rows(int(v), int(v) + 1)[1] >= self.tiers[tier]).any()
            for v, tier in zip(sample, below, strict=True)
        )

    @functools.cached_property
    def owner(self) -> ByteArray | None:
        """Who moves at each vertex, asked for once; None where players alternate."""
        if not self.owned:
            return None
        owner = np.zeros(self.vertices, np.uint8)
        for first in range(0, self.vertices, 1 << 20):
            last = min(first + (1 << 20), self.vertices)
            real = self.ends(first, last) != INVALID
            sides = np.zeros(last - first, np.uint8)
            self.run("sides", first, last, real, sides)
            owner[first:last] = sides
        return owner

    def movers(self, at: IntArray) -> ByteArray | None:
        """Give who moves at some vertices; None where players alternate."""
        return None if self.owner is None else self.owner[at]

    @property
    def terminal(self) -> ByteArray:
        """The terminal value of each vertex, INVALID where it is none; made anew at each call."""
        return self.ends(0, self.vertices)

    def ends(self, start: int, stop: int) -> ByteArray:
        """Give the terminal values of the vertices ``start..stop-1``."""
        return self._counts(start, stop)[1]

    def out_degrees(self) -> IntArray:
        """Give the number of moves at each vertex [vertices]."""
        return self._counts(0, self.vertices)[0]

    def successors(self, vertex: int) -> IntArray:
        """Give the vertices that moves from ``vertex`` lead to."""
        return self.rows(vertex, vertex + 1)[1]

    def rows(self, start: int, stop: int) -> tuple[IntArray, IntArray]:
        """Give the CSR rows of the vertices ``start..stop-1``, the first row starting at 0."""
        indptr = np.zeros(stop - start + 1, np.int64)
        np.cumsum(self._counts(start, stop)[0], out=indptr[1:])
        indices = np.empty(int(indptr[-1]), index_dtype(self.vertices))
        self.run("write_moves", start, stop, indptr, indices, self.vertices, self.moves)
        return indptr, indices

    def first_violation(
        self, words: IntArray, stuck: int, first: int, last: int, pool: ThreadPool
    ) -> int | None:
        """Return the first vertex in ``first..last-1`` whose answer its moves do not bear out."""
        wrong = pool.map_ranges(
            lambda a, b: self._prove(0, ALL, stuck, words, np.zeros(1, np.uint8), a, b)[0],
            [first + cut for cut in pool.chunks(last - first)],
        )
        return next((v for v in wrong if v >= 0), None)

    def first_violation_reachable(
        self, words: IntArray, stuck: int, pool: ThreadPool, report: ProgressCallback
    ) -> tuple[int, bool] | None:
        """Return a vertex with a wrong answer, and whether play from the starts reaches it.

        Proven is what play reaches, found anew on the way, tier by tier from the last; an answer for
        anything else is wrong. 1 byte a vertex.
        """
        marks = np.zeros(self.vertices, np.uint8)
        marks[list(self.starts)] = 1
        for below, above in reversed(list(pairwise([*self.tiers, self.vertices]))):
            cuts = [below + cut for cut in pool.chunks(above - below)]
            prove = functools.partial(self._prove, below, REACHED, stuck, words, marks)
            again = True
            while again:
                proven = pool.map_ranges(prove, cuts)
                wrong = [v for v, _ in proven if v >= 0]
                if wrong:
                    return min(wrong), True
                # A part may mark what was passed already: only a pass that marks nothing is the last.
                again = any(more for _, more in proven)
            report(Progress("verifying", self.vertices - below, self.vertices))
        unmarked = self.fitted.kernel("first_unmarked", self.work)
        unreached = pool.map_ranges(
            lambda a, b: int(unmarked(a, b, words, marks)), pool.chunks(self.vertices)
        )
        return next(((v, False) for v in unreached if v >= 0), None)

    def _prove(
        self, below: int, which: int, stuck: int, words: IntArray, marks: ByteArray,
        first: int, last: int,
    ) -> tuple[int, bool]:  # fmt: skip
        asked = (below, which, NO_SAMPLE, stuck, words, marks, self.moves)
        wrong, more = self.run("prove", first, last, *asked, known=words)
        return int(wrong), bool(more)

    def first_violation_interpreted(self, words: IntArray, stuck: int, sample: IntArray) -> int | None:
        """Return the first vertex of a sample that the rules, not compiled, do not bear out."""
        interpreted, data = self.fitted.interpreted(), as_compiled(self.data)
        which = POSITIONS if self.starts else ALL
        asked = (
            0,
            len(sample),
            0,
            which,
            sample,
            stuck,
            words,
            PLACEHOLDER,
            self.moves,
            data,
            self.found,
        )
        locate = functools.partial(self._locate, words)
        with np.errstate(over="ignore"):
            wrong, _ = call_rules(self.name, interpreted, "prove", 0, *asked, locate=locate)
        return int(wrong) if wrong >= 0 else None

    def check_rules_at(self, vertex: int, words: IntArray) -> None:
        """Raise RulesError if the rules contradict each other about a move of a vertex.

        ``words`` tell what is a position. Costs a pass over the predecessors of all of them.
        """
        tier = bisect_right(self.tiers, vertex)
        span = self.tiers[tier - 1], (*self.tiers, self.vertices)[tier]
        ask = (vertex, *span, self.moves, self.origins, as_compiled(self.data), self.found)
        call_rules(self.name, self.fitted.interpreted(), "find_contradiction", 0, *ask)
        if self.origins:
            self.run(
                "find_false_predecessor", 0, self.vertices, vertex, words, self.moves, self.origins
            )

    def materialize(self) -> Graph:
        """Give the same game as a Graph with every edge stored; what is no position is a TIE."""
        if self.stored is not None:
            return self.stored
        with ThreadPool(None, self.work) as pool:
            cuts = pool.chunks(self.vertices)
            counted = pool.map_ranges(self._counts, cuts)
            degrees = np.concatenate([counts for counts, _ in counted])
            ends = np.concatenate([ends for _, ends in counted])
            edges = int(degrees.sum(dtype=np.int64))
            self.counted = edges
            indptr = np.zeros(self.vertices + 1, index_dtype(edges))
            np.cumsum(degrees, out=indptr[1:])
            indices = np.empty(edges, index_dtype(self.vertices))

            holes = bool((ends == INVALID).any())

            def write(first: int, last: int) -> None:
                rows = indptr[first : last + 1].astype(np.int64)
                span = indices[rows[0] : rows[-1]]
                self.run("write_moves", first, last, rows - rows[0], span, self.vertices, self.moves)
                if holes:
                    self.run("find_move_to_invalid", first, last, rows - rows[0], span, ends)

            pool.map_ranges(write, cuts)
        ends[ends == INVALID] = Value.TIE
        return Graph(indptr, indices, self.owner, ends)

    def _counts(self, start: int, stop: int) -> tuple[IntArray, ByteArray]:
        counts, ends = np.zeros(stop - start, np.int32), np.zeros(stop - start, np.uint8)
        real = np.ones(stop - start, bool)
        if self.starts:
            if self.reached is None:
                with ThreadPool(None, self.work) as pool:
                    self.reached = self.mark_reachable(pool)
            real = code_of(self.reached[start:stop]) != INVALID_CODE
            ends[~real] = INVALID
        self.run("count_moves", start, stop, real, counts, ends, self.moves)
        return counts, ends

    def mark_reachable(self, pool: ThreadPool, report: ProgressCallback = no_progress) -> IntArray:
        """Give a word for each vertex: INVALID_CODE where play does not reach it.

        Where every vertex counts, all are 0. Raises RulesError for a move that leads up the tiers, past
        the index, or to what is no position.
        """
        if not self.starts:
            return np.zeros(self.vertices, word_dtype(0))
        state = np.full(self.vertices, INVALID_CODE, word_dtype(0))
        state[list(self.starts)] = 0
        spans = list(pairwise([*self.tiers, self.vertices]))
        for below, above in reversed(spans):
            cuts = [below + cut for cut in pool.chunks(above - below)]
            again = True
            while again:
                # A part may mark what was passed already: only a pass that marks nothing is the last.
                again = any(pool.map_ranges(functools.partial(self._reach, below, above, state), cuts))
            report(Progress("finding positions", self.vertices - below, self.vertices))
        return state

    def _reach(self, below: int, above: int, state: IntArray, first: int, last: int) -> bool:
        return bool(
            self.run("mark_reachable", first, last, below, above, state, self.moves, known=state)
        )

    def __repr__(self) -> str:
        return f"GeneratedSpace(vertices={self.vertices})"


def as_compiled(data: Any) -> Any:
    """Return the data of rules so that they compute with it, not compiled, as they do compiled.

    Compiled, a whole number of fewer than 64 bits is computed with as one of 64; NumPy would overflow.
    """
    if isinstance(data, tuple):
        parts = [as_compiled(part) for part in data]
        return type(data)(*parts) if hasattr(data, "_fields") else tuple(parts)
    if isinstance(data, np.ndarray | np.generic) and data.dtype.kind in "iu" and data.itemsize < 8:
        return data.astype(np.int64)
    return data

"""IndexedGraph: the positions of a compiled game by number, their moves made as they are needed.

Nothing is stored but, for positions found by exploring, the positions themselves. Some numbers may
stand for no position; they have no moves, and the value NO_POSITION.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from retrosolve.answers import NO_POSITION
from retrosolve.errors import RetrosolveError, RulesError
from retrosolve.graph import Graph
from retrosolve.kernels.fitting import Fitted
from retrosolve.parallel import Crew
from retrosolve.progress import Progress, Report, silent
from retrosolve.validation import ByteArray, IntArray, index_dtype
from retrosolve.values import Value

SAMPLE = 1 << 12
MOVES_GUESSED = 8
UNREACHED = 7  # the code of what is no position, in a packed answer


def called(name: str, fitted: Fitted, kernel: str, work: int, *args: Any) -> Any:
    """Call a kernel fitted to a game. What goes wrong in the game's functions raises RulesError."""
    try:
        return fitted.run(kernel, work, *args)
    except (RetrosolveError, MemoryError):
        raise
    except Exception as error:
        if not type(error).__module__.startswith("numba."):
            raise RulesError(f"the rules of {name} raised {type(error).__name__}: {error}") from error
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        place = next((line for line in reversed(lines) if line.startswith("File ")), "")
        said = " ".join(line for line in lines[:4] if not line.startswith("Failed in nopython"))
        raise RulesError(
            f"the rules of {name} cannot be compiled: {said} {place}".rstrip(": ")
        ) from error


@dataclass(eq=False)
class IndexedGraph:
    """A graph whose rows are made by a game's own functions.

    ``name`` is what the game is called, ``fitted`` are the kernels, ``data`` what the game's functions
    are given, ``found`` the positions found by exploring (positions and hash table; empty for a game
    with a dense index), ``moves`` and ``origins`` the most moves and predecessors of a position, 0
    origins if those are not given, and ``tiers`` the first vertex of each tier. ``stored`` may hold
    rows made while exploring, ``counted`` the number of moves where it is known.

    ``starts`` are the vertices to start from, where only what is reached from there is a position;
    ``reached`` is then a word a vertex, found when first needed, 7 in its low bits elsewhere.
    ``seconds`` tells what the stages of the last solve took.
    """

    name: str
    fitted: Fitted
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
        return self.vertices * MOVES_GUESSED

    def run(self, kernel: str, *args: Any) -> Any:
        """Call a kernel; ``data`` and ``found`` are its last arguments."""
        return called(self.name, self.fitted, kernel, self.work, *args, self.data, self.found)

    @property
    def edges(self) -> int:
        """How many moves there are. Counted by making them all, unless a solve has done so."""
        if self.counted is None:
            with Crew(None, self.work) as crew:
                spans = crew.map(
                    lambda first, last: int(self._counts(first, last)[0].sum(dtype=np.int64)),
                    crew.parts(self.vertices),
                )
            self.counted = sum(spans)
        return self.counted

    def edges_guessed(self) -> int:
        """Guess the number of moves from a sample of positions; blindly before those are found."""
        if self.counted is None and self.starts and self.reached is None:
            return self.vertices * MOVES_GUESSED
        if self.counted is not None or self.vertices <= SAMPLE:
            return self.edges
        sample = np.random.default_rng(0).integers(0, self.vertices, SAMPLE)
        met = sum(int(self._counts(int(v), int(v) + 1)[0][0]) for v in sample)
        return round(met / SAMPLE * self.vertices)

    def climbs(self) -> bool:
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
            real = self.ends(first, last) != NO_POSITION
            sides = np.zeros(last - first, np.uint8)
            self.run("sides", first, last, real, sides)
            owner[first:last] = sides
        return owner

    def movers(self, at: IntArray) -> ByteArray | None:
        """Give who moves at some vertices; None where players alternate."""
        return None if self.owner is None else self.owner[at]

    @property
    def terminal(self) -> ByteArray:
        """The terminal value of each vertex, NO_POSITION where it is none; made anew at each call."""
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
        self.run("write_moves", start, stop, indptr, indices, self.moves)
        return indptr, indices

    def first_wrong(self, words: IntArray, stuck: int, first: int, last: int, crew: Crew) -> int | None:
        """Give the first vertex in ``first..last-1`` whose packed answer its moves do not bear out."""
        only = bool(self.starts)
        if only and first == 0:
            missing = [v for v in self.starts if words[v] & np.uint8(7) == UNREACHED]
            if missing:
                return missing[0]
        wrong = crew.map(
            lambda a, b: int(self.run("prove", a, b, stuck, only, words, self.moves)),
            [first + cut for cut in crew.parts(last - first)],
        )
        return next((v for v in wrong if v >= 0), None)

    def explicit(self) -> Graph:
        """Give the same game as a Graph with every edge stored; what is no position is a TIE."""
        if self.stored is not None:
            return self.stored
        with Crew(None, self.work) as crew:
            cuts = crew.parts(self.vertices)
            counted = crew.map(self._counts, cuts)
            degrees = np.concatenate([counts for counts, _ in counted])
            ends = np.concatenate([ends for _, ends in counted])
            edges = int(degrees.sum(dtype=np.int64))
            self.counted = edges
            indptr = np.zeros(self.vertices + 1, index_dtype(edges))
            np.cumsum(degrees, out=indptr[1:])
            indices = np.empty(edges, index_dtype(self.vertices))

            def write(first: int, last: int) -> None:
                rows = indptr[first : last + 1].astype(np.int64)
                span = indices[rows[0] : rows[-1]]
                self.run("write_moves", first, last, rows - rows[0], span, self.moves)

            crew.map(write, cuts)
        ends[ends == NO_POSITION] = Value.TIE
        return Graph(indptr, indices, self.owner, ends)

    def _counts(self, start: int, stop: int) -> tuple[IntArray, ByteArray]:
        counts, ends = np.zeros(stop - start, np.int32), np.zeros(stop - start, np.uint8)
        real = np.ones(stop - start, bool)
        if self.starts:
            if self.reached is None:
                with Crew(None, self.work) as crew:
                    self.reached = self.marked(crew)
            real = self.reached[start:stop] & np.uint8(7) != UNREACHED
            ends[~real] = NO_POSITION
        self.run("count_moves", start, stop, real, counts, ends, self.moves)
        return counts, ends

    def marked(self, crew: Crew, report: Report = silent) -> IntArray:
        """Give a word for each vertex, uint16: 7 in the low bits where play does not reach it.

        Where every vertex counts, all are 0. Raises RulesError for a move that leads up the tiers, past
        the index, or to what is no position.
        """
        if not self.starts:
            return np.zeros(self.vertices, np.uint16)
        state = np.full(self.vertices, UNREACHED, np.uint16)
        state[list(self.starts)] = 0
        spans = list(pairwise([*self.tiers, self.vertices]))
        for below, above in reversed(spans):
            cuts = [below + cut for cut in crew.parts(above - below)]
            again = True
            while again:
                told = crew.map(functools.partial(self._reach, below, above, state), cuts)
                self._refuse_wrong([wrong for _, wrong in told if wrong >= 0])
                # A part may mark what was passed already: only a pass that marks nothing is the last.
                again = any(more for more, _ in told)
            report(Progress("finding positions", self.vertices - below, self.vertices))
        return state

    def _reach(
        self, below: int, above: int, state: IntArray, first: int, last: int
    ) -> tuple[bool, int]:
        more, wrong = self.run("reach", first, last, below, above, state, self.moves)
        return bool(more), int(wrong)

    def _refuse_wrong(self, wrong: list[int]) -> None:
        if wrong:
            raise RulesError(
                f"the position of index {wrong[0]} of {self.name}, reached from the start, is none by "
                "terminal(), or has a move to a later tier or past the index: expected neither"
            )

    def __repr__(self) -> str:
        return f"IndexedGraph(vertices={self.vertices})"

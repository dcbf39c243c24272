"""Breadth-first search for the positions of a compiled game, within a memory budget."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrosolve.arrays import ByteArray, IntArray, index_dtype
from retrosolve.compilation.specialize import SpecializedKernels
from retrosolve.errors import LimitError
from retrosolve.kernels import hash_index
from retrosolve.kernels.words import word_dtype
from retrosolve.rules.contract import CompiledGame
from retrosolve.runtime import memory, tuning
from retrosolve.runtime.context import Context
from retrosolve.runtime.progress import Progress
from retrosolve.spaces.faults import call_rules, complete_fault, first_exception
from retrosolve.spaces.rule_positions import LARGEST_POSITION

_insert: Any = hash_index.insert

INITIAL_CAPACITY = 1 << 10
FIRST_CHUNK, LARGEST_CHUNK = 1 << 12, 1 << 23  # edges
POSITIONS_PER_REPORT = 1 << 20
MAX_LOAD_FACTOR = 0.7  # at this load a successful lookup takes about two probes
BUDGET_STEPS = 512  # bytes of the budget for each position that a step may find
CHUNKS_PER_BUDGET = 64

# Bytes of a position besides the hash table: itself, and its word while moves are generated again; or
# with edges, itself, its terminal value and row start, which is copied. Solving then takes less.
BYTES_PER_POSITION = 8 + 2
BYTES_PER_STORED_POSITION = 8 + 1 + 8 + 4


class Search:
    """A breadth-first search: the positions discovered so far, in growing arrays.

    Edges are stored in chunks, which are dropped where the memory budget has no room for them; then
    only the positions are kept, and the edges are counted.

    Parameters
    ----------
    game : CompiledGame
    kernels : SpecializedKernels
    max_moves : int
    context : Context
        ``memory`` and ``limit`` bound the search.
    """

    def __init__(
        self,
        game: CompiledGame,
        kernels: SpecializedKernels,
        max_moves: int,
        context: Context,
    ) -> None:
        self.game = game
        self.name = type(game).__name__
        self.kernels = kernels
        self.max_moves = max_moves
        self.stored = True
        self.context = context
        self.head = self.tail = self.edges = 0
        self.order: IntArray = np.empty(0, np.int64)
        self.terminals: ByteArray = np.empty(0, np.uint8)
        self.indptr: IntArray = np.zeros(1, np.int64)
        self.chunks: list[IntArray] = []
        self.chunk: Any = np.empty(0, np.int32)
        self.used = 0  # edges in the last chunk
        self._grow(INITIAL_CAPACITY + 2 * max_moves)

    def run(self, starts: list[int]) -> None:
        """Search until no new position is discovered."""
        if len(starts) + self.max_moves > len(self.order):
            self._grow(2 * len(starts) + self.max_moves)
        self.tail = _insert(np.array(starts, np.int64), self.order, 0, self.table)
        limit = self.context.limit
        while self.head < self.tail:
            step = self._prepare()
            self._advance(min(limit or LARGEST_POSITION, self.tail + step))
            if limit is not None and self.tail > limit:
                raise LimitError(
                    f"the game has more than {limit} positions, the limit: {self.tail} were found, "
                    f"{self.head} of them explored: expected a higher limit or a smaller game"
                )
            memory.check_headroom(f"{self.tail} positions were found and there are more")
            self.context.progress(Progress("finding positions", self.head, None))

    def rows(self) -> tuple[IntArray, IntArray]:
        """Return the edges as rows and release the chunks."""
        n = self.tail
        indptr: IntArray = self.indptr[: n + 1].astype(index_dtype(self.edges))
        self.indptr = indptr
        self.chunks.append(self.chunk[: self.used])
        del self.chunk
        if len(self.chunks) == 1:
            return indptr, self.chunks.pop()
        indices: IntArray = np.empty(self.edges, index_dtype(n))
        stop = self.edges
        while self.chunks:
            chunk = self.chunks.pop()
            indices[stop - len(chunk) : stop] = chunk
            stop -= len(chunk)
        return indptr, indices

    # -- a step -------------------------------------------------------------------------------

    def _advance(self, most: int) -> None:
        """Explore until ``most`` positions are known or an array is full."""
        head, used = self.head, self.used
        search = (self.order, self.table, head, self.tail, most, self.terminals)
        work = self.tail * 8
        data = self._arguments(self.kernels.compiles(work))[0]
        self.head, self.tail, self.used = call_rules(
            self.name, self.kernels, hash_index.breadth_first, work, *search, self.indptr, self.chunk,
            used, self.stored, self.max_moves, data, locate=self._locate, retrace=self._retrace,
        )  # fmt: skip
        if self.stored:
            self.indptr[head + 1 : self.head + 1] += self.edges - used
        self.edges += self.used - used

    def _arguments(self, compiled: bool) -> tuple[Any, tuple[IntArray, ...]]:
        """Return the data and the index table as arguments of compiled or of plain functions."""
        data = self.game.compiled_data if compiled else self.game.plain_data
        return data, (self.order, self.table)

    def _locate(self, fault: IntArray) -> None:
        """Complete a fault of the rules with the position that shows it."""
        complete_fault(self.kernels, self._known(), self._arguments, fault)

    def _retrace(self) -> Exception | None:
        """Return the exception that the rules raise, as plain Python raises it."""
        return first_exception(self.kernels, self._known(), (self.max_moves, 0), self._arguments)

    def _known(self) -> IntArray:
        """Return packed words for the positions found so far, all of which are valid."""
        return np.zeros(self.tail, word_dtype(0))

    # -- memory -------------------------------------------------------------------------------

    def _prepare(self) -> int:
        """Make room for the next step within the budget; return how many positions it may find."""
        budget = self.context.memory
        step = POSITIONS_PER_REPORT
        if budget is not None:
            step = min(step, budget // BUDGET_STEPS + self.max_moves)
        if self.stored and not self._fits(self._needed(step)):
            self._drop_edges()
        if not self._fits(self._needed(step)):
            what = f"{self.tail} positions of {self.name} were found, and exploring more"
            memory.check_budget(self._needed(step), what, budget)
        if self.tail + self.max_moves > len(self.order):
            self._grow(2 * len(self.order))
        if self.stored and self.used + self.max_moves > len(self.chunk):
            self.chunks.append(self.chunk[: self.used])
            self.chunk = np.empty(self._chunk_size(), index_dtype(len(self.order)))
            self.used = 0
        return step

    def _needed(self, step: int) -> int:
        """Return the bytes that the search takes after a step, and solving the game then."""
        positions = self.tail + step
        slots = len(self.table)
        while positions + self.max_moves > slots * MAX_LOAD_FACTOR and positions > len(self.order):
            slots *= 2
        each, needed = BYTES_PER_POSITION, slots * self.table.itemsize
        if self.stored:
            each = BYTES_PER_STORED_POSITION
            needed += (self.edges + self._chunk_size()) * self.chunk.itemsize
        return needed + positions * each

    def _fits(self, needed: int) -> bool:
        """Return whether so many bytes are within the budget, and within what there is."""
        budget = self.context.memory
        if budget is not None and needed > budget:
            return False
        return needed <= tuning.current().max_unchecked_bytes or needed <= memory.room()

    def _chunk_size(self) -> int:
        """Return the length of the next chunk of edges."""
        size = min(max(FIRST_CHUNK, 2 * len(self.chunk)), LARGEST_CHUNK)
        if self.context.memory is not None:
            size = min(size, self.context.memory // CHUNKS_PER_BUDGET)
        return max(size, self.max_moves)

    def _drop_edges(self) -> None:
        """Store no edges from here on; solving generates them again."""
        self.stored = False
        self.chunks.clear()
        self.chunk, self.used = np.empty(0, np.int32), 0
        self.terminals, self.indptr = np.empty(0, np.uint8), np.zeros(1, np.int64)

    def _grow(self, room: int) -> None:
        """Grow the arrays to at least ``room`` positions."""
        slots = table_size(room)
        if self.context.memory is not None:  # a table that is less full is faster
            room = int(slots * MAX_LOAD_FACTOR)
        self.table: IntArray = np.empty(0, np.int32)  # released before the others are copied
        self.order = _grown(self.order, room, self.tail)
        if self.stored:
            self.terminals = _grown(self.terminals, room, self.head)
            self.indptr = _grown(self.indptr, room + 1, self.head + 1)
        self.table = np.full(slots, -1, index_dtype(room))
        if self.tail:
            self.kernels.run(hash_index.rehash, self.tail * 8, self.order, self.tail, self.table)


def table_size(room: int) -> int:
    """Return the size of a hash table for ``room`` positions, a power of two."""
    return 1 << int(room / MAX_LOAD_FACTOR).bit_length()


def _grown(array: Any, length: int, used: int) -> Any:
    """Return a longer copy of the first entries of an array; the others are not initialised."""
    larger = np.empty(length, array.dtype)
    larger[:used] = array[:used]
    return larger

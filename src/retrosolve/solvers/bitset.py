"""Games of two tokens: one row of bits for each vertex of the first token, no edge stored.

``solve`` proceeds level by level and finds every remoteness. ``solve_values`` updates rows in any order
until nothing changes, which takes about a fifth of the time and the memory, and finds win, loss or draw
only. See ``kernels.bitset``.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray
from retrosolve.compilation.specialize import SpecializedKernels
from retrosolve.errors import GraphError
from retrosolve.kernels import bitset, bitset_fixpoint
from retrosolve.kernels.bitset import DELTA, P_LOSES, P_WINS, T_LOSES, T_WINS
from retrosolve.kernels.codes import INVALID
from retrosolve.kernels.words import code_of, widened, word_dtype
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Context
from retrosolve.runtime.progress import Progress
from retrosolve.runtime.threads import ThreadPool
from retrosolve.runtime.workspace import Buffers
from retrosolve.spaces.base import CsrSpace
from retrosolve.spaces.product import ProductSpace
from retrosolve.tables import BitplaneTable, PackedTable
from retrosolve.tables.result import SolveResult, Statistics
from retrosolve.values import TIE, Value

WORD_BITS = 64
LEVELS, ROUNDS = "levels", "rounds"  # what is saved in snapshots

Words = NDArray[np.uint64]
BitPlanes = Mapping[int, tuple[int, ...]]
# By turn: the planes in which the positions of each value are set.
VALUE_PLANES = (
    {Value.WIN: (P_WINS,), Value.LOSS: (P_LOSES,), INVALID: (P_WINS, P_LOSES)},
    {Value.WIN: (T_WINS,), Value.LOSS: (T_LOSES,), INVALID: (T_LOSES, T_WINS)},
)
# The same for the level-by-level solve, where new wins and losses are set in the planes from DELTA on.
INITIAL_PLANES = (
    {
        Value.WIN: (DELTA + P_WINS,),
        Value.LOSS: (DELTA + P_LOSES,),
        Value.TIE: (P_LOSES,),
        INVALID: (P_WINS, P_LOSES),
    },
    {
        Value.WIN: (DELTA + T_WINS,),
        Value.LOSS: (DELTA + T_LOSES,),
        Value.TIE: (T_LOSES,),
        INVALID: (T_LOSES, T_WINS),
    },
)
TIE_PLANES: tuple[BitPlanes, BitPlanes] = (
    {Value.TIE: (DELTA + P_LOSES,)},
    {Value.TIE: (DELTA + T_LOSES,)},
)


def buffers(space: ProductSpace, num_edges: int) -> Buffers:
    """Declare the arrays of ``solve``: planes of bits, and a packed word for each position."""
    planes = _planes(space, DELTA + 8)
    return Buffers(planes=(planes, np.uint64), words=(space.num_vertices, np.uint16))


def values_buffers(space: ProductSpace, num_edges: int) -> Buffers:
    """Declare the arrays of ``solve_values``: planes of bits, and those of a result apart."""
    if space.layout:
        return Buffers(planes=(_planes(space, DELTA), np.uint64))
    planes, result = _planes(space, DELTA + 8), _planes(space, DELTA)
    return Buffers(planes=(planes, np.uint64), result=(result, np.uint64))


def _planes(space: ProductSpace, rows: int) -> tuple[int, int, int]:
    """Return the shape of so many rows of bits for each vertex of the first token."""
    return space.first.num_vertices, rows, BitLayout(space).words


def solve(space: ProductSpace, stuck: Value, context: Context) -> SolveResult:
    """Solve a game of two tokens level by level, with remoteness.

    Parameters
    ----------
    space : ProductSpace
    stuck : Value
        The value of a position without moves, for the player to move.
    context : Context

    Returns
    -------
    SolveResult
        With a packed table.
    """
    search = BitsetSolve(space, stuck, buffers(space, 0), INITIAL_PLANES)
    with ThreadPool(context.threads, space.num_vertices // 8) as pool:
        words = search.solve_by_levels(search.terminal_words(pool), pool, context)
    return SolveResult(PackedTable(words), Statistics(space.num_edges))


def solve_values(space: ProductSpace, stuck: Value, context: Context) -> SolveResult:
    """Solve a game of two tokens for win, loss or draw only.

    Parameters
    ----------
    space : ProductSpace
    stuck : Value
        The value of a position without moves, for the player to move.
    context : Context

    Returns
    -------
    SolveResult
        With a table of bit planes.

    Raises
    ------
    GraphError
        If the game may end in a tie.
    """
    if may_tie(space, stuck):
        raise GraphError("a game with ties is solved with its remoteness: expected remoteness=True")
    initial = VALUE_PLANES if space.layout else INITIAL_PLANES
    search = BitsetSolve(space, stuck, values_buffers(space, 0), initial)
    with ThreadPool(context.threads, space.num_vertices // 8) as pool:
        if space.layout:
            search.solve_to_fixpoint(pool, context)
        else:
            search.solve_by_levels(np.zeros(0, word_dtype(0)), pool, context)
    planes = search.planes if space.layout else search.planes[:, :DELTA].copy()
    return SolveResult(BitplaneTable(planes, search.layout.place), Statistics(space.num_edges))


def may_tie(space: ProductSpace, stuck: Value) -> bool:
    """Return whether some position is a tie before any move."""
    terminals = space.terminal_map
    can_be_stuck = any((token.out_degrees() == 0).any() for token in (space.first, space.second))
    values = terminals.first_values, terminals.second_values, terminals.pair_values
    return any((part == TIE).any() for part in values) or (can_be_stuck and stuck is Value.TIE)


class BitLayout:
    """The bits of a row: where each vertex of the second token is, and the shifts that are its moves.

    Attributes
    ----------
    place : int64 [m]
        The bit of each vertex.
    shifts : int64 [1 + offsets, 2]
        The margin of a row in words, then the words and bits of each shift; for the kernels.
    words : int
        The length of a row.
    """

    def __init__(self, space: ProductSpace) -> None:
        m = space.second.num_vertices
        self.place: IntArray = np.arange(m, dtype=np.int64)
        self.shifts: IntArray = np.zeros((1, 2), np.int64)
        if space.layout:
            offsets = np.unique(np.asarray(space.layout.offsets, np.int64))
            margin = int(np.abs(offsets).max(initial=0)) // WORD_BITS + 2
            self.place = np.asarray(space.layout.coordinate, np.int64) + WORD_BITS * margin
            shifts = [(margin, 0), *((offset >> 6, offset & 63) for offset in offsets.tolist())]
            self.shifts = np.array(shifts, np.int64)
        self.words = int(self.place.max(initial=0)) // WORD_BITS + 1 + int(self.shifts[0, 0])

    def vertex_at_bit(self) -> IntArray:
        """Return the vertex at each bit of a row, -1 where there is none."""
        vertices = np.full(self.words * WORD_BITS, -1, np.int32)
        vertices[self.place] = np.arange(len(self.place))
        return vertices

    def row(self, members: NDArray[np.bool_]) -> Words:
        """Return the row with the bits of a set of vertices, given as bool [m]."""
        bits = np.zeros(self.words * WORD_BITS, np.uint8)
        bits[self.place[members]] = 1
        return np.packbits(bits, bitorder="little").view("<u8").astype(np.uint64)

    def bit(self, t: IntArray) -> tuple[IntArray, Words]:
        """Return the word of each of some vertices, and its bit there."""
        place = self.place[t]
        return place // WORD_BITS, np.uint64(1) << (place % WORD_BITS).astype(np.uint64)


class BitsetSolve:
    """The planes of a solve, initialised with what is decided before any move.

    Parameters
    ----------
    space : ProductSpace
    stuck : Value
    arrays : Buffers
        Those of the variant.
    initial : tuple of two mappings
        By turn: the planes in which the positions of each value are set at first.
    """

    def __init__(
        self, space: ProductSpace, stuck: Value, arrays: Buffers, initial: tuple[BitPlanes, BitPlanes]
    ) -> None:
        self.space = space
        self.stuck = stuck
        self.layout = layout = BitLayout(space)
        self.k = space.first.num_vertices
        self.arrays = arrays
        self.planes: Words = arrays.zeros("planes")
        for turn in (0, 1):
            self.set_terminals(turn, initial[turn])
        vertices = layout.row(np.ones(space.second.num_vertices, bool))
        self.planes[:, P_WINS] |= ~vertices
        self.planes[:, T_LOSES] |= ~vertices
        self.first = space.first.indptr.astype(np.int64), space.first.indices.astype(np.int64)
        self.second = _rows_both_ways(space.second)

    def set_terminals(self, turn: int, planes_of: BitPlanes) -> None:
        """Set the terminal and stuck positions in which a player is to move."""
        layout, terminals = self.layout, self.space.terminal_map
        stuck_first, stuck_second = self._stuck(turn)
        first, second = terminals.first_values[turn], terminals.second_values[turn]
        first = np.where((first == 0) & stuck_first, self.stuck, first)
        for first_value in np.unique(first):
            rows: Any = np.flatnonzero(first == first_value)
            rows = slice(None) if len(rows) == self.k else rows  # a slice saves a copy
            values = np.where(second != 0, second, first_value)
            values = np.where((values == 0) & stuck_second, self.stuck, values)
            for value, planes in planes_of.items():
                for plane in planes:
                    self.planes[rows, plane] |= layout.row(values == value)
        p, t = terminals.pairs
        word, bit = layout.bit(t)
        values = terminals.pair_values[turn]
        values = np.where((values == 0) & (stuck_first[p] | stuck_second[t]), self.stuck, values)
        for plane in {plane for planes in planes_of.values() for plane in planes}:
            np.bitwise_and.at(self.planes[:, plane], (p, word), ~bit)
        for value, planes in planes_of.items():
            at = values == value
            for plane in planes:
                np.bitwise_or.at(self.planes[:, plane], (p[at], word[at]), bit[at])

    def _stuck(self, turn: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return at which vertices of the first and of the second token the player to move is stuck."""
        tokens = self.space.first, self.space.second
        return (
            (tokens[0].out_degrees() == 0) & (turn == 0),
            (tokens[1].out_degrees() == 0) & (turn == 1),
        )

    def terminal_words(self, pool: ThreadPool) -> IntArray:
        """Return a packed word for each position, with its value if it is decided before any move."""
        words = self.arrays.empty("words")
        by_turn = words.reshape(2, self.k, self.space.second.num_vertices)

        def write(start: int, stop: int) -> None:
            for turn in (0, 1):
                values = self.space.terminal_map.block(turn, start, stop)
                stuck_first, stuck_second = self._stuck(turn)
                values[(values == 0) & (stuck_first[start:stop, None] | stuck_second)] = self.stuck
                by_turn[turn, start:stop] = code_of(values)

        pool.map_ranges(write, self._chunks(pool, tuning.current().bitset_chunks_per_thread))
        return words

    def solve_by_levels(self, words: IntArray, pool: ThreadPool, context: Context) -> IntArray:
        """Find every remoteness; return ``words``, widened where a remoteness needs it."""
        decided = level = first = 0
        snapshot = context.checkpoint.resumed(LEVELS)
        spans = self.full_spans(4)
        spans = np.stack([spans, spans], axis=1)
        if snapshot is not None:
            facts: Any = snapshot.facts
            decided, level, first = facts["decided"], facts["level"], facts["ties"]
            words = widened(words, level)
            for name, array in {"planes": self.planes, "words": words, "spans": spans}.items():
                snapshot.read(name, array)
        for ties in (False, True)[first:]:
            if ties and level == 0:
                if not may_tie(self.space, self.stuck):
                    break
                self.planes[:, DELTA:] = 0
                for turn in (0, 1):
                    self.set_terminals(turn, TIE_PLANES[turn])
            for level_words, found in self._levels(words, ties, level, spans, pool):
                words = level_words
                decided += found
                level += 1
                if context.checkpoint.due() and found:
                    context.checkpoint.save(
                        {"stage": LEVELS, "ties": int(ties), "level": level, "decided": decided},
                        {"planes": self.planes, "words": words, "spans": spans},
                    )
                context.progress(Progress("solving", decided, self.space.num_vertices))
            level = 0
            spans[:] = np.expand_dims(self.full_spans(4), 1)
        return words

    def _levels(
        self, words: IntArray, ties: bool, level: int, spans: IntArray, pool: ThreadPool
    ) -> Iterator[tuple[IntArray, int]]:
        """Yield the words and the number of newly decided positions for each level until it is 0."""
        kernel = self.kernel(bitset.propagate_level, tuning.current().interpreted_level_cost)
        vertices = self.layout.vertex_at_bit()
        cuts = self._chunks(pool, tuning.current().bitset_chunks_per_thread)
        scratch = np.zeros((len(cuts), 4, self.layout.words), np.uint64)
        found = 1
        while found:
            level += 1
            words = widened(words, level)
            state = (level - 1) % 2, ties, self.planes, spans
            fixed = (*self.first, self.layout.shifts, self.second, vertices, words, level)

            def advance(chunk: int, state: Any = state, fixed: Any = fixed) -> int:
                return int(kernel(cuts[chunk], cuts[chunk + 1], *state, *fixed, scratch[chunk]))

            found = sum(pool.map(advance, len(cuts) - 1))
            yield words, found

    def solve_to_fixpoint(self, pool: ThreadPool, context: Context) -> None:
        """Find the values only, in no particular order."""
        kernel = self.kernel(bitset_fixpoint.fixpoint, tuning.current().interpreted_fixpoint_cost)
        before = self.full_spans(2)
        after = np.zeros_like(before)
        cuts = self._chunks(pool, tuning.current().fixpoint_chunks_per_thread)
        scratch = np.zeros((len(cuts), 2, self.layout.words), np.uint64)
        rounds, changed = 0, 1
        snapshot = context.checkpoint.resumed(ROUNDS)
        if snapshot is not None:
            rounds = int(snapshot.facts["rounds"])
            snapshot.read("planes", self.planes)
            snapshot.read("spans", before)
        while changed:
            after[:] = self.layout.words, 0
            state = rounds % 2 == 0, rounds == 0, self.planes, before, after

            def visit(chunk: int, state: Any = state) -> int:
                rows = cuts[chunk], cuts[chunk + 1]
                return int(kernel(*rows, *state, *self.first, self.layout.shifts, scratch[chunk]))

            changed = sum(pool.map(visit, len(cuts) - 1))
            before, after = after, before
            rounds += 1
            if context.checkpoint.due():
                found: dict[str, int | str] = {"stage": ROUNDS, "rounds": rounds}
                context.checkpoint.save(found, {"planes": self.planes, "spans": before})
            context.progress(Progress("solving, round", rounds, None))

    def kernel(self, kernel: Any, cost: int) -> Any:
        """Return a kernel, compiled if its cost for each position makes that pay."""
        return _kernels(bool(self.space.layout)).kernel(kernel, cost * self.space.num_vertices)

    def full_spans(self, length: int) -> IntArray:
        """Return spans of words for each row that say that anything in it may have changed."""
        margin = int(self.layout.shifts[0, 0])
        span = [margin, self.layout.words - margin] * (length // 2)
        return np.tile(np.array(span, np.int64), (self.k, 1))

    def _chunks(self, pool: ThreadPool, per_thread: int) -> list[int]:
        """Return the bounds of chunks of rows."""
        return pool.chunks(self.k, max(1, min(pool.threads * per_thread, self.k)))


@functools.cache
def _kernels(by_shifts: bool) -> SpecializedKernels:
    """Return the kernels for a second token that moves by shifts, or along the edges of a graph."""
    step = bitset.step_by_shifts if by_shifts else bitset.step_on_graph
    return SpecializedKernels({}, {"second_player_step": step})


def _rows_both_ways(graph: CsrSpace) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return the rows of successors and the rows of predecessors of a small graph."""
    indptr, indices = graph.indptr.astype(np.int64), graph.indices.astype(np.int64)
    source = np.repeat(np.arange(graph.num_vertices), np.diff(indptr))
    counts = np.bincount(indices, minlength=graph.num_vertices)
    rindptr = np.concatenate([[0], np.cumsum(counts)])
    return indptr, indices, rindptr, source[np.argsort(indices, kind="stable")]

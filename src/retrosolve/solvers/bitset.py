"""Two tokens, one for each player, without storing an edge: a row of bits for each place of the first.

``solve`` goes level by level and gives every remoteness; ``values`` lets rows gain what they can in any
order, which takes about a fifth of the time and of the memory, and gives values alone. The rules are in
``kernels.product``.
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
from retrosolve.kernels.words import INVALID, code_of, widened, word_dtype
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Context
from retrosolve.runtime.progress import Progress, ProgressCallback
from retrosolve.runtime.threads import ThreadPool
from retrosolve.solvers.result import SolveResult, Statistics
from retrosolve.spaces.base import CsrSpace
from retrosolve.tables import BitplaneTable, PackedTable
from retrosolve.values import Value

WORD = 64

Words = NDArray[np.uint64]
Sets = Mapping[int, tuple[int, ...]]
# In which rows the positions of each value are set, by turn.
SETS = (
    {Value.WIN: (P_WINS,), Value.LOSS: (P_LOSES,), INVALID: (P_WINS, P_LOSES)},
    {Value.WIN: (T_WINS,), Value.LOSS: (T_LOSES,), INVALID: (T_LOSES, T_WINS)},
)
SEEDS = (
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
SEEDS_OF_TIES: tuple[Sets, Sets] = {Value.TIE: (DELTA + P_LOSES,)}, {Value.TIE: (DELTA + T_LOSES,)}


def workspace(graph: Any, edges: int) -> int:
    """Give the bytes a solve takes: rows of bits, and a word a position for value and remoteness."""
    k, n = int(graph.first.num_vertices), int(graph.num_vertices)
    return 8 * k * Layout(graph).words * (DELTA + 8) + 2 * n


def values_workspace(graph: Any, edges: int) -> int:
    """Give the bytes that the values alone take: rows of bits."""
    rows = DELTA if graph.layout else 2 * DELTA + 8
    return 8 * int(graph.first.num_vertices) * Layout(graph).words * rows


def solve(graph: Any, stuck: Value, context: Context) -> SolveResult:
    """Solve a game of two tokens level by level, with every remoteness."""
    game = _Rows(graph, stuck, DELTA + 8, SEEDS)
    with ThreadPool(context.threads, graph.num_vertices // 8) as pool:
        words = game.by_levels(game.words_of_ends(pool), pool, context.progress)
    return SolveResult(PackedTable(words), Statistics(graph.num_edges))


def solve_values(graph: Any, stuck: Value, context: Context) -> SolveResult:
    """Solve a game of two tokens for win, loss or draw only.

    Raises GraphError where the game may end in a tie.
    """
    if may_tie(graph, stuck):
        raise GraphError("a game with ties is solved with its remoteness: expected remoteness=True")
    with ThreadPool(context.threads, graph.num_vertices // 8) as pool:
        if graph.layout:
            game = _Rows(graph, stuck, DELTA, SETS)
            game.settle(pool, context.progress)
        else:
            game = _Rows(graph, stuck, DELTA + 8, SEEDS)
            game.by_levels(np.zeros(0, word_dtype(0)), pool, context.progress)
    planes = game.planes if graph.layout else game.planes[:, :DELTA].copy()
    return SolveResult(BitplaneTable(planes, game.layout.place), Statistics(graph.num_edges))


def may_tie(graph: Any, stuck: Value) -> bool:
    """Tell whether some position is a tie before any move."""
    terminals = graph.terminal_map
    stays = any((token.out_degrees() == 0).any() for token in (graph.first, graph.second))
    given = any(
        (codes == Value.TIE).any() for codes in (terminals.first_values, terminals.second_values, terminals.pair_values)
    )
    return bool(given or (stays and stuck is Value.TIE))


class Layout:
    """Where the second token's places stand in a row of bits, and by which shifts it moves."""

    def __init__(self, graph: Any) -> None:
        m = graph.second.num_vertices
        self.place: IntArray = np.arange(m, dtype=np.int64)
        self.line: IntArray = np.zeros((1, 2), np.int64)
        if graph.layout:
            offsets = np.unique(np.asarray(graph.layout.offsets, np.int64))
            margin = int(np.abs(offsets).max(initial=0)) // WORD + 2
            self.place = np.asarray(graph.layout.coordinate, np.int64) + WORD * margin
            self.line = np.array([(margin, 0), *((o >> 6, o & 63) for o in offsets.tolist())], np.int64)
        self.words = int(self.place.max(initial=0)) // WORD + 1 + int(self.line[0, 0])

    def numbers(self) -> IntArray:
        """Give the second token's vertex at each bit of a row, -1 where there is none."""
        numbers = np.full(self.words * WORD, -1, np.int32)
        numbers[self.place] = np.arange(len(self.place))
        return numbers

    def row(self, members: NDArray[np.bool_]) -> Words:
        """Give the row in which these second tokens [m] are set."""
        bits = np.zeros(self.words * WORD, np.uint8)
        bits[self.place[members]] = 1
        return np.packbits(bits, bitorder="little").view("<u8").astype(np.uint64)

    def bit(self, t: IntArray) -> tuple[IntArray, Words]:
        """Give the word and the bit of second tokens."""
        place = self.place[t]
        return place // WORD, np.uint64(1) << (place % WORD).astype(np.uint64)


class _Rows:
    """The rows of bits of a game, with what is decided before any move set as ``seeds`` says."""

    def __init__(self, graph: Any, stuck: Value, rows: int, seeds: tuple[Sets, Sets]) -> None:
        self.graph = graph
        self.stuck = stuck
        self.layout = layout = Layout(graph)
        self.k = graph.first.num_vertices
        self.planes: Words = np.zeros((self.k, rows, layout.words), np.uint64)
        for turn in (0, 1):
            self._set_ends(turn, seeds[turn])
        somewhere = layout.row(np.ones(graph.second.num_vertices, bool))
        self.planes[:, P_WINS] |= ~somewhere
        self.planes[:, T_LOSES] |= ~somewhere
        self.first = graph.first.indptr.astype(np.int64), graph.first.indices.astype(np.int64)
        self.second = _both_ways(graph.second)

    def _set_ends(self, turn: int, sets: Sets) -> None:
        """Set what is over, or stuck, where this player is to move."""
        layout, ends = self.layout, self.graph.terminal_map
        stuck_first, stuck_second = self._stuck(turn)
        first, second = ends.first_values[turn], ends.second_values[turn]
        first = np.where((first == 0) & stuck_first, self.stuck, first)
        for code in np.unique(first):
            rows: Any = np.flatnonzero(first == code)
            rows = slice(None) if len(rows) == self.k else rows  # which spares a copy
            whole = np.where(second != 0, second, code)
            whole = np.where((whole == 0) & stuck_second, self.stuck, whole)
            for value, planes in sets.items():
                for plane in planes:
                    self.planes[rows, plane] |= layout.row(whole == value)
        p, t = ends.pairs
        word, bit = layout.bit(t)
        codes = ends.pair_values[turn]
        codes = np.where((codes == 0) & (stuck_first[p] | stuck_second[t]), self.stuck, codes)
        for plane in {plane for planes in sets.values() for plane in planes}:
            np.bitwise_and.at(self.planes[:, plane], (p, word), ~bit)
        for value, planes in sets.items():
            there = codes == value
            for plane in planes:
                np.bitwise_or.at(self.planes[:, plane], (p[there], word[there]), bit[there])

    def _stuck(self, turn: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Say for each first and each second token whether the player to move is stuck for it."""
        tokens = self.graph.first, self.graph.second
        return (
            (tokens[0].out_degrees() == 0) & (turn == 0),
            (tokens[1].out_degrees() == 0) & (turn == 1),
        )

    def words_of_ends(self, pool: ThreadPool) -> IntArray:
        """Give a word for each position: its value where it is decided before any move."""
        state: IntArray = np.empty(self.graph.num_vertices, word_dtype(0))
        by_turn = state.reshape(2, self.k, self.graph.second.num_vertices)

        def write(first: int, last: int) -> None:
            for turn in (0, 1):
                codes = self.graph.terminal_map.block(turn, first, last)
                stuck_first, stuck_second = self._stuck(turn)
                codes[(codes == 0) & (stuck_first[first:last, None] | stuck_second)] = self.stuck
                by_turn[turn, first:last] = code_of(codes)

        pool.map_ranges(write, self._parts(pool, tuning.current().bitset_chunks_per_thread))
        return state

    def by_levels(self, state: IntArray, pool: ThreadPool, report: ProgressCallback) -> IntArray:
        """Find every remoteness. Gives ``state``, or a wider one with what is in it."""
        decided = 0
        for ties in (False, True):
            if ties:
                if not may_tie(self.graph, self.stuck):
                    break
                self.planes[:, DELTA:] = 0
                for turn in (0, 1):
                    self._set_ends(turn, SEEDS_OF_TIES[turn])
            for words, found in self._levels(state, ties, pool):
                state = words
                decided += found
                report(Progress("solving", decided, self.graph.num_vertices))
        return state

    def _levels(self, state: IntArray, ties: bool, pool: ThreadPool) -> Iterator[tuple[IntArray, int]]:
        """Go level by level until nothing is found. Gives the words, and how many positions were."""
        kernel = self._kernel("propagate_level", tuning.current().interpreted_level_cost)
        numbers = self.layout.numbers()
        spans = self._whole_spans(4)
        spans = np.stack([spans, spans], axis=1)
        cuts = self._parts(pool, tuning.current().bitset_chunks_per_thread)
        scratch = np.zeros((len(cuts), 4, self.layout.words), np.uint64)
        plies, found = 0, 1
        while found:
            plies += 1
            state = widened(state, plies)
            gained = (plies - 1) % 2, ties, self.planes, spans
            fixed = (*self.first, self.layout.line, self.second, numbers, state, plies)

            def advance(part: int, gained: Any = gained, fixed: Any = fixed) -> int:
                return int(kernel(cuts[part], cuts[part + 1], *gained, *fixed, scratch[part]))

            found = sum(pool.map(advance, len(cuts) - 1))
            yield state, found

    def settle(self, pool: ThreadPool, report: ProgressCallback) -> None:
        """Find the values alone, in no order of levels."""
        kernel = self._kernel("fixpoint", tuning.current().interpreted_fixpoint_cost)
        before = self._whole_spans(2)
        after = np.zeros_like(before)
        cuts = self._parts(pool, tuning.current().fixpoint_chunks_per_thread)
        scratch = np.zeros((len(cuts), 2, self.layout.words), np.uint64)
        rounds, changed = 0, 1
        while changed:
            after[:] = self.layout.words, 0

            how = rounds % 2 == 0, rounds == 0, self.planes, before, after

            def visit(part: int, how: Any = how) -> int:
                rows = cuts[part], cuts[part + 1]
                return int(kernel(*rows, *how, *self.first, self.layout.line, scratch[part]))

            changed = sum(pool.map(visit, len(cuts) - 1))
            before, after = after, before
            rounds += 1
            report(Progress("solving, round", rounds, None))

    def _kernel(self, name: str, cost: int) -> Any:
        return _fitted(bool(self.graph.layout)).kernel(name, cost * self.graph.num_vertices)

    def _whole_spans(self, length: int) -> IntArray:
        """Give for each row where it may have changed: everywhere."""
        margin = int(self.layout.line[0, 0])
        span = [margin, self.layout.words - margin] * (length // 2)
        return np.tile(np.array(span, np.int64), (self.k, 1))

    def _parts(self, pool: ThreadPool, each: int) -> list[int]:
        return pool.chunks(self.k, max(1, min(pool.threads * each, self.k)))


@functools.cache
def _fitted(laid_out: bool) -> SpecializedKernels:
    step = "step_by_shifts" if laid_out else "step_on_graph"
    return SpecializedKernels([bitset, bitset_fixpoint], {}, {"second_player_step": step})


def _both_ways(graph: CsrSpace) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Give the rows of a small graph and its reversed rows."""
    indptr, indices = graph.indptr.astype(np.int64), graph.indices.astype(np.int64)
    source = np.repeat(np.arange(graph.num_vertices), np.diff(indptr))
    counts = np.bincount(indices, minlength=graph.num_vertices)
    rindptr = np.concatenate([[0], np.cumsum(counts)])
    return indptr, indices, rindptr, source[np.argsort(indices, kind="stable")]

"""Games of two tokens: one row of bits for each vertex of the first token, no edge stored.

``solve`` proceeds level by level and finds every remoteness, as ``worklist`` does, 64 positions at a
time. ``solve_values`` updates rows in any order until nothing changes, which takes about a fifth of the
time and the memory, and finds win, loss or draw only.

Each place p of the first token has rows of bits, with a bit for each place of the second:

========  ====================  ===========================================================
row       player to move        set of the places of the second token where
========  ====================  ===========================================================
P_WINS    first                 he wins
P_LOSES   first                 he loses
T_WINS    second                he wins
T_LOSES   second                he loses
========  ====================  ===========================================================

An invalid position is set in both rows of its player. Bits that stand for no place are set in P_WINS
and T_LOSES, so that they are not counted and stop no move. A move of the first player ORs or ANDs whole
rows,

    P_WINS[p] |= T_LOSES[q] for each of his moves p -> q;  P_LOSES[p] |= AND of their T_WINS[q];

and the second player's moves stay within a row: a place is in T_LOSES if all its moves lead into
P_WINS, and in T_WINS if one leads into P_LOSES. If the second graph has a linear layout, a move is a
bit shift.

Arrays of all kernels: ``planes`` uint64 [k, rows, words] holds the four rows and, for
``propagate_level``, what each gained in the last level and in this one. ``line`` int64 [1 + offsets, 2]
holds the margin of a row in words, and for each move of the second token the words and bits that it
shifts by. The kernels are specialised: ``second_player_step`` stands for ``step_by_shifts`` or
``step_on_graph``.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray
from retrosolve.compilation.specialize import SpecializedKernels
from retrosolve.objectives.words import LOSS, TIE, WIN, code_of, pack, widened, word_dtype
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Context, Facts, Progress
from retrosolve.runtime.threads import ThreadPool
from retrosolve.runtime.workspace import Buffers
from retrosolve.spaces.product import TwoTokenSpace, rows_both_ways
from retrosolve.tables import PackedTable
from retrosolve.tables.base import without_remoteness
from retrosolve.tables.bitplanes import BitplaneTable
from retrosolve.tables.result import SolveResult, Statistics
from retrosolve.values import INVALID, Value

P_WINS, T_LOSES, P_LOSES, T_WINS = 0, 1, 2, 3
DELTA = 4  # and 8, by turns
WORD_BITS = 64
ZERO, ONE, MOST = np.uint64(0), np.uint64(1), np.uint64(63)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
INLINED = (
    "write_remoteness", "commit_row", "merge_delta", "first_player_step", "step_by_shifts", "add_new",
)  # fmt: skip
LEVELS, ROUNDS = "levels", "rounds"  # what is saved in snapshots

Words = NDArray[np.uint64]
Rows = tuple[IntArray, IntArray, IntArray, IntArray]
Span = tuple[int, int]
BitPlanes = Mapping[int, tuple[int, ...]]
ROWS_OF_PLAYERS = (P_WINS, P_LOSES), (T_WINS, T_LOSES)
# By turn: the planes in which the positions of each value are set.
VALUE_PLANES: tuple[BitPlanes, ...] = tuple(
    {WIN: (wins,), LOSS: (loses,), INVALID: (wins, loses)} for wins, loses in ROWS_OF_PLAYERS
)
# The same for the level-by-level solve, where new wins and losses are set in the planes from DELTA on.
INITIAL_PLANES: tuple[BitPlanes, ...] = tuple(
    {WIN: (DELTA + wins,), LOSS: (DELTA + loses,), TIE: (loses,), INVALID: (wins, loses)}
    for wins, loses in ROWS_OF_PLAYERS
)
TIE_PLANES: tuple[BitPlanes, ...] = tuple({TIE: (DELTA + loses,)} for _, loses in ROWS_OF_PLAYERS)


def buffers(space: TwoTokenSpace, num_edges: int) -> Buffers:
    """Declare the arrays of ``solve``: planes of bits, and a packed word for each position."""
    planes = _planes(space, DELTA + 8)
    return Buffers(planes=(planes, np.uint64), words=(space.num_vertices, word_dtype(0)))


def values_buffers(space: TwoTokenSpace, num_edges: int) -> Buffers:
    """Declare the arrays of ``solve_values``: planes of bits, and those of a result apart."""
    if space.layout:
        return Buffers(planes=(_planes(space, DELTA), np.uint64))
    planes, result = _planes(space, DELTA + 8), _planes(space, DELTA)
    return Buffers(planes=(planes, np.uint64), result=(result, np.uint64))


def _planes(space: TwoTokenSpace, rows: int) -> tuple[int, int, int]:
    """Return the shape of so many rows of bits for each vertex of the first token."""
    return space.first.num_vertices, rows, BitLayout(space).words


def solve(space: TwoTokenSpace, stuck: Value, context: Context) -> SolveResult:
    """Solve a game of two tokens level by level, with remoteness.

    Parameters
    ----------
    space : TwoTokenSpace
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


def solve_values(space: TwoTokenSpace, stuck: Value, context: Context) -> SolveResult:
    """Solve a game of two tokens for win, loss or draw only.

    Parameters
    ----------
    space : TwoTokenSpace
    stuck : Value
        The value of a position without moves, for the player to move.
    context : Context

    Returns
    -------
    SolveResult
        With a table of bit planes; with one byte per position for a game that may end in a tie.
    """
    if space.may_tie(stuck):  # the planes say who wins and who loses
        result = solve(space, stuck, context)
        return result._replace(table=without_remoteness(result.table))
    initial = VALUE_PLANES if space.layout else INITIAL_PLANES
    search = BitsetSolve(space, stuck, values_buffers(space, 0), initial)
    with ThreadPool(context.threads, space.num_vertices // 8) as pool:
        if space.layout:
            search.solve_to_fixpoint(pool, context)
        else:
            search.solve_by_levels(np.zeros(0, word_dtype(0)), pool, context)
    planes = search.planes if space.layout else search.planes[:, :DELTA].copy()
    return SolveResult(BitplaneTable(planes, search.layout.place), Statistics(space.num_edges))


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

    def __init__(self, space: TwoTokenSpace) -> None:
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
        """Return the row with the bits of a set of vertices, bool [m]."""
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
    space : TwoTokenSpace
    stuck : Value
    arrays : Buffers
        Those of the variant.
    initial : tuple of two mappings
        By turn: the planes in which the positions of each value are set at first.
    """

    def __init__(
        self, space: TwoTokenSpace, stuck: Value, arrays: Buffers, initial: tuple[BitPlanes, ...]
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
        self.second = rows_both_ways(space.second)

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
            snapshot.read({"planes": self.planes, "words": words, "spans": spans})
        for ties in (False, True)[first:]:
            if ties and level == 0:
                if not self.space.may_tie(self.stuck):
                    break
                self.planes[:, DELTA:] = 0
                for turn in (0, 1):
                    self.set_terminals(turn, TIE_PLANES[turn])
            for level_words, gained in self._levels(words, ties, level, spans, pool):
                words = level_words
                decided += gained
                level += 1
                if context.checkpoint.due() and gained:
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
        kernel = self.kernel(propagate_level, tuning.current().interpreted_level_cost)
        vertices = self.layout.vertex_at_bit()
        cuts = self._chunks(pool, tuning.current().bitset_chunks_per_thread)
        scratch = np.zeros((len(cuts), 4, self.layout.words), np.uint64)
        gained = 1
        while gained:
            level += 1
            words = widened(words, level)
            state = (level - 1) % 2, ties, self.planes, spans
            fixed = (*self.first, self.layout.shifts, self.second, vertices, words, level)

            def advance(chunk: int, state: Any = state, fixed: Any = fixed) -> int:
                return int(kernel(cuts[chunk], cuts[chunk + 1], *state, *fixed, scratch[chunk]))

            gained = sum(pool.map(advance, len(cuts) - 1))
            yield words, gained

    def solve_to_fixpoint(self, pool: ThreadPool, context: Context) -> None:
        """Find the values only, in no particular order."""
        kernel = self.kernel(fixpoint, tuning.current().interpreted_fixpoint_cost)
        before = self.full_spans(2)
        after = np.zeros_like(before)
        cuts = self._chunks(pool, tuning.current().fixpoint_chunks_per_thread)
        scratch = np.zeros((len(cuts), 2, self.layout.words), np.uint64)
        rounds, changed = 0, 1
        snapshot = context.checkpoint.resumed(ROUNDS)
        if snapshot is not None:
            rounds = int(snapshot.facts["rounds"])
            snapshot.read({"planes": self.planes, "spans": before})
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
                facts: Facts = {"stage": ROUNDS, "rounds": rounds}
                context.checkpoint.save(facts, {"planes": self.planes, "spans": before})
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
    step = step_by_shifts if by_shifts else step_on_graph
    return SpecializedKernels({}, {"second_player_step": step})


def second_player_step(
    row: Words, gained: int, low: int, high: int, line: IntArray, moves: Rows, losing: Words,
    winning: Words,
) -> Span:  # fmt: skip
    """Stand for ``step_by_shifts`` or ``step_on_graph``.

    Parameters
    ----------
    row, gained, low, high, line, moves, losing, winning
        As in ``step_by_shifts``.
    """
    raise NotImplementedError


def step_by_shifts(
    row: Words, gained: int, low: int, high: int, line: IntArray, moves: Rows, losing: Words,
    winning: Words,
) -> Span:  # fmt: skip
    """Find what T_LOSES and T_WINS of a row gain, where a move of the second token is a shift.

    A move that leads into what P_WINS has gained makes a place a candidate; it is lost if all of its
    moves lead into P_WINS. Computes for every place t of the row::

        winning[t] = any(P_LOSES[u] for u in moves(t))
        losing[t] = all(P_WINS[u] for u in moves(t))

    Parameters
    ----------
    row : uint64 [rows, words]
        The planes of one place of the first token.
    gained : int
        The first plane of the last level's gains.
    low, high : int
        The words ``low..high-1`` in which P_WINS or P_LOSES gained something.
    line : int64 [1 + offsets, 2]
        See the module.
    moves : tuple of int64 arrays
        Rows of the second token's moves, and the reversed rows.
    losing, winning : uint64 [words]
        Overwritten with what T_LOSES and T_WINS gain.

    Returns
    -------
    low, high : int
        The words in which the gains lie.
    """
    margin = line[0, 0]
    low, high = max(margin, low - margin), min(row.shape[1] - margin, high + margin)
    n = high - low
    lost, won = losing[low:high], winning[low:high]
    lost[:] = ZERO
    won[:] = ZERO
    wins, loses = gained + P_WINS, gained + P_LOSES
    for s in range(1, len(line)):
        begin, right = low + line[s, 0], np.uint64(line[s, 1])
        left = MOST - right
        a, a_next = row[wins, begin : begin + n], row[wins, begin + 1 : begin + 1 + n]
        c, c_next = row[loses, begin : begin + n], row[loses, begin + 1 : begin + 1 + n]
        for i in range(n):
            # Two shifts, as one by 64 - right is undefined where right is 0. Slices of equal length
            # and no branch let LLVM handle four words at a time.
            lost[i] |= (a[i] >> right) | ((a_next[i] << ONE) << left)
            won[i] |= (c[i] >> right) | ((c_next[i] << ONE) << left)
    b, d = row[T_LOSES, low:high], row[T_WINS, low:high]
    for i in range(n):
        unknown = ~(b[i] | d[i])
        lost[i] &= unknown
        won[i] &= unknown
    for i in range(n):
        if lost[i] != ZERO:
            all_won = lost[i]
            for s in range(1, len(line)):
                at, right = low + i + line[s, 0], np.uint64(line[s, 1])
                all_won &= (row[P_WINS, at] >> right) | ((row[P_WINS, at + 1] << ONE) << (MOST - right))
            lost[i] = all_won
    return low, high


def step_on_graph(
    row: Words, gained: int, low: int, high: int, line: IntArray, moves: Rows, losing: Words,
    winning: Words,
) -> Span:  # fmt: skip
    """Find what T_LOSES and T_WINS of a row gain, where the second token moves on any graph.

    Parameters
    ----------
    row, gained, low, high, line, moves, losing, winning
        As in ``step_by_shifts``.

    Returns
    -------
    low, high : int
        The words in which the gains lie.
    """
    indptr, indices, rindptr, rindices = moves
    lowest, highest = row.shape[1], 0
    losing[:] = ZERO
    winning[:] = ZERO
    for w in range(low, high):
        rest = row[gained + P_WINS, w] | row[gained + P_LOSES, w]
        while rest != ZERO:
            bit = rest ^ (rest & (rest - ONE))  # the lowest
            rest ^= bit
            t = 64 * w + np.int64((bit - ONE).bit_count())
            to_win = row[gained + P_LOSES, w] & bit != ZERO
            for e in range(rindptr[t], rindptr[t + 1]):
                v = rindices[e]
                at, mark = v >> 6, ONE << np.uint64(v & 63)
                if (row[T_LOSES, at] | row[T_WINS, at] | losing[at] | winning[at]) & mark != ZERO:
                    continue
                all_won = not to_win
                if all_won:
                    for f in range(indptr[v], indptr[v + 1]):
                        to = indices[f]
                        if (row[P_WINS, to >> 6] >> np.uint64(to & 63)) & ONE == ZERO:
                            all_won = False
                            break
                if to_win:
                    winning[at] |= mark
                elif all_won:
                    losing[at] |= mark
                if to_win or all_won:
                    lowest, highest = min(lowest, at), max(highest, at + 1)
    return lowest, max(lowest, highest)


def write_remoteness(bits: Any, number: IntArray, state: IntArray, base: int, word: Any) -> int:
    """Write a word at each position of some bits, and count them.

    Parameters
    ----------
    bits : uint64
        The positions.
    number : int32 [64]
        The second token's vertex at each bit.
    state : words [n] or [0]
        Changed in place, unless it is empty.
    base, word : int
        The index of the second token's vertex 0, and the word.
    """
    count = 0
    while bits != ZERO:
        bit = bits ^ (bits & (bits - ONE))  # the lowest
        bits ^= bit
        count += 1
        if len(state) > 0:
            state[base + number[(bit - ONE).bit_count()]] = word
    return count


def propagate_level(
    start: int, stop: int, turn: int, ties: bool, planes: Words, spans: IntArray, indptr: IntArray,
    indices: IntArray, line: IntArray, moves: Rows, numbers: IntArray, state: IntArray,
    remoteness: int, scratch: Words,
) -> int:  # fmt: skip
    """Find what rows gain in one level, and count the positions.

    Parameters
    ----------
    start, stop : int
        The rows ``start..stop-1`` to work on.
    turn : int
        The last level's gains are in the planes from DELTA + 4 * ``turn`` on, this one's go to the
        other four.
    ties : bool
        For ties, only P_WINS and T_WINS gain by the rules; their gains go on as those of P_LOSES and
        T_LOSES.
    planes : uint64 [k, DELTA + 8, words]
        See the module; changed in place.
    spans : int64 [k, 2, 4]
        By turns, the words in which something may be: for P_WINS and P_LOSES, then for T_LOSES and
        T_WINS.
    indptr, indices : int64 [k + 1], [m]
        Rows of the first token's moves.
    line, moves
        As in ``step_by_shifts``.
    numbers : int32 [64 * words]
        The second token's vertex at each bit.
    state : words [n] or [0]
        Gets a word for each position, unless it is empty.
    remoteness : int
        The remoteness of the gains.
    scratch : uint64 [4, words]
        Room to work in.
    """
    gained, gaining = DELTA + 4 * turn, DELTA + 4 * (1 - turn)
    win, loss = pack(TIE if ties else WIN, remoteness), pack(TIE if ties else LOSS, remoteness)
    to_a, to_d = (P_LOSES, T_LOSES) if ties else (P_WINS, T_WINS)
    count = 0
    for p in range(start, stop):
        row, span, new = planes[p], spans[p, turn], spans[p, 1 - turn]
        merge_delta(row, gained, gaining, span, new)
        if span[0] < span[1]:
            losing, winning = scratch[0], scratch[1]
            low, high = second_player_step(row, gained, span[0], span[1], line, moves, losing, winning)
            count += commit_row(
                row, low, high, losing[low:high], winning[low:high], gaining + T_LOSES, gaining + to_d,
                numbers, state, (len(planes) + p) * (len(moves[0]) - 1), loss, win, new[2:4],
            )  # fmt: skip
        low, high = first_player_step(p, planes, spans, turn, indptr, indices, scratch[2], scratch[3])
        if low < high:
            count += commit_row(
                row, low, high, scratch[2, low:high], scratch[3, low:high], gaining + to_a,
                gaining + P_LOSES, numbers, state, p * (len(moves[0]) - 1), win, loss, new[0:2],
            )  # fmt: skip
    return count


def merge_delta(row: Words, gained: int, gaining: int, span: IntArray, new: IntArray) -> None:
    """Merge what a row gained in the last level into what it had; clear what it gained before that.

    Parameters
    ----------
    row : uint64 [rows, words]
        Changed in place.
    gained, gaining : int
        The first planes of the last level's gains and of this one's.
    span, new : int64 [4]
        The words in which something may be, in the last level and in this one; ``new`` is made empty.
    """
    for half in range(0, 4, 2):
        x, y = (P_WINS, P_LOSES) if half == 0 else (T_LOSES, T_WINS)
        for w in range(span[half], span[half + 1]):
            row[x, w] |= row[gained + x, w]
            row[y, w] |= row[gained + y, w]
        for w in range(new[half], new[half + 1]):
            row[gaining + x, w] = ZERO
            row[gaining + y, w] = ZERO
        new[half], new[half + 1] = row.shape[1], 0


def first_player_step(
    p: int, planes: Words, spans: IntArray, turn: int, indptr: IntArray, indices: IntArray,
    winning: Words, losing: Words,
) -> Span:  # fmt: skip
    """Find what P_WINS and P_LOSES of a row gain from what T_LOSES and T_WINS of others have gained.

    Another thread may be merging what T_WINS of a row has gained into it: both are read.

    Parameters
    ----------
    p : int
        The row.
    planes, spans, turn, indptr, indices
        As in ``propagate_level``.
    winning, losing : uint64 [words]
        Overwritten with what P_WINS and P_LOSES gain.

    Returns
    -------
    low, high : int
        The words in which the gains lie.
    """
    gained = DELTA + 4 * turn
    low, high = planes.shape[2], 0
    for e in range(indptr[p], indptr[p + 1]):
        q = indices[e]
        low, high = min(low, spans[q, turn, 2]), max(high, spans[q, turn, 3])
    if low >= high:
        return low, low
    won, lost = winning[low:high], losing[low:high]
    won[:] = ZERO
    lost[:] = ZERO
    for e in range(indptr[p], indptr[p + 1]):
        q = indices[e]
        begin, end = spans[q, turn, 2], spans[q, turn, 3]
        if begin < end:
            b, d = planes[q, gained + T_LOSES, begin:end], planes[q, gained + T_WINS, begin:end]
            to_won, to_lost = won[begin - low : end - low], lost[begin - low : end - low]
            for i in range(end - begin):
                to_won[i] |= b[i]
                to_lost[i] |= d[i]
    a, c = planes[p, P_WINS, low:high], planes[p, P_LOSES, low:high]
    for i in range(high - low):
        unknown = ~(a[i] | c[i])
        won[i] &= unknown
        lost[i] &= unknown
    for i in range(high - low):
        if lost[i] != ZERO:
            all_lost = lost[i]
            for e in range(indptr[p], indptr[p + 1]):
                q = indices[e]
                all_lost &= planes[q, T_WINS, low + i] | planes[q, gained + T_WINS, low + i]
            lost[i] = all_lost
    return low, high


def commit_row(
    row: Words, low: int, high: int, one: Words, other: Words, one_plane: int, other_plane: int,
    numbers: IntArray, state: IntArray, base: int, one_word: Any, other_word: Any, span: IntArray,
) -> int:  # fmt: skip
    """Put gains in their planes, write the words of their positions, and count them.

    Parameters
    ----------
    row : uint64 [rows, words]
        Changed in place.
    low, high : int
        The words ``low..high-1`` in which the gains lie.
    one, other : uint64 [high - low]
        Two sets of gains.
    one_plane, other_plane : int
        The planes that they go to.
    numbers, state
        As in ``propagate_level``.
    base, one_word, other_word : int
        The index of the second token's vertex 0, and the words of either set.
    span : int64 [2]
        Overwritten with the words in which something was gained.
    """
    count = 0
    span[0], span[1] = row.shape[1], 0
    for i in range(high - low):
        if one[i] | other[i] != ZERO:
            w = low + i
            row[one_plane, w] |= one[i]
            row[other_plane, w] |= other[i]
            number = numbers[64 * w : 64 * w + 64]
            count += write_remoteness(one[i], number, state, base, one_word)
            count += write_remoteness(other[i], number, state, base, other_word)
            span[0], span[1] = min(span[0], w), w + 1
    return count


def fixpoint(
    start: int, stop: int, forwards: bool, afresh: bool, planes: Words, before: IntArray,
    after: IntArray, indptr: IntArray, indices: IntArray, line: IntArray, scratch: Words,
) -> int:  # fmt: skip
    """Update rows from the current state, in no order of levels; return the number of those visited.

    This is chaotic iteration: rows of other threads may change at the same time, but words only gain
    bits, and a gain that is missed is met again in the next round.

    Parameters
    ----------
    start, stop : int
        The rows ``start..stop-1`` to work on.
    forwards, afresh : bool
        Whether to go forwards through them, and whether each row looks at all of its own.
    planes : uint64 [k, DELTA, words]
        Changed in place.
    before, after : int64 [k, 2]
        The words in which T_LOSES or T_WINS changed in the last round; overwritten with those of this
        one.
    indptr, indices : int64 [k + 1], [m]
        Rows of the first token's moves.
    line : int64 [1 + offsets, 2]
        See the module.
    scratch : uint64 [2, words]
        Room to work in.
    """
    words, margin = planes.shape[2], line[0, 0]
    count = 0
    for step in range(stop - start):
        p = start + step if forwards else stop - 1 - step
        row = planes[p]
        low, high = words, 0
        for e in range(indptr[p], indptr[p + 1]):
            q = indices[e]
            low, high = min(low, before[q, 0], after[q, 0]), max(high, before[q, 1], after[q, 1])
        after[p, 0], after[p, 1] = words, 0
        if low < high or afresh:
            count += 1
            low, high = fixpoint_first_player(
                row, planes, low, high, indptr[p], indptr[p + 1], indices, scratch
            )
            if afresh:
                low, high = margin, words - margin
            if low < high:
                after[p, 0], after[p, 1] = fixpoint_second_player(row, low, high, line, scratch)
    return count


def fixpoint_first_player(
    row: Words, planes: Words, low: int, high: int, begin: int, end: int, indices: IntArray,
    scratch: Words,
) -> Span:  # fmt: skip
    """Let P_WINS and P_LOSES of a row gain what they can in some words.

    Parameters
    ----------
    row, planes : uint64 [rows, words], [k, rows, words]
        The row, changed in place, and all rows.
    low, high : int
        The words ``low..high-1`` to work on.
    begin, end, indices : int, int, int64 [m]
        The moves are ``indices[begin:end]``.
    scratch : uint64 [2, words]
        Room to work in.

    Returns
    -------
    low, high : int
        The words that gained something.
    """
    n = max(high - low, 0)
    won, lost = scratch[0, :n], scratch[1, :n]
    won[:] = ZERO
    lost[:] = ALL
    for e in range(begin, end):
        b, d = planes[indices[e], T_LOSES, low : low + n], planes[indices[e], T_WINS, low : low + n]
        for i in range(n):
            won[i] |= b[i]
            lost[i] &= d[i]
    return add_new(row[P_WINS, low : low + n], row[P_LOSES, low : low + n], won, lost, low)


def fixpoint_second_player(row: Words, low: int, high: int, line: IntArray, scratch: Words) -> Span:
    """Let T_LOSES and T_WINS of a row gain what they can from some words of P_WINS and P_LOSES.

    Parameters
    ----------
    row, low, high, line, scratch
        As in ``fixpoint_first_player`` and ``fixpoint``.

    Returns
    -------
    low, high : int
        The words that gained something.
    """
    margin = line[0, 0]
    low, high = max(margin, low - margin), min(row.shape[1] - margin, high + margin)
    n = high - low
    lost, won = scratch[0, :n], scratch[1, :n]
    lost[:] = ALL
    won[:] = ZERO
    for s in range(1, len(line)):
        begin, right = low + line[s, 0], np.uint64(line[s, 1])
        left = MOST - right
        a, a_next = row[P_WINS, begin : begin + n], row[P_WINS, begin + 1 : begin + 1 + n]
        c, c_next = row[P_LOSES, begin : begin + n], row[P_LOSES, begin + 1 : begin + 1 + n]
        for i in range(n):
            lost[i] &= (a[i] >> right) | ((a_next[i] << ONE) << left)
            won[i] |= (c[i] >> right) | ((c_next[i] << ONE) << left)
    return add_new(row[T_LOSES, low:high], row[T_WINS, low:high], lost, won, low)


def add_new(x: Words, y: Words, to_x: Words, to_y: Words, low: int) -> Span:
    """Add to two sets what is in neither yet.

    Parameters
    ----------
    x, y : uint64 [words]
        The sets; changed in place.
    to_x, to_y : uint64 [words]
        What to add.
    low : int
        The number of the first word.

    Returns
    -------
    low, high : int
        The words that gained something.
    """
    lowest, highest = len(x), 0
    for i in range(len(x)):
        more = to_x[i] & ~(x[i] | y[i])
        others = to_y[i] & ~(x[i] | y[i] | more)
        if more | others != ZERO:
            x[i] |= more
            y[i] |= others
            lowest, highest = min(lowest, i), i + 1
    return low + lowest, low + highest

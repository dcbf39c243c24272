"""The proof without remoteness: every win and loss of a game of two tokens is derived again.

Without remoteness a claim cannot be compared with its successors only, since wins might support each
other in a cycle. Instead the claimed wins and losses are derived again from the terminal positions,
and nothing else: a claim that is derived is true, and all have to be. Then no move from a claimed draw
may lead to what is lost, and not all of them to what is won. Where a claim is wrong, everything that
follows from the terminal positions is derived, to say what is right.

Rows of bits are derived by kernels (``derivation``), or where compiling does not pay from a queue, with
Python integers as rows.
"""

from __future__ import annotations

import functools
from collections import deque
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, read_only
from retrosolve.compilation.specialize import SpecializedKernels
from retrosolve.runtime.context import Context, Progress, ProgressCallback
from retrosolve.runtime.memory import check_budget
from retrosolve.runtime.threads import ThreadPool
from retrosolve.solution import Solution
from retrosolve.spaces.base import CsrSpace
from retrosolve.spaces.product import TwoTokenSpace, rows_both_ways, two_tokens
from retrosolve.tables import Table
from retrosolve.values import INVALID, LOSS, TIE, WIN, Value
from retrosolve.verification import derivation
from retrosolve.verification.local import refuse

ROWS_PER_REPORT = 1 << 12
VERTICES_PER_PART = 1 << 18  # what is decoded at once stays in the cache
CHUNKS_PER_THREAD = 4  # in a round: with more, less is derived from what a round has derived itself
WORD_BITS = 64


def memory_bytes(space: TwoTokenSpace, num_edges: int, budget: int | None = None) -> int:
    """Return the bytes of a proof."""
    return 8 * derivation.PLANES * int(space.first.num_vertices) * _Layout(space).words


def prove(solution: Solution, context: Context) -> None:
    """Prove a solution without remoteness of a game of two tokens that cannot end in a tie.

    Takes about six bits per vertex.
    """
    space, table, stuck = two_tokens(solution.space), solution.table, solution.stuck
    check_budget(memory_bytes(space, 0), lambda: f"verifying {space!r}", context.memory)
    if _kernels().compiles(space.num_vertices):
        mismatch = first_wrong_row(space, table, stuck, context)
    else:
        mismatch = first_mismatch(space, table, stuck, context.progress)
    if mismatch is not None:
        vertex, value = mismatch
        exists = value != INVALID
        refuse(solution, vertex, table.codec.outcome(value, -1) if exists else None)


# -- rows of bits, by kernels -----------------------------------------------------------------------


class _Layout:
    """Where in a row of bits each vertex of the second token is, and what its moves are there.

    Attributes
    ----------
    place : int64 [m]
        The bit of each vertex.
    shifts : int64 [1 + offsets, 2]
        See ``derivation``.
    words : int
        The length of a row.
    """

    def __init__(self, space: TwoTokenSpace) -> None:
        self.place: IntArray = np.arange(space.second.num_vertices, dtype=np.int64)
        self.shifts: IntArray = np.zeros((1, 2), np.int64)
        if space.layout is not None:
            offsets = np.unique(np.asarray(space.layout.offsets, np.int64))
            # A move is a shift, of which a word has two sides.
            margin = 2 + int(np.abs(offsets).max(initial=0)) // WORD_BITS
            self.place = np.asarray(space.layout.coordinate, np.int64) + WORD_BITS * margin
            self.shifts = np.array(
                [(margin, 0), *((o // WORD_BITS, o % WORD_BITS) for o in offsets.tolist())], np.int64
            )
        self.words = 1 + int(self.place.max(initial=0)) // WORD_BITS + int(self.shifts[0, 0])


class _Rows:
    """What is claimed and what is derived of it, as rows of bits."""

    def __init__(self, space: TwoTokenSpace, stuck: Value, pool: ThreadPool) -> None:
        self.space, self.stuck, self.pool = space, int(stuck), pool
        self.layout = layout = _Layout(space)
        self.k, self.m = space.first.num_vertices, space.second.num_vertices
        self.planes: NDArray[np.uint64] = np.zeros((self.k, derivation.PLANES, layout.words), np.uint64)
        there = np.zeros(layout.words * WORD_BITS, np.uint8)
        there[layout.place] = 1
        self.planes[:, derivation.WON] = ~np.packbits(there, bitorder="little").view("<u8")
        self.left: IntArray = np.zeros((self.k, 4, 2), np.int64)
        self.first = space.first.indptr.astype(np.int64), space.first.indices.astype(np.int64)
        self.cuts = pool.chunks(self.k, max(1, min(pool.threads * CHUNKS_PER_THREAD, self.k)))
        self.scratch = np.zeros((len(self.cuts), 2, layout.words), np.uint64)
        self.moves = rows_both_ways(space.second)

    def read(self, table: Table | None) -> bool:
        """Read the claims, a draw everywhere without a table; return whether the ends bear them out."""
        rows = max(1, VERTICES_PER_PART // max(1, self.m))
        cuts = [*range(0, self.k, rows), self.k]
        kernel, place = self._kernel(derivation.read_claims), self.layout.place
        order = np.argsort(place, kind="stable")
        in_order = bool((np.diff(place) > 0).all())
        bits = np.uint64(1) << (place[order] % WORD_BITS).astype(np.uint64)
        begins = np.searchsorted(place[order], WORD_BITS * np.arange(self.layout.words + 1))

        def read(start: int, stop: int) -> bool:
            for turn in (0, 1):
                ends = self._ends(turn, start, stop)
                claims = ends * (ends != derivation.AT_DRAW)
                if table is not None:
                    low, high = turn * self.k + start, turn * self.k + stop
                    claims = table.values(slice(low * self.m, high * self.m)).reshape(-1, self.m)
                if not in_order:
                    claims, ends = claims[:, order], ends[:, order]
                given = read_only(np.ascontiguousarray(claims)), read_only(np.ascontiguousarray(ends))
                if not kernel(start, stop, turn, *given, bits, begins, self.planes, self.left):
                    return False
            return True

        return all(self.pool.map_ranges(read, cuts)) if self.m else True

    def _kernel(self, kernel: Any) -> Any:
        return _kernels().kernel(kernel, self.space.num_vertices)

    def _ends(self, turn: int, start: int, stop: int) -> ByteArray:
        """Return the value of each position of some rows where the game ends, otherwise 0."""
        ends: ByteArray = self.space.terminal_map.block(turn, start, stop)
        token = self.space.second if turn else self.space.first
        moveless = token.out_degrees() == 0
        if moveless.any():
            here = np.broadcast_to(moveless if turn else moveless[start:stop, None], ends.shape)
            ends[(ends == 0) & here] = self.stuck or derivation.AT_DRAW
        return ends

    def look_for_everything(self) -> None:
        """Let a win and a loss be looked for wherever a draw is claimed."""
        for side, drawn in ((0, derivation.DRAWN), (2, derivation.OTHERS_DRAWN)):
            for plane in (derivation.CLAIMED + side, derivation.CLAIMED + side + 1):
                self.planes[:, plane] = self.planes[:, drawn]
        self.left[:] = 0, self.layout.words

    def derive(self, progress: ProgressCallback) -> None:
        """Derive what follows from the ends of the game, in rounds through the rows."""
        kernel = self._kernel(derivation.derive_rows)
        before, after = np.zeros((2, self.k, 2, 2), np.int64)
        visited, number, changed = 0, 0, 1
        while changed:
            after[:] = self.layout.words, 0
            state = number % 2 == 0, number == 0, self.planes, self.left, before, after

            def visit(chunk: int, state: Any = state) -> int:
                rows = self.cuts[chunk], self.cuts[chunk + 1]
                fixed = *self.first, self.layout.shifts, self.moves, self.scratch[chunk]
                return int(kernel(*rows, *state, *fixed))

            changed = sum(self.pool.map(visit, len(self.cuts) - 1))
            before, after = after, before
            visited, number = visited + changed, number + 1
            progress(Progress("verifying, rows", visited, None))

    def are_right(self) -> bool:
        """Return whether all claims are derived, and the draws have no way to win and one to go on."""
        kernel = self._kernel(derivation.find_wrong_row)

        def wrong(chunk: int) -> int:
            rows = self.cuts[chunk], self.cuts[chunk + 1]
            fixed = *self.first, self.layout.shifts, self.moves, self.scratch[chunk]
            return int(kernel(*rows, self.planes, *fixed))

        return max(self.pool.map(wrong, len(self.cuts) - 1), default=-1) < 0

    def values(self, turn: int, p: int) -> ByteArray:
        """Return the values that were derived for a row, uint8 [m], INVALID included."""
        bits = np.unpackbits(self.planes[p].view(np.uint8), axis=1, bitorder="little")
        at = bits[:, self.layout.place]
        ends = self._ends(turn, p, p + 1)[0]
        values: ByteArray = at[2 * turn] * np.uint8(WIN) + at[2 * turn + 1] * np.uint8(LOSS)
        return np.where((ends == 0) | (ends == derivation.AT_DRAW), values, ends)


def first_wrong_row(
    space: TwoTokenSpace, table: Table, stuck: Value, context: Context
) -> tuple[int, int] | None:
    """Return the same as ``first_mismatch``, by kernels."""
    with ThreadPool(context.threads, space.num_vertices // 8) as pool:
        rows = _Rows(space, stuck, pool)
        if rows.read(table):
            rows.derive(context.progress)
            if rows.are_right():
                return None
        rows = _Rows(space, stuck, pool)
        rows.read(None)
        rows.look_for_everything()
        rows.derive(context.progress)
    for turn in (0, 1):
        for p in range(rows.k):
            row = (turn * rows.k + p) * rows.m
            values = rows.values(turn, p)
            wrong = table.values(slice(row, row + rows.m)) != values
            if wrong.any():
                t = int(wrong.argmax())
                return row + t, int(values[t])
    raise AssertionError("claims are wrong and equal to what is right")


@functools.cache
def _kernels() -> SpecializedKernels:
    """Return the kernels."""
    return SpecializedKernels({})


# -- rows as Python integers --------------------------------------------------------------------------


def first_mismatch(
    space: TwoTokenSpace, table: Table, stuck: Value, progress: ProgressCallback
) -> tuple[int, int] | None:
    """Return the first vertex whose value is wrong, and its correct value; None if there is none."""
    derived = _Fixpoint(space, stuck)
    derived.run(progress)
    m = space.second.num_vertices
    for turn in (0, 1):
        for p in range(space.first.num_vertices):
            row = (turn * space.first.num_vertices + p) * m
            claimed = table.values(slice(row, row + m))
            won, lost = derived.won[turn][p], derived.lost[turn][p]
            invalid = derived.invalid[turn][p]
            wrong = derived.set_of(claimed == WIN) ^ won
            wrong |= derived.set_of(claimed == LOSS) ^ lost
            wrong |= derived.set_of(claimed == INVALID) ^ invalid
            wrong |= derived.set_of(claimed == TIE)
            if wrong:
                t = next(t for t, bit in enumerate(derived.bits) if wrong & bit)
                bit = derived.bits[t]
                value = Value.WIN if won & bit else Value.LOSS if lost & bit else Value.DRAW
                return row + t, INVALID if invalid & bit else int(value)
    return None


class _Fixpoint:
    """What has been derived: by turn, a set of second tokens for each vertex of the first token."""

    def __init__(self, space: TwoTokenSpace, stuck: Value) -> None:
        self.space = space
        self._place = _Layout(space).place
        self._width = int(self._place.max(initial=-1)) + 1
        self.bits = [1 << place for place in self._place.tolist()]
        self.places = sum(self.bits)
        self._offsets = [] if space.layout is None else list(set(space.layout.offsets.tolist()))
        self._targets = [sum(self.bits[w] for w in set(row)) for row in _rows(space.second)]
        k = space.first.num_vertices
        self.won, self.lost, self.invalid, self.open = ([[0] * k, [0] * k] for _ in range(4))
        for turn in (0, 1):
            is_stuck = [token.out_degrees() == 0 for token in (space.first, space.second)]
            for p in range(k):
                values = space.terminal_map.block(turn, p, p + 1)[0]
                values[(values == 0) & (is_stuck[0][p] if turn == 0 else is_stuck[1])] = int(stuck)
                self.won[turn][p] = self.set_of(values == WIN)
                self.lost[turn][p] = self.set_of(values == LOSS)
                self.invalid[turn][p] = self.set_of(values == INVALID)
                self.open[turn][p] = self.set_of(values == 0)

    def set_of(self, members: ByteArray) -> int:
        """Return a set of vertices, given as bool [m], as an integer."""
        bits = np.zeros(self._width, np.uint8)
        bits[self._place[members]] = 1
        return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")

    def run(self, progress: ProgressCallback) -> None:
        """Derive every win and loss."""
        moves = _rows(self.space.first)
        predecessors: list[list[int]] = [[] for _ in moves]
        for p, row in enumerate(moves):
            for q in row:
                predecessors[q].append(p)
        queue = deque(range(len(moves)))
        queued = [True] * len(moves)
        for p in range(len(moves)):
            self._move_second(p)
        visited = 0
        while queue:
            p = queue.popleft()
            queued[p] = False
            if self._move_first(p, moves[p]) and self._move_second(p):
                for q in predecessors[p]:
                    if not queued[q]:
                        queued[q] = True
                        queue.append(q)
            visited += 1
            if visited % ROWS_PER_REPORT == 0:
                progress(Progress("verifying, rows", visited, None))

    def _move_first(self, p: int, row: list[int]) -> bool:
        """Update a row by the first player's moves; return whether it has changed."""
        won, lost = 0, self.open[0][p]
        for q in row:
            won |= self.lost[1][q]
            lost &= self.won[1][q]
        won = (won & self.open[0][p]) | self.won[0][p]
        lost = (lost if row else 0) | self.lost[0][p]
        changed = won != self.won[0][p] or lost != self.lost[0][p]
        self.won[0][p], self.lost[0][p] = won, lost
        return changed

    def _move_second(self, p: int) -> bool:
        """Update a row by the second player's moves; return whether it has changed."""
        goal, escape = self.lost[0][p], self.places & ~self.won[0][p]
        won = kept = 0
        for offset in self._offsets:
            won |= goal >> offset if offset >= 0 else goal << -offset
            kept |= escape >> offset if offset >= 0 else escape << -offset
        if not self._offsets:
            for bit, targets in zip(self.bits, self._targets, strict=True):
                won |= bit if targets & goal else 0
                kept |= bit if targets & escape else 0
        here = self.open[1][p]
        won, lost = (won & here) | self.won[1][p], (here & ~kept) | self.lost[1][p]
        changed = won != self.won[1][p] or lost != self.lost[1][p]
        self.won[1][p], self.lost[1][p] = won, lost
        return changed


def _rows(graph: CsrSpace) -> list[list[int]]:
    """Return the successors of each vertex."""
    indptr, indices = graph.indptr.tolist(), graph.indices.tolist()
    return [indices[indptr[v] : indptr[v + 1]] for v in range(graph.num_vertices)]

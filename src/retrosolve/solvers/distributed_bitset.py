"""One partition of a game of two tokens: the rows of bits of some vertices of the first token.

The rows that moves of the first player lead to out of the partition are held as well, with what is
known of the second player's turn there. After each level a partition publishes what its rows have
gained for that turn, of the rows that others hold. See ``kernels.bitset``.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.kernels.bitset import DELTA, T_LOSES, T_WINS
from retrosolve.kernels.words import widened
from retrosolve.runtime.threads import ThreadPool
from retrosolve.solvers.bitset import INITIAL_PLANES, TIE_PLANES, BitsetSolve, may_tie
from retrosolve.solvers.distributed_partition import NEVER, Prepared, Step
from retrosolve.solvers.distributed_rows import Tier
from retrosolve.tables import PackedTable
from retrosolve.values import Value

GAINS = (T_LOSES, T_WINS)


class RowGains(NamedTuple):
    """What some rows have gained in a level.

    Parameters
    ----------
    rows : int64 [r]
        The vertices of the first token.
    spans : int64 [r, 2]
        The words ``low..high-1`` of each row in which something was gained.
    bits : uint64 [2, words]
        These words, row by row, of T_LOSES and of T_WINS.
    """

    rows: IntArray
    spans: IntArray
    bits: IntArray

    @property
    def nbytes(self) -> int:
        """The bytes of the arrays."""
        return self.rows.nbytes + self.spans.nbytes + self.bits.nbytes


class RowPartition:
    """The rows of some vertices of the first token.

    Parameters
    ----------
    space : ProductSpace
    stuck : Value
        The value of a position without moves, for the player to move.
    """

    arrays = ("planes", "words", "spans")

    def __init__(self, space: Any, stuck: Value) -> None:
        self.space = space
        self.stuck = stuck
        self.tier = Tier(0, 0, 0, 0)

    def begin(self, tier: Tier, earlier: IntArray, has_ties: bool) -> Prepared:
        """Set what is decided before any move, in the rows ``tier.start..tier.stop-1``."""
        self.tier = tier
        whole, own = self.space, np.arange(tier.start, tier.stop)
        first = whole.first
        targets = first.indices[first.indptr[tier.start] : first.indptr[tier.stop]]
        outside = np.setdiff1d(targets, own)
        self.rows = np.concatenate([own, outside]).astype(np.int64)
        self._place = np.full(first.num_vertices, -1, np.int64)
        self._place[outside] = tier.size + np.arange(len(outside))
        others = np.ones(first.num_vertices, bool)
        others[own] = False
        read = first.indices[np.repeat(others, np.diff(first.indptr))]
        self._border = np.flatnonzero(np.isin(own, read))
        part = whole.with_first_at(self.rows, tier.size)
        self.search = BitsetSolve(part, self.stuck, DELTA + 8, INITIAL_PLANES)
        with ThreadPool(1, 1) as pool:
            self._all_words = self.search.terminal_words(pool)
        self._spans = self._every_span()
        self._scratch = np.zeros((4, self.search.layout.words), np.uint64)
        return Prepared(0, 1, NEVER, may_tie(whole, self.stuck))

    def _every_span(self) -> IntArray:
        """Return spans that say that anything may have changed."""
        spans = self.search.full_spans(4)
        return np.ascontiguousarray(np.stack([spans, spans], axis=1))

    @property
    def words(self) -> IntArray:
        """The words of the positions, first those in which the first player is to move."""
        m = self.space.second.num_vertices
        by_turn = self._all_words.reshape(2, len(self.rows), m)
        found: IntArray = by_turn[:, : self.tier.size].reshape(-1)
        return found

    # -- levels ---------------------------------------------------------------------------------

    def front(self, ties: bool, level: int) -> tuple[Step, RowGains]:
        """Publish nothing: every partition has what its rows have gained up to now."""
        self._has_heard = True
        none = np.zeros(0, np.int64)
        return Step(1, NEVER, 0), RowGains(none, none.reshape(0, 2), np.zeros((2, 0), np.uint64))

    def advance(self, ties: bool, level: int, messages: Iterable[RowGains]) -> tuple[Step, RowGains]:
        """Decide what has the remoteness ``level + 1``, and publish what others read of it."""
        began = time.perf_counter()
        turn, search = level % 2, self.search
        if not self._has_heard:
            self._hear(turn, messages)
        self._has_heard = False
        self._all_words = widened(self._all_words, level + 1)
        kernel = search.kernel("propagate_level", 10)
        found = int(
            kernel(
                0, self.tier.size, turn, ties, search.planes, self._spans, *search.first,
                search.layout.shifts, search.second, search.layout.vertex_at_bit(), self._all_words,
                level + 1, self._scratch,
            )
        )  # fmt: skip
        gains = self._published(1 - turn)
        return Step(found, NEVER, gains.nbytes, time.perf_counter() - began), gains

    def _hear(self, turn: int, messages: Iterable[RowGains]) -> None:
        """Take what rows outside have gained in the last level, in place of what they had before."""
        planes, spans = self.search.planes, self._spans
        for row in range(self.tier.size, len(self.rows)):
            low, high = spans[row, turn, 2:4].tolist()
            planes[row, DELTA + 4 * turn :, low:high][list(GAINS)] = 0
            spans[row, turn] = planes.shape[2], 0, planes.shape[2], 0
        for message in messages:
            begin = 0
            for vertex, (low, high) in zip(message.rows.tolist(), message.spans.tolist(), strict=True):
                row, bits = self._place[vertex], message.bits[:, begin : begin + high - low]
                begin += high - low
                if row < 0:
                    continue
                for gained, plane in zip(bits, GAINS, strict=True):
                    planes[row, DELTA + 4 * turn + plane, low:high] = gained
                    planes[row, plane, low:high] |= gained
                spans[row, turn, 2:4] = low, high

    def _published(self, turn: int) -> RowGains:
        """Return what rows that others hold have gained."""
        spans = self._spans[self._border, turn, 2:4]
        gained = spans[:, 0] < spans[:, 1]
        places, spans = self._border[gained], spans[gained]
        planes = [DELTA + 4 * turn + plane for plane in GAINS]
        bits = [
            self.search.planes[row, planes, low:high]
            for row, (low, high) in zip(places.tolist(), spans.tolist(), strict=True)
        ]
        return RowGains(
            self.rows[places], spans, np.concatenate([np.zeros((2, 0), np.uint64), *bits], axis=1)
        )

    def begin_ties(self) -> int:
        """Set the ties that are decided before any move."""
        self.search.planes[:, DELTA:] = 0
        for turn in (0, 1):
            self.search.set_terminals(turn, TIE_PLANES[turn])
        self._spans = self._every_span()
        return NEVER

    def finish(self) -> int:
        """Free what only levels need; return the largest remoteness."""
        self._all_words = self.words.copy()
        self.rows = self.rows[: self.tier.size]
        del self.search, self._spans, self._scratch
        return int(PackedTable(self._all_words).remoteness().max(initial=0))

    # -- snapshots ------------------------------------------------------------------------------

    @property
    def needed(self) -> tuple[int, int]:
        """The range of rows of a snapshot that a partition reads."""
        return int(self.rows.min(initial=0)), int(self.rows.max(initial=-1)) + 1

    def snapshot(self) -> dict[str, IntArray]:
        """Return the arrays that a solve goes on from, a row of each for each vertex."""
        own, m = self.tier.size, self.space.second.num_vertices
        by_row = self._all_words.reshape(2, len(self.rows), m)[:, :own].swapaxes(0, 1)
        return {
            "planes": self.search.planes[:own], "words": by_row, "spans": self._spans[:own],
        }  # fmt: skip

    def restore(self, arrays: dict[str, IntArray]) -> int:
        """Take the arrays of a snapshot."""
        at = self.rows - self.needed[0]
        self.search.planes[:] = arrays["planes"][at]
        self._spans[:] = arrays["spans"][at]
        self._all_words = np.ascontiguousarray(arrays["words"][at].swapaxes(0, 1)).reshape(-1)
        return NEVER

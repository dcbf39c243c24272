"""BitplaneTable: win, loss or draw only, for games of two tokens, two bits for each vertex."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, read_only
from retrosolve.compilation import jit
from retrosolve.errors import GraphError
from retrosolve.kernels import planes as kernels
from retrosolve.kernels.words import code_of, word_dtype
from retrosolve.tables.base import ALL, Table
from retrosolve.values import INVALID

_SPREAD: NDArray[np.uint64] = (
    np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
    .view(np.uint64)
    .reshape(-1)
)  # the bits of each byte as bytes


class BitplaneTable(Table):
    """Values of a two-token space, without remoteness, as rows of bits.

    Parameters
    ----------
    planes : uint64 [k, 4, words]
        For each vertex of the first token, rows of bits for the vertices of the second: the first
        player to move wins, the second to move loses, the first to move loses, the second to move wins.
        Both bits of a turn are set at an INVALID index.
    place : int64 [m]
        The bit of each vertex of the second token.

    Notes
    -----
    About two bits a vertex.
    """

    has_remoteness = False
    _WINS, _LOSSES = np.array([0, 3]), np.array([2, 1])  # by who moves
    _VALUES = np.array([0, 1, 2, INVALID], np.uint8)

    def __init__(self, planes: NDArray[np.uint64], place: IntArray) -> None:
        self.planes: NDArray[np.uint64] = read_only(planes)
        self.place: IntArray = read_only(place)
        self.num_vertices = 2 * len(planes) * len(place)

    @classmethod
    def checked(cls, planes: NDArray[Any], place: NDArray[Any]) -> BitplaneTable:
        """Return the table of two arrays. Raises GraphError for other shapes, dtypes or places."""
        if planes.dtype != np.uint64 or planes.ndim != 3 or planes.shape[1] != 4:
            raise GraphError(
                f"planes has dtype {planes.dtype} and shape {planes.shape}: "
                "expected uint64, four rows for each place"
            )
        if place.dtype != np.int64 or place.ndim != 1:
            raise GraphError(
                f"place has dtype {place.dtype} and shape {place.shape}: expected a list of int64"
            )
        bits = 64 * planes.shape[2]
        if len(place) and not 0 <= place.min() <= place.max() < bits:
            raise GraphError(f"place holds {place.min()} to {place.max()}: expected 0 to {bits - 1}")
        return cls(planes, place)

    def values(self, at: Any = ALL) -> ByteArray:
        """Return the values of a slice or an array of vertices."""
        if isinstance(at, slice):
            start, stop, step = at.indices(self.num_vertices)
            if step == 1:
                return self._range(start, max(start, stop), self._VALUES)
            at = np.arange(start, stop, step)
        row, t = np.divmod(at, max(len(self.place), 1))
        turn, p = np.divmod(row, max(len(self.planes), 1))
        place = self.place[t]
        word, bit = place >> 6, (place & 63).astype(np.uint64)
        one = np.uint64(1)
        won = (self.planes[p, self._WINS[turn], word] >> bit) & one
        lost = (self.planes[p, self._LOSSES[turn], word] >> bit) & one
        values: ByteArray = self._VALUES[(won | lost << one).astype(np.int64)]
        return values

    def recoded(self, start: int, stop: int, codes: ByteArray) -> ByteArray:
        """Return what ``codes``, uint8 [256], holds for the value of each of a range of vertices."""
        return self._range(start, stop, codes[self._VALUES])

    def _range(self, start: int, stop: int, form: ByteArray) -> ByteArray:
        """Return what ``form`` holds for the bits of a range of vertices, whole rows at a time.

        ``form`` is uint8 [4], for neither bit, for that of a win, for that of a loss, and for both.
        """
        m, k = max(len(self.place), 1), max(len(self.planes), 1)
        first, last = start // m, -(-stop // m)
        rows = self._rows_by_kernel if self._has_kernel() else self._rows
        parts = [
            rows(turn, max(first - turn * k, 0), min(last - turn * k, k), form)
            for turn in (0, 1)
            if first < (turn + 1) * k and last > turn * k
        ]
        whole = parts[0] if len(parts) == 1 else np.concatenate([np.zeros(0, np.uint8), *parts])
        return whole[start - first * m : stop - first * m]

    def _rows(self, turn: int, first: int, last: int, form: ByteArray) -> ByteArray:
        """Return what the rows ``first..last-1`` of a turn hold."""
        won, lost = (
            np.unpackbits(
                np.ascontiguousarray(self.planes[first:last, side], "<u8").view(np.uint8),
                axis=1, bitorder="little",
            )
            for side in (self._WINS[turn], self._LOSSES[turn])
        )  # fmt: skip
        lost <<= 1
        won |= lost
        return form[np.take(won, self.place, axis=1).reshape(-1)]

    def _has_kernel(self) -> bool:
        """Return whether rows are decoded by a kernel, for which places have to ascend."""
        return jit.beats_numpy(self.num_vertices) and self._is_ascending

    @functools.cached_property
    def _is_ascending(self) -> bool:
        return bool((np.diff(self.place) > 0).all())

    @functools.cached_property
    def _squeezing(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        return _squeezing(self.place, self.planes.shape[2])

    def _rows_by_kernel(self, turn: int, first: int, last: int, form: ByteArray) -> ByteArray:
        """Return what the rows ``first..last-1`` of a turn hold."""
        size = (last - first) * len(self.place)
        stream = np.zeros((2, size // 64 + 1), np.uint64)
        out = np.empty(8 * stream.shape[1], np.uint64)
        # A byte for each of the four cases, as what single bits change and what both change besides.
        neither, win, loss, both = form.astype(np.uint64)
        changes = np.array(
            [neither * kernels.LANES, neither ^ win, neither ^ loss, neither ^ win ^ loss ^ both]
        )
        keep, steps = self._squeezing
        jit.compiled(kernels.decode_rows)(
            self.planes, self._WINS[turn], self._LOSSES[turn], first, last, keep, steps,
            np.bitwise_count(keep).astype(np.int64), stream, _SPREAD, changes, out,
        )  # fmt: skip
        return out.view(np.uint8)[:size]

    def remoteness(self, at: Any = ALL) -> IntArray:
        """Return -1 for each vertex: remoteness is not known."""
        length = len(range(*at.indices(self.num_vertices))) if isinstance(at, slice) else len(at)
        return np.full(length, -1, np.int32)

    def counts(self, start: int, stop: int) -> IntArray:
        """Count the values of the vertices ``start..stop-1``, int64 [256], whole rows by bits."""
        m, k = max(len(self.place), 1), len(self.planes)
        first, last = -(-start // m), stop // m
        if first >= last:
            return np.bincount(self.values(slice(start, stop)), minlength=256)
        if first < k < last:
            return self.counts(start, k * m) + self.counts(k * m, stop)
        turn = first // k
        won, lost, both = self._count_bits(turn, first - turn * k, last - turn * k)
        counts = self.counts(start, first * m) + self.counts(last * m, stop)
        counts[[0, 1, 2, INVALID]] += [
            (last - first) * m + both - won - lost, won - both, lost - both, both,
        ]  # fmt: skip
        return counts

    def _count_bits(self, turn: int, first: int, last: int) -> list[int]:
        """Return how many bits of the rows ``first..last-1`` of a turn are won, lost and both."""
        keep = _kept_bits(self.place, self.planes.shape[2])
        won, lost = (
            self.planes[first:last, sides[turn]] & keep for sides in (self._WINS, self._LOSSES)
        )
        return [int(np.bitwise_count(x).sum(dtype=np.int64)) for x in (won, lost, won & lost)]

    def packed(self, at: Any = ALL) -> IntArray:
        """Return the values as packed words with a remoteness of 0, a copy."""
        packed: IntArray = code_of(self.values(at)).astype(word_dtype(0))
        return packed

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return ``planes`` and ``place``."""
        return {"planes": self.planes, "place": self.place}


def _kept_bits(place: IntArray, num_words: int) -> NDArray[np.uint64]:
    """Return the bits of a row that stand for vertices, uint64 [num_words]."""
    there = np.zeros(64 * num_words, np.uint8)
    there[place] = 1
    return np.packbits(there, bitorder="little").view("<u8").astype(np.uint64)


def _squeezing(place: IntArray, num_words: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the bits of a row that stand for vertices, and which of them move in each of six steps.

    Step ``i`` moves a bit by 2^i places if the number of gaps below it has that binary digit.
    """
    keep = _kept_bits(place, num_words)
    mask, gaps = keep, ~keep << np.uint64(1)
    steps = np.empty((6, num_words), np.uint64)
    for step in range(6):
        parity = gaps
        for by in (1, 2, 4, 8, 16, 32):
            parity = parity ^ parity << np.uint64(by)
        steps[step] = parity & mask
        mask = mask ^ steps[step] | steps[step] >> np.uint64(1 << step)
        gaps = gaps & ~parity
    return keep, steps

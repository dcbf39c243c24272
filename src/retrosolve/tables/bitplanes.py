"""BitplaneTable: win, loss or draw only, for games of two tokens, two bits for each vertex."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, read_only
from retrosolve.errors import GraphError
from retrosolve.kernels.words import code_of, word_dtype
from retrosolve.tables.base import ALL, Table
from retrosolve.values import INVALID


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
                return self._range(start, max(start, stop))
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

    def _range(self, start: int, stop: int) -> ByteArray:
        """Return the values of the vertices ``start..stop-1``, whole rows at a time."""
        m, k = max(len(self.place), 1), max(len(self.planes), 1)
        first, last = start // m, -(-stop // m)
        parts = [self._rows(turn, max(first - turn * k, 0), min(last - turn * k, k)) for turn in (0, 1)]
        return np.concatenate(parts)[start - first * m : stop - first * m]

    def _rows(self, turn: int, first: int, last: int) -> ByteArray:
        """Return the values of the rows ``first..last-1`` of a turn."""
        won, lost = (
            np.unpackbits(
                np.ascontiguousarray(self.planes[first : max(first, last), side], "<u8").view(np.uint8),
                axis=1, bitorder="little",
            )
            for side in (self._WINS[turn], self._LOSSES[turn])
        )  # fmt: skip
        lost <<= 1
        won |= lost
        return self._VALUES[np.take(won, self.place, axis=1).reshape(-1)]

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
        there = np.zeros(64 * self.planes.shape[2], np.uint8)
        there[self.place] = 1
        mask = np.packbits(there, bitorder="little").view("<u8").astype(np.uint64)
        won, lost = (
            self.planes[first - turn * k : last - turn * k, planes[turn]] & mask
            for planes in (self._WINS, self._LOSSES)
        )
        counts = self.counts(start, first * m) + self.counts(last * m, stop)
        none = int(np.bitwise_count(won & lost).sum(dtype=np.int64))
        wins, losses = (int(np.bitwise_count(x).sum(dtype=np.int64)) - none for x in (won, lost))
        draws = (last - first) * m - none - wins - losses
        counts[[0, 1, 2, INVALID]] += [draws, wins, losses, none]
        return counts

    def packed(self, at: Any = ALL) -> IntArray:
        """Return the values as packed words with a remoteness of 0, a copy."""
        packed: IntArray = code_of(self.values(at)).astype(word_dtype(0))
        return packed

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return ``planes`` and ``place``."""
        return {"planes": self.planes, "place": self.place}

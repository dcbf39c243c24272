"""Answers: the value and remoteness of every vertex, as arrays or packed in one word a vertex."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, index_dtype, read_only

INVALID = 255
"""The value of an index that stands for no position."""

CODE_BITS = 3
WORDS: tuple[tuple[Any, int], ...] = tuple(
    (dtype, (1 << (8 * dtype(0).itemsize - CODE_BITS)) - 1)
    for dtype in (np.uint16, np.uint32, np.uint64)
)
"""The types of a packed word, narrowest first, and the largest remoteness that each holds."""

# What the codes of ``kernels.indexed`` come to: those that are still open are draws.
VALUE_OF_CODE = np.array([0, 1, 2, 3, 0, 0, 0, INVALID], np.uint8)


def largest_remoteness(state: IntArray) -> int:
    """Return the largest remoteness that the words of ``state`` hold."""
    return next(largest for dtype, largest in WORDS if dtype == state.dtype)


def word_dtype(remoteness: int) -> Any:
    """Return the narrowest type of word that holds a remoteness."""
    return next(dtype for dtype, largest in WORDS if remoteness <= largest)


def widened(state: IntArray, remoteness: int) -> IntArray:
    """Return ``state``, in wider words where its own do not hold ``remoteness``."""
    if remoteness <= largest_remoteness(state):
        return state
    wider: IntArray = state.astype(word_dtype(remoteness))
    return wider


class Answers(Protocol):
    """The values and remotenesses of all vertices, or of some."""

    has_remoteness: bool
    """Whether the remoteness was found too; ``plies`` are -1 where not."""

    def lengths(self) -> dict[str, int]:
        """Give how many values and remotenesses there are; in a good answer one of each a vertex."""

    def values(self, at: Any = slice(None)) -> ByteArray:
        """Give the values at a slice or an array of vertices, uint8."""

    def plies(self, at: Any = slice(None)) -> IntArray:
        """Give the remoteness there, -1 for a DRAW and where there is no position."""

    def tally(self, start: int, stop: int) -> IntArray:
        """Count the values of the vertices ``start..stop-1``, int64 [256]."""


class Unpacked:
    """Two arrays, ``value`` uint8 [n] and ``remoteness`` [n]; read-only."""

    has_remoteness = True

    def __init__(self, value: ByteArray, remoteness: IntArray) -> None:
        self._value: ByteArray = read_only(value)
        self._remoteness: IntArray = read_only(remoteness)

    def lengths(self) -> dict[str, int]:
        """Give how many values and remotenesses there are."""
        return {"value": len(self._value), "remoteness": len(self._remoteness)}

    def values(self, at: Any = slice(None)) -> ByteArray:
        """Give the values at a slice or an array of vertices, uint8."""
        values: ByteArray = self._value[at]
        return values

    def plies(self, at: Any = slice(None)) -> IntArray:
        """Give the remoteness there."""
        plies: IntArray = self._remoteness[at]
        return plies

    def tally(self, start: int, stop: int) -> IntArray:
        """Count the values of some vertices."""
        return np.bincount(self._value[start:stop], minlength=256)


class Packed:
    """One word a vertex, uint16 or uint32 [n]: a code in the low 3 bits, the remoteness above.

    A DRAW is 0, where there is no position the code is 7, and else the code is the value.
    """

    has_remoteness = True

    def __init__(self, state: IntArray) -> None:
        self.state: IntArray = read_only(state)

    @classmethod
    def of(cls, value: ByteArray, remoteness: IntArray) -> Packed:
        """Pack two arrays, values INVALID included."""
        highest = int(remoteness.max(initial=0))
        words: Any = remoteness.astype(word_dtype(highest))
        words[remoteness < 0] = 0
        words <<= np.uint8(CODE_BITS)
        words |= value & np.uint8(7)
        return cls(words)

    def lengths(self) -> dict[str, int]:
        """Give how many values and remotenesses there are."""
        return {"value": len(self.state), "remoteness": len(self.state)}

    def values(self, at: Any = slice(None)) -> ByteArray:
        """Give the values at a slice or an array of vertices, uint8."""
        values: ByteArray = VALUE_OF_CODE[self.state[at] & np.uint8(7)]
        return values

    def plies(self, at: Any = slice(None)) -> IntArray:
        """Give the remoteness there."""
        words = self.state[at]
        plies: IntArray = (words >> np.uint8(CODE_BITS)).astype(index_dtype(len(self.state)))
        code = words & np.uint8(7)
        plies[(code == 0) | (code > 3)] = -1
        return plies

    def tally(self, start: int, stop: int) -> IntArray:
        """Count the values of some vertices."""
        codes = (self.state[start:stop] & np.uint8(7)).astype(np.uint8)
        counts = np.zeros(256, np.int64)
        for code, value in enumerate(VALUE_OF_CODE):
            counts[value] += np.count_nonzero(codes == code)
        return counts


class Planes:
    """Values alone, of a product graph, in two bits a vertex.

    ``planes`` uint64 [k, 4, words] holds for each place of the first token rows of bits over the
    second's: the first player to move and winning, the second to move and losing, the first to move
    and losing, the second to move and winning; both bits of a turn where there is no position. Place t
    of the second token stands at bit ``place[t]``.
    """

    has_remoteness = False
    _WINS, _LOSSES = np.array([0, 3]), np.array([2, 1])  # by who moves
    _VALUES = np.array([0, 1, 2, INVALID], np.uint8)

    def __init__(self, planes: NDArray[np.uint64], place: IntArray) -> None:
        self.planes = planes
        self.planes.setflags(write=False)
        self.place = place

    def lengths(self) -> dict[str, int]:
        """Give how many values there are."""
        return {"value": 2 * len(self.planes) * len(self.place)}

    def values(self, at: Any = slice(None)) -> ByteArray:
        """Give the values at a slice or an array of vertices, uint8."""
        if isinstance(at, slice):
            at = np.arange(*at.indices(self.lengths()["value"]))
        row, t = np.divmod(at, max(len(self.place), 1))
        turn, p = np.divmod(row, max(len(self.planes), 1))
        place = self.place[t]
        word, bit = place >> 6, (place & 63).astype(np.uint64)
        one = np.uint64(1)
        won = (self.planes[p, self._WINS[turn], word] >> bit) & one
        lost = (self.planes[p, self._LOSSES[turn], word] >> bit) & one
        values: ByteArray = self._VALUES[(won | lost << one).astype(np.int64)]
        return values

    def plies(self, at: Any = slice(None)) -> IntArray:
        """Give -1 at each: the remoteness was not found."""
        length = len(range(*at.indices(self.lengths()["value"]))) if isinstance(at, slice) else len(at)
        return np.full(length, -1, np.int32)

    def tally(self, start: int, stop: int) -> IntArray:
        """Count the values of some vertices; whole rows by their bits."""
        m, k = max(len(self.place), 1), len(self.planes)
        first, last = -(-start // m), stop // m
        if first >= last or first // k != (last - 1) // k:
            return np.bincount(self.values(slice(start, stop)), minlength=256)
        turn = first // k
        there = np.zeros(64 * self.planes.shape[2], np.uint8)
        there[self.place] = 1
        mask = np.packbits(there, bitorder="little").view("<u8").astype(np.uint64)
        won, lost = (
            self.planes[first - turn * k : last - turn * k, planes[turn]] & mask
            for planes in (self._WINS, self._LOSSES)
        )
        counts = self.tally(start, first * m) + self.tally(last * m, stop)
        none = int(np.bitwise_count(won & lost).sum(dtype=np.int64))
        wins, losses = (int(np.bitwise_count(x).sum(dtype=np.int64)) - none for x in (won, lost))
        draws = (last - first) * m - none - wins - losses
        counts[[0, 1, 2, INVALID]] += [draws, wins, losses, none]
        return counts

"""BitplaneTable: win, loss or draw only, for games of two tokens, two bits for each vertex."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, read_only
from retrosolve.compilation import jit
from retrosolve.runtime.threads import ThreadPool
from retrosolve.tables import planes as kernels
from retrosolve.tables.base import ALL, BITS, PER_BYTE, ValuesTable, some_vertices
from retrosolve.values import INVALID

_SPREAD: NDArray[np.uint64] = (
    np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
    .view(np.uint64)
    .reshape(-1)
)  # the bits of each byte as bytes
_ONES = np.uint64(2**64 - 1)


class BitplaneTable(ValuesTable):
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

    counted_at_once = 1 << 26  # in kernels, without any memory
    _WINS, _LOSSES = np.array([0, 3]), np.array([2, 1])  # by who moves
    _VALUES = np.array([0, 1, 2, INVALID], np.uint8)

    def __init__(self, planes: NDArray[np.uint64], place: IntArray) -> None:
        self.planes: NDArray[np.uint64] = read_only(planes)
        self.place: IntArray = read_only(place)
        self.num_vertices = 2 * len(planes) * len(place)

    def values(self, at: Any = ALL) -> ByteArray:
        """Return the values of a slice or an array of vertices."""
        if isinstance(at, slice):
            start, stop, step = at.indices(self.num_vertices)
            if step == 1:
                return self._range(start, max(start, stop), self._VALUES)
            at = np.arange(start, stop, step)
        at = some_vertices(at, self.num_vertices)
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

    def recoded_in_pairs(self, start: int, stop: int, codes: ByteArray) -> ByteArray:
        """Return the same four to a byte; see :meth:`Table.recoded_in_pairs`."""
        if not self._has_kernel():
            return super().recoded_in_pairs(start, stop, codes)
        form = codes[self._VALUES].astype(np.uint64)
        changes = np.array([_changes(form & np.uint64(1)), _changes(form >> np.uint64(1))]) * _ONES
        first, second = self._streams(start, stop)
        halves = first.view(np.uint32), second.view(np.uint32)
        out = np.empty(len(halves[0]), np.uint64)
        jit.compiled(kernels.pair_bits)(*halves, changes, out)
        return _cleared(out, stop - start)

    def _range(self, start: int, stop: int, form: ByteArray) -> ByteArray:
        """Return what ``form`` holds for the bits of a range of vertices.

        ``form`` is uint8 [4], for neither bit, for that of a win, for that of a loss, and for both.
        """
        if self._has_kernel():
            changes = _changes(form.astype(np.uint64))
            changes[0] *= kernels.LANES
            first, second = self._streams(start, stop)
            out = np.empty(8 * len(first), np.uint64)
            jit.compiled(kernels.spread_bits)(first, second, _SPREAD, changes, out)
            return out.view(np.uint8)[: stop - start]
        m = max(len(self.place), 1)
        parts = [self._rows(*rows, form) for rows in self._turns(start // m, -(-stop // m))]
        return np.concatenate([np.zeros(0, np.uint8), *parts])[start % m :][: stop - start]

    def _turns(self, first: int, last: int) -> list[tuple[int, int, int]]:
        """Return the turn and the rows of each turn, of the rows ``first..last-1`` of both."""
        k = len(self.planes)
        rows = [(turn, max(first - turn * k, 0), min(last - turn * k, k)) for turn in (0, 1)]
        return [each for each in rows if each[1] < each[2]]

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
        """The bits of a row that stand for vertices, and which of them move in each of six steps.

        Step ``i`` moves a bit by 2^i places if the number of gaps below it has that binary digit.
        """
        num_words = self.planes.shape[2]
        keep = _kept_bits(self.place, num_words)
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

    def _streams(self, start: int, stop: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Return the bits of a range of vertices, of a win and of a loss, 64 in each word."""
        m = max(len(self.place), 1)
        first, last = start // m, -(-stop // m)
        begin = -(start - first * m) % 64  # so that the bit of ``start`` is the lowest of a word
        streams = np.empty((2, (begin + (last - first) * m) // 64 + 2), np.uint64)
        streams[:, 0] = 0
        keep, steps = self._squeezing
        kept, row = np.bitwise_count(keep).astype(np.uint64), np.empty((2, len(keep)), np.uint64)
        at = begin
        for turn, low, high in self._turns(first, last):
            jit.compiled(kernels.squeeze_rows)(
                self.planes, self._WINS[turn], self._LOSSES[turn], low, high, keep, steps, kept, row,
                *streams, np.uint64(at),
            )  # fmt: skip
            at += (high - low) * m
        whole = slice((begin + start - first * m) // 64, None)
        length = -(-(stop - start) // 64)
        return streams[0, whole][:length], streams[1, whole][:length]

    def counts(self, start: int, stop: int) -> IntArray:
        """Count the values of the vertices ``start..stop-1``, int64 [256], by bits."""
        m = max(len(self.place), 1)
        first, last = start // m, stop // m
        if first == last:
            parts = [(first, first + 1, self.place[start % m : stop % m])]
        else:
            parts = [
                (first, first + 1, self.place[start % m :]),
                (first + 1, last, self.place),
                (last, last + 1, self.place[: stop % m]),
            ]
        won, lost, both = np.sum([self._count_bits(*part) for part in parts], axis=0).tolist()
        counts = np.zeros(256, np.int64)
        counts[[0, 1, 2, INVALID]] = stop - start + both - won - lost, won - both, lost - both, both
        return counts

    def _count_bits(self, first: int, last: int, place: IntArray) -> IntArray:
        """Return how many bits of the rows ``first..last-1`` at some places are won, lost and both."""
        keep, found = _kept_bits(place, self.planes.shape[2]), np.zeros(3, np.int64)
        for turn, low, high in self._turns(first, last) if len(place) else []:
            won, lost = self._WINS[turn], self._LOSSES[turn]
            if self._has_kernel():
                count = functools.partial(self._count_rows, won, lost, keep)
                with ThreadPool(None, (high - low) * len(keep)) as pool:
                    parts = pool.map_ranges(count, pool.chunks(high - low, start=low))
                found += np.sum(parts, axis=0, dtype=np.int64)
                continue
            one, other = self.planes[low:high, won] & keep, self.planes[low:high, lost] & keep
            found += [int(np.bitwise_count(x).sum(dtype=np.int64)) for x in (one, other, one & other)]
        return found

    def _count_rows(
        self, won: int, lost: int, keep: NDArray[np.uint64], first: int, last: int
    ) -> tuple[int, int, int]:
        """Return how many kept bits of rows are won, lost and both, counted by the kernel."""
        count = jit.compiled(kernels.count_row_bits)
        ones, others, boths = count(self.planes, won, lost, first, last, keep)
        return int(ones), int(others), int(boths)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return ``planes`` and ``place``."""
        return {"planes": self.planes, "place": self.place}


def _changes(form: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the four cases of a form as what single bits change and what both change besides."""
    neither, win, loss, both = form
    return np.array([neither, neither ^ win, neither ^ loss, neither ^ win ^ loss ^ both])


def _cleared(pairs: NDArray[np.uint64], length: int) -> ByteArray:
    """Return so many pairs of bits as bytes, zeros after the last."""
    found: ByteArray = pairs.view(np.uint8)[: -(-length // PER_BYTE)]
    if length % PER_BYTE:
        found[-1] &= (1 << length % PER_BYTE * BITS) - 1
    return found


def _kept_bits(place: IntArray, num_words: int) -> NDArray[np.uint64]:
    """Return the bits of a row that stand for vertices, uint64 [num_words]."""
    there = np.zeros(64 * num_words, np.uint8)
    there[place] = 1
    return np.packbits(there, bitorder="little").view("<u8").astype(np.uint64)

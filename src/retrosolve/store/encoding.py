"""The codes of a table: one for each pair of a value and a remoteness that occurs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.kernels.words import code_of
from retrosolve.tables import Table
from retrosolve.tables.coded import Dictionary
from retrosolve.tables.summary import REPORTED_VALUES, Distribution, distribution, spans
from retrosolve.values import INVALID, Value

COUNTED_AT_ONCE = 1 << 16  # indices that stay in the cache of the processor


class Encoder:
    """The codes of a table, computed a part at a time.

    Codes ascend by remoteness, and by value for the same remoteness, so they depend on what the table
    holds and on nothing else.

    Parameters
    ----------
    table : Table
    player : callable
        Returns who moves (0 or 1) at an array of vertices, or None where the players alternate.
    words : uint [k], optional
        The packed words that occur, ascending; by default the table is looked through for them.

    Attributes
    ----------
    dictionary : Dictionary
        What the codes stand for.
    dtype : type
        The narrowest type of a code.

    Notes
    -----
    A pass over the table.
    """

    def __init__(
        self, table: Table, player: Callable[[IntArray], ByteArray | None],
        words: IntArray | None = None,
    ) -> None:  # fmt: skip
        self.table = table
        self.has_remoteness = table.has_remoteness
        self._player = player
        raw = _distinct_words(table) if words is None else words
        found = Dictionary.of_words(raw, table.has_remoteness)
        canonical = found.words()
        kept, self._code_of = np.unique(canonical, return_inverse=True)
        self.dictionary = Dictionary.of_words(kept, table.has_remoteness)
        self._raw = raw
        self.dtype: Any = np.min_scalar_type(max(len(kept) - 1, 0))
        self._lookup: NDArray[Any] | None = None
        if raw.dtype == np.uint16:
            self._lookup = np.zeros(1 << 16, self.dtype)
            self._lookup[raw] = self._code_of
        self._counts = np.zeros((2, len(kept)), np.int64)
        self._alternating = False
        self._hash = hashlib.sha256()
        self._hash.update(self.dictionary.value.tobytes())
        self._hash.update(self.dictionary.remoteness.astype("<i8").tobytes())

    def codes(self, start: int, stop: int) -> NDArray[Any]:
        """Return the codes of the vertices ``start..stop-1``, the next after those of the last call."""
        codes = self.encoded(start, stop)
        for low in range(0, len(codes) * self.has_remoteness, COUNTED_AT_ONCE):
            self._count(codes[low : low + COUNTED_AT_ONCE], start + low)
        self._hash.update(codes.astype(codes.dtype.newbyteorder("<"), copy=False).tobytes())
        return codes

    def encoded(self, start: int, stop: int) -> NDArray[Any]:
        """Return the codes of any vertices ``start..stop-1``, neither counted nor digested."""
        packed = self.table.packed(slice(start, stop))
        codes: NDArray[Any] = (
            self._code_of[np.searchsorted(self._raw, packed)].astype(self.dtype)
            if self._lookup is None
            else self._lookup[packed]
        )
        return codes

    def _count(self, codes: NDArray[Any], start: int) -> None:
        """Count the codes of the vertices from ``start`` on by who moves there."""
        kinds = self._counts.shape[1]
        player = self._player(np.arange(start, start + len(codes)))
        if player is None:
            self._alternating = True
            self._counts[0] += np.bincount(codes, minlength=kinds)
        else:
            place = codes + player * np.int64(kinds)
            self._counts += np.bincount(place, minlength=2 * kinds).reshape(2, kinds)

    def distribution(self) -> Distribution:
        """Return how many of the vertices so far have which value and remoteness.

        Without remoteness these are all vertices, which the table counts faster.
        """
        if not self.has_remoteness:
            return distribution(self.table, self._player)
        value, remoteness = self.dictionary
        total = self._counts.sum(axis=0)
        histogram: dict[Value, dict[int | None, int]] = {kind: {} for kind in REPORTED_VALUES}
        for code in np.flatnonzero((total > 0) & (value != INVALID)).tolist():
            plies = int(remoteness[code])
            histogram[Value(value[code])][None if plies < 0 else plies] = int(total[code])
        first, second = (
            {kind: int(counts[value == kind].sum()) for kind in REPORTED_VALUES}
            for counts in self._counts
        )
        return Distribution(histogram, None if self._alternating else (first, second))

    def digest(self) -> str:
        """Return the SHA-256 of the dictionary and of all codes so far."""
        return self._hash.hexdigest()


def digest(table: Table) -> str:
    """Return the SHA-256 of the values and remotenesses of a table, whatever its form.

    Notes
    -----
    Two passes over the table.
    """
    encoder = Encoder(table, lambda _: None)
    for start, stop in spans(table.num_vertices):
        encoder.codes(start, stop)
    return encoder.digest()


def _distinct_words(table: Table) -> IntArray:
    """Return the packed words that occur in a table, ascending."""
    if not table.has_remoteness:
        counts = sum(table.counts(*span) for span in spans(table.num_vertices))
        return np.unique(code_of(np.flatnonzero(counts)).astype(np.uint16))
    narrow = np.zeros(1 << 16, bool)
    wide: IntArray = np.zeros(0, np.uint64)
    widest: Any = np.uint16
    for start, stop in spans(table.num_vertices):
        packed = table.packed(slice(start, stop))
        if packed.dtype == np.uint16:
            narrow[packed] = True
        else:
            widest = np.promote_types(widest, packed.dtype)
            wide = np.union1d(wide, np.unique(packed))
    found = np.flatnonzero(narrow)
    return np.union1d(found.astype(widest), wide.astype(widest))

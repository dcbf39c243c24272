"""The codes of a table: one for each pair of a value and a remoteness that occurs."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.kernels.words import code_of
from retrosolve.runtime.threads import ThreadPool
from retrosolve.store.ordered_digest import OrderedDigest
from retrosolve.store.recoding import COUNTED_AT_ONCE, Recoder, Seen
from retrosolve.tables import Table
from retrosolve.tables.coded import Dictionary
from retrosolve.tables.pairs import MAX_KINDS, pack_pairs
from retrosolve.tables.summary import REPORTED_VALUES, Distribution, Movers, distribution, spans
from retrosolve.values import INVALID, Value

Read = Callable[[int, int], NDArray[Any]]


class Encoder:
    """The codes of a table, computed a part at a time, by several threads and in any order.

    Codes ascend by remoteness, and by value for the same remoteness, so they depend on what the table
    holds and on nothing else.

    Parameters
    ----------
    table : Table
    movers : Movers, optional
        Says who moves; by default the players alternate.
    known : Dictionary, optional
        What the numbers stand for that ``read(start, stop)`` returns of the table, all of which occur;
        by default the table is looked through for its packed words.
    read : callable, optional

    Attributes
    ----------
    dictionary : Dictionary
        What the codes stand for.
    dtype : type
        The narrowest type of a code.
    in_pairs : bool
        Whether codes are digested as pairs of bits (``tables.pairs``): those of at most four kinds,
        without remoteness. SHA-256 of a byte a vertex would take most of the time of saving them.

    Notes
    -----
    A pass over the table.
    """

    def __init__(
        self, table: Table, movers: Movers | None, known: Dictionary | None = None,
        read: Read | None = None,
    ) -> None:  # fmt: skip
        self.table = table
        self.has_remoteness = table.has_remoteness
        self._movers = movers
        first = np.arange(min(1, table.num_vertices))
        self._alternating = movers is None or (len(first) > 0 and movers.player(first) is None)
        self._values_only = None if table.has_remoteness else distribution(table, movers)
        words = self._occurring() if known is None else known.words()
        kept, codes = np.unique(
            Dictionary.of_words(words, table.has_remoteness).words(), return_inverse=True
        )
        self.dictionary = Dictionary.of_words(kept, table.has_remoteness)
        self.dtype: Any = np.min_scalar_type(max(len(kept) - 1, 0))
        self.in_pairs = not table.has_remoteness and len(kept) <= MAX_KINDS
        self._read = read
        self._lookup = codes.astype(self.dtype)
        self._sorted = None
        if known is None and words.dtype == np.uint16:
            self._lookup = _spread(words, self._lookup, 1 << 16)
        elif known is None:
            self._sorted = words
        self._recoders = [Recoder(self._lookup, len(kept), table.num_vertices) for _ in range(2)]
        self._counts = np.zeros((2, len(kept)), np.int64)
        self._counting = Lock()
        self._digest = OrderedDigest(
            self.dictionary.value.tobytes() + self.dictionary.remoteness.astype("<i8").tobytes()
        )

    def _elements(self, start: int, stop: int) -> NDArray[Any]:
        """Return what is looked up for a range: known numbers, packed words, or places among them."""
        if self._read is not None:
            return self._read(start, stop)
        packed = self.table.packed(slice(start, stop))
        if self._sorted is None:
            return packed
        places: IntArray = np.searchsorted(self._sorted, packed)
        return places

    def _occurring(self) -> IntArray:
        """Return the packed words that occur in the table, ascending."""
        if self._values_only is None:
            return _distinct_words(self.table)
        counts = self._values_only.counts()
        values = [int(value) for value, number in counts.items() if number]
        values += [INVALID] if sum(counts.values()) < self.table.num_vertices else []
        return np.unique(code_of(np.array(values, np.uint8)).astype(np.uint16))

    def codes(self, start: int, stop: int) -> NDArray[Any]:
        """Return the codes of the vertices ``start..stop-1``, which no other call has.

        Their number is a multiple of four, unless they are the last.
        """
        codes = self._counted(start, stop) if self.has_remoteness else self.encoded(start, stop)
        digested = pack_pairs(codes) if self.in_pairs else codes
        content = digested.astype(codes.dtype.newbyteorder("<"), copy=False).data
        self._digest.add(start, stop, content)
        return codes

    def pairs(self, start: int, stop: int) -> ByteArray:
        """Return the same as pairs of bits, where they are digested as such."""
        assert self.in_pairs
        found = self.table.recoded_in_pairs(start, stop, self._code_of_value())
        self._digest.add(start, stop, found.data)
        return found

    def read_all(self) -> None:
        """Go through the whole table, so that the distribution and the digest are known."""
        read, size = self.pairs if self.in_pairs else self.codes, self.table.num_vertices
        with ThreadPool(None, size) as pool:
            for _ in pool.ahead(lambda span: len(read(*span)), spans(size)):
                pass

    def encoded(self, start: int, stop: int) -> NDArray[Any]:
        """Return the codes of any vertices ``start..stop-1``, neither counted nor digested."""
        if self.has_remoteness:
            codes: NDArray[Any] = self._lookup[self._elements(start, stop)]
            return codes
        return self.table.recoded(start, stop, self._code_of_value())

    def _code_of_value(self) -> ByteArray:
        """Return the code of each value, uint8 [256], without remoteness."""
        value = self.dictionary.value
        found: ByteArray = _spread(value, np.arange(len(value), dtype=np.uint8), 256)
        return found

    def _counted(self, start: int, stop: int) -> NDArray[Any]:
        """Return the codes of the vertices ``start..stop-1``, counted by who moves there."""
        one = 0 if self._movers is None or self._alternating else self._movers.only_player(start, stop)
        if one is not None:
            return self._recoders[one](self._elements(start, stop))
        assert self._movers is not None
        codes, kinds = self.encoded(start, stop), self._counts.shape[1]
        for low, high in spans(len(codes), COUNTED_AT_ONCE):
            player = self._movers.player(np.arange(start + low, start + high))
            assert player is not None
            place = codes[low:high] + player * np.int64(kinds)
            found = np.bincount(place, minlength=2 * kinds).reshape(2, kinds)
            with self._counting:
                self._counts += found
        return codes

    def distribution(self) -> Distribution:
        """Return how many of the vertices so far have which value and remoteness.

        Without remoteness these are all vertices, which the table counts faster.
        """
        if self._values_only is not None:
            return self._values_only
        value, remoteness = self.dictionary
        by_player = self._counts + [recoder.counts() for recoder in self._recoders]
        total = by_player.sum(axis=0)
        histogram: dict[Value, dict[int | None, int]] = {kind: {} for kind in REPORTED_VALUES}
        for code in np.flatnonzero((total > 0) & (value != INVALID)).tolist():
            plies = int(remoteness[code])
            histogram[Value(value[code])][None if plies < 0 else plies] = int(total[code])
        first, second = (
            {kind: int(counts[value == kind].sum()) for kind in REPORTED_VALUES} for counts in by_player
        )
        return Distribution(histogram, None if self._alternating else (first, second))

    def digest(self) -> str:
        """Return the SHA-256 of the dictionary and of all codes, as bytes or pairs of bits."""
        return self._digest.hexdigest()


def digest(table: Table) -> str:
    """Return the SHA-256 of the values and remotenesses of a table, whatever its form.

    Notes
    -----
    Two passes over the table.
    """
    encoder = Encoder(table, None)
    encoder.read_all()
    return encoder.digest()


def _distinct_words(table: Table) -> IntArray:
    """Return the packed words that occur in a table, ascending."""
    narrow = Seen(table.num_vertices)
    wide: IntArray = np.zeros(0, np.uint64)
    widest: Any = np.uint16
    for start, stop in spans(table.num_vertices):
        packed = table.packed(slice(start, stop))
        if packed.dtype == np.uint16:
            narrow.add(packed)
        else:
            widest = np.promote_types(widest, packed.dtype)
            wide = np.union1d(wide, np.unique(packed))
    found = narrow.words()
    return np.union1d(found.astype(widest), wide.astype(widest))


def _spread(at: IntArray, codes: NDArray[Any], size: int) -> NDArray[Any]:
    """Return an array with some elements, zeros elsewhere."""
    found = np.zeros(size, codes.dtype)
    found[at] = codes
    return found

"""The codec of saved tables: words of a table to codes, codes to stored bytes, and a digest of them.

A code stands for a pair of a value and a remoteness that occurs. Codes ascend by remoteness, and by
value for the same remoteness, so they depend on the content of the table and on nothing else. Where
there are at most four, a byte may hold four of them.

With remoteness, an INVALID index has a code of its own, so that the table alone says which indices are
positions. That takes a twentieth of the size. Without remoteness it would take more than half, so there
INVALID may be a don't-care, filled with the code of the index before it, where a built-in game says
which indices are INVALID and a sample becomes smaller. Other rules run only by consent, without which a
table must be readable.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import zstandard
from numpy.typing import NDArray

from retrosolve.arrays import IntArray, spans
from retrosolve.runtime.threads import ThreadPool
from retrosolve.spaces.base import Capability, StateSpace
from retrosolve.store.blocks import ArrayWriter, block_bytes, write_blocks
from retrosolve.store.manifest import CODES, INTERVALS, PACKED_INTERVALS
from retrosolve.store.specs import runs_nothing_else
from retrosolve.tables import Table
from retrosolve.tables.base import MAX_KINDS, Bounds, pack_pairs
from retrosolve.tables.coded import Dictionary
from retrosolve.tables.recoding import COUNTED_AT_ONCE, CountingLookup, DistinctWords, code_dtype
from retrosolve.tables.summary import Distribution, Movers, distribution
from retrosolve.values import INVALID

SAMPLES = 8
SAMPLE_SIZE = 1 << 18
WORTHWHILE = 0.9  # of the size with a code for INVALID

Read = Callable[[int, int], NDArray[Any]]


class Form(NamedTuple):
    """How codes are stored.

    Parameters
    ----------
    fill : int or None
        The code of INVALID if it is a don't-care.
    packed : bool
        Whether four codes share a byte.
    """

    fill: int | None = None
    packed: bool = False

    def filled(self, codes: NDArray[Any]) -> NDArray[Any]:
        """Return consecutive codes with those of INVALID indices replaced by the code before them.

        The codes above that of INVALID move down by one, as that one is not in the stored dictionary.
        """
        if self.fill is None or not len(codes):
            return codes
        cared_for = codes != self.fill
        before = np.where(cared_for, np.arange(len(codes), dtype=np.int32), np.int32(-1))
        np.maximum.accumulate(before, out=before)
        shifted = codes - (codes > self.fill)
        return np.where(before >= 0, shifted[before], 0).astype(codes.dtype)

    def dictionary(self, dictionary: Dictionary) -> Dictionary:
        """Return the dictionary of the stored codes."""
        if self.fill is None:
            return dictionary
        value, remoteness = dictionary
        return Dictionary(np.delete(value, self.fill), np.delete(remoteness, self.fill))


class Encoder:
    """The codes of a table, computed a part at a time, by several threads and in any order.

    Parameters
    ----------
    table : Table
    movers : Movers, optional
        Says who moves; by default the players alternate.
    dictionary : Dictionary, optional
        The meaning of the numbers that ``read(start, stop)`` returns of the table, all of which occur;
        by default a pass over the table collects its packed words.
    read : callable, optional

    Attributes
    ----------
    dictionary : Dictionary
        The meaning of the codes.
    dtype : dtype
        The narrowest type of a code.
    in_pairs : bool
        Whether codes are digested as pairs of bits (``tables.base``): those of at most four kinds,
        without remoteness. SHA-256 of a byte per vertex would take most of the time of saving them.

    Notes
    -----
    A pass over the table.
    """

    def __init__(
        self, table: Table, movers: Movers | None, dictionary: Dictionary | None = None,
        read: Read | None = None,
    ) -> None:  # fmt: skip
        self.table, self._movers = table, movers
        self._numbers: Callable[[slice], NDArray[Any]] = table.packed
        if read is not None:
            self._numbers = lambda at: read(at.start, at.stop)
        first = np.arange(min(1, table.num_vertices))
        self._alternating = movers is None or (len(first) > 0 and movers.player(first) is None)
        self._values_only = None if table.has_remoteness else distribution(table, movers)
        words: IntArray
        numbers: IntArray
        codec = table.codec
        if dictionary is not None:
            words, numbers = dictionary.words(codec), np.arange(len(dictionary.value))
        elif self._values_only is not None:
            words = numbers = _words_of(self._values_only, table)
        else:
            distinct = DistinctWords(table.num_vertices)
            for span in spans(table.num_vertices):
                distinct.add(table.packed(slice(*span)))
            words = numbers = distinct.words()
        entries, codes = np.unique(
            Dictionary.of_words(words, table.has_remoteness, codec).words(codec), return_inverse=True
        )
        self.dictionary = Dictionary.of_words(entries, table.has_remoteness, codec)
        self.dtype = code_dtype(len(entries))
        self.in_pairs = not table.has_remoteness and len(entries) <= MAX_KINDS
        self._lookup = CountingLookup(
            numbers, codes.astype(self.dtype), len(entries), table.num_vertices
        )
        self._code_of_value = np.zeros(len(codec.kinds), self.dtype)  # without remoteness
        if not table.has_remoteness:
            self._code_of_value[self.dictionary.value] = np.arange(len(entries))
        self._counts = np.zeros((2, len(entries)), np.int64)
        self._counting = Lock()
        self._digest = OrderedDigest(
            self.dictionary.value.tobytes() + self.dictionary.remoteness.astype("<i8").tobytes()
        )

    def stored(self, form: Form, start: int, stop: int) -> NDArray[Any]:
        """Return the codes of the vertices ``start..stop-1`` in a form; counts and digests them.

        No other call has the same vertices. Their number is a multiple of four but for the last ones.
        """
        if self.in_pairs and form == (None, True):
            pairs = self.table.recoded_in_pairs(start, stop, self._code_of_value)
            self._digest.add(start, stop, pairs.data)
            return pairs
        if self.table.has_remoteness:
            player: int | None = 0
            if self._movers is not None and not self._alternating:
                player = self._movers.common_player(start, stop)
            codes, counts = self._lookup(self._numbers(slice(start, stop)))
            if player is None:
                counts = self._counts_by_player(start, codes)
            with self._counting:
                self._counts[slice(None) if player is None else player] += counts
        else:
            codes = self.codes(start, stop)
        digested = pack_pairs(codes) if self.in_pairs else codes
        self._digest.add(start, stop, digested.astype(codes.dtype.newbyteorder("<"), copy=False).data)
        return pack_pairs(form.filled(codes)) if form.packed else form.filled(codes)

    def codes(self, start: int, stop: int) -> NDArray[Any]:
        """Return the codes of any vertices ``start..stop-1``, neither counted nor digested."""
        if self.table.has_remoteness:
            return self._lookup(self._numbers(slice(start, stop)))[0]
        return self.table.recoded(start, stop, self._code_of_value)

    def _counts_by_player(self, start: int, codes: NDArray[Any]) -> IntArray:
        """Return how many vertices from ``start`` on have each code, by who moves there."""
        assert self._movers is not None
        counts = np.zeros(2 * self._counts.shape[1], np.int64)
        for low, high in spans(len(codes), COUNTED_AT_ONCE):
            player = self._movers.player(np.arange(start + low, start + high))
            assert player is not None
            place = codes[low:high] + player * np.int64(self._counts.shape[1])
            counts += np.bincount(place, minlength=len(counts))
        return counts.reshape(2, -1)

    def read_all(self) -> None:
        """Go through the whole table, to count and to digest it."""
        read, size = partial(self.stored, Form(None, self.in_pairs)), self.table.num_vertices
        with ThreadPool(None, size) as pool:
            for _ in pool.ahead(lambda span: len(read(*span)), spans(size)):
                pass

    def distribution(self) -> Distribution:
        """Return how many of the vertices so far have which value and remoteness.

        Without remoteness these are all vertices, which the table counts faster.
        """
        if self._values_only is not None:
            return self._values_only
        value, remoteness = self.dictionary
        total = self._counts.sum(axis=0)
        codec = self.table.codec
        histogram: dict[Any, dict[int | None, int]] = {result: {} for result in codec.reported}
        for code in np.flatnonzero((total > 0) & (value != INVALID)).tolist():
            outcome = codec.outcome(int(value[code]), int(remoteness[code]))
            part = histogram[outcome.value]
            part[outcome.remoteness] = part.get(outcome.remoteness, 0) + int(total[code])
        first, second = (
            {each: int(counts[value == codec.value(each)].sum()) for each in codec.reported}
            for counts in self._counts
        )
        return Distribution(histogram, None if self._alternating else (first, second))

    def digest(self) -> str:
        """Return the SHA-256 of the dictionary and of all codes, as bytes or pairs of bits."""
        return self._digest.hexdigest()


def digest(table: Table) -> str:
    """Return the SHA-256 of the values and remotenesses of a table, whatever its form.

    Of bounds in four bytes a vertex it is that of these bytes.

    Notes
    -----
    Two passes over the table.
    """
    if table.bounds is not None:
        low, high, is_payoff, rounded = table.bounds
        hashed = hashlib.sha256(b"payoff" if is_payoff else b"probability")
        if rounded is not None:
            hashed.update(np.array([rounded.most, rounded.width], "<f8").data)
        arrays = [(low, "<f8"), (high, "<f8")] if rounded is None else [(rounded.places, "<u4")]
        for array, dtype in arrays:
            for span in spans(table.num_vertices):
                hashed.update(np.ascontiguousarray(array[slice(*span)], dtype).data)
        return hashed.hexdigest()
    encoder = Encoder(table, None)
    encoder.read_all()
    return encoder.digest()


def write_table(
    writer: ArrayWriter, space: StateSpace, table: Table, level: int
) -> tuple[dict[str, Any], Distribution]:
    """Write a table at a level of compression; return its description and its distribution."""
    if table.bounds is not None:
        return write_intervals(writer, table, table.bounds), distribution(table, space)
    encoder = Encoder(table, space)
    form = choose_form(encoder, space, level)
    stored = writer.blocks("table/part-0", table.num_vertices, encoder.dtype, level, form.packed)
    write_blocks(writer.folder, stored, level, partial(encoder.stored, form))
    meaning = form.dictionary(encoder.dictionary)
    record = write_meaning(writer, encoder, meaning, [stored.record()], form.fill is not None)
    return record, encoder.distribution()


def write_meaning(
    writer: ArrayWriter, encoder: Encoder, meaning: Dictionary, codes: list[dict[str, Any]],
    filled: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Write what the codes of a table stand for; return its description, by those of its codes."""
    value = writer.whole("table/value", meaning.value).record()
    remoteness = writer.whole("table/remoteness", meaning.remoteness).record()
    arrays = [value, remoteness, *codes]
    return {"kind": CODES, "filled": filled, "digest": encoder.digest(), "arrays": arrays}


def write_intervals(writer: ArrayWriter, table: Table, bounds: Bounds) -> dict[str, Any]:
    """Write the bounds of all vertices as they are; return the description of the table."""
    facts: dict[str, Any] = {"kind": INTERVALS}
    arrays: dict[str, NDArray[Any]] = {"low": bounds.low, "high": bounds.high}
    if bounds.rounded is not None:
        rounded = bounds.rounded
        facts = {"kind": PACKED_INTERVALS, "most": rounded.most, "width": rounded.width}
        facts["proven"], arrays = rounded.proven, {"places": rounded.places}
    records = [writer.whole(f"table/{name}", array).record() for name, array in arrays.items()]
    return facts | {"payoff": bounds.is_payoff, "digest": digest(table), "arrays": records}


def choose_form(encoder: Encoder, space: StateSpace, level: int) -> Form:
    """Return how to store the codes of a table, in the form that compresses a sample of them best.

    Parameters
    ----------
    encoder : Encoder
    space : StateSpace
    level : int
        The level of the compression.
    """
    kinds, invalid = len(encoder.dictionary.value), np.flatnonzero(encoder.dictionary.value == INVALID)
    if encoder.in_pairs and not len(invalid):
        return Form(packed=True)  # always smaller
    forms = [Form(), Form(packed=True)] if kinds <= MAX_KINDS else [Form()]
    offered = space.capabilities
    by_rules = Capability.GENERATED in offered and Capability.REACHABLE_ONLY not in offered
    has_remoteness = encoder.table.has_remoteness
    if len(invalid) and by_rules and not has_remoteness and runs_nothing_else(space.spec()):
        fill = int(invalid[0])
        forms += [Form(fill), Form(fill, packed=True)] if kinds <= MAX_KINDS + 1 else [Form(fill)]
    if len(forms) == 1:
        return forms[0]
    n, starts = space.num_vertices, [0]
    size = n if n <= SAMPLES * SAMPLE_SIZE else SAMPLE_SIZE
    if size < n:
        starts = np.linspace(0, n - size, SAMPLES).astype(np.int64).tolist()
    samples = [encoder.codes(start, start + size) for start in starts]
    weighted = [
        _compressed_size(form, samples, level) / (1 if form.fill is None else WORTHWHILE)
        for form in forms
    ]
    return forms[int(np.argmin(weighted))]


def _compressed_size(form: Form, samples: list[NDArray[Any]], level: int) -> int:
    """Return the bytes of samples in compressed blocks."""
    compress, size, step = zstandard.ZstdCompressor(level).compress, 0, block_bytes(form.packed)
    for codes in samples:
        filled = form.filled(codes)
        data = (pack_pairs(filled) if form.packed else filled).tobytes()
        for start in range(0, len(data), step):
            size += len(compress(data[start : start + step]))
    return size


def _words_of(counted: Distribution, table: Table) -> IntArray:
    """Return the packed words of a table without remoteness, ascending."""
    counts, codec = counted.counts(), table.codec
    values = [codec.value(result) for result, number in counts.items() if number]
    values += [INVALID] if sum(counts.values()) < table.num_vertices else []
    return np.unique(codec.pack(np.array(values, codec.dtype), np.full(len(values), -1)))


class OrderedDigest:
    """The SHA-256 of a head, then of parts in the order of their places.

    Parameters
    ----------
    head : bytes

    Notes
    -----
    One thread at a time digests the next part, while the others go on. A part waits in memory for those
    before it.

    Examples
    --------
    >>> digest = OrderedDigest(b"")
    >>> digest.add(2, 3, b"c")
    >>> digest.add(0, 2, b"ab")
    >>> digest.hexdigest() == hashlib.sha256(b"abc").hexdigest()
    True
    """

    def __init__(self, head: bytes) -> None:
        self._hash = hashlib.sha256(head)
        self._waiting: dict[int, tuple[int, Any]] = {}
        self._next = 0
        self._digesting = Lock()

    def add(self, start: int, stop: int, content: Any) -> None:
        """Add the content of the places ``start..stop-1``."""
        self._waiting[start] = stop, content
        if self._digesting.acquire(blocking=False):
            try:
                self._digest_next()
            finally:
                self._digesting.release()

    def hexdigest(self) -> str:
        """Return the digest of all parts, none of which is being added any more."""
        self._digest_next()
        assert not self._waiting
        return self._hash.hexdigest()

    def _digest_next(self) -> None:
        while (part := self._waiting.pop(self._next, None)) is not None:
            self._next, content = part
            self._hash.update(content)

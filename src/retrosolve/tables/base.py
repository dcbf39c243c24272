"""Table: the value and remoteness of every vertex, as a solver returns them.

A table is one packed word per vertex, however it is stored. What the words say is decoded by the codec
of the table; a storage that holds values or remotenesses as such returns them directly.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import (
    VERTICES_PER_SPAN,
    ByteArray,
    Immutable,
    IntArray,
    index_dtype,
    read_only,
    spans,
)
from retrosolve.objectives import words
from retrosolve.objectives.base import VALUES, Codec, Objective
from retrosolve.runtime.files import short_repr
from retrosolve.values import INVALID, Outcome

ALL = slice(None)
UNSIGNED = {np.dtype(f"{sign}{size}"): np.dtype(f"u{size}") for sign in "iu" for size in (1, 2, 4, 8)}
"""The unsigned type of each type of whole numbers."""


class RoundedBounds(NamedTuple):
    """Bounds in four bytes a vertex, from which those of a table are decoded.

    Parameters
    ----------
    places : uint32 [n]
        Where the lower bounds are from the least payoff to the largest, or a word for special ones.
    most, width : float
        The largest payoff, and how far the upper bounds are above the lower ones.
    proven : str
        The digest of the table that the bounds enclose, which is what a proof is about; empty if these
        bounds are.
    """

    places: NDArray[np.uint32]
    most: float
    width: float
    proven: str


class Bounds(NamedTuple):
    """Bounds of what the player to move can expect at each vertex, in payoffs, of a table of them.

    Parameters
    ----------
    low, high : float64 [n]
        NaN at an INVALID index.
    is_payoff : bool
        Whether they are shown as payoffs, not as the probability of winning.
    rounded : RoundedBounds, optional
        What they are decoded from; None for bounds as they were solved.
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    is_payoff: bool
    rounded: RoundedBounds | None = None

    @property
    def stand_alone(self) -> bool:
        """Whether they are in four bytes a vertex, and are proven, not those of another table."""
        return self.rounded is not None and not self.rounded.proven

    @property
    def width(self) -> float:
        """The largest distance between the bounds of a vertex, 0 for none, in the unit shown."""
        widest = 0.0
        for start, stop in spans(len(self.low)):
            part = self.high[start:stop] - self.low[start:stop]
            widest = max(widest, float(np.max(part, initial=0.0, where=~np.isnan(part))))
        return widest if self.is_payoff else widest / 2


def some_vertices(at: Any, num_vertices: int) -> Any:
    """Return a slice as it is, and vertices as an array of integers.

    Raises IndexError for a number that is no vertex, and for anything else.

    >>> some_vertices([2, 0], 3)
    array([2, 0])
    >>> some_vertices([-1, 0], 3)
    Traceback (most recent call last):
    ...
    IndexError: vertex -1: expected 0..2
    """
    if isinstance(at, slice):
        return at
    vertices = np.asarray(at)
    if vertices.dtype not in UNSIGNED or vertices.ndim != 1:
        if vertices.shape == (0,):
            return vertices.astype(np.int64)
        raise IndexError(f"{short_repr(at)}: expected a slice or an array of vertices")
    if len(vertices) == 1:
        check_vertex(vertices[0], num_vertices)
    elif len(vertices):  # in one pass: a negative number is a large one without a sign
        check_vertex(vertices[vertices.view(UNSIGNED[vertices.dtype]).argmax()], num_vertices)
    return vertices


def check_vertex(vertex: int | np.integer[Any], num_vertices: int) -> None:
    """Raise IndexError for a number that is no vertex."""
    if not 0 <= vertex < num_vertices:
        raise IndexError(f"vertex {vertex}: expected 0..{num_vertices - 1}")


class Table(Immutable, ABC):
    """The values and remotenesses of the vertices ``0..num_vertices-1``; immutable.

    Values stand for the results of the codec, by default for those of :class:`~retrosolve.Value`, or
    INVALID (255). A remoteness is -1 for a DRAW and an INVALID index. Both are decoded on demand, so a
    slice or an array of vertices costs time and memory for these vertices only.
    """

    num_vertices: int
    _codec: Codec = VALUES
    has_remoteness: bool
    """Whether remotenesses are known; otherwise :meth:`remoteness` is -1 everywhere."""
    counted_at_once = VERTICES_PER_SPAN
    """The number of vertices whose values :meth:`counts` counts in little memory."""

    def coding(self) -> tuple[NDArray[Any], IntArray] | None:
        """Return the values and remotenesses that codes stand for; None for a table without codes."""
        return None

    def codes(self, at: Any = ALL) -> NDArray[Any]:
        """Return the codes of a slice or an array of vertices, of a table of codes."""
        raise NotImplementedError(f"{type(self).__name__} has no codes")

    @property
    def bounds(self) -> Bounds | None:
        """The bounds of each vertex, for a table of intervals."""
        return None

    @property
    def codec(self) -> Codec:
        """The results that the values stand for."""
        return self._codec

    def values(self, at: Any = ALL) -> ByteArray:
        """Return the values of some vertices.

        Parameters
        ----------
        at : slice or int array [k], optional
            By default all vertices.

        Returns
        -------
        uint8 [k], wider for more than 255 results

        Raises
        ------
        IndexError
            For a number that is no vertex, such as -1, and for anything else, such as a mask.
        """
        return self.codec.values_of(self.packed(at))

    def remoteness(self, at: Any = ALL) -> IntArray:
        """Return the remotenesses of some vertices.

        Parameters
        ----------
        at : slice or int array [k], optional
            By default all vertices.

        Returns
        -------
        int32 [k], int64 from 2^31 vertices on

        Raises
        ------
        IndexError
            As for :meth:`values`.
        """
        remoteness = self.codec.remoteness_of(self.packed(at))
        return remoteness.astype(index_dtype(self.num_vertices), copy=False)

    def outcome(self, vertex: int) -> tuple[int, int]:
        """Return the value and the remoteness of one vertex."""
        at = np.array([vertex])
        return int(self.values(at)[0]), int(self.remoteness(at)[0])

    def outcomes(self, vertices: IntArray) -> list[tuple[int, int]]:
        """Return the value and the remoteness of each of some vertices."""
        values, remoteness = self.values(vertices), self.remoteness(vertices)
        return list(zip(values.tolist(), remoteness.tolist(), strict=True))

    def decoded(self, vertex: int) -> Outcome:
        """Return the outcome of one vertex, which is not INVALID."""
        return self.codec.outcome(*self.outcome(vertex))

    def position_outcome(self, vertex: int) -> Outcome | None:
        """Return the outcome of one vertex, None if it is INVALID."""
        return None if self.outcome(vertex)[0] == INVALID else self.decoded(vertex)

    def decoded_all(self, vertices: IntArray) -> list[Outcome]:
        """Return the outcome of each of some vertices, none of which is INVALID."""
        return [self.codec.outcome(value, plies) for value, plies in self.outcomes(vertices)]

    def words_of(self, objective: Objective, at: Any) -> IntArray:
        """Return the content of the table at some vertices as words of the objective, int64 [k]."""
        return objective.words(self.codec, self.values(at), self.remoteness(at))

    def measures(self, at: Any) -> dict[str, NDArray[Any]]:
        """Return points or bounds beside the values at some vertices, none INVALID, by name."""
        points = self.codec.points
        return {} if points is None else {"points": points[self.values(at)]}

    def agrees(self, other: Table, at: slice) -> bool:
        """Return whether a table of as many vertices holds the same of some of them."""
        same = np.array_equal(self.values(at), other.values(at))
        return same and np.array_equal(self.remoteness(at), other.remoteness(at))

    def counts(self, start: int, stop: int) -> IntArray:
        """Count the values of the vertices ``start..stop-1``.

        Returns
        -------
        int64 [256 or more]
            The number of vertices for each value, INVALID included.
        """
        return np.bincount(self.values(slice(start, stop)), minlength=len(self.codec.kinds))

    def recoded(self, start: int, stop: int, codes: ByteArray) -> ByteArray:
        """Return the entry of ``codes``, which has one for each value, of each of a range of vertices.

        Returns
        -------
        uint8 [stop - start]
        """
        return codes[self.values(slice(start, stop))]

    def recoded_in_pairs(self, start: int, stop: int, codes: ByteArray) -> ByteArray:
        """Return the entries of :meth:`recoded`, all below 4, as two bits each.

        Returns
        -------
        uint8 [(stop - start + 3) // 4]
            See :func:`retrosolve.tables.base.pack_pairs`.
        """
        return pack_pairs(self.recoded(start, stop, codes))

    @abstractmethod
    def packed(self, at: Any = ALL) -> IntArray:
        """Return packed words of the codec, a copy if the table has another form.

        Parameters
        ----------
        at : slice or int array [k], optional
            By default all vertices.

        Returns
        -------
        uint16, uint32 or uint64 [k]
            As wide as the largest remoteness among them requires, or wider; int64 for other results
            than the four values.
        """

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of the table by name, not copies; none if they may be on disk."""
        return {}


put = object.__setattr__  # a small solve would notice the test whether an attribute is set again


class ArrayTable(Table):
    """A value and a remoteness for each vertex, in two arrays.

    Parameters
    ----------
    value : uint8 [n]
    remoteness : int32 or int64 [n]

    Notes
    -----
    5 bytes a vertex, 9 from 2^31 vertices on.
    """

    has_remoteness = True
    _value: ByteArray
    _remoteness: IntArray

    def __init__(self, value: ByteArray, remoteness: IntArray) -> None:
        put(self, "_value", read_only(value))
        put(self, "_remoteness", read_only(remoteness))
        put(self, "num_vertices", len(value))

    def values(self, at: Any = ALL) -> ByteArray:
        """Return the values of a slice or an array of vertices."""
        values: ByteArray = self._value[some_vertices(at, self.num_vertices)]
        return values

    def remoteness(self, at: Any = ALL) -> IntArray:
        """Return the remotenesses of a slice or an array of vertices."""
        remoteness: IntArray = self._remoteness[some_vertices(at, self.num_vertices)]
        return remoteness

    def packed(self, at: Any = ALL) -> IntArray:
        """Return values and remotenesses as packed words, a copy."""
        return self.codec.pack(self.values(at), self.remoteness(at))

    def outcome(self, vertex: int) -> tuple[int, int]:
        """Return the value and the remoteness of one vertex."""
        check_vertex(vertex, self.num_vertices)
        return int(self._value[vertex]), int(self._remoteness[vertex])

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return ``value`` and ``remoteness``."""
        return {"value": self._value, "remoteness": self._remoteness}


class PackedTable(Table):
    """One word for each vertex, with a code and the remoteness.

    Parameters
    ----------
    packed : uint16, uint32 or uint64 [n]
        See ``objectives.words``; the codes of undecided vertices stand for a DRAW.
    codec : Codec
        Of the same words.

    Notes
    -----
    2 bytes a vertex for a remoteness of up to 8,191 plies, 4 or 8 beyond.
    """

    has_remoteness = True

    def __init__(self, packed: IntArray, codec: Codec = VALUES) -> None:
        self._codec = codec
        self.words: IntArray = read_only(packed)
        self.num_vertices = len(packed)

    def counts(self, start: int, stop: int) -> IntArray:
        """Count the values of the vertices ``start..stop-1``, int64 [256]."""
        if self.codec is not VALUES:
            return super().counts(start, stop)
        codes = words.code_of(self.words[start:stop]).astype(np.uint8)
        counts = np.zeros(256, np.int64)
        for code, value in enumerate(words.VALUE_OF_CODE):
            counts[value] += np.count_nonzero(codes == code)
        return counts

    def packed(self, at: Any = ALL) -> IntArray:
        """Return the words; all of them or a slice without a copy."""
        return self.words if at is ALL else self.words[some_vertices(at, self.num_vertices)]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return ``words``."""
        return {"words": self.words}


def values_only(table: Table) -> Table:
    """Return a table with the same values and without remoteness."""
    return _WithoutRemoteness(table) if table.has_remoteness else table


def without_remoteness(table: Table) -> Table:
    """Return the values of a table in an array of their own, a byte or more for each vertex."""
    if not table.has_remoteness:
        return table
    values = np.empty(table.num_vertices, table.codec.dtype)
    for start, stop in spans(len(values)):
        values[start:stop] = table.values(slice(start, stop))
    alone = ArrayTable(values, np.broadcast_to(np.int32(-1), len(values)))
    put(alone, "_codec", table.codec)
    return values_only(alone)


def kinds_only(table: Table) -> Table:
    """Return a table of the four values that the results of another table count as."""
    return _KindTable(table)


class ValuesTable(Table):
    """A table of values without remotenesses."""

    has_remoteness = False

    def remoteness(self, at: Any = ALL) -> IntArray:
        """Return -1 for each vertex: remoteness is not known."""
        at = some_vertices(at, self.num_vertices)
        length = len(range(*at.indices(self.num_vertices))) if isinstance(at, slice) else len(at)
        return np.full(length, -1, np.int32)

    def packed(self, at: Any = ALL) -> IntArray:
        """Return the values as packed words with a remoteness of 0, a copy."""
        values = self.values(at)
        return self.codec.pack(values, np.zeros(len(values), np.int32))


class _WithoutRemoteness(ValuesTable):
    """The values of another table."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.num_vertices, self._codec = table.num_vertices, table.codec

    def values(self, at: Any = ALL) -> ByteArray:
        """Return the values of a slice or an array of vertices."""
        return self._table.values(at)

    def counts(self, start: int, stop: int) -> IntArray:
        """Count the values of the vertices ``start..stop-1``, int64 [256]."""
        return self._table.counts(start, stop)


class _KindTable(ValuesTable):
    """Who wins, by the results of another table."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.num_vertices = table.num_vertices

    def values(self, at: Any = ALL) -> ByteArray:
        """Return the kinds of some vertices."""
        return self._table.codec.kinds[self._table.values(at)]


# -- pairs of bits ------------------------------------------------------------------------------------


MAX_KINDS = 4
BITS = 2
PER_BYTE = 8 // BITS
MASK = (1 << BITS) - 1
# Moves the codes in four bytes to the highest.
TOGETHER = np.uint32(1 << 24 | 1 << 18 | 1 << 12 | 1 << 6)
SHIFTS = (np.arange(PER_BYTE) * BITS).astype(np.uint8)


def pack_pairs(codes: NDArray[Any]) -> ByteArray:
    """Return codes below 4 as bytes; the last byte is filled up with zeros.

    >>> pack_pairs(np.array([1, 2, 3, 0, 2])).tolist()
    [57, 2]
    """
    missing = -len(codes) % PER_BYTE
    whole = np.append(codes, np.zeros(missing, np.uint8)) if missing else np.ascontiguousarray(codes)
    four = whole.astype(np.uint8, copy=False).view("<u4") * TOGETHER
    four >>= 24
    return four.astype(np.uint8)


def unpack_pairs(packed: ByteArray) -> ByteArray:
    """Return the codes in some bytes.

    >>> unpack_pairs(np.array([57, 2], np.uint8)).tolist()
    [1, 2, 3, 0, 2, 0, 0, 0]
    """
    return (packed[:, None] >> SHIFTS & np.uint8(MASK)).reshape(-1)

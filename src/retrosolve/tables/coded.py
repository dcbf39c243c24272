"""CodedTable: a code for each vertex that stands for a value and a remoteness, for tables on disk."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, index_dtype, read_only
from retrosolve.errors import GraphError
from retrosolve.objectives.base import VALUES, Codec
from retrosolve.tables.base import ALL, Table, check_vertex, some_vertices
from retrosolve.values import INVALID


class Codes(Protocol):
    """An array of codes that is read in parts."""

    def __len__(self) -> int: ...

    def read(self, start: int, stop: int) -> NDArray[Any]:
        """Return the codes ``start..stop-1``."""

    def take(self, at: IntArray) -> NDArray[Any]:
        """Return the codes at some places."""

    def item(self, at: int) -> int:
        """Return the code at a place."""


class Dictionary(NamedTuple):
    """What the codes of a table stand for, in ascending order of the packed words.

    Parameters
    ----------
    value : uint8 or wider [k]
    remoteness : int64 [k]
        -1 for a DRAW, for INVALID, and without remoteness.
    """

    value: NDArray[Any]
    remoteness: IntArray

    @classmethod
    def of_words(cls, packed: IntArray, has_remoteness: bool, codec: Codec = VALUES) -> Dictionary:
        """Return the dictionary of some packed words of a codec, ascending."""
        remoteness = codec.remoteness_of(packed) if has_remoteness else np.full(len(packed), -1)
        return cls(codec.values_of(packed), remoteness)

    @classmethod
    def checked(
        cls, value: NDArray[Any], remoteness: IntArray, num_vertices: int, codec: Codec = VALUES
    ) -> Dictionary:
        """Return a dictionary. Raises GraphError for a value or remoteness that no vertex can have."""
        if value.dtype != codec.dtype or remoteness.dtype != np.int64:
            raise GraphError(
                f"value has dtype {value.dtype} and remoteness {remoteness.dtype}: "
                f"expected {codec.dtype} and int64"
            )
        if value.ndim != 1 or value.shape != remoteness.shape or len(value) > num_vertices:
            raise GraphError(
                f"value has shape {value.shape} and remoteness {remoteness.shape}: expected as many, "
                f"at most one for each of {num_vertices} vertices"
            )
        for code, plies in zip(value.tolist(), remoteness.tolist(), strict=True):
            if code != INVALID and not (0 <= code < len(codec.results)):
                known = ", ".join(map(str, (*range(len(codec.results)), INVALID)))
                raise GraphError(f"value {code}: expected one of {known}")
            endless = code == INVALID or not codec.results[code].ends
            if not (-1 <= plies < num_vertices) or (plies >= 0 and endless):
                raise GraphError(f"remoteness {plies} of the value {code}: expected another")
        return cls(value, remoteness)

    def words(self, codec: Codec = VALUES) -> IntArray:
        """Return the packed words of the codes."""
        return codec.pack(self.value, self.remoteness)


class CodesInMemory:
    """Codes that are an array.

    Parameters
    ----------
    codes : unsigned integer [n]
    """

    def __init__(self, codes: NDArray[Any]) -> None:
        self._codes: NDArray[Any] = read_only(codes)

    def __len__(self) -> int:
        return len(self._codes)

    def read(self, start: int, stop: int) -> NDArray[Any]:
        """Return the codes ``start..stop-1``, not a copy."""
        return self._codes[start:stop]

    def take(self, at: IntArray) -> NDArray[Any]:
        """Return the codes at some places."""
        return self._codes[at]

    def item(self, at: int) -> int:
        """Return the code at a place."""
        return int(self._codes[at])


class JoinedCodes:
    """The codes of consecutive ranges of vertices as one array.

    Parameters
    ----------
    parts : sequence of Codes
    """

    def __init__(self, parts: Sequence[Codes]) -> None:
        self._parts = tuple(parts)
        self._starts: list[int] = np.cumsum([0, *map(len, parts)]).tolist()

    def __len__(self) -> int:
        return self._starts[-1]

    def read(self, start: int, stop: int) -> NDArray[Any]:
        """Return the codes ``start..stop-1``."""
        found = []
        part = bisect_right(self._starts, start) - 1
        while start < stop:
            first, last = self._starts[part : part + 2]
            high = min(stop, last)
            found.append(self._parts[part].read(start - first, high - first))
            start, part = high, part + 1
        if len(found) == 1:
            return found[0]
        return np.concatenate(found) if found else np.zeros(0, np.uint8)

    def item(self, at: int) -> int:
        """Return the code at a place."""
        part = bisect_right(self._starts, at) - 1
        return self._parts[part].item(at - self._starts[part])

    def take(self, at: IntArray) -> NDArray[Any]:
        """Return the codes at some places."""
        first = bisect_right(self._starts, int(at.min())) - 1
        if int(at.max()) < self._starts[first + 1]:
            return self._parts[first].take(at - self._starts[first])
        found = np.zeros(len(at), np.int64)
        parts = np.searchsorted(self._starts, at, side="right") - 1
        for part in np.unique(parts).tolist():
            chosen = np.flatnonzero(parts == part)
            found[chosen] = self._parts[part].take(at[chosen] - self._starts[part])
        return found


class CodedTable(Table):
    """A code for each vertex, in one array or several, and a dictionary of the codes.

    Parameters
    ----------
    parts : sequence of Codes
        The codes of consecutive ranges of vertices.
    dictionary : Dictionary
    has_remoteness : bool
    codec : Codec
        What the values of the dictionary stand for.

    Notes
    -----
    As large in memory as the arrays of codes. Those of a saved solution stay on disk, compressed.
    """

    def __init__(
        self, parts: Sequence[Codes], dictionary: Dictionary, has_remoteness: bool,
        codec: Codec = VALUES,
    ) -> None:  # fmt: skip
        self._codec = codec
        self.parts = tuple(parts)
        self._codes = JoinedCodes(parts)
        self.dictionary = dictionary
        self.num_vertices = len(self._codes)
        self.has_remoteness = has_remoteness
        self._remoteness = dictionary.remoteness.astype(index_dtype(self.num_vertices))
        value, remoteness = dictionary.value.tolist(), dictionary.remoteness.tolist()
        self._outcomes: list[tuple[int, int]] = list(zip(value, remoteness, strict=True))

    def coding(self) -> Dictionary:
        """Return the values and remotenesses that the codes stand for."""
        return self.dictionary

    def codes(self, at: Any = ALL) -> NDArray[Any]:
        """Return the codes of a slice or an array of vertices."""
        if not isinstance(at, slice):
            return self._codes_at(at)
        start, stop, step = at.indices(self.num_vertices)
        if step != 1:
            return self._codes_at(np.arange(start, stop, step))
        return self._codes.read(start, stop)

    def _codes_at(self, at: Any) -> NDArray[Any]:
        """Return the codes of an array of vertices."""
        at = some_vertices(at, self.num_vertices)
        if len(at) < 2:
            return np.array([self._codes.item(v) for v in at.tolist()], np.int64)
        return self._codes.take(at)

    def values(self, at: Any = ALL) -> NDArray[Any]:
        """Return the values of a slice or an array of vertices."""
        values: NDArray[Any] = self.dictionary.value[self.codes(at)]
        return values

    def remoteness(self, at: Any = ALL) -> IntArray:
        """Return the remotenesses of a slice or an array of vertices."""
        remoteness: IntArray = self._remoteness[self.codes(at)]
        return remoteness

    def outcome(self, vertex: int) -> tuple[int, int]:
        """Return the value and the remoteness of one vertex."""
        check_vertex(vertex, self.num_vertices)
        return self._outcomes[self._codes.item(vertex)]

    def outcomes(self, vertices: IntArray) -> list[tuple[int, int]]:
        """Return the value and the remoteness of each of some vertices."""
        known = self._outcomes
        return [known[code] for code in self._codes_at(vertices).tolist()]

    def counts(self, start: int, stop: int) -> IntArray:
        """Count the values of the vertices ``start..stop-1``, int64 [256 or more]."""
        each = np.bincount(self.codes(slice(start, stop)), minlength=len(self.dictionary.value))
        size = len(self.codec.kinds)
        return np.bincount(self.dictionary.value, each, minlength=size).astype(np.int64)

    def packed(self, at: Any = ALL) -> IntArray:
        """Return the packed words of a slice or an array of vertices."""
        packed: IntArray = self.dictionary.words(self.codec)[self.codes(at)]
        return packed


def coded_table(codec: Codec, values: NDArray[Any], remoteness: IntArray | None = None) -> CodedTable:
    """Return a table in memory with a code for each pair of a value and a remoteness that occurs.

    Parameters
    ----------
    codec : Codec
    values : unsigned integer [n]
        INVALID included.
    remoteness : int [n], optional
        -1 for none; by default none anywhere.

    Notes
    -----
    One byte a vertex for up to 256 pairs, two for up to 65,536.

    Examples
    --------
    >>> table = coded_table(VALUES, np.array([1, 2, 1], np.uint8), np.array([3, 0, 3]))
    >>> table.outcome(2), table.parts[0].read(0, 3).dtype
    ((1, 3), dtype('uint8'))
    """
    plies = np.broadcast_to(np.int64(-1), len(values)) if remoteness is None else remoteness
    words, codes = np.unique(codec.pack(values, plies), return_inverse=True)
    dictionary = Dictionary.of_words(words, remoteness is not None, codec)
    narrow = codes.astype(np.min_scalar_type(max(len(words) - 1, 0)))
    return CodedTable([CodesInMemory(narrow)], dictionary, remoteness is not None, codec)


VERTICES_AT_ONCE = 1 << 12
GAP = 1 << 6  # asking for so many vertices takes as long as asking for one


class FilledTable(Table):
    """A table that compresses well because its INVALID indices have the values of their neighbours.

    Parameters
    ----------
    table : Table
        Right wherever an index is a position.
    invalid : callable
        ``invalid(start, stop)`` returns which of the vertices ``start..stop-1`` are INVALID, bool.
    """

    def __init__(self, table: Table, invalid: Callable[[int, int], NDArray[np.bool_]]) -> None:
        self.table = table
        self._invalid = invalid
        self.num_vertices = table.num_vertices
        self.has_remoteness = table.has_remoteness
        self._codec = table.codec

    def values(self, at: Any = ALL) -> ByteArray:
        """Return the values of a slice or an array of vertices."""
        values: ByteArray = self.table.values(at).copy()
        values[self._where(at)] = INVALID
        return values

    def remoteness(self, at: Any = ALL) -> IntArray:
        """Return the remotenesses of a slice or an array of vertices."""
        remoteness: IntArray = self.table.remoteness(at).copy()
        if self.has_remoteness:
            remoteness[self._where(at)] = -1
        return remoteness

    def packed(self, at: Any = ALL) -> IntArray:
        """Return packed words, a copy."""
        return self.codec.pack(self.values(at), self.remoteness(at))

    def _where(self, at: Any) -> NDArray[np.bool_]:
        """Return which of some vertices are INVALID."""
        if isinstance(at, slice):
            start, stop, step = at.indices(self.num_vertices)
            if step == 1:
                return self._invalid(start, max(start, stop))
            at = np.arange(start, stop, step)
        found = np.zeros(len(at), bool)
        order = np.argsort(at, kind="stable")
        ascending = np.asarray(at)[order]
        begins = np.diff(ascending, prepend=-GAP) >= GAP
        begins |= np.diff(ascending // VERTICES_AT_ONCE, prepend=-1) > 0
        for low, high in pairwise([*np.flatnonzero(begins).tolist(), len(at)]):
            first, last = int(ascending[low]), int(ascending[high - 1])
            found[order[low:high]] = self._invalid(first, last + 1)[ascending[low:high] - first]
        return found

"""CodedTable: a code for each vertex that stands for a value and a remoteness, for tables on disk."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, index_dtype
from retrosolve.errors import GraphError
from retrosolve.kernels import words
from retrosolve.tables.base import ALL, Table, pack
from retrosolve.values import INVALID, Value

VALUES = (*map(int, Value), INVALID)


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
    value : uint8 [k]
    remoteness : int64 [k]
        -1 for a DRAW, for INVALID, and without remoteness.
    """

    value: ByteArray
    remoteness: IntArray

    @classmethod
    def of_words(cls, packed: IntArray, has_remoteness: bool) -> Dictionary:
        """Return the dictionary of some packed words, ascending."""
        value = words.VALUE_OF_CODE[words.code_of(packed)]
        remoteness = words.remoteness_of(packed).astype(np.int64)
        known = (value >= words.WIN) & (value <= words.TIE) & has_remoteness
        return cls(value, np.where(known, remoteness, -1))

    @classmethod
    def checked(cls, value: ByteArray, remoteness: IntArray, num_vertices: int) -> Dictionary:
        """Return a dictionary. Raises GraphError for a value or remoteness that no vertex can have."""
        if value.dtype != np.uint8 or remoteness.dtype != np.int64:
            raise GraphError(
                f"value has dtype {value.dtype} and remoteness {remoteness.dtype}: "
                "expected uint8 and int64"
            )
        if value.ndim != 1 or value.shape != remoteness.shape or len(value) > num_vertices:
            raise GraphError(
                f"value has shape {value.shape} and remoteness {remoteness.shape}: expected as many, "
                f"at most one for each of {num_vertices} vertices"
            )
        for code, plies in zip(value.tolist(), remoteness.tolist(), strict=True):
            if code not in VALUES:
                raise GraphError(f"value {code}: expected one of {', '.join(map(str, VALUES))}")
            decided = code in (Value.WIN, Value.LOSS, Value.TIE)
            if not (-1 <= plies < num_vertices) or (plies >= 0 and not decided):
                raise GraphError(f"remoteness {plies} of the value {code}: expected another")
        return cls(value, remoteness)

    def words(self) -> IntArray:
        """Return the packed words of the codes."""
        return pack(self.value, self.remoteness)


class JoinedCodes:
    """The codes of consecutive ranges of vertices as one array.

    Parameters
    ----------
    parts : sequence of Codes
    """

    def __init__(self, parts: Sequence[Codes]) -> None:
        self._parts = tuple(parts)
        self._starts: list[int] = np.cumsum([0, *(len(part) for part in parts)]).tolist()

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

    Notes
    -----
    As large in memory as the arrays of codes. Those of a saved solution stay on disk, compressed.
    """

    def __init__(self, parts: Sequence[Codes], dictionary: Dictionary, has_remoteness: bool) -> None:
        self.parts = tuple(parts)
        self._codes = JoinedCodes(parts)
        self.dictionary = dictionary
        self.num_vertices = len(self._codes)
        self.has_remoteness = has_remoteness
        self._range = f"0..{self.num_vertices - 1}"
        self._remoteness = dictionary.remoteness.astype(index_dtype(self.num_vertices))
        value, remoteness = dictionary.value.tolist(), dictionary.remoteness.tolist()
        self._outcomes: list[tuple[int, int]] = list(zip(value, remoteness, strict=True))

    def codes(self, at: Any = ALL) -> NDArray[Any]:
        """Return the codes of a slice or an array of vertices."""
        if not isinstance(at, slice):
            return self._codes_at(np.asarray(at))
        start, stop, step = at.indices(self.num_vertices)
        if step != 1:
            return self._codes_at(np.arange(start, stop, step))
        return self._codes.read(start, stop)

    def _codes_at(self, at: IntArray) -> NDArray[Any]:
        """Return the codes of an array of vertices."""
        if len(at) < 2:
            return np.array([self._code(v) for v in at.tolist()], np.int64)
        lowest, highest = int(at.min()), int(at.max())
        if lowest < 0 or highest >= self.num_vertices:
            raise IndexError(f"vertex {lowest if lowest < 0 else highest}: expected {self._range}")
        return self._codes.take(at)

    def _code(self, vertex: int) -> int:
        """Return the code of one vertex."""
        if not 0 <= vertex < self.num_vertices:
            raise IndexError(f"vertex {vertex}: expected {self._range}")
        return self._codes.item(vertex)

    def values(self, at: Any = ALL) -> ByteArray:
        """Return the values of a slice or an array of vertices."""
        values: ByteArray = self.dictionary.value[self.codes(at)]
        return values

    def remoteness(self, at: Any = ALL) -> IntArray:
        """Return the remotenesses of a slice or an array of vertices."""
        remoteness: IntArray = self._remoteness[self.codes(at)]
        return remoteness

    def outcome(self, vertex: int) -> tuple[int, int]:
        """Return the value and the remoteness of one vertex."""
        return self._outcomes[self._code(vertex)]

    def outcomes(self, vertices: IntArray) -> list[tuple[int, int]]:
        """Return the value and the remoteness of each of some vertices."""
        known = self._outcomes
        return [known[code] for code in self._codes_at(vertices).tolist()]

    def counts(self, start: int, stop: int) -> IntArray:
        """Count the values of the vertices ``start..stop-1``, int64 [256]."""
        each = np.bincount(self.codes(slice(start, stop)), minlength=len(self.dictionary.value))
        return np.bincount(self.dictionary.value, each, minlength=256).astype(np.int64)

    def packed(self, at: Any = ALL) -> IntArray:
        """Return the packed words of a slice or an array of vertices."""
        packed: IntArray = self.dictionary.words()[self.codes(at)]
        return packed

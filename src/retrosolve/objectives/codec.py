"""Codec: what the numbers in a table stand for, the results of an objective and their remoteness.

A table has a value for each vertex, the place of its result among the results of the codec; 255 always
stands for INVALID. A value and a remoteness in one number are a packed word.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.errors import GraphError
from retrosolve.objectives import words
from retrosolve.values import INVALID, Outcome, Result, Value

POINTS = ("points", "least", "most")
REMOTENESS_SHIFT = 32  # of the words of other objectives: below it a value, above it remoteness + 1


class Codec:
    """The results that a table may hold.

    Parameters
    ----------
    results : sequence of Result
        In the order of their values.
    reported : sequence of Result, optional
        The same in the order in which they are counted and shown; by default as they are.

    Attributes
    ----------
    results : tuple of (Result or None)
        By value; None at 255, which no result has.
    labels : tuple of str
        The label of each result, by value.
    kinds : uint8 [256 or more]
        The kind of each result (see :class:`retrosolve.values.Result`), INVALID where there is none.
    numbers : dict of str to int64 [values]
        The points that results say, by the name of their attribute: those of scores and of intervals.
    reported : tuple of Result
    dtype : dtype
        The narrowest type of values.
    """

    results: tuple[Any, ...]
    labels: tuple[str, ...]

    def __init__(self, results: Sequence[Result], reported: Sequence[Result] | None = None) -> None:
        gap = [None] if len(results) > INVALID else []
        self.results = (*results[:INVALID], *gap, *results[INVALID:])
        self.labels = tuple("" if result is None else result.label for result in self.results)
        self.reported = tuple(results if reported is None else reported)
        self.kinds: ByteArray = np.full(max(256, len(self.results)), INVALID, np.uint8)
        for value, result in enumerate(self.results):
            self.kinds[value] = INVALID if result is None else result.kind
        self.numbers = {
            name: np.array([getattr(result, name, 0) for result in self.results], np.int64)
            for name in POINTS
            if all(hasattr(result, name) for result in results)
        }
        self._values = {result: value for value, result in enumerate(self.results)}
        self._hash = hash(self.results)
        self.dtype: np.dtype[Any] = np.min_scalar_type(max(INVALID, len(self.results) - 1))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Codec) and other.results == self.results

    def __hash__(self) -> int:
        return self._hash

    def value(self, result: object) -> int:
        """Return the value of a result. Raises GraphError for one that the table cannot hold."""
        if type(result) is int and result not in self._values:
            result = self.result(str(result))  # a number of points
        try:
            return self._values[result]
        except KeyError:
            raise self._unknown(result) from None

    def result(self, label: str) -> Any:
        """Return the result with a label. Raises GraphError for another label."""
        word = label.strip().lower()
        if word not in self.labels or not word:
            raise self._unknown(label)
        return self.results[self.labels.index(word)]

    def _unknown(self, result: object) -> GraphError:
        known = ", ".join(result.label for result in self.reported)
        return GraphError(f"{result!r} is no value of this solution: expected {known}")

    def outcome(self, value: int, remoteness: int) -> Outcome:
        """Return the outcome of a value and a remoteness, -1 for none."""
        return Outcome(self.results[value], None if remoteness < 0 else remoteness)

    def by_result(self, counts: IntArray) -> dict[Any, int]:
        """Return counts, indexed by value, as a dictionary in the order of reports, without INVALID."""
        return {result: int(counts[self._values[result]]) for result in self.reported}

    # -- packed words ---------------------------------------------------------------------------

    def pack(self, values: NDArray[Any], remoteness: IntArray) -> IntArray:
        """Return values (INVALID included) and remotenesses, -1 for none, as packed words."""
        packed: IntArray = values.astype(np.int64) | (
            (np.asarray(remoteness).astype(np.int64) + 1) << REMOTENESS_SHIFT
        )
        return packed

    def values_of(self, packed: IntArray) -> NDArray[Any]:
        """Return the values, INVALID included, of packed words."""
        words = np.asarray(packed, np.int64)  # of no words in narrower ones, where there is no vertex
        values: NDArray[Any] = (words & ((1 << REMOTENESS_SHIFT) - 1)).astype(self.dtype)
        return values

    def remoteness_of(self, packed: IntArray) -> IntArray:
        """Return the remotenesses of packed words, -1 for none, int64."""
        remoteness: IntArray = (packed >> REMOTENESS_SHIFT).astype(np.int64) - 1
        return remoteness


class ValueCodec(Codec):
    """The four values, in the words of ``objectives.words``, which kernels read."""

    def __init__(self) -> None:
        super().__init__(tuple(Value), (Value.WIN, Value.LOSS, Value.TIE, Value.DRAW))

    def result(self, label: str) -> Any:
        """Return the value with a label. Raises GraphError for another label."""
        return Value.parse(label)

    def pack(self, values: ByteArray, remoteness: IntArray) -> IntArray:
        """Return values (INVALID included) and remotenesses as packed words, as narrow as they fit."""
        decided = np.maximum(remoteness, 0)
        decided = decided.astype(words.word_dtype(int(decided.max(initial=0))))
        packed: IntArray = words.pack(words.code_of(values).astype(decided.dtype), decided)
        return packed

    def values_of(self, packed: IntArray) -> ByteArray:
        """Return the values, INVALID included, of packed words."""
        values: ByteArray = words.VALUE_OF_CODE[words.code_of(packed)]
        return values

    def remoteness_of(self, packed: IntArray) -> IntArray:
        """Return the remotenesses of packed words, -1 where a game does not end, int64."""
        code = words.code_of(packed)
        remoteness: IntArray = words.remoteness_of(packed).astype(np.int64)
        remoteness[(code == words.DRAW) | (code > words.TIE)] = -1
        return remoteness


VALUES = ValueCodec()
"""The codec of the objectives ``outcome`` and ``win-loss-draw``."""

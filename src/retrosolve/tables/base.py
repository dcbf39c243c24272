"""Table: the value and remoteness of every vertex, as a solver returns them.

A table is one packed word per vertex, however it is stored. What the words say is decoded by the codec
of the table; a storage that holds values or remotenesses as such returns them directly.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, Immutable, IntArray, index_dtype
from retrosolve.objectives.base import Objective
from retrosolve.objectives.codec import VALUES, Codec
from retrosolve.tables.pairs import pack_pairs
from retrosolve.values import Outcome

ALL = slice(None)
VERTICES_PER_SPAN = 1 << 20


class Bounds(NamedTuple):
    """Bounds of what the player to move can expect at each vertex, in payoffs, of a table of them.

    Parameters
    ----------
    low, high : float64 [n]
        NaN at an INVALID index.
    is_payoff : bool
        Whether they are shown as payoffs, not as the probability of winning.
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    is_payoff: bool

    @property
    def width(self) -> float:
        """The largest distance between the bounds of a vertex, 0 for none, in the unit shown."""
        widest = 0.0
        for start in range(0, len(self.low), VERTICES_PER_SPAN):
            part = self.high[start : start + VERTICES_PER_SPAN] - self.low[start:][:VERTICES_PER_SPAN]
            widest = max(widest, float(np.max(part, initial=0.0, where=~np.isnan(part))))
        return widest if self.is_payoff else widest / 2


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

    @property
    def bounds(self) -> Bounds | None:
        """The bounds of each vertex, for a table of intervals."""
        return None

    @property
    def codec(self) -> Codec:
        """What the values stand for."""
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

    def decoded_all(self, vertices: IntArray) -> list[Outcome]:
        """Return the outcome of each of some vertices, none of which is INVALID."""
        return [self.codec.outcome(value, plies) for value, plies in self.outcomes(vertices)]

    def words_of(self, objective: Objective, at: Any) -> IntArray:
        """Return the content of the table at some vertices as words of the objective, int64 [k]."""
        return objective.words(self.codec, self.values(at), self.remoteness(at))

    def measures(self, at: Any) -> dict[str, NDArray[np.float64]]:
        """Return the content of a table besides values and remotenesses at some vertices, by name."""
        return {}

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
        """Return what ``codes``, one entry for each value, holds for each of a range of vertices.

        Returns
        -------
        uint8 [stop - start]
        """
        return codes[self.values(slice(start, stop))]

    def recoded_in_pairs(self, start: int, stop: int, codes: ByteArray) -> ByteArray:
        """Return what :meth:`recoded` returns, all of it below 4, as two bits each.

        Returns
        -------
        uint8 [(stop - start + 3) // 4]
            See :func:`retrosolve.tables.pairs.pack_pairs`.
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

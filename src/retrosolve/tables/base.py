"""Table: the value and remoteness of every vertex, as a solver returns them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, Immutable, IntArray
from retrosolve.tables.pairs import pack_pairs

ALL = slice(None)
VERTICES_PER_SPAN = 1 << 20


class Table(Immutable, ABC):
    """The values and remotenesses of the vertices ``0..num_vertices-1``; immutable.

    Values are codes of :class:`~retrosolve.Value`, or INVALID (255). A remoteness is -1 for a DRAW and
    an INVALID index. Both are decoded on demand, so a slice or an array of vertices costs time and
    memory for these vertices only.
    """

    num_vertices: int
    has_remoteness: bool
    """Whether remotenesses are known; otherwise :meth:`remoteness` is -1 everywhere."""
    counted_at_once = VERTICES_PER_SPAN
    """The number of vertices whose values :meth:`counts` counts in little memory."""

    @abstractmethod
    def values(self, at: Any = ALL) -> ByteArray:
        """Return the values of some vertices.

        Parameters
        ----------
        at : slice or int array [k], optional
            By default all vertices.

        Returns
        -------
        uint8 [k]
        """

    @abstractmethod
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

    def outcome(self, vertex: int) -> tuple[int, int]:
        """Return the value and the remoteness of one vertex."""
        at = np.array([vertex])
        return int(self.values(at)[0]), int(self.remoteness(at)[0])

    def outcomes(self, vertices: IntArray) -> list[tuple[int, int]]:
        """Return the value and the remoteness of each of some vertices."""
        values, remoteness = self.values(vertices), self.remoteness(vertices)
        return list(zip(values.tolist(), remoteness.tolist(), strict=True))

    @abstractmethod
    def counts(self, start: int, stop: int) -> IntArray:
        """Count the values of the vertices ``start..stop-1``.

        Returns
        -------
        int64 [256]
            The number of vertices for each code, INVALID included.
        """

    def recoded(self, start: int, stop: int, codes: ByteArray) -> ByteArray:
        """Return what ``codes``, uint8 [256], holds for the value of each of a range of vertices.

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
        """Return packed words (see ``kernels.words``), a copy if the table has another form.

        Parameters
        ----------
        at : slice or int array [k], optional
            By default all vertices.

        Returns
        -------
        uint16, uint32 or uint64 [k]
            As wide as the largest remoteness among them requires, or wider.
        """

    @abstractmethod
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of the table by name, not copies."""

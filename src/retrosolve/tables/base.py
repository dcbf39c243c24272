"""Table: the value and remoteness of every vertex, as a solver returns them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, Immutable, IntArray

ALL = slice(None)


class Table(Immutable, ABC):
    """The values and remotenesses of the vertices ``0..num_vertices-1``; immutable.

    Values are codes of :class:`~retrosolve.Value`, or INVALID (255). A remoteness is -1 for a DRAW and
    an INVALID index. Both are decoded on demand, so a slice or an array of vertices costs time and
    memory for these vertices only.
    """

    kind: ClassVar[str]
    """The name of this form in a saved solution."""

    num_vertices: int
    has_remoteness: bool
    """Whether remotenesses are known; otherwise :meth:`remoteness` is -1 everywhere."""

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

    @abstractmethod
    def counts(self, start: int, stop: int) -> IntArray:
        """Count the values of the vertices ``start..stop-1``.

        Returns
        -------
        int64 [256]
            The number of vertices for each code, INVALID included.
        """

    @abstractmethod
    def packed(self) -> IntArray:
        """Return the table as packed words (see ``kernels.words``), a copy if it has another form."""

    @abstractmethod
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of the table by name, not copies."""

    @classmethod
    @abstractmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> Table:
        """Return the table of the given arrays; the inverse of :meth:`arrays`."""

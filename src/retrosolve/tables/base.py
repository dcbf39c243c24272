"""Table: what a solver returns, the value and remoteness of every vertex."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, Immutable, IntArray

ALL = slice(None)


class Table(Immutable, ABC):
    """The values and remotenesses of the vertices ``0..num_vertices-1``, read-only.

    Values are uint8 codes of :class:`~retrosolve.Value`, INVALID (255) at an index that is no
    position. A remoteness is -1 for a DRAW and an INVALID index. Both are decoded on demand, so asking
    for a slice or an array of indices costs time and memory for those only.
    """

    kind: ClassVar[str]
    """The name of this form in a saved solution."""

    num_vertices: int
    has_remoteness: bool
    """Whether remotenesses are known; where not, :meth:`remoteness` is -1 everywhere."""

    @abstractmethod
    def values(self, at: Any = ALL) -> ByteArray:
        """Return the values at a slice or an array of vertices, uint8."""

    @abstractmethod
    def remoteness(self, at: Any = ALL) -> IntArray:
        """Return the remotenesses at a slice or an array of vertices, int32 (int64 past 2^31)."""

    @abstractmethod
    def counts(self, start: int, stop: int) -> IntArray:
        """Count the values of the vertices ``start..stop-1``, int64 [256]."""

    @abstractmethod
    def packed(self) -> IntArray:
        """Return the answers as packed words, converted if they are kept in another form."""

    @abstractmethod
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays that the table consists of, by name; no copies."""

    @classmethod
    @abstractmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> Table:
        """Return the table that consists of these arrays, the inverse of :meth:`arrays`."""

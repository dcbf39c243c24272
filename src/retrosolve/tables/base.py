"""Table: the value and remoteness of every vertex, as a solver returns them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from retrosolve.arrays import ByteArray, Immutable, IntArray
from retrosolve.errors import GraphError

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
        """Return the table that consists of these arrays, the inverse of :meth:`arrays`.

        Raises GraphError for arrays of other shapes or dtypes.
        """

    def check(self) -> None:
        """Raise GraphError for a value or remoteness that no vertex can have. Reads the whole table."""


def checked_array(
    arrays: dict[str, NDArray[Any]], name: str, dtypes: tuple[DTypeLike, ...], dimensions: int = 1
) -> NDArray[Any]:
    """Return ``arrays[name]``. Raises GraphError for another dtype or number of dimensions."""
    array = arrays[name]
    if array.dtype not in dtypes:
        expected = " or ".join(np.dtype(dtype).name for dtype in dtypes)
        raise GraphError(f"{name} has dtype {array.dtype.str}: expected {expected}")
    if array.ndim != dimensions:
        raise GraphError(f"{name} has shape {array.shape}: expected {dimensions} dimensions")
    return array

"""The buffers of a computation: declared once, summed by its plan and allocated by its run.

The scratch buffer of a small solve is reused by the next one. The system gives memory a page at a time,
at first touch, and for a solve of some milliseconds that can take as long as all the rest.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.runtime import tuning

LINE = 64  # bytes; where arrays begin
Shape = int | tuple[int, ...]
Dtype = type[np.integer[Any]]
ITEM_BYTES: dict[Dtype, int] = {  # looked up: asking NumPy takes longer, as a small solve would notice
    kind: kind(0).itemsize
    for kind in (np.uint8, np.uint16, np.uint32, np.uint64, np.int8, np.int16, np.int32, np.int64)
}

_kept: list[ByteArray] = []


class Buffers:
    """The arrays that a computation has in memory at a time, by name.

    Parameters
    ----------
    **arrays : tuple of a shape and a dtype
        The largest that each array may be. An array that NumPy allocates, as a temporary of an
        expression, is declared like the others.

    Examples
    --------
    >>> buffers = Buffers(queue=(3, np.int32), planes=((2, 5), np.uint8))
    >>> buffers.num_bytes, buffers.empty("planes").shape
    (22, (2, 5))
    """

    __slots__ = ("_arrays",)

    def __init__(self, **arrays: tuple[Shape, Dtype]) -> None:
        self._arrays = arrays

    @property
    def num_bytes(self) -> int:
        """The bytes of all of them."""
        total = 0
        for shape, kind in self._arrays.values():
            length = shape if isinstance(shape, int) else math.prod(shape)
            total += length * ITEM_BYTES[kind]
        return total

    def __or__(self, others: Buffers) -> Buffers:
        """Return the buffers of two parts of a computation that are in memory together."""
        return Buffers(**self._arrays, **others._arrays)

    def empty(self, name: str, kind: Dtype | None = None) -> NDArray[Any]:
        """Allocate an array, with anything in it; of a narrower dtype, if that is enough."""
        shape, widest = self._arrays[name]
        assert kind is None or ITEM_BYTES[kind] <= ITEM_BYTES[widest]
        return np.empty(shape, kind or widest)

    def zeros(self, name: str) -> NDArray[Any]:
        """Allocate an array of zeros."""
        return np.zeros(*self._arrays[name])

    def scratch(self, *names: str) -> Scratch:
        """Lend some arrays, with anything in them, until the ``with`` statement ends.

        All are cut from one piece: the system gives large pages, and fast, to large pieces only.

        >>> buffers = Buffers(queue=(3, np.int32), state=(5, np.uint8))
        >>> with buffers.scratch("state", "queue") as (state, queue):
        ...     queue.shape, state.dtype
        ((3,), dtype('uint8'))
        """
        places, size = [], 0
        for name in names:
            shape, kind = self._arrays[name]
            places.append((shape, kind, size))
            length = shape if isinstance(shape, int) else math.prod(shape)
            size += (length * ITEM_BYTES[kind] + LINE - 1) & -LINE
        return Scratch(places, size)


class Scratch:
    """Arrays that are lent; a generator as context manager would take microseconds more."""

    __slots__ = ("_piece", "_places", "_size")

    _piece: ByteArray

    def __init__(self, places: list[tuple[Shape, Dtype, int]], size: int) -> None:
        self._places, self._size = places, size

    def __enter__(self) -> tuple[IntArray, ...]:
        piece = self._piece = _acquire(self._size)
        return tuple([np.ndarray(shape, kind, piece, at) for shape, kind, at in self._places])

    def __exit__(self, *_error: object) -> None:
        if len(self._piece) <= tuning.current().max_kept_bytes and not _kept:
            _kept.append(self._piece)


def _acquire(size: int) -> ByteArray:
    """Take the last piece, if it is large enough, or ask the system for one."""
    try:
        piece = _kept.pop()
        if len(piece) >= size:
            return piece
    except IndexError:  # none there, or lent to another thread
        pass
    return np.empty(size, np.uint8)

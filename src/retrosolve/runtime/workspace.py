"""Memory that a small solve leaves to the next one.

The system gives memory a page at a time, at first touch, and for a solve of some milliseconds that can
take as long as all the rest. So the last piece that is not too large is kept until it is wanted again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.runtime import tuning

LINE = 64  # bytes; where arrays begin

_kept: list[ByteArray] = []


def arrays(*wanted: tuple[int, type[np.integer[Any]]]) -> Lease:
    """Lend an array for each length and dtype, with anything in it, until the ``with`` statement ends.

    All are cut from one piece: the system gives large pages, and fast, to large pieces only.

    >>> with arrays((3, np.int32), (5, np.uint8)) as (queue, state):
    ...     queue.shape, state.dtype
    ((3,), dtype('uint8'))
    """
    places, size = [], 0
    for length, kind in wanted:
        dtype = np.dtype(kind)
        places.append((length, dtype, size))
        size += (length * dtype.itemsize + LINE - 1) & -LINE
    return Lease(places, size)


class Lease:
    """Arrays that are lent; a generator as context manager would take microseconds more."""

    __slots__ = ("_piece", "_places", "_size")

    _piece: ByteArray

    def __init__(self, places: list[tuple[int, np.dtype[Any], int]], size: int) -> None:
        self._places, self._size = places, size

    def __enter__(self) -> tuple[IntArray, ...]:
        piece = self._piece = _taken(self._size)
        return tuple([np.ndarray(length, dtype, piece, at) for length, dtype, at in self._places])

    def __exit__(self, *_error: object) -> None:
        if len(self._piece) <= tuning.current().max_kept_bytes and not _kept:
            _kept.append(self._piece)


def _taken(size: int) -> ByteArray:
    """Take the piece that was kept, if it is large enough, or ask the system for one."""
    try:
        piece = _kept.pop()
        if len(piece) >= size:
            return piece
    except IndexError:  # nothing kept, or lent to another thread
        pass
    return np.empty(size, np.uint8)

"""Words of a whole index, in memory that the processes of one machine share."""

from __future__ import annotations

import mmap
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from retrosolve.arrays import IntArray

MEMORY = Path("/dev/shm")


class SharedWords:
    """An array of words that several processes map; only what was written takes memory.

    Parameters
    ----------
    path : str
        The file, from :func:`new_file`.
    num_words : int
    dtype : dtype

    Attributes
    ----------
    words : array [num_words]
    """

    def __init__(self, path: str, num_words: int, dtype: Any) -> None:
        kind = np.dtype(dtype)
        with open(path, "r+b") as file:
            self._map = mmap.mmap(file.fileno(), max(1, num_words * kind.itemsize))
        self.words: IntArray = np.frombuffer(self._map, kind, num_words)

    def drop(self, start: int, stop: int) -> None:
        """Return the memory of the whole pages of a range to the system; it reads as zeros then."""
        width, page = self.words.itemsize, mmap.PAGESIZE
        low, high = -(-start * width // page) * page, stop * width // page * page
        if low < high and hasattr(mmap, "MADV_REMOVE"):
            self._map.madvise(mmap.MADV_REMOVE, low, high - low)


def new_file(num_words: int, dtype: Any) -> str:
    """Return the path of a new file of zeros for :class:`SharedWords`, in memory if there is room.

    It is deleted once all have opened it, so that nothing is left of processes that are killed.
    """
    size = max(1, num_words * np.dtype(dtype).itemsize)
    folder = None
    if MEMORY.is_dir():
        status = os.statvfs(MEMORY)
        folder = MEMORY if status.f_bavail * status.f_frsize > size else None
    handle, path = tempfile.mkstemp(prefix="retrosolve-", dir=folder)
    try:
        os.truncate(handle, size)
    finally:
        os.close(handle)
    return path

"""Spill: arrays that stay in memory as far as an allowance goes, and on disk beyond it.

What is on disk has no name there: the system frees it when the process ends, however it ends.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import threading
import weakref
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from retrosolve.errors import StoreError
from retrosolve.runtime.files import error_summary
from retrosolve.runtime.memory import format_bytes

Array = NDArray[Any]


class ScratchFile:
    """A temporary file without a name.

    It is written and read at any place, by several threads too. The system deletes it when it is
    closed, when the object is deleted, and when the process ends, be it killed.

    Parameters
    ----------
    folder : Path, optional
        The folder whose disk it is on; by default that of temporary files.
    needed : int
        The bytes of disk that are expected to be needed at most, for error messages.

    Attributes
    ----------
    size : int
        Where what was written ends.

    Examples
    --------
    >>> file = ScratchFile()
    >>> file.append(np.arange(3)), file.append(np.arange(3, 5))
    (0, 24)
    >>> file.read(np.int64, 2, 5).tolist()
    [2, 3, 4]
    >>> file.close()
    """

    def __init__(self, folder: Path | None = None, needed: int = 0) -> None:
        self.size = 0
        self._parent = folder
        self._needed = needed
        self._file: Any = None
        self._end: Any = None
        self._lock = threading.Lock()

    @property
    def folder(self) -> Path:
        """The folder of the file."""
        return self._parent or Path(tempfile.gettempdir())

    def close(self) -> None:
        """Delete the file."""
        if self._end is not None:
            self._end()

    def append(self, *arrays: Array) -> int:
        """Write contiguous arrays at the end; return where they begin. Raises StoreError."""
        start = self.size
        for array in arrays:
            self.write(self.size, array)
        return start

    def write(self, start: int, array: Array) -> None:
        """Write a contiguous array at a place in bytes. Raises StoreError."""
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(  # noqa: SIM115  # open as long as the object
                    dir=self.folder, buffering=0
                )
                self._end = weakref.finalize(self, self._file.close)
            _write(self._file, array.view(np.uint8).data, start)
        except OSError as error:
            raise self.failed(error) from None
        with self._lock:
            self.size = max(self.size, start + array.nbytes)

    def reserve(self, size: int) -> int:
        """Return where so many bytes may be written, at the end."""
        with self._lock:
            self.size += size
            return self.size - size

    def read(self, kind: Any, start: int, stop: int, offset: int = 0) -> Array:
        """Return the items ``start..stop-1`` of an array that begins at ``offset``.

        Raises StoreError if there are not as many.
        """
        items: Array = np.empty(stop - start, kind)
        rest = items.view(np.uint8).data
        place = offset + start * items.itemsize
        try:
            while rest:
                count = os.preadv(self._file.fileno(), [rest], place)
                if not count:
                    raise StoreError(f"a temporary file in {self.folder} is cut short")
                rest, place = rest[count:], place + count
        except OSError as error:
            raise self.failed(error) from None
        return items

    def mapped(self, kind: Any) -> Array:
        """Return the file as an array that is mapped, not read."""
        return np.memmap(self._file, kind, "r") if self.size else np.zeros(0, kind)

    def failed(self, error: OSError) -> StoreError:
        """Return the error for a failure of the disk."""
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            held = format_bytes(self.size)
            full = "a file may not grow" if error.errno == errno.EFBIG else "the disk is full"
            return StoreError(
                f"{full}: the solve has {held} in {self.folder} and needs about "
                f"{format_bytes(max(self._needed, self.size))} there: expected more space, or "
                "another folder by scratch=, --scratch or TMPDIR"
            )
        return StoreError(f"cannot write to {self.folder}: {error.strerror or error_summary(error)}")

    def check_disk(self) -> None:
        """Raise StoreError if the disk has not as much space as is expected to be needed."""
        if self._needed <= 0:
            return
        try:
            free = shutil.disk_usage(self.folder).free
        except OSError as error:
            raise self.failed(error) from None
        if free < self._needed:
            raise StoreError(
                f"the solve needs about {format_bytes(self._needed)} of disk for what does not fit "
                f"in memory, and {self.folder} has {format_bytes(free)} free: expected more space "
                "there, or another folder by scratch=, --scratch or TMPDIR"
            )


class Stored:
    """Arrays that were handed to a :class:`Spill`.

    Attributes
    ----------
    place : int or None
        Where they are on disk; None in memory.
    num_bytes : int
        The bytes of all of them.
    """

    def __init__(self, spill: Spill, arrays: Sequence[Array], place: int | None) -> None:
        self.spill, self.place = spill, place
        self.num_bytes = sum(array.nbytes for array in arrays)
        self._arrays = tuple(arrays) if place is None else ()
        self._kinds = [array.dtype for array in arrays]
        self._starts = [0, *accumulate(array.nbytes for array in arrays)]

    @property
    def in_memory(self) -> bool:
        """Whether they are in memory."""
        return self.place is None

    def read(self, which: int, start: int = 0, stop: int | None = None) -> Array:
        """Return the items ``start..stop-1`` of an array: a view, or what is read from disk."""
        if self.place is None:
            return self._arrays[which][start:stop]
        kind, (first, last) = self._kinds[which], self._starts[which : which + 2]
        stop = (last - first) // kind.itemsize if stop is None else stop
        items = self.spill.file.read(kind, start, stop, self.place + first)
        self.spill.bytes_read += items.nbytes
        return items

    def read_all(self) -> tuple[Array, ...]:
        """Return all arrays."""
        return tuple(self.read(which) for which in range(len(self._kinds)))

    def drop(self) -> None:
        """Free the memory."""
        if self._arrays:
            self._arrays = ()
            self.spill.allow(self.num_bytes)


class Spill:
    """Arrays in memory and, beyond an allowance, in one temporary file.

    Parameters
    ----------
    allowance : int
        The bytes that may be kept in memory.
    folder : Path, optional
        Where the temporary file is; by default where the system keeps them.
    needed : int
        The bytes of disk that are expected to be needed at most, for error messages.

    Attributes
    ----------
    allowance : int
        The bytes that may still be kept in memory.
    bytes_read, bytes_written : int
        What has been read from disk and written to it.

    Examples
    --------
    >>> with Spill(allowance=8) as spill:
    ...     first, second = (spill.keep(np.arange(2, dtype=np.int32)) for _ in range(2))
    ...     first.in_memory, second.in_memory, second.read(0).tolist(), spill.bytes_written
    (True, False, [0, 1], 8)
    """

    def __init__(self, allowance: int, folder: Path | None = None, needed: int = 0) -> None:
        self.allowance = allowance
        self.bytes_read = self.bytes_written = 0
        self.file = ScratchFile(folder, needed)
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def keep(self, *arrays: Array, instead: Stored | None = None) -> Stored:
        """Keep contiguous arrays, which must not change afterwards.

        ``instead`` is dropped: what is kept takes its place on disk, and no more bytes.
        """
        size = sum(array.nbytes for array in arrays)
        if instead is not None:
            instead.drop()
        with self._lock:
            if size <= self.allowance:
                self.allowance -= size
                return Stored(self, arrays, None)
        start = at = instead.place if instead and instead.place is not None else self.file.reserve(size)
        for array in arrays:
            self.file.write(at, array)
            at += array.nbytes
        with self._lock:
            self.bytes_written += size
        return Stored(self, arrays, start)

    def allow(self, size: int) -> None:
        """Count bytes of memory as free."""
        with self._lock:
            self.allowance += size


def _write(file: Any, data: memoryview, start: int) -> None:
    """Write all of some bytes at a place."""
    while data:
        count = os.pwrite(file.fileno(), data, start)
        data, start = data[count:], start + count

"""Spill: arrays that stay in memory as far as an allowance goes, and on disk beyond it."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from retrosolve.errors import StoreError
from retrosolve.runtime.files import error_summary, one_line
from retrosolve.runtime.memory import format_bytes

Array = NDArray[Any]

PREFIX = "retrosolve-scratch-"


class Stored:
    """Arrays that were handed to a :class:`Spill`.

    Attributes
    ----------
    num_bytes : int
        The bytes of all of them.
    in_memory : bool
    sizes : list of int
        The length of each.
    """

    def __init__(self, spill: Spill, arrays: Sequence[Array], path: Path | None) -> None:
        self._spill = spill
        self._arrays = tuple(arrays) if path is None else ()
        self._kinds = [array.dtype for array in arrays]
        self.sizes = [len(array) for array in arrays]
        self._path = path
        self.in_memory = path is None
        self.num_bytes = sum(array.nbytes for array in arrays)

    def read(self, which: int, start: int = 0, stop: int | None = None) -> Array:
        """Return the items ``start..stop-1`` of an array: a view, or what is read from disk."""
        stop = self.sizes[which] if stop is None else stop
        if self._path is None:
            return self._arrays[which][start:stop]
        kind = self._kinds[which]
        before = sum(
            length * dtype.itemsize
            for length, dtype in zip(self.sizes[:which], self._kinds[:which], strict=True)
        )
        place = before + start * kind.itemsize
        found = np.fromfile(self._path, kind, stop - start, offset=place)
        if len(found) < stop - start:
            raise StoreError(one_line(f"{self._path} is cut short: expected what was written there"))
        self._spill.bytes_read += found.nbytes
        return found

    def read_all(self) -> tuple[Array, ...]:
        """Return all arrays."""
        return tuple(self.read(which) for which in range(len(self._kinds)))

    def drop(self) -> None:
        """Free the memory or the disk space."""
        if self._path is None:
            self._arrays = ()
        else:
            self._path.unlink()
        self._spill.freed(self)
        self.num_bytes = 0


class Spill:
    """Arrays in memory and, beyond an allowance, in the files of a temporary folder.

    Parameters
    ----------
    allowance : int
        The bytes that may be kept in memory.
    folder : Path, optional
        Where the temporary folder is made; by default where the system keeps temporary files.
    needed : int
        The bytes of disk that are expected to be needed at most, for error messages.

    Attributes
    ----------
    allowance : int
        The bytes that may still be kept in memory.
    bytes_read, bytes_written : int
        What has been read from disk and written to it.
    on_disk : int
        The bytes on disk now.

    Examples
    --------
    >>> with Spill(allowance=8) as spill:
    ...     first, second = (spill.keep(np.arange(2, dtype=np.int32)) for _ in range(2))
    ...     first.in_memory, second.in_memory, second.read(0).tolist(), spill.bytes_written
    (True, False, [0, 1], 8)
    """

    def __init__(self, allowance: int, folder: Path | None = None, needed: int = 0) -> None:
        self.allowance = allowance
        self.bytes_read = self.bytes_written = self.on_disk = 0
        self._needed = needed
        self._parent = folder
        self._folder: Path | None = None
        self._count = 0
        self._held = ExitStack()
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Delete what is on disk."""
        self._held.close()

    def folder(self) -> Path:
        """Return the temporary folder. Raises OSError if it cannot be made."""
        if self._folder is None:
            self._folder = self._held.enter_context(scratch_folder(self._where()))
        return self._folder

    @contextmanager
    def errors_named(self) -> Iterator[None]:
        """Raise StoreError for an error of the disk in the block."""
        try:
            yield
        except OSError as error:
            raise self._failed(error) from None

    def check_disk(self) -> None:
        """Raise StoreError if the disk has not as much space as is expected to be needed."""
        if self._needed <= 0:
            return
        where = self._where()
        try:
            free = shutil.disk_usage(where).free
        except OSError as error:
            raise self._failed(error) from None
        if free < self._needed:
            raise StoreError(
                one_line(
                    f"the solve needs about {format_bytes(self._needed)} of disk for what does not fit "
                    f"in memory, and {where} has {format_bytes(free)} free: expected more space there, "
                    "or another folder by scratch=, --scratch or TMPDIR"
                )
            )

    def keep(self, *arrays: Array) -> Stored:
        """Keep contiguous arrays, which must not change afterwards."""
        size = sum(array.nbytes for array in arrays)
        with self._lock:
            fits = size <= self.allowance
            self.allowance -= size if fits else 0
        if fits:
            return Stored(self, arrays, None)
        with self.errors_named():
            path = self.folder() / f"{self._count}.bin"
            self._count += 1
            with open(path, "xb", buffering=0) as file:
                for array in arrays:
                    _write(file, array.view(np.uint8).data)
        with self._lock:
            self.bytes_written += size
            self.on_disk += size
        return Stored(self, arrays, path)

    def freed(self, stored: Stored) -> None:
        """Count what was dropped as free."""
        with self._lock:
            if stored.in_memory:
                self.allowance += stored.num_bytes
            else:
                self.on_disk -= stored.num_bytes

    def _where(self) -> Path:
        """Return the folder of the files, or where it will be."""
        import tempfile

        return self._folder or self._parent or Path(tempfile.gettempdir())

    def _failed(self, error: OSError) -> StoreError:
        """Return the error for a failure of the disk."""
        where = self._where()
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            held = format_bytes(self.on_disk)
            full = "a file may not grow" if error.errno == errno.EFBIG else "the disk is full"
            return StoreError(
                one_line(
                    f"{full}: the solve has {held} in {where} and needs about "
                    f"{format_bytes(max(self._needed, self.on_disk))} there: expected more space, or "
                    "another folder by scratch=, --scratch or TMPDIR"
                )
            )
        return StoreError(
            one_line(f"cannot write to {where}: {error.strerror or error_summary(error)}")
        )


@contextmanager
def scratch_folder(parent: Path) -> Iterator[Path]:
    """Hold a new folder for temporary files, deleted at the end.

    It is locked, and the lock ends with the process: folders that killed processes left are deleted.

    Raises
    ------
    OSError
    """
    import tempfile

    for left in parent.glob(f"{PREFIX}*"):
        with suppress(OSError), _locked(left):
            shutil.rmtree(left, ignore_errors=True)
    with ExitStack() as held:
        folder = None
        while folder is None:
            made = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
            with suppress(BlockingIOError, FileNotFoundError):  # deleted by one that begins as well
                held.enter_context(_locked(made))
                folder = made if made.exists() else None
        held.callback(shutil.rmtree, folder, ignore_errors=True)
        yield folder


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Lock a folder. Raises BlockingIOError if another process has."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


def _write(file: Any, data: memoryview) -> None:
    """Write all of some bytes."""
    while data:
        data = data[file.write(data) :]

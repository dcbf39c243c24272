"""Directories that are read and replaced while other processes do the same.

A reader holds the directory open, so that all its files are from one save even if the directory is
renamed. Only if it is deleted before all files were opened must the reader start again.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import shutil
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, TypeVar

from retrosolve.errors import StoreError
from retrosolve.runtime.files import failed, open_file, sync_folder

ATTEMPTS = 50
PAUSE = 0.01
NEW, OLD = ".retrosolve-new", ".retrosolve-old"
RESTORE = "expected it as it was saved, restore it from a copy or solve again"
AT_FDCWD, RENAME_EXCHANGE = -100, 2  # of Linux

Found = TypeVar("Found")


class Folder:
    """A directory and the files opened in it. ``missing`` is the error of opening it, if any."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.handle: int | None = None
        self.missing: OSError | None = None
        self.held = ExitStack()
        for place in (path, beside(path, OLD)):  # the older one while it is moved aside
            try:
                self.handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
                self.held.callback(os.close, self.handle)
                self.missing = None
                return
            except OSError as error:
                self.missing = self.missing or error
                if not isinstance(error, FileNotFoundError):
                    return

    def names(self) -> set[str]:
        """Return the names of the files and folders in the directory."""
        return set(os.listdir(self.path if self.handle is None else self.handle))

    def open(self, names: Iterable[str]) -> dict[str, IO[bytes]]:
        """Open files, to be closed with the directory. Raises StoreError."""
        opened: dict[str, IO[bytes]] = {}
        for name in names:
            try:
                if self.missing is not None:
                    raise self.missing
                opened[name] = self.held.enter_context(open_file(Path(name), self.handle))
            except OSError as error:
                raise failed("read", self.path / name, error) from None
        return opened

    def replaced(self) -> bool:
        """Return whether another directory has taken the place of this one, or is about to."""
        try:
            now = self.path.stat()
            if self.handle is None:
                return stat.S_ISDIR(now.st_mode)
            before = os.fstat(self.handle)
            return (now.st_dev, now.st_ino) != (before.st_dev, before.st_ino)
        except OSError:
            return beside(self.path, OLD).exists()


def look_into(path: Path, look: Callable[[Folder], Found]) -> Found:
    """Return ``look(folder)``, called again if another save replaced the directory meanwhile.

    Parameters
    ----------
    path : Path
    look : callable
        Called with the :class:`Folder`; may raise StoreError.
    """
    attempts = ATTEMPTS
    while True:
        attempts -= 1
        folder = Folder(path)
        with folder.held:
            try:
                return look(folder)
            except StoreError:
                if not attempts or not folder.replaced():
                    raise
        time.sleep(PAUSE)


@contextmanager
def writing(target: Path) -> Iterator[Path]:
    """Hold an empty directory beside ``target`` that only one writer has at a time.

    The lock is on the directory itself and ends with the process, however it ends. Files of a
    process that was killed are deleted.

    Parameters
    ----------
    target : Path
        The path to save to.

    Yields
    ------
    Path
        The directory, deleted at the end unless it has been renamed.

    Raises
    ------
    StoreError
        If another writer has it.
    OSError
    """
    temporary = beside(target, NEW)
    with locked(temporary, target) as handle:
        try:
            _put_back(target)
            for path in list(temporary.iterdir()):
                delete(path)
            yield temporary
        finally:
            if _is_at(handle, temporary):
                shutil.rmtree(temporary, ignore_errors=True)


def beside(target: Path, suffix: str) -> Path:
    """Return the path of an auxiliary directory for saving to ``target``."""
    return target.with_name(f".{target.name}{suffix}")


@contextmanager
def locked(folder: Path, target: Path) -> Iterator[int]:
    """Hold a directory for this process alone.

    Parameters
    ----------
    folder : Path
        The directory, made if it is absent, also if it is renamed or deleted meanwhile.
    target : Path
        The path to save to, for the error.

    Yields
    ------
    int
        The handle of the directory.

    Raises
    ------
    StoreError
        If another process holds it.
    OSError
    """
    while True:
        with suppress(FileExistsError):
            folder.mkdir()
        try:
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:
            continue
        try:
            _lock(handle, target)
            if _is_at(handle, folder):
                yield handle
                return
        finally:
            os.close(handle)


def _lock(handle: int, target: Path) -> None:
    """Lock an open directory. Raises StoreError if another process has locked it."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise StoreError(
            f"cannot save {target}: another process is saving there, expected one at a time"
        ) from None


def _is_at(handle: int, path: Path) -> bool:
    """Return whether an open directory is at a path."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def delete(path: Path) -> None:
    """Delete a file, or a folder with all that is in it. Raises OSError."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def put_in_place(temporary: Path, target: Path) -> None:
    """Rename a new directory to its final name, replacing an older one. Raises OSError.

    The two are exchanged in one step where the system can. Elsewhere the older one is moved aside
    first, and is found there if the process is killed in between.

    Parameters
    ----------
    temporary : Path
        As yielded by :func:`writing`.
    target : Path
    """
    try:
        older = os.open(target, os.O_RDONLY | os.O_DIRECTORY)
    except FileNotFoundError:
        os.rename(temporary, target)
        sync_folder(target.parent)
        return
    try:
        # After the exchange it has the name that the next writer locks.
        fcntl.flock(older, fcntl.LOCK_EX)
        if _exchange(temporary, target):
            aside = temporary
        else:
            aside = beside(target, OLD)
            os.rename(target, aside)
            try:
                os.rename(temporary, target)
            except BaseException:
                _put_back(target)
                raise
        sync_folder(target.parent)
        shutil.rmtree(aside, ignore_errors=True)
    finally:
        os.close(older)


def _put_back(target: Path) -> None:
    """Move an older directory back that a process moved aside before it was killed."""
    aside = beside(target, OLD)
    if not aside.exists():
        return
    if target.exists():
        shutil.rmtree(aside)
    else:
        os.rename(aside, target)


def _exchange(one: Path, other: Path) -> bool:
    """Exchange the names of two directories in one step; return False where the system cannot."""
    libc = ctypes.CDLL(None, use_errno=True)
    if not hasattr(libc, "renameat2"):
        return False
    here = ctypes.c_int(AT_FDCWD)
    names = [ctypes.c_char_p(os.fsencode(path)) for path in (one, other)]
    if libc.renameat2(here, names[0], here, names[1], ctypes.c_uint(RENAME_EXCHANGE)) == 0:
        return True
    code = ctypes.get_errno()
    if code in (errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP):
        return False
    raise OSError(code, os.strerror(code))


@contextmanager
def flushed(path: Path, mode: str = "xb") -> Iterator[IO[bytes]]:
    """Open a file to write, which is flushed to disk at the end. Raises OSError."""
    with path.open(mode) as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def damaged(path: object, problem: str) -> StoreError:
    """Return the error for a file that is not as it was saved."""
    return StoreError(f"{path} is damaged, {problem}: {RESTORE}")

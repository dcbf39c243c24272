"""Directories that are read and replaced while other processes do the same.

A reader holds the directory open, so that all its files are from one save even if the directory is
renamed. Only if it is deleted before all files were opened must the reader start again.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, TypeVar

from retrosolve.errors import StoreError
from retrosolve.runtime.files import error_summary, one_line, open_file, sync_folder

ATTEMPTS = 50
PAUSE = 0.01
OLD = ".old"

Found = TypeVar("Found")


class Folder:
    """A directory and the files opened in it. ``missing`` is the error of opening it, if any."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.handle: int | None = None
        self.missing: OSError | None = None
        self.held = ExitStack()
        if os.open in os.supports_dir_fd:
            try:
                self.handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
                self.held.callback(os.close, self.handle)
            except OSError as error:
                self.missing = error

    def names(self) -> set[str]:
        """Return the names of what is in the directory."""
        return set(os.listdir(self.path if self.handle is None else self.handle))

    def open(self, name: str) -> IO[bytes]:
        """Open a file, to be closed with the directory. Raises StoreError."""
        path = self.path / name
        try:
            if self.missing is not None:
                raise self.missing
            file = open_file(path) if self.handle is None else open_file(Path(name), self.handle)
        except OSError as error:
            raise failed("read", path, error) from None
        return self.held.enter_context(file)

    def replaced(self) -> bool:
        """Return whether another directory has taken the place of this one, or is about to."""
        try:
            now = self.path.stat()
            if self.handle is None:
                return self.missing is not None and stat.S_ISDIR(now.st_mode)
            before = os.fstat(self.handle)
            return (now.st_dev, now.st_ino) != (before.st_dev, before.st_ino)
        except OSError:
            try:
                return any(name.endswith(OLD) for name in os.listdir(self.path.parent))
            except OSError:
                return False


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


def put_in_place(temporary: Path, target: Path) -> None:
    """Rename a new directory to its final name, replacing an older one.

    The old directory is moved aside first, and back if renaming fails. A concurrent save is replaced.

    Parameters
    ----------
    temporary, target : Path
        In the same folder.

    Raises
    ------
    OSError
    """
    for _ in range(ATTEMPTS):
        aside = target.with_name(f".{secrets.token_hex(6)}{OLD}")
        with suppress(FileNotFoundError):
            os.rename(target, aside)
        try:
            os.rename(temporary, target)
        except OSError as error:
            _put_back(aside, target)
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
        except BaseException:
            _put_back(aside, target)
            raise
        else:
            sync_folder(target.parent)
            shutil.rmtree(aside, ignore_errors=True)
            return
    raise OSError(errno.EBUSY, "others keep saving there")


def _put_back(aside: Path, target: Path) -> None:
    """Move the old directory back, or delete it if another save has taken its place."""
    try:
        os.rename(aside, target)
    except OSError:
        shutil.rmtree(aside, ignore_errors=True)


def failed(what: str, path: object, error: OSError) -> StoreError:
    """Return the error for a file or directory that could not be read or saved."""
    return StoreError(one_line(f"cannot {what} {path}: {error.strerror or error_summary(error)}"))

"""A directory held open, and put in place of another, while others may do the same.

A reader that holds the directory gets all files of one save, whatever is renamed meanwhile: only when
it is deleted before all files were opened does the reader have to look again.
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
    """A directory and the files opened in it. ``missing`` says why there is none."""

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
        """Open a file until the directory is closed. Raises StoreError."""
        path = self.path / name
        try:
            if self.missing is not None:
                raise self.missing
            file = open_file(path) if self.handle is None else open_file(Path(name), self.handle)
        except OSError as error:
            raise failed("read", path, error) from None
        return self.held.enter_context(file)

    def replaced(self) -> bool:
        """Tell whether another directory is in this one's place now, or is being put there."""
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
    """Call ``look`` with a directory, and again where another save replaced it meanwhile."""
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
    """Rename a new directory; the old one is moved aside first, and back if that fails.

    Where another save gets in between, this one is put over it.
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
    """Put the old directory back, or delete it where another save has taken its place."""
    try:
        os.rename(aside, target)
    except OSError:
        shutil.rmtree(aside, ignore_errors=True)


def failed(what: str, path: object, error: OSError) -> StoreError:
    """Make the error that says why a file or directory could not be read or saved."""
    return StoreError(one_line(f"cannot {what} {path}: {error.strerror or error_summary(error)}"))

"""Compiled kernels on disk: one file for each kernel, signature and processor.

A file is MAGIC, the SHA-256 hash of its place and of its content, and the content: a pickle. Nothing is
unpickled unless the hash is right, so a file that is damaged or lies in another's place is deleted and
written again. Pickles can run any code, so a folder that others may write to is not used at all. Files
are written under a temporary name and renamed. A cache that cannot be used costs time, never an answer:
it is logged, and the kernels are compiled without it.
"""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
import stat
from pathlib import Path
from typing import Any

MAGIC = b"retrosolve kernel 1\n"
HASHED = 32  # bytes of SHA-256
WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH

_log = logging.getLogger(__name__)
_warned: set[str] = set()


class KernelCache:
    """The compiled versions of one kernel in a folder, in the place of numba's own cache.

    ``stem`` begins the names of its files. The kernel's code and the constants in it must follow from
    the names of the folder and the files, by a digest.
    """

    def __init__(self, part: str, stem: str) -> None:
        self.part = part
        self.stem = stem

    @property
    def cache_path(self) -> str | None:
        """The folder; None where there is none."""
        top = root()
        return None if top is None else str(top / self.part)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return the version for a signature; None if it was not kept or cannot be loaded."""
        from numba.core.compiler import CompileResult

        target.refresh()
        top = root()
        if top is None:
            return None
        path = self._path(top, signature, target.codegen())
        content = read(path, top)
        if content is None:
            return None
        try:
            kept, reduced = pickle.loads(content)
            # Two types may be written alike. A class from a script that ran before is another class.
            return CompileResult._rebuild(target, *reduced) if kept == _types(signature) else None
        except Exception as error:
            # Another version of the package may have had a module or a name elsewhere.
            moved = isinstance(error, ImportError | AttributeError)
            level = logging.DEBUG if moved else logging.WARNING
            _log.log(level, "dropping %s: %s: %s", path, type(error).__name__, error)
            _remove(path)
            return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep a version. Where that fails, it is logged."""
        from numba.core.serialize import dumps

        top = root()
        if top is None:
            return
        if compiled.library.has_dynamic_globals or any(not x.can_cache for x in compiled.lifted):
            _log.debug("%s holds addresses of this process and is not kept", self.stem)
            return
        try:
            content = dumps((_types(signature), compiled._reduce()))
        except Exception as error:
            _log.debug("%s is not kept: %s: %s", self.stem, type(error).__name__, error)
            return
        write(self._path(top, signature, compiled.codegen), top, content)

    def _path(self, top: Path, signature: Any, codegen: Any) -> Path:
        key = [str(one) for one in (*_types(signature), *codegen.magic_tuple())]
        short = hashlib.sha256(repr(key).encode()).hexdigest()[:16]
        return top / self.part / f"{self.stem}-{short}.kernel"

    def flush(self) -> None:
        """Do nothing: numba asks for it."""


def root() -> Path | None:
    """Return the folder of all kernels: NUMBA_CACHE_DIR or the user's cache; None without either."""
    import numba

    settings: Any = numba.config
    try:
        if settings.CACHE_DIR:
            return Path(os.path.abspath(settings.CACHE_DIR))
        from platformdirs import user_cache_path

        path = user_cache_path("retrosolve")
    except (OSError, RuntimeError) as error:
        _warn(str(error))
        return None
    if not path.is_absolute():  # no home: "~" stands for itself
        _warn("there is no home folder")
        return None
    return path


def read(path: Path, top: Path) -> bytes | None:
    """Return the content of a file below ``top``; None without one. A damaged one is deleted."""
    if not _is_trusted(path.parent, top):
        return None
    try:
        whole = path.read_bytes()
    except OSError:
        return None
    head = MAGIC + _hash(path, whole[len(MAGIC) + HASHED :])
    if whole[: len(head)] == head:
        return whole[len(head) :]
    _log.warning("dropping %s: it is damaged", path)
    _remove(path)
    return None


def write(path: Path, top: Path, content: bytes) -> None:
    """Write a file below ``top``, whole or not at all. Where that fails, it is logged."""
    temporary = path.with_name(f"{path.name}.{os.urandom(8).hex()}.tmp")
    try:
        _make(path.parent)
        if not _is_trusted(path.parent, top):
            return
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            with open(os.open(temporary, flags, 0o600), "wb") as file:
                file.write(MAGIC + _hash(path, content))
                file.write(content)
            os.replace(temporary, path)
        except BaseException:
            _remove(temporary)
            raise
    except OSError as error:
        _warn(f"{path.parent}: {error}")


def _hash(path: Path, content: bytes) -> bytes:
    found = hashlib.sha256(f"{path.parent.name}/{path.name}\n".encode())
    found.update(content)
    return found.digest()


def _make(folder: Path) -> None:
    """Make a folder and those above it, for the user alone."""
    if folder.is_dir():
        return
    if folder.parent != folder:
        _make(folder.parent)
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:  # by another process, just now; or it is a file
        if not folder.is_dir():
            raise


def _is_trusted(folder: Path, top: Path) -> bool:
    """Return whether a folder exists and nobody else can change what is in it.

    The folders above it up to ``top`` are looked at too. Those may be open to others where they cannot
    rename what is not theirs, as in /tmp.
    """
    place = folder
    while True:
        try:
            found = place.stat()
        except OSError:
            return False
        shared = found.st_mode & WRITABLE_BY_OTHERS
        if place != folder and found.st_mode & stat.S_ISVTX:
            shared = 0
        if shared or found.st_uid not in (0, os.geteuid()):
            _warn(f"others may write to {place}, and compiled code is to be loaded from there")
            return False
        if place in (top, place.parent):
            return True
        place = place.parent


def _types(signature: Any) -> tuple[Any, ...]:
    from numba.core.sigutils import normalize_signature

    return tuple(normalize_signature(signature)[0])


def _remove(path: Path) -> None:
    try:
        path.unlink()
    except OSError:
        _log.debug("%s cannot be deleted", path)


def _warn(reason: str) -> None:
    """Log once in a process that kernels are not kept."""
    if not _warned:
        _warned.add(reason)
        _log.warning("compiled kernels are not kept, and are compiled again each time: %s", reason)

"""Files: reading them whole, writing them atomically, and the form of their errors.

A file is written under a temporary name in the same folder, flushed to disk and renamed. A reader sees
the old file or the complete new one, and a failure leaves only the old one.
"""

from __future__ import annotations

import errno
import gzip
import importlib
import io
import os
import re
import stat
import warnings
import zlib
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

import numpy as np

from retrosolve.errors import FormatError, RetrosolveError, StoreError, one_line
from retrosolve.runtime import memory
from retrosolve.runtime.context import Progress, ProgressCallback

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

UNICODE = "expected Unicode text, without surrogates"
MAX_REPR_LENGTH = 60
CHUNK = 1 << 20
MEMORY_PER_BYTE = 3  # bytes of memory per byte of a file: its data, its text and its contents
INHERITED_FILES = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")

Writer = Callable[[IO[bytes]], object]
Place = int | str | None  # a line, a description, or None for the whole file
Read = TypeVar("Read")


def short_repr(value: object) -> str:
    """Return the ``repr`` of a value for an error message, shortened to about 60 characters."""
    if isinstance(value, str | bytes) and len(value) > MAX_REPR_LENGTH:
        return repr(value[: MAX_REPR_LENGTH - 10]) + "..."
    text = safe_repr(value)
    return text if len(text) <= MAX_REPR_LENGTH else text[: MAX_REPR_LENGTH - 3] + "..."


def safe_repr(value: object) -> str:
    """Return the ``repr`` of a value; that of a plain object if its own raises an exception."""
    try:
        return repr(value)
    except Exception:
        return object.__repr__(value)


def error_summary(error: BaseException | str) -> str:
    """Return the message of another library's error, shortened and on one line."""
    text = " ".join(str(error).split()).rstrip(".")
    if not text:
        return type(error).__name__
    return text if len(text) <= 2 * MAX_REPR_LENGTH else text[: 2 * MAX_REPR_LENGTH - 3] + "..."


@contextmanager
def system_errors(what: str, path: object) -> Iterator[None]:
    """Raise StoreError where the block, which does ``what`` with ``path``, fails.

    That is for an error of the system, and for text that UTF-8 cannot encode.
    """
    try:
        yield
    except (OSError, UnicodeEncodeError) as error:
        raise failed(what, path, error) from None


def failed(what: str, path: object, error: OSError | UnicodeEncodeError) -> StoreError:
    """Return the error for a file or directory that could not be read or saved."""
    return StoreError(f"cannot {what} {path}: {error_text(error)}")


def error_text(error: Exception) -> str:
    """Return the message of the system for an error, the place of a surrogate, or the error's own."""
    if isinstance(error, UnicodeEncodeError):
        around = error.object[max(0, error.start - 20) : error.end + 20]
        return f"{around!r} holds {error.object[error.start]!r}: {UNICODE}"
    return getattr(error, "strerror", None) or error_summary(error)


@dataclass(frozen=True)
class Source:
    """A file that was read: its name for error messages, and its bytes."""

    name: str
    data: bytes

    def error(self, text: str, place: Place = None) -> FormatError:
        """Return the error for this file at a place in it."""
        where = f", line {place}" if isinstance(place, int) else f", {place}" if place else ""
        return FormatError(f"{self.name}{where}: {text}")

    def check_text(self) -> None:
        """Raise FormatError if the bytes are not UTF-8 text."""
        if self.data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
            raise self.error("UTF-16 text, as Excel writes Unicode text: expected UTF-8 text", 1)
        if self.data.startswith(2 * BOM_UTF8):
            raise self.error("two byte order marks: expected one at most", 1)
        try:
            self.data.decode()
        except UnicodeDecodeError as error:
            raise self.error(
                f"byte {short_repr(self.data[error.start : error.start + 1])} is not UTF-8: "
                "expected UTF-8 text",
                self.data.count(b"\n", 0, error.start) + 1,
            ) from None
        place = self.data.find(b"\0")
        if place >= 0:
            raise self.error("a NUL byte: expected text", self.data.count(b"\n", 0, place) + 1)

    def text(self) -> str:
        """Return the file as text, without a byte order mark. Raises FormatError."""
        self.check_text()
        return self.data.decode("utf-8-sig")


def load(where: Any, gzipped: bool) -> Source:
    """Read a file whole.

    Parameters
    ----------
    where : str, Path or binary file
    gzipped : bool
        Whether to decompress the file.

    Raises
    ------
    FormatError
        If the file cannot be read, or is not gzip data where it should be.
    MemoryBudgetError
        If it does not fit into the free memory.
    """
    if hasattr(where, "read"):
        name = one_line(str(getattr(where, "name", "input")))
        data = _read(name, where.read)
        if not isinstance(data, bytes):
            raise FormatError(f"{name} gave {type(data).__name__}: expected a file open for bytes")
    else:
        path = as_path(where)
        name = one_line(str(path))
        data = _read(name, lambda: _contents(path, name))
    source = Source(name, data)
    return Source(name, gunzip(source)) if gzipped else source


def _contents(path: Path, name: str) -> bytes:
    """Return the bytes of a file, checking the free memory first."""
    with open_file(path) as file:
        memory.require_free(os.fstat(file.fileno()).st_size, f"reading {name}")
        return file.read()


def open_file(path: Path, folder: int | None = None) -> IO[bytes]:
    """Open a regular file for reading.

    Parameters
    ----------
    path : Path
    folder : int, optional
        The handle of the directory that ``path`` is relative to.

    Raises
    ------
    OSError
        Also for a pipe, a socket or a device, which might block or never end. Those that the process
        inherited, such as ``/dev/stdin``, are allowed.
    """
    inherited = folder is None and str(path).startswith(INHERITED_FILES)
    flags = os.O_RDONLY | (0 if inherited else os.O_NONBLOCK)
    handle = os.open(path, flags, dir_fd=folder)
    kind = os.fstat(handle).st_mode
    if inherited or stat.S_ISREG(kind):
        return os.fdopen(handle, "rb")
    os.close(handle)
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    raise OSError(errno.EINVAL, "expected a regular file, not a pipe or a device")


def as_path(where: Any) -> Path:
    """Return a path given as text or Path. Raises FormatError for anything else."""
    if not isinstance(where, str | os.PathLike) or not isinstance(os.fspath(where), str):
        raise FormatError(f"{short_repr(where)} is not a path: expected text, a Path, or a binary file")
    if not os.fspath(where):
        raise FormatError("the path is empty: expected the name of a file")
    return Path(where)


def _read(name: str, read: Callable[[], Any]) -> Any:
    """Call ``read``, with its errors raised as FormatError."""
    try:
        return read()
    except OSError as error:
        raise FormatError(f"cannot read {name}: {error_text(error)}") from None
    except ValueError as error:  # a NUL in the path, a closed file, text in another encoding
        raise FormatError(f"cannot read {name}: {error_summary(error)}") from None


def gunzip(source: Source) -> bytes:
    """Return decompressed gzip data, checking the free memory for each chunk."""
    if source.data[:2] != b"\x1f\x8b":
        raise source.error(f"starts with {short_repr(source.data[:2])}: expected gzip data")
    whole = io.BytesIO()  # grows in place, and returns its bytes without a copy
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(source.data)) as compressed:
            while part := compressed.read(CHUNK):
                more = (MEMORY_PER_BYTE - 1) * (whole.tell() + len(part)) + len(part)
                memory.require_free(more, f"reading {source.name}")
                whole.write(part)
    except (OSError, EOFError, zlib.error) as error:
        raise source.error(f"damaged gzip data, {error_summary(error)}") from None
    return whole.getvalue()


def import_library(name: str, doing: str, extra: str | None = "formats") -> Any:
    """Import an optional library that ``doing`` needs. Raises FormatError if it is missing.

    ``extra`` is the optional dependency of this package that installs it, None if none does.
    """
    try:
        return importlib.import_module(name)
    except ImportError:
        package = name if extra is None else f"'retrosolve[{extra}]'"
        raise FormatError(f"{doing} needs {name}: pip install {package}") from None


def call_library(source: Source, expected: str, call: Callable[[], Read]) -> tuple[Read, str]:
    """Call another library to read a file; return its result and what it printed.

    Warnings are ignored, and any exception becomes a FormatError of the file.
    """
    printed = io.StringIO()
    try:
        with warnings.catch_warnings(), redirect_stdout(printed):
            warnings.simplefilter("ignore")
            return call(), printed.getvalue()
    except MemoryError:
        raise
    # These libraries raise KeyError, AttributeError, RecursionError and others for malformed files.
    # Only their call is in this block, so the file must be the cause.
    except Exception as error:
        text = re.sub(r": line \d+, column \d+", "", error_summary(error))
        what = f"unknown {text}" if isinstance(error, KeyError) else text
        line, _ = getattr(error, "position", (None, None))  # errors of the XML parser have it
        raise source.error(f"{what}: expected {expected}", line) from None


def gzip_writer(write: Writer) -> Writer:
    """Return a writer whose output is compressed; the same input gives the same bytes."""

    def write_gzipped(file: IO[bytes]) -> None:
        with gzip.GzipFile("", "wb", 6, file, mtime=0) as compressed:
            write(_WriteOnly(compressed))  # type: ignore[arg-type]  # writers only write

    return write_gzipped


def reported_writer(write: Writer, progress: ProgressCallback) -> Writer:
    """Return a writer that reports after each megabyte how many bytes are written."""
    return lambda file: write(_Reported(file, progress))  # type: ignore[arg-type]  # all but its type


class _Reported:
    """A file that reports how much is written to it."""

    def __init__(self, file: IO[bytes], progress: ProgressCallback) -> None:
        self.file, self.progress = file, progress
        self.done = self.reported = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)

    def write(self, data: ReadableBuffer) -> int:
        written = self.file.write(data)
        self.done += written
        if self.done - self.reported >= CHUNK:
            self.reported = self.done
            self.progress(Progress("writing bytes", self.done, None))
        return written


class _WriteOnly(io.RawIOBase):
    """A gzip file that cannot be read or rewound, which zipfile would try."""

    def __init__(self, file: gzip.GzipFile) -> None:
        self.file = file

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer) -> int:
        return self.file.write(data)


class Utf8:
    """A text interface to a binary file, in UTF-8."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file

    def write(self, text: str) -> int:
        """Write text."""
        return self.file.write(text.encode())

    def put(self, pieces: Iterable[str]) -> None:
        """Write several pieces of text."""
        for piece in pieces:
            self.file.write(piece.encode())


NO_FILE = "it is a pipe or a device, expected a regular file, which is replaced"


def write_files(parts: Iterable[tuple[Path, Writer]]) -> None:
    """Write all files or none, and rename them into place in the order given.

    Parameters
    ----------
    parts : iterable of (Path, Writer)

    Raises
    ------
    FormatError
        If writing fails. Existing files stay as they were.
    """
    pending: list[tuple[Path, Path]] = []
    path: Path | None = None
    try:
        for path, write in parts:
            target = Path(os.path.realpath(path))
            if target.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if target.exists() and not target.is_file():
                raise FormatError(f"cannot write {path}: {NO_FILE}")
            temporary = target.with_name(f".{os.urandom(6).hex()}.tmp")
            with open(temporary, "xb") as file:
                pending.append((temporary, target))
                write(file)
                file.flush()
                os.fsync(file.fileno())
        while pending:
            temporary, path = pending[0]
            if path.exists():
                temporary.chmod(path.stat().st_mode & 0o777)
            os.replace(temporary, path)
            del pending[0]
            sync_folder(path.parent)
    except (OSError, ValueError) as error:
        if isinstance(error, RetrosolveError):
            raise
        raise FormatError(f"cannot write {path}: {error_text(error)}") from None
    finally:
        for temporary, _ in pending:
            with suppress(OSError):
                temporary.unlink()


def sync_folder(folder: Path) -> None:
    """Flush the names in a folder to disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def npy_header(file: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Return the shape, whether in Fortran order, and the dtype in a .npy header. Raises ValueError."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a damaged header may look like odd Python
        version = np.lib.format.read_magic(file)
        if version == (1, 0):
            return np.lib.format.read_array_header_1_0(file)
        if version == (2, 0):
            return np.lib.format.read_array_header_2_0(file)
    raise ValueError(f".npy version {version}: expected 1.0 or 2.0")

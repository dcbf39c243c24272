"""The standard streams of the process: a full disk, a closed stream and narrow encodings.

A stream that fails raises an error with one sentence, once. Where stderr fails nobody can be told, and
the exit status alone says what happened.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TextIO

from retrosolve.errors import FormatError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

ESCAPED = "backslashreplace"  # what an encoding lacks, as \u....


class OutputError(Exception):
    """Standard output cannot be written.

    Parameters
    ----------
    error : OSError
        The reason.
    """

    def __init__(self, error: OSError) -> None:
        super().__init__(f"cannot write to standard output: {error.strerror}")
        self.nobody_reads = isinstance(error, BrokenPipeError)


class _Input(io.FileIO):
    """Standard input; reading raises FormatError."""

    def readall(self) -> bytes:
        try:
            return super().readall()
        except OSError as error:
            raise _unreadable(error) from None

    def readinto(self, buffer: WriteableBuffer) -> int:
        try:
            return super().readinto(buffer)
        except OSError as error:
            raise _unreadable(error) from None


def _unreadable(error: OSError) -> FormatError:
    return FormatError(f"cannot read standard input: {error.strerror}")


class _Output(io.FileIO):
    """Standard output; writing raises OutputError, and what comes later is dropped."""

    failed = False

    def write(self, data: ReadableBuffer) -> int:
        if not self.failed:
            try:
                return super().write(data)
            except OSError as error:
                self.failed = True
                raise OutputError(error) from None
        return memoryview(data).nbytes


class _Errors(io.FileIO):
    """Standard error; what cannot be written is dropped."""

    def write(self, data: ReadableBuffer) -> int:
        with suppress(OSError):
            return super().write(data)
        return memoryview(data).nbytes


def guard() -> None:
    """Replace standard streams that may fail: those that are closed or not a terminal."""
    for number, flags in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_RDONLY)):
        try:
            os.fstat(number)
        except OSError:  # closed: the next file that is opened would take its place
            os.open(os.devnull, flags)  # so that using it fails as before
    if _may_fail(sys.stdin):
        buffered = io.BufferedReader(_Input(0, "r", closefd=False))
        sys.stdin = io.TextIOWrapper(buffered, **_encoding(sys.stdin))
    if _may_fail(sys.stdout):
        output = io.BufferedWriter(_Output(1, "w", closefd=False))
        sys.stdout = io.TextIOWrapper(output, **_encoding(sys.stdout))
    if _may_fail(sys.stderr):
        errors = io.BufferedWriter(_Errors(2, "w", closefd=False))
        sys.stderr = io.TextIOWrapper(errors, **_encoding(sys.stderr), line_buffering=True)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=ESCAPED)


def _may_fail(stream: TextIO | None) -> bool:
    """Return whether a stream is closed, or a file or a pipe."""
    return stream is None or not stream.isatty()


def _encoding(stream: TextIO | None) -> dict[str, Any]:
    """Return the encoding of a stream as arguments of a new one."""
    return {"encoding": "utf-8" if stream is None else stream.encoding, "errors": ESCAPED}

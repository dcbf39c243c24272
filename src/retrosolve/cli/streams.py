"""The standard streams of the process: a full disk, a closed stream and narrow encodings.

A stream that fails raises an error with one sentence, once. Where stderr fails nobody can be told, and
the exit status alone says what happened.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TextIO

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
        with _readable():
            return super().readall()

    def readinto(self, buffer: WriteableBuffer) -> int:
        with _readable():
            return super().readinto(buffer)


@contextmanager
def _readable() -> Iterator[None]:
    """Raise FormatError for an error of the system in the block."""
    try:
        yield
    except OSError as error:
        raise FormatError(f"cannot read standard input: {error.strerror}") from None


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
    buffers: tuple[io.BufferedReader | io.BufferedWriter, ...] = (
        io.BufferedReader(_Input(0, "r", closefd=False)),
        io.BufferedWriter(_Output(1, "w", closefd=False)),
        io.BufferedWriter(_Errors(2, "w", closefd=False)),
    )
    for name, buffer in zip(("stdin", "stdout", "stderr"), buffers, strict=True):
        stream: TextIO | None = getattr(sys, name)
        if stream is None or not stream.isatty():
            encoding = "utf-8" if stream is None else stream.encoding
            stream = io.TextIOWrapper(buffer, encoding, line_buffering=name == "stderr")
            setattr(sys, name, stream)
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=ESCAPED)

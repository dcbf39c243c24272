"""The format of a file by its content, where the file extension does not say it."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from retrosolve.errors import FormatError
from retrosolve.formats.board import is_board_row, parse_board
from retrosolve.formats.delimited import BLANKS, find_layout, first_line
from retrosolve.formats.table import BOARD, FORMATS
from retrosolve.runtime.files import Source, gunzip, load, short_repr

EDGES = "edges"
GZIP = b"\x1f\x8b"

DOT = re.compile(r"\s*(strict\s+)?(di)?graph\b[^{\n]*\{", re.IGNORECASE)
PARITY = re.compile(r"\s*(parity\s+\d+|start\s+\d+|\d+\s+\d+\s+[01]\s+[\d,]+(\s*\".*\")?)\s*;")
PARITY_SOLUTION = re.compile(r"\s*paritysol\s+\d+\s*;")
MATRIX_MARKET = "%%MatrixMarket"


@dataclass(frozen=True)
class Content:
    """A file that was read, and its format.

    Parameters
    ----------
    format : str
        The name of a format, or ``"board"``.
    source : Source
    place : Path or None
        Where the file is; None for an open file.
    gzipped : bool
        Whether the file was compressed with gzip.
    detected : bool
        Whether the content decided.
    """

    format: str
    source: Source
    place: Path | None
    gzipped: bool
    detected: bool


def read_content(path: str | Path | IO[bytes], format: str | None, gzipped: bool) -> Content:
    """Read a file and find its format.

    Parameters
    ----------
    path : str, Path or binary file
    format : str or None
        The name of the format if it is known.
    gzipped : bool
        Whether the file is known to be compressed.

    Raises
    ------
    FormatError
        If the file cannot be read or its content is of no format.
    """
    source = load(path, gzipped)
    if format is None and not gzipped and source.data[:2] == GZIP:
        source, gzipped = Source(source.name, gunzip(source)), True
    found = detect(source) if format is None else format
    place = None if hasattr(path, "read") else Path(path)
    return Content(found, source, place, gzipped, format is None)


def detect(source: Source) -> str:
    r"""Return the name of the format of a file, by its content.

    Parameters
    ----------
    source : Source

    Returns
    -------
    str
        A name in ``FORMATS``, or ``"board"``.

    Raises
    ------
    FormatError
        If the content is of no format; the message names those that were tried.

    Examples
    --------
    >>> detect(Source("a", b"P.E\n*.T")), detect(Source("b", b"# from SNAP\n1 2\n2 3\n"))
    ('board', 'edges')
    """
    if source.data[:4] == b"PAR1":
        return "parquet"
    if source.data[:4] == b"PK\x03\x04" and _has_arrays(source.data):
        return "npz"
    source.check_text()
    head = source.data[:1000].decode(errors="ignore").lstrip("\ufeff \t\r\n")
    for format, begins in _BEGINNINGS.items():
        if begins(head):
            return format
    if head.startswith(MATRIX_MARKET):
        raise source.error(
            "a Matrix Market file: expected a graph; Graph.from_scipy(scipy.io.mmread(path)) reads it"
        )
    line = first_line(source)
    if is_board_row(source.data):
        return BOARD
    layout = find_layout(source, None)
    cells = line.split() if layout.delimiter == BLANKS else line.split(layout.delimiter)
    if len(cells) > 1:
        return EDGES
    tried = ", ".join(name for name, kind in FORMATS.items() if kind.reader)
    found = f"line {short_repr(line)}" if line else "no lines"
    raise source.error(f"{found} is of no known format: tried {BOARD}, {tried}; {_board_error(source)}")


def _has_arrays(data: bytes) -> bool:
    """Return whether data is a zip archive of arrays."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return any(name.endswith(".npy") for name in archive.namelist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        return False


_BEGINNINGS: dict[str, Any] = {
    "graphml": lambda head: head.startswith("<"),
    "json": lambda head: head.startswith(("{", "[")),
    "dot": DOT.match,
    "sol": PARITY_SOLUTION.match,
    "pg": PARITY.match,
}


def _board_error(source: Source) -> str:
    """Return what is wrong with the content as a board."""
    try:
        parse_board(source.data, BOARD)
    except FormatError as error:
        return f"as a {error}"
    return ""

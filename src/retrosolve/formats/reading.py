"""Reading graphs and solutions from files, whose format the extension or the content selects."""

from __future__ import annotations

import io
import logging
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from retrosolve.errors import FormatError
from retrosolve.formats.board import is_board_row, parse_board
from retrosolve.formats.delimited import BLANKS, find_layout, first_line
from retrosolve.formats.graphfile import GraphFile
from retrosolve.formats.table import (
    BOARD,
    FORMATS,
    TABLE,
    display_name,
    find_format,
    split_suffix,
    with_infix,
)
from retrosolve.runtime.files import Source, as_path, gunzip, load, short_repr
from retrosolve.solution import Solution
from retrosolve.spaces.graph import Graph

_log = logging.getLogger(__name__)


def read_graph(
    path: str | Path | IO[bytes],
    format: str | None = None,
    names: bool | None = None,
    vertices: str | Path | None = None,
    header: bool | None = None,
) -> Graph:
    """Read a graph from a file.

    Parameters
    ----------
    path : str, Path or binary file
        The file to read.
    format : str, optional
        The name of the format, for instance ``"csv"`` or ``"csv.gz"``. By default the file extension
        selects it, and where that is unknown, the content.
    names : bool, optional
        For edge lists: whether the cells are names (True) or whole numbers (False). By default they
        are numbers if all of them are whole numbers without leading zeros.
    vertices : str or Path, optional
        For edge lists: the path of the vertex table. By default ``g.vertices.csv`` beside ``g.csv``, if
        it exists.
    header : bool, optional
        For edge lists: whether the first row is a header. By default it is one if it has a known pair
        of columns, such as source and target.

    Returns
    -------
    Graph

    Raises
    ------
    FormatError
        If the file cannot be read or does not hold a graph. The message names the file and the line
        or key.
    MemoryBudgetError
        If the file does not fit into the free memory.

    Notes
    -----
    Runs in time linear in the size of the file, which is read whole. A solution in the file is
    checked for its form, but not returned; :func:`read_solution` returns it. Where a file could be read
    in another way too, a warning is logged; :func:`retrosolve.formats.read_graph_file` returns it in
    ``notes``.

    Examples
    --------
    >>> import io
    >>> read_graph(io.BytesIO(b"source,target\\na,b\\nb,a\\n"))
    Graph(vertices=2, edges=2, names)
    """
    return _logged(read_graph_file(path, format, names, vertices, header)).graph


def read_graph_file(
    path: str | Path | IO[bytes],
    format: str | None = None,
    names: bool | None = None,
    vertices: str | Path | None = None,
    header: bool | None = None,
) -> GraphFile:
    """Read everything that a file holds: the graph, the initial position and a solution.

    Parameters
    ----------
    path, format, names, vertices, header
        As for :func:`retrosolve.read_graph`.

    Returns
    -------
    GraphFile
        Its fields are None for what the file does not hold.

    Raises
    ------
    FormatError, MemoryBudgetError
        As for :func:`retrosolve.read_graph`.

    Notes
    -----
    Cost: time linear in the size of the file, which is read whole.

    Examples
    --------
    >>> import io
    >>> read_graph_file(io.BytesIO(b"parity 1; start 1; 0 0 0 1; 1 1 1 1;"), "pg").start
    1
    """
    _check_options(find_format(path, format)[0], names, vertices, header)
    return graph_in(find_content(path, format), names, vertices, header)


def find_content(path: str | Path | IO[bytes], format: str | None = None) -> Content:
    """Read a file whole and find its format, ``"board"`` included.

    Parameters
    ----------
    path : str, Path or binary file
    format : str, optional
        By default the file extension selects it, and where that is unknown, the content.

    Raises
    ------
    FormatError, MemoryBudgetError
        As for :func:`read_graph`.
    """
    known, gzipped = (BOARD, False) if format == BOARD else find_format(path, format)
    source = load(path, gzipped)
    if known is None and not gzipped and source.data[:2] == GZIP:
        source, gzipped = Source(source.name, gunzip(source)), True
    place = None if hasattr(path, "read") else Path(path)
    return Content(known or detect(source), source, place, gzipped, known is None)


def graph_in(
    content: Content,
    names: bool | None = None,
    vertices: str | Path | None = None,
    header: bool | None = None,
) -> GraphFile:
    """Return the contents of a file that was read, as :func:`read_graph_file` does."""
    kind = FORMATS.get(content.format)
    if kind is None:
        raise content.source.error("a board of policeman and thief: expected a graph")
    read = kind.read
    if read is None:
        raise FormatError(
            f"{content.source.name} holds winners and not a graph: "
            "read it with read_pgsolver_solution, and the graph from its .pg file"
        )
    _check_options(kind.name, names, vertices, header)
    if not kind.has_table:
        return read(content.source)
    table = None
    where = _table_beside(content.place) if vertices is None else as_path(vertices)
    if where is not None:
        suffix, table_gzipped = split_suffix(where)
        data = load(where, content.gzipped if vertices is None else table_gzipped)
        table = data, {".csv": ",", ".tsv": "\t"}.get(suffix, kind.delimiter)
    try:
        return read(content.source, names=names, table=table, header=header)
    except FormatError as error:
        if not content.detected:
            raise
        raise FormatError(f"{error} (read as edges, which no other format fits better)") from None


def _check_options(
    format: str | None, names: bool | None, vertices: str | Path | None, header: bool | None
) -> None:
    """Raise FormatError for options of another type, or of edge lists with another format."""
    for what, given in (("names", names), ("header", header)):
        if given is not None and not isinstance(given, bool):
            raise FormatError(f"{what}={short_repr(given)}: expected True, False or None")
    any_given = names is not None or vertices is not None or header is not None
    if any_given and format in FORMATS and not FORMATS[format].has_table:
        raise FormatError(
            "names=, vertices= and header= (--names, --vertices, --header) are for edge lists, "
            f"not {format}"
        )


def _logged(graph_file: GraphFile) -> GraphFile:
    """Log the notes of a file and return it."""
    for note in graph_file.notes:
        _log.warning("%s", note)
    return graph_file


def read_solution(
    path: str | Path | IO[bytes],
    format: str | None = None,
    names: bool | None = None,
    vertices: str | Path | None = None,
    header: bool | None = None,
) -> Solution:
    """Read a solution from a file that was written from one.

    Parameters
    ----------
    path, format, names, vertices, header
        As for :func:`read_graph`.

    Returns
    -------
    Solution
        What the file claims. It is complete and in range, but nothing is solved here:
        :func:`retrosolve.verify` proves whether it is right.

    Raises
    ------
    FormatError
        As for :func:`read_graph`, and if the file holds no value and remoteness.
    MemoryBudgetError
        As for :func:`read_graph`.

    Notes
    -----
    Cost: time linear in the size of the file, which is read whole.

    Examples
    --------
    >>> import io
    >>> import retrosolve as rs
    >>> file = io.BytesIO()
    >>> rs.write(rs.solve(rs.Graph.from_edges(["a", "b"], ["b", "c"])), file, "json")
    >>> str(read_solution(io.BytesIO(file.getvalue()), "json")["a"])
    'LOSS in 2'
    """
    solution = _logged(read_graph_file(path, format, names, vertices, header)).solution()
    if solution is None:
        raise FormatError(
            f"{display_name(path)} holds no value and remoteness: "
            "expected a file written from a Solution"
        )
    return solution


def _table_beside(path: Path | None) -> Path | None:
    """Return the path of the vertex table beside an edge list, None if there is none."""
    if path is None:
        return None
    try:
        beside = with_infix(path, TABLE)
        return beside if beside.exists() else None
    except (OSError, ValueError):
        return None  # reading the path itself fails too, and reports it


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
    content = f"line {short_repr(line)}" if line else "no lines"
    raise source.error(
        f"{content} is of no known format: tried {BOARD}, {tried}; {_board_error(source)}"
    )


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
    """Return the error in the content as a board."""
    try:
        parse_board(source.data, BOARD)
    except FormatError as error:
        return f"as a {error}"
    return ""

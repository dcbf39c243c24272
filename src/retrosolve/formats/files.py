"""Reading and writing graphs and solutions in files, whose format the extension or the content selects.

A solution may also be written as rows, one for each position, without moves: ``.csv``, ``.tsv`` and
``.parquet``. The columns are ``position``, ``player`` (if positions say who moves), ``value`` (a word)
and ``remoteness`` (nothing for a DRAW). A block of vertices is decoded and written at a time, so a
table on disk may be larger than the memory.
"""

from __future__ import annotations

import csv
import io
import logging
import os
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, NamedTuple

from retrosolve.errors import FormatError, GraphError, one_line
from retrosolve.formats.board import looks_like_board, parse_board
from retrosolve.formats.graphfile import GraphFile, OutputFile, as_graph_file
from retrosolve.formats.table import (
    BOARD,
    FORMATS,
    TABLE,
    Format,
    display_name,
    find_format,
    split_suffix,
    with_infix,
    without_infix,
)
from retrosolve.runtime.context import Progress, ProgressCallback, check_progress, no_progress
from retrosolve.runtime.delimited import cut, find_layout, first_line
from retrosolve.runtime.files import (
    NO_FILE,
    Source,
    Utf8,
    as_path,
    error_text,
    gunzip,
    gzip_writer,
    import_library,
    load,
    reported_writer,
    short_repr,
    write_files,
)
from retrosolve.solution import Solution
from retrosolve.solution.frames import (
    Column,
    ColumnBlock,
    Lists,
    Words,
    arrow_table,
    move_blocks,
    outcome_blocks,
    sample_evenly,
)
from retrosolve.spaces.base import StateSpace
from retrosolve.spaces.csr.attribute_names import USUAL, ColumnNames
from retrosolve.spaces.csr.notes import of_names, quiet
from retrosolve.spaces.graph import Graph

_log = logging.getLogger(__name__)


class EdgeOptions(NamedTuple):
    """How the edges of a file are to be read, as far as it says less: see :func:`read_graph`."""

    names: bool | None = None
    vertices: str | Path | None = None
    header: bool | None = None
    columns: ColumnNames = USUAL

    def check(self, format: str | None) -> None:
        """Raise FormatError for options of another type, or of edge lists with another format."""
        names, vertices, header, columns = self
        for what, given in (("names", names), ("header", header)):
            if given is not None and not isinstance(given, bool):
                raise FormatError(f"{what}={short_repr(given)}: expected True, False or None")
        kind = FORMATS.get(format or "")
        if kind is None:
            return
        of_rows = names is not None or header is not None
        if (of_rows or vertices is not None) and not kind.has_table:
            raise FormatError(
                "names=, vertices= and header= (--names, --vertices, --header) are for edge lists, "
                f"not {format}"
            )
        if of_rows and not kind.is_edge_list:
            raise FormatError(
                f"names= and header= (--names, --header) are for edge lists, not {format}"
            )
        if columns != USUAL and not kind.has_table:
            raise FormatError(
                f"names of columns (--source, --target) are for edge lists and Parquet, not {format}"
            )


def read_graph(
    path: str | Path | IO[bytes],
    format: str | None = None,
    names: bool | None = None,
    vertices: str | Path | None = None,
    header: bool | None = None,
    **columns: str | None,
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
        For edge lists and edges in Parquet: the path of the vertex table, text or Parquet. By default
        ``g.vertices.csv`` beside ``g.csv``, if it exists.
    header : bool, optional
        For edge lists: whether the first row is a header. By default it is one if it has a known pair
        of columns, such as source and target.
    **columns : str
        For edge lists and edges in Parquet: ``source=`` and ``target=``, the columns of edges;
        ``vertex=``, ``owner=`` and ``terminal=``, those of the vertex table. By default they have the
        usual names.

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
    return _logged(read_graph_file(path, format, names, vertices, header, **columns)).graph


def read_graph_file(
    path: str | Path | IO[bytes],
    format: str | None = None,
    names: bool | None = None,
    vertices: str | Path | None = None,
    header: bool | None = None,
    **columns: str | None,
) -> GraphFile:
    """Read everything that a file holds: the graph, the initial position and a solution.

    Parameters
    ----------
    path, format, names, vertices, header, **columns
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
    options = EdgeOptions(names, vertices, header, _column_names(columns))
    options.check(find_format(path, format)[0])
    return graph_in(find_content(path, format), options)


def _column_names(columns: dict[str, str | None]) -> ColumnNames:
    """Return the names of columns that are arguments. Raises FormatError and TypeError."""
    unknown = [what for what in columns if what not in ColumnNames._fields]
    if unknown:
        known = ", ".join(f"{what}=" for what in ColumnNames._fields)
        raise TypeError(f"{unknown[0]}= is no argument: expected {known}")
    try:
        return ColumnNames(**columns).checked()
    except GraphError as error:
        raise FormatError(str(error)) from None


def find_content(path: str | Path | IO[bytes], format: str | None = None) -> Content:
    """Read a file whole and find its format, ``"board"`` included.

    Parameters
    ----------
    path : str, Path or binary file
    format : str, optional
        By default the file extension selects it, and where that is unknown, the content. The content
        also says that an edge list is a board.

    Raises
    ------
    FormatError, MemoryBudgetError
        As for :func:`read_graph`.
    """
    known, gzipped = (BOARD, False) if format == BOARD else find_format(path, format)
    source = load(path, gzipped)
    if (
        format is None
        and known in FORMATS
        and FORMATS[known].is_edge_list
        and looks_like_board(source.data)
    ):
        known = BOARD
    if known is None and not gzipped and source.data[:2] == GZIP:
        source, gzipped = Source(source.name, gunzip(source)), True
    place = None if hasattr(path, "read") else Path(path)
    return Content(known or detect(source), source, place, gzipped, known is None)


def graph_in(content: Content, options: EdgeOptions) -> GraphFile:
    """Return the contents of a file that was read, as :func:`read_graph_file` does."""
    with quiet():
        graph_file = _contents(content, options)
    notes = (str(content.source.error(note)) for note in of_names(graph_file.graph.names))
    return replace(graph_file, notes=(*graph_file.notes, *notes))


def _contents(content: Content, options: EdgeOptions) -> GraphFile:
    """Return the contents of a file, without notes on its names."""
    kind = FORMATS.get(content.format)
    if kind is None:
        raise content.source.error("a board of policeman and thief: expected a graph")
    read = kind.read
    if read is None:
        raise FormatError(
            f"{content.source.name} holds winners and not a graph: "
            "read it with read_pgsolver_solution, and the graph from its .pg file"
        )
    options.check(kind.name)
    if not kind.has_table:
        return read(content.source)
    table = None
    where = None if options.vertices is None else as_path(options.vertices)
    if where is None and content.place is not None and kind.is_edge_list:
        beside = with_infix(content.place, TABLE)
        where = beside if os.path.exists(beside) else None
    if where is not None:
        suffix, table_gzipped = split_suffix(where)
        data = load(where, content.gzipped if options.vertices is None else table_gzipped)
        table = data, {".csv": ",", ".tsv": "\t"}.get(suffix, kind.delimiter)
    if not kind.is_edge_list:
        return read(content.source, table=table, columns=options.columns)
    names, _, header, columns = options
    try:
        return read(content.source, names=names, table=table, header=header, columns=columns)
    except FormatError as error:
        if not content.detected:
            raise
        raise FormatError(f"{error} (read as edges, which no other format fits better)") from None


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
    **columns: str | None,
) -> Solution:
    """Read a solution from a file that was written from one.

    Parameters
    ----------
    path, format, names, vertices, header, **columns
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
    read = _logged(read_graph_file(path, format, names, vertices, header, **columns))
    solution = read.solution()
    if solution is None:
        raise FormatError(
            f"{display_name(path)} holds no value and remoteness: "
            "expected a file written from a Solution"
        )
    return solution


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
    if looks_like_board(source.data):
        return BOARD
    if len(cut(line, find_layout(source, None).delimiter)) > 1:
        return EDGES
    try:
        parse_board(source.data, BOARD)
    except FormatError as error:
        tried = ", ".join(name for name, kind in FORMATS.items() if kind.reader)
        content = f"line {short_repr(line)} is of no known format (edges are pairs such as 'a b')"
        if not line:
            empty = not source.data.strip()
            content = "no lines" if empty else "comments alone, lines that begin with #, % or //"
        raise source.error(f"{content}: tried {BOARD}, {tried}; as a {error}") from None
    return BOARD


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


# -- writing -----------------------------------------------------------------------------------------


def write(
    subject: StateSpace | Solution,
    path: str | Path | IO[bytes],
    format: str | None = None,
    *,
    progress: ProgressCallback | None = None,
    **options: Any,
) -> None:
    """Write a graph, or a solution with value, remoteness and a best successor of each vertex.

    Parameters
    ----------
    subject : Graph or Solution
        What to write. A game whose edges are not stored is written with all of them, and its
        positions are named by their text.
    path : str, Path or binary file
        Where to write. An existing file is replaced. Beside an edge list such as ``g.csv`` owners,
        terminal values and the solution are in a second file, ``g.vertices.csv``.
    format : str, optional
        As for :func:`read_graph`; the content does not select it.
    progress : callable, optional
        Called now and then with a Progress; an exception that it raises ends writing, and leaves the
        old file.
    **options
        Options of the format: ``endless=0`` or ``1``, the player who wins endless play, for .pg and
        .sol.

    Raises
    ------
    FormatError
        If the format cannot hold the subject, for an unknown option, and if writing fails.
    MemoryBudgetError
        If storing every edge of a game exceeds the memory budget.

    Notes
    -----
    Files are written under temporary names, flushed to disk and renamed, so that a reader sees the
    old file or the complete new one. Runs in time linear in the number of vertices and edges.

    Examples
    --------
    >>> import io
    >>> import retrosolve as rs
    >>> file = io.BytesIO()
    >>> write(rs.Graph.from_edges(["a", "b"], ["b", "a"]), file, "csv")
    >>> file.getvalue().decode().split()
    ['source,target', 'a,b', 'b,a']
    """
    kind, gzipped = check_destination(path, format)
    write_format = kind.write
    assert write_format is not None, "checked with the destination"
    for option in options:
        if option not in kind.options:
            known = ", ".join(kind.options) or "none"
            raise FormatError(f"option {option}= is not known to {kind.name}: expected {known}")
    check_progress(progress)
    report = progress or no_progress
    parts = write_format(as_graph_file(subject, report), **options)
    if report is not no_progress:
        parts = [replace(part, write=reported_writer(part.write, report)) for part in parts]
    if isinstance(path, str | os.PathLike):
        places = [(part, with_infix(as_path(path), part.infix)) for part in parts]
        write_files(
            (place, gzip_writer(part.write) if gzipped else part.write)
            for part, place in places
            if part.needed or place.exists()
        )
    else:
        _write_open(path, parts, gzipped)


def check_destination(
    path: str | Path | IO[bytes], format: str | None = None, inputs: Iterable[Path] = ()
) -> tuple[Format, bool]:
    """Check, before any work, that a file can be written.

    Parameters
    ----------
    path, format
        As for :func:`write`.
    inputs : iterable of Path
        Existing files that must not be replaced.

    Returns
    -------
    Format, bool
        The format, and whether to compress the file.

    Raises
    ------
    FormatError
        For an unknown format, a missing folder, a folder or a device in place of the file, an input, or
        the name of a vertex table, which would be read with the edges beside it.
    """
    kind, gzipped = _output_format(path, format)
    if kind.writer is None:
        raise FormatError(f"{kind.name} files are not written: expected {_known_suffixes()}")
    if kind.library is not None:
        import_library(kind.library, f"writing .{kind.name} files")
    if isinstance(path, str | os.PathLike):
        for place in [as_path(path), *([with_infix(as_path(path), TABLE)] if kind.has_table else [])]:
            check_place(place, inputs)
        edges = without_infix(as_path(path), TABLE)
        if kind.is_edge_list and edges is not None:
            raise FormatError(
                f"cannot write {display_name(path)}: it would be read as the vertex table of "
                f"{one_line(edges.name)}, expected another name"
            )
    return kind, gzipped


def check_place(place: Path, inputs: Iterable[Path] = (), suffixes: Sequence[str] = ()) -> None:
    """Raise FormatError unless a file can be written at a path, with one of some suffixes."""
    name = one_line(str(place))
    try:
        if place.is_dir():
            raise FormatError(f"cannot write {name}: it is a folder, expected a file")
        if place.exists() and not place.is_file():
            raise FormatError(f"cannot write {name}: {NO_FILE}")
        parent = Path(os.path.realpath(place)).parent
        if not parent.is_dir():
            raise FormatError(f"cannot write {name}: there is no folder {one_line(str(parent))}")
        if not os.access(parent, os.W_OK):
            raise FormatError(f"cannot write {name}: the folder {one_line(str(parent))} is read-only")
        if place.exists() and any(place.samefile(other) for other in inputs):
            raise FormatError(f"cannot write {name}: it is the input, which is never replaced")
    except FormatError:
        raise
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot write {name}: {error_text(error)}") from None
    if suffixes and place.suffix.lower() not in suffixes:
        known = f"one of {', '.join(suffixes)}" if len(suffixes) > 1 else suffixes[0]
        raise FormatError(f"{short_repr(place.name)} has no known ending: expected {known}")


def _write_open(file: IO[bytes], parts: Sequence[OutputFile], gzipped: bool) -> None:
    """Write the only needed part to an open file."""
    needed = [part for part in parts if part.needed]
    if len(needed) > 1:
        raise FormatError(
            "this graph needs a vertex table beside its edges: expected a path, not an open file"
        )
    try:
        (gzip_writer(needed[0].write) if gzipped else needed[0].write)(file)
    except (OSError, UnicodeEncodeError) as error:
        raise FormatError(f"cannot write {display_name(file)}: {error_text(error)}") from None


def _output_format(path: Any, format: str | None) -> tuple[Format, bool]:
    """Return the format to write, and whether to compress it. Raises FormatError if it is unknown."""
    name, gzipped = find_format(path, format)
    if name is not None:
        return FORMATS[name], gzipped
    if hasattr(path, "write"):
        raise FormatError(f"an open file needs format=: expected one of {', '.join(FORMATS)}")
    raise FormatError(
        f"{display_name(path)} has suffix {short_repr(split_suffix(as_path(path))[0])}: "
        f"expected one of {_known_suffixes()}, or format="
    )


def _known_suffixes() -> str:
    """Return the file extensions that are written."""
    return ", ".join(s for kind in FORMATS.values() if kind.writer for s in kind.suffixes)


ROW_FORMATS = ("csv", "tsv", "parquet")


def write_rows(
    solution: Solution,
    path: str | Path,
    format: str | None = None,
    progress: ProgressCallback = no_progress,
) -> None:
    """Write a solution with one row for each position.

    Parameters
    ----------
    solution : Solution
    path : str or Path
        An existing file is replaced once the new one is complete.
    format : str, optional
        ``"csv"``, ``"tsv"`` or ``"parquet"``; by default the file extension selects it.
    progress : callable
        Called after each block.

    Raises
    ------
    FormatError
        For another format, or if writing fails.

    Notes
    -----
    Takes the memory of a block of 2^18 positions with their texts, and some microseconds a position.
    """
    kind, gzipped = check_destination(path, format)
    if kind.name not in ROW_FORMATS:
        raise FormatError(f"{kind.name} files hold no rows: expected {', '.join(ROW_FORMATS)}")
    blocks = _reported(outcome_blocks(solution, best=False), len(solution), progress)
    write = _text_writer(blocks, kind.delimiter) if kind.delimiter else _parquet_writer(blocks)
    write_files([(as_path(path), gzip_writer(write) if gzipped else write)])


def write_moves(
    solution: Solution,
    path: str | Path,
    sample: int | None = None,
    seed: int = 0,
    progress: ProgressCallback = no_progress,
) -> int:
    """Write positions with all their moves to Parquet; return how many.

    Parameters
    ----------
    solution : Solution
    path : str or Path
    sample : int, optional
        The number of positions, about as many of each value and remoteness; by default all.
    seed : int
        Of the sample.
    progress : callable
        Called after each block.

    Raises
    ------
    FormatError
        For another format than Parquet, or if writing fails.
    """
    kind, _ = check_destination(path)
    if kind.name != "parquet":
        raise FormatError(f"{kind.name} files hold no lists of moves: expected .parquet")
    vertices = None if sample is None else sample_evenly(solution, sample, seed)
    count = len(solution) if vertices is None else len(vertices)
    blocks = _reported(move_blocks(solution, vertices), count, progress)
    write_files([(as_path(path), _parquet_writer(blocks))])
    return count


def _reported(
    blocks: Iterator[ColumnBlock], positions: int, progress: ProgressCallback
) -> Iterator[ColumnBlock]:
    """Yield blocks of rows, and report how many are written."""
    done = 0
    for block in blocks:
        yield block
        done += len(block["value"].codes) if isinstance(block["value"], Words) else 0
        progress(Progress("writing rows", done, positions))


def _parquet_writer(blocks: Iterator[ColumnBlock]) -> Callable[[IO[bytes]], None]:
    """Return a function that writes blocks as row groups."""
    pa = import_library("pyarrow", "writing .parquet files")
    pq = import_library("pyarrow.parquet", "writing .parquet files")

    def write(file: IO[bytes]) -> None:
        writer: Any = None
        for block in blocks:
            table = arrow_table(pa, block)
            if writer is None:
                writer = pq.ParquetWriter(file, table.schema)
            writer.write_table(table)
        writer.close()

    return write


def _text_writer(blocks: Iterator[ColumnBlock], delimiter: str) -> Callable[[IO[bytes]], None]:
    """Return a function that writes blocks as delimited text below a header."""

    def write(file: IO[bytes]) -> None:
        out = csv.writer(Utf8(file), delimiter=delimiter, lineterminator="\n")
        for number, block in enumerate(blocks):
            if number == 0:
                out.writerow(block)
            out.writerows(zip(*map(_cells, block.values()), strict=True))

    return write


def _cells(column: Column) -> list[Any]:
    """Return a column as the cells of a file, empty where something is missing."""
    if isinstance(column, Words):
        return [column.words[code] if code >= 0 else "" for code in column.codes.tolist()]
    if isinstance(column, Lists):
        return list(column.rows())
    cells = zip(column.labels.tolist(), column.missing.tolist(), strict=True)
    return ["" if missing else label for label, missing in cells]

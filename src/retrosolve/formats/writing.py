"""Writing graphs and solutions to files.

A solution may also be written as rows, one for each position, without moves: ``.csv``, ``.tsv`` and
``.parquet``. The columns are ``position``, ``player`` (if positions say who moves), ``value`` (a word)
and ``remoteness`` (nothing for a DRAW). A block of vertices is decoded and written at a time, so a
table on disk may be larger than the memory.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from retrosolve.errors import FormatError, one_line
from retrosolve.formats.graphfile import OutputFile, as_graph_file
from retrosolve.formats.table import (
    FORMATS,
    TABLE,
    Format,
    display_name,
    find_format,
    split_suffix,
    with_infix,
)
from retrosolve.runtime.files import (
    NO_FILE,
    Utf8,
    as_path,
    error_summary,
    gzip_writer,
    import_library,
    short_repr,
    write_files,
)
from retrosolve.solution import Solution
from retrosolve.solution.frames import Column, ColumnBlock, Words, arrow_table, outcome_blocks
from retrosolve.spaces.base import StateSpace


def write(
    subject: StateSpace | Solution,
    path: str | Path | IO[bytes],
    format: str | None = None,
    **options: Any,
) -> None:
    """Write a graph, or a solution with value, remoteness and a best successor of each vertex.

    Parameters
    ----------
    subject : Graph or Solution
        What to write. A game whose edges are not stored is written with all of them, and its
        positions are named by their text.
    path : str, Path or binary file
        Where to write. An existing file is replaced.
    format : str, optional
        As for :func:`read_graph`; the content does not select it.
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
    parts = write_format(as_graph_file(subject), **options)
    if isinstance(path, str | os.PathLike):
        write_files(
            (place, gzip_writer(part.write) if gzipped else part.write)
            for part, place in _places(path, parts)
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
        For an unknown format, a missing folder, a folder or a device in place of the file, or an input.
    """
    kind, gzipped = _output_format(path, format)
    if kind.writer is None:
        raise FormatError(f"{kind.name} files are not written: expected {_known_suffixes()}")
    if kind.library is not None:
        import_library(kind.library, f"writing .{kind.name} files")
    if isinstance(path, str | os.PathLike):
        for place in [as_path(path), *([with_infix(as_path(path), TABLE)] if kind.has_table else [])]:
            check_place(place, inputs)
    return kind, gzipped


def check_place(place: Path, inputs: Iterable[Path]) -> None:
    """Raise FormatError unless a file can be written at a path."""
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
        reason = getattr(error, "strerror", None) or error_summary(error)
        raise FormatError(f"cannot write {name}: {reason}") from None


def _write_open(file: IO[bytes], parts: Sequence[OutputFile], gzipped: bool) -> None:
    """Write the only needed part to an open file."""
    needed = [part for part in parts if part.needed]
    if len(needed) > 1:
        raise FormatError(
            "this graph needs a vertex table beside its edges: expected a path, not an open file"
        )
    try:
        (gzip_writer(needed[0].write) if gzipped else needed[0].write)(file)
    except OSError as error:
        raise FormatError(f"cannot write {display_name(file)}: {error.strerror or error}") from None


def _places(path: str | Path, parts: Sequence[OutputFile]) -> list[tuple[OutputFile, Path]]:
    """Return the parts to write and their paths; one not needed only replaces an existing file."""
    places = [(part, with_infix(as_path(path), part.infix)) for part in parts]
    return [(part, place) for part, place in places if part.needed or place.exists()]


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


DELIMITERS = {"csv": ",", "tsv": "\t"}
ROW_FORMATS = (*DELIMITERS, "parquet")


def write_rows(solution: Solution, path: str | Path, format: str | None = None) -> None:
    """Write a solution with one row for each position.

    Parameters
    ----------
    solution : Solution
    path : str or Path
        An existing file is replaced once the new one is complete.
    format : str, optional
        ``"csv"``, ``"tsv"`` or ``"parquet"``; by default the file extension selects it.

    Raises
    ------
    FormatError
        For another format, or if writing fails.

    Notes
    -----
    Takes the memory of a block of 2^18 positions with their texts, and some microseconds a position.
    """
    check_destination(path, format)
    kind, gzipped = find_format(path, format)
    if kind not in ROW_FORMATS:
        raise FormatError(f"{kind} files hold no rows: expected {', '.join(ROW_FORMATS)}")
    blocks = outcome_blocks(solution, best=False)
    write = _parquet_writer(blocks) if kind == "parquet" else _text_writer(blocks, DELIMITERS[kind])
    write_files([(as_path(path), gzip_writer(write) if gzipped else write)])


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
    labels = column.labels.tolist()
    return [
        "" if missing else label for label, missing in zip(labels, column.missing.tolist(), strict=True)
    ]

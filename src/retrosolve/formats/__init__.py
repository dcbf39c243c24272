"""File formats: one module per format, and a table of all of them.

The file extension selects the format (case-insensitive); a further ``.gz`` means gzip compression.
Every error in a file is a FormatError of one line that names the file and the place.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from retrosolve.errors import FormatError
from retrosolve.formats.table import FORMATS, Format
from retrosolve.runtime import lazy
from retrosolve.runtime.files import as_path, gzip_writer, load, one_line, short_repr, write_files

if TYPE_CHECKING:
    from retrosolve.formats.graphfile import GraphFile, OutputFile
    from retrosolve.formats.pgsolver_solution import read_pgsolver_solution
    from retrosolve.solution import Solution
    from retrosolve.spaces.base import StateSpace
    from retrosolve.spaces.graph import Graph
else:
    __getattr__, __dir__ = lazy.lazy_attributes(
        __name__,
        {
            "GraphFile": "retrosolve.formats.graphfile:GraphFile",
            "read_pgsolver_solution": "retrosolve.formats.pgsolver_solution:read_pgsolver_solution",
        },
    )

__all__ = [
    "FORMATS",
    "Format",
    "GraphFile",
    "format_of",
    "read_graph",
    "read_graph_file",
    "read_pgsolver_solution",
    "read_solution",
    "write",
]


def read_graph(
    path: str | Path | IO[bytes],
    format: str | None = None,
    names: bool | None = None,
    vertices: str | Path | None = None,
) -> Graph:
    """Read a graph from a file.

    Parameters
    ----------
    path : str, Path or binary file
        The file to read.
    format : str, optional
        The name of the format, for instance ``"csv"`` or ``"csv.gz"``. Required for an open file;
        otherwise the file extension selects the format.
    names : bool, optional
        For .csv and .tsv: whether the cells are names (True) or vertex numbers (False). By default
        they are numbers if all of them are whole numbers.
    vertices : str or Path, optional
        For .csv and .tsv: the path of the vertex table. By default ``g.vertices.csv`` beside
        ``g.csv``, if it exists.

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
    checked for its form, but not returned; :func:`read_solution` returns it.

    Examples
    --------
    >>> import io
    >>> read_graph(io.BytesIO(b"source,target\\na,b\\nb,a\\n"), format="csv")
    Graph(vertices=2, edges=2, names)
    """
    return read_graph_file(path, format, names, vertices).graph


def read_graph_file(
    path: str | Path | IO[bytes],
    format: str | None = None,
    names: bool | None = None,
    vertices: str | Path | None = None,
) -> GraphFile:
    """Read everything that a file holds: the graph, the initial position and a solution.

    Parameters
    ----------
    path, format, names, vertices
        As for :func:`read_graph`.

    Returns
    -------
    GraphFile
        Its fields are None for what the file does not hold.

    Raises
    ------
    FormatError, MemoryBudgetError
        As for :func:`read_graph`.

    Examples
    --------
    >>> import io
    >>> read_graph_file(io.BytesIO(b"parity 1; start 1; 0 0 0 1; 1 1 1 1;"), "pg").start
    1
    """
    kind, gzipped = _select_format(path, format)
    read = kind.read
    if read is None:
        raise FormatError(
            f"{_display_name(path)} holds winners and not a graph: "
            "read it with read_pgsolver_solution, and the graph from its .pg file"
        )
    if kind.delimiter is None:
        if names is not None or vertices is not None:
            raise FormatError(f"names= and vertices= are for .csv and .tsv files, not {kind.name}")
        return read(load(path, gzipped))
    if names is not None and not isinstance(names, bool):
        raise FormatError(f"names={short_repr(names)}: expected True, False or None")
    table = None
    where = _table_beside(path, gzipped) if vertices is None else as_path(vertices)
    if where is not None:
        delimiter, table_gzipped = kind.delimiter, gzipped
        if vertices is not None:
            suffix, table_gzipped = _suffix(where)
            delimiter = {".csv": ",", ".tsv": "\t"}.get(suffix, delimiter)
        table = load(where, table_gzipped), delimiter
    return read(load(path, gzipped), names=names, table=table)


def read_solution(
    path: str | Path | IO[bytes],
    format: str | None = None,
    names: bool | None = None,
    vertices: str | Path | None = None,
) -> Solution:
    """Read a solution from a file that was written from one.

    Parameters
    ----------
    path, format, names, vertices
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

    Examples
    --------
    >>> import io
    >>> import retrosolve as rs
    >>> file = io.BytesIO()
    >>> rs.write(rs.solve(rs.Graph.from_edges(["a", "b"], ["b", "c"])), file, "json")
    >>> str(read_solution(io.BytesIO(file.getvalue()), "json")["a"])
    'LOSS in 2'
    """
    solution = read_graph_file(path, format, names, vertices).solution()
    if solution is None:
        raise FormatError(
            f"{_display_name(path)} holds no value and remoteness: "
            "expected a file written from a Solution"
        )
    return solution


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
        As for :func:`read_graph`.
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
    from retrosolve.formats.graphfile import as_graph_file

    kind, gzipped = _select_format(path, format)
    write_format = kind.write
    if write_format is None:
        raise FormatError(f"{kind.name} files are not written")
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
        raise FormatError(f"cannot write {_display_name(file)}: {error.strerror or error}") from None


def _places(path: str | Path, parts: Sequence[OutputFile]) -> list[tuple[OutputFile, Path]]:
    """Return the parts to write and their paths; one not needed only replaces an existing file."""
    places = [(part, _with_infix(as_path(path), part.infix)) for part in parts]
    return [(part, place) for part, place in places if part.needed or place.exists()]


def _with_infix(path: Path, infix: str) -> Path:
    """Insert an infix before the suffix: ``g.csv.gz`` becomes ``g.vertices.csv.gz``."""
    if not infix:
        return path
    gz = path.suffix if path.suffix.lower() == ".gz" else ""
    inner = path.with_suffix("") if gz else path
    return path.with_name(f"{inner.stem}{infix}{inner.suffix}{gz}")


def _table_beside(path: Any, gzipped: bool) -> Path | None:
    """Return the path of the vertex table beside an edge list, None if there is none."""
    if hasattr(path, "read"):
        return None
    try:
        beside = _with_infix(as_path(path), ".vertices")
        return beside if beside.exists() else None
    except (OSError, ValueError):
        return None  # reading the path itself fails too, and reports it


def format_of(path: str | Path) -> str | None:
    """Return the name of the format that a file extension selects, None for an unknown one.

    Examples
    --------
    >>> format_of("game.PG.gz"), format_of("board.txt")
    ('pg', None)
    """
    suffix, _ = _suffix(as_path(path))
    return next((kind.name for kind in FORMATS.values() if suffix in kind.suffixes), None)


def _select_format(path: Any, format: str | None) -> tuple[Format, bool]:
    """Return the format of a file, and whether the file is compressed with gzip."""
    is_open = hasattr(path, "read") or hasattr(path, "write")
    suffix, gzipped = ("", False) if is_open else _suffix(as_path(path))
    if format is None:
        if is_open:
            raise FormatError(f"an open file needs format=: expected one of {', '.join(FORMATS)}")
        name = format_of(path)
        if name is not None:
            return FORMATS[name], gzipped
        known = ", ".join(s for kind in FORMATS.values() for s in kind.suffixes)
        raise FormatError(
            f"{_display_name(path)} has suffix {short_repr(suffix)}: "
            f"expected one of {known}, or format="
        )
    word = str(format).lower().removeprefix(".")
    inner = word.removesuffix(".gz")
    for kind in FORMATS.values():
        if inner == kind.name or f".{inner}" in kind.suffixes:
            return kind, gzipped or inner != word
    raise FormatError(f"format={short_repr(format)} is not known: expected one of {', '.join(FORMATS)}")


def _suffix(path: Path) -> tuple[str, bool]:
    """Return the suffix in lower case without ``.gz``, and whether that was there."""
    name = path.name.lower()
    inner = name.removesuffix(".gz")
    return Path(inner).suffix, inner != name


def _display_name(path: Any) -> str:
    """Return the name of a file for error messages."""
    if hasattr(path, "read") or hasattr(path, "write"):
        return one_line(str(getattr(path, "name", "input")))
    return one_line(str(path))

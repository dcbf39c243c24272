"""File formats: one a file, all of them in one table.

A file is told by its suffix, in any case, and ``.gz`` after it means that it is packed with gzip.
Every error of reading is a FormatError of one line that names the file and the place.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from retrosolve.errors import FormatError
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


@dataclass(frozen=True)
class Format:
    """One file format: its name, suffixes, what it is, where its reader and writer are.

    ``reader`` and ``writer`` are locations, None where the format is not read or not written.
    ``read(source)`` gives a GraphFile and ``write(graph_file, **options)`` the files to write; each
    imports the format's module. A ``delimiter`` marks the formats that may have a vertex table.
    """

    name: str
    suffixes: tuple[str, ...]
    summary: str
    reader: str | None
    writer: str | None
    options: tuple[str, ...] = ()
    delimiter: str | None = None

    @property
    def read(self) -> Callable[..., GraphFile] | None:
        """The reader, imported here; None where the format is not read."""
        return self._load(self.reader)

    @property
    def write(self) -> Callable[..., list[OutputFile]] | None:
        """The writer, imported here; None where the format is not written."""
        return self._load(self.writer)

    def _load(self, location: str | None) -> Callable[..., Any] | None:
        if location is None:
            return None
        function: Callable[..., Any] = lazy.load(f"retrosolve.formats.{location}")
        return partial(function, delimiter=self.delimiter) if self.delimiter else function


FORMATS: dict[str, Format] = {
    kind.name: kind
    for kind in (
        Format(
            "csv",
            (".csv",),
            "edges, one a row, with a vertex table beside it",
            "edge_list:read",
            "edge_list:write",
            delimiter=",",
        ),
        Format(
            "tsv",
            (".tsv",),
            "the same with tabs",
            "edge_list:read",
            "edge_list:write",
            delimiter="\t",
        ),
        Format("npz", (".npz",), "NumPy arrays; SciPy's csr matrices", "npz:read", "npz:write"),
        Format(
            "pg",
            (".pg",),
            "PGSolver's parity games, read as reachability games",
            "pgsolver:read",
            "pgsolver:write",
            ("endless",),
        ),
        Format(
            "sol",
            (".sol",),
            "PGSolver's solutions, written only",
            None,
            "pgsolver_solution:write",
            ("endless",),
        ),
        Format("graphml", (".graphml",), "GraphML", "graphml:read", "graphml:write"),
        Format("dot", (".dot", ".gv"), "Graphviz's language", "dot:read", "dot:write"),
        Format(
            "parquet",
            (".parquet",),
            "one row a vertex, or one an edge",
            "parquet:read",
            "parquet:write",
        ),
        Format("json", (".json",), "one object of plain lists", "jsonfile:read", "jsonfile:write"),
    )
}


def read_graph(
    path: str | Path | IO[bytes],
    format: str | None = None,
    names: bool | None = None,
    vertices: str | Path | None = None,
) -> Graph:
    """Read a graph from a file.

    ``path`` is a path, or an open binary file, for which ``format`` must be given: a name in
    FORMATS, perhaps with ``.gz`` after it. ``names`` makes the cells of a .csv or .tsv file names
    (True) or numbers (False), whatever they look like; ``vertices`` is the path of its vertex
    table, ``g.vertices.csv`` beside ``g.csv`` if not given and there.

    Raises FormatError for whatever is wrong with the file, naming the place.

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
    """Read all that a file holds: the graph, the start, an answer if one was written with it.

    The arguments and errors are those of :func:`read_graph`.
    """
    kind, gzipped = _kind(path, format)
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
    """Read a solution from a file that was written with one, without solving anything.

    It is what the file claims; :func:`retrosolve.verify` proves it. The arguments are those of
    :func:`read_graph`. Raises FormatError also where the file holds no value and remoteness.
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
    """Write a graph, or a solution with value, remoteness and best successor attached.

    ``path`` and ``format`` are as in :func:`read_graph`. ``options`` are the format's own:
    ``endless=0`` or ``1``, the player who wins endless play, for .pg and .sol. A game whose edges
    are not stored is written with all of them, its positions named by their text.

    A file is written whole or not at all, and an older one stays as it was if that fails. Raises
    FormatError for what the format cannot hold.
    """
    from retrosolve.formats.graphfile import as_graph_file

    kind, gzipped = _kind(path, format)
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
    """Say where each part goes; those not needed only over an older file."""
    places = [(part, _with_infix(as_path(path), part.infix)) for part in parts]
    return [(part, place) for part, place in places if part.needed or place.exists()]


def _with_infix(path: Path, infix: str) -> Path:
    """Put an infix before the suffix: g.csv.gz, .vertices: g.vertices.csv.gz."""
    if not infix:
        return path
    gz = path.suffix if path.suffix.lower() == ".gz" else ""
    inner = path.with_suffix("") if gz else path
    return path.with_name(f"{inner.stem}{infix}{inner.suffix}{gz}")


def _table_beside(path: Any, gzipped: bool) -> Path | None:
    """Give the path of the vertex table beside an edge list, if it is there."""
    if hasattr(path, "read"):
        return None
    try:
        beside = _with_infix(as_path(path), ".vertices")
        return beside if beside.exists() else None
    except (OSError, ValueError):
        return None  # the path itself cannot be read either, which is for load to say


def format_of(path: str | Path) -> str | None:
    """Give the name of the format that a path's suffix tells, None if it tells none.

    >>> format_of("game.PG.gz"), format_of("board.txt")
    ('pg', None)
    """
    suffix, _ = _suffix(as_path(path))
    return next((kind.name for kind in FORMATS.values() if suffix in kind.suffixes), None)


def _kind(path: Any, format: str | None) -> tuple[Format, bool]:
    """Tell the format, and whether it is packed with gzip."""
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
    """Give the suffix in lower case, without .gz, and whether that was there."""
    name = path.name.lower()
    inner = name.removesuffix(".gz")
    return Path(inner).suffix, inner != name


def _display_name(path: Any) -> str:
    """Write what a file is called in errors."""
    if hasattr(path, "read") or hasattr(path, "write"):
        return one_line(str(getattr(path, "name", "input")))
    return one_line(str(path))

"""The table of file formats; a format's module is imported when it first reads or writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from retrosolve.errors import FormatError, one_line
from retrosolve.runtime import lazy
from retrosolve.runtime.files import as_path, short_repr

if TYPE_CHECKING:
    from retrosolve.formats.graphfile import GraphFile, OutputFile


TABLE = ".vertices"  # between the stem and the suffix of a vertex table
BOARD = "board"  # the format of boards, which are no graphs
EDGE_LIST = "edge_list"  # the module of the formats that may have a vertex table


@dataclass(frozen=True)
class Format:
    """One file format: a row of ``FORMATS``.

    Parameters
    ----------
    name : str
    suffixes : tuple of str
        File extensions in lower case, with the dot.
    summary : str
        One line for the command line and the documentation.
    module : str
        The module of this package that reads and writes the format.
    reader, writer : str or None
        The functions of the module; None where the format is not read or not written.
    options : tuple of str
        Keyword arguments that the writer accepts.
    delimiter : str, optional
        The usual delimiter of an edge list.
    library : str, optional
        The library that reads and writes the format.
    """

    name: str
    suffixes: tuple[str, ...]
    summary: str
    module: str
    _: KW_ONLY
    reader: str | None = "read"
    writer: str | None = "write"
    options: tuple[str, ...] = ()
    delimiter: str | None = None
    library: str | None = None

    @property
    def is_edge_list(self) -> bool:
        """Whether the format is an edge list, text with one edge in a row."""
        return self.module == EDGE_LIST

    @property
    def has_table(self) -> bool:
        """Whether edges of the format may have a vertex table, and columns of any names."""
        return self.is_edge_list or self.name == "parquet"

    @property
    def read(self) -> Callable[..., GraphFile] | None:
        """Import and return the reader, ``read(source) -> GraphFile``; None if there is none."""
        return self._load(self.reader)

    @property
    def write(self) -> Callable[..., list[OutputFile]] | None:
        """Import and return the writer, ``write(graph_file, **options)``; None if there is none."""
        return self._load(self.writer)

    def _load(self, name: str | None) -> Callable[..., Any] | None:
        """Import a function of the format's module."""
        if name is None:
            return None
        function: Callable[..., Any] = lazy.load(f"retrosolve.formats.{self.module}:{name}")
        return partial(function, delimiter=self.delimiter) if self.is_edge_list else function


EDGES_AND_TABLE = "one edge per row, with a vertex table beside it"
EDGES_ALONE = "one edge per line, with blanks, tabs, commas or semicolons; read only"
PARITY_GAMES = "PGSolver's parity games, read as reachability games"
ENDLESS = ("endless",)

FORMATS: dict[str, Format] = {
    kind.name: kind
    for kind in (
        Format("csv", (".csv",), EDGES_AND_TABLE, EDGE_LIST, delimiter=","),
        Format("tsv", (".tsv",), "the same with tabs", EDGE_LIST, delimiter="\t"),
        Format("edges", (".edges", ".edgelist", ".el"), EDGES_ALONE, EDGE_LIST, writer=None),
        Format("npz", (".npz",), "NumPy arrays; SciPy's csr matrices", "npz"),
        Format("pg", (".pg",), PARITY_GAMES, "pgsolver", options=ENDLESS),
        Format(
            "sol", (".sol",), "PGSolver's solutions, written only", "pgsolver",
            reader=None, writer="write_solution", options=ENDLESS,
        ),
        Format("graphml", (".graphml",), "GraphML", "graphml", library="networkx"),
        Format("dot", (".dot", ".gv"), "Graphviz's language", "dot", library="pydot"),
        Format(
            "parquet", (".parquet",), "one row per vertex, or one per edge", "parquet",
            library="pyarrow",
        ),
        Format("json", (".json",), "one object of plain lists", "jsonfile"),
    )
}  # fmt: skip


def format_of(path: str | Path) -> str | None:
    """Return the name of the format that a file extension selects, None for an unknown one.

    Examples
    --------
    >>> format_of("game.PG.gz"), format_of("board.txt")
    ('pg', None)
    """
    suffix, _ = split_suffix(as_path(path) if path else Path())
    return next((kind.name for kind in FORMATS.values() if suffix in kind.suffixes), None)


def find_format(path: Any, format: str | None) -> tuple[str | None, bool]:
    """Return the name of the format of a file, None if unknown, and whether it is gzip data.

    Raises FormatError for a ``format`` that does not exist.
    """
    is_open = hasattr(path, "read") or hasattr(path, "write")
    gzipped = False if is_open else split_suffix(as_path(path))[1]
    if format is None:
        return None if is_open else format_of(path), gzipped
    word = str(format).lower().removeprefix(".")
    inner = word.removesuffix(".gz")
    for kind in FORMATS.values():
        if inner == kind.name or f".{inner}" in kind.suffixes:
            return kind.name, gzipped or inner != word
    raise FormatError(f"format={short_repr(format)} is not known: expected one of {', '.join(FORMATS)}")


def split_suffix(path: Path) -> tuple[str, bool]:
    """Return the suffix in lower case without ``.gz``, and whether that was there."""
    name = path.name.lower()
    inner = name.removesuffix(".gz")
    return Path(inner).suffix, inner != name


def with_infix(path: Path, infix: str) -> Path:
    """Insert an infix before the suffix: ``g.csv.gz`` becomes ``g.vertices.csv.gz``."""
    if not infix:
        return path
    gz = path.suffix if path.suffix.lower() == ".gz" else ""
    inner = path.with_suffix("") if gz else path
    return path.with_name(f"{inner.stem}{infix}{inner.suffix}{gz}")


def without_infix(path: Path, infix: str) -> Path | None:
    """Remove an infix from before the suffix, as :func:`with_infix` puts it there; None without it."""
    gz = path.suffix if path.suffix.lower() == ".gz" else ""
    inner = path.with_suffix("") if gz else path
    stem = inner.stem.removesuffix(infix)
    return path.with_name(f"{stem}{inner.suffix}{gz}") if stem and stem != inner.stem else None


def display_name(path: Any) -> str:
    """Return the name of a file for error messages."""
    if hasattr(path, "read") or hasattr(path, "write"):
        return one_line(str(getattr(path, "name", "input")))
    return one_line(str(path))

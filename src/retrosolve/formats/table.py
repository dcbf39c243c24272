"""The table of file formats; a format's module is imported when it first reads or writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from retrosolve.runtime import lazy

if TYPE_CHECKING:
    from retrosolve.formats.graphfile import GraphFile, OutputFile


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
    reader, writer : str or None
        ``"module:function"`` within this package; None where the format is not read or not written.
    options : tuple of str
        Keyword arguments that the writer accepts.
    delimiter : str, optional
        The delimiter of the formats that may have a vertex table.
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
        """Import and return the reader, ``read(source) -> GraphFile``; None if there is none."""
        return self._load(self.reader)

    @property
    def write(self) -> Callable[..., list[OutputFile]] | None:
        """Import and return the writer, ``write(graph_file, **options)``; None if there is none."""
        return self._load(self.writer)

    def _load(self, location: str | None) -> Callable[..., Any] | None:
        """Import a reader or writer by its location."""
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
            "one edge per row, with a vertex table beside it",
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
            "one row per vertex, or one per edge",
            "parquet:read",
            "parquet:write",
        ),
        Format("json", (".json",), "one object of plain lists", "jsonfile:read", "jsonfile:write"),
    )
}

"""Edge lists as delimited text: ``.csv`` (comma) or ``.tsv`` (tab), optionally with a vertex table.

The edge list has one edge per row. The first row is a header if it contains one of the pairs in
``HEADERS``; then those two columns are used and all others ignored. Without a header there are exactly
two columns. If every cell is a whole number, the cells are vertex numbers, and smaller numbers without
an edge are isolated vertices; otherwise the cells are names, numbered by first appearance.

The vertex table (see ``vertex_table``) is a second file: ``g.vertices.csv`` beside ``g.csv``, read and
written together with it. It holds owners, terminals, isolated vertices and the order of the names.

Blanks around a cell are ignored, unless the vertex table has a name with them.
"""

from __future__ import annotations

import csv
import io
import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import IO, Literal, TypeAlias

import numpy as np

from retrosolve.errors import FormatError
from retrosolve.formats import vertex_table
from retrosolve.formats.attributes import attributes_of
from retrosolve.formats.graphfile import (
    MAX_IMPLICIT_VERTICES,
    VERTICES_PER_EDGE,
    GraphFile,
    OutputFile,
    build_graph,
    check_largest,
    text_names,
)
from retrosolve.formats.vertex_table import VertexTable
from retrosolve.runtime.files import Source, Utf8, error_summary, short_repr
from retrosolve.spaces.graph import Graph

HEADERS = (("source", "target"), ("from", "to"), ("src", "dst"), ("tail", "head"), ("u", "v"))
NUMBER = re.compile(r"\s*[0-9]+\s*", re.ASCII)
SIGNED = re.compile(r"\s*-?[0-9]+\s*", re.ASCII)
USE_NAMES = ", or names=True (--names) to read them as names"

Row = tuple[int, list[str]]
Edge = tuple[int, str, str]
Endpoints: TypeAlias = "tuple[array[int], array[int]]"  # subscripted at run time only from Python 3.12


def read(
    source: Source,
    delimiter: str = ",",
    names: bool | None = None,
    table: tuple[Source, str] | None = None,
) -> GraphFile:
    """Read an edge list.

    Parameters
    ----------
    source : Source
    delimiter : str
    names : bool, optional
        Whether the cells are names (True) or numbers (False); by default they decide.
    table : tuple of Source and str, optional
        The vertex table and its delimiter.

    Returns
    -------
    GraphFile

    Raises
    ------
    FormatError
    """
    source.check_text()
    vertices = None
    if table is not None:
        table[0].check_text()
        vertices = vertex_table.read(table[0], rows(*table))
    kind = _names_or_numbers(source, vertices, names)
    reader = _EdgeList(source, delimiter)
    if kind is not True:
        endpoints = _numbers(reader, forced=kind is False)
        if endpoints is not None and (kind is False or vertices is None or vertices.numeric()):
            return _numbered(source, *endpoints, vertices)
    return _named(source, reader, vertices)


def _names_or_numbers(source: Source, table: VertexTable | None, names: bool | None) -> bool | None:
    """Return whether the cells are names (True) or numbers (False); None if the cells decide."""
    by_table = {"name": True, "vertex": False, "id": None}[table.kind] if table else None
    if names is not None and by_table is not None and names != by_table:
        kinds = ("numbers", "names")
        raise source.error(
            f"its vertex table has {kinds[by_table]}: expected names={by_table} or nothing"
        )
    return by_table if names is None else names


def rows(source: Source, delimiter: str) -> Iterator[Row]:
    """Yield each row that is not empty, with the number of its last line."""
    stream = io.TextIOWrapper(io.BytesIO(source.data), "utf-8-sig", newline="")
    reader = csv.reader(stream, delimiter=delimiter, strict=True)
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise source.error(
                f"{error_summary(error)}: expected cells, those with quotes or line ends in quotes",
                reader.line_num,
            ) from None
        if row is None:
            return
        if row:
            yield reader.line_num, row


@dataclass
class _EdgeList:
    """The rows of an edge list. ``header`` holds the cells of the header once it has been read."""

    source: Source
    delimiter: str
    header: list[str] | None = None
    header_line: int = 0

    def edges(self) -> Iterator[Edge]:
        """Yield the line, the source and the target of each edge."""
        columns: tuple[int, int] | None = None
        width = 2
        for line, row in rows(self.source, self.delimiter):
            if len(row) == 1 and not row[0].strip():
                continue
            if columns is None:
                columns = self._header(line, row)
                width = len(row)
                if self.header is not None:
                    continue
            if len(row) != width:
                raise self.source.error(
                    f"{len(row)} cells, {short_repr(self.delimiter.join(row))}: expected {width}", line
                )
            yield line, row[columns[0]], row[columns[1]]
        if columns is None:
            raise self.source.error("no rows: expected edges, or a header such as source,target")

    def _header(self, line: int, row: list[str]) -> tuple[int, int]:
        """Return the columns of source and target, by the first row."""
        cells = [cell.strip().lower() for cell in row]
        for a, b in HEADERS:
            if a in cells and b in cells:
                for cell in (a, b):
                    if cells.count(cell) > 1:
                        raise self.source.error(f"two columns {cell!r}: expected one", line)
                self.header, self.header_line = row, line
                return cells.index(a), cells.index(b)
        if len(row) != 2:
            raise self.source.error(
                f"{len(row)} columns and no header: expected two vertices, "
                "or a header such as source,target",
                line,
            )
        return 0, 1


def _numbers(reader: _EdgeList, forced: bool) -> tuple[Endpoints, int] | None:
    """Return sources and targets as numbers, and the line of the largest; None if they are names."""
    source = reader.source
    endpoints = array("q"), array("q")
    largest, largest_line, count = -1, 0, 0
    text: int | None = None  # the line of a first row of text, where only numbers follow
    negative: Edge | None = None
    for count, edge in enumerate(reader.edges(), 1):
        line = edge[0]
        for side, cell in enumerate(edge[1:]):
            if NUMBER.fullmatch(cell):
                number = int(cell) if len(cell) <= 18 else _long(cell)
                endpoints[side].append(number)
                if number > largest:
                    largest, largest_line = number, line
            elif forced:
                raise source.error(
                    f"vertex {short_repr(cell)} in a file of numbers: "
                    "expected a whole number, 0 or more",
                    line,
                )
            elif SIGNED.fullmatch(cell):
                negative = negative or edge
            elif count == 1 and reader.header is None:
                text = line
            else:
                return None
    if text is not None:
        if count == 1:
            return None
        raise source.error(
            "text above nothing but numbers: expected a header such as source,target, "
            "or two vertex numbers",
            text,
        )
    if negative is not None:
        line, *cells = negative
        cell = next(cell for cell in cells if not NUMBER.fullmatch(cell))
        raise source.error(f"vertex {short_repr(cell)}: expected 0 or more{USE_NAMES}", line)
    return endpoints, largest_line


def _long(cell: str) -> int:
    """Return a number of many digits, at most 10**18."""
    digits = cell.strip().lstrip("0") or "0"
    return int(digits) if len(digits) <= 18 else 10**18


def _numbered(source: Source, endpoints: Endpoints, line: int, table: VertexTable | None) -> GraphFile:
    """Return the contents of an edge list of numbers."""
    edges = len(endpoints[0])
    largest = max(max(endpoints[0], default=-1), max(endpoints[1], default=-1))
    n = largest + 1
    if table is not None:
        n = max(n, table.number(edges))
        edges += len(table.rows)
    check_largest(source, largest, edges, line or None, USE_NAMES)
    make = partial(Graph.from_edges, _as_array(endpoints[0]), _as_array(endpoints[1]), n)
    if table is None:
        return GraphFile(build_graph(source, make))

    def find(text: str) -> int | None:
        return int(text) if NUMBER.fullmatch(text) and _long(text) < n else None

    return table.attributes(find).graph_file(
        n, lambda owner, terminal: make(owner=owner, terminal=terminal), str, find
    )


def _as_array(endpoints: array[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return vertex numbers as an array, without a copy."""
    return np.frombuffer(endpoints, np.int64) if endpoints else np.zeros(0, np.int64)


def _named(source: Source, reader: _EdgeList, table: VertexTable | None) -> GraphFile:
    """Return the contents of an edge list of names."""
    number: dict[str, int] = table.names() if table is not None else {}
    endpoints = array("q"), array("q")
    for line, *edge in reader.edges():
        for side, cell in enumerate(edge):
            name = cell if cell in number else cell.strip()
            if not name and name not in number:
                raise source.error(f"vertex {short_repr(cell)}: expected a name", line)
            endpoints[side].append(number.setdefault(name, len(number)))
    _check_header(reader, number)
    names = list(number)
    make = partial(
        Graph.from_edges, _as_array(endpoints[0]), _as_array(endpoints[1]), len(names), names=names
    )
    if table is None:
        return GraphFile(build_graph(source, make))
    return table.attributes(number.get).graph_file(
        len(names),
        lambda owner, terminal: make(owner=owner, terminal=terminal),
        lambda v: short_repr(names[v]),
        number.get,
    )


def _check_header(reader: _EdgeList, number: dict[str, int]) -> None:
    """Raise FormatError for a header such as u,v if u or v is a vertex further on."""
    if reader.header is None or "source" in [cell.strip().lower() for cell in reader.header]:
        return
    for cell in reader.header:
        if cell.strip() in number:
            raise reader.source.error(
                f"{short_repr(cell)} is a vertex further on, so this may be an edge or a header: "
                "expected the header source,target above it",
                reader.header_line,
            )


# -- writing --------------------------------------------------------------------------------------


def write(graph_file: GraphFile, delimiter: str = ",") -> list[OutputFile]:
    """Return the files to write: the vertex table, if it is needed, and the edge list."""
    graph = graph_file.graph
    names = text_names(graph)
    for name in names or ():
        if "\0" in name or len(name) > csv.field_size_limit():
            raise FormatError(
                f"delimited text cannot hold the name {short_repr(name)}: "
                f"expected no NUL and at most {csv.field_size_limit()} characters"
            )
    quoting = _quoting(names)

    def write_edges(file: IO[bytes]) -> None:
        out = csv.writer(Utf8(file), delimiter=delimiter, lineterminator="\n", quoting=quoting)
        out.writerow(("source", "target"))
        for v in range(graph.num_vertices):
            row = graph.neighbors(v).tolist()
            if names is None:
                out.writerows((v, w) for w in row)
            else:
                out.writerows((names[v], names[w]) for w in row)

    def table(file: IO[bytes]) -> None:
        out = csv.writer(Utf8(file), delimiter=delimiter, lineterminator="\n", quoting=quoting)
        out.writerows(vertex_table.table_rows(graph_file, names))

    needed = bool(attributes_of(graph_file)) or not _edges_suffice(graph, names)
    return [OutputFile(table, ".vertices", needed=needed), OutputFile(write_edges)]


def _quoting(names: list[str] | None) -> Literal[0, 1]:
    """Return the quoting style; the csv module would leave a carriage return unquoted."""
    returns = names is not None and any("\r" in name for name in names)
    return csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL


def _edges_suffice(graph: Graph, names: list[str] | None) -> bool:
    """Return whether the edge list alone would be read as this graph."""
    n = graph.num_vertices
    if names is None:
        largest = int(graph.indices.max(initial=-1))
        if graph.num_edges:
            largest = max(largest, int(np.flatnonzero(graph.out_degrees())[-1]))
        return n == largest + 1 and n <= MAX_IMPLICIT_VERTICES + VERTICES_PER_EDGE * graph.num_edges
    if not n or all(SIGNED.fullmatch(name) for name in names):
        return False
    if any(name != name.strip() or not name for name in names):
        return False
    appeared: dict[int, None] = {}
    for v in range(n):
        for w in graph.neighbors(v).tolist():
            appeared[v] = appeared[w] = None
    return list(appeared) == list(range(n))

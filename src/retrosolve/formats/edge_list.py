"""Edge lists as text: ``.csv``, ``.tsv`` or plain lines, optionally with a vertex table.

There is one edge per row; ``delimited`` cuts lines into cells. The first row is a header if it contains
one of the pairs in ``attribute_names.ENDS``; then those two columns are used. Without a header there
are two columns; plain lines may go on with numbers, such as weights. A column ``reward`` below a header
has whole numbers. If every cell is a whole number
without leading zeros, the cells are ids as in :meth:`retrosolve.Graph.from_edges`;
otherwise they are names, numbered by first appearance. The first line between blanks may be the numbers
of vertices and edges.

The vertex table is a second file, ``g.vertices.csv`` beside ``g.csv``, read and written together with
it. It holds owners, terminals, isolated vertices and the order of the names, one vertex per row below a
header.

One column identifies the vertex: ``name`` (names, numbered row by row), ``vertex`` (whole numbers if
all in the table are, otherwise names) or ``id`` (whole numbers if all of them are, without leading
zeros, in both files; otherwise names). The columns ``owner``, ``player``, ``terminal``, ``payoff``,
``value``, ``remoteness``, ``best``, ``start`` and ``stuck`` are optional; ``stuck`` is the value (loss,
win or tie) of the vertices that have no successor. A column that looks like one of these, such as
``to_move``, is refused; others are ignored.

Blanks around a cell are ignored, unless the vertex table has a name with them in quotes.
"""

from __future__ import annotations

import csv
import re
from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import IO, Any, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from retrosolve.formats import parquet
from retrosolve.formats.attributes import (
    ATTRIBUTES,
    DIGITS,
    POINTS,
    Attributes,
    MakeGraph,
    attribute_rows,
    attributes_of,
)
from retrosolve.formats.graphfile import GraphFile, OutputFile, build_graph, check_writable, text_names
from retrosolve.formats.table import TABLE
from retrosolve.runtime.delimited import (
    BLANKS,
    Row,
    RowLayout,
    bytes_of_lines,
    find_layout,
    rows,
)
from retrosolve.runtime.files import Source, Utf8, short_repr
from retrosolve.spaces.csr.attribute_names import (
    ENDS,
    USUAL,
    ColumnNames,
    check_directed,
    find_attributes,
    find_edge_attributes,
    find_ends,
    types_of_edges,
    unused_in_edges,
)
from retrosolve.spaces.csr.ids import SortedIds
from retrosolve.spaces.graph import Graph
from retrosolve.values import CHANCE, Mover

# Names that are read as something else, or refused, unless they are in quotes.
NEEDS_QUOTES = re.compile(r"\r|\A\s|\s#|\A(#|%|//)|\A[,;([]|[,;]\s*\Z")
PLAIN_HEADERS = [list(pair) for pair in ENDS]
NUMBER = re.compile(r"\s*[0-9]+\s*", re.ASCII)
SIGNED = re.compile(r"\s*-?[0-9]+\s*", re.ASCII)
DECIMAL = re.compile(r"[-+]?[0-9.]+(e[-+]?[0-9]+)?", re.ASCII | re.IGNORECASE)
USE_NAMES = ", or names=True (--names) to read them as names"
USE_HEADER = "header=True (--header)"
ARROW = re.compile(r"[-=]>")
ONE_EDGE = "an edge in each line, such as 'a b'; DOT has a -> b, and JSON lists of successors"

Edge = tuple[int, str, str]
Vertex = TypeVar("Vertex", int, str)
Ids: TypeAlias = NDArray[np.int64]


def read(
    source: Source,
    delimiter: str | None = None,
    names: bool | None = None,
    table: tuple[Source, str | None] | None = None,
    header: bool | None = None,
    columns: ColumnNames = USUAL,
) -> GraphFile:
    """Read an edge list.

    Parameters
    ----------
    source : Source
    delimiter : str, optional
        The delimiter of the format, None for plain lines.
    names : bool, optional
        Whether the cells are names (True) or whole numbers (False); by default they decide.
    table : tuple of Source and str, optional
        The vertex table and its delimiter.
    header : bool, optional
        Whether the first row is a header; by default it is one if it is known, or has ``columns``.
    columns : ColumnNames, optional

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
        vertices = _read_table(table[0], _table_rows(*table), columns)
    elif columns.of_vertices:
        raise source.error("columns of vertices are named: expected a vertex table, vertices=")
    kind = _names_or_numbers(source, vertices, names)
    if columns.has_ends and header is False:
        raise source.error("columns that are named, and no header: expected one of the two")
    reader = _EdgeList(source, find_layout(source, delimiter), header, columns)
    reader.has_chance = vertices is not None and vertices.has_chance()
    if kind is not True:
        endpoints = _numbers(reader, forced=kind is False)
        if endpoints is not None and (
            kind is False or vertices is None or vertices.kind == "vertex" or vertices.numeric()
        ):
            return _with_notes(_numbered(reader, endpoints, vertices), reader)
        reader = replace(reader, notes=[])
        if reader.padded:
            reader.note(
                reader.padded[0],
                f"vertices are names because of the zeros in {short_repr(reader.padded[1])}: "
                "names=False (--no-names) reads numbers",
            )
    return _with_notes(_named(reader, vertices), reader)


def _names_or_numbers(source: Source, table: VertexTable | None, names: bool | None) -> bool | None:
    """Return whether the cells are names (True) or numbers (False); None if the cells decide."""
    by_table = None if table is None else table.has_names()
    if names is not None and by_table is not None and names != by_table:
        kinds = ("numbers", "names")
        raise source.error(
            f"its vertex table has {kinds[by_table]}: expected names={by_table} or nothing"
        )
    return by_table if names is None else names


def _with_notes(graph_file: GraphFile, reader: _EdgeList) -> GraphFile:
    """Return the contents of a file with the notes about its edges too. Raises FormatError."""
    reader.check_first()
    return replace(graph_file, notes=(*reader.notes, *graph_file.notes))


@dataclass
class _EdgeList:
    """The rows of an edge list.

    Parameters
    ----------
    source : Source
    layout : RowLayout
    given_header : bool or None
        Whether the first row is a header; None if its cells decide.
    header, header_line
        The cells of the header and its line, once it has been read.
    first, first_line
        The cells of the first row and its line.
    padded : tuple of int and str, optional
        The line and the text of the first number with leading zeros.
    too_long : tuple of int and str, optional
        The line and the digits of the first number that may not fit 64 bits.
    notes : list of str
        Sentences about readings that could have been otherwise.
    has_chance : bool
        Whether chance moves somewhere, so that a column of weights counts.
    numbers : dict of str to list of int
        The reward and the weight of each edge so far, where there are columns of them.
    width : int
        The number of cells of each row below the first.
    is_sized : bool
        Whether the first row is taken as the numbers of vertices and edges.
    """

    source: Source
    layout: RowLayout
    given_header: bool | None
    columns: ColumnNames = USUAL
    header: list[str] | None = None
    header_line: int = 0
    first: list[str] = field(default_factory=list)
    first_line: int = 0
    padded: tuple[int, str] | None = None
    too_long: tuple[int, str] | None = None
    notes: list[str] = field(default_factory=list)
    has_chance: bool = False
    numbers: dict[str, Any] = field(default_factory=dict)
    width: int = 0
    is_sized: bool = False

    def note(self, line: int, text: str) -> None:
        """Record a note about a line."""
        self.notes.append(str(self.source.error(text, line)))

    def rows(self) -> Iterator[Row]:
        """Yield the rows that are not blank."""
        return (row for row in rows(self.source, self.layout) if not row.is_blank)

    def edges(self) -> Iterator[Edge]:
        """Yield the line, the source and the target of each edge."""
        columns: tuple[int, int] | None = None
        places: dict[str, int] = {}
        types: dict[str, int] = {}
        count, may_be_matrix = 0, True
        for found in self.rows():
            line, row, _ = found
            if columns is None:
                columns = self._header(line, row)
                self.width = len(row)
                self.first, self.first_line = row, line
                if self.header is not None:
                    places = self._number_columns(line)
                    types = {name: row.index(name) for name in types_of_edges(row)}
                    self.numbers = {name: [] for name in places}
                    continue
            count += 1
            bare = self.layout.plain and self.header is None
            if self.layout.plain and count == 1 and columns == (0, 1) and len(row) > 1:
                self._check_edge(line, row)
            if bare and count == 2 and len(row) > 1 and all(map(NUMBER.fullmatch, self.first)):
                self.width = len(row)  # the first row may be the numbers of vertices and edges
            if len(row) != self.width:
                needed = max(*columns, *places.values())
                if bare or not self.layout.plain or len(row) <= needed:
                    raise self._uneven(line, row)
            found.check(self.source, columns)
            for name, place in types.items():
                check_directed(name, row[place : place + 1], partial(self.source.error, place=line))
            if self.header is None and len(row) > 2:
                self._check_unused(line, row)
                may_be_matrix = may_be_matrix and set(row) <= {"0", "1"}
            for name, place in places.items():
                self.numbers[name].append(self._number(name, row[place], line))
            yield line, row[columns[0]], row[columns[1]]
        if columns is None:
            raise self.source.error("no rows: expected edges, or a header such as source,target")
        if may_be_matrix and count == self.width > 2 and self.header is None:
            raise self.source.error(
                f"{count} rows of {count} zeros and ones: expected edges; "
                "Graph.from_scipy(scipy.sparse.csr_array(numpy.loadtxt(path))) reads a matrix",
                self.first_line,
            )

    def check_first(self) -> None:
        """Raise FormatError if the first row is an edge and has more or fewer cells than the others."""
        if self.header is None and len(self.first) != self.width and self.width and not self.is_sized:
            raise self._uneven(self.first_line, self.first)

    def _uneven(self, line: int, row: list[str]) -> Exception:
        """Return the error for a row with another number of cells."""
        text = short_repr(self.layout.delimiter.join(row))
        hint = f", {ONE_EDGE}" if self.layout.plain and self.header is None else ""
        return self.source.error(f"{len(row)} cells, {text}: expected {self.width}{hint}", line)

    def _check_edge(self, line: int, row: list[str]) -> None:
        """Raise FormatError for 1 -> 2, 1 - 2, 1: 2 3, (1, 2) or the p line of DIMACS."""
        first, second = row[0].strip(), row[1].strip()
        is_other = (
            ARROW.search(first + second) or first.endswith(":") or (first == "p" and len(row) == 4)
        )
        has_sign = len(row) > 2 and not re.search(r"\w", second)
        if is_other or has_sign or first.count("(") != first.count(")"):
            text = short_repr(self.layout.delimiter.join(row))
            raise self.source.error(f"{text}: expected {ONE_EDGE}", line)

    def _number_columns(self, line: int) -> dict[str, int]:
        """Return the columns of rewards and, for chance, of weights that the header has."""
        header = self.header or []
        fault = partial(self.source.error, place=line)
        found = find_edge_attributes(header, self.has_chance, fault)
        if found.unused:
            raise fault(found.unused[0])
        return {what: header.index(name) for what, name in found.columns.items()}

    def _number(self, name: str, cell: str, line: int) -> int:
        """Return the reward or the weight in a cell, 0 for an empty one."""
        word = cell.strip()
        if word and not POINTS.fullmatch(word):
            raise self.source.error(f"{name} {short_repr(cell)}: expected a whole number", line)
        return int(word or 0)

    def _header(self, line: int, row: list[str]) -> tuple[int, int]:
        """Return the columns of source and target, by the first row."""
        row = self.columns.in_edges(row, partial(self.source.error, place=line))
        if self.given_header is not False:
            places = find_ends(row, partial(self.source.error, place=line))
            if places is not None:
                self.header, self.header_line = row, line
                for text in unused_in_edges(row):
                    self.note(line, text)
                return places
        if len(row) < 2 or (len(row) > 2 and not self.layout.plain and not self.given_header):
            raise self.source.error(
                f"{len(row)} columns and no header: expected two vertices, "
                f"or a header such as source,target; {USE_HEADER} takes the first two columns, "
                "source= and target= (--source, --target) others",
                line,
            )
        if self.given_header:
            self.header, self.header_line = row, line
        return 0, 1

    def id(self, cell: str, line: int) -> int:
        """Return an id, and record one that may not fit 64 bits, which a name may be."""
        text = cell.strip()
        digits = text.lstrip("0") or "0"
        if len(digits) > MAX_DIGITS:
            self.too_long = self.too_long or (line, digits)
            return 0
        if digits != text and self.padded is None:
            self.padded = line, text
        return int(digits)

    def check_digits(self) -> None:
        """Raise FormatError for an id that may not fit 64 bits."""
        if self.too_long is not None:
            line, digits = self.too_long
            raise self.source.error(
                f"vertex {short_repr(digits)}: expected at most {MAX_DIGITS} digits{USE_NAMES}", line
            )

    def _check_unused(self, line: int, row: list[str]) -> None:
        """Note that there are more columns; raise FormatError unless they are numbers."""
        if not all(DECIMAL.fullmatch(cell.strip()) for cell in row[2:]):
            raise self.source.error(
                f"{len(row)} columns and no header: expected two vertices, and only numbers after them",
                line,
            )
        if not self.notes:
            self.note(line, "the columns after the second are not used")


def _numbers(reader: _EdgeList, forced: bool) -> tuple[Ids, Ids, int | None] | None:
    """Return sources, targets and the number of vertices if it is there; None if cells are names."""
    source = reader.source
    bulk = _in_bulk(reader)
    if bulk is not None:
        return bulk
    endpoints = array("q"), array("q")
    count = 0
    text: int | None = None  # the line of a first row of text, where only numbers follow
    negative: Edge | None = None
    for count, edge in enumerate(reader.edges(), 1):
        line = edge[0]
        for side, cell in enumerate(edge[1:]):
            if NUMBER.fullmatch(cell):
                endpoints[side].append(reader.id(cell, line))
            elif forced:
                raise source.error(
                    f"vertex {short_repr(cell)} in a file of numbers: "
                    "expected a whole number, 0 or more",
                    line,
                )
            elif SIGNED.fullmatch(cell):
                negative = negative or edge
            elif count == 1 and reader.header is None and reader.given_header is None:
                text = line
            else:
                return None
    if text is not None:
        if count == 1:
            return None
        raise source.error(
            "text above nothing but numbers: expected a header such as source,target, "
            f"two vertex numbers, or {USE_HEADER}",
            text,
        )
    if negative is not None:
        line, *cells = negative
        cell = next(cell for cell in cells if not NUMBER.fullmatch(cell))
        raise source.error(f"vertex {short_repr(cell)}: expected 0 or more{USE_NAMES}", line)
    if reader.padded and not forced:
        return None
    reader.check_digits()
    return _without_size(reader, *map(_as_array, endpoints))


def _in_bulk(reader: _EdgeList) -> tuple[Ids, Ids, int | None] | None:
    """Return the result of :func:`_numbers` for a file of pairs below a header, else None."""
    if reader.given_header:
        return None
    source = reader.source
    line, first, _ = next(reader.rows(), Row(1, [], {}))
    above = line - 1
    cells = reader.columns.in_edges(first, partial(source.error, place=line))
    reader.first, reader.first_line = [cell.strip() for cell in cells], line
    if reader.first and not NUMBER.fullmatch(reader.first[0]):
        if reader.given_header is False or [cell.lower() for cell in reader.first] not in PLAIN_HEADERS:
            return None
        reader.header, reader.header_line = reader.first, line
        above = line
    place = bytes_of_lines(source, above)
    if not PAIRS[reader.layout.delimiter].fullmatch(source.data, place):
        reader.header = None
        return None
    pairs = np.fromstring(source.data[place:].translate(TO_BLANKS), np.int64, sep=" ").reshape(-1, 2)
    return _without_size(reader, pairs[:, 0], pairs[:, 1])


def _without_size(reader: _EdgeList, tails: Ids, heads: Ids) -> tuple[Ids, Ids, int | None]:
    """Take the first row of plain lines as the numbers of vertices and edges if these are right."""
    if not _may_be_size(reader) or len(heads) < 2 or heads[0] != len(heads) - 1:
        return tails, heads, None
    size, largest = int(tails[0]), max(int(tails[1:].max()), int(heads[1:].max()))
    smallest = min(int(tails[1:].min()), int(heads[1:].min()))
    if largest > size or (largest == size and smallest == 0) or size > 100 * len(tails) + 10**6:
        return tails, heads, None
    _note_size(reader)
    return tails[1:], heads[1:], size


def _may_be_size(reader: _EdgeList) -> bool:
    """Return whether the first row may be the numbers of vertices and edges."""
    may = reader.layout.delimiter == BLANKS and reader.header is None and reader.given_header is None
    return may and (len(reader.first) == 2 or len(reader.first) > reader.width > 0)


def _note_size(reader: _EdgeList) -> None:
    size, edges, *more = (cell.strip() for cell in reader.first)
    reader.is_sized = True
    reader.note(
        reader.first_line,
        f"'{' '.join([size, edges, *more])}' is read as {size} vertices and {edges} edges: "
        "header=False (--no-header) reads it as an edge",
    )


def _as_array(endpoints: array[int]) -> Ids:
    """Return ids as an array, without a copy."""
    return np.frombuffer(endpoints, np.int64) if endpoints else np.zeros(0, np.int64)


def _numbered(
    reader: _EdgeList, edges: tuple[Ids, Ids, int | None], table: VertexTable | None
) -> GraphFile:
    """Return the contents of an edge list of whole numbers."""
    source = reader.source
    tails, heads, size = edges
    if table is None and size is None:
        make = partial(Graph.from_edges, tails, heads, **reader.numbers)
        return GraphFile(build_graph(source, make))
    more = np.zeros(0, np.int64) if table is None else np.array(table.numbers(), np.int64)
    if size is not None:
        from_1 = not (tails == 0).any() and not (heads == 0).any()
        more = np.concatenate([more, np.arange(size) + from_1])
    numbers = np.unique(np.concatenate([tails, heads, more]))
    ids = SortedIds(numbers)
    numbered = len(ids) == 0 or numbers[-1] == len(ids) - 1
    make = partial(
        Graph.from_edges,
        np.searchsorted(numbers, tails),
        np.searchsorted(numbers, heads),
        len(ids),
        names=None if numbered else ids,
        **reader.numbers,
    )

    def find(text: str) -> int | None:
        return ids.numbers.get(int(text)) if NUMBER.fullmatch(text) else None

    return _graph_file(source, table, make, len(ids), lambda v: str(ids[v]), find)


def _named(reader: _EdgeList, table: VertexTable | None) -> GraphFile:
    """Return the contents of an edge list of names."""
    source = reader.source
    number: dict[str, int] = table.names() if table is not None else {}
    endpoints = array("q"), array("q")
    for line, *edge in reader.edges():
        for side, cell in enumerate(edge):
            name = cell if cell in number else cell.strip()
            if not name and name not in number:
                raise source.error(f"vertex {short_repr(cell)}: expected a name", line)
            endpoints[side].append(number.setdefault(name, len(number)))
    _check_header(reader, number)
    tails, heads = map(_as_array, endpoints)
    names = list(number)
    alone = 0 if table else _names_of_first_row_alone(tails, heads)
    if alone:
        if _may_be_size(reader) and _counts(reader.first, len(names) - alone, len(tails) - 1):
            _note_size(reader)
            tails, heads, names = tails[1:] - alone, heads[1:] - alone, names[alone:]
        elif alone == 2 and reader.header is None and reader.given_header is None:
            reader.note(
                reader.first_line,
                f"{short_repr(reader.layout.delimiter.join(names[:2]))} is taken as an edge: "
                f"{USE_HEADER} reads it as a header, header=False (--no-header) as an edge",
            )
    make = partial(Graph.from_edges, tails, heads, len(names), names=names, **reader.numbers)
    return _graph_file(source, table, make, len(names), lambda v: short_repr(names[v]), number.get)


def _graph_file(
    source: Source,
    table: VertexTable | None,
    make: MakeGraph,
    n: int,
    label: Callable[[int], str],
    find: Callable[[str], int | None],
) -> GraphFile:
    """Return the contents of an edge list, with the attributes in its vertex table."""
    if table is None:
        return GraphFile(build_graph(source, make))
    return table.attributes(find).graph_file(n, make, label, find)


def _names_of_first_row_alone(tails: Ids, heads: Ids) -> int:
    """Return how many names the first edge has, numbered from 0; 0 if one occurs in another edge."""
    if len(tails) < 2 or min(int(tails[0]), int(heads[0])) != 0:
        return 0
    count = max(int(tails[0]), int(heads[0])) + 1
    return count if min(int(tails[1:].min()), int(heads[1:].min())) >= count else 0


def _counts(row: list[str], names: int, edges: int) -> bool:
    """Return whether a row has a number that is at least that of names, and the number of edges."""
    if not all(NUMBER.fullmatch(cell) and len(cell.strip()) <= MAX_DIGITS for cell in row):
        return False
    return int(row[0]) >= names and int(row[1]) == edges


def _check_header(reader: _EdgeList, number: dict[str, int]) -> None:
    """Raise FormatError for a header such as u,v if u or v is a vertex further on."""
    if reader.header is None or reader.given_header:
        return
    if "source" in [cell.strip().lower() for cell in reader.header]:
        return
    for cell in reader.header:
        if cell.strip() in number:
            raise reader.source.error(
                f"{short_repr(cell)} is a vertex further on, so this may be an edge or a header: "
                f"expected the header source,target above it, {USE_HEADER} or header=False",
                reader.header_line,
            )


KINDS = ("vertex", "name", "id")
MAX_DIGITS = 18  # of a number that fits 64 bits


@dataclass
class VertexTable:
    """A vertex table as it was read.

    Parameters
    ----------
    source : Source
    kind : str
        The column that identifies the vertex, one of ``KINDS``.
    column : dict of str to int
        The index of each column.
    rows : list of (int, list of str)
        The line number and the cells of each row.
    """

    source: Source
    kind: str
    column: dict[str, int]
    rows: list[tuple[int, list[str]]]

    def has_chance(self) -> bool:
        """Return whether chance owns a vertex."""
        places = [self.column[name] for name in ("owner", "player") if name in self.column]
        words = {row[place].strip().lower() for _, row in self.rows for place in places}
        return not words.isdisjoint((str(CHANCE), Mover.CHANCE.label))

    def ids(self) -> Iterator[tuple[int, str]]:
        """Yield the line number and the text of the vertex of each row."""
        place = self.column[self.kind]
        return ((line, row[place]) for line, row in self.rows)

    def numbered(self, vertices: list[Vertex]) -> dict[Vertex, int]:
        """Return the row of the vertex of each row. Raises FormatError for one that comes twice."""
        number = {v: row for row, v in enumerate(vertices)}
        if len(number) < len(vertices):
            first = {v: row for row, v in reversed(list(enumerate(vertices)))}
            row, v = next((row, v) for row, v in enumerate(vertices) if first[v] < row)
            raise self.source.error(
                f"vertex {short_repr(v)} for the second time: expected one row", self.rows[row][0]
            )
        return number

    def has_names(self) -> bool | None:
        """Return whether the column says that vertices are names; None if the edges decide."""
        if self.kind == "vertex" and all(DIGITS.fullmatch(text.strip()) for _, text in self.ids()):
            return False
        return True if self.kind == "name" else None

    def numeric(self) -> bool:
        """Return whether the vertices can be read as numbers."""
        ids = (text.strip() for _, text in self.ids())
        return all(DIGITS.fullmatch(id_) and str(int(id_)) == id_ for id_ in ids)

    def numbers(self) -> list[int]:
        """Return the vertices as numbers, in the order of the rows."""

        def number(text: str, line: int) -> int:
            if DIGITS.fullmatch(text.strip()):
                return int(text)
            raise self.source.error(
                f"vertex {short_repr(text)}: expected a whole number, 0 or more, "
                f"of at most {MAX_DIGITS} digits",
                line,
            )

        return list(self.numbered([number(text, line) for line, text in self.ids()]))

    def names(self) -> dict[str, int]:
        """Return the vertex number of each name."""
        strip = str if self.kind == "name" else str.strip
        return self.numbered([strip(text) for _, text in self.ids()])

    def attributes(self, find: Callable[[str], int | None]) -> Attributes:
        """Return the attributes in the other columns; ``find`` maps a cell to its vertex."""
        attributes = Attributes(self.source)
        columns = [(name, self.column[name]) for name in ATTRIBUTES if name in self.column]
        for name, _ in columns:
            attributes.declare(name)
        for line, row in self.rows:
            text = row[self.column[self.kind]]
            v = find(text if self.kind == "name" else text.strip())
            assert v is not None, "ids were numbered from the same rows"
            for name, place in columns:
                attributes.put(name, v, row[place], line)
        return attributes


def _table_rows(source: Source, delimiter: str | None) -> Iterable[Row]:
    """Return the rows of a vertex table, of text or in Parquet."""
    if source.data[:4] == parquet.MAGIC:
        return parquet.text_rows(source)
    source.check_text()
    return rows(source, find_layout(source, delimiter))


def _read_table(source: Source, rows: Iterable[Row], columns: ColumnNames) -> VertexTable:
    """Read a vertex table from its rows. Raises FormatError."""
    rows = iter(rows)
    line, header, _ = next(rows, Row(1, [], {}))
    header = columns.in_vertices(header, partial(source.error, place=line), "id", "player")
    kept = []
    for row in rows:
        if len(row.cells) != len(header):
            count = len(row.cells)
            raise source.error(f"{count} cells: expected {len(header)}, as the header has", row.line)
        kept.append(row)
    attributes = find_attributes(
        header,
        (*KINDS, *ATTRIBUTES),
        partial(source.error, place=line),
        cells=lambda name: (row.cells[header.index(name)] for row in kept),
    )
    kinds = [name for name in KINDS if name in attributes.columns]
    if len(kinds) != 1:
        raise source.error(
            f"header {short_repr(','.join(header))}: expected one column called vertex, name or id, "
            "or vertex= (--vertex)",
            line,
        )
    if attributes.unused:
        raise source.error(attributes.unused[0], line)
    column = {what: header.index(name) for what, name in attributes.columns.items()}
    for row in kept:
        row.check(source, column.values())
    return VertexTable(source, kinds[0], column, [row[:2] for row in kept])


# Possessive, so that a file with anything else is refused in one pass.
PLAIN_NUMBER = rb"(?!0[0-9])[0-9]{1,18}+"  # 007 is a name


def _pairs(delimiter: str) -> re.Pattern[bytes]:
    """Return the pattern of rows of two numbers; a tab is a blank unless it is the delimiter."""
    blanks = rb"[ ]*+" if delimiter == "\t" else rb"[ \t]*+"
    between = rb"[ \t]++" if delimiter == BLANKS else blanks + delimiter.encode() + blanks
    row = blanks + PLAIN_NUMBER + between + PLAIN_NUMBER + blanks
    return re.compile(rb"(?:" + row + rb"(?:\r?\n(?:" + blanks + rb"\r?\n)*+|\Z))++")


PAIRS = {delimiter: _pairs(delimiter) for delimiter in (BLANKS, "\t", ",", ";")}
TO_BLANKS = bytes.maketrans(b",;", b"  ")


def write(graph_file: GraphFile, delimiter: str = ",") -> list[OutputFile]:
    """Return the files to write: the vertex table, if it is needed, and the edge list."""
    graph = graph_file.graph
    names = text_names(graph)
    ids = _as_ids(graph.names)
    most = csv.field_size_limit()
    check_writable(
        names,
        lambda name: "\0" in name or len(name) > most,
        "delimited text",
        f"no NUL and at most {most} characters",
    )
    # The csv module would leave a carriage return unquoted, and what reads differently without quotes.
    quoting: Literal[0, 1] = (
        csv.QUOTE_ALL if any(map(NEEDS_QUOTES.search, names or ())) else csv.QUOTE_MINIMAL
    )
    labels: Sequence[str | int] = range(graph.num_vertices) if names is None else names
    attributes = attributes_of(graph_file)

    def rows_to(file: IO[bytes], rows: Iterable[Iterable[str | int]]) -> None:
        out = csv.writer(Utf8(file), delimiter=delimiter, lineterminator="\n", quoting=quoting)
        out.writerows(rows)

    def write_edges(file: IO[bytes]) -> None:
        numbered = enumerate(map(graph.neighbors, range(graph.num_vertices)))
        edges = ((labels[v], labels[w]) for v, row in numbered for w in row.tolist())
        numbers = {"reward": graph.reward, "weight": graph.weight}
        there = {name: array.tolist() for name, array in numbers.items() if array is not None}
        rows = ((*edge, *each) for edge, *each in zip(edges, *there.values(), strict=True))
        rows_to(file, chain([("source", "target", *there)], rows))

    def write_table(file: IO[bytes]) -> None:
        cells = attribute_rows(graph_file, attributes, lambda v: str(labels[v]))
        rows = ((label, *row) for label, row in zip(labels, cells, strict=True))
        rows_to(file, chain([("vertex" if ids else "name", *attributes)], rows))

    needed = bool(attributes) or not _edges_suffice(graph, names, ids)
    return [OutputFile(write_table, TABLE, needed=needed), OutputFile(write_edges)]


def _as_ids(names: Sequence[Hashable] | None) -> bool:
    """Return whether vertices would be read as ids: numbers, and names that are ascending numbers."""
    if names is None:
        return True
    if not all(type(name) is int and 0 <= name < 10**MAX_DIGITS for name in names):
        return False
    ids = np.array(list(names), np.int64)
    return bool((ids[1:] > ids[:-1]).all()) and len(ids) > 0 and int(ids[-1]) >= len(ids)


def _edges_suffice(graph: Graph, names: list[str] | None, ids: bool) -> bool:
    """Return whether the edge list alone would be read as this graph."""
    n = graph.num_vertices
    if ids:
        occurs = graph.out_degrees() > 0
        occurs[graph.indices] = True
        return bool(occurs.all())
    assert names is not None
    if not n or all(SIGNED.fullmatch(name) for name in names):
        return False
    if any(name != name.strip() or not name for name in names):
        return False
    appeared: dict[int, None] = {}
    for v in range(n):
        for w in graph.neighbors(v).tolist():
            appeared[v] = appeared[w] = None
    return list(appeared) == list(range(n))

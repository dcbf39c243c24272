"""The vertex table: the second file of an edge list, with one vertex per row below a header.

One column identifies the vertex: ``vertex`` (whole numbers), ``name`` (names, numbered row by row) or
``id`` (whole numbers if all of them are, without leading zeros, in both files; otherwise names). The
columns ``owner``, ``player``, ``terminal``, ``value``, ``remoteness``, ``best``, ``start`` and
``stuck`` are optional; ``stuck`` is the value (loss, win or tie) of the vertices that have no
successor. A column that looks like one of these, such as ``to_move``, is refused; others are ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from retrosolve.csr.attribute_names import find_attributes
from retrosolve.formats.attributes import ATTRIBUTES, DIGITS, Attributes, attribute_rows, attributes_of
from retrosolve.formats.graphfile import GraphFile
from retrosolve.runtime.files import Source, short_repr

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

    def ids(self) -> Iterator[tuple[int, str]]:
        """Yield the line number and the text of the vertex of each row."""
        place = self.column[self.kind]
        return ((line, row[place]) for line, row in self.rows)

    def numeric(self) -> bool:
        """Return whether the vertices can be read as numbers."""
        ids = (text.strip() for _, text in self.ids())
        return self.kind == "vertex" or all(
            DIGITS.fullmatch(id_) and str(int(id_)) == id_ for id_ in ids
        )

    def numbers(self) -> list[int]:
        """Return the vertices as numbers, in the order of the rows."""
        seen: dict[int, None] = {}
        for line, text in self.ids():
            digits = text.strip()
            if not DIGITS.fullmatch(digits) or len(digits.lstrip("0")) > MAX_DIGITS:
                raise self.source.error(
                    f"vertex {short_repr(text)}: expected a whole number, 0 or more, "
                    f"of at most {MAX_DIGITS} digits",
                    line,
                )
            v = int(digits)
            if v in seen:
                raise self.source.error(f"vertex {v} for the second time: expected one row", line)
            seen[v] = None
        return list(seen)

    def names(self) -> dict[str, int]:
        """Return the vertex number of each name."""
        number: dict[str, int] = {}
        for line, text in self.ids():
            name = text.strip() if self.kind == "id" else text
            if name in number:
                raise self.source.error(
                    f"vertex {short_repr(text)} for the second time: expected one row", line
                )
            number[name] = len(number)
        return number

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


def read(source: Source, rows: Iterable[tuple[int, list[str]]]) -> VertexTable:
    """Read a vertex table from its rows, pairs of a line number and cells. Raises FormatError."""
    rows = iter(rows)
    line, header = next(rows, (1, []))
    found = find_attributes(header, (*KINDS, *ATTRIBUTES), partial(source.error, place=line))
    kinds = [name for name in KINDS if name in found.columns]
    if len(kinds) != 1:
        raise source.error(
            f"header {short_repr(','.join(header))}: expected one column called vertex, name or id",
            line,
        )
    if found.unused:
        raise source.error(found.unused[0], line)
    kept = []
    for number, row in rows:
        if len(row) != len(header):
            raise source.error(f"{len(row)} cells: expected {len(header)}, as the header has", number)
        kept.append((number, row))
    column = {what: header.index(name) for what, name in found.columns.items()}
    return VertexTable(source, kinds[0], column, kept)


def table_rows(graph_file: GraphFile, names: list[str] | None, ids: bool) -> Iterator[list[str]]:
    """Yield the rows of the vertex table of a graph file, beginning with the header.

    Parameters
    ----------
    graph_file : GraphFile
    names : list of str or None
        The name of each vertex; None for its number.
    ids : bool
        Whether the names are whole numbers, to be read as such.
    """
    attributes = attributes_of(graph_file)
    label = str if names is None else names.__getitem__
    yield ["vertex" if ids else "name", *attributes]
    for v, cells in enumerate(attribute_rows(graph_file, attributes, label)):
        yield [label(v), *cells]

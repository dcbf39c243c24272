"""Owners and terminal values in files: ``owner.npy``, ``terminal.npy`` and ``vertices.parquet``.

An array has an entry for each vertex, as ``Graph.from_edges`` takes it. The columns ``owner`` and
``terminal`` of ``vertices.parquet`` have a row for each vertex in order; terminal values are codes or
words, null for none.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from retrosolve.csr import validation
from retrosolve.csr.attribute_names import find_attributes
from retrosolve.errors import GraphError
from retrosolve.external.files import ParquetFile, fault
from retrosolve.runtime.files import error_summary, import_library
from retrosolve.values import INVALID, Value

if TYPE_CHECKING:
    import pyarrow

TABLE = "vertices.parquet"
WHAT = ("owner", "terminal")


def vertex_data(folder: Path | None) -> tuple[dict[str, Any], int | None]:
    """Return the owners and terminal values in a folder, and the number of vertices that they are for.

    Returns
    -------
    arrays : dict of str to array
        With the keys "owner" and "terminal" where there are such files.
    num_vertices : int or None
        None without such files.

    Raises
    ------
    FormatError
        For files that hold anything else, or that differ in length.
    """
    arrays: dict[str, Any] = {}
    lengths: dict[Path, int] = {}
    if folder is None:
        return arrays, None
    if (folder / TABLE).is_file():
        columns, lengths[folder / TABLE] = _columns(folder / TABLE)
        arrays |= columns
    for what in WHAT:
        path = folder / f"{what}.npy"
        if not path.is_file():
            continue
        if what in arrays:
            raise fault(path, f"expected no such file beside {TABLE}, which has {what}")
        try:
            arrays[what] = np.load(path, allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            text = f"{error_summary(error)}: expected an array of whole numbers"
            raise fault(path, text) from None
        arrays[what] = checked(arrays[what], what, len(np.atleast_1d(arrays[what])), path=path)
        lengths[path] = len(arrays[what])
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{path.name} has {length}" for path, length in lengths.items())
        raise fault(folder, f"{listed} entries: expected one for each vertex")
    return arrays, next(iter(lengths.values()), None)


class NameColumn:
    """The names of a table of vertices, read anew each time that they are iterated over.

    Parameters
    ----------
    path : Path or None
        None has no names.
    column : str
        The name of their column.
    """

    def __init__(self, path: Path | None, column: str = "vertex") -> None:
        self.path, self.column = path, column

    def __len__(self) -> int:
        return 0 if self.path is None else ParquetFile(self.path).num_rows()

    def __iter__(self) -> Iterator[Any]:
        if self.path is not None:
            for (names,) in ParquetFile(self.path).texts([self.column]):
                yield names


def named_vertices(folder: Path | None) -> tuple[dict[str, Any], NameColumn]:
    """Return owners and terminal values in a folder of edges between names, and whose they are.

    Returns
    -------
    arrays : dict of str to array
        A row for each vertex that the table names.
    names : NameColumn

    Raises
    ------
    FormatError
        For a table that holds anything else, or files in the order of numbers.
    """
    if folder is None:
        return {}, NameColumn(None)
    for what in WHAT:
        path = folder / f"{what}.npy"
        if path.is_file():
            raise fault(path, f"vertices have names: expected {TABLE} with the column vertex")
    path = folder / TABLE
    if not path.is_file():
        return {}, NameColumn(None)
    attributes = _attributes(path)
    if "vertex" not in attributes:
        raise fault(path, "expected the column vertex with a name in each row")
    names = NameColumn(path, attributes.pop("vertex"))
    return _values(_table(path, attributes), path), names


def by_number(
    arrays: dict[str, Any], numbers: Any, vertices: int, folder: Path | None
) -> dict[str, Any]:
    """Return owners and terminal values by vertex, for rows of vertices with some numbers.

    Raises FormatError if two rows are of one vertex, or if there are owners and one has none.
    """
    table = folder and folder / TABLE
    named = np.zeros(vertices, np.bool_)
    named[numbers] = True
    if np.count_nonzero(named) < len(numbers):
        raise fault(table, "column vertex has a name twice: expected each once")
    by_vertex = {}
    for what, values in arrays.items():
        by_vertex[what] = np.zeros(vertices, np.uint8)
        by_vertex[what][numbers] = values
    if "owner" in by_vertex and len(numbers) < vertices:
        text = f"{len(numbers)} of {vertices} vertices have an owner: expected a row for each"
        raise fault(table, text)
    return by_vertex


def checked(
    data: object,
    what: str,
    vertices: int,
    numbers: Mapping[Hashable, int] | None = None,
    path: Path | None = None,
) -> Any:
    """Return owners or terminal values as uint8 [vertices]. Raises GraphError or FormatError."""
    try:
        array = validation.vertex_array(data, what, vertices, numbers)
        if array is not None and what == "terminal" and int(array.max(initial=0)) == INVALID:
            place = int(np.argmax(array == INVALID))
            raise GraphError(f"terminal[{place}] is {INVALID}: expected 0 or a Value: WIN, LOSS, TIE")
    except GraphError as error:
        if path is None:
            raise
        raise fault(path, str(error)) from None
    return array


def _attributes(path: Path) -> dict[str, str]:
    """Return the columns of a table of vertices that say something, by their usual names."""
    file = ParquetFile(path)

    def cells(name: str) -> list[Any]:
        column: list[Any] = file.table([name]).column(name).to_pylist()
        return column

    attributes = find_attributes(file.column_names(), ("vertex", *WHAT), file.error, cells=cells)
    if attributes.unused:
        raise file.error(attributes.unused[0])
    return dict(attributes.columns)


def _table(path: Path, attributes: Mapping[str, str]) -> pyarrow.Table:
    """Return some columns of a table of vertices, by their usual names."""
    columns = list(attributes.values())
    return ParquetFile(path).table(columns).select(columns).rename_columns(list(attributes))


def _columns(path: Path) -> tuple[dict[str, Any], int]:
    """Return the owners and terminal values of a table of vertices, and its number of rows."""
    table = _table(path, _attributes(path))
    if "vertex" in table.column_names:
        vertices = table.column("vertex").to_numpy()
        if not np.array_equal(vertices, np.arange(len(table))):
            raise fault(
                path, "column vertex is not 0, 1, 2 and so on: expected a row for each in order"
            )
    return _values(table, path), ParquetFile(path).num_rows()


def _values(table: pyarrow.Table, path: Path) -> dict[str, Any]:
    """Return the owners and terminal values of a table, row by row."""
    arrow = import_library("pyarrow", f"reading {path}")
    arrays: dict[str, Any] = {}
    for what in WHAT:
        if what in table.column_names:
            column = table.column(what)
            numbers = column.cast("int64") if arrow.types.is_integer(column.type) else None
            if numbers is None and what == "terminal":
                numbers = _codes(column, path)
            if numbers is None or (what == "owner" and numbers.null_count):
                kind = f"type {column.type} and {column.null_count} nulls"
                raise fault(path, f"column {what} has {kind}: expected whole numbers")
            arrays[what] = checked(numbers.fill_null(0).to_numpy(), what, len(table), path=path)
    return arrays


def _codes(column: Any, path: Path) -> Any:
    """Return a column of words as codes."""
    compute = import_library("pyarrow.compute", f"reading {path}")
    arrow = import_library("pyarrow", f"reading {path}")
    labels = [value.label for value in Value]
    try:
        words = column.cast(arrow.string())
    except arrow.ArrowInvalid:
        return None
    places = compute.index_in(compute.utf8_lower(words), value_set=arrow.array(labels))
    wrong = compute.and_(compute.is_valid(words), compute.is_null(places))
    if compute.any(wrong).as_py():
        place = wrong.to_pylist().index(True)
        text = f"terminal[{place}] is {words[place].as_py()!r}: expected win, loss or tie"
        raise fault(path, text)
    return places.cast("int64")

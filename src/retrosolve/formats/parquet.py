"""Parquet, ``.parquet``: one row per vertex, for data frames and query engines. Needs pyarrow.

Columns of version 1: ``vertex`` (0, 1, 2 ...), ``successors`` (a list of vertices), and optionally
``name`` (text or whole numbers), ``owner`` (text if chance is one of them), ``player``, ``terminal``,
``payoff`` (a whole number), ``reward`` and ``weight`` (lists, like ``successors``), ``value``,
``remoteness``, ``best``; values are words, and missing entries are null. The metadata of the schema
holds ``retrosolve`` (the version), ``stuck`` (a word) and ``start`` (a vertex number).

A file of edges is read too: columns ``source`` and ``target``, or another of the pairs in
``attribute_names.ENDS``, of whole numbers or names, and perhaps ``reward``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from retrosolve.arrays import IntArray, index_dtype
from retrosolve.errors import FormatError, RetrosolveError
from retrosolve.formats.attributes import (
    DIGITS,
    OWNERS,
    TERMINALS,
    WORDS,
    check_names,
    word_codes,
)
from retrosolve.formats.graphfile import (
    RESULT_KEYS,
    GraphFile,
    OutputFile,
    TypedFile,
    array_names,
    build_graph,
    start_of,
)
from retrosolve.runtime import memory
from retrosolve.runtime.delimited import Row
from retrosolve.runtime.files import Source, error_summary, import_library, short_repr
from retrosolve.spaces.csr.attribute_names import (
    LIKE_WEIGHTS,
    OF_EDGES,
    USUAL,
    ColumnNames,
    find_attributes,
    find_ends,
    owners_and_players,
    plain_name,
    unused_in_edges,
)
from retrosolve.spaces.csr.validation import known_owners
from retrosolve.spaces.graph import Graph

if TYPE_CHECKING:
    import pyarrow as pa

VERSION = 1
OWNER_CODES = {label: number for number, label in enumerate(OWNERS)}
MAGIC = b"PAR1"
COLUMNS = (
    "source", "target", "vertex", "name", "owner", "player", "terminal", "payoff", "reward", "weight",
    "value", "remoteness", "best", "successors", *RESULT_KEYS[:-1],
)  # fmt: skip
ROWS_PER_BATCH = 1 << 16
BYTES_PER_VALUE = 20  # as read, and as a number in a graph


def _pyarrow() -> tuple[Any, Any]:
    """Import pyarrow. Raises FormatError if it is missing."""
    task = "reading and writing .parquet files"
    return import_library("pyarrow", task), import_library("pyarrow.parquet", task)


def text_rows(source: Source) -> Iterator[Row]:
    """Yield the header and the rows of a table as the cells of text, with their numbers."""
    pa, pq = _pyarrow()
    try:
        file = pq.ParquetFile(pa.BufferReader(source.data))
        names = list(file.schema_arrow.names)
        columns = [column.to_pylist() for column in _read(source, pa, file, names).columns]
    except RetrosolveError:
        raise
    except Exception as error:
        raise source.error(f"{error_summary(error)}: expected a Parquet file") from None
    yield Row(1, names, {})
    for number, row in enumerate(zip(*columns, strict=True), 2):
        yield Row(number, ["" if cell is None else str(cell) for cell in row], {})


def read(
    source: Source, table: tuple[Source, str | None] | None = None, columns: ColumnNames = USUAL
) -> GraphFile:
    """Read a table of vertices or of edges, and a table of vertices beside that. Raises FormatError."""
    pa, pq = _pyarrow()
    try:
        file = pq.ParquetFile(pa.BufferReader(source.data))
        schema = file.schema_arrow.names
        if columns.has_ends or table is not None:
            return _tables(source, table, columns)
        attributes = find_attributes(schema, COLUMNS, source.error)
        if "successors" in attributes.columns:
            if attributes.unused:
                raise source.error(attributes.unused[0])
            metadata = file.schema_arrow.metadata or {}
            data = _read(source, pa, file, list(attributes.columns.values()))
            return _vertices(
                _Table(source, pa, data.rename_columns(list(attributes.columns)), metadata)
            )
        if find_ends(schema, source.error) is not None:
            return _tables(source, table, columns)
    except RetrosolveError:
        raise
    except Exception as error:
        raise source.error(f"{error_summary(error)}: expected a Parquet file") from None
    raise source.error(
        f"columns {short_repr(schema)}: expected successors, or source and target, or the columns of "
        "edges by source= and target= (--source, --target)"
    )


def _tables(source: Source, table: tuple[Source, str | None] | None, columns: ColumnNames) -> GraphFile:
    """Return the graph of a table of edges and perhaps one of vertices, with any names of columns."""
    pa, pq = _pyarrow()

    def opened(part: Source) -> tuple[Any, list[str]]:
        file = pq.ParquetFile(pa.BufferReader(part.data))
        return file, file.schema_arrow.names

    def whole(part: Source, wanted: Sequence[str]) -> Any:
        file, names = opened(part)
        for name in wanted:
            if names.count(name) != 1:
                count = "no column" if name not in names else "two columns"
                raise part.error(f"{count} {name!r}: expected one of {short_repr(names)}")
        of_edges = [name for name in names if plain_name(name) in (*OF_EDGES, *LIKE_WEIGHTS, "type")]
        return _read(part, pa, file, [*wanted, *of_edges] if wanted else names)

    schema = opened(source)[1]
    ends = columns.source or "source", columns.target or "target"
    places = None if columns.has_ends else find_ends(schema, source.error)
    if places is not None:
        ends = schema[places[0]], schema[places[1]]
    edges = whole(source, ends)
    notes = tuple(str(source.error(text)) for text in unused_in_edges(schema))
    vertices: Any = None
    vertex: str | None = None
    if table is not None and table[0].data[:4] == MAGIC:
        vertices = whole(table[0], ())
    elif table is not None:
        csv = import_library("pyarrow.csv", "reading a table of vertices beside .parquet")
        header = table[0].data.split(b"\n", 1)[0].decode("utf-8-sig", "replace").strip()
        vertex = _vertex_column(table[0], header.split(table[1] or ","), columns.vertex)
        kinds = {vertex: edges.column(ends[0]).type}
        vertices = csv.read_csv(
            pa.BufferReader(table[0].data),
            parse_options=csv.ParseOptions(delimiter=table[1] or ","),
            convert_options=csv.ConvertOptions(column_types=kinds, strings_can_be_null=True),
        )
    if table is not None and vertex is None:
        vertex = _vertex_column(table[0], vertices.column_names, columns.vertex)
    arguments = ends[0], ends[1], vertices, vertex, columns.owner, columns.terminal
    where = source if table is None else table[0]
    return GraphFile(build_graph(where, lambda: Graph.from_pandas(edges, *arguments)), notes=notes)


def _vertex_column(table: Source, names: Sequence[str], wanted: str | None) -> str:
    """Return the column that names the vertex. Raises FormatError if there is none."""
    usual = [name for name in names if name.strip().lower() in ("vertex", "name", "id")]
    if wanted is not None or len(usual) == 1:
        return usual[0] if wanted is None else wanted
    raise table.error(
        f"columns {short_repr(list(names))}: expected one called vertex, name or id, "
        "or vertex= (--vertex)"
    )


def _read(source: Source, pa: Any, file: Any, columns: list[str]) -> Any:
    """Read columns batch by batch, within the free memory.

    A few compressed bytes may hold any number of equal values. The metadata of single columns has
    their size, but pyarrow crashes the process if that metadata is damaged.
    """
    memory.require_free(
        BYTES_PER_VALUE * file.metadata.num_rows * len(columns), f"reading {source.name}"
    )
    batches: list[Any] = []
    size = 0
    for batch in file.iter_batches(ROWS_PER_BATCH, columns=columns, use_threads=False):
        size += batch.nbytes
        memory.require_free(2 * size, f"reading {source.name}")
        batches.append(batch)
    schema = batches[0].schema if batches else pa.schema([file.schema_arrow.field(c) for c in columns])
    return pa.Table.from_batches(batches, schema)


class _Table(TypedFile):
    """The columns of a table, each checked and returned as one array."""

    def __init__(self, source: Source, pa: Any, table: pa.Table, metadata: dict[bytes, bytes]) -> None:
        super().__init__(source)
        self.pa = pa
        self.table = table
        self.metadata = metadata

    def has(self, name: str) -> bool:
        """Return whether the table has this column."""
        return name in self.table.column_names

    def column(self, name: str) -> Any:
        """Return a column as one array, dictionaries decoded."""
        column = self.table.column(name)
        kind = column.type
        if self.pa.types.is_dictionary(kind):
            column = column.cast(kind.value_type)
        return column.combine_chunks()

    def whole(self, name: str, array: Any = None) -> Any:
        """Return a column of whole numbers without nulls."""
        array = self.column(name) if array is None else array
        if not self.pa.types.is_integer(array.type):
            raise self.source.error(f"column {name} has type {array.type}: expected whole numbers")
        if array.null_count:
            raise self.source.error(f"column {name} has nulls: expected a number in each row")
        return array.to_numpy(zero_copy_only=False)

    def numbers(self, name: str) -> IntArray | None:
        """Return a column of whole numbers, null as -1."""
        if not self.has(name):
            return None
        array = self.column(name)
        if array.null_count == len(array):
            return np.full(len(array), -1, np.int64)
        if self.pa.types.is_integer(array.type):
            array = array.cast(self.pa.int64()).fill_null(-1)
        numbers: IntArray = self.whole(name, array)
        return numbers

    def points(self, name: str) -> IntArray | None:
        """Return a column of points, null as 0."""
        if not self.has(name):
            return None
        array = self.column(name)
        if not self.pa.types.is_integer(array.type) and array.null_count == len(array):
            return np.zeros(len(array), np.int64)
        numbers: IntArray = self.whole(name, array.fill_null(0))
        return numbers

    def words(self, name: str) -> IntArray | None:
        """Return a column of words as codes of Value, null as 0."""
        labels = self.labels(name)
        if labels is None:
            return None
        ends = name == "terminal"
        expected = "win, loss, tie or null" if ends else "win, loss, tie or draw"
        return word_codes(self.source, name, labels, TERMINALS if ends else WORDS, expected)

    def labels(self, name: str) -> list[Any] | None:
        """Return the entries of a column, null as None."""
        return self.column(name).to_pylist() if self.has(name) else None

    def of_edges(self, name: str, indptr: IntArray) -> IntArray | None:
        """Return the entries of a column of lists as long as the rows."""
        if not self.has(name):
            return None
        lists = self.column(name)
        if not self.is_list(lists.type) or not np.array_equal(lists.value_lengths(), np.diff(indptr)):
            raise self.source.error(f"column {name} has other lengths: expected lists like successors")
        numbers: IntArray = self.whole(name, lists.flatten())
        return numbers

    def owner(self, is_own: bool) -> IntArray | None:
        """Return the owners: numbers, or text where chance is one of them."""
        if not self.has("owner"):
            return None
        if self.pa.types.is_integer(self.column("owner").type):
            owners: IntArray = self.whole("owner")
            return known_owners(owners) if is_own else owners
        labels = self.labels("owner") or []
        expected = f"0 or 1, or {OWNERS[-1]!r} for dice"
        return known_owners(word_codes(self.source, "owner", labels, OWNER_CODES, expected))

    def is_list(self, kind: Any) -> bool:
        """Return whether a type of Arrow is one of lists."""
        return bool(self.pa.types.is_list(kind) or self.pa.types.is_large_list(kind))

    def names(self, name: str) -> list[Any]:
        """Return a column of names: text or whole numbers, none of them null."""
        names: list[Any] = self.column(name).to_pylist()
        check_names(self.source, name, names)
        return names

    def players(self) -> Iterator[tuple[int, str]]:
        """Yield each vertex that has a player, and that."""
        entries = self.labels("player") or ()
        return ((v, str(entry)) for v, entry in enumerate(entries) if entry is not None)

    def single(self, name: str) -> str | None:
        """Return an entry of the metadata."""
        word = self.metadata.get(name.encode())
        return None if word is None else word.decode(errors="replace")

    def start(self, graph: Graph) -> Hashable | None:
        """Return the initial position, whose number is text in the metadata."""
        word = self.single("start")
        return start_of(self.source, graph, int(word) if word and DIGITS.fullmatch(word) else word)


def _vertices(table: _Table) -> GraphFile:
    """Return the contents of a table of vertices."""
    source = table.source
    version = table.single("retrosolve")
    if version not in (None, str(VERSION)):
        raise source.error(f"version {short_repr(version)}: expected {VERSION}")
    rows = table.column("successors")
    kind = rows.type
    if not table.is_list(kind):
        raise source.error(f"column successors has type {kind}: expected lists of vertices")
    if rows.null_count:
        raise source.error("column successors has nulls: expected a list in each row")
    n = len(rows)
    if table.has("vertex") and not np.array_equal(table.whole("vertex"), np.arange(n)):
        raise source.error("column vertex is not 0, 1, 2 and so on: expected one row a vertex in order")
    indptr = np.zeros(n + 1, np.int64)
    np.cumsum(table.whole("successors", rows.value_lengths()), out=indptr[1:])
    indices = table.whole("successors", rows.flatten())
    owner, players = owners_and_players(
        table.owner(version is not None),
        table.players(),
        n,
        lambda v, text: source.error(f"player[{v}]: {text}"),
    )
    names = table.names("name") if table.has("name") else None
    return table.graph_file(indptr, indices, names, owner, players)


# -- writing --------------------------------------------------------------------------------------


def write(graph_file: GraphFile) -> list[OutputFile]:
    """Return the file to write, a table with one row per vertex. Raises FormatError."""
    pa, pq = _pyarrow()
    names = array_names(graph_file.graph)
    try:
        table = _table(pa, graph_file, names)
    except (pa.ArrowException, ValueError) as error:
        raise FormatError(f"a .parquet file cannot hold this: {error_summary(error)}") from None
    return [OutputFile(partial(pq.write_table, table))]


def _table(pa: Any, graph_file: GraphFile, names: list[str] | list[int] | None) -> Any:
    """Return the table of vertices to write."""
    graph = graph_file.graph
    n = graph.num_vertices
    number = pa.int32() if index_dtype(n) is np.int32 else pa.int64()
    columns: dict[str, Any] = {"vertex": pa.array(np.arange(n), number)}
    if names is not None:
        text = not names or isinstance(names[0], str)
        columns["name"] = pa.array(names, pa.string() if text else pa.int64())
    indptr, entries = graph.indptr.astype(np.int64), graph_file.entries()
    metadata = {"retrosolve": str(VERSION)}
    for name in ("objective", "stuck", "start"):
        word = entries.pop(name, None)
        metadata |= {} if word is None else {name: str(word)}
    rows = {"successors": pa.LargeListArray.from_arrays(indptr, pa.array(graph.indices, number))}
    if graph.owner is not None and graph_file.players is not None:
        columns["player"] = pa.DictionaryArray.from_arrays(pa.array(graph.owner), list(graph.owners))
    for name, entry in entries.items():
        if entry is None:
            continue
        if name in ("reward", "weight"):
            rows[name] = pa.LargeListArray.from_arrays(indptr, pa.array(entry, pa.int32()))
        elif name in ("terminal", "value"):
            columns[name] = _words(pa, entry, nothing=name == "terminal")
        elif name == "owner" and graph.has_chance:
            columns[name] = pa.DictionaryArray.from_arrays(pa.array(entry), list(OWNERS))
        elif name in ("owner", "payoff"):
            columns[name] = pa.array(entry, pa.int8() if name == "owner" else pa.int32())
        elif isinstance(entry, list):
            columns[name] = pa.array(entry, pa.string())
        else:
            columns[name] = pa.array(entry, pa.int64(), mask=entry < 0)
    return pa.table(columns | rows).replace_schema_metadata(metadata)


def _words(pa: Any, codes: Iterable[int], nothing: bool) -> Any:
    """Return a dictionary-encoded column of words."""
    array = np.asarray(codes)
    words = pa.array(list(WORDS))
    places = pa.array(array.astype(np.int8), mask=(array == 0) if nothing else None)
    return pa.DictionaryArray.from_arrays(places, words)

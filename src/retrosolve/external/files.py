"""Files of a graph on disk: its edges, which are read in blocks, and its owners and terminal values.

Edges are ``.npy`` arrays, Parquet or CSV. The arrays ``owner.npy`` and ``terminal.npy`` have an entry
for each vertex, as ``Graph.from_edges`` takes them. The columns ``owner`` and ``terminal`` of
``vertices.parquet`` have a row for each vertex in order; terminal values are codes or words, null for
none.
"""

from __future__ import annotations

import hashlib
import os
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.errors import FormatError, GraphError
from retrosolve.runtime.delimited import (
    BLANKS,
    RowLayout,
    bytes_of_lines,
    doubtful,
    find_layout,
    first_line,
    is_row,
    lines_above,
    rows,
)
from retrosolve.runtime.files import Source, error_summary, import_library, npy_header, short_repr
from retrosolve.spaces.csr import validation
from retrosolve.spaces.csr.attribute_names import (
    OF_EDGES,
    USUAL,
    ColumnNames,
    check_directed,
    find_attributes,
    find_ends,
    types_of_edges,
)
from retrosolve.values import CHANCE, INVALID, Value

if TYPE_CHECKING:
    import pyarrow

T = TypeVar("T")
Edges = tuple[IntArray, IntArray]

_pool_lock = threading.Lock()

COLUMNS = ["source", "target"]
SAMPLE = 1 << 16  # bytes of the beginning and of the end that the fingerprint is of
PADDED = re.compile(r"0[0-9]+")  # a number would lose its zeros
SIGNED = re.compile(r"-?[0-9]+")
PLAIN_NUMBER = r"^\s*(0|-?[1-9][0-9]*)\s*$"
LONGEST_ROW = 1 << 20  # bytes of CSV
BYTES_PER_ROW = 16  # of CSV, to ask for blocks of about as many rows
BATCH_BYTES = 1 << 19  # of names that are read at a time
BUFFER_BYTES = 1 << 16  # of a column that is read in pages, not whole row groups
READ_BYTES = 18 << 20  # that reading names takes, with pages of 1 MB in Parquet, as they usually are
PAGES_BYTES, PAGES_OF_EDGE = 8 << 20, 20  # that reading numbers takes: pages as stored and as decoded
PROBED_ROWS = 256
ROWS_AT_ONCE = 1 << 16  # of numbers: pyarrow takes 30 to 50 bytes for each that it decodes


def reading_bytes(num_edges: int) -> int:
    """Return the most bytes that readers of numbers take beside the edges that they yield."""
    return min(PAGES_BYTES, PAGES_OF_EDGE * num_edges)


def fault(place: object, text: str) -> FormatError:
    """Return the error for a file or folder."""
    return FormatError(f"{place}: {text}")


@contextmanager
def _system_pool() -> Iterator[None]:
    """Let readers of Parquet that are made in the block take memory from the system.

    The pool of pyarrow keeps what is freed, and for a reader there is no other way to have another one.
    """
    arrow = import_library("pyarrow", "reading Parquet")
    with _pool_lock:
        pool = arrow.default_memory_pool()
        arrow.set_memory_pool(arrow.system_memory_pool())
        try:
            yield
        finally:
            arrow.set_memory_pool(pool)


class EdgeFile(ABC):
    """A file of edges.

    Parameters
    ----------
    path : Path
    columns : ColumnNames, optional
        The columns of the edges, by default source and target.
    """

    def __init__(self, path: Path, columns: ColumnNames = USUAL) -> None:
        self.path = path
        self.columns = columns

    @cached_property
    def ends(self) -> list[str]:
        """The names of the columns of sources and targets."""
        return [self.columns.source or COLUMNS[0], self.columns.target or COLUMNS[1]]

    @property
    @abstractmethod
    def num_edges(self) -> int | None:
        """The number of edges by the header of the file; None if it has none."""

    @abstractmethod
    def blocks(self, size: int) -> Iterator[Edges]:
        """Yield sources and targets, int32 or int64, about ``size`` edges at a time.

        Raises FormatError for a file that is damaged or holds anything else.
        """

    @property
    def has_names(self) -> bool:
        """Whether vertices are text."""
        return False

    def name_blocks(self) -> Iterator[tuple[Any, Any]]:
        """Yield sources and targets as text, arrays of pyarrow, about ``BATCH_BYTES`` at a time."""
        raise self.error("vertices are numbers: expected names, as in other files")

    @cached_property
    def num_bytes(self) -> int:
        """The size of the file."""
        with self._readable():
            return self.path.stat().st_size

    def fingerprint(self) -> str:
        """Return a digest of the size, the beginning and the end of the file."""
        digest = hashlib.sha256(str(self.num_bytes).encode())
        with self._readable(), open(self.path, "rb") as file:
            digest.update(file.read(SAMPLE))
            file.seek(max(0, self.num_bytes - SAMPLE))
            digest.update(file.read(SAMPLE))
        return digest.hexdigest()

    def written(self) -> int:
        """Return when the file was last written, in nanoseconds."""
        with self._readable():
            return self.path.stat().st_mtime_ns

    def error(self, text: str) -> FormatError:
        """Return the error for this file."""
        return fault(self.path, text)

    @contextmanager
    def _readable(self) -> Iterator[None]:
        """Raise FormatError for an error of the system in the block, which reads the file."""
        try:
            yield
        except OSError as error:
            summary = error.strerror or error_summary(error)
            raise fault(f"cannot read {self.path}", summary) from None


class NpyFile(EdgeFile):
    """An array of shape (k, 2), int32 or int64, as ``numpy.save`` writes it."""

    @cached_property
    def _header(self) -> tuple[int, np.dtype[Any], int]:
        """The number of edges, the dtype and where the data begins."""
        try:
            with self._readable(), open(self.path, "rb") as file:
                shape, fortran, dtype = npy_header(file)
                offset = file.tell()
        except (ValueError, EOFError) as error:
            raise self.error(f"{error_summary(error)}: expected a .npy file") from None
        if dtype not in (np.dtype("<i4"), np.dtype("<i8")):
            raise self.error(f"dtype {short_repr(str(dtype))}: expected int32 or int64")
        if len(shape) != 2 or shape[1] != 2 or (fortran and shape[0] > 1):
            order = " in Fortran order" if fortran else ""
            raise self.error(f"shape {short_repr(shape)}{order}: expected (k, 2), row by row")
        expected = offset + shape[0] * 2 * dtype.itemsize
        if self.num_bytes != expected:
            raise self.error(
                f"{self.num_bytes} bytes for {shape[0]} edges: expected {expected} bytes, "
                "the file is cut short or damaged"
            )
        return shape[0], dtype, offset

    @property
    def num_edges(self) -> int:
        """The number of edges."""
        return self._header[0]

    def blocks(self, size: int) -> Iterator[Edges]:
        """Yield views of blocks of the array."""
        count, dtype, offset = self._header
        for start in range(0, count, size):
            length = min(size, count - start)
            place = offset + 2 * start * dtype.itemsize
            with self._readable():
                pairs = np.fromfile(self.path, dtype, 2 * length, offset=place)
            if len(pairs) < 2 * length:
                raise self.error(f"ends before edge {start + length}: expected {count} edges")
            yield pairs[::2], pairs[1::2]


class ParquetFile(EdgeFile):
    """Columns such as ``source`` and ``target`` of whole numbers or strings. Needs pyarrow."""

    @cached_property
    def ends(self) -> list[str]:
        """The names of the columns of sources and targets, by default the first pair that is usual."""
        names = self.column_names()
        places = None if self.columns.has_ends else find_ends(names, self.error)
        return super().ends if places is None else [names[place] for place in places]

    @cached_property
    def _metadata(self) -> Any:
        with self._opened() as file:
            schema = file.schema_arrow
            if any(schema.names.count(name) != 1 for name in self.ends):
                expected = " and ".join(self.ends)
                raise self.error(
                    f"columns {short_repr(schema.names)}: expected {expected}, or other columns by "
                    "source= and target= (--source, --target)"
                )
            if find_attributes(schema.names, tuple(OF_EDGES), self.error).columns.get("reward"):
                raise self.error("a column of rewards: expected none, for edges on disk")
            kinds = [schema.field(name).type for name in self.ends]
            text = ["string" in str(kind) for kind in kinds]
            for name, kind, is_text in zip(self.ends, kinds, text, strict=True):
                if str(kind) not in ("int32", "int64") and not is_text:
                    raise self.error(f"column {name} has type {kind}: expected int32, int64 or string")
            if any(text) and not all(text):
                raise self.error(
                    f"columns {kinds[0]} and {kinds[1]}: expected names in both, or numbers"
                )
            return file.metadata, all(text)

    @contextmanager
    def _opened(self) -> Iterator[Any]:
        """Open the file; raise FormatError where reading it fails."""
        parquet = import_library("pyarrow.parquet", f"reading {self.path}")
        with self._readable():
            try:
                with _system_pool():
                    opened = parquet.ParquetFile(self.path, pre_buffer=False, buffer_size=BUFFER_BYTES)
                with opened as file:
                    yield file
            except FormatError:
                raise
            except Exception as error:  # pyarrow raises many kinds for damaged files
                if isinstance(error, OSError) and error.errno is not None:
                    raise
                raise self.error(f"{error_summary(error)}: expected a Parquet file") from None

    @property
    def num_edges(self) -> int:
        """The number of edges."""
        return int(self._metadata[0].num_rows)

    @property
    def has_names(self) -> bool:
        """Whether the columns are strings."""
        return bool(self._metadata[1])

    def blocks(self, size: int) -> Iterator[Edges]:
        """Yield batches of rows."""
        return _gathered(self._batches(min(size, ROWS_AT_ONCE), self.ends), size)

    def name_blocks(self) -> Iterator[tuple[Any, Any]]:
        """Yield batches of rows."""
        if not self.has_names:
            yield from super().name_blocks()
        yield from self.texts(self.ends)

    def column_names(self) -> list[str]:
        """Return the names of all columns."""
        with self._opened() as file:
            return list(file.schema_arrow.names)

    def num_rows(self) -> int:
        """Return the number of rows, whatever the columns."""
        with self._opened() as file:
            return int(file.metadata.num_rows)

    def table(self, columns: list[str]) -> Any:
        """Return some columns whole, as a table of pyarrow."""
        with self._opened() as file:
            return file.read(columns, use_threads=False)

    def texts(self, columns: list[str]) -> Iterator[Any]:
        """Yield some columns of text, about ``BATCH_BYTES`` of them at a time."""
        first = next(self._batches(PROBED_ROWS, columns), [])
        num_bytes = sum(len(text_bytes(column)[0]) for column in first)
        size = BATCH_BYTES * PROBED_ROWS // (num_bytes + BYTES_PER_ROW * PROBED_ROWS)
        return self._batches(size, columns)

    def _batches(self, size: int, columns: list[str]) -> Iterator[list[Any]]:
        """Yield some columns, about ``size`` rows at a time."""
        arrow = import_library("pyarrow", f"reading {self.path}")
        rows = 0
        try:
            with self._opened() as file:
                count = file.metadata.num_rows
                types = types_of_edges(file.schema_arrow.names) if columns == self.ends else []
                every = [*columns, *types]
                for batch in file.iter_batches(max(size, 1), columns=every, use_threads=False):
                    for name in types:
                        check_directed(name, batch.column(name).unique().to_pylist(), self.error)
                    if any(batch.column(name).null_count for name in columns):
                        named = " and ".join(columns)
                        raise self.error(f"a row without a value: expected {named} in each row")
                    rows += len(batch)
                    arrow.default_memory_pool().release_unused()
                    yield [batch.column(name) for name in columns]
        finally:
            arrow.default_memory_pool().release_unused()  # pages come from there even so
        if rows != count:
            raise self.error(f"{rows} rows: expected {count}, as its metadata says")


class CsvHead(NamedTuple):
    """How the rows of a CSV file are read, by its first ``SAMPLE`` bytes.

    Parameters
    ----------
    start : int
        The byte at which edges begin, below comments and the header.
    delimiter : str
    width : int
        The number of columns.
    ends : tuple of int
        The columns of sources and targets.
    header : tuple of str
        The cells of the header, if there is one.
    has_names : bool
    """

    start: int = 0
    delimiter: str = ","
    width: int = 2
    ends: tuple[int, int] = (0, 1)
    header: tuple[str, ...] = ()
    has_names: bool = False


class CsvFile(EdgeFile):
    """Rows of two numbers or names, also below a header such as ``source,target``. Needs pyarrow.

    They are those that ``read_graph`` reads: the first line decides by the same functions.
    """

    @property
    def num_edges(self) -> None:
        """None: only reading tells."""
        return

    @cached_property
    def _head(self) -> CsvHead:
        with self._readable(), open(self.path, "rb") as file:
            data = file.read(SAMPLE)
        if len(data) == SAMPLE:
            data = data[: _end_of_rows(data)]
        source = Source(str(self.path), data)
        source.check_text()
        layout = find_layout(source, ",")
        if layout.delimiter == BLANKS or layout.plain:
            shown = short_repr(first_line(source))
            raise self.error(
                f"the first row is {shown}: expected cells between commas, and no data in braces"
            )
        above = lines_above(source)
        sampled = [row[:2] for row in rows(source, layout) if not row.is_blank]
        if not sampled and self.num_bytes > SAMPLE:
            raise self.error(f"no row in the first {SAMPLE} bytes: expected edges")
        if not sampled:
            return CsvHead(self.num_bytes)
        line, first = sampled[0]
        fault = partial(source.error, place=line)
        shown = short_repr(layout.delimiter.join(first))
        unused = find_attributes(first, ("owner", "player", "terminal", *OF_EDGES), fault).columns
        if not self.columns.has_ends and unused.keys() - OF_EDGES:
            raise self.error(
                f"the first row is {shown}: expected edges, and owners and terminal values in "
                "vertices.parquet"
            )
        header = self.columns.in_edges(first, fault)
        ends = find_ends(header, fault)
        if ends is not None and "reward" in unused:
            raise self.error(f"the first row is {shown}: expected no rewards, for edges on disk")
        if ends is None and len(first) != 2:
            raise fault(f"{len(first)} columns and no header: expected rows of two, or a header")
        body = [row for _, row in sampled[ends is not None :]]
        places = ends or (0, 1)
        cells = [[row[k].strip() for k in places] for row in body if len(row) > max(places)]
        are_numbers = [all(map(SIGNED.fullmatch, row)) for row in cells]
        is_followed = len(are_numbers) > 1 or (are_numbers and len(data) < self.num_bytes)
        if ends is None and is_followed and not are_numbers[0] and all(are_numbers[1:]):
            raise self.error(
                f"the first row is {shown} and the next has numbers: expected the header "
                "source,target, or names in each row"
            )
        padded = any(PADDED.fullmatch(cell) for row in cells for cell in row)
        return CsvHead(
            bytes_of_lines(source, line if ends else min(above, line - 1)),
            layout.delimiter,
            len(first),
            places,
            tuple(cell.strip() for cell in header) if ends else (),
            padded or not all(are_numbers),
        )

    @property
    def has_names(self) -> bool:
        """Whether the first rows are not all numbers, or some have leading zeros."""
        return self._head.has_names

    def check_header(self, names: Mapping[Hashable, int]) -> None:
        """Raise FormatError for a header such as u,v if u or v is one of these names."""
        header = self._head.header
        twice = next((cell for cell in header if cell in names), None)
        if twice is not None and "source" not in (cell.lower() for cell in header):
            raise self.error(
                f"{short_repr(twice)} is a vertex, so the first row may be an edge or a header: "
                "expected the header source,target above it or in its place"
            )

    def blocks(self, size: int) -> Iterator[Edges]:
        """Yield the rows of blocks of text."""
        return _gathered(self._batches(min(size, ROWS_AT_ONCE), "int64"), size)

    def name_blocks(self) -> Iterator[tuple[Any, Any]]:
        """Yield the rows of blocks of text."""
        for source, target in self._batches(BATCH_BYTES // BYTES_PER_ROW, "large_string"):
            yield self._stripped(source), self._stripped(target)

    def _batches(self, size: int, kind: str) -> Iterator[list[Any]]:
        """Yield both columns, about ``size`` rows at a time."""
        done = 0
        for data in self._texts(max(64, min(BYTES_PER_ROW * size, 1 << 30))):
            if kind == "int64" and _may_be_odd(data, self._head.delimiter):
                for columns in self._parsed(data, "large_string", done):
                    self._check_plain(columns)
            for columns in self._parsed(data, kind, done):
                done += len(columns[0])
                yield columns

    def _texts(self, size: int) -> Iterator[bytes]:
        """Yield whole rows, about ``size`` bytes at a time, checked as a file in memory is."""
        delimiter = self._head.delimiter.encode()
        quoted = rb'"(?:[^"\r\n]|"")*+"'
        cell = rb'(?: *+%b|(?! *+")[^%b\r\n]*+)' % (quoted, delimiter)
        well_quoted = re.compile(cell + rb"(?:[%b\r\n]" % delimiter + cell + rb")*+")
        begun = re.compile(rb"(?<![^%b\r\n]) *(%b)" % (delimiter, quoted))
        may_have_doubts = doubtful(self._head.delimiter)
        with self._readable(), open(self.path, "rb") as file:
            above = _lines(file.read(self._head.start))
            rest, is_last = b"", False
            while not is_last:
                more = file.read(size)
                is_last = len(more) < size
                data = rest + more
                end = len(data) if is_last else _end_of_rows(data)
                if not end and len(data) > LONGEST_ROW:
                    raise self.error(
                        f"a row of over {LONGEST_ROW} bytes: expected rows of two vertices"
                    )
                data, rest = data[:end], data[end:]
                if not data.isascii() or b"\0" in data:
                    Source(str(self.path), data).check_text()
                if b'"' in data and not well_quoted.fullmatch(data):
                    raise self.error(
                        "a quote within a cell, or a line end in quotes: expected quotes about whole "
                        "cells"
                    )
                if may_have_doubts(data):
                    source = Source(str(self.path), data)
                    for row in rows(source, RowLayout(self._head.delimiter), above):
                        row.check(source, self._head.ends)
                above += _lines(data)
                if data and not data.isspace():
                    yield begun.sub(rb"\1", data) if b' "' in data else data

    def _parsed(self, data: bytes, kind: str, done: int) -> Iterator[list[Any]]:
        """Yield the columns of the ends of edges in some rows, below ``done`` others."""
        csv = import_library("pyarrow.csv", f"reading {self.path} in blocks")
        arrow = import_library("pyarrow", f"reading {self.path} in blocks")
        names = [str(k) for k in range(self._head.width)]
        ends = [names[k] for k in self._head.ends]
        types = {name: self._head.header.index(name) for name in types_of_edges(self._head.header)}
        try:
            table = csv.read_csv(
                arrow.BufferReader(data),
                read_options=csv.ReadOptions(
                    block_size=len(data) + 1, column_names=names, use_threads=False
                ),
                parse_options=csv.ParseOptions(
                    delimiter=self._head.delimiter, invalid_row_handler=_skip_blank_rows
                ),
                convert_options=csv.ConvertOptions(
                    column_types=dict.fromkeys(ends, getattr(arrow, kind)()),
                    null_values=[],
                    include_columns=[*ends, *(names[k] for k in types.values())],
                ),
                memory_pool=arrow.system_memory_pool(),
            )
        except arrow.ArrowInvalid as error:
            what = "names" if self.has_names else "whole numbers"
            text = re.sub(r"(?<=Row #)\d+", lambda row: str(done + int(row[0])), error_summary(error))
            raise self.error(f"{text}: expected rows of two {what}, source,target") from None
        for name, k in types.items():
            check_directed(name, table.column(names[k]).unique().to_pylist(), self.error)
        for batch in table.to_batches():
            yield [batch.column(name) for name in ends]

    def _check_plain(self, columns: list[Any]) -> None:
        """Raise FormatError for a cell that stands for a number in another way."""
        compute = import_library("pyarrow.compute", f"reading {self.path}")
        for column in columns:
            odd = compute.invert(compute.match_substring_regex(column, PLAIN_NUMBER))
            if compute.any(odd).as_py():
                cell = column[compute.index(odd, True).as_py()].as_py()
                raise self.error(
                    f"vertex {short_repr(cell)}: expected a whole number without leading zeros, as in "
                    "the first rows"
                )

    def _stripped(self, column: Any) -> Any:
        """Return a column of text without blanks around it. Raises FormatError for an empty cell."""
        column = _trimmed(column)
        if not np.diff(text_bytes(column)[1]).all():
            raise self.error("vertex '': expected a name in each row")
        return column


def _trimmed(column: Any) -> Any:
    """Return text without blanks around it."""
    data, _ = text_bytes(column)
    if not (data - 33 > 94).any():  # neither blanks of ASCII nor characters beyond it
        return column
    compute = import_library("pyarrow.compute", "reading names")
    pool = import_library("pyarrow", "reading names").system_memory_pool()
    return compute.utf8_trim_whitespace(column, memory_pool=pool)


def _end_of_rows(data: bytes) -> int:
    """Return where the last whole row ends."""
    return max(data.rfind(b"\n"), data.rfind(b"\r")) + 1


def _lines(data: bytes) -> int:
    """Return the number of lines that end in some text."""
    return max(data.count(b"\n"), data.count(b"\r"))


def _skip_blank_rows(row: Any) -> str:
    """Return the answer to pyarrow about a row of too few or too many cells: skip it if it is none."""
    return "error" if row.actual_columns > 1 or is_row(row.text or "") else "skip"


def _may_be_odd(data: bytes, delimiter: str) -> bool:
    """Return whether some cell may be a number with leading zeros, in another base, or -0."""
    text = np.frombuffer(data, np.uint8)
    if data[:1] == b"0" and data[1:2] >= b"0":
        return True
    before, zero, after = text[:-2], text[1:-1] == ord("0"), text[2:]
    if b"-" in data and (zero & (before == ord("-"))).any():
        return True
    if delimiter == ";":
        before = np.where(before == ord(";"), ord(","), before)
    return bool((zero & (before < ord("0")) & (after >= ord("0"))).any())


def prefetched(items: Iterable[T]) -> Iterator[T]:
    """Yield the items of an iterable, each made by another thread while the one before is used.

    Examples
    --------
    >>> list(prefetched(range(4)))
    [0, 1, 2, 3]
    """
    source, end, context = iter(items), object(), copy_context()

    def take() -> Any:
        return context.run(next, source, end)

    with ThreadPoolExecutor(1) as maker:
        coming: Future[Any] = maker.submit(take)
        while (item := coming.result()) is not end:
            coming = maker.submit(take)
            yield item
            del item  # before the wait for the next one, so that two of them are in memory, not three


def text_bytes(names: Any) -> tuple[ByteArray, IntArray]:
    """Return the text of an array of pyarrow, and where each name begins and the last one ends."""
    arrow = import_library("pyarrow", "reading names")
    names = names.cast(arrow.large_string(), memory_pool=arrow.system_memory_pool())
    _, offsets, data = names.buffers()
    bounds = np.frombuffer(offsets, np.int64)[names.offset : names.offset + len(names) + 1]
    every = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)
    return every[bounds[0] : bounds[-1]], bounds - bounds[0]


def _gathered(batches: Iterator[Sequence[Any]], size: int) -> Iterator[Edges]:
    """Yield sources and targets, batches of pyarrow, about ``size`` edges at a time."""
    at_once = max(1, size // ROWS_AT_ONCE)
    return iter(lambda: _joined(list(islice(batches, at_once))), None)


def _joined(batches: list[Sequence[Any]]) -> Edges | None:
    """Return all sources and all targets of some batches; None without one."""
    source, target = ([batch[side].to_numpy() for batch in batches] for side in (0, 1))
    if len(batches) > 1:
        return np.concatenate(source), np.concatenate(target)
    return (source[0], target[0]) if batches else None


def check_vertices(part: EdgeFile, ends: Edges, before: int, vertices: int | None) -> None:
    """Raise FormatError for a number at an end of some edges that is no vertex.

    Parameters
    ----------
    part : EdgeFile
    ends : sources and targets
    before : int
        The number of edges of the file before these.
    vertices : int or None
        The number of vertices; None if any number from 0 on is one.
    """
    for name, numbers in zip(COLUMNS, ends, strict=True):
        unsigned = numbers.view(f"u{numbers.itemsize}")  # negative numbers become very large ones
        limit = 1 << (8 * numbers.itemsize - 1) if vertices is None else vertices
        if len(numbers) and int(unsigned.max()) >= limit:
            place = int(np.argmax(unsigned >= limit))
            expected = f"vertices 0..{limit - 1}" if numbers[place] >= 0 else "0 or more"
            raise part.error(f"edge {before + place} has {name} {numbers[place]}: expected {expected}")


WILDCARDS = "*?["
KINDS: dict[str, type[EdgeFile]] = {".npy": NpyFile, ".parquet": ParquetFile, ".csv": CsvFile}
WHAT = ("owner", "terminal")
TABLE = "vertices.parquet"
PER_VERTEX = (*(f"{what}.npy" for what in WHAT), TABLE)


def find_parts(
    place: str | os.PathLike[str], columns: ColumnNames = USUAL
) -> tuple[list[EdgeFile], Path | None]:
    """Return the files of edges that a folder, a pattern or a path stands for, in order of names.

    Parameters
    ----------
    place : str or path
    columns : ColumnNames, optional

    Returns
    -------
    parts : list of EdgeFile
    folder : Path or None
        Where files for each vertex may be; None for one file.

    Raises
    ------
    FormatError
        If there is no such file, or one of another kind.
    """
    if not isinstance(place, str | os.PathLike) or not isinstance(os.fspath(place), str):
        raise FormatError(f"{short_repr(place)} is not a path: expected a folder, a pattern or a file")
    if not os.fspath(place):
        raise FormatError("the path is empty: expected a folder, a pattern or a file")
    path = Path(place)
    suffixes = ", ".join(KINDS)
    folder: Path | None = None
    if path.is_dir():
        folder, paths = path, [file for file in path.iterdir() if _is_part(file)]
    elif path.exists():
        paths = [path]
    else:
        folder, pattern = _pattern(path)
        paths = [file for file in folder.glob(pattern) if file.name not in PER_VERTEX]
    if not paths:
        raise fault(f"no edges in {path}", f"expected files {suffixes}")
    parts = []
    for file in sorted(paths):
        if file.suffix.lower() not in KINDS:
            raise fault(file, f"expected edges in one of {suffixes}")
        if file.exists() and not file.is_file():
            raise fault(f"{file} is a pipe or a device", "expected a regular file")
        parts.append(KINDS[file.suffix.lower()](file.absolute(), columns))
    return parts, folder


def has_parts(folder: Path) -> bool:
    """Return whether a folder has files of edges."""
    return any(map(_is_part, folder.iterdir()))


def _is_part(file: Path) -> bool:
    """Return whether a file in a folder is one of its parts."""
    return (
        file.suffix.lower() in KINDS and not file.name.startswith(".") and file.name not in PER_VERTEX
    )


def _pattern(path: Path) -> tuple[Path, str]:
    """Return the folder above the first part of a path with a wildcard, and the pattern below it."""
    for k, piece in enumerate(path.parts):
        if any(letter in piece for letter in WILDCARDS):
            return Path(*path.parts[:k]), str(Path(*path.parts[k:]))
    raise fault(f"{path} does not exist", "expected a folder, a pattern or a file of edges")


# -- owners and terminal values ----------------------------------------------------------------------


def vertex_data(folder: Path | None, names: ColumnNames = USUAL) -> tuple[dict[str, Any], int | None]:
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
        columns, lengths[folder / TABLE] = _columns(folder / TABLE, names)
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
    has_blanks : bool
        Whether names may have blanks around them, as they have none in CSV.
    """

    def __init__(self, path: Path | None, column: str = "vertex", has_blanks: bool = True) -> None:
        self.path, self.column, self.has_blanks = path, column, has_blanks

    def __len__(self) -> int:
        return 0 if self.path is None else ParquetFile(self.path).num_rows()

    def __iter__(self) -> Iterator[Any]:
        if self.path is not None:
            for (names,) in ParquetFile(self.path).texts([self.column]):
                if not self.has_blanks and not _trimmed(names).equals(names):
                    raise fault(self.path, "a name has blanks around it: expected none, as in CSV")
                yield names


def named_vertices(
    folder: Path | None, files: Sequence[EdgeFile], columns: ColumnNames = USUAL
) -> tuple[dict[str, Any], NameColumn]:
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
    attributes = _attributes(path, columns)
    if "vertex" not in attributes:
        raise fault(path, "expected the column vertex with a name in each row")
    has_blanks = not any(isinstance(file, CsvFile) for file in files)
    vertex_names = NameColumn(path, attributes.pop("vertex"), has_blanks)
    return _values(_table(path, attributes), path), vertex_names


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
        if array is not None and what == "terminal":
            validation.refuse(array, what, array == INVALID, "0 or a Value: WIN, LOSS, TIE")
        elif array is not None:
            validation.refuse(array, what, array == CHANCE, "0 or 1, for edges on disk")
    except GraphError as error:
        if path is None:
            raise
        raise fault(path, str(error)) from None
    return array


def _attributes(path: Path, columns: ColumnNames) -> dict[str, str]:
    """Return the columns of a table of vertices that say something, by their usual names."""
    file = ParquetFile(path)

    def cells(name: str) -> list[Any]:
        column: list[Any] = file.table([actual[name]]).column(actual[name]).to_pylist()
        return column

    names = file.column_names()
    usual = columns.in_vertices(names, file.error, "vertex", "owner")
    actual = dict(zip(usual, names, strict=True))
    attributes = find_attributes(usual, ("vertex", *WHAT), file.error, cells=cells)
    if attributes.unused:
        raise file.error(attributes.unused[0])
    return {what: actual[name] for what, name in attributes.columns.items()}


def _table(path: Path, attributes: Mapping[str, str]) -> pyarrow.Table:
    """Return some columns of a table of vertices, by their usual names."""
    columns = list(attributes.values())
    return ParquetFile(path).table(columns).select(columns).rename_columns(list(attributes))


def _columns(path: Path, names: ColumnNames) -> tuple[dict[str, Any], int]:
    """Return the owners and terminal values of a table of vertices, and its number of rows."""
    table = _table(path, _attributes(path, names))
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

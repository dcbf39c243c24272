"""Solutions as rows, one for each position, without their moves: ``.csv``, ``.tsv`` and ``.parquet``.

The columns are ``position``, ``player`` (if positions say who moves), ``value`` (a word) and
``remoteness`` (nothing for a DRAW). A block of vertices is decoded and written at a time, so a table on
disk may be larger than the memory.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from retrosolve.errors import FormatError
from retrosolve.formats.table import find_format
from retrosolve.formats.writing import check_destination
from retrosolve.runtime.files import Utf8, as_path, gzip_writer, import_library, write_files
from retrosolve.solution import Solution
from retrosolve.solution.frames import Column, ColumnBlock, Words, arrow_table, outcome_blocks

DELIMITERS = {"csv": ",", "tsv": "\t"}
ROW_FORMATS = (*DELIMITERS, "parquet")


def write_rows(solution: Solution, path: str | Path, format: str | None = None) -> None:
    """Write a solution with one row for each position.

    Parameters
    ----------
    solution : Solution
    path : str or Path
        An existing file is replaced once the new one is complete.
    format : str, optional
        ``"csv"``, ``"tsv"`` or ``"parquet"``; by default the file extension selects it.

    Raises
    ------
    FormatError
        For another format, or if writing fails.

    Notes
    -----
    Takes the memory of a block of 2^18 positions with their texts, and some microseconds a position.
    """
    check_destination(path, format)
    kind, gzipped = find_format(path, format)
    if kind not in ROW_FORMATS:
        raise FormatError(f"{kind} files hold no rows: expected {', '.join(ROW_FORMATS)}")
    blocks = outcome_blocks(solution.space, solution.table, best=False)
    write = _parquet_writer(blocks) if kind == "parquet" else _text_writer(blocks, DELIMITERS[kind])
    write_files([(as_path(path), gzip_writer(write) if gzipped else write)])


def _parquet_writer(blocks: Iterator[ColumnBlock]) -> Callable[[IO[bytes]], None]:
    """Return a function that writes blocks as row groups."""
    pa = import_library("pyarrow", "writing .parquet files")
    pq = import_library("pyarrow.parquet", "writing .parquet files")

    def write(file: IO[bytes]) -> None:
        writer: Any = None
        for block in blocks:
            table = arrow_table(pa, block)
            if writer is None:
                writer = pq.ParquetWriter(file, table.schema)
            writer.write_table(table)
        writer.close()

    return write


def _text_writer(blocks: Iterator[ColumnBlock], delimiter: str) -> Callable[[IO[bytes]], None]:
    """Return a function that writes blocks as delimited text below a header."""

    def write(file: IO[bytes]) -> None:
        out = csv.writer(Utf8(file), delimiter=delimiter, lineterminator="\n")
        for number, block in enumerate(blocks):
            if number == 0:
                out.writerow(block)
            out.writerows(zip(*map(_cells, block.values()), strict=True))

    return write


def _cells(column: Column) -> list[Any]:
    """Return a column as the cells of a file, empty where something is missing."""
    if isinstance(column, Words):
        return [column.words[code] if code >= 0 else "" for code in column.codes.tolist()]
    labels = column.labels.tolist()
    return [
        "" if missing else label for label, missing in zip(labels, column.missing.tolist(), strict=True)
    ]

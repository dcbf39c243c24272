"""Rows of cells in text: separated by commas, semicolons, tabs or blanks, with comments.

The first line that is neither empty nor a comment decides. Where a file is not known to be ``.csv`` or
``.tsv``, lines are plain: comments may stand anywhere, and what follows in braces, as NetworkX writes
the data of an edge, is ignored.
"""

from __future__ import annotations

import csv
import io
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, takewhile

from retrosolve.runtime.files import Source, error_summary

COMMENTS = ("#", "%", "//")
BLANKS = " "
DELIMITERS = ("\t", ",", ";", BLANKS)
DATA_IN_BRACES = re.compile(r"[\s,;]*\{.*\}\s*$")
COMMENT_AT_END = re.compile(r"\s#.*$")

Row = tuple[int, list[str]]


@dataclass(frozen=True)
class RowLayout:
    """How the lines of a file are cut into cells.

    Parameters
    ----------
    delimiter : str
        ``" "`` stands for any blanks.
    plain : bool
        Whether comments may stand anywhere; otherwise only above the first row.
    """

    delimiter: str
    plain: bool = False


def find_layout(source: Source, delimiter: str | None) -> RowLayout:
    """Return the layout of a file by its first line.

    Parameters
    ----------
    source : Source
    delimiter : str or None
        That of the file's format, if it has one; taken if the line has it.
    """
    line = first_line(source)
    if delimiter is not None and delimiter in line:
        return RowLayout(delimiter, plain=bool(DATA_IN_BRACES.search(line)))
    bare = DATA_IN_BRACES.sub("", line).strip()
    cutting = next((d for d in DELIMITERS if len(_cut(bare, d)) > 1), None)
    if cutting is None:
        return RowLayout(delimiter or BLANKS, plain=delimiter is None)
    return RowLayout(cutting, plain=delimiter is None or cutting == BLANKS or bare != line.strip())


def _cut(line: str, delimiter: str) -> list[str]:
    """Cut a line without regard to quotes."""
    return line.split() if delimiter == BLANKS else line.split(delimiter)


def first_line(source: Source) -> str:
    """Return the first line that is neither empty nor a comment, '' if there is none."""
    lines = (line for line in _lines(source) if _is_row(line))
    return next(lines, "").rstrip("\r\n")


def lines_above(source: Source) -> int:
    """Return the number of empty lines and comments above the first other line."""
    return sum(1 for _ in takewhile(lambda line: not _is_row(line), _lines(source)))


def bytes_of_lines(source: Source, count: int) -> int:
    """Return the number of bytes of the first lines of a text."""
    mark = len(BOM_UTF8) if source.data.startswith(BOM_UTF8) else 0
    return mark + sum(len(line.encode()) for line in islice(_lines(source), count))


def find_cells(source: Source, layout: RowLayout) -> list[str]:
    """Return the cells of the first line, cut without regard to quotes."""
    return [cell.strip() for cell in _cut(first_line(source), layout.delimiter)]


def rows(source: Source, layout: RowLayout) -> Iterator[Row]:
    """Yield each row that is not empty, with the number of its last line. Raises FormatError."""
    lines = _plain(_lines(source)) if layout.plain else _below_comments(_lines(source))
    if layout.delimiter == BLANKS:
        yield from _by_blanks(source, lines)
        return
    reader = csv.reader(lines, delimiter=layout.delimiter, strict=True)
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise _bad_row(source, error, reader.line_num) from None
        if row is None:
            return
        if row:
            yield reader.line_num, row


def _bad_row(source: Source, error: csv.Error, line: int) -> Exception:
    """Return the error for a row that cannot be cut into cells."""
    most = csv.field_size_limit()
    if f"({most})" in str(error):
        return source.error(f"a cell of over {most} characters: expected at most {most}", line)
    return source.error(
        f"{error_summary(error)}: expected cells, those with quotes or line ends in quotes", line
    )


def _by_blanks(source: Source, lines: Iterable[str]) -> Iterator[Row]:
    """Yield the rows of lines whose cells are separated by blanks."""
    for number, line in enumerate(lines, 1):
        if '"' not in line:
            cells = line.split()
        else:
            bare = " ".join(line.strip().split("\t"))
            try:
                cells = next(csv.reader([bare], delimiter=" ", skipinitialspace=True, strict=True))
            except csv.Error as error:
                raise _bad_row(source, error, number) from None
        if cells:
            yield number, cells


def _lines(source: Source) -> Iterator[str]:
    """Yield the lines of a text, with their ends."""
    return iter(io.TextIOWrapper(io.BytesIO(source.data), "utf-8-sig", newline=""))


def _is_comment(line: str) -> bool:
    """Return whether a line is a comment."""
    return line.lstrip().startswith(COMMENTS)


def _is_row(line: str) -> bool:
    """Return whether a line is neither empty nor a comment."""
    return bool(line.strip()) and not _is_comment(line)


def _plain(lines: Iterator[str]) -> Iterator[str]:
    """Yield lines without comments and data in braces; as many lines."""
    for line in lines:
        if _is_comment(line):
            yield "\n"
        elif "#" in line or "}" in line:
            yield DATA_IN_BRACES.sub("", COMMENT_AT_END.sub("", line.rstrip("\r\n"))) + "\n"
        else:
            yield line


def _below_comments(lines: Iterator[str]) -> Iterator[str]:
    """Yield lines, with empty ones for the comments above the first row."""
    for line in lines:
        yield "\n" if _is_comment(line) else line
        if _is_row(line):
            break
    yield from lines

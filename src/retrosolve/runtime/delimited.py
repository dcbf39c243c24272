"""Rows of cells in text: separated by commas, semicolons, tabs or blanks, with comments.

The first line that is neither empty nor a comment decides, whatever the name of the file. Between
blanks, comments may stand anywhere. Between commas, semicolons or tabs a ``#`` may be a part of a name:
below the first row, lines that begin with it are comments without a delimiter, and refused with one.
Data in braces, as NetworkX writes them behind an edge, are ignored if the first row has them.

A cell without quotes may be cut in another way than meant, such as ``1,`` between blanks or ``b # x``.
Rows come with these doubts, and readers refuse those about vertices.
"""

from __future__ import annotations

import csv
import io
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import NamedTuple

from retrosolve.runtime.files import Source, error_summary, short_repr

COMMENTS = ("#", "%", "//")
BLANKS = " "
DELIMITERS = ("\t", ",", ";", BLANKS)
DATA_IN_BRACES = re.compile(r"[\s,;]*\{.*\}\s*$")
COMMENT_AT_END = re.compile(r"\s#.*$")
SEPARATOR_LINE = re.compile(r'"?sep=.?"?', re.IGNORECASE)
CELL_WITH_TAB = re.compile(r"[^\s,]\s*\t\s*[^\s,]")
WORD = re.compile(r'\s*(?:"((?:[^"]|"")*)"(?!\S)|([^\s"]\S*))')
QUOTED = r' *"(?:[^"]|"")*"'
CELLS = {mark: re.compile(f"(?:^|{mark})(?:{QUOTED}|([^{mark}]*))") for mark in DELIMITERS[:3]}
OTHER_MARKS = {mark: "".join({",", ";"} - {mark}) for mark in DELIMITERS}
NAMES = {"\t": "tabs", ",": "commas", ";": "semicolons", BLANKS: "blanks"}


class Row(NamedTuple):
    """A row that is not empty.

    Parameters
    ----------
    line : int
        The number of its last line.
    cells : list of str
    doubts : dict of int to str
        By column, a sentence about a cell without quotes that may be cut in another way than meant.
    """

    line: int
    cells: list[str]
    doubts: dict[int, str]

    @property
    def is_blank(self) -> bool:
        """Whether there are only blanks."""
        return len(self.cells) == 1 and not self.cells[0].strip()

    def check(self, source: Source, columns: Iterable[int]) -> None:
        """Raise FormatError for a doubt about a cell in some columns."""
        if self.doubts:
            for column in columns:
                if column in self.doubts:
                    raise source.error(self.doubts[column], self.line)


NO_DOUBTS: dict[int, str] = {}


@dataclass(frozen=True)
class RowLayout:
    """How the lines of a file are cut into cells.

    Parameters
    ----------
    delimiter : str
        ``" "`` stands for any blanks.
    plain : bool
        Whether columns of numbers may follow those of the vertices without a header.
    has_data : bool
        Whether data in braces follow each row.
    is_certain : bool
        Whether no row has comments or doubts.
    """

    delimiter: str
    plain: bool = False
    has_data: bool = False
    is_certain: bool = False


def find_layout(source: Source, delimiter: str | None) -> RowLayout:
    """Return the layout of a file by its first line.

    Parameters
    ----------
    source : Source
    delimiter : str or None
        That of the file's format, if it has one; taken if the line has it.

    Raises
    ------
    FormatError
        For the line above the rows that Excel alone reads.
    """
    line = first_line(source)
    if SEPARATOR_LINE.fullmatch(line.strip()):
        raise source.error(
            f"{short_repr(line)} names the separator for Excel: expected edges, without this line",
            lines_above(source) + 1,
        )
    bare = DATA_IN_BRACES.sub("", line).strip()
    has_data = bare != line.strip()
    if delimiter is not None and delimiter in line:
        if delimiter == "," and CELL_WITH_TAB.search(line):
            raise source.error(
                f"{short_repr(line)} has commas and tabs: expected one kind of separator",
                lines_above(source) + 1,
            )
        return RowLayout(delimiter, has_data, has_data, not doubtful(delimiter)(source.data))
    cutting = next((d for d in DELIMITERS if len(cut(bare, d)) > 1), None)
    if cutting is None:
        return RowLayout(delimiter or BLANKS, delimiter is None, has_data)
    plain = delimiter is None or cutting == BLANKS or has_data
    return RowLayout(cutting, plain, has_data, cutting != BLANKS and not doubtful(cutting)(source.data))


def cut(line: str, delimiter: str) -> list[str]:
    """Cut a line without regard to quotes."""
    return line.split() if delimiter == BLANKS else line.split(delimiter)


def first_line(source: Source) -> str:
    """Return the first line that is neither empty nor a comment, '' if there is none."""
    lines = (line for line in _lines(source) if is_row(line))
    return next(lines, "").rstrip("\r\n")


def lines_above(source: Source) -> int:
    """Return the number of empty lines and comments above the first other line."""
    return sum(1 for _ in takewhile(lambda line: not is_row(line), _lines(source)))


def bytes_of_lines(source: Source, count: int) -> int:
    """Return the number of bytes of the first lines of a text."""
    mark = len(BOM_UTF8) if source.data.startswith(BOM_UTF8) else 0
    return mark + sum(len(line.encode()) for line in islice(_lines(source), count))


def rows(source: Source, layout: RowLayout, above: int = 0) -> Iterator[Row]:
    """Yield each row that is not empty.

    Parameters
    ----------
    source : Source
    layout : RowLayout
    above : int
        The number of lines above, if the text is a part of a file below its first row.

    Raises
    ------
    FormatError
    """
    if layout.delimiter == BLANKS:
        yield from _by_blanks(source, layout)
        return
    taken: list[str] = []
    is_below = above > 0

    def lines() -> Iterator[str]:
        for number, whole in enumerate(_lines(source), above + 1):
            line = DATA_IN_BRACES.sub("\n", whole) if layout.has_data else whole
            if not taken and _is_comment(line):
                if is_below and layout.delimiter in line:
                    raise source.error(
                        f"{short_repr(line.strip())} is an edge or a comment: expected comments above "
                        "the first row, or quotes about a name that begins with #, % or //",
                        number,
                    )
                yield "\n"
                continue
            taken.append(line)
            yield line

    text = _lines(source) if layout.is_certain and not layout.has_data else lines()
    reader = csv.reader(text, delimiter=layout.delimiter, skipinitialspace=True, strict=True)
    while True:
        taken.clear()
        try:
            row = next(reader, None)
        except csv.Error as error:
            most = csv.field_size_limit()
            if f"({most})" in str(error):
                fault = f"a cell of over {most} characters: expected at most {most}"
                raise source.error(fault, above + reader.line_num) from None
            raise _bad_row(source, error_summary(error), above + reader.line_num) from None
        if row is None:
            return
        if row:
            doubts = NO_DOUBTS if layout.is_certain else _doubts("".join(taken), layout.delimiter)
            found = Row(above + reader.line_num, row, doubts)
            is_below = is_below or not found.is_blank
            yield found


def _bad_row(source: Source, what: str, line: int) -> Exception:
    """Return the error for a row that cannot be cut into cells."""
    return source.error(f"{what}: expected cells, those with quotes or line ends in quotes", line)


def _doubts(text: str, mark: str) -> dict[int, str]:
    """Return the doubts about the cells of a row between commas, semicolons or tabs."""
    if not any(sign in text for sign in ("#", '"', "(", "[", *OTHER_MARKS[mark])):
        return NO_DOUBTS
    doubts = {}
    for column, match in enumerate(CELLS[mark].finditer(text.rstrip("\r\n"))):
        cell = (match[1] or "").strip()
        if COMMENT_AT_END.search(cell):
            doubts[column] = (
                f"{short_repr(cell)} is a name or has a comment: expected quotes, or no comment"
            )
        elif cell.startswith('"'):
            doubts[column] = f"{short_repr(cell)} has blanks before a quote: expected the quote first"
        elif cell[:1] in ("(", "[") and not {")", "]"} & set(cell):
            doubts[column] = (
                f"{short_repr(cell)} is a part of a cell in brackets: expected quotes about it"
            )
        elif doubt := _of_marks(cell, mark):
            doubts[column] = doubt
    return doubts


def doubtful(mark: str) -> Callable[[bytes], bool]:
    """Return a quick test of text: False if :func:`rows` has no comments in it and no doubts.

    >>> doubtful(",")(b"a,b ;"), doubtful(",")(b'"a;",b')
    (True, False)
    """
    delimiter = mark.encode()
    blank, odd = rb"[\s\x1c-\x1f\x80-\xff]", b"\t\f\v\x1c-\x1f\x80-\xff".replace(delimiter, b"")
    first = rb"(?:\A|[\r\n%b])%b*" % (delimiter, blank)
    last = rb"%b*(?:[\r\n%b]|\Z)" % (blank, delimiter)
    signs = {
        b'"': rb'[%b]%b*"(?![\r\n%b]|\Z)' % (odd, blank, delimiter),
        b"(": first + rb"\(",
        b"[": first + rb"\[",
        b"#": rb"(?:\A|%b)#" % blank,
        b"%": first + b"%",
        b"//": first + b"//",
    }
    for other in OTHER_MARKS[mark]:
        sign = other.encode()
        signs[sign] = sign + last + b"|" + first + sign
    patterns = {sign: re.compile(pattern) for sign, pattern in signs.items()}
    return lambda data: any(sign in data and pattern.search(data) for sign, pattern in patterns.items())


def _of_marks(cell: str, mark: str) -> str | None:
    """Return the doubt about a cell that begins or ends with a comma or a semicolon."""
    if not cell or not {cell[0], cell[-1]} & set(OTHER_MARKS[mark]):
        return None
    return (
        f"{short_repr(cell)} between {NAMES[mark]}: expected one kind of separator in all rows, or "
        "quotes about the name"
    )


def _by_blanks(source: Source, layout: RowLayout) -> Iterator[Row]:
    """Yield the rows of lines whose cells are separated by blanks."""
    for number, whole in enumerate(_lines(source), 1):
        line = COMMENT_AT_END.sub("", whole.rstrip("\r\n")) if "#" in whole else whole
        if _is_comment(line):
            continue
        if layout.has_data:
            line = DATA_IN_BRACES.sub("", line)
        cells = line.split()
        bare: Iterable[str] = cells
        if '"' in line:
            if WORD.sub("", line).strip():
                raise _bad_row(source, "a quote without its end, or text behind it", number)
            words = WORD.findall(line)
            cells = [word or quoted.replace('""', '"') for quoted, word in words]
            bare = (word for _, word in words)
        if cells:
            doubts = NO_DOUBTS
            if "," in line or ";" in line:
                found = ((k, _of_marks(cell, BLANKS)) for k, cell in enumerate(bare))
                doubts = {k: doubt for k, doubt in found if doubt}
            yield Row(number, cells, doubts)


def _lines(source: Source) -> Iterator[str]:
    """Yield the lines of a text, with their ends."""
    return iter(io.TextIOWrapper(io.BytesIO(source.data), "utf-8-sig", newline=""))


def _is_comment(line: str) -> bool:
    """Return whether a line is a comment."""
    return line.lstrip().startswith(COMMENTS)


def is_row(line: str) -> bool:
    """Return whether a line is neither empty nor a comment."""
    return bool(line.strip()) and not _is_comment(line)

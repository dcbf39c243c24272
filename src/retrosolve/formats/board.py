"""Boards of the policeman and thief game, as text.

    2 3
    P.*
    .TE

The numbers of rows and columns, in one line or two, are optional. Each following line is a row: ``.``
free, ``*`` blocked, ``E`` exit (none, one or several), ``P`` (or ``C``) policeman, ``T`` thief. Lines
end with LF or CRLF; blanks around a row and empty lines before and after the board are ignored. Below
the numbers, empty lines are ignored too, and blanks between all cells of a row, as ``cin >>`` of C++
does. Rows and columns are counted from 1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrosolve.errors import FormatError
from retrosolve.runtime.delimited import COMMENTS
from retrosolve.runtime.files import load, short_repr

Cell = tuple[int, int]

CELLS = ".*EPCT"
HEAD = 1 << 20  # bytes that are looked at for the first row
HEADER = re.compile(r"(\d+)\s+(\d+)", re.ASCII)

Lines = list[tuple[int, str]]  # with their numbers


@dataclass(frozen=True)
class Board:
    """A board of cells and the two players on it.

    Parameters
    ----------
    free : bool[rows, columns]
        Which cells are not blocked.
    exits : bool[rows, columns]
        Which cells are exits.
    policeman, thief : tuple of int or None
        The cell of each player as (row, column), counted from 1.

    Notes
    -----
    Takes 2 bytes per cell.
    """

    free: NDArray[np.bool_]
    exits: NDArray[np.bool_]
    policeman: Cell | None
    thief: Cell | None

    @property
    def rows(self) -> int:
        """Return the number of rows."""
        return len(self.free)

    @property
    def columns(self) -> int:
        """Return the number of columns."""
        return int(self.free.shape[1])

    def __str__(self) -> str:
        letters = np.where(self.free, ".", "*")
        letters[self.exits] = "E"
        for letter, cell in (("P", self.policeman), ("T", self.thief)):
            if cell:
                letters[cell[0] - 1, cell[1] - 1] = letter
        return "\n".join("".join(row) for row in letters.tolist())


def read_board(path: str | Path) -> Board:
    """Read a board file.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    Board

    Raises
    ------
    FormatError
        If the file cannot be read or holds no board; the message names the file and the place.
    """
    source = load(path, gzipped=False)
    return parse_board(source.data, source.name)


def looks_like_board(data: bytes) -> bool:
    """Return whether a text is a board, if only by its shape, and no list of edges.

    The first row has letters of boards alone; or below their numbers are as many rows, as wide as they
    say, which are not all edges or comments between edges.
    """
    size, rows = _split(data[:HEAD].decode("utf-8-sig", "ignore"))
    if not rows or set(rows[0][1]) <= set(CELLS):
        return bool(rows)
    if size is None:
        return False
    if len(data) > HEAD:
        del rows[-1]  # a part of one
    elif len(rows) != _number(size[1]):
        return False
    width = _number(size[2])
    fits = all(len(_joined(row, width)) == width for _, row in rows)
    others = [row for _, row in rows if not row.startswith(COMMENTS)]
    return fits and not (others and all(map(_may_be_edge, others)))


def _may_be_edge(row: str) -> bool:
    """Return whether a row of some width may have two vertices and numbers, or be one number."""
    cells = row.split()
    if len(cells) > 1:
        is_of_board = set("".join(cells)) <= set(CELLS) and set(cells) & set(".*")
        return all(cell.isdecimal() for cell in cells[2:]) and not is_of_board
    return row.isdecimal() or not {*row}.isdisjoint(",;")


def parse_board(data: str | bytes, source: str = "board") -> Board:
    r"""Read a board from text.

    Parameters
    ----------
    data : str or bytes
        Text, or its UTF-8 encoding.
    source : str
        The name of the board in error messages.

    Returns
    -------
    Board

    Raises
    ------
    FormatError

    Examples
    --------
    >>> board = parse_board("P.E\n*.T")
    >>> board.thief, int(board.free.sum())
    ((2, 3), 5)
    """
    if isinstance(data, bytes):
        try:
            data = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise FormatError(
                f"{source}: byte {error.start} is not UTF-8 text: expected a board"
            ) from error
    if not isinstance(data, str):
        raise FormatError(f"{source} is {short_repr(data)}: expected text")
    size, numbered = _split(data)
    if size:
        numbered = [(number, _joined(line, _number(size[2]))) for number, line in numbered]
    if not numbered:
        raise FormatError(f"{source}: no rows: expected lines of {_letters()}")
    _check_shape(numbered, size, source)
    return _cells(numbered, source)


def _split(text: str) -> tuple[re.Match[str] | None, Lines]:
    """Return the numbers of rows and columns, None without them, and the rows below."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    numbered = [(number, line.strip()) for number, line in enumerate(lines, 1)]
    filled = [(number, line) for number, line in numbered if line]
    for count in (1, 2):
        size = HEADER.fullmatch(" ".join(line for _, line in filled[:count]))
        if size:
            return size, filled[count:]
    return None, numbered[filled[0][0] - 1 : filled[-1][0]] if filled else []


def _joined(line: str, width: int) -> str:
    """Return a row without blanks, if these are between all cells of a row of that width."""
    joined = "".join(line.split())
    return joined if len(joined) == width and len(line.split()) == width else line


def _number(text: str) -> int:
    """Return a number of rows or columns, large ones alike."""
    return int(text) if len(text) < 10 else 10**10


def _check_shape(numbered: Lines, size: re.Match[str] | None, source: str) -> None:
    """Raise FormatError for unknown letters, and for rows that differ in length or from the header."""
    width = len(numbered[0][1])
    if size:
        if _number(size[1]) != len(numbered):
            raise FormatError(
                f"{source}: the first line promises {size[1]} rows, the board has {len(numbered)}"
            )
        width = _number(size[2])
    for row, (number, line) in enumerate(numbered, 1):
        if strange := set(line) - set(CELLS):
            column = next(i for i, letter in enumerate(line, 1) if letter in strange)
            raise FormatError(
                f"{source}, line {number}: row {row}, column {column} is {line[column - 1]!r}: "
                f"expected {_letters()}"
            )
        if len(line) != width:
            raise FormatError(
                f"{source}, line {number}: row {row} has {len(line)} cells: expected {width}"
            )


def _cells(numbered: Lines, source: str) -> Board:
    """Return the board of rows that have been checked."""
    letters = np.frombuffer("".join(line for _, line in numbered).encode("ascii"), np.uint8)
    grid = letters.reshape(len(numbered), len(numbered[0][1]))
    tokens: dict[str, Cell] = {}
    for who, marks in (("policeman", "PC"), ("thief", "T")):
        standing = np.isin(grid, [ord(mark) for mark in marks])
        for row, column in np.argwhere(standing)[:2].tolist():
            if who in tokens:
                first = tokens[who]
                raise FormatError(
                    f"{source}, line {numbered[row][0]}: row {row + 1}, column {column + 1} has a "
                    f"second {who}: expected one, and row {first[0]}, column {first[1]} has it"
                )
            tokens[who] = (row + 1, column + 1)
    return Board(grid != ord("*"), grid == ord("E"), tokens.get("policeman"), tokens.get("thief"))


def _letters() -> str:
    """Return a description of the letters for error messages."""
    return ". (free), * (blocked), E (exit), P or C (policeman) or T (thief)"

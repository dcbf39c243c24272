"""Boards of the policeman and thief game, as text.

    2 3
    P.*
    .TE

The first line, the numbers of rows and columns, is optional. Each following line is a row: ``.`` free,
``*`` blocked, ``E`` exit (none, one or several), ``P`` (or ``C``) policeman, ``T`` thief. Lines end
with LF or CRLF; blanks after a row and empty lines before and after the board are ignored. Rows and
columns are counted from 1.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrosolve.errors import FormatError
from retrosolve.runtime.files import load, short_repr

Cell = tuple[int, int]

CELLS = ".*EPCT"
HEAD = 1 << 20  # bytes that are looked at for the first row
HEADER = re.compile(r"\s*(\d+)\s+(\d+)\s*", re.ASCII)


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


def is_board_row(data: bytes) -> bool:
    """Return whether the first line, below the numbers of rows and columns, is one of a board."""
    lines = [line for line in data[:HEAD].decode("utf-8-sig", "ignore").splitlines() if line.strip()]
    if lines and HEADER.fullmatch(lines[0]):
        del lines[0]
    return bool(lines) and set(lines[0].rstrip()) <= set(CELLS)


def parse_board(data: str | bytes, source: str = "board") -> Board:
    r"""Read a board from text.

    Parameters
    ----------
    data : str or bytes
        Text, or its UTF-8 encoding. Indentation that all lines have does not count.
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
    data = textwrap.dedent(data.replace("\r\n", "\n").replace("\r", "\n"))
    lines = [line.rstrip() for line in data.split("\n")]
    numbered = [(number, line) for number, line in enumerate(lines, 1)]
    while numbered and not numbered[-1][1]:
        numbered.pop()
    while numbered and not numbered[0][1]:
        numbered.pop(0)
    size = HEADER.fullmatch(numbered[0][1]) if numbered else None
    if size:
        numbered.pop(0)
    if not numbered:
        raise FormatError(f"{source}: no rows: expected lines of {_letters()}")
    _check_shape(numbered, size, source)
    return _cells(numbered, source)


def _check_shape(numbered: list[tuple[int, str]], size: re.Match[str] | None, source: str) -> None:
    """Raise FormatError for unknown letters, and for rows that differ in length or from the header."""
    width = len(numbered[0][1])
    if size:
        rows, columns = (int(text) if len(text) < 10 else 10**10 for text in size.groups())
        if rows != len(numbered):
            raise FormatError(
                f"{source}: the first line promises {size[1]} rows, the board has {len(numbered)}"
            )
        width = columns
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


def _cells(numbered: list[tuple[int, str]], source: str) -> Board:
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

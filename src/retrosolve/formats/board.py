"""Boards of policeman and thief, as text.

    2 3
    P.*
    .TE

The first line, rows and columns, may be left out. Then one line a row: ``.`` free, ``*`` blocked,
``E`` exit (none, one or several), ``P`` (or ``C``) policeman, ``T`` thief. Line ends may be LF or
CRLF; blanks after a row and empty lines before and after the board do not count. Rows and columns
are counted from 1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrosolve.errors import FormatError
from retrosolve.runtime.files import load

Cell = tuple[int, int]

CELLS = ".*EPCT"
HEADER = re.compile(r"\s*(\d+)\s+(\d+)\s*", re.ASCII)


@dataclass(frozen=True)
class Board:
    """A board: which cells are free and which are exits, bool [rows, columns]; who stands where.

    The cells of ``policeman`` and ``thief`` are (row, column), counted from 1.

    Bytes: 2 a cell.
    """

    free: NDArray[np.bool_]
    exits: NDArray[np.bool_]
    policeman: Cell | None
    thief: Cell | None

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.free)

    @property
    def columns(self) -> int:
        """How many columns there are."""
        return int(self.free.shape[1])

    def __str__(self) -> str:
        letters = np.where(self.free, ".", "*")
        letters[self.exits] = "E"
        for letter, cell in (("P", self.policeman), ("T", self.thief)):
            if cell:
                letters[cell[0] - 1, cell[1] - 1] = letter
        return "\n".join("".join(row) for row in letters)


def read_board(path: str | Path) -> Board:
    """Read a board file. Raises FormatError, naming the file and the place."""
    source = load(path, gzipped=False)
    return parse_board(source.data, source.name)


def parse_board(data: str | bytes, source: str = "board") -> Board:
    r"""Read a board from text or UTF-8 bytes; ``source`` names it in messages.

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
    lines = [line.rstrip() for line in data.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
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
    return ". (free), * (blocked), E (exit), P or C (policeman) or T (thief)"

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

from retrosolve.errors import FormatError

Cell = tuple[int, int]

CELLS = ".*EPCT"
HEADER = re.compile(r"\s*(\d+)\s+(\d+)\s*", re.ASCII)


@dataclass(frozen=True)
class Board:
    """A board: its size, its free cells in reading order, its exits, and who stands where.

    Cells are (row, column), counted from 1.
    """

    rows: int
    columns: int
    free: tuple[Cell, ...]
    exits: frozenset[Cell]
    policeman: Cell | None
    thief: Cell | None

    def __str__(self) -> str:
        letters = dict.fromkeys(self.free, ".") | dict.fromkeys(self.exits, "E")
        letters |= {cell: "P" for cell in [self.policeman] if cell}
        letters |= {cell: "T" for cell in [self.thief] if cell}
        return "\n".join(
            "".join(letters.get((row, column), "*") for column in range(1, self.columns + 1))
            for row in range(1, self.rows + 1)
        )


def read_board(path: str | Path) -> Board:
    """Read a board file. Raises FormatError, naming the file and the place."""
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise FormatError(f"cannot read {path}: {reason}") from error
    return parse_board(data, str(path))


def parse_board(data: str | bytes, source: str = "board") -> Board:
    r"""Read a board from text or UTF-8 bytes; ``source`` names it in messages.

    >>> parse_board("P.E\n..T").free
    ((1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3))
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
        for column, letter in enumerate(line, 1):
            if letter not in CELLS:
                raise FormatError(
                    f"{source}, line {number}: row {row}, column {column} is {letter!r}: "
                    f"expected {_letters()}"
                )
        if len(line) != width:
            raise FormatError(
                f"{source}, line {number}: row {row} has {len(line)} cells: expected {width}"
            )


def _cells(numbered: list[tuple[int, str]], source: str) -> Board:
    free: list[Cell] = []
    exits: set[Cell] = set()
    tokens: dict[str, Cell] = {}
    for row, (number, line) in enumerate(numbered, 1):
        for column, letter in enumerate(line, 1):
            cell = (row, column)
            if letter != "*":
                free.append(cell)
            if letter == "E":
                exits.add(cell)
            if letter in "PCT":
                who = "thief" if letter == "T" else "policeman"
                if who in tokens:
                    raise FormatError(
                        f"{source}, line {number}: row {row}, column {column} has a second {who}: "
                        f"expected one, and row {tokens[who][0]}, column {tokens[who][1]} has it"
                    )
                tokens[who] = cell
    return Board(
        len(numbered),
        len(numbered[0][1]),
        tuple(free),
        frozenset(exits),
        tokens.get("policeman"),
        tokens.get("thief"),
    )


def _letters() -> str:
    return ". (free), * (blocked), E (exit), P or C (policeman) or T (thief)"

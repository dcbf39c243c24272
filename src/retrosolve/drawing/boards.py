"""Boards: squares in rows, points joined by lines, and boards that are written as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from retrosolve.drawing.picture import CELL, Picture
from retrosolve.errors import one_line
from retrosolve.runtime.text import board_rows

MARGIN = 20.0
RADIUS = 0.36 * CELL
LETTERS = "abcdefghijklmnopqrstuvwxyz"
POINT = re.compile(r'<rect class="point"[^>]* x="([\d.-]+)" y="([\d.-]+)"[^>]* data-point="([^"]+)"')
SQUARE = re.compile(r"(?P<file>[a-z])(?P<rank>\d*)|(?P<row>\d+),(?P<column>\d+)")

Place = tuple[float, float]


class Squares(NamedTuple):
    """Where the squares of a drawn board are.

    Parameters
    ----------
    picture : Picture
    columns, rows : int
    left, top : float
        The upper left corner of the board.
    """

    picture: Picture
    columns: int
    rows: int
    left: float
    top: float

    def corner(self, column: int, row: int) -> Place:
        """Return the upper left corner of a square; rows count from the top, from 0."""
        return self.left + CELL * column, self.top + CELL * row

    def middle(self, column: int, row: int) -> Place:
        """Return the middle of a square."""
        x, y = self.corner(column, row)
        return x + CELL / 2, y + CELL / 2

    def point(self, label: str, column: int, row: int, title: str = "") -> None:
        """Make a square a point to click."""
        self.picture.point(label, *self.corner(column, row), CELL, CELL, title)


def squares(
    title: str,
    columns: int,
    rows: int,
    *,
    kind: Callable[[int, int], str] = lambda column, row: "light" if (column + row) % 2 else "dark",
    files: Sequence[str] = (),
    ranks: Sequence[str] = (),
    extra_width: float = 0,
    extra_height: float = 0,
    inset: float = 0,
    mover_relative: bool = False,
) -> Squares:
    """Draw an empty board of squares.

    Parameters
    ----------
    title : str
        The position in words.
    columns, rows : int
    kind : callable
        The kind of a square by column and row, rows from the top; by default chequered, the upper left
        one dark.
    files, ranks : sequence of str
        Labels of the columns, in the squares of the last row, and of the rows from the top, in those of
        the first column.
    extra_width, extra_height : float
        Room to the right of the board and below it.
    inset : float
        How far labels are from the edges of their squares, besides.
    mover_relative : bool
        See :class:`Picture`.
    """
    width, height = 4 + columns * CELL, 4 + rows * CELL
    picture = Picture(width + extra_width, height + extra_height, title, mover_relative)
    board = Squares(picture, columns, rows, 2.0, 2.0)
    for row in range(rows):
        for column in range(columns):
            picture.rect(*board.corner(column, row), CELL, CELL, kind(column, row))
    # As large on the screen as on other boards, which are drawn as wide.
    size = min(max(1.6 * columns, 6.5), 20)
    for column, label in enumerate(files):
        x, y = board.corner(column + 1, rows)
        picture.text(
            x - 0.6 * size - inset, y - 0.65 * size - inset, label, _ink(kind(column, rows - 1)), size
        )
    for row, label in enumerate(ranks):
        x, y = board.corner(0, row)
        ink = _ink(kind(0, row))
        picture.text(x + 0.6 * size + inset, y + 0.7 * size + inset, label, ink, size)
    return board


def _ink(kind: str) -> str:
    """Return the kind of a label in a square of some kind."""
    return "paper" if kind == "frame" else "ink"


def chequered(title: str, n: int, extra_width: float = 0) -> Squares:
    """Draw an empty chequered n x n board with files and ranks as in chess, a1 dark."""
    empty = _chequers(n, extra_width)
    picture = Picture(empty.picture.width, empty.picture.height, title)
    picture.extend(empty.picture)
    return empty._replace(picture=picture)


@lru_cache(maxsize=1 << 6)
def _chequers(n: int, extra_width: float) -> Squares:
    """Return an empty board, drawn once for all positions."""
    board = squares(
        "",
        n,
        n,
        kind=lambda column, row: "light" if (column + n - 1 - row) % 2 else "dark",
        files=LETTERS[:n],
        ranks=[str(rank) for rank in range(n, 0, -1)],
        extra_width=extra_width,
    )
    board.picture.merge()
    return board


class LinedBoard:
    """Points joined by lines, with discs on some of them; every point can be clicked.

    What all positions have in common is drawn once.

    Parameters
    ----------
    width, height : float
    places : mapping of str to (x, y)
        Where each point is, by its label.
    lines : iterable of (str, str)
        The points that each line joins.
    """

    def __init__(
        self, width: float, height: float, places: Mapping[str, Place], lines: Iterable[tuple[str, str]]
    ) -> None:
        self._width, self._height = width, height
        self._places = dict(places)
        self._empty = Picture(width, height, "")
        self._empty.rect(0, 0, width, height, "board", radius=8)
        for one, other in lines:
            self._empty.line(*places[one], *places[other], "stroke")
        for label, (x, y) in places.items():
            self._empty.point(label, x - CELL / 2, y - CELL / 2, CELL, CELL)
        self._empty.merge()
        self._marks: dict[tuple[str, str], Picture] = {}

    def picture(self, title: str, pieces: Mapping[str, str], mover_relative: bool = False) -> Picture:
        """Draw a position.

        Parameters
        ----------
        title : str
            The position in words.
        pieces : mapping of str to str
            The kind of disc on some of the points.
        mover_relative : bool
            See :class:`Picture`.
        """
        picture = Picture(self._width, self._height, title, mover_relative)
        picture.extend(self._empty)
        for label in self._places:
            picture.extend(self._mark(label, pieces.get(label, "")))
        return picture

    def _mark(self, label: str, kind: str) -> Picture:
        """Return the drawing of a point, made once."""
        mark = self._marks.get((label, kind))
        if mark is None:
            mark = self._marks[label, kind] = Picture(self._width, self._height, "")
            x, y = self._places[label]
            if kind:
                mark.disc(x, y, RADIUS, f"piece {kind}")
            else:
                mark.disc(x, y, 5, "ink")
        return mark


class Coordinates(NamedTuple):
    """What stands beside the rows of a board and at its columns.

    Parameters
    ----------
    rows, columns : list of str
        From the top and from the left; empty where squares have no such name.
    above : bool
        Whether the names of columns stand above the board.
    """

    rows: list[str]
    columns: list[str]
    above: bool


def drawn_points(picture: str) -> list[tuple[float, float, str]]:
    """Return where the points of an SVG drawing are, and their names."""
    return [(float(x), float(y), name) for x, y, name in POINT.findall(picture)]


def coordinates(points: Iterable[tuple[float, float, str]], rows: int, columns: int) -> Coordinates:
    """Return the names of the rows and columns of a board, as its points are called.

    Parameters
    ----------
    points : iterable of (x, y, str)
        Where each point is, from the upper left corner, and its name.
    rows, columns : int
        The size of the board as text. Points in other places name nothing.

    Examples
    --------
    >>> board = chequered("Empty", 2)
    >>> for place, name in enumerate(["a2", "b2", "a1", "b1"]):
    ...     board.point(name, place % 2, place // 2)
    >>> coordinates(drawn_points(str(board.picture)), 2, 2)
    Coordinates(rows=['2', '1'], columns=['a', 'b'], above=False)
    """
    squares = [(x, y, square) for x, y, name in points if (square := SQUARE.fullmatch(name))]
    across, down = sorted({x for x, _, _ in squares}), sorted({y for _, y, _ in squares})
    above = any(square["row"] for _, _, square in squares)
    row, column = ("row", "column") if above else ("rank", "file")
    beside = [_only(square[row] for _, y, square in squares if y == at) for at in down]
    along = [_only(square[column] for x, _, square in squares if x == at) for at in across]
    return Coordinates(
        beside if len(down) == rows and all(beside) else [],
        along if len(across) == columns and all(along) and len(down) in (1, rows) else [],
        above,
    )


def _only(names: Iterable[str]) -> str:
    """Return the one name that there is; empty if there are several."""
    different = set(names)
    return different.pop() if len(different) == 1 else ""


BLANK = " ._"
MOST_SQUARES = 20  # of a side
MOST_CHANGES = 4  # that a click for each of them still makes a move


def text_board(text: str) -> str | None:
    """Draw a position whose text is a board, each of its squares a point; None for another text.

    >>> picture = text_board("X.O/.../..X")
    >>> picture.count("data-point"), text_board("10") is None
    (9, True)
    """
    rows = board_rows(text)
    columns = max(map(len, rows), default=0)
    if not 2 <= len(rows) <= MOST_SQUARES or not 2 <= columns <= MOST_SQUARES:
        return None
    rows = [row.ljust(columns, ".") for row in rows]
    board = squares(
        one_line(" / ".join(text.splitlines())), columns, len(rows), kind=lambda *at: "cell"
    )
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            if cell not in BLANK:
                board.picture.text(*board.middle(column, row), cell, "ink letter", size=24)
            board.point(f"{row + 1},{column + 1}", column, row)
    return str(board.picture)


def text_points(before: str, after: str) -> tuple[str, ...] | None:
    """Return the squares to click for a move between two boards as text, where a piece goes last.

    None where the boards say too little: they are none, or many squares change.

    >>> text_points("X./..", "XO/.."), text_points("R./..", "../.R"), text_points("RB/..", ".R/..")
    (('1,2',), ('1,1', '2,2'), ('1,1', '1,2'))
    """
    old, new = board_rows(before), board_rows(after)
    if not old or [*map(len, old)] != [*map(len, new)]:
        return None
    emptied: list[tuple[str, str, str]] = []
    entered: list[tuple[str, str, str]] = []
    for row, (left, right) in enumerate(zip(old, new, strict=True), 1):
        for column, (was, now) in enumerate(zip(left, right, strict=True), 1):
            if was != now:
                (emptied if now in BLANK else entered).append((was, now, f"{row},{column}"))
    if not 0 < len(emptied) + len(entered) <= MOST_CHANGES:
        return None
    if len(entered) == 1:  # of the squares that are empty now, that from which the piece has come
        emptied = [change for change in emptied if change[0] == entered[0][1]][:1] or emptied
    return tuple(point for *_, point in [*emptied, *entered])

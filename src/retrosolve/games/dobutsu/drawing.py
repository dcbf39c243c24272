"""The picture of Dobutsu Shogi: tiles that show how each animal steps, and both hands.

The player to move plays up; tiles of the other stand on their heads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from retrosolve.drawing.boards import Squares, squares
from retrosolve.drawing.picture import CELL

Steps = list[tuple[int, int]]
TILE = "M0-20L18-11L16 19H-16L-18-11Z"
ANIMALS = {"L": "lion", "G": "giraffe", "E": "elephant", "C": "chick", "H": "hen"}
HAND_ROOM = CELL
WORDS_WIDTH = 6


def board_with(
    title: str,
    pieces: Mapping[int, str],
    hand: str,
    steps: Mapping[str, Steps],
    width: int,
    height: int,
) -> str:
    """Return the picture of a position.

    Parameters
    ----------
    title : str
        The position in words.
    pieces : mapping of int to str
        Letters by square, row by row from the mover's side; small ones are the other's.
    hand : str
        The letters of captured pieces.
    steps : mapping of str to list
        The steps of each animal, up and right.
    width, height : int
    """
    board = squares(
        title,
        width,
        height,
        kind=lambda column, row: "light",
        files="abc"[:width],
        ranks=[str(row) for row in range(1, height + 1)],
        extra_width=HAND_ROOM + 8,
        mover_relative=True,
    )
    for square in range(width * height):
        row, column = height - 1 - square // width, square % width
        x, y = board.corner(column, row)
        board.picture.rect(x, y, CELL, CELL, "grid")
        letter = pieces.get(square, "")
        if letter:
            _tile(board, letter, x + CELL / 2, y + CELL / 2, steps)
        board.point(f"{'abc'[column]}{row + 1}", column, row, ANIMALS.get(letter.upper(), ""))
    _hand(board, sorted(mark for mark in hand if mark.isupper()), height - 1, -1, steps)
    _hand(board, sorted(mark for mark in hand if mark.islower()), 0, 1, steps)
    return str(board.picture)


def decided(title: str, label: str) -> str:
    """Return the picture of a decided game: its sentence, with one point to click."""
    board = squares(title, WORDS_WIDTH, 1, kind=lambda column, row: "light")
    x, y = board.corner(0, 0)
    board.picture.text(x + WORDS_WIDTH * CELL / 2, y + CELL / 2, title, "ink")
    board.picture.point(label, x, y, WORDS_WIDTH * CELL, CELL)
    return str(board.picture)


def _hand(board: Squares, marks: Iterable[str], row: int, way: int, steps: Mapping[str, Steps]) -> None:
    """Draw a hand beside the board, like pieces on one another, from a row on."""
    held = list(marks)
    for place, letter in enumerate(dict.fromkeys(held)):
        x, y = board.corner(board.columns, row + way * place)
        _tile(board, letter, x + 8 + CELL / 2, y + CELL / 2, steps)
        if held.count(letter) > 1:
            board.picture.text(x + CELL + 2, y + CELL - 8, f"x{held.count(letter)}", size=12)
        if letter.isupper():
            animal = ANIMALS[letter]
            board.picture.point(f"{letter}*", x + 8, y, CELL, CELL, f"{animal} in hand")


def _tile(board: Squares, letter: str, x: float, y: float, steps: Mapping[str, Steps]) -> None:
    """Draw a tile with a dot for every step, and its letter."""
    theirs = letter.islower()
    board.picture.path(TILE, "tile-other other-tile" if theirs else "tile", x, y, turned=theirs)
    for up, right in steps[letter.upper()]:
        side = -1 if theirs else 1
        board.picture.disc(x + 11 * right * side, y + 2 * side - 13 * up * side, 2.2, "step")
    board.picture.text(x, y + (1 if theirs else 2), letter.upper(), "ink", size=15)

"""The picture of Dobutsu Shogi: tiles with the face of an animal and its steps, and both hands.

The player to move plays up; tiles of the other stand on their heads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from retrosolve.drawing.boards import Squares, squares
from retrosolve.drawing.picture import CELL

Steps = list[tuple[int, int]]
TILE = "M0-20L18-11L16 19H-16L-18-11Z"
ANIMALS = {"L": "lion", "G": "giraffe", "E": "elephant", "C": "chick", "H": "hen"}
# The face of each animal: discs by kind, right and down from its middle, and radius.
EYES = (("ink", -3.0, -1.5, 1.2), ("ink", 3.0, -1.5, 1.2))
FACES: dict[str, tuple[tuple[str, float, float, float], ...]] = {
    "L": (("fur-lion", 0, 0, 10), ("face-lion", 0, 0.5, 7), *EYES, ("ink", 0, 2, 1.6)),
    "G": (
        ("spot", -4, -9, 1.8), ("spot", 4, -9, 1.8), ("face-giraffe", 0, -3, 7),
        ("face-giraffe", 0, 4, 5.5), *EYES, ("spot", -2, 5, 1.1), ("spot", 2, 5, 1.1),
    ),
    "E": (
        ("ear", -7.5, -1, 5), ("ear", 7.5, -1, 5), ("face-elephant", 0, -1, 7), *EYES,
        ("face-elephant", 0, 4.5, 3), ("face-elephant", 1, 8, 2.3),
    ),
    "C": (("face-chick", 0, 0, 8), *EYES, ("beak", 0, 2, 2)),
    "H": (
        ("comb", -3, -8, 2.4), ("comb", 0, -9.5, 2.6), ("comb", 3, -8, 2.4), ("face-hen", 0, 0, 8),
        *EYES, ("beak", 0, 2, 2), ("comb", 0, 5, 1.8),
    ),
}  # fmt: skip
HAND_ROOM = CELL
WORDS_WIDTH = 6


def board_with(
    title: str,
    pieces: Mapping[int, str],
    hand: str | None,
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
        The letters of captured pieces; None where they are never dropped.
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
        extra_width=HAND_ROOM + 8 if hand is not None else 0,
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
    held = sorted(hand or "")
    _hand(board, [mark for mark in held if mark.isupper()], height - 1, -1, steps)
    _hand(board, [mark for mark in held if mark.islower()], 0, 1, steps)
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
    """Draw a tile with a dot for every step, the face of its animal, and its letter."""
    theirs = letter.islower()
    side = -1 if theirs else 1  # tiles of the other stand on their heads
    board.picture.path(TILE, "tile-other other-tile" if theirs else "tile", x, y, turned=theirs)
    for kind, right, down, radius in FACES[letter.upper()]:
        board.picture.disc(x + right * side, y + (2 + down) * side, radius, kind)
    for up, right in steps[letter.upper()]:
        board.picture.disc(x + 13 * right * side, y + 2 * side - 15 * up * side, 2.2, "step")
    board.picture.text(x - 10 * side, y + 14 * side, letter.upper(), "ink", size=9)

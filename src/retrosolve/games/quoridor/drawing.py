"""The picture of Quoridor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from retrosolve.drawing.boards import LETTERS, squares
from retrosolve.drawing.picture import CELL

WIDTH = 8.0  # of a wall
GOAL = 5.0  # of the edge that a pawn goes to, in the colour of the pawn
KINDS = "first", "second"

Wall = tuple[int, int, int]


def board_with(
    title: str,
    n: int,
    pawns: tuple[int, int],
    walls: Sequence[Wall],
    slots: Mapping[str, Wall],
    hands: Sequence[int],
) -> str:
    """Return the picture of a board.

    Parameters
    ----------
    title : str
    n : int
        Size of the board.
    pawns : tuple of int
        The squares of the first and the second pawn, by rows from the bottom.
    walls : sequence of (direction, row, column)
        The walls on the board.
    slots : mapping of str to (direction, row, column)
        All places for walls, by name.
    hands : sequence of int
        The walls in hand of either player.
    """
    board = squares(
        title,
        n,
        n,
        kind=lambda column, row: "cell",
        files=LETTERS[:n],
        ranks=[str(rank) for rank in range(n, 0, -1)],
        extra_width=CELL,
        inset=GOAL,
    )
    for direction, row, column in slots.values():
        board.picture.rect(*_rectangle(board.corner(column, n - 1 - row), direction, 2), "groove")
    for kind, row in zip(KINDS, (0, n), strict=True):  # the first pawn goes up, the second down
        x, y = board.corner(0, row)
        board.picture.rect(x, y - (0 if row == 0 else GOAL), n * CELL, GOAL, f"goal {kind}")
    for kind, square, hand in zip(KINDS, pawns, hands, strict=True):
        row = n - 1 - square // n
        board.picture.disc(*board.middle(square % n, row), 0.34 * CELL, f"piece {kind}")
        x, y = board.middle(n, n - 1 if kind == "first" else 0)
        board.picture.disc(x, y - 0.2 * CELL, 0.16 * CELL, f"piece {kind}")
        board.picture.text(x, y + 0.2 * CELL, str(hand))
    for wall in walls:
        board.picture.rect(*_rectangle(board.corner(wall[2], n - 1 - wall[1]), wall[0], 2), "wall")
    for square in range(n * n):
        column, row = square % n, n - 1 - square // n
        board.point(f"{LETTERS[column]}{n - row}", column, row)
    for name, (direction, row, column) in slots.items():
        x, y, width, height = _rectangle(board.corner(column, n - 1 - row), direction, 1)
        board.picture.point(name, x, y, width, height)
    return str(board.picture)


def _rectangle(
    corner: tuple[float, float], direction: int, length: int
) -> tuple[float, float, float, float]:
    """Return the rectangle of a wall of some length, from the corner of its lower left square."""
    x, y = corner
    if direction == 0:
        return x + WIDTH / 2, y - WIDTH / 2, length * CELL - WIDTH, WIDTH
    return x + CELL - WIDTH / 2, y - (length - 1) * CELL + WIDTH / 2, WIDTH, length * CELL - WIDTH

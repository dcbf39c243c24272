"""The picture of fox and hounds."""

from __future__ import annotations

from collections.abc import Sequence

from retrosolve.drawing.boards import LETTERS, chequered
from retrosolve.drawing.picture import CELL

FOX = "M-15-15L-6-9H6L15-15L13 2L0 16L-13 2Z"
EYES = "M-6-2v2M6-2v2M-2 9H2"
EARS = "M-14-8C-20-8-20 8-14 10ZM14-8C20-8 20 8 14 10Z"


def board_with(title: str, n: int, fox: str, hounds: Sequence[str]) -> str:
    """Return the picture of a board with the fox and the hounds on squares named as in chess."""
    board = chequered(title, n)
    for row in range(n):
        for column in range(n):
            name = f"{LETTERS[column]}{n - row}"
            x, y = board.middle(column, row)
            if name == fox:
                board.picture.path(FOX, "piece fox", x, y)
                board.picture.path(EYES, "line-black", x, y)
            elif name in hounds:
                board.picture.path(EARS, "piece first", x, y)
                board.picture.disc(x, y, 0.29 * CELL, "piece first")
                board.picture.path(EYES, "line-black", x, y)
            if (column + n - 1 - row) % 2:
                board.point(name, column, row, name)
    return str(board.picture)

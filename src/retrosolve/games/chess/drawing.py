"""The picture of a chess ending."""

from __future__ import annotations

from retrosolve.drawing.boards import MARGIN, chequered
from retrosolve.drawing.picture import CELL
from retrosolve.drawing.pieces import draw_piece, piece_name


def ending(rows: list[str], title: str, choices: str = "", mated: str = "") -> str:
    """Return the picture of a position.

    Parameters
    ----------
    rows : list of str
        A letter or a dot for each square, the last rank first.
    title : str
        The position in words.
    choices : str
        The letters of the pieces that a pawn may become, which get points ``=Q``, ``=R`` and so on.
    mated : str
        The letter of a king that is mated, whose square is marked.
    """
    n = len(rows)
    board = chequered(title, n, extra_width=CELL + MARGIN if choices else 0)
    for row, letters in enumerate(rows):
        for column, letter in enumerate(letters):
            name = f"{'abcdefgh'[column]}{n - row}"
            if letter == mated:
                board.picture.rect(*board.corner(column, row), CELL, CELL, "mated")
            if letter != ".":
                draw_piece(board.picture, letter, *board.middle(column, row))
            held = "" if letter == "." else f": {piece_name(letter)}"
            board.point(name, column, row, name + held)
    for row, letter in enumerate(choices):
        x, y = board.corner(n, row)
        board.picture.rect(x + MARGIN, y + 2, CELL - 4, CELL - 4, "cell", radius=6)
        draw_piece(board.picture, letter, x + MARGIN + CELL / 2 - 2, y + CELL / 2)
        title = f"becomes a {piece_name(letter)}"
        board.picture.point(f"={letter.upper()}", x + MARGIN, y, CELL, CELL, title)
    return str(board.picture)

"""Tic-tac-toe from the empty board; a full board without a line is a TIE.

Known: 5,478 positions, 958 of them finished (626 won by X, 316 by O, 16 tied); the start is a TIE
in 9 plies. Source: folklore; the figures are in many published enumerations.
"""

from __future__ import annotations

from retrosolve.drawing.boards import squares
from retrosolve.drawing.picture import Picture
from retrosolve.rules.contract import Game
from retrosolve.values import Value

LINES = (
    (0, 1, 2),
    (3, 4, 5),
    (6, 7, 8),
    (0, 3, 6),
    (1, 4, 7),
    (2, 5, 8),
    (0, 4, 8),
    (2, 4, 6),
)


class TicTacToe(Game):
    """Noughts and crosses. A position is nine characters, row by row: X, O or a dot.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(TicTacToe())
    >>> len(solution), str(solution["........."])
    (5478, 'TIE in 9')
    """

    players = ("X", "O")

    def start(self) -> str:
        """Return the empty board."""
        return "." * 9

    def player(self, board: str) -> int:
        """Return 0 if X moves, which is when both have as many marks."""
        return board.count("X") - board.count("O")

    def terminal(self, board: str) -> Value | None:
        """Return LOSS if the opponent has a line, TIE for a full board, else None."""
        if any(board[a] != "." and board[a] == board[b] == board[c] for a, b, c in LINES):
            return Value.LOSS
        return None if "." in board else Value.TIE

    def moves(self, board: str) -> list[tuple[str, str]]:
        """Return the moves, named by row and column counted from 1."""
        mark = "XO"[self.player(board)]
        return [
            (f"{mark} at {cell_name(i)}", board[:i] + mark + board[i + 1 :])
            for i in range(9)
            if board[i] == "."
        ]

    def text(self, board: str) -> str:
        """Return the board in three rows."""
        return f"{board[:3]}/{board[3:6]}/{board[6:]}"

    def features(self, board: str) -> list[int]:
        """Return 1 for each cell that the player to move has marked, then for the opponent."""
        sides = ("XO", "OX")[self.player(board)]
        return [int(mark == side) for side in sides for mark in board]

    def svg(self, board: str) -> str:
        """Return a drawing of the board, with a stroke through a finished line."""
        drawn = squares(f"Tic-tac-toe: {self.text(board)}", 3, 3, kind=lambda column, row: "cell")
        for cell, mark in enumerate(board):
            row, column = divmod(cell, 3)
            if mark != ".":
                draw_mark(drawn.picture, mark, *drawn.middle(column, row))
            drawn.point(cell_name(cell), column, row)
        for first, middle, last in LINES:
            if board[first] != "." and board[first] == board[middle] == board[last]:
                ends = [drawn.middle(cell % 3, cell // 3) for cell in (first, last)]
                drawn.picture.line(*ends[0], *ends[1], "won")
        return str(drawn.picture)

    def move_points(self, board: str, target: str) -> tuple[str, ...]:
        """Return the cell that is marked."""
        return tuple(cell_name(cell) for cell in range(9) if board[cell] != target[cell])


def cell_name(cell: int) -> str:
    """Return the row and the column of a cell, counted from 1.

    >>> cell_name(5)
    '2,3'
    """
    return f"{cell // 3 + 1},{cell % 3 + 1}"


def draw_mark(picture: Picture, mark: str, x: float, y: float) -> None:
    """Draw a cross or a nought around a point."""
    if mark == "X":
        picture.path("M-13-13L13 13M13-13L-13 13", "stroke cross", x, y)
    else:
        picture.path("M0-14a14 14 0 1 0 .1 0", "stroke nought", x, y)

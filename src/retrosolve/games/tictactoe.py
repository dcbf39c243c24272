"""Tic-tac-toe from the empty board; a full board without a line is a TIE.

Known: 5,478 positions, 958 of them finished (626 won by X, 316 by O, 16 tied); the start is a TIE
in 9 plies. Source: folklore; the figures are in many published enumerations.
"""

from __future__ import annotations

from retrosolve.rules.game import Game
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
            (f"{mark} at {i // 3 + 1},{i % 3 + 1}", board[:i] + mark + board[i + 1 :])
            for i in range(9)
            if board[i] == "."
        ]

    def text(self, board: str) -> str:
        """Return the board in three rows."""
        return f"{board[:3]}/{board[3:6]}/{board[6:]}"

    def svg(self, board: str) -> str:
        """Return a drawing of the board."""
        shapes = {"X": "M7 7L25 25M25 7L7 25", "O": "M16 6a10 10 0 1 0 .1 0", ".": ""}
        marks = "".join(
            f'<path transform="translate({i % 3 * 32} {i // 3 * 32})" d="{shapes[mark]}"/>'
            for i, mark in enumerate(board)
        )
        lines = '<path d="M32 0V96M64 0V96M0 32H96M0 64H96"/>'
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" fill="none" '
            f'stroke="currentColor" stroke-width="2">{lines}{marks}</svg>'
        )

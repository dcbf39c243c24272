"""Clobber in plain Python: stones of two colours on a board, each move takes a neighbour's place.

A position is the board as text, row by row, ``x`` and ``o`` for the stones and ``.`` for free cells,
and the player to move, 0 for ``x``. A player who cannot move loses.
"""

from __future__ import annotations

import retrosolve as rs

Position = tuple[str, int]


class Clobber(rs.Game):
    players = ("x", "o")

    def __init__(self, rows: int = 5, columns: int = 4) -> None:
        self.rows = rows
        self.columns = columns

    def start(self) -> Position:
        cells = ((row + column) % 2 for row in range(self.rows) for column in range(self.columns))
        return "".join("xo"[cell] for cell in cells), 0

    def player(self, position: Position) -> int:
        return position[1]

    def moves(self, position: Position) -> list[tuple[str, Position]]:
        board, mover = position
        own, other = "xo"[mover], "ox"[mover]
        moves = []
        for cell, stone in enumerate(board):
            if stone != own:
                continue
            row, column = divmod(cell, self.columns)
            for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                r, c = row + down, column + right
                if not (0 <= r < self.rows and 0 <= c < self.columns):
                    continue
                to = r * self.columns + c
                if board[to] == other:
                    cells = list(board)
                    cells[cell], cells[to] = ".", own
                    name = f"{chr(97 + column)}{row + 1} takes {chr(97 + c)}{r + 1}"
                    moves.append((name, ("".join(cells), 1 - mover)))
        return moves

    def text(self, position: Position) -> str:
        board, mover = position
        rows = [board[i : i + self.columns] for i in range(0, len(board), self.columns)]
        return f"{'/'.join(rows)} {self.players[mover]}"

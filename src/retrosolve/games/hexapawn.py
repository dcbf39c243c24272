"""Hexapawn, Martin Gardner's game of pawns, on any rectangular board.

White has a pawn on every square of the first row, Black on every one of the last. A pawn moves one
step ahead to a free square, or captures an enemy pawn one step ahead diagonally. A player wins by
reaching the far row; a player who cannot move, or has no pawns, loses.

Known: on 3x3 the first player loses in 6 plies, 135 positions; on 4x4 he wins in 11, 20,286
positions. Sources: M. Gardner, Scientific American, March 1962; Wikipedia; brianhliou/solved-games.
The counts, and the values of other boards up to 5x5, are from an independent program.
"""

from __future__ import annotations

from retrosolve.drawing.boards import squares
from retrosolve.drawing.pieces import draw_piece
from retrosolve.errors import RulesError
from retrosolve.rules.contract import Game
from retrosolve.runtime.text import mark
from retrosolve.values import Value

MAX_SIZE = 26
OTHER = {"W": "B", "B": "W"}


class Hexapawn(Game):
    """Hexapawn. A position is the squares from a1, row by row, W, B or a dot, and who moves.

    Parameters
    ----------
    columns, rows : int
        Size of the board: 1 to 26 columns, 2 to 26 rows.

    Raises
    ------
    RulesError
        For any other size.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(Hexapawn())
    >>> len(solution), str(solution["WWW...BBBW"])
    (135, 'LOSS in 6')
    >>> [str(move.outcome) for move in solution.moves("WWW...BBBW")]
    ['WIN in 5', 'WIN in 3', 'WIN in 3']
    """

    players = (mark("white"), mark("black"))

    def __init__(self, columns: int = 3, rows: int = 3) -> None:
        if not (1 <= columns <= MAX_SIZE and 2 <= rows <= MAX_SIZE):
            raise RulesError(
                f"columns={columns}, rows={rows}: "
                f"expected 1 to {MAX_SIZE} columns, 2 to {MAX_SIZE} rows"
            )
        self.columns = columns
        self.rows = rows
        self.home = {"W": slice(0, columns), "B": slice(columns * (rows - 1), columns * rows)}
        self.steps = {"W": self._steps(1, "B"), "B": self._steps(-1, "W")}

    def _steps(self, ahead: int, enemy: str) -> list[list[tuple[int, str, str]]]:
        """Return for each square its steps: target, what must be there, and the name."""
        table = []
        for square in range(self.columns * self.rows):
            row, column = square // self.columns + ahead, square % self.columns
            steps = []
            for side in (-1, 0, 1):
                if 0 <= row < self.rows and 0 <= column + side < self.columns:
                    to = row * self.columns + column + side
                    needed, how = (enemy, "x") if side else (".", "-")
                    steps.append(
                        (to, needed, f"{self._square_name(square)}{how}{self._square_name(to)}")
                    )
            table.append(steps)
        return table

    def _square_name(self, square: int) -> str:
        return f"{chr(ord('a') + square % self.columns)}{square // self.columns + 1}"

    def start(self) -> str:
        """Return the board with full first and last rows, White to move."""
        return "W" * self.columns + "." * (self.columns * (self.rows - 2)) + "B" * self.columns + "W"

    def player(self, position: str) -> int:
        """Return 0 if White moves, 1 if Black does."""
        return "WB".index(position[-1])

    def terminal(self, position: str) -> Value | None:
        """Return LOSS if an enemy pawn is in the mover's first row, else None."""
        mover = position[-1]
        return Value.LOSS if OTHER[mover] in position[self.home[mover]] else None

    def moves(self, position: str) -> list[tuple[str, str]]:
        """Return the moves, named as in chess."""
        mover = position[-1]
        moves = []
        for square, steps in enumerate(self.steps[mover]):
            if position[square] == mover:
                for to, needed, name in steps:
                    if position[to] == needed:
                        squares = list(position)
                        squares[square], squares[to], squares[-1] = ".", mover, OTHER[mover]
                        moves.append((name, "".join(squares)))
        return moves

    def text(self, position: str) -> str:
        """Return the board, the last row first, and who moves."""
        starts = range(self.columns * (self.rows - 1), -1, -self.columns)
        rows = "/".join(position[start : start + self.columns] for start in starts)
        return f"{rows} {self.players[self.player(position)]} to move"

    def svg(self, position: str) -> str:
        """Return a drawing of the board, the last row at the top."""
        names = [self._square_name(square) for square in range(self.columns * self.rows)]
        board = squares(
            f"Hexapawn: {self.text(position)}",
            self.columns,
            self.rows,
            kind=lambda column, row: "light" if (column + self.rows - 1 - row) % 2 else "dark",
            files=[name[0] for name in names[: self.columns]],
            ranks=[str(row) for row in range(self.rows, 0, -1)],
        )
        for square, name in enumerate(names):
            row, column = self.rows - 1 - square // self.columns, square % self.columns
            if position[square] != ".":
                draw_piece(
                    board.picture, "P" if position[square] == "W" else "p", *board.middle(column, row)
                )
            board.point(name, column, row)
        return str(board.picture)

    def move_points(self, position: str, target: str) -> tuple[str, ...]:
        """Return the two squares of a move."""
        mover = position[-1]
        vacated, entered = (
            next(s for s in range(len(position) - 1) if one[s] == mover and other[s] != mover)
            for one, other in ((position, target), (target, position))
        )
        return self._square_name(vacated), self._square_name(entered)

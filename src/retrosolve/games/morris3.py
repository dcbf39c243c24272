"""Three men's morris as in Tapatan, on the nine points of a 3x3 board with both diagonals.

Each player has three men, placed in turn; then a move takes a man along a line to the next point if
it is free. Three in a row on any line wins at any time; a player who cannot move loses.

Known: the first player wins in 9 plies, from the centre only: a corner is a DRAW, an edge loses.
3,870 positions from the side of the player to move: 2,161 won, 773 lost, 936 drawn. Source:
brianhliou/solved-games for the openings; the counts are from an independent program.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from retrosolve.drawing.picture import CELL
from retrosolve.games.tictactoe import LINES, cell_name
from retrosolve.rules.board import Board, BoardGame

MEN = 3


class ThreeMensMorris(BoardGame):
    """Three men's morris. The text of a position is nine characters, row by row.

    X is a man of the player to move, O one of the opponent's, a dot a free point.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(ThreeMensMorris())
    >>> str(solution["........."]), [move.name for move in solution.best_moves(".........")]
    ('WIN in 9', ['put 2,2'])
    """

    reachable_only = True
    title = "Three men's morris"

    def __init__(self) -> None:
        board = _board()
        super().__init__(board, board.steps(), men=MEN, lines=board.rows_of(3), sides="mover")

    def parse(self, text: str) -> int:
        """Return the position of a text, also of one without slashes. Raises PositionError."""
        return super().parse(f"{text[:3]}/{text[3:6]}/{text[6:]}" if len(text) == 9 else text)

    def move_name(self, position: int, target: int) -> str:
        """Return the point of a placement, or the two points of a move."""
        points = super().move_name(position, target).split("-")
        return " to ".join(points) if len(points) > 1 else f"put {points[0]}"


@cache
def _board() -> Board:
    """Return the empty board."""
    places = {
        cell_name(i): (CELL * (0.7 + 1.4 * (i % 3)), CELL * (0.7 + 1.4 * (i // 3))) for i in range(9)
    }
    board = Board.lined([cell_name(i) for i in range(9)], [3, 3, 3], LINES, places)
    return replace(board, strokes=tuple((cell_name(line[0]), cell_name(line[2])) for line in LINES))

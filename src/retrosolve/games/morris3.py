"""Three men's morris as in Tapatan, on the nine points of a 3x3 board with both diagonals.

Each player has three men, placed in turn; then a move takes a man along a line to the next point if
it is free. Three in a row on any line wins at any time; a player who cannot move loses.

Known: the first player wins in 9 plies, from the centre only: a corner is a DRAW, an edge loses.
3,870 positions from the side of the player to move: 2,161 won, 773 lost, 936 drawn. Source:
brianhliou/solved-games for the openings; the counts are from an independent program.
"""

from __future__ import annotations

from functools import cache

from retrosolve.drawing.boards import LinedBoard
from retrosolve.drawing.picture import CELL
from retrosolve.games.tictactoe import LINES, cell_name
from retrosolve.rules.contract import Game
from retrosolve.values import Value

MEN = 3
OPPOSITE = str.maketrans("XO", "OX")
NEXT = [
    [j for line in LINES if i in line for j in line if abs(line.index(i) - line.index(j)) == 1]
    for i in range(9)
]


class ThreeMensMorris(Game):
    """Three men's morris. A position is nine characters, row by row.

    X is a man of the player to move, O one of the opponent's, a dot a free point.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(ThreeMensMorris())
    >>> str(solution["........."]), [move.name for move in solution.best_moves(".........")]
    ('WIN in 9', ['put 2,2'])
    """

    def start(self) -> str:
        """Return the empty board."""
        return "." * 9

    def terminal(self, board: str) -> Value | None:
        """Return LOSS if the opponent has a line, else None."""
        if any(board[a] == board[b] == board[c] == "O" for a, b, c in LINES):
            return Value.LOSS
        return None

    def moves(self, board: str) -> list[tuple[str, str]]:
        """Return the moves: place a man, or move one once all are placed."""
        if board.count("X") < MEN:
            return [
                (f"put {cell_name(to)}", swap_players(board[:to] + "X" + board[to + 1 :]))
                for to in range(9)
                if board[to] == "."
            ]
        moves = []
        for source in range(9):
            if board[source] == "X":
                for to in NEXT[source]:
                    if board[to] == ".":
                        points = list(board)
                        points[source], points[to] = ".", "X"
                        name = f"{cell_name(source)} to {cell_name(to)}"
                        moves.append((name, swap_players("".join(points))))
        return moves

    def text(self, board: str) -> str:
        """Return the board in three rows."""
        return f"{board[:3]}/{board[3:6]}/{board[6:]}"

    def svg(self, board: str) -> str:
        """Return a drawing of the points and lines."""
        pieces = {
            cell_name(i): ("mover", "other")["XO".index(mark)]
            for i, mark in enumerate(board)
            if mark != "."
        }
        title = f"Three men's morris: {self.text(board)}, X to move"
        return str(_board().picture(title, pieces, mover_relative=True))

    def move_points(self, board: str, target: str) -> tuple[str, ...]:
        """Return the point of a placement, or the two points of a move."""
        after = swap_players(target)
        origins = [cell_name(i) for i in range(9) if board[i] == "X" and after[i] == "."]
        return (*origins, *(cell_name(i) for i in range(9) if board[i] == "." and after[i] == "X"))


def swap_players(board: str) -> str:
    """Return the board with the players swapped.

    Examples
    --------
    >>> swap_players("X..O.....")
    'O..X.....'
    """
    return board.translate(OPPOSITE)


@cache
def _board() -> LinedBoard:
    """Return the empty board."""
    places = {
        cell_name(i): (CELL * (0.7 + 1.4 * (i % 3)), CELL * (0.7 + 1.4 * (i // 3))) for i in range(9)
    }
    lines = [(cell_name(line[0]), cell_name(line[2])) for line in LINES]
    return LinedBoard(4.2 * CELL, 4.2 * CELL, places, lines)

"""Three men's morris as in Tapatan, on the nine points of a 3x3 board with both diagonals.

Each player has three men, put down in turn; then a man is moved along a line to the next point, if
it is free. Three in a row on any line wins, at any time; who cannot move loses.

Known: the player who begins wins in 9 plies, in the centre only: a corner is a DRAW, an edge loses.
3,870 positions, seen from the player to move: 2,161 won, 773 lost, 936 drawn. Source:
brianhliou/solved-games for the openings; the counts are from an independent program.
"""

from __future__ import annotations

from retrosolve.games.tictactoe import LINES
from retrosolve.rules.game import Game
from retrosolve.values import Value

MEN = 3
OPPOSITE = str.maketrans("XO", "OX")
NEXT = [
    [j for line in LINES if i in line for j in line if abs(line.index(i) - line.index(j)) == 1]
    for i in range(9)
]


class ThreeMensMorris(Game):
    """Three men's morris. A position is nine characters, row by row.

    X is a man of the player to move, O one of the other's, a dot a free point.

    >>> import retrosolve as rs
    >>> solution = rs.solve(ThreeMensMorris())
    >>> str(solution["........."]), [move.name for move in solution.best_moves(".........")]
    ('WIN in 9', ['put 2,2'])
    """

    def start(self) -> str:
        """Give the empty board."""
        return "." * 9

    def terminal(self, board: str) -> Value | None:
        """The player to move has lost if there is a line: only the other can have made it."""
        if any(board[a] == board[b] == board[c] == "O" for a, b, c in LINES):
            return Value.LOSS
        return None

    def moves(self, board: str) -> list[tuple[str, str]]:
        """Put a man on a free point, or move one once all are down; row and column name a point."""
        if board.count("X") < MEN:
            return [
                (f"put {named(to)}", seen_by_other(board[:to] + "X" + board[to + 1 :]))
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
                        name = f"{named(source)} to {named(to)}"
                        moves.append((name, seen_by_other("".join(points))))
        return moves

    def text(self, board: str) -> str:
        """Write the board in three rows."""
        return f"{board[:3]}/{board[3:6]}/{board[6:]}"


def named(point: int) -> str:
    """Name a point by row and column, from 1.

    >>> named(5)
    '2,3'
    """
    return f"{point // 3 + 1},{point % 3 + 1}"


def seen_by_other(board: str) -> str:
    """Swap the players, as the turn passes.

    >>> seen_by_other("X..O.....")
    'O..X.....'
    """
    return board.translate(OPPOSITE)

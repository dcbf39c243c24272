"""The sliding puzzle (8-puzzle), as a puzzle of one player: the shortest solution of every position.

Tiles 1 to 8 lie on a 3x3 board with one empty cell; a move slides a tile into it. From the solved board
half of all arrangements are reachable, 9!/2 = 181,440, and the hardest take 31 moves.
"""

import retrosolve as rs

Board = tuple[int, ...]


class Sliding(rs.Puzzle):
    """Positions are the tiles row by row, 0 for the empty cell."""

    def __init__(self, rows: int = 3, columns: int = 3) -> None:
        self.rows = rows
        self.columns = columns
        self.goal = (*range(1, rows * columns), 0)

    def start(self) -> Board:
        return self.goal

    def solved(self, board: Board) -> bool:
        return board == self.goal

    def starts(self) -> list[Board]:
        """Also explore from the neighbours of the goal, where no move is made."""
        return [self.goal, *(board for _, board in self.moves(self.goal))]

    def moves(self, board: Board) -> list[tuple[int, Board]]:
        """Moves are named by the tile that slides."""
        hole = board.index(0)
        row, column = divmod(hole, self.columns)
        moves = []
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if 0 <= r < self.rows and 0 <= c < self.columns:
                cell = r * self.columns + c
                after = list(board)
                after[hole], after[cell] = board[cell], 0
                moves.append((board[cell], tuple(after)))
        return moves

    def text(self, board: Board) -> str:
        cells = [str(tile or ".") for tile in board]
        return "/".join(
            "".join(cells[i : i + self.columns]) for i in range(0, len(board), self.columns)
        )


if __name__ == "__main__":
    puzzle = Sliding(2, 3)
    solution = rs.solve(puzzle)
    longest = solution.longest()[rs.Value.WIN]
    print(f"{len(solution)} positions, at most {longest} moves")
    print("Slide", *(move.name for move in solution.line((0, 1, 2, 4, 5, 3))))

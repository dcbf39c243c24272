"""Neutreeko, a game of J. K. Haugland (2001), in plain Python and by tables of its moves.

Each player has three men. A man slides in any of the eight directions, as far as he can. Who has all
three men side by side in a row wins. The game on five by five points is a draw.

On the command line: ``retrosolve solve examples/neutreeko.py:Neutreeko,rows=5,columns=6``.
"""

import retrosolve as rs


class PlainNeutreeko(rs.Game[str]):
    """A position is the rows from the top, and who moves, as in ``.OO./.X../..O./.XX. X``."""

    players = ("X", "O")

    def __init__(self, rows: int = 5, columns: int = 5) -> None:
        self.rows, self.columns = rows, columns

    def start(self) -> str:
        rows = [["."] * self.columns for _ in range(self.rows)]
        left, middle, right = 1, self.columns // 2, self.columns - 2
        rows[0][left] = rows[0][right] = rows[-2][middle] = "O"
        rows[-1][left] = rows[-1][right] = rows[1][middle] = "X"
        return "/".join(map("".join, rows)) + " X"

    def moves(self, position: str) -> list[tuple[str, str]]:
        rows, mover = position.split(" ")
        width, moves = self.columns + 1, []
        for at in (place for place, mark in enumerate(rows) if mark == mover):
            for step in (1, width, width + 1, width - 1, -1, -width, -width - 1, -width + 1):
                to = at
                while 0 <= to + step < len(rows) and rows[to + step] == ".":
                    to += step
                if to != at:
                    marks = list(rows)
                    marks[at], marks[to] = ".", mover
                    moves.append((f"{at}-{to}", f"{''.join(marks)} {'XO'[mover == 'X']}"))
        return moves

    def player(self, position: str) -> int:
        return self.players.index(position[-1])

    def terminal(self, position: str) -> rs.Value | None:
        other, width = "XO"[position[-1] == "X"], self.columns + 1
        at = [place for place, mark in enumerate(position[:-2]) if mark == other]
        steps = {at[1] - at[0], at[2] - at[1]}
        in_row = len(steps) == 1 and steps <= {1, width, width + 1, width - 1}
        return rs.Value.LOSS if in_row else None


class Neutreeko(rs.BoardGame):
    """The same game: a slide ends at the edge of the board, or before a man of either side."""

    def __init__(self, rows: int = 5, columns: int = 5, symmetry: bool = True) -> None:
        board = rs.Board.grid(rows, columns)
        moves = []
        for line in board.lines():
            for k, origin in enumerate(line):
                for last in range(k + 1, len(line)):
                    free = sum(1 << s for s in line[k + 1 : last + 1])
                    slide = rs.MovePattern(origin, line[last], free=free)
                    before = sum(1 << s for s in line[last + 1 : last + 2])
                    moves += {slide._replace(own=before), slide._replace(other=before)}
        start = PlainNeutreeko(rows, columns).start()[:-2]
        super().__init__(board, moves, start=start, lines=board.rows_of(3), symmetry=symmetry)


if __name__ == "__main__":
    solution = rs.solve(Neutreeko())
    rs.verify(solution)
    print(solution, solution[solution.start], "longest", solution.longest()[rs.Value.WIN])

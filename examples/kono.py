"""Four field kono, a Korean game, in plain Python and by tables of its moves.

Both players fill half of a board of four by four points. A man steps to the next free point of his row
or column; or he jumps over a man of his own side onto an enemy right behind, who is captured. Who
cannot move loses. The game from the start is a draw.

On the command line: ``retrosolve solve examples/kono.py:Kono,rows=3,columns=3``.
"""

from collections.abc import Iterator

import retrosolve as rs


class PlainKono(rs.Game[str]):
    """A position is the rows from the top, and who moves, as in ``OOO/O.X/XXX X``."""

    players = ("X", "O")

    def __init__(self, rows: int = 3, columns: int = 3) -> None:
        self.rows, self.columns = rows, columns

    def start(self) -> str:
        men = self.rows * self.columns // 2
        marks = "O" * men + "." * (self.rows * self.columns % 2) + "X" * men
        rows = (marks[k * self.columns : (k + 1) * self.columns] for k in range(self.rows))
        return "/".join(rows) + " X"

    def moves(self, position: str) -> Iterator[tuple[str, str]]:
        rows, mover = position.split(" ")
        other = "XO"[mover == "X"]
        width = self.columns + 1
        for at, mark in enumerate(rows):
            for step in (1, -1, width, -width) if mark == mover else ():
                to, behind = at + step, at + 2 * step
                if 0 <= to < len(rows) and rows[to] == ".":
                    yield f"{at}-{to}", self.moved(rows, at, to, mover, other)
                elif 0 <= behind < len(rows) and rows[to] == mover and rows[behind] == other:
                    yield f"{at}x{behind}", self.moved(rows, at, behind, mover, other)

    def moved(self, rows: str, at: int, to: int, mover: str, other: str) -> str:
        marks = list(rows)
        marks[at], marks[to] = ".", mover
        return f"{''.join(marks)} {other}"

    def player(self, position: str) -> int:
        return self.players.index(position[-1])


class Kono(rs.BoardGame):
    """The same game, for boards of four by four points and more."""

    def __init__(self, rows: int = 4, columns: int = 4, symmetry: bool = True) -> None:
        board = rs.Board.grid(rows, columns)
        moves = board.steps("orthogonal") + board.jumps("orthogonal", over="own", onto="other")
        start = PlainKono(rows, columns).start()[:-2]
        super().__init__(board, moves, start=start, symmetry=symmetry)


if __name__ == "__main__":
    plain, tabled = rs.solve(PlainKono()), rs.solve(Kono(3, 3))
    print(len(plain), len(tabled), tabled[tabled.start])
    print(all(tabled[position] == outcome for position, outcome in plain.items()))

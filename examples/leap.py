"""Leap, a game of men who step and jump: plain, compiled, ranked, symmetric. See docs/howto/boards.md.

Two players fill the outer rows of a board of rows and columns. A man steps to the next free square of
his row or column, or jumps over an enemy beside him onto the free square behind and captures him. Who
cannot move loses. Men can step back and forth for ever, so some positions are draws.

Each class below is the same game, written for more positions than the one before. On the command line:
``retrosolve solve examples/leap.py:Tabled,rows=3,columns=4``.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import retrosolve as rs
from retrosolve import ranking

# -- 1. plain: any hashable positions, up to about a million --------------------------------------


class Leap(rs.Game[str]):
    """A position is the squares row by row from the top, and who moves, as in ``OOO/.../XXX X``."""

    players = ("X", "O")

    def __init__(self, rows: int = 3, columns: int = 3) -> None:
        self.rows, self.columns = rows, columns

    def start(self) -> str:
        middle = ["." * self.columns] * (self.rows - 2)
        return "/".join(["O" * self.columns, *middle, "X" * self.columns]) + " X"

    def moves(self, position: str) -> Iterator[tuple[str, str]]:
        rows, mover = position.split(" ")
        other = "XO"[mover == "X"]
        marks, width = list(rows), self.columns + 1
        for at, mark in enumerate(marks):
            for step in (1, -1, width, -width) if mark == mover else ():
                for to, over in ((at + step, None), (at + 2 * step, at + step)):
                    free = 0 <= to < len(marks) and marks[to] == "."
                    if free and (over is None or marks[over] == other):
                        after = marks.copy()
                        after[at], after[to] = ".", mover
                        if over is not None:
                            after[over] = "."
                        yield f"{at} to {to}", f"{''.join(after)} {other}"

    def player(self, position: str) -> int:
        return self.players.index(position[-1])


# -- 2. compiled: positions are ints, explored from the start -------------------------------------


class Explored(rs.CompiledGame):
    """A position has the mover's squares in its low bits, and the opponent's above them."""

    def __init__(self, rows: int = 3, columns: int = 3) -> None:
        self.squares = n = rows * columns
        board = rs.Board.grid(rows, columns)
        jumps = [[move.origin, move.other, 1 << move.target] for move in board.jumps("orthogonal")]
        steps = [[move.origin, 0, 1 << move.target] for move in board.steps("orthogonal")]
        self.data: Any = (n, (1 << n) - 1, np.array(steps + jumps))
        self.max_moves = self.max_predecessors = len(steps + jumps)
        self.full_row = (1 << columns) - 1

    def start(self) -> int:
        top = self.full_row << self.squares - self.full_row.bit_length()
        return top << self.squares | self.full_row

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        n, every, moves = data[0], data[1], data[2]
        mine, theirs = position & every, position >> n
        count = 0
        for row in range(len(moves)):
            man, over, to = 1 << moves[row, 0], moves[row, 1], moves[row, 2]
            if mine & man != 0 and (mine | theirs) & to == 0 and theirs & over == over:
                out[count] = (mine ^ man ^ to) << n | theirs ^ over
                count += 1
        return count


# -- 3. ranked: a dense index with tiers and predecessors, two bytes for each position ------------


class Ranked(Explored):
    """The same positions by their index: blocks of men of both sides, fewer men first."""

    symmetries: Any = None

    def __init__(self, rows: int = 3, columns: int = 3) -> None:
        super().__init__(rows, columns)
        men = range(columns + 1)
        tiers = ranking.by_removal((0, own, other) for own in men for other in men)
        sets = ranking.TwoSets(self.squares, tiers, self.symmetries)
        self.size, self.tiers = sets.size, sets.tiers
        self.data = (*self.data, sets.data)

    @staticmethod
    def rank(position: int, data: Any) -> int:
        return ranking.rank_two_sets(position, data[3])

    @staticmethod
    def unrank(index: int, data: Any) -> int:
        return ranking.unrank_two_sets(index, data[3])

    @staticmethod
    def predecessors(position: int, out: Any, data: Any) -> int:
        """Steps alone: before a jump there was one man more, and that is a later tier."""
        n, every, moves = data[0], data[1], data[2]
        mine, theirs = position & every, position >> n
        count = 0
        for row in range(len(moves)):
            origin, over, to = 1 << moves[row, 0], moves[row, 1], moves[row, 2]
            if over == 0 and theirs & to != 0 and (mine | theirs) & origin == 0:
                out[count] = mine << n | theirs ^ to ^ origin
                count += 1
        return count


# -- 4. symmetric: images of a position are solved once -------------------------------------------


class Symmetric(Ranked):
    """The same, and the index has no room for what is the image of another position."""

    def __init__(self, rows: int = 3, columns: int = 3) -> None:
        self.symmetries = ranking.grid_symmetries(rows, columns)
        super().__init__(rows, columns)

    @staticmethod
    def canonical(position: int, data: Any) -> int:
        return ranking.canonical_two_sets(position, data[3])


# -- all of this by tables: rules, index, symmetry, text, names of moves and a picture ------------


class Tabled(rs.BoardGame):
    """The game again, by its board and its moves."""

    reachable_only = True

    def __init__(self, rows: int = 3, columns: int = 3) -> None:
        board = rs.Board.grid(rows, columns)
        moves = board.steps("orthogonal") + board.jumps("orthogonal")
        super().__init__(board, moves, start=Leap(rows, columns).start()[:-2], symmetry=True)


if __name__ == "__main__":
    games = [Leap(3, 4), Explored(3, 4), Ranked(3, 4), Symmetric(3, 4), Tabled(3, 4)]
    for game in games:
        solution = rs.solve(game)
        start = solution[solution.start]
        print(f"{type(game).__name__:10} {len(solution):6} positions, {start}")

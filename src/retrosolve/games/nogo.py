"""NoGo as an impartial game: put down stones without capturing; who cannot loses.

A move puts a stone of either colour on an empty point. Neighbouring stones of one colour are a group,
as in Go, and each group must keep an empty point beside it, of either colour. Both players use both
colours, so every position has a nimber. In NoGo as it is usually played each player has one colour.

Known: the nimbers of the empty boards of one row and 1 to 15 columns are 0, 1, 0, 1, 2, 0, 1, 0, 1, 2,
3, 1, 0, 3, 1; those of 2x2 to 2x6 are 1, 1, 0, 0, 0, those of 3x3, 3x4, 3x5 and 4x4 are 0, 0, 1, 0.
Source: Folkersen, Müller and Du, results of the program MCGS, 2025
(github.com/ualberta-mueller-group/MCGS).
"""

from __future__ import annotations

from itertools import chain

from retrosolve.drawing.boards import LETTERS, squares
from retrosolve.drawing.picture import CELL
from retrosolve.errors import PositionError, RulesError
from retrosolve.rules.contract import Game

EMPTY, STONES = ".", "XO"
MAX_POINTS = 16
OTHER_COLOUR = str.maketrans("XO", "OX")


class NoGo(Game):
    """Impartial NoGo. A position is its points row by row from the top: X, O or a dot.

    Parameters
    ----------
    rows, columns : int
        The size of the board.
    symmetry : bool
        Whether rotations, reflections and exchanges of the colours count as the same position.

    Raises
    ------
    RulesError
        For a board without points or with more than 16 of them.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(NoGo(rows=1, columns=5), objective="nimber")
    >>> str(solution["....."].value), solution.best_moves(".....")[0].name
    ('*2', 'X c1')
    """

    def __init__(self, rows: int = 3, columns: int = 3, symmetry: bool = False) -> None:
        if min(rows, columns) < 1 or rows * columns > MAX_POINTS:
            raise RulesError(
                f"rows={rows}, columns={columns}: expected a board of 1 to {MAX_POINTS} points"
            )
        self.rows, self.columns, self.symmetry = rows, columns, symmetry
        places = [(row, column) for row in range(rows) for column in range(columns)]
        self.points = [f"{LETTERS[column]}{rows - row}" for row, column in places]
        self.beside = [
            [at for at, (y, x) in enumerate(places) if abs(y - row) + abs(x - column) == 1]
            for row, column in places
        ]
        grid = [tuple(range(row * columns, (row + 1) * columns)) for row in range(rows)]
        images: list[tuple[int, ...]] = []
        for _ in range(4):
            if len(grid) == rows:
                images += [tuple(chain(*grid)), tuple(chain(*grid[::-1]))]
            grid = list(zip(*grid[::-1], strict=True))
        self.images = list(dict.fromkeys(images))

    def start(self) -> str:
        """Return the empty board."""
        return EMPTY * len(self.points)

    def moves(self, board: str) -> list[tuple[str, str]]:
        """Return the moves, named by the colour and the point of the stone."""
        moves = []
        for at, point in enumerate(self.points):
            if board[at] == EMPTY:
                for stone in STONES:
                    after = f"{board[:at]}{stone}{board[at + 1 :]}"
                    if all(self._has_liberty(after, near) for near in (at, *self.beside[at])):
                        moves.append((f"{stone} {point}", after))
        return moves

    def _has_liberty(self, board: str, at: int) -> bool:
        """Return whether the group at a point has an empty point beside it; an empty point has."""
        group = [at]
        for member in group:
            if board[member] == EMPTY:
                return True
            group += [
                near
                for near in self.beside[member]
                if board[near] in (EMPTY, board[at]) and near not in group
            ]
        return False

    def canonical(self, board: str) -> str:
        """Return the smallest of the images if symmetry is used."""
        if not self.symmetry:
            return board
        images = ["".join([board[at] for at in image]) for image in self.images]
        return min(images + [image.translate(OTHER_COLOUR) for image in images])

    def text(self, board: str) -> str:
        """Return the rows, from the top."""
        starts = range(0, len(board), self.columns)
        return "/".join(board[start : start + self.columns] for start in starts)

    def parse(self, text: str) -> str:
        """Return the position of rows, also in one piece. Raises PositionError."""
        board = text.strip().upper()
        if "/" in board and set(map(len, board.split("/"))) == {self.columns}:
            board = board.replace("/", "")
        if len(board) != len(self.points) or not set(board) <= {EMPTY, *STONES}:
            raise PositionError(
                f"{text!r} is no board: expected {self.rows} rows of {self.columns} X, O or dots"
            )
        for at, point in enumerate(self.points):
            if not self._has_liberty(board, at):
                raise PositionError(
                    f"{text!r} is no board of the game: "
                    f"expected an empty point beside the group at {point}"
                )
        return board

    def svg(self, board: str) -> str:
        """Return a drawing; the left half of an empty point puts a black stone, the right a white."""
        drawn = squares(
            f"NoGo: {self.text(board)}",
            self.columns,
            self.rows,
            kind=lambda column, row: "board",
            files=LETTERS[: self.columns],
            ranks=[str(rank) for rank in range(self.rows, 0, -1)],
        )
        picture, names = drawn.picture, {name for name, _ in self.moves(board)}
        for at, near in enumerate(self.beside):
            for other in near:
                if other > at:
                    ends = [drawn.middle(p % self.columns, p // self.columns) for p in (at, other)]
                    picture.line(*ends[0], *ends[1], "grid")
        for at, stone in enumerate(board):
            x, y = drawn.middle(at % self.columns, at // self.columns)
            if stone != EMPTY:
                picture.disc(x, y, 0.4 * CELL, "piece " + ("first" if stone == "X" else "second"))
                continue
            for corner, choice in ((x - CELL / 2, "X"), (x, "O")):
                if f"{choice} {self.points[at]}" in names:
                    picture.point(f"{choice}{self.points[at]}", corner, y - CELL / 2, CELL / 2, CELL)
        return str(picture)

    def move_points(self, board: str, target: str) -> tuple[str, ...]:
        """Return the half of the point that the stone is put on."""
        at = next(at for at, stone in enumerate(board) if stone != target[at])
        return (f"{target[at]}{self.points[at]}",)

"""Dots and boxes: draw lines between neighbouring dots, and move again for each box that is closed.

A line that closes one box or two wins as many points, and the same player draws another line. The score
is that of the boxes won from here on.

Source: Berlekamp, "The Dots and Boxes Game" (2000).
"""

from __future__ import annotations

from retrosolve.drawing.picture import CELL, Picture
from retrosolve.errors import PositionError, RulesError
from retrosolve.rules.contract import Game

MAX_LINES = 40
MARGIN = 0.5 * CELL


class DotsAndBoxes(Game[tuple[int, int]]):
    """A position is the set of lines as bits, and who moves, 0 or 1.

    Lines are numbered row by row: those between the dots of a row, then those down from it.

    Parameters
    ----------
    rows, columns : int
        The rows and columns of boxes.

    Raises
    ------
    RulesError
        For fewer than 1, and more than 40 lines.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(DotsAndBoxes(1, 2), objective="score")
    >>> print(solution[solution.start].value)
    TIE
    """

    players = ("first", "second")
    objective = "score"

    def __init__(self, rows: int = 2, columns: int = 2) -> None:
        for name, number in (("rows", rows), ("columns", columns)):
            if type(number) is not int or number < 1:
                raise RulesError(f"{name}={number!r}: expected a whole number from 1 on")
        self.lines = rows * (columns + 1) + columns * (rows + 1)
        if self.lines > MAX_LINES:
            raise RulesError(
                f"{rows} rows of {columns} boxes have {self.lines} lines: expected at most {MAX_LINES}"
            )
        self.rows, self.columns = rows, columns
        across, step = columns, 2 * columns + 1
        self.boxes = [
            1 << row * step + column
            | 1 << row * step + across + column
            | 1 << row * step + across + column + 1
            | 1 << (row + 1) * step + column
            for row in range(rows)
            for column in range(columns)
        ]

    def start(self) -> tuple[int, int]:
        """Return the board without lines."""
        return 0, 0

    def moves(self, position: tuple[int, int]) -> list[tuple[str, tuple[int, int]]]:
        """Return the lines that can be drawn."""
        drawn, side = position
        moves = []
        for line in range(self.lines):
            if not drawn >> line & 1:
                after = drawn | 1 << line
                again = self._closed(after) > self._closed(drawn)
                moves.append((str(line), (after, side if again else 1 - side)))
        return moves

    def _closed(self, drawn: int) -> int:
        """Return the number of boxes that are closed."""
        return sum(drawn & box == box for box in self.boxes)

    def player(self, position: tuple[int, int]) -> int:
        """Return who moves."""
        return position[1]

    def payoff(self, position: tuple[int, int]) -> int:
        """Return 0: all boxes were counted when they were closed."""
        return 0

    def reward(self, position: tuple[int, int], target: tuple[int, int]) -> int:
        """Return the boxes that a move closes."""
        return self._closed(target[0]) - self._closed(position[0])

    def text(self, position: tuple[int, int]) -> str:
        """Return the lines in hexadecimal and who moves."""
        return f"{position[0]:x} {position[1]}"

    def parse(self, text: str) -> tuple[int, int]:
        """Return the position of a text. Raises PositionError."""
        lines, _, side = text.partition(" ")
        try:
            drawn = int(lines, 16)
        except ValueError:
            drawn = -1
        if drawn not in range(1 << self.lines) or side not in ("0", "1"):
            raise PositionError(f"{text!r} is no position: expected lines and who moves, as 1f 0")
        return drawn, int(side)

    def svg(self, position: tuple[int, int]) -> str:
        """Return a drawing of the lines; those that are not drawn can be clicked."""
        picture = Picture(
            self.columns * CELL + 2 * MARGIN,
            self.rows * CELL + 2 * MARGIN,
            f"Dots and boxes: {self.text(position)}",
        )
        step = 2 * self.columns + 1
        for line in range(self.lines):
            row, place = divmod(line, step)
            down = place >= self.columns
            column = place - self.columns if down else place
            x, y = MARGIN + column * CELL, MARGIN + row * CELL
            end = (x, y + CELL) if down else (x + CELL, y)
            if position[0] >> line & 1:
                picture.line(x, y, *end)
            else:
                half, middle = CELL / 4, ((x + end[0]) / 2, (y + end[1]) / 2)
                picture.point(str(line), middle[0] - half, middle[1] - half, CELL / 2, CELL / 2)
        for row in range(self.rows + 1):
            for column in range(self.columns + 1):
                picture.disc(MARGIN + column * CELL, MARGIN + row * CELL, 0.08 * CELL, "piece first")
        return str(picture)

    def move_points(self, position: tuple[int, int], target: tuple[int, int]) -> tuple[str, ...]:
        """Return the line."""
        return (str((position[0] ^ target[0]).bit_length() - 1),)

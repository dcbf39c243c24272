"""What nine men's morris and Lasker morris share: the names of the points, texts and pictures."""

from __future__ import annotations

from functools import cache

from retrosolve.drawing.boards import LinedBoard
from retrosolve.drawing.picture import CELL
from retrosolve.errors import PositionError, RulesError
from retrosolve.games.morris9.tables import MIN_MEN, POINTS, RING, neighbours
from retrosolve.games.morris_names import marks_of_men, name_of_move
from retrosolve.rules.contract import CompiledGame

MAX_MEN = 12

# From the upper left corner clockwise, the outer square first.
NAMES = (
    "a7", "d7", "g7", "g4", "g1", "d1", "a1", "a4", "b6", "d6", "f6", "f4", "f2", "d2", "b2", "b4",
    "c5", "d5", "e5", "e4", "e3", "d3", "c3", "c4",
)  # fmt: skip


class MorrisBoard(CompiledGame):
    """Three squares; a position is the mover's set of points, the opponent's, and men in hand."""

    diagonals: bool
    title = "Nine men's morris"

    def squares(self, position: int) -> str:
        """Return the squares from the outer one inwards, each clockwise from its upper left corner."""
        marks = "".join(
            "X" if position >> s & 1 else "O" if position >> POINTS + s & 1 else "."
            for s in range(POINTS)
        )
        return "/".join(marks[ring : ring + RING] for ring in range(0, POINTS, RING))

    def read_squares(self, text: str) -> tuple[int, int, str]:
        """Return the sets of both players and what follows the squares. Raises PositionError."""
        squares, _, rest = text.partition(" ")
        marks = squares.replace("/", "")
        if [len(ring) for ring in squares.split("/")] != [RING] * 3 or not set(marks) <= set("XO."):
            raise PositionError(
                f"{text!r} is no position: expected three times 8 points, / between them, men in hand"
            )
        mine, theirs = (sum(1 << s for s, m in enumerate(marks) if m == mark) for mark in "XO")
        return mine, theirs, rest

    def move_name(self, position: int, target: int) -> str:
        """Return the point or the two points of a move, and the point of a captured man."""
        return name_of_move(position, target, NAMES)

    def svg(self, position: int) -> str:
        """Return a drawing of the three squares."""
        marks = marks_of_men(position, NAMES)
        title = f"{self.title}: {self.text(position)} men in hand, X to move"
        return str(_board(self.diagonals).picture(title, marks, mover_relative=True))

    def move_points(self, position: int, target: int) -> tuple[str, ...]:
        """Return the point or the two points of a move, and the point of a captured man."""
        return tuple(self.move_name(position, target).replace("x", "-").split("-"))


def checked_men(men: int) -> int:
    """Return the number of men of each player. Raises RulesError."""
    if type(men) is not int or not MIN_MEN <= men <= MAX_MEN:
        raise RulesError(f"men={men!r}: expected a whole number from {MIN_MEN} to {MAX_MEN}")
    return men


@cache
def _board(diagonals: bool) -> LinedBoard:
    """Return the three squares without men."""
    places = {name: (CELL * (ord(name[0]) - 96.3), CELL * (7.7 - int(name[1]))) for name in NAMES}
    near = [neighbours(s, diagonals) for s in range(POINTS)]
    lines = [
        (NAMES[s], NAMES[t]) for s in range(POINTS) for t in range(s + 1, POINTS) if near[s] >> t & 1
    ]
    return LinedBoard(7.4 * CELL, 7.4 * CELL, places, lines)

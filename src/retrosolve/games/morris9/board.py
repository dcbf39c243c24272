"""What nine men's morris and Lasker morris share: the names of the points, texts and pictures."""

from __future__ import annotations

from functools import cache

from retrosolve.drawing.picture import CELL
from retrosolve.errors import RulesError
from retrosolve.games.morris9.tables import MIN_MEN, POINTS, RING, neighbours
from retrosolve.rules.board import Board, MenOnBoard

MAX_MEN = 12

# From the upper left corner clockwise, the outer square first.
NAMES = (
    "a7", "d7", "g7", "g4", "g1", "d1", "a1", "a4", "b6", "d6", "f6", "f4", "f2", "d2", "b2", "b4",
    "c5", "d5", "e5", "e4", "e3", "d3", "c3", "c4",
)  # fmt: skip


class MorrisBoard(MenOnBoard):
    """Three squares; a position is the mover's set of points, the opponent's, and men in hand."""

    diagonals: bool
    title = "Nine men's morris"

    @property
    def board(self) -> Board:  # type: ignore[override]
        """The points, and the lines between them."""
        return _board(self.diagonals)

    def read_squares(self, text: str) -> tuple[int, int, str]:
        """Return the sets of both players and what follows the squares. Raises PositionError."""
        squares, _, rest = text.partition(" ")
        return (*self.sets_of(squares), rest)

    def caption(self, position: int) -> str:
        """Return the title of the picture of a position."""
        return f"{self.title}: {self.text(position)} men in hand, X to move"


def checked_men(men: int) -> int:
    """Return the number of men of each player. Raises RulesError."""
    if type(men) is not int or not MIN_MEN <= men <= MAX_MEN:
        raise RulesError(f"men={men!r}: expected a whole number from {MIN_MEN} to {MAX_MEN}")
    return men


@cache
def _board(diagonals: bool) -> Board:
    """Return the three squares without men."""
    places = {name: (CELL * (ord(name[0]) - 96.3), CELL * (7.7 - int(name[1]))) for name in NAMES}
    near = [neighbours(s, diagonals) for s in range(POINTS)]
    lines = [(s, t) for s in range(POINTS) for t in range(s + 1, POINTS) if near[s] >> t & 1]
    return Board.lined(NAMES, [RING] * 3, lines, places)

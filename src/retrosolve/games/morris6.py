"""Six men's morris, compiled: two squares, one inside the other, joined at the middles of their sides.

Six men each are placed in turn on the 16 points; then a move slides a man along a line to the next
point if it is free, even with three men left. Three in a row on a side of a square are a mill; the
joining lines have only two points. Closing a mill captures one of the opponent's men outside mills, or
any if all are in mills. Once all men are placed, a player to move with fewer than three men, or with
no move, has lost.

Known: 42,372,745 positions are reachable, and the game is a draw; with five men each 17,844,721, also
a draw. Source: brianhliou/solved-games, 2026.
"""

from __future__ import annotations

from functools import cache

from retrosolve.drawing.picture import CELL
from retrosolve.errors import RulesError
from retrosolve.rules.board import Board, BoardGame
from retrosolve.rules.ranking import by_removal, generate_group

RING = 8
POINTS = 2 * RING
MAX_MEN = 6
MIN_MEN = 3  # to play on

# From the upper left corner clockwise, the outer square first.
NAMES = ("a5", "c5", "e5", "e3", "e1", "c1", "a1", "a3", "b4", "c4", "d4", "d3", "d2", "c2", "b2", "b3")


class SixMensMorris(BoardGame):
    """A position is the mover's set of points, the opponent's, and the number of men in hand.

    Parameters
    ----------
    men : int
        Men of each player, 3 to 6.
    symmetry : bool
        Whether images of a position under the 16 symmetries are solved once.

    Raises
    ------
    RulesError
        For any other number of men.

    Notes
    -----
    A block of the index has the same numbers of men; blocks without men in hand come first, then few
    men first. With symmetry, sets of the mover that are images of one another have one rank. Only
    reachable positions are solved.

    Examples
    --------
    >>> game = SixMensMorris()
    >>> game.size, SixMensMorris(symmetry=False).size, game.text(game.start())
    (4009181, 52766653, '......../........ 12')
    """

    reachable_only = True
    title = "Six men's morris"

    def __init__(self, men: int = MAX_MEN, symmetry: bool = True) -> None:
        if type(men) is not int or not MIN_MEN <= men <= MAX_MEN:
            raise RulesError(f"men={men!r}: expected a whole number from {MIN_MEN} to {MAX_MEN}")
        self.men = men
        self.symmetry = symmetry
        every = range(men + 1)
        tiers = by_removal((0, a, b) for a in every for b in every)
        for left in range(1, 2 * men + 1):
            first, second = range(men - (left + 1) // 2 + 1), range(men - left // 2 + 1)
            tiers.append([(left, a, b) for a in first for b in second])
        board = morris_board()
        super().__init__(
            board, board.steps(), men=men, lines=board.rows_of(3), mills=True, fewest=MIN_MEN,
            symmetry=symmetry, sides="mover", tiers=tiers,
        )  # fmt: skip
        self.max_moves, self.max_predecessors = 128, 32

    def caption(self, position: int) -> str:
        """Return the title of the picture of a position."""
        return f"{self.title}: {self.text(position)} men in hand, X to move"


@cache
def morris_board() -> Board:
    """Return the empty board."""
    lines: list[tuple[int, ...]] = [
        tuple(ring + (corner + k) % RING for k in range(3))
        for ring in (0, RING)
        for corner in range(0, RING, 2)
    ]
    lines += [(s, s + RING) for s in range(1, RING, 2)]
    places = {name: (CELL * (ord(name[0]) - 96.3), CELL * (5.7 - int(name[1]))) for name in NAMES}
    turned, mirrored = (
        [ring + s % RING for ring in (0, RING) for s in image]
        for image in (range(2, 10), range(8, 0, -1))
    )
    exchanged = [*range(RING, POINTS), *range(RING)]
    symmetries = generate_group([turned, mirrored, exchanged])
    return Board.lined(NAMES, [RING, RING], lines, places, symmetries)

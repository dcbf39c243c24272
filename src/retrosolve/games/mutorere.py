"""Mū tōrere, the Māori game on an eight-pointed star: the player who cannot move loses.

Eight points (kewai) in a ring and a centre (pūtahi), four men each, one point empty. A man moves to
the empty point: along the ring to the next one, out of the centre to any, into the centre only from
beside an enemy man.

Known: 1,180 positions reached from the start with either to move, 208 won, 128 lost, 844 drawn, the
start among them; no remoteness above 5. Up to rotation and reflection 86: 14, 10 and 62. All 1,260
placements: 240 won, 128 lost, 892 drawn; 92 up to symmetry. Sources: the article Mū tōrere in
Wikipedia, after GamesCrafters; Scientific Gems, 2018, for the 86; G. P. Jelliss for the 92.
"""

from __future__ import annotations

from functools import cache

from retrosolve.drawing.picture import CELL, ring
from retrosolve.rules.board import Board, BoardGame, MovePattern
from retrosolve.rules.ranking import generate_group

CENTRE = 8
NAMES = (*(str(point + 1) for point in range(CENTRE)), "centre")


class MuTorere(BoardGame):
    """Mū tōrere. The text of a position is the eight points in turn, the centre, and who moves.

    Parameters
    ----------
    symmetry : bool
        Whether rotations and reflections of a position count as the same position.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(MuTorere())
    >>> len(solution), str(solution["XXXXOOOO . X to move"])
    (1180, 'DRAW')
    """

    reachable_only = True
    title = "Mū tōrere"
    piece_kinds = "first", "second"

    def __init__(self, symmetry: bool = False) -> None:
        board = _board()
        steps = [step for step in board.steps() if step.target != CENTRE]
        into = []
        for s in range(CENTRE):
            left, right = 1 << (s - 1) % CENTRE, 1 << (s + 1) % CENTRE
            for own, other in ((left, right), (right, left), (0, left | right)):
                into.append(MovePattern(s, CENTRE, own=own, other=other, free=1 << CENTRE))
        super().__init__(board, steps + into, start="XXXXOOOO/.", sides="unlike", symmetry=symmetry)

    def text(self, position: int) -> str:
        """Return ring, centre and player to move, separated by spaces."""
        mover = self.players[self.side_to_move(position) or 0]
        return f"{self.board_text(position).replace('/', ' ')} {mover} to move"

    def parse(self, text: str) -> int:
        """Return the position of a text, also of one without blanks. Raises PositionError."""
        marks = text.removesuffix(" to move").replace(" ", "")
        return super().parse(f"{marks[:CENTRE]}/{marks[CENTRE:-1]} {marks[-1:]}")

    def move_name(self, position: int, target: int) -> str:
        """Return the player and the point that a man leaves: 1 to 8, or the centre."""
        left = super().move_name(position, target).partition("-")[0]
        return f"{self.players[self.side_to_move(position) or 0]} from {left}"

    def caption(self, position: int) -> str:
        """Return the title of the picture of a position."""
        return f"{self.title}: {self.text(position)}"


@cache
def _board() -> Board:
    """Return the empty star, the first point at the top, then clockwise."""
    middle = 3.2 * CELL
    kewai = ring(CENTRE, middle, middle, 2.5 * CELL)
    places = dict(zip(NAMES, [*kewai, (middle, middle)], strict=True))
    lines = [(s, CENTRE) for s in range(CENTRE)] + [(s, (s + 1) % CENTRE) for s in range(CENTRE)]
    turned, mirrored = ([s % CENTRE for s in image] for image in (range(1, 9), range(8, 0, -1)))
    symmetries = generate_group([[*turned, CENTRE], [*mirrored, CENTRE]])
    return Board.lined(NAMES, [CENTRE, 1], lines, places, symmetries)

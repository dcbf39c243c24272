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

from retrosolve.drawing.boards import LinedBoard
from retrosolve.drawing.picture import CELL, ring
from retrosolve.rules.contract import Game

CENTRE = 8
NAMES = (*(str(point + 1) for point in range(CENTRE)), "centre")


class MuTorere(Game):
    """Mū tōrere. A position is the eight points in turn, the centre, and who moves.

    Parameters
    ----------
    symmetry : bool
        Whether rotations and reflections of a position count as the same position.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(MuTorere())
    >>> len(solution), str(solution["XXXXOOOO.X"])
    (1180, 'DRAW')
    """

    players = ("X", "O")

    def __init__(self, symmetry: bool = False) -> None:
        self.symmetry = symmetry

    def start(self) -> str:
        """Return the position with the men of each side adjacent and the centre empty."""
        return "XXXXOOOO.X"

    def player(self, position: str) -> int:
        """Return 0 if X moves, 1 if O does."""
        return self.players.index(position[-1])

    def moves(self, position: str) -> list[tuple[str, str]]:
        """Return the moves, named by the point that a man leaves: 1 to 8, or the centre."""
        mover = position[-1]
        enemy = "O" if mover == "X" else "X"
        empty = position.index(".")
        sources = range(CENTRE) if empty == CENTRE else ((empty - 1) % 8, (empty + 1) % 8, CENTRE)
        moves = []
        for source in sources:
            if position[source] != mover:
                continue
            if empty == CENTRE and enemy not in (position[source - 1 & 7], position[source + 1 & 7]):
                continue
            points = list(position[:-1])
            points[source], points[empty] = ".", mover
            moves.append((f"{mover} from {NAMES[source]}", "".join(points) + enemy))
        return moves

    def canonical(self, position: str) -> str:
        """Return the smallest of the sixteen images if symmetry is used."""
        if not self.symmetry:
            return position
        ring, rest = position[:CENTRE], position[CENTRE:]
        turned = [ring[k:] + ring[:k] for k in range(CENTRE)]
        return min(turned + [image[::-1] for image in turned]) + rest

    def text(self, position: str) -> str:
        """Return ring, centre and player to move, separated by spaces."""
        return f"{position[:CENTRE]} {position[CENTRE]} {position[-1]} to move"

    def svg(self, position: str) -> str:
        """Return a drawing of the star, the first point at the top, then clockwise."""
        pieces = {
            name: ("first", "second")["XO".index(mark)]
            for name, mark in zip(NAMES, position, strict=False)
            if mark != "."
        }
        title = f"Mū tōrere: {self.text(position)}"
        return str(_board().picture(title, pieces))

    def move_points(self, position: str, target: str) -> tuple[str, ...]:
        """Return the point that a man leaves and the empty point."""
        source = next(
            point for point in range(CENTRE + 1) if position[point] != "." and target[point] == "."
        )
        return NAMES[source], NAMES[position.index(".")]


@cache
def _board() -> LinedBoard:
    """Return the empty star."""
    middle = 3.2 * CELL
    kewai = ring(CENTRE, middle, middle, 2.5 * CELL)
    places = dict(zip(NAMES, [*kewai, (middle, middle)], strict=True))
    lines = [(name, "centre") for name in NAMES[:CENTRE]]
    lines += list(zip(NAMES[:CENTRE], NAMES[1:CENTRE] + NAMES[:1], strict=True))
    return LinedBoard(2 * middle, 2 * middle, places, lines)

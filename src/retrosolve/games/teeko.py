"""Teeko, compiled: four pieces each on a 5 x 5 board, placed in turn and then moved.

Once all eight are placed, a move takes a piece one step in any of eight directions to a free point.
Four in a line or in a 2 x 2 square win; in the advanced game the corners of any upright square do too.

Known: the standard game (44 winning sets) is a draw; in the advanced game (58) the first player wins
in 13 turns, and only by starting in the centre. There are 75,710,250 placements of all eight pieces.
Source: G. Steele's summary of 1998; MathWorld.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from retrosolve.drawing.picture import CELL
from retrosolve.rules.board import Board, BoardGame

SIZE = 5
PIECES = 4


class Teeko(BoardGame):
    """A position is two sets of points: the mover's pieces in the low 25 bits, then the opponent's.

    Parameters
    ----------
    advanced : bool
        Whether larger squares win too.

    Notes
    -----
    A tier of the index has positions with the same number of pieces, eight first. If the player to move
    holds a winning set, the index is invalid: the game ended before.

    Examples
    --------
    >>> game = Teeko()
    >>> game.size, game.tiers[:3], len(winning_sets(False)), len(winning_sets(True))
    (96691476, (0, 75710250, 92534750), 44, 58)
    """

    title = "Teeko"

    def __init__(self, advanced: bool = False) -> None:
        self.advanced = advanced
        board = _board()
        super().__init__(board, board.steps(), men=PIECES, lines=winning_sets(advanced), sides="mover")


def winning_sets(advanced: bool) -> list[int]:
    """Return all winning sets of four points."""
    squares = [
        sum(1 << SIZE * (row + up) + column + right for up in (0, k) for right in (0, k))
        for k in range(1, SIZE if advanced else 2)
        for row in range(SIZE - k)
        for column in range(SIZE - k)
    ]
    return _board().rows_of(PIECES) + squares


@cache
def _board() -> Board:
    """Return the empty board."""
    board = Board.grid(SIZE, SIZE)
    places = {
        name: (CELL * (0.7 + s % SIZE), CELL * (SIZE - 0.3 - s // SIZE))
        for s, name in enumerate(board.names)
    }
    strokes = sorted((step.origin, step.target) for step in board.steps() if step.target < step.origin)
    named = tuple((board.names[s], board.names[t]) for s, t in strokes)
    return replace(board, places=places, strokes=named)

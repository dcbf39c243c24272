"""A board of policeman and thief, each cell coloured by the outcome with the thief there."""

from __future__ import annotations

import numpy as np

import retrosolve as rs
from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.drawing.boards import squares
from retrosolve.drawing.picture import Picture
from retrosolve.formats.board import Cell
from retrosolve.pursuit.drawing import EXIT, POLICEMAN, THIEF
from retrosolve.pursuit.police import PoliceAndThief, Position

CORNER = "M0 47.5V.5H47.5"


def coloured(
    game: PoliceAndThief,
    solution: rs.Solution,
    policeman: Cell,
    thief: Cell | None = None,
    plies: int | None = None,
) -> Picture:
    """Draw a board with the value for the policeman, who is to move, of each cell of the thief.

    Parameters
    ----------
    game : PoliceAndThief
    solution : Solution
    policeman : (row, column)
        Where the policeman is, counted from 1.
    thief : (row, column), optional
        Where to draw the thief.
    plies : int, optional
        Colour only positions of at most this remoteness, as they are known after so many levels.
    """
    board = game.board
    outcomes = {
        (row + 1, column + 1): solution[Position(policeman, (row + 1, column + 1), game.players[0])]
        for row, column in np.argwhere(board.free).tolist()
    }

    def known(outcome: rs.Outcome) -> bool:
        return plies is None or (outcome.remoteness is not None and outcome.remoteness <= plies)

    def kind(column: int, row: int) -> str:
        outcome = outcomes.get((row + 1, column + 1))
        if outcome is None:
            return "wall"
        return outcome.value.label if known(outcome) else "cell"

    drawn = squares("Who wins with the thief on each cell", board.columns, board.rows, kind=kind)
    for row, column in np.argwhere(board.free).tolist():  # a light line between cells of one colour
        x, y = drawn.corner(column, row)
        drawn.picture.path(CORNER, "line-black", x, y)
    for row, column in np.argwhere(board.exits).tolist():
        x, y = drawn.middle(column, row)
        drawn.picture.path(EXIT, "line-black", x - 11, y - 10, scale=0.75)
    for (row, column), outcome in outcomes.items():
        x, y = drawn.middle(column - 1, row - 1)
        if (row, column) not in (policeman, thief) and known(outcome):
            number = "" if outcome.remoteness is None else f" {outcome.remoteness}"
            drawn.picture.text(
                x + 6, y + 14, APPEARANCE[outcome.value].symbol + number, "paper", size=13
            )
    tokens = [("policeman", POLICEMAN, policeman), ("thief", THIEF, thief)]
    for token, shape, cell in tokens:
        if cell is not None:
            drawn.picture.path(shape, f"piece {token}", *drawn.middle(cell[1] - 1, cell[0] - 1))
    return drawn.picture

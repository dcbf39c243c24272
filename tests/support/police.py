"""Policeman and thief by other means: published counts, and plain rules."""

from __future__ import annotations

import numpy as np

import retrosolve as rs
from retrosolve.pursuit.police import PoliceAndThief

# From an independent program, over all pairs of free cells: win, loss, draw for the player to move.
COUNTS = {
    "caught": ("Police catches the thief", (4239, 3505, 0), (4705, 3039, 0)),
    "escapes": ("The thief escapes", (5485, 2084, 0), (2638, 4931, 0)),
    "draw": ("Draw", (2423, 3797, 669), (4578, 1602, 709)),
}


def same(left: rs.Solution, right: rs.Solution) -> bool:
    return np.array_equal(left.table.values(), right.table.values()) and np.array_equal(
        left.remoteness(), right.remoteness()
    )


class PlainPolice(rs.Game):
    """The same rules as an author would hand them over: explored, not numbered."""

    def __init__(self, police: PoliceAndThief) -> None:
        self.police = police
        self.moves = police.moves
        self.terminal = police.terminal

    def starts(self) -> object:
        return self.police.starts()

    def implements(self, name: str) -> bool:
        return name == "terminal"

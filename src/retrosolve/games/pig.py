"""Pig: throw a die as often as you dare, and lose the points of the turn with a 1.

A player throws a die and adds its points to those of his turn, until he holds and adds them to his
score, or throws a 1: then the turn is over and its points are lost. Who first has the points of the
goal wins. He throws at least once.

Known: the first player wins a game to 100 with a probability of 53.06 % (Neller and Presser, "Optimal
play of the dice game Pig", UMAP Journal 25, 2004).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrosolve.drawing.picture import Picture
from retrosolve.errors import PositionError, RulesError
from retrosolve.rules.contract import INVALID, LOSS, NOT_TERMINAL, CompiledGame

LARGEST, OVER = 1000, 0
THROW = 40  # where the points of the die are in a position
WIDTH, BAR, GAP = 320, 40, 12  # of the picture, and of the bars in it


class Pig(CompiledGame):
    """The scores of both and the points of the turn, before a throw.

    After a throw the player holds, or throws again.

    Parameters
    ----------
    goal : int
        The points that win.

    Raises
    ------
    RulesError
        For a goal that is not from 2 to 1000.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(Pig(goal=10))
    >>> print(solution[solution.start], solution["4,0,5"], sep=", ")
    70.9424322598 %, 88.8248574506 %
    """

    max_moves = 2
    max_outcomes = 6

    def __init__(self, goal: int = 20) -> None:
        if not 2 <= goal <= LARGEST:
            raise RulesError(f"goal={goal}: expected 2 to {LARGEST}")
        self.goal = goal
        self.size = goal**3 + 1
        # Scores never fall: a tier holds the positions with as many points together, the most first.
        points = np.add.outer(np.arange(goal), np.arange(goal)).reshape(-1)
        unrank = np.argsort(-points, kind="stable")
        rank = np.empty(goal**2, np.int64)
        rank[unrank] = np.arange(goal**2)
        first = np.flatnonzero(np.diff(points[unrank], prepend=-1))
        self.data = (goal, rank, unrank)
        self.tiers = (0, *(1 + goal * first).tolist())

    def start(self) -> int:
        """Return the position without points."""
        return 1

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        """Return LOSS once the other player has reached the goal, INVALID for a turn that has won."""
        goal = data[0]
        if position == OVER:
            return LOSS
        mine, turn = (position - 1) // goal**2, (position - 1) % goal
        return NOT_TERMINAL if mine + turn < goal else INVALID

    @staticmethod
    def outcomes(position: int, out: Any, weights: Any, data: Any) -> int:
        """Write the six points of the die."""
        for points in range(1, 7):
            out[points - 1] = position | points << THROW
            weights[points - 1] = 1
        return 6

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        """Write the position after holding, and ~position for another throw."""
        goal, points = data[0], position >> THROW
        before = position - (points << THROW) - 1
        mine, theirs, turn = before // goal**2, before // goal % goal, before % goal
        if points == 1:
            out[0] = 1 + (theirs * goal + mine) * goal
            return 1
        turn += points
        if mine + turn >= goal:
            out[0] = OVER
            return 1
        out[0] = 1 + (theirs * goal + mine + turn) * goal
        out[1] = ~(1 + (mine * goal + theirs) * goal + turn)
        return 2

    @staticmethod
    def rank(position: int, data: Any) -> int:
        """Return the index of a position."""
        if position == OVER:
            return 0
        goal = data[0]
        index: int = 1 + data[1][(position - 1) // goal] * goal + (position - 1) % goal
        return index

    @staticmethod
    def unrank(index: int, data: Any) -> int:
        """Return the position of an index."""
        if index == 0:
            return OVER
        goal = data[0]
        position: int = 1 + data[2][(index - 1) // goal] * goal + (index - 1) % goal
        return position

    # -- text -------------------------------------------------------------------------------------

    def text(self, position: int) -> str:
        """Return the scores of who throws and of the other player, and the points of the turn."""
        if position == OVER:
            return "over"
        goal, before = self.goal, position - 1
        return f"{before // goal**2},{before // goal % goal},{before % goal}"

    def parse(self, text: str) -> int:
        """Return the position of a text. Raises PositionError."""
        if text == "over":
            return OVER
        try:
            mine, theirs, turn = map(int, text.split(","))
        except ValueError:
            mine = theirs = turn = -1
        if min(mine, theirs, turn) < 0 or max(mine + turn, theirs) >= self.goal:
            raise PositionError(
                f"{text!r} is no position: expected both scores and the points of the turn, as 20,35,12"
            )
        return 1 + (mine * self.goal + theirs) * self.goal + turn

    def outcome_name(self, position: int, outcome: int) -> str:
        """Return the points of the die."""
        return str(outcome >> THROW)

    def move_name(self, position: int, target: int) -> str:
        """Return ``hold`` or ``throw``, and ``lose the turn`` after a 1."""
        if position >> THROW == 1:
            return "lose the turn"
        out = np.zeros(2, np.int64)
        self.successors(position, out, self.data)
        return "throw" if ~out[1] == target else "hold"

    # -- picture ----------------------------------------------------------------------------------

    turns_board = True

    def svg(self, position: int) -> str:
        """Return the scores as bars towards the goal, with the points of the turn."""
        mine, theirs, turn = (
            (0, self.goal, 0) if position == OVER else map(int, self.text(position).split(","))
        )
        picture = Picture(WIDTH, 2 * BAR + 3 * GAP, f"Pig: {self.text(position)}", True)
        wide = (WIDTH - 2 * GAP) / self.goal
        for row, (score, side) in enumerate(((theirs, "other"), (mine, "mover"))):
            y = GAP + row * (BAR + GAP)
            picture.rect(GAP, y, self.goal * wide, BAR, "cell")
            picture.rect(GAP, y, score * wide, BAR, f"piece {side}")
            if row and turn:
                picture.rect(GAP + score * wide, y, turn * wide, BAR, "yellow")
            said = f"{score} + {turn} / {self.goal}" if row else f"{score} / {self.goal}"
            picture.rect(WIDTH / 2 - 54, y + BAR / 4, 108, BAR / 2, "paper", radius=4)
            picture.text(WIDTH / 2, y + BAR / 2, said, "ink")
        return str(picture)

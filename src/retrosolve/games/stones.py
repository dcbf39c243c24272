"""The game of stones: take some stones from a heap; the player who cannot take loses.

With ``take=(1, 2)`` in normal play the multiples of 3 are lost.
"""

from __future__ import annotations

from retrosolve.errors import RulesError
from retrosolve.rules.contract import Game


class Stones(Game):
    """A heap of stones. A position is the number of stones left.

    Parameters
    ----------
    n : int
        Stones at the start.
    take : tuple of int
        Numbers of stones that a move may take.

    Raises
    ------
    RulesError
        If ``n`` is negative, or ``take`` is empty or holds a number below 1.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(Stones(n=10, take=(1, 2)))
    >>> solution[10], [move.name for move in solution.best_moves(10)]
    (Outcome(value=<Value.WIN: 1>, remoteness=7), ['take 1'])
    """

    def __init__(self, n: int = 10, take: tuple[int, ...] = (1, 2)) -> None:
        if n < 0:
            raise RulesError(f"n={n}: expected 0 stones or more")
        if not take or min(take) < 1:
            raise RulesError(f"take={take}: expected one or more numbers above 0")
        self.n = n
        self.take = take

    def start(self) -> int:
        """Return the full heap."""
        return self.n

    def moves(self, n: int) -> list[tuple[str, int]]:
        """Return the moves that take an allowed number of stones."""
        return [(f"take {k}", n - k) for k in self.take if k <= n]

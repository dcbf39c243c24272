"""The game of stones: take some stones from a heap; whoever cannot take loses (or wins, misère).

With ``take=(1, 2)`` in normal play the heaps that lose are the multiples of 3.
"""

from __future__ import annotations

from retrosolve.errors import RulesError
from retrosolve.rules.game import Game


class Stones(Game):
    """A heap of ``n`` stones, of which a player takes one of the numbers in ``take``.

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
        """Give the full heap."""
        return self.n

    def moves(self, n: int) -> list[tuple[str, int]]:
        """Take one of the allowed numbers of stones."""
        return [(f"take {k}", n - k) for k in self.take if k <= n]

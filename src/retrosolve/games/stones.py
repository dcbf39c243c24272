"""The game of stones: take some stones from a heap; the player who cannot take loses.

With ``take=(1, 2)`` in normal play the multiples of 3 are lost.
"""

from __future__ import annotations

from retrosolve.errors import RulesError
from retrosolve.rules.contract import Game

MAX_DRAWN = 200
ROW = 10  # stones in a row of the picture
STEP = 30.0


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

    def svg(self, n: int) -> str | None:
        """Return a drawing of the heap, where stone k from the end is a point; None for a large one."""
        if n > MAX_DRAWN:
            return None
        from retrosolve.drawing.picture import Picture

        rows = max(1, -(-min(self.n, MAX_DRAWN) // ROW))
        picture = Picture(ROW * STEP + 8, rows * STEP + 8, f"Stones: {n}")
        picture.rect(0, 0, picture.width, picture.height, "board", radius=8)
        for stone in range(n):
            x, y = 4 + STEP * (stone % ROW + 0.5), 4 + STEP * (stone // ROW + 0.5)
            picture.disc(x, y, 0.38 * STEP, "piece neutral")
            number = n - stone  # from the end
            if number in self.take:
                title = f"take {number}"
                picture.point(str(number), x - STEP / 2, y - STEP / 2, STEP, STEP, title)
        return str(picture)

    def move_points(self, n: int, target: int) -> tuple[str, ...]:
        """Return the stone that is taken with all after it."""
        return (str(n - target),)

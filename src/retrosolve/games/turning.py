"""Coin-turning games: turn some coins of a row, the last of them from heads to tails.

Who cannot turn a coin loses. The nimber of a row is the exclusive or of those of its heads, each of
them alone. In Turning Turtles a head at place p counts p, as a heap of Nim does; in Mock Turtles the
p-th odious number, which has an odd number of ones; in Ruler the largest power of two that divides p.

Source: Winning Ways, chapter 14.
"""

from __future__ import annotations

from itertools import combinations

from retrosolve.drawing.picture import CELL, Picture
from retrosolve.errors import PositionError, RulesError
from retrosolve.rules.contract import Game

HEAD, TAIL = "H", "T"
MOST_COINS = {"turtles": 2, "mock": 3}
RULES = (*MOST_COINS, "ruler")


class TurningCoins(Game):
    """A row of coins. A position is the row from left to right, H for heads and T for tails.

    Parameters
    ----------
    rule : {"turtles", "mock", "ruler"}
        Turn up to two coins, up to three, or any number of neighbours.
    n : int
        The number of coins, all heads at the start.

    Raises
    ------
    RulesError
        For another rule, and unless ``n`` is 1 to 24.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(TurningCoins("ruler", n=8), objective="nimber")
    >>> [solution["T" * place + "H" + "T" * (7 - place)].value.number for place in range(8)]
    [1, 2, 1, 4, 1, 2, 1, 8]
    """

    def __init__(self, rule: str = "turtles", n: int = 8) -> None:
        if rule not in RULES:
            raise RulesError(f"rule={rule!r}: expected one of {', '.join(RULES)}")
        if not 1 <= n <= 24:
            raise RulesError(f"n={n}: expected 1 to 24 coins")
        self.rule, self.n = rule, n

    def start(self) -> str:
        """Return heads alone."""
        return HEAD * self.n

    def moves(self, row: str) -> list[tuple[str, str]]:
        """Return the moves, named by the places that they turn, from 1."""
        moves = []
        for last in (place for place, coin in enumerate(row) if coin == HEAD):
            for others in self._others(last):
                places = (*others, last)
                coins = list(row)
                for place in places:
                    coins[place] = TAIL if row[place] == HEAD else HEAD
                moves.append(("turn " + "+".join(str(place + 1) for place in places), "".join(coins)))
        return moves

    def _others(self, last: int) -> list[tuple[int, ...]]:
        """Return the places that may be turned along with the last one."""
        if self.rule == "ruler":
            return [tuple(range(first, last)) for first in range(last + 1)]
        most = MOST_COINS[self.rule]
        return [places for size in range(most) for places in combinations(range(last), size)]

    def parse(self, text: str) -> str:
        """Return the row of a text. Raises PositionError."""
        row = text.upper()
        if len(row) != self.n or not set(row) <= {HEAD, TAIL}:
            raise PositionError(f"{text!r} is no row: expected {self.n} letters H or T")
        return row

    def svg(self, row: str) -> str:
        """Return a drawing of the row, heads in yellow, with the places below the coins."""
        picture = Picture(self.n * CELL, 1.4 * CELL, f"Turning coins: {row}")
        picture.rect(0, 0, picture.width, picture.height, "board", radius=8)
        for place, coin in enumerate(row):
            x, y = (place + 0.5) * CELL, CELL / 2
            picture.disc(x, y, 0.4 * CELL, "piece yellow" if coin == HEAD else "piece neutral")
            picture.text(x, y, coin, "ink", size=18)
            picture.text(x, 1.15 * CELL, str(place + 1), "ink")
            picture.point(str(place + 1), place * CELL, 0, CELL, CELL, f"{place + 1}: {coin}")
        return str(picture)

    def move_points(self, row: str, target: str) -> tuple[str, ...]:
        """Return the coins that are turned from the last to the first, and the last one again.

        Of neighbours in Ruler these are the last and the first alone.
        """
        turned = [str(k + 1) for k in reversed(range(self.n)) if row[k] != target[k]]
        return (turned[0], turned[-1]) if self.rule == "ruler" else (*turned, turned[0])

"""Game: the contract for people who write rules in plain Python."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from retrosolve.values import Value


class Game:
    """The rules of a game. Subclass it and give ``start`` and ``moves``; the rest is optional.

    Positions may be any hashable objects. Positions that differ in what can happen from them must
    differ as objects: where it matters who moves, the position (or ``player``) has to say so.

    >>> class Countdown(Game):
    ...     def start(self):
    ...         return 3
    ...     def moves(self, n):
    ...         return [(f"take {k}", n - k) for k in (1, 2) if k <= n]
    >>> import retrosolve as rs
    >>> str(rs.solve(Countdown())[3])
    'LOSS in 2'
    """

    players: tuple[str, str] = ("0", "1")

    def start(self) -> Any:
        """REQUIRED (or ``starts``). The position that the game starts from."""
        raise NotImplementedError(f"{type(self).__name__} gives no start(): expected a position")

    def moves(self, position: Any) -> Iterable[tuple[str, Hashable]]:
        """REQUIRED. Each move from a position: its name and the position it leads to.

        Not asked where ``terminal`` has ended the game. The same position must always give the same
        moves in the same order. No moves at all means that the player to move is stuck.
        """
        raise NotImplementedError(f"{type(self).__name__} gives no moves(): expected (name, position)")

    def starts(self) -> Iterable[Any]:
        """OPTIONAL. The positions to solve from, where one is not enough."""
        return (self.start(),)

    def terminal(self, position: Any) -> Value | None:
        """OPTIONAL. WIN, LOSS or TIE for the player to move, where the game is over; else None."""
        return None

    def player(self, position: Any) -> int:
        """OPTIONAL. Who moves, 0 or 1. Left out, the players alternate."""
        raise NotImplementedError(f"{type(self).__name__} gives no player()")

    def canonical(self, position: Any) -> Any:
        """OPTIONAL. One representative of all positions that play alike; the same for all of them.

        Left out, each position stands for itself. Only representatives are stored. With ``player``,
        the same player moves at the representative.
        """
        return position

    def text(self, position: Any) -> str:
        """OPTIONAL. A position written for a person."""
        return str(position)

    def svg(self, position: Any) -> str | None:
        """OPTIONAL. A picture of a position, an ``<svg>`` element, for notebooks."""
        return None

    def implements(self, name: str) -> bool:
        """Tell whether the author gave the optional function of this name."""
        return getattr(type(self), name) is not getattr(Game, name)

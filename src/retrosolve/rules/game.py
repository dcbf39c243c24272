"""Game: the contract for people who write rules in plain Python."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from retrosolve.errors import PositionError
from retrosolve.rules.exploring import explored_space, moves_of
from retrosolve.rules.spec import Specified
from retrosolve.runtime.context import Context
from retrosolve.spaces.base import StateSpace
from retrosolve.values import Value


class Game(Specified):
    """The rules of a game. Subclass it and define ``start`` and ``moves``; the rest is optional.

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

    def parse(self, text: str) -> Any:
        """OPTIONAL. The position that ``text`` stands for. Raises PositionError if there is none.

        Without it, positions are recognised by their ``text`` among those that were found.
        """
        raise PositionError(f"{text!r}: {type(self).__name__} does not define parse()")

    def svg(self, position: Any) -> str | None:
        """OPTIONAL. A picture of a position, an ``<svg>`` element, for notebooks."""
        return None

    # -- what the package makes of them --------------------------------------------------------

    def implements(self, name: str) -> bool:
        """Return whether the author defined the optional function of this name."""
        return getattr(type(self), name) is not getattr(Game, name)

    def state_space(self, context: Context | None = None) -> StateSpace:
        """Return the space of all positions reachable from the start, its edges stored.

        Raises RulesError for rules that break their contract. Calls each rule once a position.
        """
        return explored_space(self, context or Context())

    def known_space(self) -> StateSpace | None:
        """Return None: the positions have to be explored."""
        return None

    def explored(self, context: Context | None = None) -> StateSpace:
        """Return the space of the positions reachable from the start."""
        return self.state_space(context)

    def restored(self, arrays: dict[str, Any]) -> StateSpace:
        """Return the space again, as :func:`retrosolve.open` needs it."""
        return self.state_space()

    def plain(self) -> Game:
        """Return the rules as plain Python, which they are."""
        return self

    def instrumented(self) -> Game:
        """Return the rules so that breaches of their contract are found, which plain rules are."""
        return self

    def named_moves(self, position: Any) -> list[tuple[str, Hashable]]:
        """Return the moves from a position, checked to be names and positions."""
        return moves_of(self, position)

    def targets(self, position: Any) -> list[Hashable]:
        """Return the positions that moves lead to."""
        return [target for _, target in moves_of(self, position)]

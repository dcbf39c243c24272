"""Check of symmetry: a small game has the same outcomes with and without ``canonical``."""

from __future__ import annotations

from typing import Any

from retrosolve.errors import PositionError, RulesError
from retrosolve.rules.exploring import explored_space
from retrosolve.rules.game import Game
from retrosolve.runtime.context import Context
from retrosolve.solvers import choose
from retrosolve.spaces.base import StateSpace
from retrosolve.values import STUCK_VALUES, Outcome, Value


class _TooManyError(RulesError):
    """The game has too many positions to be solved twice."""


class _LimitedGame(Game):
    """A game with or without its symmetry, which raises after ``limit`` positions."""

    def __init__(self, game: Game, symmetric: bool, limit: int) -> None:
        self.game = game
        self.symmetric = symmetric
        self.left = limit
        self.starts = game.starts  # type: ignore[method-assign]
        self.terminal = game.terminal  # type: ignore[method-assign]
        self.player = game.player  # type: ignore[method-assign]
        self.canonical = game.canonical  # type: ignore[method-assign]

    def moves(self, position: Any) -> Any:
        self.left -= 1
        if self.left < 0:
            raise _TooManyError
        return self.game.moves(position)

    def implements(self, name: str) -> bool:
        return self.game.implements(name) and (self.symmetric or name != "canonical")


def check_symmetry(game: Game, limit: int) -> bool:
    """Compare the outcomes with and without ``canonical``; return whether that was possible.

    Parameters
    ----------
    game : Game
    limit : int
        The largest number of positions that are not terminal; a larger game is not compared.

    Raises
    ------
    RulesError
        If an outcome differs, or a representative is not reachable.
    """
    try:
        full = explored_space(_LimitedGame(game, False, limit), Context(workers=1))
        reduced = explored_space(_LimitedGame(game, True, limit), Context(workers=1))
    except _TooManyError:
        return False
    for stuck, value in STUCK_VALUES.items():
        expected, outcomes = _outcomes(full, value), _outcomes(reduced, value)
        for vertex, position in enumerate(map(full.position, range(full.num_vertices))):
            try:
                outcome = outcomes[reduced.index(position)]
            except PositionError:
                raise RulesError(
                    f"canonical({position!r}) gave {game.canonical(position)!r}, which no moves lead "
                    "to: expected a form that moves of canonical forms lead to"
                ) from None
            if outcome != expected[vertex]:
                raise RulesError(
                    f"{position!r} is {expected[vertex]}, but {outcome} when solved with canonical() "
                    f"(stuck={stuck!r}): expected the same"
                )
    return True


def _outcomes(space: StateSpace, stuck: Value) -> list[Outcome]:
    """Return the outcome of every position of a space."""
    table = choose(space).run(space, stuck, Context(threads=1)).table
    pairs = zip(table.values().tolist(), table.remoteness().tolist(), strict=True)
    return [Outcome(Value(value), plies if plies >= 0 else None) for value, plies in pairs]

"""Check of symmetry: a small game has the same outcomes with and without ``canonical``."""

from __future__ import annotations

from typing import Any

from retrosolve.errors import LimitError, PositionError, RulesError
from retrosolve.rules.contract import Game
from retrosolve.rules.exploring import explored_space
from retrosolve.runtime.context import Context
from retrosolve.solvers import choose
from retrosolve.spaces.base import StateSpace
from retrosolve.values import STUCK_VALUES, Outcome, Value


class _WithoutSymmetry(Game):
    """A game without its symmetry."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.starts = game.starts  # type: ignore[method-assign]
        self.terminal = game.terminal  # type: ignore[method-assign]
        self.player = game.player  # type: ignore[method-assign]

    def moves(self, position: Any) -> Any:
        return self.game.moves(position)

    def implements(self, name: str) -> bool:
        return name != "canonical" and self.game.implements(name)


def check_symmetry(game: Game, limit: int) -> bool:
    """Compare the outcomes with and without ``canonical``; return whether that was possible.

    Parameters
    ----------
    game : Game
    limit : int
        The largest number of positions; a larger game is not compared.

    Raises
    ------
    RulesError
        If an outcome differs, or a representative is not reachable.
    """
    try:
        full = explored_space(_WithoutSymmetry(game), Context(workers=1, limit=limit))
        reduced = explored_space(game, Context(workers=1))
    except LimitError:
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

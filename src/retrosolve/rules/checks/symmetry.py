"""Solving a small game with and without ``canonical``: every answer must be the same."""

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
    """There are more positions than are to be solved here."""


class _Part(Game):
    """Some rules of a game, folding or not, that stop after so many positions."""

    def __init__(self, game: Game, folded: bool, limit: int) -> None:
        self.game = game
        self.folded = folded
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
        return self.game.implements(name) and (self.folded or name != "canonical")


def check_symmetry(game: Game, limit: int) -> bool:
    """Solve both ways if at most ``limit`` positions go on; tell whether that was done."""
    try:
        full = explored_space(_Part(game, False, limit), Context())
        folded = explored_space(_Part(game, True, limit), Context())
    except _TooManyError:
        return False
    for stuck, value in STUCK_VALUES.items():
        expected, given = _outcomes(full, value), _outcomes(folded, value)
        for vertex, position in enumerate(map(full.position, range(full.num_vertices))):
            try:
                outcome = given[folded.index(position)]
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


def _outcomes(graph: StateSpace, stuck: Value) -> list[Outcome]:
    table = choose(graph).run(graph, stuck, Context(threads=1)).table
    pairs = zip(table.values().tolist(), table.remoteness().tolist(), strict=True)
    return [Outcome(Value(value), plies if plies >= 0 else None) for value, plies in pairs]

"""InterpretedGame: compiled rules as plain Python."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Any

import numpy as np

from retrosolve.arrays import is_whole
from retrosolve.errors import RetrosolveError, RulesError
from retrosolve.rules.calls import broken, raised
from retrosolve.rules.contract import CompiledGame, Game
from retrosolve.rules.spec import Unspecified
from retrosolve.spaces.rule_positions import LARGEST_POSITION
from retrosolve.values import INVALID, NOT_TERMINAL, Value


def checked_starts(game: CompiledGame) -> Iterator[int]:
    """Yield the starts of a game. Raises RulesError for an exception, and for what is no position."""
    name = type(game).__name__
    starts: Iterator[Any] | None = None
    while True:
        try:
            starts = iter(game.starts()) if starts is None else starts
            start = next(starts)
        except StopIteration:
            return
        except RetrosolveError:
            raise
        except Exception as error:
            raise raised(f"{name}.starts()", error) from error
        if not is_whole(start) or not 0 <= start <= LARGEST_POSITION:
            rule = "starts" if game.implements("starts") else "start"
            broken(game, f"{name} starts from {start!r}: expected a whole number below 2^63", rule)
        yield int(start)


class InterpretedGame(Game):
    """A compiled game as plain rules: its functions are called without compiling them.

    Parameters
    ----------
    game : CompiledGame

    Raises
    ------
    RulesError
        If the game has no ``successors`` or no positive ``max_moves``.
    """

    throws_alone = False

    def __init__(self, game: CompiledGame) -> None:
        if not game.implements("successors") or game.max_moves < 1:
            raise RulesError(f"{type(game).__name__} gives no successors() with max_moves above 0")
        self.game = game
        self.players = game.players
        has_dice = game.objective == "outcome" and game.implements("outcomes")
        self.objective = "chance" if has_dice else game.objective  # as the compiled rules are asked
        for shown in ("text", "parse", "svg", "move_points", "features"):
            setattr(self, shown, getattr(game, shown))

    def starts(self) -> Iterable[int]:
        """Return the starts of the compiled game."""
        return self.game.starts()

    def start(self) -> int:
        """Return the start of the compiled game."""
        return self.game.start()

    def moves(self, position: int) -> list[tuple[str, int]]:
        """Return the name and the target of each move."""
        return self.game.named_moves(position)

    def targets(self, position: int) -> list[Hashable]:
        """Return the positions that moves lead to."""
        game = self.game
        if game.implements("outcomes"):
            return [target for throw in game.throws(position) for _, target, _ in throw.moves]
        out = np.zeros(game.max_moves, np.int64)
        try:
            count = int(game.successors(position, out, game.plain_data))
        except Exception as error:
            raise raised(f"{type(game).__name__}.successors({position})", error) from error
        targets: list[Hashable] = out[:count].tolist()
        return targets

    def terminal(self, position: int) -> Value | None:
        """Return the result if the game is over, otherwise None."""
        code = int(self.game.terminal(position, self.game.plain_data))
        if code == INVALID:
            raise RulesError(f"a move leads to {position}, which terminal() says is no position")
        return Value(code) if code != NOT_TERMINAL else None

    def player(self, position: int) -> int:
        """Return the player to move."""
        return int(self.game.player(position, self.game.plain_data))

    def payoff(self, position: int) -> int:
        """Return the points of the player to move where the game is over."""
        return int(self.game.payoff(position, self.game.plain_data))

    def reward(self, position: int, target: int) -> int:
        """Return the points that a move wins."""
        return int(self.game.reward(position, target, self.game.plain_data))

    def canonical(self, position: int) -> int:
        """Return the representative of a position."""
        return int(self.game.canonical(position, self.game.plain_data))

    def recipe(self) -> tuple[str, dict[str, Any]]:
        """Raise Unspecified: only the compiled game itself can be built from a spec."""
        raise Unspecified("it is a view of a compiled game: solve that instead")

    def implements(self, name: str) -> bool:
        """Return whether the compiled game defines the function."""
        return self.game.implements(name)

"""TwoTokenGame: rules whose positions are two tokens and the player to move."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import Any

from retrosolve.rules.calls import moves_of
from retrosolve.rules.contract import Game
from retrosolve.rules.exploring import SolvableGame
from retrosolve.runtime.context import Context
from retrosolve.spaces.base import StateSpace, adapted
from retrosolve.spaces.product import ProductSpace
from retrosolve.spaces.rule_positions import RulesPositions


class TwoTokenGame(Game, ABC):
    """A game of two tokens, one for each player, that move alternately on two graphs.

    Besides the rules of a :class:`Game` it defines the game as a :class:`ProductSpace`, which stores no
    edges, and the index of each position in it.

    Attributes
    ----------
    initial : hashable or None
        OPTIONAL. The position that the game starts from.
    """

    initial: Any = None

    @abstractmethod
    def product(self) -> ProductSpace:
        """Return the space of all positions, reachable from the start or not. REQUIRED."""

    @abstractmethod
    def index(self, position: Any) -> int:
        """Return the index of a position. REQUIRED. Raises PositionError if there is none."""

    @abstractmethod
    def position(self, index: int) -> Hashable:
        """Return the position of an index. REQUIRED."""


class TwoTokenPositions(RulesPositions):
    """The positions of a game of two tokens."""

    __slots__ = ("rules",)

    rules: TwoTokenGame

    def __init__(self, rules: TwoTokenGame) -> None:
        self.rules = rules

    def index(self, position: Any) -> int:
        """Return the index of a position. Raises PositionError."""
        return self.rules.index(position)

    def position(self, index: int) -> Hashable:
        """Return the position of an index."""
        return self.rules.position(index)

    def moves(self, position: Any) -> list[tuple[str, Hashable]]:
        """Return the moves, named by the rules."""
        return moves_of(self.rules, position)


class SolvableTwoTokenGame(SolvableGame):
    """A :class:`TwoTokenGame` to solve: its product space needs no exploring."""

    game: TwoTokenGame

    def state_space(self, context: Context | None = None) -> StateSpace:
        """Return the product space, with positions named by the game."""
        return self.game.product().named_by(TwoTokenPositions(self.game), self.game.initial)

    def space_without_search(self) -> StateSpace | None:
        """Return the product space."""
        return self.state_space()


adapted.register(TwoTokenGame, SolvableTwoTokenGame)

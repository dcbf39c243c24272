"""TwoTokenGame: rules whose positions are two tokens and the player to move."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import Any

from retrosolve.rules.game import Game
from retrosolve.runtime.context import Context
from retrosolve.spaces.base import StateSpace
from retrosolve.spaces.product import ProductSpace


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

    def state_space(self, context: Context | None = None) -> StateSpace:
        """Return the product space, with positions named by the game."""
        return self.product().named_by(self)

    def known_space(self) -> StateSpace | None:
        """Return the product space, which is known without exploring."""
        return self.state_space()

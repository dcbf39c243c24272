"""TwoTokenGame: rules whose positions are two tokens and a turn, so that no edge need be stored."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import Any

from retrosolve.rules.game import Game
from retrosolve.runtime.context import Context
from retrosolve.spaces.base import StateSpace
from retrosolve.spaces.product import ProductSpace


class TwoTokenGame(Game, ABC):
    """A game of two tokens, one for each player, that move in turn on graphs of their own.

    Besides the plain rules it defines the same game as a :class:`ProductSpace`, and the numbering of
    positions in it. ``initial`` is the position it starts from, if any.
    """

    initial: Any = None

    @abstractmethod
    def product(self) -> ProductSpace:
        """REQUIRED. All positions, not just those reached from the start, and where play is over."""

    @abstractmethod
    def index(self, position: Any) -> int:
        """REQUIRED. The index of a position. Raises PositionError if there is none."""

    @abstractmethod
    def position(self, index: int) -> Hashable:
        """REQUIRED. The position of an index."""

    def state_space(self, context: Context | None = None) -> StateSpace:
        """Return the product space, its positions named by the game."""
        return self.product().named_by(self)

    def known_space(self) -> StateSpace | None:
        """Return the product space: nothing has to be explored."""
        return self.state_space()

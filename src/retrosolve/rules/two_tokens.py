"""TwoTokenGame: rules whose positions are two tokens and a turn, so that no edge need be stored."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import Any

from retrosolve.rules.exploring import moves_of
from retrosolve.rules.game import Game
from retrosolve.spaces.product import ProductSpace


class TwoTokenGame(Game, ABC):
    """A game of two tokens, one for each player, that move in turn on graphs of their own.

    Beside the plain rules it gives the same game as a :class:`ProductSpace`, and the way from
    positions to its vertices and back. ``initial`` is the position it starts from, if any.
    """

    initial: Any = None

    @abstractmethod
    def product(self) -> ProductSpace:
        """Give all positions, not just those reached from the start, with their terminal values."""

    @abstractmethod
    def vertex(self, position: Any) -> int:
        """Give the vertex of a position. Raises PositionError if there is none."""

    @abstractmethod
    def position(self, vertex: int) -> Hashable:
        """Give the position of a vertex."""


class PursuitPositions:
    """The positions of a pursuit game: all of them, by the game's own numbering."""

    def __init__(self, game: TwoTokenGame) -> None:
        self.game = game
        self.start = game.initial
        self.players = game.players

    def vertex(self, position: Hashable) -> int:
        """Give the vertex of a position."""
        return self.game.vertex(position)

    def position(self, vertex: int) -> Hashable:
        """Give the position of a vertex."""
        return self.game.position(vertex)

    def moves(self, position: Hashable) -> list[tuple[str, Hashable]]:
        """Ask the rules for the moves."""
        return moves_of(self.game, position)

    def text(self, position: Hashable) -> str:
        """Write a position as the rules do."""
        return self.game.text(position)

    def svg(self, position: Hashable) -> str | None:
        """Draw a position as the rules do."""
        return self.game.svg(position)

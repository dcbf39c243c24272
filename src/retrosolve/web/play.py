"""A line of play move by move: who moved, what each move was worth, and what an opponent answers."""

from __future__ import annotations

import random
from collections.abc import Hashable
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from retrosolve.errors import PositionError
from retrosolve.solution import Solution
from retrosolve.spaces.base import StateSpace
from retrosolve.spaces.preference import RankedMove, outcome, ranked_moves
from retrosolve.values import Outcome, Value
from retrosolve.web.address import Address, position_at


class Quality(StrEnum):
    """What a move did to the game of the player who made it."""

    BEST = "best"
    SLOW = "slow"
    MISTAKE = "mistake"


class Ply(NamedTuple):
    """A move that was made.

    Parameters
    ----------
    side : int
        Who made it.
    name : str
    before : Outcome
        Of the position before, for ``side``.
    after : Outcome
        Of the position after, for ``side``.
    quality : Quality
    best : str
        The name of the first of the best moves.
    """

    side: int
    name: str
    before: Outcome
    after: Outcome
    quality: Quality
    best: str


class Scene(NamedTuple):
    """A position as it came about.

    Parameters
    ----------
    address : Address
    position : hashable
    outcome : Outcome
        For the player to move.
    side : int
        Who moves: the player whom the rules name, or 0 for who moved first where players alternate.
    named : bool
        Whether the rules name the player.
    moves : list of RankedMove
        Best first.
    played : list of Ply
        The moves that led here.
    """

    address: Address
    position: Hashable
    outcome: Outcome
    side: int
    named: bool
    moves: list[RankedMove]
    played: list[Ply]

    @property
    def viewer(self) -> int:
        """The side from whose point of view the page speaks."""
        return self.side if self.address.you is None else self.address.you

    def seen(self, value: Value, side: int) -> Value:
        """Return a value that holds for ``side`` as the reader sees it."""
        return value if side == self.viewer else value.opposite()

    def ranks(self) -> list[int]:
        """Return the rank of each move: 1 for the best ones, and equal ranks for equally good ones."""
        ranks: list[int] = []
        for number, move in enumerate(self.moves):
            equal = number > 0 and move.key == self.moves[number - 1].key
            ranks.append(ranks[-1] if equal else number + 1)
        return ranks


def scene(solution: Solution, address: Address) -> Scene:
    """Return the position of an address with its moves and what led to it.

    Raises
    ------
    PositionError
        If there is no such position, or the line has a move that does not exist.
    """
    space, table = solution.space, solution.table
    position, vertex = position_at(solution, address.at)
    side, named = _side(space, vertex, 0)
    played: list[Ply] = []
    for number in address.line:
        moves = ranked_moves(space, table, position, vertex)
        if not 1 <= number <= len(moves):
            raise PositionError(
                f"move {len(played) + 1} of the line is number {number}, but there are {len(moves)} "
                "moves: expected one of them"
            )
        chosen = moves[number - 1]
        played.append(_ply(outcome(table, vertex), side, moves, chosen))
        position = chosen.move.position
        vertex = space.index(position)
        side, named = _side(space, vertex, 1 - side)
    moves = ranked_moves(space, table, position, vertex)
    return Scene(address, position, outcome(table, vertex), side, named, moves, played)


def _side(space: StateSpace, vertex: int, otherwise: int) -> tuple[int, bool]:
    """Return who moves, and whether the rules say so."""
    movers = space.player(np.array([vertex]))
    return (otherwise, False) if movers is None else (int(movers[0]), True)


def _ply(before: Outcome, side: int, moves: list[RankedMove], chosen: RankedMove) -> Ply:
    """Return a move with what it is worth."""
    quality = Quality.BEST
    if chosen.value is not before.value:
        quality = Quality.MISTAKE
    elif chosen.key != moves[0].key:
        quality = Quality.SLOW
    after = Outcome(chosen.value, chosen.move.outcome.remoteness)
    return Ply(side, chosen.move.name, before, after, quality, moves[0].move.name)


def reply(moves: list[RankedMove], mistakes: float, chance: random.Random | None = None) -> int:
    """Return the move of an opponent, as its place among the moves best first, counted from 1.

    Parameters
    ----------
    moves : list of RankedMove
        Best first; at least one.
    mistakes : float
        The probability of a move that is not a best one, if there is one.
    chance : Random, optional
        Where the choice among equals comes from.
    """
    chance = chance or random.Random()
    best = sum(1 for move in moves if move.key == moves[0].key)
    if best < len(moves) and chance.random() < mistakes:
        return chance.randrange(best, len(moves)) + 1
    return chance.randrange(best) + 1

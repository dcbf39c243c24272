"""A game that is played: its moves, what each was worth, and an opponent who may make mistakes."""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from enum import StrEnum
from typing import NamedTuple

from retrosolve.solution.preference import RankedMove, ranked_moves
from retrosolve.solution.solution import Solution
from retrosolve.values import Outcome


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
    before, after : Outcome
        Of the positions before and after, for ``side``.
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


class GamePlay:
    """A game from a position on.

    Parameters
    ----------
    solution : Solution
    start : hashable

    Raises
    ------
    PositionError
        If the solution does not contain the position.

    Attributes
    ----------
    position : hashable
        The current position.
    side : int
        Who moves there: the player whom the rules name, or 0 for who moved first where players
        alternate.
    moves : list of RankedMove
        The moves from there, best first.
    played : list of Ply
    awaits_throw : bool
        Whether chance is next; see :meth:`throw`.

    Examples
    --------
    >>> import retrosolve as rs
    >>> from retrosolve.games.stones import Stones
    >>> game = GamePlay(rs.solve(Stones(4)), 4)
    >>> game.make(game.moves[1])
    >>> game.position, game.side, str(game.played[0].quality)
    (2, 1, 'mistake')
    """

    def __init__(self, solution: Solution, start: Hashable) -> None:
        self.solution = solution
        self._before: list[tuple[Hashable, int]] = []
        self.played: list[Ply] = []
        self.moves: list[RankedMove] = []
        self._enter(start, 0)

    @property
    def outcome(self) -> Outcome:
        """The outcome of the current position, for the player to move."""
        return self.solution[self.position]

    def make(self, move: RankedMove) -> None:
        """Make one of ``moves``."""
        self.played.append(judge(self.outcome, self.side, self.moves, move))
        self._before.append((self.position, self.side))
        again = self._again[move.place] if self._again else False
        self._enter(move.move.position, self.side if again else 1 - self.side)

    def throw(self, chance: random.Random) -> str:
        """Throw the dice; keep the moves after the throw, or go on from there. Return its name."""
        space = self.solution.space
        self.awaits_throw = False
        throws = space.throws(self.position)
        if throws is None:
            named = space.moves(self.position)
            weights = space.move_weights(self.position, [target for _, target in named])
            ((name, target),) = chance.choices(named, weights)
            self._enter(target, self.side)
            return name
        (number,) = chance.choices(range(len(throws)), [throw.weight for throw in throws])
        first = sum(len(throw.moves) for throw in throws[:number])
        places = range(first, first + len(throws[number].moves))
        self.moves = [move for move in self.moves if move.place in places]
        return throws[number].name

    def undo(self) -> None:
        """Take back the last move."""
        self.played.pop()
        self._enter(*self._before.pop())

    def _enter(self, position: Hashable, side: int) -> None:
        space = self.solution.space
        position, vertex = space.resolved(position)
        mover = space.side_to_move(position)
        self.position = position
        self.side = side if mover is None else mover
        self.moves = ranked_moves(self.solution, position, vertex)
        throws = space.throws(position) if self.moves else None
        self._again = [again for throw in throws or () for *_, again in throw.moves]
        by_chance = bool(self.moves) and space.move_weights(position, []) is not None
        self.awaits_throw = throws is not None or by_chance


def judge(before: Outcome, side: int, moves: Sequence[RankedMove], chosen: RankedMove) -> Ply:
    """Return a move with what it is worth.

    Parameters
    ----------
    before : Outcome
        Of the position, for ``side``.
    side : int
        Who moves.
    moves : sequence of RankedMove
        Best first.
    chosen : RankedMove
        One of them.
    """
    quality = Quality.BEST
    if chosen.key != moves[0].key:
        quality = Quality.MISTAKE if chosen.value != moves[0].value else Quality.SLOW
    after = Outcome(chosen.value, chosen.move.outcome.remoteness)
    return Ply(side, chosen.move.name, before, after, quality, moves[0].move.name)


def reply(moves: Sequence[RankedMove], mistakes: float, chance: random.Random | None = None) -> int:
    """Return the move of an opponent, as its place among the moves best first, counted from 1.

    Parameters
    ----------
    moves : sequence of RankedMove
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

"""A game that is played: its moves, what each was worth, and an opponent who may make mistakes.

Where dice are thrown, the value of a position changes in two ways: by what is thrown, which is luck,
and by a move that is not the best after the throw, which loses some of it. The difference between the
end of a game and its beginning is the luck of both players and their losses.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from enum import StrEnum
from typing import NamedTuple

from retrosolve.objectives.chance import Odds
from retrosolve.objectives.score import Margin
from retrosolve.solution.preference import RankedMove, ranked_moves
from retrosolve.solution.solution import Solution
from retrosolve.spaces.base import StateSpace
from retrosolve.values import Outcome, Result


class Quality(StrEnum):
    """What a move did to the game of the player who made it."""

    BEST = "best"
    SLOW = "slow"  # the best one is faster
    HASTY = "hasty"  # the best one lasts longer
    MISTAKE = "mistake"
    CHANCE = "chance"


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
    luck, lost : float
        What the throw before the move has made of the value for ``side``, and how much of it the move
        has lost; 0 without dice.
    reward : int
        The points that the move has won.
    """

    side: int
    name: str
    before: Outcome
    after: Outcome
    quality: Quality
    best: str
    luck: float = 0.0
    lost: float = 0.0
    reward: int = 0


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
    named : bool
        Whether the rules name the player.
    outcome : Outcome
        For the player to move.
    moves : list of RankedMove
        The moves from there, best first; after :meth:`throw`, those of the throw.
    played : list of Ply
    taken : list of int
        The points that the moves of each player have won.
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

    Notes
    -----
    The table has the points that are won from a position on. Outcomes and moves here, those of
    ``played`` too, count those that were taken since ``start`` as well.
    """

    def __init__(self, solution: Solution, start: Hashable) -> None:
        self.solution = solution
        self._before: list[tuple[Hashable, int]] = []
        self.played: list[Ply] = []
        self.taken = [0, 0]
        self.moves: list[RankedMove] = []
        self._enter(start, 0)

    def make(self, move: RankedMove) -> None:
        """Make one of ``moves``."""
        self.played.append(judge(self.outcome, self.side, self.moves, move))
        self.taken[self.side] += move.reward
        self._before.append((self.position, self.side))
        self._enter(move.move.position, self.side if move.again else 1 - self.side)

    def throw(self, chance: random.Random) -> str:
        """Throw the dice; keep the moves after it, or make the move of chance. Return its name."""
        number, name = throw_dice(self.solution.space, self.position, self.moves, chance)
        self.moves = [move for move in self.moves if move.throw == number]
        self.awaits_throw = False
        if self.moves and not self.moves[0].is_choice:
            self.make(self.moves[0])
        return name

    def undo(self) -> None:
        """Take back the last move."""
        undone = self.played.pop()
        self.taken[undone.side] -= undone.reward
        self._enter(*self._before.pop())

    def _enter(self, position: Hashable, side: int) -> None:
        space = self.solution.space
        position, vertex = space.resolved(position)
        mover = space.side_to_move(position, vertex)
        self.position, self.named = position, mover is not None
        self.side = side if mover is None else mover
        self.outcome = self.solution[position]
        self.moves = ranked_moves(self.solution, position, vertex)
        lead = self.taken[self.side] - self.taken[1 - self.side]
        if lead and isinstance(self.outcome.value, Margin):
            self.outcome = self.outcome._replace(value=self.outcome.value.ahead(lead))
            self.moves = [move._replace(value=move.value.ahead(lead)) for move in self.moves]
        self.awaits_throw = bool(self.moves) and self.moves[0].throw is not None


def judge(before: Outcome, side: int, moves: Sequence[RankedMove], chosen: RankedMove) -> Ply:
    """Return a move with what it is worth.

    Parameters
    ----------
    before : Outcome
        Of the position, for ``side``.
    side : int
        Who moves.
    moves : sequence of RankedMove
        Best first. Those after another throw do not matter.
    chosen : RankedMove
        One of them.
    """
    best = next(move for move in moves if move.throw == chosen.throw)
    if chosen.key == best.key:
        quality = Quality.BEST if chosen.is_choice else Quality.CHANCE
    elif chosen.value != best.value:
        quality = Quality.MISTAKE
    else:
        quality = Quality.HASTY if (best.plies or 0) > (chosen.plies or 0) else Quality.SLOW
    after = Outcome(chosen.value, chosen.move.outcome.remoteness)
    luck = expected(best.value) - expected(before.value)
    lost = expected(best.value) - expected(chosen.value)
    return Ply(
        side, chosen.move.name, before, after, quality, best.move.name, luck, lost, chosen.reward
    )


def expected(value: Result) -> float:
    """Return the middle of the bounds of a value of chance; 0 for another value."""
    return value.middle if isinstance(value, Odds) else 0.0


class Balance(NamedTuple):
    """What dice and moves have made of a game for one player, in the unit of its values.

    Parameters
    ----------
    luck : float
        What the throws of both have won.
    lost : float
        What the moves of the player have lost.
    """

    luck: float
    lost: float


def balance(played: Sequence[Ply], side: int) -> Balance:
    """Return the luck of a player in a game, and what was lost by moves that were not the best.

    Parameters
    ----------
    played : sequence of Ply
    side : int

    Examples
    --------
    Two throws of a coin that wins twice in three; one could have declined the second:

    >>> import retrosolve as rs
    >>> edges = [("a", "coin"), ("coin", "b"), ("coin", "lost"), ("b", "won"), ("b", "fair"),
    ...          ("fair", "won"), ("fair", "lost")]
    >>> owner = {"a": 0, "coin": rs.CHANCE, "b": 0, "fair": rs.CHANCE, "won": 0, "lost": 0}
    >>> graph = rs.Graph.from_edges(edges, owner=owner, terminal={"won": "win", "lost": "loss"},
    ...                             weight=[0, 2, 1, 0, 0, 1, 1])
    >>> game = GamePlay(rs.solve(graph), "a")
    >>> for name in ("coin", "b", "fair", "won"):
    ...     game.make(next(move for move in game.moves if move.move.name == name))
    >>> luck, lost = balance(game.played, 0)
    >>> round(luck, 3), round(lost, 3)
    (0.833, 0.5)
    """
    luck = sum(ply.luck if ply.side == side else -ply.luck for ply in played)
    return Balance(luck, sum(ply.lost for ply in played if ply.side == side))


def throw_dice(
    space: StateSpace, position: Hashable, moves: Sequence[RankedMove], chance: random.Random
) -> tuple[int | None, str]:
    """Return the number and the name of a throw at a position; where chance moves, of a move.

    Parameters
    ----------
    space : StateSpace
    position : hashable
    moves : sequence of RankedMove
        The moves from there; at least one.
    chance : Random
        Where the throw comes from.
    """
    throws = space.throws(position)  # there may be no move after one
    rows: list[tuple[int | None, str, float]] = [(m.throw, m.move.name, m.share) for m in moves]
    if throws is not None:
        rows = [(number, throw.name, throw.weight) for number, throw in enumerate(throws)]
    ((number, name, _),) = chance.choices(rows, [weight for *_, weight in rows])
    return number, name


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

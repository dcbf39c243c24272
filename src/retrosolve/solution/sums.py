"""sum(): who wins several solved impartial games that are played at once, and by which move."""

from __future__ import annotations

from collections.abc import Hashable
from functools import reduce
from operator import add
from typing import NamedTuple

import numpy as np

from retrosolve.errors import GraphError
from retrosolve.objectives import Nimber
from retrosolve.runtime.files import short_repr
from retrosolve.solution.solution import Solution
from retrosolve.values import Move, NimValue, Value

Summand = Solution | tuple[Solution, Hashable]


class Sum(NamedTuple):
    """The sum of some games.

    Parameters
    ----------
    value : NimValue
        A nimber, or ∞ with the nimbers of the followers; ∞() for the sum of several infinite games.
    outcome : Value
        WIN, LOSS or DRAW for the player to move.
    summand : int or None
        The place of the game in which ``move`` is made, from 0.
    move : Move or None
        A winning move, or one that holds a draw; None for a lost sum.

    Examples
    --------
    >>> import retrosolve as rs
    >>> heap = rs.solve(rs.game("stones:n=20,take=1+2+3"), objective="nimber")
    >>> print(rs.sum((heap, 7), (heap, 5)))
    WIN: *2, by take 2 -> 5 (*1) in summand 0
    >>> rs.sum((heap, 7), (heap, 3))
    Sum(LOSS: *0)
    """

    value: NimValue
    outcome: Value
    summand: int | None
    move: Move | None

    def __str__(self) -> str:
        by = "" if self.move is None else f", by {self.move} in summand {self.summand}"
        return f"{self.outcome}: {self.value}{by}"

    def __repr__(self) -> str:
        return f"Sum({self})"


def sum(*summands: Summand) -> Sum:
    """Add up solved impartial games: a player moves in one of them, and loses without a move in any.

    Parameters
    ----------
    *summands : Solution, or tuple of Solution and hashable
        A solution for the objective ``nimber`` stands for its start; a pair of one and a position for
        that position. A solution may occur several times.

    Returns
    -------
    Sum
        Its value, who wins, and a winning move, if there is one.

    Raises
    ------
    GraphError
        For a solution of another objective, and for one without a start if no position is given.
    PositionError
        For a position that a solution does not contain.

    See Also
    --------
    retrosolve.objectives.Nimber : What the values are, with cycles.

    Notes
    -----
    Of all winning moves, that one is chosen after which the sum of the nimbers is smallest, and then
    the sum of the remotenesses. Each further choice of this kind makes one of them smaller, whatever
    the opponent does, so play ends even where games have cycles.

    Takes the time of a lookup for each move from each of the positions.

    Examples
    --------
    A move in a game with cycles can be worth more than any heap. From the loop, the first player moves
    to a heap that equals all the others together:

    >>> import retrosolve as rs
    >>> rows = {3: [2, 1, 0], 2: [1, 0], 1: [0], "loop": ["loop", 2, 3]}
    >>> solution = rs.solve(rs.Graph.from_dict(rows), objective="nimber")
    >>> print(rs.sum((solution, "loop"), (solution, 3)))
    WIN: ∞(0,1), by 3 (*3) in summand 0
    >>> rs.sum((solution, "loop"), (solution, 1)).outcome, rs.sum((solution, 3), (solution, 3)).outcome
    (<Value.DRAW: 0>, <Value.LOSS: 2>)
    """
    parts = [_part(place, summand) for place, summand in enumerate(summands)]
    values = [solution[position].value for solution, position in parts]
    total = reduce(add, values, NimValue(0))
    choices: list[tuple[int, int, int, Move]] = []
    for place, (solution, position) in enumerate(parts):
        rest = reduce(add, [*values[:place], *values[place + 1 :]], NimValue(0))
        for move in solution.moves(position):
            after = move.outcome.value + rest
            if total.kind is Value.WIN and after.number == 0:
                numbers, plies = _measure(
                    [*parts[:place], (solution, move.position), *parts[place + 1 :]]
                )
                choices.append((numbers, plies, place, move))
            elif total.kind is Value.DRAW and after.kind is Value.DRAW:
                return Sum(total, Value.DRAW, place, move)
    if not choices:
        return Sum(total, total.kind, None, None)
    *_, place, move = min(choices, key=lambda choice: choice[:2])
    return Sum(total, Value.WIN, place, move)


def _part(place: int, summand: object) -> tuple[Solution, Hashable]:
    """Return a solution and a position of it. Raises GraphError for anything else."""
    solution, position = (
        summand if isinstance(summand, tuple) and len(summand) == 2 else (summand, None)
    )
    if not isinstance(solution, Solution):
        raise GraphError(
            f"summand {place} is {short_repr(summand)}: expected a solution, or one and a position"
        )
    if not isinstance(solution.objective, Nimber):
        raise GraphError(
            f"summand {place} is solved for {solution.objective!r}: expected objective='nimber'"
        )
    if solution is summand:
        position = solution.start
        if position is None:
            raise GraphError(f"summand {place} has no start: expected a pair of it and a position")
    return solution, solution.space.resolved(position)[0]


def _measure(parts: list[tuple[Solution, Hashable]]) -> tuple[int, int]:
    """Return the sum of the nimbers and that of the remotenesses of positions with nimbers."""
    numbers = plies = 0
    for solution, position in parts:
        numbers += solution[position].value.number
        at = np.array(solution.space.summands(position))
        plies += int(np.maximum(solution.table.remoteness(at), 0).sum())
    return numbers, plies

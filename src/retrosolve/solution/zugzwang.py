"""Mutual zugzwangs: positions in which either player, if it is his turn, would rather pass."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import NamedTuple

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.errors import GraphError
from retrosolve.solution.mapping import OutcomeMapping
from retrosolve.spaces.base import StateSpace
from retrosolve.tables import summary
from retrosolve.values import INVALID, Value

NOT_WON = (Value.LOSS, Value.DRAW, Value.TIE)


class Zugzwang(NamedTuple):
    """A mutual zugzwang: one position, with either player to move.

    Parameters
    ----------
    position, passed : hashable
        The same but for who moves; in the first, the player to move loses.
    """

    position: Hashable
    passed: Hashable


def mutual_zugzwangs(solution: OutcomeMapping) -> Iterator[Zugzwang]:
    """Yield the mutual zugzwangs of a solution, each once.

    In a mutual zugzwang each player does worse with the move than without it: both lose if they are to
    move, or one loses who would hold a draw or a tie, and the other then wins only if he need not move.

    Parameters
    ----------
    solution : Solution
        Of a game that defines ``null_move``.

    Yields
    ------
    Zugzwang
        Canonical positions, in the order of the lost one.

    Raises
    ------
    GraphError
        If the rules do not define ``null_move``.

    Notes
    -----
    Asks the rules in plain Python for each lost position, about 20 microseconds each.
    """
    for lost in summary.select(solution.table, Value.LOSS):
        if len(lost):
            yield from zugzwangs_among(solution, lost)


def zugzwangs_among(solution: OutcomeMapping, lost: IntArray) -> Iterator[Zugzwang]:
    """Yield the mutual zugzwangs among some lost positions.

    Parameters
    ----------
    solution : Solution
        Of a game that defines ``null_move``.
    lost : int array
        Indices. Of two that are each other's, the smaller one is yielded.
    """
    space, table = solution.space, solution.table
    passed = np.array([space.positions.null_move(index) for index in lost.tolist()], np.int64)
    values = np.full(len(passed), INVALID, np.uint8)
    values[passed >= 0] = table.values(passed[passed >= 0])
    for index, other, value in zip(lost.tolist(), passed.tolist(), values.tolist(), strict=True):
        # Two lost positions are met twice.
        twice = value == Value.LOSS and other < index
        if value in NOT_WON and not twice:
            yield Zugzwang(space.position(index), space.position(other))


def knows_passing(space: StateSpace) -> bool:
    """Return whether the rules say what a position is with the other player to move."""
    try:
        space.positions.null_move(0)
    except GraphError:
        return False
    return True

"""Mutual zugzwangs: positions in which either player, if it is his turn, would rather pass."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import NamedTuple

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.errors import GraphError
from retrosolve.runtime.context import Progress, ProgressCallback, no_progress
from retrosolve.spaces.base import StateSpace
from retrosolve.tables import Table, summary
from retrosolve.values import INVALID, Value

LOST_AT_ONCE = 1 << 12


class Zugzwang(NamedTuple):
    """A mutual zugzwang: one position, with either player to move.

    Parameters
    ----------
    position, passed : hashable
        The same but for who moves; in the first, the player to move loses.
    """

    position: Hashable
    passed: Hashable


def mutual_zugzwangs(
    space: StateSpace, table: Table, progress: ProgressCallback = no_progress
) -> Iterator[Zugzwang]:
    """Yield the mutual zugzwangs of a solved space; see :meth:`retrosolve.Solution.zugzwangs`."""
    for lost in summary.select(table, table.codec.value(Value.LOSS)):
        for start in range(0, len(lost), LOST_AT_ONCE):
            progress(Progress("looking for zugzwangs", int(lost[start]), table.num_vertices))
            yield from zugzwangs_among(space, table, lost[start : start + LOST_AT_ONCE])


def zugzwangs_among(space: StateSpace, table: Table, lost: IntArray) -> Iterator[Zugzwang]:
    """Yield the mutual zugzwangs among some lost positions.

    Parameters
    ----------
    space : StateSpace
        Of a game that defines ``null_move``.
    table : Table
    lost : int array
        Indices. Of two that are each other's, the smaller one is yielded.
    """
    passed = np.array([space.positions.null_move(index) for index in lost.tolist()], np.int64)
    kinds = np.full(len(passed), INVALID, np.uint8)  # cursed wins are draws
    kinds[passed >= 0] = table.codec.kinds[table.values(passed[passed >= 0])]
    for index, other, kind in zip(lost.tolist(), passed.tolist(), kinds.tolist(), strict=True):
        # Two lost positions are met twice.
        twice = kind == Value.LOSS and other < index
        if kind not in (Value.WIN, INVALID) and not twice:
            yield Zugzwang(space.position(index), space.position(other))


def knows_passing(space: StateSpace) -> bool:
    """Return whether the rules say what a position is with the other player to move."""
    try:
        space.positions.null_move(0)
    except GraphError:
        return False
    return True

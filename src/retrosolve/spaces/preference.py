"""The order of moves by what they achieve, best first.

A WIN as soon as possible, a TIE as soon as possible, a DRAW, a LOSS as late as possible.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.errors import PositionError
from retrosolve.spaces.base import StateSpace
from retrosolve.spaces.blocks import blocks
from retrosolve.tables import Table
from retrosolve.values import INVALID, Move, Outcome, Value

VALUES = tuple(Value)  # by code: a call of Value takes longer than the rest of an outcome

GAP = 1 << 40  # more than any remoteness
KEY_BASE = (2 * GAP, 0, 4 * GAP, GAP)  # DRAW, WIN, LOSS, TIE
KEY_SIGN = (0, 1, -1, 1)
_KEY_BASE, _KEY_SIGN = np.array(KEY_BASE, np.int64), np.array(KEY_SIGN, np.int64)


def move_keys(value_for_mover: ByteArray, remoteness: IntArray) -> IntArray:
    """Return sort keys of moves, the smallest for the best.

    Parameters
    ----------
    value_for_mover : uint8 [moves]
        The value of each target for the player who moves.
    remoteness : int [moves]
        The remoteness of each target.
    """
    return _KEY_BASE[value_for_mover] + _KEY_SIGN[value_for_mover] * remoteness


def best_successors(
    space: StateSpace, table: Table, start: int = 0, stop: int | None = None
) -> NDArray[np.int64]:
    """Return the first of the best successors of the vertices ``start..stop-1``.

    -1 stands for none, where the game is over. By default all vertices.
    """
    stop = space.num_vertices if stop is None else stop
    best = np.full(stop - start, -1, np.int64)
    for block in blocks(space, table, start, stop):
        if len(block.row):
            key = move_keys(block.value_for_mover, table.remoteness(block.target))
            smallest = block.reduce(np.minimum, key, 0)
            at_best = np.flatnonzero(key == smallest[block.row])
            rows, first = np.unique(block.row[at_best], return_index=True)
            best[block.start - start + rows] = block.target[at_best[first]]
    return best


def outcome(table: Table, vertex: int) -> Outcome:
    """Return the outcome of a vertex. Raises PositionError for an INVALID one."""
    value, plies = table.outcome(vertex)
    if value == INVALID:
        raise PositionError(f"index {vertex} stands for no position")
    return Outcome(VALUES[value], None if plies < 0 else plies)


class RankedMove(NamedTuple):
    """A move with its sort key and the value of its target for the player who moves.

    Parameters
    ----------
    key : int
        See :func:`move_keys`.
    value : Value
    move : Move
    vertex : int
        The index of the target.
    """

    key: int
    value: Value
    move: Move
    vertex: int


def ranked_moves(
    space: StateSpace, table: Table, position: Hashable, vertex: int | None = None
) -> list[RankedMove]:
    """Return the moves from a position, best first; equals in the given order.

    Parameters
    ----------
    space : StateSpace
    table : Table
    position : hashable
    vertex : int, optional
        Its index, if that is known.

    Raises
    ------
    PositionError
        If the space does not contain the position.
    """
    if vertex is None:
        vertex = space.index(position)
    if space.terminal(vertex, vertex + 1)[0]:
        return []
    named = space.moves(position)
    targets = space.target_indices([target for _, target in named])
    movers = space.player(targets)
    alike = [False] * len(targets)
    if movers is not None:
        alike = (movers == space.player(np.array([vertex]))).tolist()
    moves, codes = [], table.outcomes(targets)
    for (name, target), index, code, same in zip(named, targets.tolist(), codes, alike, strict=True):
        if code[0] == INVALID:
            raise PositionError(f"index {index} stands for no position")
        key, value, found = _worth(*code, same)
        moves.append(RankedMove(key, value, Move(name, target, found), index))
    return sorted(moves, key=itemgetter(0))


@lru_cache(maxsize=1 << 12)
def _worth(value: int, plies: int, same: bool) -> tuple[int, Value, Outcome]:
    """Return the key and the value of a move, and the outcome of its target.

    ``same`` is whether the player who moves there is the one who moves here.
    """
    found = VALUES[value]
    for_mover = found if same else found.opposite()
    key = KEY_BASE[for_mover] + KEY_SIGN[for_mover] * plies
    return key, for_mover, Outcome(found, None if plies < 0 else plies)

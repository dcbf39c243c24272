"""The order of moves, best first, as the objective has it."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrosolve import objectives
from retrosolve.errors import PositionError
from retrosolve.kernels.words import code_of, pack
from retrosolve.spaces.base import StateSpace
from retrosolve.spaces.blocks import blocks
from retrosolve.tables import Table
from retrosolve.values import INVALID, Move, Outcome, Value

VALUES = tuple(Value)  # by code: a call of Value takes longer than the rest of an outcome

OUTCOME = objectives.Outcome()  # the rule for vertices without moves has no part in the order of moves


def best_successors(
    space: StateSpace, table: Table, start: int = 0, stop: int | None = None
) -> NDArray[np.int64]:
    """Return the first of the best successors of the vertices ``start..stop-1``.

    -1 stands for none, where the game is over. By default all vertices.
    """
    stop = space.num_vertices if stop is None else stop
    best = np.full(stop - start, -1, np.int64)
    for block in blocks(space, start, stop):
        seen = OUTCOME.seen(table.packed(block.target), block.same)
        chosen = OUTCOME.choose(block.indptr, seen)
        rows = np.flatnonzero(chosen >= 0)
        best[block.start - start + rows] = block.target[chosen[rows]]
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
        See :meth:`retrosolve.objectives.ChoiceObjective.keys`.
    value : Value
    move : Move
    vertex : int
        The index of the target.
    place : int
        Among the moves as the rules list them, from 0.
    """

    key: int
    value: Value
    move: Move
    vertex: int
    place: int


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
        position, vertex = space.resolved(position)
    if space.terminal(vertex, vertex + 1)[0]:
        return []
    named = space.moves(position)
    targets = space.target_indices([target for _, target in named])
    movers = space.player(targets)
    alike = [False] * len(targets)
    if movers is not None:
        alike = (movers == space.player(np.array([vertex]))).tolist()
    moves: list[RankedMove] = []
    codes = table.outcomes(targets)
    for (name, target), index, code, same in zip(named, targets.tolist(), codes, alike, strict=True):
        if code[0] == INVALID:
            raise PositionError(f"index {index} stands for no position")
        key, value, found = _worth(*code, same)
        moves.append(RankedMove(key, value, Move(name, target, found), index, len(moves)))
    return sorted(moves, key=itemgetter(0))


@lru_cache(maxsize=1 << 12)
def _worth(value: int, plies: int, same: bool) -> tuple[int, Value, Outcome]:
    """Return the key and the value of a move, and the outcome of its target.

    ``same`` is whether the player who moves there is the one who moves here.
    """
    remoteness = None if plies < 0 else plies
    seen = OUTCOME.seen(pack(code_of(np.array([value])), max(plies, 0)), same)
    key = int(OUTCOME.keys(seen)[0])
    return key, VALUES[code_of(int(seen[0]))], Outcome(VALUES[value], remoteness)

"""The order of moves, best first, as the objective has it."""

from __future__ import annotations

import logging
from bisect import bisect_right
from collections.abc import Hashable, Sequence
from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from retrosolve.errors import PositionError
from retrosolve.objectives.base import EdgeData, Objective
from retrosolve.spaces.base import Capability, StateSpace
from retrosolve.spaces.blocks import blocks
from retrosolve.tables import Table
from retrosolve.values import CHANCE, INVALID, Clocked, Move, Outcome, Value, clock_of

logger = logging.getLogger(__name__)


class Solved(Protocol):
    """A solved game: a space, a table, and the question that it answers."""

    @property
    def space(self) -> StateSpace:
        """The positions and moves."""

    @property
    def table(self) -> Table:
        """The answer for each vertex."""

    @property
    def objective(self) -> Objective:
        """The question."""


def best_successors(solved: Solved, start: int = 0, stop: int | None = None) -> NDArray[np.int64]:
    """Return the first of the best successors of the vertices ``start..stop-1``.

    -1 stands for none, where the game is over or dice are thrown first. By default all vertices.
    """
    space, table, objective = solved.space, solved.table, solved.objective
    stop = table.num_vertices if stop is None else stop
    best = np.full(stop - start, -1, np.int64)
    for block in blocks(space, start, stop):
        chosen = objective.choose(
            block.indptr, objective.seen(table.words_of(objective, block.target), block.edges)
        )
        if Capability.CHANCE in space.capabilities:
            # Nobody chooses a throw, and compiled rules throw first.
            throws_first = Capability.GENERATED in space.capabilities
            movers = space.player(np.arange(block.start, block.stop))
            chosen[slice(None) if throws_first else movers == CHANCE] = -1
        rows = np.flatnonzero(chosen >= 0)
        best[block.start - start + rows] = block.target[chosen[rows]]
    return best


def outcome(table: Table, vertex: int) -> Outcome:
    """Return the outcome of a vertex. Raises PositionError for an INVALID one."""
    if table.outcome(vertex)[0] == INVALID:
        raise PositionError(f"index {vertex} stands for no position")
    return table.decoded(vertex)


@cache
def _note_clock() -> None:
    """Log, once, that clocks do not count."""
    logger.warning("halfmove clocks do not count: the objective conversion:limit=100 counts them")


def outcome_at(solved: Solved, position: Hashable, vertex: int | None = None) -> Outcome:
    """Return the outcome of a position, which may be a sum of vertices. Raises PositionError.

    ``vertex`` is its index, if that is known.
    """
    if not solved.space.has_sums:
        if vertex is None:
            position, vertex = solved.space.resolved(position)
        answer, clock = outcome(solved.table, vertex), clock_of(position)
        if clock and not solved.objective.has_clock:
            _note_clock()
        return solved.objective.on_clock(answer, clock) if clock else answer
    vertices = solved.space.summands(solved.space.resolved(position)[0])
    total = outcome(solved.table, vertices[0])
    for vertex in vertices[1:]:
        total = Outcome(total.value + outcome(solved.table, vertex).value, None)
    return total


class RankedMove(NamedTuple):
    """A move with its sort key and the value of its target for the player who moves.

    Parameters
    ----------
    key : int
        See :meth:`retrosolve.objectives.Objective.keys`.
    value : Value, or another result
    move : Move
    vertex : int
        The index of the target.
    place : int
        Among the moves as the rules list them, from 0.
    plies : int or None
        To the end by this move, which counts; or to what is counted instead, which a move that leaves
        its tier may be. None for a draw.
    throw : int or None
        The number of the throw after which the move is possible, from 0; None without dice. Where
        chance moves, each of its moves is a throw.
    share : float
        How likely that throw is.
    again : bool
        Whether the same player moves next.
    is_choice : bool
        Whether a player chooses the move; False where chance does.
    reward : int
        The points that the move wins for the player who makes it.
    """

    key: int
    value: Any
    move: Move
    vertex: int
    place: int
    plies: int | None = None
    throw: int | None = None
    share: float = 1.0
    again: bool = False
    is_choice: bool = True
    reward: int = 0


def ranked_moves(solved: Solved, position: Hashable, vertex: int | None = None) -> list[RankedMove]:
    """Return the moves from a position, best first; equals in the given order.

    Parameters
    ----------
    solved : Solution
    position : hashable
    vertex : int, optional
        Its index, if that is known.

    Raises
    ------
    PositionError
        If the space does not contain the position.
    """
    space, table, objective = solved.space, solved.table, solved.objective
    if vertex is None:
        position, vertex = space.resolved(position)
    if space.has_sums:
        return _ranked_sums(solved, position)
    if space.terminal(vertex, vertex + 1)[0]:
        return []
    throws = space.throws(position)
    named = space.moves(position)
    reached = [target for _, target in named]
    targets = space.target_indices(reached)
    movers = space.player(targets)
    alike, mover = [False] * len(targets), 0
    dice: list[tuple[int | None, float]] = [(None, 1.0)] * len(targets)
    if throws is not None:
        alike = [again for throw in throws for *_, again in throw.moves]
        total = sum(throw.weight for throw in throws)
        dice = [(k, throw.weight / total) for k, throw in enumerate(throws) for _ in throw.moves]
    if movers is not None:
        mover = int(space.player(np.array([vertex]))[0])  # type: ignore[index]
        alike = ((movers & 1) == (mover & 1)).tolist()  # chance counts as the first player
    if mover == CHANCE:
        weights = space.positions.move_weights(position, reached) or []
        dice = [(k, weight / sum(weights)) for k, weight in enumerate(weights)]
    tiers = space.tiers
    first = tiers[bisect_right(tiers, vertex) - 1] if len(tiers) > 1 else 0
    moves: list[RankedMove] = []
    clock = clock_of(position) if objective.has_clock else 0
    claims = table.outcomes(targets)
    rewards = space.positions.move_rewards(position, reached) or [0] * len(named)
    rows = zip(named, targets.tolist(), claims, alike, rewards, dice, strict=True)
    for (name, target), index, claim, same, reward, (throw, share) in rows:
        if claim[0] == INVALID:
            raise PositionError(f"index {index} stands for no position")
        edge = EdgeData(same, reward, index < first)
        key, worth, found = objective.worth(table, index, claim, edge)
        key = 0 if mover == CHANCE else key  # nobody chooses
        after = clock + 1 if clock and not edge.leaves else 0
        if clock:
            worth = objective.on_clock(worth, clock)
        at = Clocked(target, after) if after else target
        move = Move(name, at, objective.on_clock(found, after))
        moves.append(
            RankedMove(
                key, worth.value, move, index, len(moves), worth.remoteness, throw, share, same,
                mover != CHANCE, reward,
            )
        )  # fmt: skip
    return sorted(moves, key=itemgetter(0))


def best_of(moves: Sequence[RankedMove]) -> list[RankedMove]:
    """Return the best of the moves from a position: those after each throw, none where chance moves.

    Parameters
    ----------
    moves : sequence of RankedMove
        Best first.
    """
    best: dict[int | None, int] = {}
    return [
        move for move in moves if move.is_choice and move.key == best.setdefault(move.throw, move.key)
    ]


def _ranked_sums(solved: Solved, position: Hashable) -> list[RankedMove]:
    """Return the moves from a sum of vertices, best first."""
    moves: list[RankedMove] = []
    for name, target in solved.space.moves(position):
        after = outcome_at(solved, target)
        seen = after.value.kind.opposite()
        moves.append(RankedMove(seen != Value.WIN, seen, Move(name, target, after), -1, len(moves)))
    return sorted(moves, key=itemgetter(0))

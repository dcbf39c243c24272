"""Iterate over the edges of a space in blocks of vertices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.objectives.base import EdgeData, EndData
from retrosolve.spaces.base import StateSpace

VERTICES_PER_BLOCK = 1 << 18


@dataclass
class Block:
    """The vertices ``start..stop-1`` and the edges out of them, except out of terminal vertices.

    Parameters
    ----------
    start, stop : int
    indptr : int [stop - start + 1]
        Where the edges of each vertex begin.
    target : int [edges]
        The target of each edge.
    same : bool [edges] or bool
        Whether the player who moves at the target is the one who moves at the source.
    terminal : uint8 [stop - start]
        The terminal values.
    reward : int [edges] or int
        What each move wins for its player.
    payoff : int [stop - start] or None
        What the player to move wins where the game ends; None where ``terminal`` says it.
    leaves : bool [edges] or bool
        Whether an edge leaves the tier of its source.
    weight : int [edges] or int
        How often chance takes an edge, compared with the others of the vertex.
    """

    start: int
    stop: int
    indptr: IntArray
    target: IntArray
    same: NDArray[np.bool_] | bool
    terminal: ByteArray
    reward: IntArray | int = 0
    payoff: IntArray | None = None
    leaves: NDArray[np.bool_] | bool = False
    weight: IntArray | int = 1

    @property
    def edges(self) -> EdgeData:
        """What an objective asks of the edges."""
        return EdgeData(self.same, self.reward, self.leaves)

    @property
    def ends(self) -> EndData:
        """What an objective asks of the ends of the game."""
        return EndData(self.terminal, self.payoff)

    def rows(self) -> IntArray:
        """Return the source of each edge, minus ``start``, int64 [edges]."""
        return np.repeat(np.arange(self.stop - self.start), np.diff(self.indptr))


def blocks(
    space: StateSpace, start: int = 0, stop: int | None = None, size: int = VERTICES_PER_BLOCK
) -> Iterator[Block]:
    """Yield the vertices ``start..stop-1`` in blocks of ``size``.

    Parameters
    ----------
    space : StateSpace
    start, stop : int, optional
        By default all vertices.
    size : int
        The number of vertices of a block.
    """
    stop = space.num_vertices if stop is None else stop
    for first in range(start, stop, size):
        last = min(first + size, stop)
        indptr, target = space.successors(first, last)
        terminal = space.terminal(first, last)
        reward, weight = space.rewards(first, last), space.weights(first, last)
        if terminal.any():
            degrees = np.diff(indptr)
            live = np.repeat(terminal == 0, degrees)
            target, reward = target[live], None if reward is None else reward[live]
            weight = None if weight is None else weight[live]
            indptr = np.concatenate([[0], np.cumsum(np.where(terminal == 0, degrees, 0))])
        same: NDArray[np.bool_] | bool = False  # chance, 2, counts as the first player
        player, there = space.player(np.arange(first, last)), space.player(target)
        if player is not None and there is not None:
            same = ((np.repeat(player, np.diff(indptr)) ^ there) & 1) == 0
        leaves: NDArray[np.bool_] | bool = False
        if len(space.tiers) > 1:
            tier = np.searchsorted(space.tiers, np.arange(first, last), side="right") - 1
            leaves = target < np.repeat(np.asarray(space.tiers)[tier], np.diff(indptr))
        yield Block(
            first, last, indptr, target, same, terminal, 0 if reward is None else reward,
            space.payoffs(first, last), leaves, 1 if weight is None else weight,
        )  # fmt: skip

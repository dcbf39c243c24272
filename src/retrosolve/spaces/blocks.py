"""Iterate over the edges of a space in blocks of vertices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray, row_bounds, spans
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
    edges : EdgeData
        What an objective asks of the edges.
    ends : EndData
        What an objective asks of the vertices at which the game ends, of all [stop - start].
    weight : int [edges] or int
        How often chance takes an edge, compared with the others of the vertex.
    """

    start: int
    stop: int
    indptr: IntArray
    target: IntArray
    edges: EdgeData
    ends: EndData
    weight: IntArray | int

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
    for first, last in spans(stop, size, start):
        indptr, target = space.successors(first, last)
        terminal = space.terminal(first, last)
        reward, weight = space.rewards(first, last), space.weights(first, last)
        if terminal.any():
            degrees = np.diff(indptr)
            live = np.repeat(terminal == 0, degrees)
            target, reward = target[live], None if reward is None else reward[live]
            weight = None if weight is None else weight[live]
            indptr = row_bounds(np.where(terminal == 0, degrees, 0))
        won = 0 if reward is None else reward
        yield Block(
            first,
            last,
            indptr,
            target,
            edge_data(space, np.arange(first, last), np.diff(indptr), target, won),
            EndData(terminal, space.payoffs(first, last)),
            1 if weight is None else weight,
        )


def edge_data(
    space: StateSpace, vertices: IntArray, degrees: IntArray, target: IntArray, reward: IntArray | int
) -> EdgeData:
    """Return the data of edges that an objective asks for.

    Parameters
    ----------
    space : StateSpace
    vertices, degrees : int [k]
        The sources, and how many edges each has.
    target : int [edges]
        The targets, those of the first source first.
    reward : int [edges] or int
        The rewards.
    """
    same: NDArray[np.bool_] | bool = False
    player, there = space.player(vertices), space.player(target)
    if player is not None and there is not None:
        same = ((np.repeat(player, degrees) ^ there) & 1) == 0  # chance, 2, counts as the first player
    leaves: NDArray[np.bool_] | bool = False
    if len(space.tiers) > 1:
        tier = np.searchsorted(space.tiers, vertices, side="right") - 1
        leaves = target < np.repeat(np.asarray(space.tiers)[tier], degrees)
    return EdgeData(same, reward, leaves)

"""Graphs of the positions of a space, without its INVALID indices."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from retrosolve.spaces.base import StateSpace
from retrosolve.spaces.graph import Graph


def compact(space: StateSpace) -> tuple[Graph, NDArray[np.int64]]:
    """Return a graph of the positions of a space, INVALID indices left out.

    Parameters
    ----------
    space : StateSpace

    Returns
    -------
    graph : Graph
        Every edge stored, without names.
    indices : int64 [graph.num_vertices]
        The index in ``space`` of each vertex.

    Notes
    -----
    The graph of a space without INVALID indices is its materialization, not a copy.
    """
    graph = cast(Graph, space.materialize())  # there is no other space with all edges
    valid = graph.valid()
    if len(valid) == graph.num_vertices:
        return graph, valid
    number = np.zeros(graph.num_vertices, np.int64)
    number[valid] = np.arange(len(valid))
    degrees = graph.out_degrees()
    inside = np.zeros(graph.num_vertices, bool)
    inside[valid] = True
    chosen = np.repeat(inside, degrees)
    indices = number[graph.indices[chosen]]
    indptr = np.concatenate([[0], np.cumsum(degrees[valid])])
    owner = None if graph.owner is None else graph.owner[valid]
    terminals = None if graph.terminals is None else graph.terminals[valid]
    payoff = None if graph.payoff is None else graph.payoff[valid]
    reward = None if graph.reward is None else graph.reward[chosen]
    weight = None if graph.weight is None else graph.weight[chosen]
    return Graph.from_csr(indptr, indices, owner, terminals, None, payoff, reward, weight), valid

"""What a distributed solve takes: memory and traffic of each machine."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from retrosolve.cluster.messages import entry_dtype
from retrosolve.cluster.ranges import owned
from retrosolve.solvers.bitset import workspace
from retrosolve.solvers.distributed_rows import SPARSE
from retrosolve.solvers.result import ClusterPlan
from retrosolve.spaces.base import Capability

VERTEX_BYTES = 3  # a word and a state
FOUND_BYTES = 8  # what a level decides, at most
EDGE_BYTES, SORTED_BYTES = 4, 12  # kept, and more while edges are sorted
WORD_BYTES = 2


def cluster_plan(space: Any, num_edges: int, nodes: int, partitions: int) -> ClusterPlan:
    """Return the memory and the traffic of each machine.

    Parameters
    ----------
    space : StateSpace
    num_edges : int
    nodes, partitions : int

    Notes
    -----
    A machine holds the state and the edges of its vertices of one tier, and the words of the tiers that
    moves of that tier lead to. It receives the name of each vertex that others decide, at most once,
    and the words of tiers that others have finished.

    For a game of two tokens it holds rows of bits, and receives at most two bits for each position in
    which the second player is to move.
    """
    if Capability.BIT_ROWS in space.capabilities:
        return _rows_plan(space, nodes, partitions)
    n = space.num_vertices
    bounds = list(pairwise([*space.tiers, n]))
    sizes = [above - below for below, above in bounds]
    most = 0
    for tier, size in enumerate(sizes):
        here = num_edges * size // max(n, 1)
        own = -(-size * (VERTEX_BYTES + FOUND_BYTES) // nodes) + tier_edges(
            size, here, nodes, partitions
        )
        held = sum(sizes[t] for t in space.tier_targets(tier)) if len(sizes) > 1 else 0
        messages = 2 * -(-size // 8)  # of one level, that it publishes and that it reads
        most = max(most, own + WORD_BYTES * held + messages)
    name = entry_dtype(-(-max(sizes, default=0) // partitions))(0).itemsize
    shared = WORD_BYTES if len(sizes) > 1 else 0
    traffic = n * (name + shared) * (nodes - 1) // nodes
    return ClusterPlan(nodes, partitions, most, traffic)


def tier_edges(size: int, num_edges: int, nodes: int, partitions: int) -> int:
    """Return the bytes of the edges of a tier on one machine, while they are sorted."""
    own = num_edges // partitions
    rows = 4 * size if size <= SPARSE * own else 8 * own
    each = (EDGE_BYTES + SORTED_BYTES) * own + rows
    return each * -(-partitions // nodes)


def _rows_plan(space: Any, nodes: int, partitions: int) -> ClusterPlan:
    """Return the memory and the traffic of each machine for a game of two tokens."""
    k, m = space.first.num_vertices, space.second.num_vertices
    indptr, indices = space.first.indptr, space.first.indices
    most = 0
    for start, stop in owned(0, k, partitions):
        read = np.union1d(indices[indptr[start] : indptr[stop]], np.arange(start, stop))
        most = max(most, len(read))
    each = workspace(space, 0) * most // max(k, 1)
    traffic = 2 * k * m // 8 * (nodes - 1) // nodes
    return ClusterPlan(nodes, partitions, each * -(-partitions // nodes), traffic)

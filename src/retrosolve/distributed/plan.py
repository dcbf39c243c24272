"""What a distributed solve takes: memory and traffic of each machine, and memory of the driver."""

from __future__ import annotations

import numpy as np

from retrosolve.runtime.workspace import Buffers
from retrosolve.spaces.base import StateSpace
from retrosolve.tables.result import ClusterPlan

VERTEX_BYTES = 3  # a word and a state
FOUND_BYTES = 8  # what a level decides, at most
EDGE_BYTES, SORTED_BYTES = 4, 12  # kept, and more while edges are sorted
WORD_BYTES = 2
SPARSE = 4  # vertices for each edge from which rows of all targets take more than buckets


def buffers(space: StateSpace, num_edges: int) -> Buffers:
    """Declare what the driver has in memory: the packed words of the solution."""
    return Buffers(words=(space.num_vertices, np.uint16))


def disk_workspace(space: StateSpace) -> int:
    """Return the bytes that the driver takes if partitions write the solution."""
    return 0


def cluster_plan(space: StateSpace, num_edges: int, nodes: int, partitions: int) -> ClusterPlan:
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
    """
    n, sizes = space.num_vertices, space.tier_sizes
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


def entry_dtype(size: int) -> type[np.unsignedinteger]:
    """Return the type of the entries of a partition with so many vertices."""
    return np.uint32 if 2 * size < 1 << 32 else np.uint64


def message_bytes(size: int, sides: tuple[int, int]) -> int:
    """Return the bytes of a message: the model that runs are compared with.

    Parameters
    ----------
    size : int
        The vertices of the partition.
    sides : tuple of two int
        How many entries of each side there are.

    Examples
    --------
    >>> message_bytes(800, (5, 0)), message_bytes(800, (700, 0)), message_bytes(800, (700, 30))
    (20, 100, 200)
    """
    as_bits = (size + 7) // 8 * sum(number > 0 for number in sides)
    return min(sum(sides) * np.dtype(entry_dtype(size)).itemsize, as_bits)

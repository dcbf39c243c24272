"""Retrograde analysis of edges on disk: what is kept for each vertex is in memory, the edges are not.

The edges are read once and dealt by target (``solvers.external_blocks``). From then on it is the
propagation of ``csr.propagation``: a decided vertex notifies its predecessors, whose open moves are
counted down, level by level. A wide level reads the blocks that it has vertices in one after the other;
a narrow one only the rows of its vertices. Once the rest fits in memory and levels are narrow, it is
run there to its end, so that a long thin tail costs nothing on disk.

Each edge is used once, when its target is decided. Blocks are written anew as they shrink, so what a
pass reads is at most a constant factor more than what it uses.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from retrosolve.arrays import index_dtype
from retrosolve.csr.propagation import queue_shape
from retrosolve.runtime import memory, tuning
from retrosolve.runtime.context import Context
from retrosolve.runtime.spill import Spill
from retrosolve.runtime.threads import ThreadPool
from retrosolve.solvers.external_blocks import BLOCK_BYTES, INPUT_BYTES
from retrosolve.solvers.external_levels import Behind, ExternalPropagation, Sizes
from retrosolve.tables import ArrayTable
from retrosolve.tables.result import DiskPlan, DiskUse, SolveResult, Statistics
from retrosolve.values import Value

SHARE_USED = 3 / 4  # of the free memory, without a budget
SHARE_SPARE = 4 / 5  # of what is left of a budget: the rest is for readers, and holes between arrays


def vertex_bytes(num_vertices: int) -> int:
    """Return the most bytes for each vertex: state, value, remoteness and the frontier."""
    entry, index = queue_shape(num_vertices)[1](0).itemsize, index_dtype(num_vertices)(0).itemsize
    return 1 + index + 4 + 3 * entry


def workspace(num_vertices: int, num_edges: int) -> int:
    """Return the bytes that a solve takes at least, the result included."""
    tuned = tuning.current()
    least = min(tuned.min_edges_per_chunk, num_edges)
    bins = tuned.edges_per_round * queue_shape(num_vertices)[1](0).itemsize
    return vertex_bytes(num_vertices) * num_vertices + INPUT_BYTES * least + min(bins, 64 * num_edges)


def disk_bytes(num_vertices: int, num_edges: int) -> int:
    """Return the most bytes on disk at a time: all edges dealt, and all of them as rows."""
    vertex = index_dtype(num_vertices)(0).itemsize
    return num_edges * (2 * vertex + 2) + 4 * num_vertices


def disk_plan(space: Any, num_edges: int, budget: int | None) -> DiskPlan:
    """Estimate what a solve reads and writes at least, with a budget in bytes."""
    n = space.num_vertices
    sizes = sizes_within(budget or default_budget(), n, num_edges)
    spilled = max(0, disk_bytes(n, num_edges) - sizes.resident)
    passes = 1.0 if spilled == 0 else 3.0
    return DiskPlan(vertex_bytes(n), passes, space.num_bytes + spilled, spilled)


def default_budget() -> int:
    """Return the bytes that a solve without a budget may use."""
    return int(SHARE_USED * memory.available())


def sizes_within(budget: int, num_vertices: int, num_edges: int) -> Sizes:
    """Return how a budget in bytes is used."""
    tuned = tuning.current()
    spare = int(SHARE_SPARE * max(0, budget - workspace(num_vertices, num_edges)))
    chunk = min(tuned.max_edges_per_chunk, spare // (4 * INPUT_BYTES))
    chunk = max(1, min(max(chunk, tuned.min_edges_per_chunk), num_edges))
    least = min(tuned.min_edges_per_chunk, num_edges)
    resident = max(0, spare - INPUT_BYTES * (chunk - least))
    return Sizes(chunk, max(1, chunk * INPUT_BYTES // BLOCK_BYTES), resident)


def solve(space: Any, stuck: Value, context: Context) -> SolveResult:
    """Solve a graph whose edges are on disk.

    Parameters
    ----------
    space : StateSpace
        With the capability EDGE_BLOCKS.
    stuck : Value
        The value of a vertex without edges, for the player to move.
    context : Context

    Returns
    -------
    SolveResult
        With a table of arrays.

    Raises
    ------
    FormatError
        For a damaged file of edges.
    StoreError
        If the disk is too small, or becomes full.
    """
    n, m = space.num_vertices, space.num_edges
    budget = context.memory_left or default_budget()
    sizes = sizes_within(budget, n, m)
    needed = max(0, disk_bytes(n, m) - sizes.resident)
    with (
        Spill(sizes.resident, space.scratch, needed) as spill,
        ThreadPool(context.threads, n + m) as pool,
        ThreadPoolExecutor(1) as writer,
    ):
        spill.file.check_disk()
        solving = ExternalPropagation(space, stuck, context, sizes, spill, pool, Behind(writer))
        solving.run()
        use = DiskUse(solving.passes(), space.num_bytes + spill.bytes_read, spill.bytes_written)
    table = ArrayTable(solving.value, solving.remoteness)
    del solving
    memory.give_back()  # else the next one adds what it takes to what this one has freed
    return SolveResult(table, Statistics(m, use))

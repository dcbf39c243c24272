"""Retrograde analysis of a stored graph: linear in the edges, exact remoteness.

Large graphs are first swept: every undecided vertex looks at its successors, one level a sweep, by
all threads, on sets that stay in the cache and with nothing reversed. Once the sweeps have cost about
what reversing would cost, the edges between undecided vertices are reversed, and each decided vertex
tells its predecessors, which counts down their open moves (``kernels.levels``). As with renting and
buying skis, this never costs more than about twice the better of the two ways. A graph of draws, or
one that is decided in few levels, is never reversed at all.

Small graphs, and graphs of neighbours (see ``rows.prefers_edge_list``), go another way
(``solvers.direct``): the cache holds what they touch. The smallest do without a compiler.

Sources: the method goes back to Zermelo (1913) and, with counters, to Dowling and Gallier's
linear-time Horn satisfiability (1984) and Thompson's chess endings (1986).
"""

from __future__ import annotations

import numpy as np

from retrosolve.arrays import PLACEHOLDER, ByteArray, IntArray, index_dtype
from retrosolve.compilation import jit
from retrosolve.csr.build import RadixLayout, transpose
from retrosolve.kernels import frontier, worklist
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Context
from retrosolve.runtime.progress import Progress, ProgressCallback, no_progress
from retrosolve.runtime.threads import ThreadPool
from retrosolve.solvers import serial
from retrosolve.solvers.frontier import Propagation, queue_shape, state_dtype
from retrosolve.solvers.initial import initialise
from retrosolve.solvers.result import SolveResult, Statistics
from retrosolve.solvers.sweep import SweepState
from retrosolve.solvers.worklist import Advance, initial_frontiers, propagate
from retrosolve.spaces.base import Capability, CsrSpace
from retrosolve.tables import ArrayTable
from retrosolve.values import Value

DIRECT_VERTEX, DIRECT_EDGE, LARGE_VERTEX, LARGE_EDGE = 30, 6, 120, 3  # for estimates


def workspace(vertices: int, edges: int) -> int:
    """Give the most bytes that a solve takes beyond the graph, the result included.

    All edges reversed, and what sorting them takes; counters, queues, bits; bins to share levels.
    """
    vertex, edge = index_dtype(vertices)(0).itemsize, index_dtype(edges)(0).itemsize
    tuned = tuning.current()
    bins = vertex * tuned.edges_per_round if vertices + edges > tuned.max_serial_csr_work else 0
    low = RadixLayout.of(vertices).low_bytes
    return vertices * (3 + 3 * vertex + 2 * edge) + edges * (vertex + low) + bins


def seconds(graph: CsrSpace, edges: int, threads: int) -> float:
    """Estimate the time of ``solve``, where about all is decided; with hardly anything, it is less."""
    if Capability.CSR in graph.capabilities and _goes_directly(graph.materialize()):
        return (DIRECT_VERTEX * graph.num_vertices + DIRECT_EDGE * edges) / 1e9
    return (LARGE_VERTEX * graph.num_vertices + LARGE_EDGE * edges) / threads / 1e9


def _goes_directly(graph: CsrSpace) -> bool:
    small = graph.num_vertices + graph.num_edges <= tuning.current().max_serial_csr_work
    return graph.edge_list is not None or small


def sweep_workspace(vertices: int, edges: int) -> int:
    """Give the most bytes that a solve by sweeps alone takes: the result, and bits."""
    return vertices * (2 + index_dtype(vertices)(0).itemsize)


def solve(graph: CsrSpace, stuck: Value, context: Context) -> SolveResult:
    """Solve a graph with stored edges in O(n + m) time."""
    work = graph.num_vertices + graph.num_edges
    if not jit.pays(work):
        return _result(solve_small(graph, stuck, context.progress), graph)
    if _goes_directly(graph):
        return _result(serial.solve(graph, stuck, context.progress), graph)
    with ThreadPool(context.threads, work) as pool:
        return _result(_swept(graph, stuck, context.progress, pool, may_push=True), graph)


def solve_by_sweeps(graph: CsrSpace, stuck: Value, context: Context) -> SolveResult:
    """Solve a graph by sweeps alone, in O((n + m) * levels) time and the least memory."""
    with ThreadPool(context.threads, graph.num_vertices + graph.num_edges) as pool:
        return _result(_swept(graph, stuck, context.progress, pool, may_push=False), graph)


def _result(answers: tuple[ByteArray, IntArray], graph: CsrSpace) -> SolveResult:
    """Return value and remoteness as a table."""
    return SolveResult(ArrayTable(*answers), Statistics(graph.num_edges))


def solve_small(
    graph: CsrSpace, stuck: Value, report: ProgressCallback = no_progress
) -> tuple[ByteArray, IntArray]:
    """Reverse every edge and push, all of it in numpy and plain Python where it is small."""
    value, remoteness = initialise(graph, stuck)
    rindptr, rindices = small_reversed_rows(graph, value)
    remaining = np.where(value == Value.DRAW, graph.out_degrees(), 0)
    advance = pushing(graph, rindptr, rindices, value, remoteness, remaining)
    propagate(advance, initial_frontiers(value), np.empty_like(remoteness), report)
    return value, remoteness


def small_reversed_rows(graph: CsrSpace, value: ByteArray) -> tuple[IntArray, IntArray]:
    """Give the reversed rows of a small graph, without edges out of vertices already decided."""
    source = np.repeat(np.arange(graph.num_vertices, dtype=graph.indices.dtype), graph.out_degrees())
    live = value[source] == Value.DRAW
    source, target = source[live], graph.indices[live]
    rindptr = np.zeros(graph.num_vertices + 1, graph.indptr.dtype)
    np.cumsum(np.bincount(target, minlength=graph.num_vertices), out=rindptr[1:])
    return rindptr, source[np.argsort(target, kind="stable")]


def pushing(
    graph: CsrSpace,
    rindptr: IntArray,
    rindices: IntArray,
    value: ByteArray,
    remoteness: IntArray,
    remaining: IntArray,
) -> Advance:
    """Give the step that pushes along reversed rows, on arrays that it changes."""
    owned = graph.owner is not None
    owner = graph.owner if graph.owner is not None else PLACEHOLDER
    work, budget = graph.num_vertices + graph.num_edges, tuning.current().edges_per_report

    def advance(queue: IntArray, head: int, tail: int) -> tuple[int, int]:
        place: tuple[int, int] = jit.run(
            worklist.propagate, work, rindptr, rindices, owner, owned, value, remoteness, remaining,
            queue, head, tail, budget,
        )  # fmt: skip
        return place

    return advance


def _swept(
    graph: CsrSpace, stuck: Value, report: ProgressCallback, pool: ThreadPool, may_push: bool
) -> tuple[ByteArray, IntArray]:
    """Sweep until nothing is left, or until pushing is the better way."""
    tuned = tuning.current()
    state = SweepState(graph, stuck, pool)
    for ties in (False, True):
        if ties:
            state.start_ties()
        spent = 0.0
        found = -1
        while found and not (may_push and spent > _cost_of_reversing(graph, state)):
            before = state.undecided
            edges, found = state.sweep_ties() if ties else state.sweep()
            spent += tuned.sweep_slot_cost * graph.num_vertices
            spent += tuned.sweep_vertex_cost * before + tuned.sweep_edge_cost * edges
            report(Progress("solving", graph.num_vertices - state.undecided, graph.num_vertices))
        if found:
            return _pushed(graph, state, report, pool, ties)
        if not state.tied.any():
            break
    return state.values(), state.remoteness


def _cost_of_reversing(graph: CsrSpace, state: SweepState) -> float:
    """Say what it would cost at most to reverse the edges of what is undecided."""
    edges = state.undecided * graph.num_edges / max(graph.num_vertices, 1)
    return tuning.current().reverse_edge_cost * edges


def _pushed(
    graph: CsrSpace, state: SweepState, report: ProgressCallback, pool: ThreadPool, ties: bool
) -> tuple[ByteArray, IntArray]:
    """Reverse what is left and finish by pushing, from what the last sweep decided."""
    zero, one = state.halves(state.sides)
    fresh_zero, fresh_one = state.halves(state.fresh)
    dropped = zero | one
    if ties:
        dropped |= state.tied
    dropped &= ~(fresh_zero | fresh_one)
    rest: IntArray = np.empty(graph.num_vertices, state_dtype(state.largest_degree, graph.num_edges))
    rindptr, rindices = transpose(graph.indptr, graph.indices, state.decided, dropped, rest, pool)
    if state.owned:
        rest |= state.owner == 0
    queue = np.empty(*queue_shape(graph.num_vertices))
    seed = jit.compiled(frontier.seed)
    value = state.values()
    propagation = Propagation(
        rindptr, rindices, state.owned, rest, value, state.remoteness, queue, pool, report,
        tuning.current().max_serial_width,
    )  # fmt: skip
    propagation.run(int(seed(state.fresh, queue)), ties, state.level)
    if not ties:
        tied = np.concatenate([state.tied, np.zeros_like(state.tied)])
        propagation.run(int(seed(tied, queue)), ties=True, level=0)
    return value, state.remoteness

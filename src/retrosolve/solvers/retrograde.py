"""Retrograde analysis of a graph with stored edges, linear in the edges, with exact remoteness.

``solvers.worklist`` is the algorithm as textbooks have it; this file computes the same faster. Large
graphs are swept first: all threads examine the successors of every undecided vertex, one level a
sweep, on sets of vertices that stay in the cache. Once the sweeps have cost about as much as
transposing would, the edges between undecided vertices are transposed, and each decided vertex notifies
its predecessors, which count down their open moves (``csr.propagation``). As in the ski rental
problem, this costs at most about twice as much as the better of the two methods. A graph of draws, or
one that is decided in few levels, is never transposed.

Small graphs, and graphs whose edges lead to close numbers (see ``csr.build.prefers_edge_list``), are
solved by one thread (``solvers.serial``), and the smallest by ``solvers.worklist`` without a compiler.
"""

from __future__ import annotations

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.compilation import jit
from retrosolve.csr import propagation
from retrosolve.csr.build import transpose
from retrosolve.csr.propagation import PROPAGATION, Propagation, seed
from retrosolve.kernels.open_moves import state_dtype
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Context
from retrosolve.runtime.progress import Progress
from retrosolve.runtime.threads import ThreadPool
from retrosolve.runtime.workspace import Buffers
from retrosolve.solvers import serial, sweep, worklist
from retrosolve.solvers.sweep import SWEEP, SweepState
from retrosolve.spaces.base import Capability, CsrSpace, StateSpace
from retrosolve.tables import ArrayTable
from retrosolve.tables.result import SolveResult, Statistics
from retrosolve.values import Value

# Nanoseconds of one core, for estimates.
SERIAL_VERTEX, SERIAL_EDGE, LARGE_VERTEX, LARGE_EDGE = 30, 6, 120, 3


def buffers(space: StateSpace, num_edges: int) -> Buffers:
    """Declare the arrays of a solve beyond the graph, the result included."""
    if _is_serial(space, num_edges):
        return serial.buffers(space, num_edges)
    return sweep.buffers(space, num_edges) | propagation.buffers(space.num_vertices, num_edges)


def seconds(space: StateSpace, num_edges: int, threads: int) -> float:
    """Estimate the time of ``solve`` if most vertices are decided; with few, it takes less."""
    if _is_serial(space, num_edges):
        return (SERIAL_VERTEX * space.num_vertices + SERIAL_EDGE * num_edges) / 1e9
    return (LARGE_VERTEX * space.num_vertices + LARGE_EDGE * num_edges) / threads / 1e9


def _is_serial(space: StateSpace, num_edges: int) -> bool:
    """Return whether one thread solves a space best."""
    if space.num_vertices + num_edges <= tuning.current().max_serial_csr_work:
        return True
    return Capability.CSR in space.capabilities and space.materialize().prefers_edge_list


def solve(graph: CsrSpace, stuck: Value, context: Context) -> SolveResult:
    """Solve a graph with stored edges in O(n + m) time.

    Parameters
    ----------
    graph : CsrSpace
    stuck : Value
        The value of a vertex without edges, for the player to move.
    context : Context

    Returns
    -------
    SolveResult
        With a table of arrays.
    """
    work = graph.num_vertices + graph.num_edges
    if not jit.pays(work):
        return worklist.solve(graph, stuck, context)
    if _is_serial(graph, graph.num_edges):
        arrays = serial.solve(graph, stuck, context)
    else:
        arrays = _sweep_then_propagate(graph, stuck, context, may_transpose=True)
    return SolveResult(ArrayTable(*arrays), Statistics(graph.num_edges))


def solve_by_sweeps(graph: CsrSpace, stuck: Value, context: Context) -> SolveResult:
    """Solve a graph by sweeps only, in O((n + m) * levels) time and the least memory.

    Parameters
    ----------
    graph : CsrSpace
    stuck : Value
        The value of a vertex without edges, for the player to move.
    context : Context

    Returns
    -------
    SolveResult
        With a table of arrays.
    """
    arrays = _sweep_then_propagate(graph, stuck, context, may_transpose=False)
    return SolveResult(ArrayTable(*arrays), Statistics(graph.num_edges))


def _sweep_then_propagate(
    graph: CsrSpace, stuck: Value, context: Context, may_transpose: bool
) -> tuple[ByteArray, IntArray]:
    """Sweep until nothing is left or, if allowed, until transposing is cheaper."""
    with ThreadPool(context.threads, graph.num_vertices + graph.num_edges) as pool:
        tuned = tuning.current()
        state = SweepState(graph, stuck, pool)
        snapshot = context.checkpoint.resumed(PROPAGATION)
        if snapshot is not None:
            sets = snapshot.array("decided"), snapshot.array("dropped")
            propagation = _propagation(graph, state, context, pool, *sets)
            return _propagate_ties(propagation, state, propagation.resume(snapshot))
        snapshot = context.checkpoint.resumed(SWEEP)
        first, spent = (False, 0.0) if snapshot is None else state.restore(snapshot)
        for ties in (False, True)[first:]:
            if ties and snapshot is None:
                state.start_ties()
            snapshot = None
            decided = -1
            while decided and not (may_transpose and spent > _transpose_cost(graph, state)):
                before = state.undecided
                edges, decided = state.sweep(ties)
                spent += tuned.sweep_slot_cost * graph.num_vertices
                spent += tuned.sweep_vertex_cost * before + tuned.sweep_edge_cost * edges
                if context.checkpoint.due():
                    context.checkpoint.save(*state.snapshot(ties, spent))
                done = graph.num_vertices - state.undecided
                context.progress(Progress("solving", done, graph.num_vertices))
            if decided:
                return _propagate_rest(graph, state, context, pool, ties)
            spent = 0.0
            if not state.tied.any():
                break
        return state.values(), state.remoteness


def _transpose_cost(graph: CsrSpace, state: SweepState) -> float:
    """Return the maximum cost of transposing the edges between undecided vertices."""
    edges = state.undecided * graph.num_edges / max(graph.num_vertices, 1)
    return tuning.current().reverse_edge_cost * edges


def _propagate_rest(
    graph: CsrSpace, state: SweepState, context: Context, pool: ThreadPool, ties: bool
) -> tuple[ByteArray, IntArray]:
    """Transpose what is undecided and propagate from what the last sweep has decided."""
    zero, one = state.halves(state.sides)
    fresh_zero, fresh_one = state.halves(state.fresh)
    dropped = zero | one
    if ties:
        dropped |= state.tied
    dropped &= ~(fresh_zero | fresh_one)
    propagation = _propagation(graph, state, context, pool, state.decided, dropped)
    decided = jit.compiled(seed)(state.fresh, propagation.queue)
    propagation.run(int(decided), ties, state.level)
    return _propagate_ties(propagation, state, ties)


def _propagation(
    graph: CsrSpace, state: SweepState, context: Context, pool: ThreadPool,
    decided: ByteArray, dropped: ByteArray,
) -> Propagation:  # fmt: skip
    """Return a propagation along transposed edges, those between sets of vertices left out."""
    arrays = propagation.buffers(graph.num_vertices, graph.num_edges)
    rest = arrays.empty("state", state_dtype(state.largest_degree, graph.num_edges))
    rindptr, rindices = transpose(graph.indptr, graph.indices, decided, dropped, rest, pool)
    if state.owned:
        rest |= state.owner == 0
    return Propagation(
        rindptr, rindices, state.owned, rest, state.values(), state.remoteness,
        arrays.empty("queue"), pool, context.progress,
        tuning.current().max_serial_width, context.checkpoint,
        {"decided": decided, "dropped": dropped},
    )  # fmt: skip


def _propagate_ties(
    propagation: Propagation, state: SweepState, finished: bool
) -> tuple[ByteArray, IntArray]:
    """Propagate ties unless that is ``finished``; return values and remotenesses."""
    if not finished:
        state.start_ties()
        propagation.run(int(jit.compiled(seed)(state.fresh, propagation.queue)), ties=True, level=0)
    return propagation.value, state.remoteness

"""Games of chance: bounds from both sides, one strongly connected component after the other.

The rule of one move, where ``seen`` is a value as the player at v sees it:

    T(x)[v] = max(seen(x[w]) for each successor w)        where a player moves
    T(x)[v] = sum(weight * seen(x[w])) / sum(weight)      where chance does

Bounds begin at the worst and at the best of all payoffs, and T is applied in place, forward and
backward in turn: the lower bounds rise to the least solution of x = T(x), the upper ones fall to the
greatest. Both are proven at every moment, so the solver may stop at any. Positions that lead to each
other are visited until their bounds are close; those of no cycle once, after those that they lead to.

The mean of a throw is lowered (raised) by a bound of the error of its float64 arithmetic, of which half
would do: the proof adds in another order. No mean is below the least of its terms, so that a sure win
stays exactly that.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import PLACEHOLDER, IntArray, index_dtype
from retrosolve.compilation import jit
from retrosolve.objectives import Chance
from retrosolve.objectives.chance import end_payoffs
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Context
from retrosolve.runtime.progress import Progress
from retrosolve.runtime.workspace import Buffers
from retrosolve.spaces.base import CsrSpace, StateSpace
from retrosolve.tables.intervals import IntervalTable
from retrosolve.tables.result import SolveResult, Statistics
from retrosolve.values import CHANCE, INVALID

ERROR = 2.0**-51  # times terms + 4: twice the error of a mean of payoffs of at most 1 and of its check
STALLED = 2.0**-52  # a sweep that moves no bound by more, as a share of the largest payoff, is the last
SHARE = 2.0**-10  # of the tolerance that a component may add to that of those it leads to


def buffers(space: StateSpace, num_edges: int) -> Buffers:
    """Declare the arrays of a solve beyond the graph, the result included."""
    n, vertex = space.num_vertices, index_dtype(space.num_vertices)
    return Buffers(bounds=((2, n), np.int64), ended=((2, n), np.uint8), components=((6, n), vertex))


def solve(graph: CsrSpace, objective: Chance, context: Context) -> SolveResult:
    """Solve a graph with stored edges, on one thread.

    Parameters
    ----------
    graph : CsrSpace
    objective : Chance
    context : Context

    Returns
    -------
    SolveResult
        With a table of intervals.

    Examples
    --------
    Who is at a may throw a coin for the win, or let the other one do so; nobody need ever throw:

    >>> import retrosolve as rs
    >>> edges = [("a", "b"), ("b", "a"), ("a", "coin"), ("coin", "won"), ("coin", "lost")]
    >>> owner = {"a": 0, "b": 1, "coin": rs.CHANCE, "won": 0, "lost": 0}
    >>> graph = rs.Graph.from_edges(edges, owner=owner, terminal={"won": "win", "lost": "loss"})
    >>> solution = rs.solve(graph)
    >>> print(solution["coin"], solution["a"], sep=", ")
    50 %, 50 to 100 %
    """
    n = graph.num_vertices
    terminal = graph.terminal(0, n)
    ended = (terminal != 0) | (graph.out_degrees() == 0)
    payoffs = graph.payoffs(0, n)
    ends = np.where(ended & (terminal != INVALID), end_payoffs(terminal, payoffs, objective.stuck), 0.0)
    most = float(np.abs(ends).max(initial=0.0)) if payoffs is not None else 1.0
    low, high = np.where(ended, ends, -most), np.where(ended, ends, most)
    low[terminal == INVALID] = high[terminal == INVALID] = np.nan
    owned, weighted = graph.owner is not None, graph.weight is not None
    owner = graph.owner if graph.owner is not None else PLACEHOLDER
    weight = graph.weight if graph.weight is not None else PLACEHOLDER
    order, bounds, number = graph.components
    unit = objective.tolerance * (1.0 if payoffs is not None else 2.0)
    first, last, budget = 0, len(bounds) - 1, tuning.current().edges_per_report
    while first < last:
        first = jit.run(
            narrow_components, n + graph.num_edges, graph.indptr, graph.indices, weight, weighted,
            owner, owned, ended, order, bounds, number, low, high, most, unit, first, last, budget,
        )  # fmt: skip
        context.progress(Progress("solving", int(bounds[first]), n))
    table = IntervalTable(low, high, payoffs is not None)
    return SolveResult(table, Statistics(graph.num_edges))


# -- kernels -----------------------------------------------------------------------------------------


def narrow_components(
    indptr: IntArray, indices: IntArray, weight: IntArray, weighted: bool, owner: IntArray, owned: bool,
    ended: NDArray[np.bool_], order: IntArray, bounds: IntArray, number: IntArray,
    low: NDArray[np.float64], high: NDArray[np.float64], most: float, tolerance: float, first: int,
    last: int, budget: int,
) -> int:  # fmt: skip
    """Narrow the bounds of components until ``budget`` edges and vertices have been visited.

    Parameters
    ----------
    indptr, indices : int32 or int64 [n + 1], [m]
        Rows of the successors.
    weight : int32 [m]
        Read only if ``weighted``.
    weighted : bool
    owner : uint8 [n]
        Read only if ``owned``; if not, players alternate.
    owned : bool
    ended : bool [n]
        Whether the game is over.
    order, bounds, number : int32 or int64 [n], [components + 1], [n]
        See ``csr.components``.
    low, high : float64 [n]
        The bounds, changed in place.
    most : float
        The largest payoff.
    tolerance : float
        How far apart the bounds of a vertex may be.
    first, last : int
        The components ``first..last-1`` are still to be solved.
    budget : int

    Returns
    -------
    int
        The component to go on with, of which some sweeps may have been made.
    """
    while first < last and budget > 0:
        begin, end = bounds[first], bounds[first + 1]
        inside, outside = 0, 0.0  # edges that stay; how wide those are that others lead to
        for place in range(begin, end):
            v = order[place]
            if ended[v]:
                continue
            for e in range(indptr[v], indptr[v + 1]):
                w = indices[e]
                if number[w] == number[v]:
                    inside += 1
                elif high[w] - low[w] <= tolerance:
                    outside = max(outside, high[w] - low[w])
            budget -= indptr[v + 1] - indptr[v] + 1
        # A component reaches no more than those that it leads to; wider ones may not matter to it.
        enough = outside + SHARE * tolerance
        backward, done = False, False
        while not done and budget > 0:
            widest, change = 0.0, 0.0
            for step in range(end - begin):
                v = order[end - 1 - step] if backward else order[begin + step]
                if ended[v]:
                    continue
                degree = indptr[v + 1] - indptr[v]
                budget -= degree + 1
                # The rule of one move, for both bounds: the best successor, or the mean of them.
                least, greatest = np.inf, -np.inf
                best_low, best_high = -np.inf, -np.inf
                sum_low, sum_high, total = 0.0, 0.0, 0.0
                for e in range(indptr[v], indptr[v + 1]):
                    w = indices[e]
                    if owned and (owner[v] ^ owner[w]) & 1 == 0:  # chance counts as the first player
                        below, above = low[w], high[w]
                    else:
                        below, above = -high[w], -low[w]
                    share = np.float64(weight[e]) if weighted else 1.0
                    sum_low += share * below
                    sum_high += share * above
                    total += share
                    least, greatest = min(least, below), max(greatest, above)
                    best_low, best_high = max(best_low, below), max(best_high, above)
                if owned and owner[v] == CHANCE:
                    error = ERROR * most * (degree + 4)
                    best_low = max(sum_low / total - error, least)
                    best_high = min(sum_high / total + error, greatest)
                change = max(change, best_low - low[v], high[v] - best_high)
                low[v], high[v] = max(low[v], best_low), min(high[v], best_high)
                widest = max(widest, high[v] - low[v])
            backward = not backward
            done = inside == 0 or widest <= enough or change <= STALLED * most
        if done:
            first += 1
    return first

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

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import PLACEHOLDER, IntArray, index_dtype
from retrosolve.compilation import jit
from retrosolve.compilation.atomic import no_refcount
from retrosolve.objectives import Chance
from retrosolve.objectives.chance import end_payoffs
from retrosolve.objectives.words import INVALID_CODE, code_of
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Context
from retrosolve.runtime.progress import Progress
from retrosolve.runtime.threads import ThreadPool
from retrosolve.runtime.workspace import Buffers
from retrosolve.spaces.base import CsrSpace, RulesSpace, StateSpace
from retrosolve.spaces.checked import (
    BAD_TERMINAL,
    CANARY,
    CHANGED,
    COUNT,
    INDEX,
    MAX_OUTCOMES,
    MAX_WEIGHT,
    OUTCOME_COUNT,
    OVERRUN,
    TARGET,
    WEIGHT,
    ZERO,
    check_guard,
    index_of,
    moves_after,
    outcomes,
    payoff,
    position_limit,
    position_of,
    report_fault,
    room_for,
    terminal_or_invalid,
)
from retrosolve.spaces.reachability import mark_reachable
from retrosolve.tables.intervals import IntervalTable
from retrosolve.tables.result import SolveResult, Statistics
from retrosolve.tables.summary import spans
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


# -- compiled games, tier by tier --------------------------------------------------------------------


def tier_buffers(space: RulesSpace, num_edges: int) -> Buffers:
    """Declare the arrays of ``solve_tiers``: two bounds per index, and the largest tier with moves."""
    n = space.num_vertices
    size = max(above - below for below, above in pairwise([*space.tiers, n]))
    inner = num_edges * size // max(n, 1)
    vertex = index_dtype(n)
    return Buffers(
        bounds=((2, n), np.int64), tier=((3, size), np.int64), moves=(inner, vertex),
        throws=((2, inner), np.int64),
    )  # fmt: skip


def solve_tiers(space: RulesSpace, objective: Chance, context: Context) -> SolveResult:
    """Solve a compiled game whose players throw before they move, tier by tier.

    The moves of a tier are stored while it is solved.

    Parameters
    ----------
    space : RulesSpace
    objective : Chance
    context : Context

    Returns
    -------
    SolveResult
        With a table of intervals.

    Raises
    ------
    RulesError
        If the rules break their contract.
    """
    n = space.num_vertices
    low, high = np.full(n, np.nan), np.full(n, np.nan)
    has_payoff = space.payoffs(0, 0) is not None
    by_terminal = end_payoffs(np.arange(4, dtype=np.uint8), None, objective.stuck)
    most = 1.0 if not has_payoff else float(largest_payoff(space))
    num_edges = 0
    with ThreadPool(context.threads, space.work) as pool:
        valid = np.ones(n, bool)
        if space.initial_indices:
            valid = code_of(mark_reachable(space, pool, context.progress)) != INVALID_CODE
        for below, above in pairwise([*space.tiers, n]):
            throws, moves = np.zeros((2, above - below + 1), np.int64)
            cuts = [below + cut for cut in pool.chunks(above - below)]
            _run_in_parts(
                space, pool, cuts, count_throws, below, valid, throws, moves, low, high, by_terminal,
                has_payoff, most, space.max_moves,
            )  # fmt: skip
            np.cumsum(throws, out=throws)
            np.cumsum(moves, out=moves)
            ends = np.zeros(throws[-1] + 1, index_dtype(int(moves[-1])))
            weights = np.zeros(throws[-1], np.int32)
            targets = np.empty(moves[-1], index_dtype(n))
            _run_in_parts(
                space, pool, cuts, write_throws, below, above, valid, throws, moves, ends, weights,
                targets, space.max_moves,
            )  # fmt: skip
            del moves
            num_edges += len(targets)
            unit = objective.tolerance * (1.0 if has_payoff else 2.0)
            backward, widest, change, outside, inside = False, np.inf, np.inf, 0.0, 1
            while inside and widest > outside + SHARE * unit and change > STALLED * most:
                widest, change, outside, inside = jit.chosen(narrow_tier, space.work)(
                    below, throws, ends, weights, targets, low, high, float(by_terminal[0]), most,
                    unit, backward,
                )  # fmt: skip
                backward = not backward
                context.progress(Progress("solving", above if widest <= unit else below, n))
    return SolveResult(IntervalTable(low, high, has_payoff), Statistics(num_edges))


def _run_in_parts(
    space: RulesSpace, pool: ThreadPool, cuts: list[int], kernel: Any, *arguments: Any
) -> None:
    """Call a kernel for each of some ranges of indices."""
    pool.map_ranges(lambda start, stop: space.run(kernel, start, stop, *arguments), cuts)


def largest_payoff(space: StateSpace) -> int:
    """Return the largest payoff of a game, or loss."""
    found = (space.payoffs(*span) for span in spans(space.num_vertices))
    return max((int(np.abs(part).max(initial=0)) for part in found if part is not None), default=0)


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


def count_throws(
    start, stop, below, valid, throws, moves, low, high, by_terminal, has_payoff, most, max_moves, data,
    index_table, fault,
):  # fmt: skip
    """Count throws and the moves after them, and begin with the bounds of each index.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    below : int
        The first index of their tier.
    valid : bool [n]
        Whether play reaches an index.
    throws, moves : int64 [above - below + 1]
        Overwritten, from the second entry on.
    low, high : float64 [n]
        NaN; overwritten where an index is a position.
    by_terminal : float64 [4]
        The payoffs of terminal values, and of being stuck.
    has_payoff : bool
        Whether the rules have payoffs instead.
    most : float
        The largest payoff.
    max_moves : int
        The most moves of a position after all throws.
    data, index_table, fault
        See ``spaces.checked``.
    """
    data, index_table = no_refcount(data), no_refcount(index_table)
    out, weights, after = room_for(MAX_OUTCOMES), room_for(MAX_OUTCOMES), room_for(max_moves)
    for i in range(start, stop):
        if not valid[i]:
            continue
        p = position_of(i, data, index_table)
        code = terminal_or_invalid(p, data)
        if code < 0:
            code = INVALID + report_fault(fault, BAD_TERMINAL, p, ZERO, ZERO, ZERO)
        if code == INVALID:
            continue
        low[i], high[i] = -most, most
        if code != 0:
            low[i] = high[i] = np.float64(payoff(p, data)) if has_payoff else by_terminal[code]
            continue
        count = outcomes(p, out, weights, data)
        if count < 1 or count > MAX_OUTCOMES or out[MAX_OUTCOMES] != CANARY:
            count = report_fault(fault, OUTCOME_COUNT, p, count, ZERO, MAX_OUTCOMES)
        throws[i - below + 1] = count
        total = 0
        for k in range(count):
            made = moves_after(out[k], after, data)
            if made < 0 or made > max_moves or after[max_moves] != CANARY:
                made = report_fault(fault, COUNT, p, made, ZERO, max_moves)
            total += made
            if weights[k] < 1 or weights[k] > MAX_WEIGHT:
                report_fault(fault, WEIGHT, p, weights[k], ZERO, MAX_WEIGHT)
        moves[i - below + 1] = total
    check_guard(start, stop, OVERRUN, after, max_moves, fault)
    check_guard(start, stop, OVERRUN, out, MAX_OUTCOMES, fault)


def write_throws(
    start, stop, below, above, valid, throws, moves, ends, throw_weights, targets, max_moves, data,
    index_table, fault,
):  # fmt: skip
    """Write the weight of each throw, and where the moves after it lead.

    Parameters
    ----------
    start, stop, below, valid, max_moves, data, index_table, fault
        See ``count_throws``.
    above : int
        Moves lead to an index below it.
    throws, moves : int64 [above - below + 1]
        Where the throws and the moves of each index begin.
    ends : int32 or int64 [throws + 1]
        Overwritten with where the moves of each throw end, from the second entry on.
    throw_weights : int32 [throws]
        Overwritten.
    targets : int32 or int64 [moves]
        Overwritten with indices, ~index where the same player moves again.
    """
    data, index_table = no_refcount(data), no_refcount(index_table)
    out, weights, after = room_for(MAX_OUTCOMES), room_for(MAX_OUTCOMES), room_for(max_moves)
    limit = position_limit(len(valid))
    for i in range(start, stop):
        throw, at, end = throws[i - below], moves[i - below], moves[i - below + 1]
        if throw == throws[i - below + 1]:
            continue
        p = position_of(i, data, index_table)
        count = outcomes(p, out, weights, data)
        if count != throws[i - below + 1] - throw:
            report_fault(fault, CHANGED, p, count, ZERO, throws[i - below + 1] - throw)
            return
        for k in range(count):
            made = moves_after(out[k], after, data)
            if made < 0 or at + made > end:
                report_fault(fault, CHANGED, p, made, ZERO, end - at)
                return
            for place in range(made):
                q = max(after[place], ~after[place])
                if q >= limit:
                    q = p + report_fault(fault, TARGET, p, q, ZERO, limit)
                j = index_of(q, data, index_table)
                if j < 0 or j >= above:
                    j = report_fault(fault, INDEX, p, q, j, above)
                targets[at] = ~j if after[place] < 0 else j
                at += 1
            throw_weights[throw] = weights[k]
            ends[throw + 1] = at
            throw += 1
        if at != end:
            report_fault(fault, CHANGED, p, count, ZERO, end - at)
            return


def narrow_tier(
    below: int, throws: IntArray, ends: IntArray, weights: IntArray, targets: IntArray,
    low: NDArray[np.float64], high: NDArray[np.float64], stuck: float, most: float, tolerance: float,
    backward: bool,
) -> tuple[float, float, float, int]:  # fmt: skip
    """Narrow the bounds of each index of a tier once, by the rule of ``narrow_components``.

    Parameters
    ----------
    below : int
        The first index of the tier.
    throws, ends, weights, targets
        See ``write_throws``.
    low, high : float64 [n]
        The bounds, changed in place.
    stuck, most : float
        The payoff of a player without a move, and the largest payoff.
    tolerance : float
    backward : bool
        Whether to begin at the end of the tier.

    Returns
    -------
    widest, change, outside : float
        The widest interval; the most that a bound has moved; the widest interval within the tolerance
        that a move to an earlier tier leads to.
    inside : int
        How many moves stay in the tier.
    """
    widest, change, outside, inside = 0.0, 0.0, 0.0, 0
    size = len(throws) - 1
    for step in range(size):
        i = size - 1 - step if backward else step
        if throws[i] == throws[i + 1]:
            continue
        sum_low, sum_high, total = 0.0, 0.0, 0.0
        least, greatest = np.inf, -np.inf
        for throw in range(throws[i], throws[i + 1]):
            below_best, above_best = -np.inf, -np.inf
            for e in range(ends[throw], ends[throw + 1]):
                j = targets[e]
                if j < 0:
                    j = ~j
                    down, up = low[j], high[j]
                else:
                    down, up = -high[j], -low[j]
                below_best, above_best = max(below_best, down), max(above_best, up)
                if j >= below:
                    inside += 1
                elif up - down <= tolerance:
                    outside = max(outside, up - down)
            if ends[throw] == ends[throw + 1]:
                below_best = above_best = stuck
            share = np.float64(weights[throw])
            sum_low += share * below_best
            sum_high += share * above_best
            total += share
            least, greatest = min(least, below_best), max(greatest, above_best)
        error = ERROR * most * (throws[i + 1] - throws[i] + 4)
        v = below + i
        new_low = max(low[v], sum_low / total - error, least)
        new_high = min(high[v], sum_high / total + error, greatest)
        change = max(change, new_low - low[v], high[v] - new_high)
        low[v], high[v] = new_low, new_high
        widest = max(widest, new_high - new_low)
    return widest, change, outside, inside

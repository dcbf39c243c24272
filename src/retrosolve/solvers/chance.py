"""Games of chance: bounds from both sides, one strongly connected component after the other.

The rule of one move, where ``seen`` is a value as the player at v sees it:

    T(x)[v] = max(seen(x[w]) for each successor w)        where a player moves
    T(x)[v] = sum(weight * seen(x[w])) / sum(weight)      where chance does

Bounds begin at the worst and at the best of all payoffs, and T is applied in place: the lower bounds
rise to the least solution of x = T(x), the upper ones fall to the greatest. Both are proven at every
moment, so the solver may stop at any. Positions that lead to each other are visited until their bounds
are close, in graphs forward and backward in turn; those of no cycle once, after those they lead to.
Sweeps take as long as play stays: where that is long, the equations of a small component that play
leaves for sure are solved instead.

In a tier of a compiled game that play leaves for sure, x = T(x) has one solution. It is computed first,
one number a position, without regard to rounding; bounds a little below and above it are guessed and
checked: if T raises no upper bound and lowers no lower one, they are proven (Hartmanns and Kaminski,
"Optimistic value iteration", 2020, doi:10.1007/978-3-030-53291-8_26).

The mean of a throw is lowered (raised) by three times a bound of the error of its float64 arithmetic:
its own error, that of the proof, which adds in another order, and the bound by which the proof rounds
against the claim. No mean is below the least of its terms, so that a sure win stays exactly that.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray, index_dtype, numbered_ranges, or_placeholder, spans
from retrosolve.compilation import jit
from retrosolve.compilation.atomic import no_refcount
from retrosolve.objectives import Chance
from retrosolve.objectives.chance import end_payoffs
from retrosolve.objectives.words import INVALID_CODE, code_of
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Context, Progress
from retrosolve.runtime.threads import ThreadPool
from retrosolve.runtime.workspace import Buffers
from retrosolve.spaces.base import CsrSpace, RulesSpace, StateSpace
from retrosolve.spaces.checked import (
    CHANGED,
    MAX_OUTCOMES,
    NO_TARGET,
    OVERRUN,
    ZERO,
    check_guard,
    check_weight,
    checked_code,
    checked_count,
    checked_index,
    checked_outcomes,
    checked_target,
    index_of,
    moves_after,
    outcomes,
    payoff,
    position_limit,
    position_of,
    progress,
    report_fault,
    room_for,
    terminal_or_invalid,
)
from retrosolve.spaces.reachability import mark_reachable
from retrosolve.tables.intervals import IntervalTable
from retrosolve.tables.result import SolveResult, Statistics
from retrosolve.values import CHANCE, INVALID

ERROR = 3 * 2.0**-53  # times terms + 4; the proof has a third of it
STALLED = 2.0**-52  # a sweep that moves no bound by more, as a share of the largest payoff, is the last
SHARE = 2.0**-10  # of the tolerance that a component may add to that of those it leads to
ROUNDED = 2.0**-40  # of the largest payoff: what the rounding of means may add to widths in a tier
MOST_PROGRESS = (1 << 15) - 1
LEAST_WAVE, MOST_WAVE = 1 << 10, 1 << 17  # rows
LEAST_SWEEPS = 1024  # of a graph, before the equations of a component are solved
INTERPRETED = 1 << 18  # edges and vertices visited between two reports, by plain Python
LARGEST_SYSTEM = 512  # vertices of a component: a system takes 2 MB, and some milliseconds
SCALES = (1.25, 2.0, 4.0, 16.0)  # times the error of a mean: what equations add to it
MOST_STEPS = 100  # of two players who improve their strategies
LOWER, UPPER = 0, 1  # sides of an interval
SWEEPS = 50  # assumed, where compiling is to pay
NOISE = 2.0**-48  # as a share of the largest payoff: rounding moves values by less
KEPT = 4  # sweeps, of which one looks at all moves
FALLING = 1 - 2.0**-10  # by how much a sweep must move values less for those that follow the best moves
CLOSE = 2.0**-10  # of what a tier may add to widths: how far a last sweep may move values
FURTHER = 8.0  # times as far apart are bounds that T did not prove


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
    owner, owned = or_placeholder(graph.owner)
    weight, weighted = or_placeholder(graph.weight)
    order, bounds, number = graph.components
    unit = objective.tolerance * (1.0 if payoffs is not None else 2.0)
    first, last, attempted, size = 0, len(bounds) - 1, -1, n + graph.num_edges
    work = size
    while first < last:
        begun, budget = first, min(LEAST_SWEEPS * size, INTERPRETED)
        if jit.pays(work):
            budget = tuning.current().edges_per_report
        first = jit.run(
            narrow_components, work, graph.indptr, graph.indices, weight, weighted, owner, owned,
            ended, order, bounds, number, low, high, most, unit, first, last, budget,
        )  # fmt: skip
        work += budget
        slow = order[bounds[first] : bounds[first + 1]] if first == begun else order[:0]
        if owned and first != attempted and 0 < len(slow) <= LARGEST_SYSTEM:
            attempted = first
            first += close_bounds(graph, np.sort(slow), low, high, most)
        context.progress(Progress("solving", int(bounds[first]), n))
    low += 0.0  # which makes -0.0 positive
    high += 0.0
    table = IntervalTable(low, high, payoffs is not None)
    return SolveResult(table, Statistics(graph.num_edges))


def close_bounds(
    graph: CsrSpace, vertices: IntArray, low: NDArray[np.float64], high: NDArray[np.float64],
    most: float,
) -> bool:  # fmt: skip
    """Bring the bounds of a component together by linear equations; return whether that is proven.

    Sweeps are slow where play stays for long. Where it leaves the component for sure, whatever both
    players do, strategies are improved in turn until neither player has a better move, with a system of
    equations for each pair of them (Hoffman and Karp, "On nonterminating stochastic games", 1966,
    doi:10.1287/mnsc.12.5.359). The equations for lower bounds take more from each mean than rounding
    can change, those for upper bounds add as much. Only bounds that T bears out are taken.

    Parameters
    ----------
    graph : CsrSpace
        With owners.
    vertices : int [k]
        The component, ascending.
    low, high : float64 [n]
        The bounds; those of the component are changed in place.
    most : float
        The largest payoff.
    """
    system = _System(graph, vertices, low, high)
    if not system.is_left():
        return False
    error = np.asarray(ERROR * most * (system.degree + 4), np.float64)
    for scale in SCALES:
        margin = np.where(system.by_chance, scale * error, scale * 8 * STALLED * most)
        below, above = system.solved(LOWER, -margin), system.solved(UPPER, margin)
        if below is None or above is None:
            return False
        below, above = below.clip(-most, most), above.clip(-most, most)
        if (below <= system.rule(below, LOWER, -error)).all() and (
            above >= system.rule(above, UPPER, error)
        ).all():
            swapped = system.owner == 1
            low[vertices] = np.maximum(low[vertices], np.where(swapped, -above, below))
            high[vertices] = np.minimum(high[vertices], np.where(swapped, -below, above))
            return True
    return False


class _System:
    """The equations of a component. Values are for the first player, who maximises.

    Parameters
    ----------
    graph, vertices, low, high
        See ``close_bounds``.
    """

    def __init__(
        self, graph: CsrSpace, vertices: IntArray, low: NDArray[np.float64], high: NDArray[np.float64]
    ) -> None:
        assert graph.owner is not None
        begin, end = graph.indptr[vertices], graph.indptr[vertices + 1]
        self.degree = (end - begin).astype(np.int64)
        self.first = np.cumsum(self.degree) - self.degree  # the first edge of each row
        self.row, edges = numbered_ranges(begin, self.degree)
        target = graph.indices[edges]
        place = np.minimum(np.searchsorted(vertices, target), len(vertices) - 1)
        self.inside = vertices[place] == target
        self.place = np.where(self.inside, place, 0)
        self.owner = graph.owner[vertices]
        self.by_chance = self.owner == CHANCE
        weight = 1 if graph.weight is None else graph.weight[edges]
        self.weight = np.where(self.by_chance[self.row], weight, 1).astype(np.float64)
        self.total = np.add.reduceat(self.weight, self.first)
        swapped = graph.owner[target] == 1
        self.outside = (
            np.where(swapped, -high[target], low[target]),
            np.where(swapped, -low[target], high[target]),
        )
        swapped = self.owner == 1
        self.start = np.where(swapped, -high[vertices], low[vertices])

    def is_left(self) -> bool:
        """Return whether play leaves the component for sure, whatever both players do."""
        left, before = np.zeros(len(self.owner), bool), -1
        while before < left.sum():
            before = int(left.sum())
            goes = ~self.inside | left[self.place]
            some, all_of_them = (
                fold.reduceat(goes, self.first) for fold in (np.logical_or, np.logical_and)
            )
            left |= np.where(self.by_chance, some, all_of_them)
        return bool(left.all())

    def seen(self, values: NDArray[np.float64], side: int) -> NDArray[np.float64]:
        """Return the value at the end of each edge; outside the component, its bound of that side."""
        return np.where(self.inside, values[self.place], self.outside[side])

    def rule(
        self, values: NDArray[np.float64], side: int, error: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return T of values, its means changed by an error but not beyond their terms."""
        seen = self.seen(values, side)
        least, most = (fold.reduceat(seen, self.first) for fold in (np.minimum, np.maximum))
        mean = np.add.reduceat(self.weight * seen, self.first) / self.total + error
        mean = np.maximum(mean, least) if side == LOWER else np.minimum(mean, most)
        return np.where(self.by_chance, mean, np.where(self.owner == 1, least, most))

    def solved(self, side: int, margin: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """Return the solution of x = T(x) + margin, None if it is not found in so many steps."""
        size = len(self.owner)
        values: NDArray[np.float64] = self.start
        chosen = self._best(self.seen(values, side), np.where(self.owner == 1, -1.0, 1.0))
        for _ in range(MOST_STEPS):
            taken = self.by_chance[self.row]
            taken[chosen] = True
            share = np.where(self.by_chance[self.row], self.weight / self.total[self.row], 1.0)
            matrix, constant = np.eye(size), margin.copy()
            stays, goes = taken & self.inside, taken & ~self.inside
            np.subtract.at(matrix, (self.row[stays], self.place[stays]), share[stays])
            np.add.at(constant, self.row[goes], share[goes] * self.outside[side][goes])
            try:
                values = np.linalg.solve(matrix, constant).astype(np.float64, copy=False)
            except np.linalg.LinAlgError:
                return None
            seen = self.seen(values, side)
            for player, sign in ((1, -1.0), (0, 1.0)):  # the second player's answer comes first
                better = self._best(seen, np.full(size, sign))
                gain = sign * (seen[better] - seen[chosen])
                changed = (self.owner == player) & (gain > STALLED * np.abs(seen).max())
                chosen = np.where(changed, better, chosen)
                if changed.any():
                    break
            else:
                return values
        return None

    def _best(self, seen: NDArray[np.float64], sign: NDArray[np.float64]) -> IntArray:
        """Return an edge of each row that has the largest value, times a sign."""
        signed = sign[self.row] * seen
        order = np.lexsort((signed, self.row))
        best: IntArray = order[self.first + self.degree - 1]
        return best


# -- compiled games, tier by tier --------------------------------------------------------------------


def tier_buffers(space: RulesSpace, num_edges: int) -> Buffers:
    """Declare the arrays of ``solve_tiers``: two bounds per index, and the largest tier with moves."""
    n = space.num_vertices
    size = max(space.tier_sizes)
    inner = num_edges * size // max(n, 1)
    vertex = index_dtype(n)
    return Buffers(
        bounds=((2, n), np.int64), order=(size, vertex), rows=((2, size), index_dtype(inner)),
        values=((2, size), np.int64), moves=(inner, vertex), throws=((2, inner), np.uint8),
    )  # fmt: skip


class Tier(NamedTuple):
    """The throws and moves of a tier, a row for each index, in the order in which they are visited.

    Parameters
    ----------
    below : int
        The first index.
    throws, moves : int32 or int64 [size + 1]
        Where the throws and the moves of each row begin.
    made, weights : uint8 or int32 [throws]
        The number of moves after each throw, and its weight.
    targets : int32 or int64 [moves]
        ``below`` plus a row, or the index of a lower tier; ~target where the same player moves again.
        Changed in place: the best move of a throw comes to the front.
    """

    below: int
    throws: IntArray
    moves: IntArray
    made: IntArray
    weights: IntArray
    targets: IntArray


class Play(NamedTuple):
    """What all kernels read: the valid indices, the payoffs of ends and being stuck, and limits."""

    valid: NDArray[np.bool_]
    by_terminal: NDArray[np.float64]
    has_payoff: bool
    most: float
    max_moves: int


def solve_tiers(space: RulesSpace, objective: Chance, context: Context) -> SolveResult:
    """Solve a compiled game whose players throw before they move, tier by tier.

    Where no move stays in its tier one pass suffices. Otherwise the moves of the tier are stored while
    it is solved. The result does not depend on the number of threads.

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
    bounds = np.full((n, 2), np.nan)  # both bounds of an index in one line of the cache
    has_payoff = space.payoffs(0, 0) is not None
    by_terminal = end_payoffs(np.arange(4, dtype=np.uint8), None, objective.stuck)
    num_edges = 0
    tiers = space.tier_bounds
    unit = objective.tolerance * (1.0 if has_payoff else 2.0)
    with ThreadPool(context.threads, space.work) as pool:
        valid = code_of(mark_reachable(space, pool, context.progress)) != INVALID_CODE
        most = largest_payoff(space, valid, by_terminal[0]) if has_payoff else 1.0
        play = Play(valid, by_terminal, has_payoff, most, space.max_moves)
        for number, (below, above) in enumerate(tiers, 1):
            cuts = pool.chunks(above - below, start=below)
            passes = _run_in_parts(space, pool, cuts, settle, below, above, bounds, *play)
            edges = sum(count for _, count in passes)
            if not all(done for done, _ in passes):
                order, waves, tier, outside = stored(space, pool, below, above, bounds, play)
                edges = len(tier.targets)
                outside = outside if outside <= unit else 0.0  # wider ones may not matter
                # Widths add up along tiers: each may use what those before it have not.
                share = max(SHARE * unit, unit * number / len(tiers) - outside)
                narrow(pool, waves, tier, bounds, play, outside, share, context)
                del tier
                bounds[below + order] = bounds[below:above].copy()
            num_edges += edges
            context.progress(Progress("solving", above, n))
    bounds += 0.0  # which makes -0.0 positive
    table = IntervalTable(bounds[:, 0], bounds[:, 1], has_payoff)
    return SolveResult(table, Statistics(num_edges))


def _run_in_parts(
    space: RulesSpace, pool: ThreadPool, cuts: list[int], kernel: Any, *arguments: Any
) -> list[Any]:
    """Call a kernel for each of some ranges of indices."""
    return pool.map_ranges(lambda start, stop: space.run(kernel, start, stop, *arguments), cuts)


def _shared(pool: ThreadPool, kernel: Any, start: int, stop: int, *arguments: Any) -> list[Any]:
    """Call a kernel for parts of a wave."""
    cuts = pool.chunks(stop - start, start=start)
    return pool.map_ranges(lambda a, b: kernel(a, b, start, *arguments), cuts)


def largest_payoff(space: StateSpace, valid: NDArray[np.bool_], stuck: float) -> float:
    """Return the largest payoff, or loss, that play can come to; 1 at least if somebody can be stuck.

    Whether a throw leaves no move is asked only where all payoffs are 0, by the rules in plain Python.
    """
    n = space.num_vertices
    found = ((space.payoffs(*span), valid[slice(*span)]) for span in spans(n))
    most = max(int(np.abs(part[at]).max(initial=0)) for part, at in found if part is not None)
    if most == 0 and stuck != 0:
        goes_on = np.flatnonzero(valid & (space.terminal(0, n) == 0))
        throws = (space.throws(space.position(v)) or () for v in goes_on.tolist())
        most = int(any(not throw.moves for thrown in throws for throw in thrown))
    return float(most)


def stored(
    space: RulesSpace, pool: ThreadPool, below: int, above: int, bounds: NDArray[np.float64], play: Play
) -> tuple[IntArray, IntArray, Tier, float]:
    """Return the order of a tier, its waves, its moves, and the widest bounds that a move out leads to.

    Rows follow each other as the game says how far play has come, the last first, so that one sweep
    takes what is known at the end of play to its beginning. Those as far on are in the same waves, as
    they seldom lead to each other. Until the tier is solved the bounds of a row are at ``below`` plus
    the row.
    """
    size, vertex = above - below, index_dtype(space.num_vertices)
    cuts = pool.chunks(size)
    keys = np.zeros(size, np.int16)
    _run_in_parts(space, pool, cuts, write_progress, below, keys, play.valid)
    order: IntArray = np.argsort(-keys, kind="stable").astype(vertex)
    row_of = np.empty(size, vertex)
    row_of[order] = np.arange(size, dtype=vertex)
    counts = np.zeros((2, size + 1), np.int64)
    heaviest = max(_run_in_parts(space, pool, cuts, count_throws, below, order, *counts, bounds, *play))
    counts.cumsum(axis=1, out=counts)
    throws: IntArray = counts[0].astype(index_dtype(counts[0, -1]))
    moves: IntArray = counts[1].astype(index_dtype(counts[1, -1]))
    made = np.zeros(throws[-1], np.uint8 if space.max_moves < 256 else np.int32)
    weights = np.zeros(throws[-1], np.uint8 if heaviest < 256 else np.int32)
    tier = Tier(below, throws, moves, made, weights, np.empty(moves[-1], vertex))
    widest = _run_in_parts(
        space, pool, cuts, write_throws, above, bounds, order, row_of, *tier, play.valid, play.max_moves
    )
    cuts_of_keys = np.flatnonzero(np.diff(keys[order])) + 1
    most = min(max(size >> 6, LEAST_WAVE), MOST_WAVE)
    waves = np.union1d(np.arange(0, size, most), [*cuts_of_keys, size])
    return order, waves, tier, max(widest)


def narrow(
    pool: ThreadPool, waves: IntArray, tier: Tier, bounds: NDArray[np.float64], play: Play,
    outside: float, share: float, context: Context,
) -> None:  # fmt: skip
    """Narrow the bounds of a tier until they are hardly wider than those that it leads to.

    Where play leaves the tier for sure, whatever both players do, values come first, then bounds about
    them, as far apart as at first everywhere, then by some sweeps about as far as the expected error
    makes them. What T makes worse is taken for the next guess, and then they begin further apart.
    Elsewhere, bounds begin at the worst and at the best of all payoffs.
    """
    size, stuck, most = len(tier.throws) - 1, float(play.by_terminal[0]), play.most
    rows = bounds[tier.below : tier.below + size]
    is_open = np.diff(tier.throws) > 0
    marks = (~is_open).view(np.uint8)
    work = SWEEPS * len(tier.targets)
    mark, visit = (jit.chosen(kernel, work) for kernel in (mark_endings, visit_rows))
    while not marks.all() and mark(marks, tier.below, tier.throws, tier.moves, tier.made, tier.targets):
        pass
    widest, change, worse = np.inf, np.inf, 1
    if marks.all():
        sweeps = Sweeps(pool, waves, tier, bounds, stuck, most)
        values, close = rows.mean(axis=1), max(share * CLOSE, NOISE * most)
        least = np.inf
        while (change := sweeps(values, 1.0, False)) > close:
            # Play by the moves that were best may lead in circles: it is followed only as changes fall.
            if change < FALLING * least:
                least = change
                for _ in range(KEPT - 1):
                    sweeps(values, 1.0, True)
            context.progress(Progress("solving", tier.below, len(bounds)))
        apart = (outside + min(share, ROUNDED * most)) / 2
        while worse and apart < most:
            room = np.where(is_open, apart, 0.0)
            for _ in range(KEPT):
                sweeps(room, -1.0, True)
            np.subtract(values, room, out=rows[:, 0])
            np.add(values, room, out=rows[:, 1])
            np.clip(rows, -most, most, out=rows)
            for _ in range(KEPT):
                widest, change, worse = visit(True, bounds, *tier, stuck, most)
                if not worse:
                    break
            apart *= FURTHER
    if worse:
        rows[is_open] = -most, most
        widest, change = np.inf, np.inf
    while widest > outside + share and change > STALLED * most:
        widest, change, _ = visit(False, bounds, *tier, stuck, most)
        context.progress(Progress("solving", tier.below, len(bounds)))


class Sweeps:
    """Sweeps over the rows of a tier that replace values by what T makes of them.

    The rows are visited in waves, all of a wave by the values from before it, so that threads may share
    a wave and the result is that of one thread.
    """

    def __init__(
        self, pool: ThreadPool, waves: IntArray, tier: Tier, bounds: NDArray[np.float64], stuck: float,
        most: float,
    ) -> None:  # fmt: skip
        self._waves = waves
        self._fresh = np.empty(int(np.diff(self._waves).max()))
        self._pool, self._arguments = pool, (bounds, *tier, stuck, ERROR * most)
        self._is_shared = pool.threads > 1 and waves[-1] >= tuning.current().min_chunk * len(waves)
        self._kernels = [
            jit.chosen(kernel, SWEEPS * len(tier.targets))
            for kernel in (improve_rows, commit_rows, improve_all)
        ]

    def __call__(self, values: NDArray[np.float64], sign: float, best_only: bool) -> float:
        """Change values, and return the most that one changed. See ``improve_rows``."""
        improve, commit, improve_waves = self._kernels
        arguments = values, self._fresh, *self._arguments, sign, best_only
        if not self._is_shared:
            return float(improve_waves(self._waves, *arguments))
        change = 0.0
        for start, stop in pairwise(self._waves.tolist()):
            _shared(self._pool, improve, start, stop, *arguments)
            parts = _shared(self._pool, commit, start, stop, values, self._fresh)
            change = max(change, *parts)
        return change


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
        The component to go on with, of which some sweeps have been made: one each way at least, however
        large it is.
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
        while not done:
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
            if budget <= 0 and not backward:
                break
        if done:
            first += 1
    return first


def settle(
    start, stop, below, above, bounds, valid, by_terminal, has_payoff, most, max_moves, data,
    index_table, fault,
):  # fmt: skip
    """Write the bounds of some indices from which no move stays in their tier, up to the first other.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    below, above : int
        Their tier is ``below..above-1``.
    bounds : float64 [n, 2]
        NaN at an INVALID index; overwritten.
    valid : bool [n]
        Whether play reaches an index.
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

    Returns
    -------
    done, moves : bool, int
        Whether no move stayed in the tier; how many moves there were.
    """
    data, index_table, fault = no_refcount((data, index_table, fault))
    out, weights, after = room_for(MAX_OUTCOMES), room_for(MAX_OUTCOMES), room_for(max_moves)
    limit = position_limit(len(valid))
    moves = 0
    for i in range(start, stop):
        if not valid[i]:
            continue
        p = position_of(i, data, index_table)
        code = checked_code(terminal_or_invalid(p, data), p, fault)
        if code == INVALID:
            continue
        if code != 0:
            end = np.float64(payoff(p, data)) if has_payoff else by_terminal[code]
            bounds[i, 0] = bounds[i, 1] = end
            continue
        count = checked_outcomes(outcomes(p, out, weights, data), p, out[MAX_OUTCOMES], fault)
        sum_low, sum_high, total, least, greatest = 0.0, 0.0, 0.0, np.inf, -np.inf
        for k in range(count):
            made = moves_after(out[k], after, data)
            made = checked_count(made, p, after[max_moves], max_moves, fault)
            check_weight(weights[k], p, fault)
            moves += made
            best_low = best_high = by_terminal[0] if made == 0 else -np.inf
            for place in range(made):
                q = checked_target(max(after[place], ~after[place]), p, limit, fault)
                j = checked_index(index_of(q, data, index_table), p, q, above, fault)
                if j >= below:
                    return False, moves
                down, up = bounds[j, 0], bounds[j, 1]
                if np.isnan(down):
                    report_fault(fault, NO_TARGET, p, q, j, ZERO)
                if after[place] >= 0:
                    down, up = -up, -down
                best_low, best_high = max(best_low, down), max(best_high, up)
            share = np.float64(weights[k])
            sum_low += share * best_low
            sum_high += share * best_high
            total += share
            least, greatest = min(least, best_low), max(greatest, best_high)
        error = ERROR * most * (count + 4)
        bounds[i, 0] = max(-most, sum_low / max(total, 1.0) - error, least)
        bounds[i, 1] = min(most, sum_high / max(total, 1.0) + error, greatest)
    check_guard(start, stop, OVERRUN, after, max_moves, fault)
    check_guard(start, stop, OVERRUN, out, MAX_OUTCOMES, fault)
    return True, moves


def write_progress(start, stop, below, keys, valid, data, index_table, fault):
    """Write how far play has come at each index of a tier.

    Parameters
    ----------
    start, stop : int
        The indices ``below + start..below + stop-1`` to work on.
    below : int
        The first index of the tier.
    keys : int16 [size]
        0; overwritten.
    valid : bool [n]
        Whether play reaches an index.
    data, index_table, fault
        See ``spaces.checked``.
    """
    data, index_table, fault = no_refcount((data, index_table, fault))
    for k in range(start, stop):
        if valid[below + k]:
            p = position_of(below + k, data, index_table)
            if terminal_or_invalid(p, data) == 0:
                keys[k] = min(max(progress(p, data), 0), MOST_PROGRESS)


def count_throws(
    start, stop, below, order, throws, moves, bounds, valid, by_terminal, has_payoff, most, max_moves,
    data, index_table, fault,
):  # fmt: skip
    """Count throws and the moves after them, and begin with the bounds of each index.

    Parameters
    ----------
    start, stop : int
        The rows ``start..stop-1`` to work on.
    below, order
        See ``write_throws``.
    throws, moves : int64 [size + 1]
        Overwritten, from the second entry on.
    bounds : float64 [n, 2]
        Those of the rows are overwritten.
    valid, by_terminal, has_payoff, most, max_moves, data, index_table, fault
        See ``settle``.

    Returns
    -------
    int
        The largest weight.
    """
    data, index_table, fault = no_refcount((data, index_table, fault))
    out, weights, after = room_for(MAX_OUTCOMES), room_for(MAX_OUTCOMES), room_for(max_moves)
    heaviest = 0
    for row in range(start, stop):
        i, v = below + order[row], below + row
        bounds[v, 0] = bounds[v, 1] = np.nan
        if not valid[i]:
            continue
        p = position_of(i, data, index_table)
        code = checked_code(terminal_or_invalid(p, data), p, fault)
        if code == INVALID:
            continue
        bounds[v, 0], bounds[v, 1] = -most, most
        if code != 0:
            end = np.float64(payoff(p, data)) if has_payoff else by_terminal[code]
            bounds[v, 0] = bounds[v, 1] = end
            continue
        count = checked_outcomes(outcomes(p, out, weights, data), p, out[MAX_OUTCOMES], fault)
        throws[row + 1] = count
        total = 0
        for k in range(count):
            made = moves_after(out[k], after, data)
            made = checked_count(made, p, after[max_moves], max_moves, fault)
            total += made
            check_weight(weights[k], p, fault)
            heaviest = max(heaviest, weights[k])
        moves[row + 1] = total
    check_guard(start, stop, OVERRUN, after, max_moves, fault)
    check_guard(start, stop, OVERRUN, out, MAX_OUTCOMES, fault)
    return heaviest


def write_throws(
    start, stop, above, bounds, order, row_of, below, throws, moves, throw_made, throw_weights, targets,
    valid, max_moves, data, index_table, fault,
):  # fmt: skip
    """Write the weight of each throw, and where the moves after it lead.

    Parameters
    ----------
    start, stop : int
        The rows ``start..stop-1`` to work on.
    above : int
        Moves lead to an index below it.
    bounds : float64 [n, 2]
    order, row_of : int32 or int64 [size]
        The index of each row, less ``below``, and the inverse.
    below, throws, moves, throw_made, throw_weights, targets
        See ``Tier``; ``throw_made``, ``throw_weights`` and ``targets`` are overwritten.
    valid, max_moves, data, index_table, fault
        See ``settle``.

    Returns
    -------
    float
        How far apart the bounds are, at most, of those to which moves lead out of the tier.
    """
    data, index_table, fault = no_refcount((data, index_table, fault))
    out, weights, after = room_for(MAX_OUTCOMES), room_for(MAX_OUTCOMES), room_for(max_moves)
    limit = position_limit(len(valid))
    widest = 0.0
    for row in range(start, stop):
        throw, at, end = throws[row], moves[row], moves[row + 1]
        if throw == throws[row + 1]:
            continue
        p = position_of(below + order[row], data, index_table)
        count = outcomes(p, out, weights, data)
        if count != throws[row + 1] - throw:
            report_fault(fault, CHANGED, p, count, ZERO, throws[row + 1] - throw)
            return widest
        for k in range(count):
            made = moves_after(out[k], after, data)
            if made < 0 or at + made > end:
                report_fault(fault, CHANGED, p, made, ZERO, end - at)
                return widest
            for place in range(made):
                q = checked_target(max(after[place], ~after[place]), p, limit, fault)
                j = checked_index(index_of(q, data, index_table), p, q, above, fault)
                v = j if j < below else below + row_of[j - below]
                if np.isnan(bounds[v, 0]):
                    report_fault(fault, NO_TARGET, p, q, j, ZERO)
                if v < below:
                    widest = max(widest, bounds[v, 1] - bounds[v, 0])
                targets[at] = ~v if after[place] < 0 else v
                at += 1
            throw_made[throw] = made
            throw_weights[throw] = weights[k]
            throw += 1
        if at != end:
            report_fault(fault, CHANGED, p, count, ZERO, end - at)
            return widest
    return widest


def mark_endings(marks, below, throws, moves, made, targets):
    """Mark rows from which play leaves the tier for sure, given others, and return how many.

    Such a row has a throw after which all moves lead out of the tier or to rows with a mark. If all
    rows have one, play leaves within as many moves as there are rows, with a probability above 0.

    Parameters
    ----------
    marks : uint8 [size]
        Changed in place.
    below, throws, moves, made, targets
        See ``Tier``.
    """
    count = 0
    for row in range(len(marks)):
        e = moves[row]
        throw = throws[row]
        while not marks[row] and throw < throws[row + 1]:
            end, is_sure = e + made[throw], True
            while e < end and is_sure:
                j = max(targets[e], ~targets[e])
                is_sure = j < below or marks[j - below] != 0
                e += 1
            if is_sure:
                marks[row] = 1
                count += 1
            e = end
            throw += 1
    return count


def improve_all(
    waves, values, fresh, bounds, below, throws, moves, made, weights, targets, stuck, error, sign,
    best_only,
):  # fmt: skip
    """Visit all waves of a tier once; return the most that a value changed.

    Parameters
    ----------
    waves : int64 [waves + 1]
        The first row of each wave, and the number of rows.
    values, fresh, bounds, below, throws, moves, made, weights, targets, stuck, error, sign, best_only
        See ``improve_rows``.
    """
    change = 0.0
    for wave in range(len(waves) - 1):
        start, stop = waves[wave], waves[wave + 1]
        improve_rows(
            start, stop, start, values, fresh, bounds, below, throws, moves, made, weights, targets,
            stuck, error, sign, best_only,
        )  # fmt: skip
        change = max(change, commit_rows(start, stop, start, values, fresh))
    return change


def improve_rows(
    start, stop, first, values, fresh, bounds, below, throws, moves, made, weights, targets, stuck,
    error, sign, best_only,
):  # fmt: skip
    """Apply T to the rows of a wave.

    Parameters
    ----------
    start, stop : int
        The rows ``start..stop-1`` to work on.
    first : int
        The first row of the wave.
    values : float64 [size]
        Only read.
    fresh : float64 [rows of a wave]
        Overwritten with the new values.
    bounds : float64 [n, 2]
    below, throws, moves, made, weights, targets
        See ``Tier``; unless ``best_only``, the best move of each throw comes to the front.
    stuck : float
        The payoff of a player without a move.
    error : float
        The error of a mean for each throw.
    sign : float
        1 for values, -1 for half of the widths of intervals, which are those that the best moves lead
        to, and errors.
    best_only : bool
        Whether to read the first move of each throw only.
    """
    for row in range(start, stop):
        value = values[row]
        e = moves[row]
        mean, total = 0.0, 0.0
        for throw in range(throws[row], throws[row + 1]):
            end = e + made[throw]
            best, best_at = -np.inf, e
            if e == end:
                best = stuck if sign > 0.0 else 0.0
            for at in range(e, min(e + 1, end) if best_only else end):
                j = targets[at]
                k = max(j, ~j)
                seen = values[k - below] if k >= below else (bounds[k, 1] + sign * bounds[k, 0]) / 2
                if j >= 0:
                    seen = -sign * seen
                if seen > best:
                    best, best_at = seen, at
            if best_at > e:
                targets[e], targets[best_at] = targets[best_at], targets[e]
            share = np.float64(weights[throw])
            mean += share * best
            total += share
            e = end
        if total > 0.0:
            value = mean / total
            if sign < 0.0:
                value += error * (throws[row + 1] - throws[row] + 4)
        fresh[row - first] = value


def commit_rows(start, stop, first, values, fresh):
    """Replace the values of the rows of a wave by the new ones, and return the most that one changed.

    Parameters
    ----------
    start, stop, first, values, fresh
        See ``improve_rows``; ``values`` are changed in place.
    """
    change = 0.0
    for row in range(start, stop):
        change = max(change, abs(fresh[row - first] - values[row]))
        values[row] = fresh[row - first]
    return change


def visit_rows(is_guess, bounds, below, throws, moves, made, weights, targets, stuck, most):
    """Apply T to the bounds of a tier, in place.

    Parameters
    ----------
    is_guess : bool
        Whether the bounds are not proven, and may become worse.
    bounds : float64 [n, 2]
        Changed in place.
    below, throws, moves, made, weights, targets
        See ``Tier``.
    stuck, most : float
        The payoff of a player without a move, and the largest payoff.

    Returns
    -------
    widest, change, worse : float, float, int
        The widest interval; the most that a bound has moved; the rows with a bound that T makes worse.
        If there are none, all bounds are proven.
    """
    widest, change, worse = 0.0, 0.0, 0
    for row in range(len(throws) - 1):
        if throws[row] == throws[row + 1]:
            continue
        e = moves[row]
        sum_low, sum_high, total = 0.0, 0.0, 0.0
        least, greatest = np.inf, -np.inf
        for throw in range(throws[row], throws[row + 1]):
            best_low, best_high = -np.inf, -np.inf
            end = e + made[throw]
            if e == end:
                best_low = best_high = stuck
            while e < end:
                j = targets[e]
                if j < 0:  # the same player moves again
                    best_low = max(best_low, bounds[~j, 0])
                    best_high = max(best_high, bounds[~j, 1])
                else:
                    best_low = max(best_low, -bounds[j, 1])
                    best_high = max(best_high, -bounds[j, 0])
                e += 1
            share = np.float64(weights[throw])
            sum_low += share * best_low
            sum_high += share * best_high
            total += share
            least, greatest = min(least, best_low), max(greatest, best_high)
        error = ERROR * most * (throws[row + 1] - throws[row] + 4)
        v = below + row
        low = max(sum_low / total - error, least)
        high = min(sum_high / total + error, greatest)
        if low < bounds[v, 0] or high > bounds[v, 1]:
            worse += 1
        if not is_guess:
            low, high = max(bounds[v, 0], low), min(bounds[v, 1], high)
        change = max(change, low - bounds[v, 0], bounds[v, 1] - high)
        bounds[v, 0], bounds[v, 1] = low, high
        widest = max(widest, high - low)
    return widest, change, worse

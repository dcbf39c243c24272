"""Scores: the textbook algorithm with its seeds handed out by points, in one pass.

``solve`` takes stored graphs. The strongly connected components are solved one after the other, those
that moves lead to first, so that within a component no move has a reward. Moves out of it, and ends of
the game, are its *exits*: each vertex needs only the best of them. Then ``worklist`` runs with the
seeds in descending order of the number of points at stake, t:

- a vertex wins t where its best exit does, or a successor inside loses t;
- it loses t where all its moves inside lead to vertices that win t or more, and its best exit loses
  t. One whose moves inside are all answered while its exit loses less waits for its turn.

Moves inside are counted down once, whatever t they fall at. What nobody wins is worth 0: where it can
be ended, nearest first, and otherwise endless.

``solve_tiers`` does the same for compiled games, tier by tier. The moves inside a tier are stored while
it is solved; finished tiers take a byte per position for the points and one for the plies, more where
these do not fit.

Washburn, "Deterministic graphical games", J. Math. Anal. Appl. 153 (1990), proves that the values are
found in this order; counters make it linear.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from retrosolve.arrays import PLACEHOLDER, IntArray, index_dtype
from retrosolve.compilation import jit
from retrosolve.csr.validation import MAX_POINTS
from retrosolve.errors import GraphError
from retrosolve.kernels.atomic import no_refcount
from retrosolve.kernels.checked import (
    BAD_TERMINAL,
    CANARY,
    CHANGED,
    COUNT,
    INDEX,
    NO_TARGET,
    OVERRUN,
    TARGET,
    ZERO,
    canonical,
    check_guard,
    index_of,
    payoff,
    player,
    position_limit,
    position_of,
    report_fault,
    reward,
    room_for,
    same_side,
    successors,
    terminal_or_invalid,
)
from retrosolve.kernels.words import INVALID_CODE, code_of
from retrosolve.objectives.base import EndData
from retrosolve.objectives.codec import Codec
from retrosolve.objectives.score import LARGEST, Margin, Score, codec_of, pack, plies_of, points_of
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Context
from retrosolve.runtime.progress import Progress
from retrosolve.runtime.threads import ThreadPool
from retrosolve.runtime.workspace import Buffers
from retrosolve.spaces.base import Capability, CsrSpace, RulesSpace, StateSpace
from retrosolve.spaces.reachability import mark_reachable
from retrosolve.tables.coded import CodedTable, CodesInMemory, Dictionary, coded_table
from retrosolve.tables.result import SolveResult, Statistics
from retrosolve.tables.summary import spans
from retrosolve.values import INVALID

NONE = -(1 << 30)  # points of the best exit where there is none
OPEN, ENDLESS = -2, -1  # remotenesses of what is not decided, and of endless play


def buffers(space: StateSpace, num_edges: int) -> Buffers:
    """Declare the arrays of a solve beyond the graph, the result included."""
    n, vertex, edge = space.num_vertices, index_dtype(space.num_vertices), index_dtype(num_edges)
    return Buffers(
        codes=(n, np.uint32),
        components=((6, n), vertex),
        words=((6, n), np.int64),  # points, remotenesses, exits and seeds, and what the table sorts
        queue=((2, n), vertex),
        open_moves=(n, np.int64),
        rindptr=((2, n), edge),
        edges=((3, num_edges), vertex),
        order=((2, num_edges), np.int64),
    )


def solve(graph: CsrSpace, objective: Score, context: Context) -> SolveResult:
    """Solve a graph with stored edges in O(n + m) time, on one thread.

    Parameters
    ----------
    graph : CsrSpace
    objective : Score
    context : Context

    Returns
    -------
    SolveResult
        With a coded table.

    Raises
    ------
    GraphError
        If the points of some vertex do not fit the words of the objective.

    Examples
    --------
    >>> import retrosolve as rs
    >>> graph = rs.Graph.from_edges([0, 1, 1], [1, 0, 2], payoff={2: -5})
    >>> [str(rs.solve(graph, objective="score")[v]) for v in range(3)]
    ['LOSS by 5 in 2', 'WIN by 5 in 1', 'LOSS by 5 in 0']
    """
    n = graph.num_vertices
    terminal = graph.terminal(0, n)
    ended = (terminal != 0) | (graph.out_degrees() == 0)
    ends = objective.end(EndData(terminal, graph.payoffs(0, n)))
    exists = terminal != INVALID
    points = np.where(ended, np.where(exists, points_of(ends), 0), NONE)
    remoteness = np.full(n, OPEN, np.int64)
    order, bounds, number = graph.components
    source = np.repeat(np.arange(n, dtype=graph.indices.dtype), graph.out_degrees())
    inside = ~ended[source] & (number[source] == number[graph.indices])
    source, target = source[inside], graph.indices[inside]
    open_moves = np.bincount(source, minlength=n)
    rindptr = np.zeros(n + 1, graph.indptr.dtype)
    np.cumsum(np.bincount(target, minlength=n), out=rindptr[1:])
    rindices = source[np.argsort(target, kind="stable")]
    owned, rewarded = graph.owner is not None, graph.reward is not None
    owner = graph.owner if graph.owner is not None else PLACEHOLDER
    reward = graph.reward if graph.reward is not None else PLACEHOLDER
    exit_plies = np.where(ended, 0, ENDLESS)
    queue, seeds = np.empty((2, n), index_dtype(n))
    first, last, budget = 0, len(bounds) - 1, tuning.current().edges_per_report
    while first < last:
        first = jit.run(
            solve_components, n + graph.num_edges, graph.indptr, graph.indices, rindptr, rindices,
            number, order, bounds, owner, owned, reward, rewarded, ended, points, remoteness,
            exit_plies, open_moves, queue, seeds, first, last, budget,
        )  # fmt: skip
        context.progress(Progress("solving", int(bounds[first]), n))
    if n and int(np.abs(points).max()) >= LARGEST:
        v = int(np.abs(points).argmax())
        raise GraphError(
            f"the score of {graph.position(v)!r} is {points[v]}: expected less than {LARGEST} points"
        )
    margins = np.unique(pack(points, np.minimum(remoteness, 0))[exists])
    codec = _codec_of(margins)
    values = np.full(n, INVALID, codec.dtype)
    place = np.searchsorted(margins, pack(points, np.minimum(remoteness, 0))[exists])
    values[exists] = place + (place >= INVALID)  # which is the value of no result
    plies = np.where(exists, remoteness, ENDLESS) if objective.has_levels else None
    return SolveResult(coded_table(codec, values, plies), Statistics(graph.num_edges))


def _codec_of(words: IntArray) -> Codec:
    """Return the codec of margins, given as words with a remoteness of 0 or none, ascending."""
    return codec_of(tuple(Margin(int(points_of(w)), bool(plies_of(w) < 0)) for w in words))


# -- compiled games, tier by tier --------------------------------------------------------------------


def tier_buffers(space: RulesSpace, num_edges: int) -> Buffers:
    """Declare the arrays of ``solve_tiers``: two bytes per index, and the largest tier with moves."""
    n = space.num_vertices
    size = max(above - below for below, above in pairwise([*space.tiers, n]))
    inner = num_edges * size // max(n, 1)
    return Buffers(
        points=(n, np.int8), plies=(n, np.uint8), codes=(n, np.uint16),
        tier=((9, size), np.int32), seeds=((2, size), np.int64), edges=((3, inner), np.int64),
    )  # fmt: skip


def solve_tiers(space: RulesSpace, objective: Score, context: Context) -> SolveResult:
    """Solve a compiled game tier by tier, in O(n + m) time.

    Parameters
    ----------
    space : RulesSpace
    objective : Score
    context : Context

    Returns
    -------
    SolveResult
        With a coded table.

    Raises
    ------
    RulesError
        If the rules break their contract.
    """
    with ThreadPool(context.threads, space.work) as pool:
        marks = mark_reachable(space, pool, context.progress) if space.initial_indices else None
        context.timer.stage("finding positions")
        solved = _Solved(space.num_vertices, objective.has_levels)
        num_edges = 0
        for below, above in pairwise([*space.tiers, space.num_vertices]):
            tier = _Tier(space, objective, pool, solved, marks, below, above)
            num_edges += tier.read()
            tier.solve()
            solved.put(below, tier)
            context.progress(Progress("solving", above, space.num_vertices))
        return SolveResult(solved.table(), Statistics(num_edges))


class _Solved:
    """The points and plies of finished tiers, in as narrow arrays as they fit.

    The least numbers of points stand for INVALID and for endless play. Without levels there is no array
    of plies, and exits count as one ply long.
    """

    def __init__(self, num_vertices: int, has_levels: bool) -> None:
        self.has_levels = has_levels
        self.points: IntArray = np.zeros(num_vertices, np.int8)
        self.plies: IntArray = np.zeros(num_vertices if has_levels else 0, np.uint8)

    @property
    def codes(self) -> tuple[int, int]:
        """The points that stand for INVALID and for endless play."""
        least = int(np.iinfo(self.points.dtype).min)
        return least, least + 1

    def put(self, below: int, tier: _Tier) -> None:
        """Store a tier that is solved."""
        most = int(np.abs(tier.points).max(initial=0))
        while most >= -self.codes[1]:
            before, old = self.codes, self.points
            self.points = old.astype(np.dtype(f"i{2 * old.itemsize}"))
            for code, now in zip(before, self.codes, strict=True):
                self.points[old == code] = now
        most_plies = int(tier.remoteness.max(initial=0)) if self.has_levels else 0
        if most_plies > np.iinfo(self.plies.dtype).max:
            self.plies = self.plies.astype(np.uint32)
        invalid, endless = self.codes
        span = slice(below, below + len(tier.points))
        self.points[span] = np.where(tier.remoteness == ENDLESS, endless, tier.points)
        self.points[span][tier.kind == INVALID] = invalid
        if self.has_levels:
            self.plies[span] = np.maximum(tier.remoteness, 0)

    def table(self) -> CodedTable:
        """Return the table, with a code for each pair of points and plies that occurs."""
        n, (invalid, endless) = len(self.points), self.codes
        words: IntArray = np.zeros(0, np.int64)
        for start, stop in spans(n):
            words = np.union1d(words, self._words(start, stop))
        points, plies = words >> 32, words & 0xFFFFFFFF
        is_real, is_endless = points != invalid, points == endless
        own = pack(np.where(is_endless, 0, points), np.where(is_endless, ENDLESS, 0))[is_real]
        margins = np.unique(own)
        codec = _codec_of(margins)
        values = np.full(len(words), INVALID, codec.dtype)
        place = np.searchsorted(margins, own)
        values[is_real] = place + (place >= INVALID)
        plies = np.where(is_real & ~is_endless, plies, ENDLESS)
        packed = codec.pack(values, plies)
        order = np.argsort(packed)
        rank = np.empty(len(words), np.min_scalar_type(max(len(words) - 1, 0)))
        rank[order] = np.arange(len(words))
        in_place = not self.has_levels and rank.itemsize == self.points.itemsize
        codes = self.points.view(rank.dtype) if in_place else np.empty(n, rank.dtype)
        for start, stop in spans(n):
            codes[start:stop] = rank[np.searchsorted(words, self._words(start, stop))]
        dictionary = Dictionary.of_words(packed[order], self.has_levels, codec)
        return CodedTable([CodesInMemory(codes)], dictionary, self.has_levels, codec)

    def _words(self, start: int, stop: int) -> IntArray:
        """Return points above plies in one number for each of some indices."""
        words: IntArray = self.points[start:stop].astype(np.int64) << 32
        return words | self.plies[start:stop].astype(np.int64) if self.has_levels else words


class _Tier:
    """The indices ``below..above-1`` of a compiled game, numbered from 0, while they are solved.

    ``points``, ``remoteness``, ``exit_plies`` and ``open_moves`` are as in ``solve_components``;
    ``kind`` is 0, the terminal value, or 1 for a position without moves.
    """

    def __init__(
        self, space: RulesSpace, objective: Score, pool: ThreadPool, solved: _Solved,
        marks: IntArray | None, below: int, above: int,
    ) -> None:  # fmt: skip
        self.space, self.objective, self.pool, self.solved = space, objective, pool, solved
        self.below, self.above = below, above
        size = above - below
        self.points = np.full(size, NONE, np.int32)
        self.remoteness = np.full(size, OPEN, np.int32)
        self.exit_plies = np.full(size, ENDLESS, np.int32)
        self.open_moves = np.zeros(size, np.int32)
        self.kind = np.zeros(size, np.uint8)
        self.owner = np.zeros(size if space.capabilities & Capability.OWNED else 1, np.uint8)
        if marks is not None:
            self.kind[code_of(marks[below:above]) == INVALID_CODE] = INVALID
        self.indptr = np.zeros(size + 1, np.int64)

    def read(self) -> int:
        """Make all moves: the best exit of each index and the moves inside; return how many in all."""
        space, owned = self.space, bool(self.space.capabilities & Capability.OWNED)
        ends = self.objective.end(EndData(np.arange(4, dtype=np.uint8)))
        by_terminal = points_of(ends).astype(np.int64)
        has_payoff = space.payoffs(self.below, self.below) is not None
        cuts = [self.below + cut for cut in self.pool.chunks(self.above - self.below)]

        def read(start: int, stop: int) -> tuple[int, int]:
            made, bad = space.run(
                read_exits, start, stop, self.below, self.above, by_terminal, has_payoff,
                self.solved.points, self.solved.plies, *self.solved.codes, self.points,
                self.exit_plies, self.open_moves, self.kind, self.owner, owned, MAX_POINTS,
                space.max_moves,
            )  # fmt: skip
            return int(made), int(bad)

        made = 0
        for moves, bad in self.pool.map_ranges(read, cuts):
            made += moves
            if bad >= 0:  # raises the error of the rules
                space.rewards(bad, bad + 1), space.payoffs(bad, bad + 1)
        np.cumsum(self.open_moves, out=self.indptr[1:])
        self.targets = np.empty(int(self.indptr[-1]), np.int32)
        self.pool.map_ranges(
            lambda start, stop: space.run(
                write_inner_moves,
                start,
                stop,
                self.below,
                self.above,
                self.indptr,
                self.targets,
                self.kind,
                space.max_moves,
            ),
            cuts,
        )
        return made

    def solve(self) -> None:
        """Decide all indices."""
        size, work = self.above - self.below, self.space.work
        rindptr = np.zeros(size + 1, np.int64)
        rindices = np.empty(len(self.targets), np.int32)
        is_due = (self.points != NONE) & (self.kind != INVALID)
        is_due &= (self.points != 0) | (self.exit_plies >= 0)
        seeds = np.flatnonzero(is_due).astype(np.int32)
        stake = np.abs(self.points[seeds]).astype(np.int64)
        seeds = seeds[np.argsort(self.exit_plies[seeds] - (stake << 31), kind="stable")]
        queue = np.empty(size, np.int32)
        if len(self.targets):
            run_kernel(transpose, work, self.indptr, self.targets, rindptr, rindices)
        taken, count = 0, len(seeds)
        owned = len(self.owner) == size and bool(self.space.capabilities & Capability.OWNED)
        while taken < count:
            taken = run_kernel(
                settle, work, rindptr, rindices, self.owner, owned, self.points, self.remoteness,
                self.exit_plies, self.open_moves, queue, seeds, taken, count,
            )  # fmt: skip
        rest = self.remoteness == OPEN
        self.points[rest], self.remoteness[rest] = 0, ENDLESS


def run_kernel(kernel: Any, work: int, *arguments: Any) -> Any:
    """Call a kernel on arrays, compiled where so much work pays, as plain Python elsewhere."""
    return jit.chosen(kernel, work)(*arguments)


def transpose(indptr: IntArray, targets: IntArray, rindptr: IntArray, rindices: IntArray) -> None:
    """Reverse edges.

    Parameters
    ----------
    indptr, targets : int64 [n + 1], int32 [m]
        Rows of the successors.
    rindptr, rindices : int64 [n + 1], int32 [m]
        Zeros, and anything; overwritten with the rows of the predecessors.
    """
    n = len(indptr) - 1
    for e in range(len(targets)):
        rindptr[targets[e] + 1] += 1
    for v in range(n):
        rindptr[v + 1] += rindptr[v]
    for v in range(n):
        for e in range(indptr[v], indptr[v + 1]):
            w = targets[e]
            rindices[rindptr[w]] = v
            rindptr[w] += 1
    for v in range(n, 0, -1):  # each start has moved to the end of its row
        rindptr[v] = rindptr[v - 1]
    rindptr[0] = 0


def read_exits(
    start, stop, below, above, by_terminal, has_payoff, solved_points, solved_plies, invalid, endless,
    points, exit_plies, open_moves, kind, owner, owned, most, max_moves, data, index_table, fault,
):  # fmt: skip
    """Find the best exit of each index of a tier, and count its moves inside.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    below, above : int
        The tier is ``below..above-1``.
    by_terminal : int64 [4]
        The points of terminal values, of the stuck rule at 0.
    has_payoff : bool
        Whether the rules have payoffs instead.
    solved_points, solved_plies : int8 or wider, uint8 or wider [n]
        Of earlier tiers; no plies at all where levels are not asked for.
    invalid, endless : int
        The points that stand for INVALID and for endless play there.
    points, exit_plies, open_moves : int32 [above - below]
        Overwritten; see ``solve_components``.
    kind : uint8 [above - below]
        INVALID where an index is no position; overwritten with the terminal value, 1 where a player is
        stuck.
    owner : uint8 [above - below]
        Overwritten with the player to move, if ``owned``.
    owned : bool
    most : int
        The most points of a payoff or a reward.
    max_moves : int
        The most moves of a position.
    data, index_table, fault
        See ``kernels.checked``.

    Returns
    -------
    moves, bad : int64
        The number of moves, and an index with points that are not allowed, -1 for none.
    """
    data, index_table = no_refcount(data), no_refcount(index_table)
    out = room_for(max_moves)
    limit = position_limit(len(solved_points))
    made, bad = np.int64(0), np.int64(-1)
    for i in range(start, stop):
        v = i - below
        if kind[v] == INVALID:
            continue
        p = position_of(i, data, index_table)
        code = terminal_or_invalid(p, data)
        if code < 0:
            code = INVALID + report_fault(fault, BAD_TERMINAL, p, ZERO, ZERO, ZERO)
        kind[v] = code
        if code == INVALID:
            continue
        if owned:
            owner[v] = player(p, data)
        count = 0
        if code == 0:
            count = successors(p, out, data)
            if count < 0 or count > max_moves or out[max_moves] != CANARY:
                count = report_fault(fault, COUNT, p, count, ZERO, max_moves)
        if count == 0:
            kind[v] = max(code, 1)
            worth = np.int64(payoff(p, data)) if has_payoff else by_terminal[code]
            if worth > most or worth < -most:
                bad = np.int64(i)
                worth = np.int64(0)
            points[v] = worth
            exit_plies[v] = 0
            continue
        made += count
        best, best_plies, inner = np.int64(NONE), np.int64(ENDLESS), 0
        for k in range(count):
            q = out[k]
            if q < 0 or q >= limit:
                q = p + report_fault(fault, TARGET, p, q, ZERO, limit)
            won = np.int64(reward(p, q, data))
            q = canonical(q, data)
            j = index_of(q, data, index_table)
            if q < 0 or j < 0 or j >= above:
                j = report_fault(fault, INDEX, p, q, j, above)
            if j >= below:
                inner += 1
                if won != 0:
                    bad = np.int64(i)
                continue
            if won > most or won < -most:
                bad = np.int64(i)
            there = np.int64(solved_points[j])
            plies = np.int64(solved_plies[j]) + 1 if len(solved_plies) > 0 else np.int64(1)
            if there == invalid:
                report_fault(fault, NO_TARGET, p, q, j, ZERO)
            if there == endless:
                there, plies = np.int64(0), np.int64(ENDLESS)
            if won != 0:
                plies = np.int64(1)
            won += there if same_side(p, q, data) else -there
            # The best exit, as in solve_components: the most points, then soon, late for a loss.
            if won < best:
                continue
            if won > best:
                best, best_plies = won, plies
            elif best < 0:
                best_plies = max(best_plies, plies)
            elif plies >= 0 and (best_plies < 0 or plies < best_plies):
                best_plies = plies
        points[v] = best
        exit_plies[v] = best_plies
        open_moves[v] = inner
    check_guard(start, stop, OVERRUN, out, max_moves, fault)
    return made, bad


def write_inner_moves(
    start, stop, below, above, indptr, targets, kind, max_moves, data, index_table, fault
):  # fmt: skip
    """Write where the moves inside a tier lead, counted from the beginning of the tier.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    below, above : int
        The tier is ``below..above-1``.
    indptr : int64 [above - below + 1]
        Row starts, from ``read_exits``.
    targets : int32 [moves inside]
        Overwritten.
    kind : uint8 [above - below]
        INVALID where an index is no position.
    max_moves : int
        The most moves of a position.
    data, index_table, fault
        See ``kernels.checked``.
    """
    data, index_table = no_refcount(data), no_refcount(index_table)
    out = room_for(max_moves)
    for i in range(start, stop):
        at, end = indptr[i - below], indptr[i - below + 1]
        if at == end:
            continue
        p = position_of(i, data, index_table)
        count = successors(p, out, data)
        if count < 0 or count > max_moves or out[max_moves] != CANARY:
            count = report_fault(fault, COUNT, p, count, ZERO, max_moves)
        for k in range(count):
            q = canonical(out[k], data)
            j = index_of(q, data, index_table)
            if j >= below and j < above and at < end:
                if kind[j - below] == INVALID:
                    report_fault(fault, NO_TARGET, p, q, j, ZERO)
                targets[at] = j - below
                at += 1
        if at != end:
            report_fault(fault, CHANGED, p, count, ZERO, end - at)
            return
    check_guard(start, stop, OVERRUN, out, max_moves, fault)


# -- the kernels of both -----------------------------------------------------------------------------


def solve_components(
    indptr: IntArray, indices: IntArray, rindptr: IntArray, rindices: IntArray, number: IntArray,
    order: IntArray, bounds: IntArray, owner: IntArray, owned: bool, reward: IntArray, rewarded: bool,
    ended: IntArray, points: IntArray, remoteness: IntArray, exit_plies: IntArray,
    open_moves: IntArray, queue: IntArray, seeds: IntArray, first: int, last: int, budget: int,
) -> int:  # fmt: skip
    """Solve components until none is left or ``budget`` edges and vertices have been visited.

    Parameters
    ----------
    indptr, indices : int32 or int64 [n + 1], [m]
        Rows of the successors.
    rindptr, rindices : int32 or int64 [n + 1], [edges inside components]
        Rows of the predecessors in the same component.
    number, order, bounds : int32 or int64 [n], [n], [components + 1]
        See ``csr.components``.
    owner : uint8 [n]
        The player to move, read only if ``owned``.
    owned : bool
        Whether vertices have owners; if not, players alternate.
    reward : int32 [m]
        Read only if ``rewarded``.
    rewarded : bool
    ended : bool [n]
        Whether the game is over.
    points : int64 [n]
        The points of each vertex, until it is decided those of its best exit; ``NONE`` for none, and
        the payoff where the game is over. Changed in place.
    remoteness : int64 [n]
        OPEN, or the plies, ENDLESS for none. Changed in place.
    exit_plies : int64 [n]
        The plies of the best exit, ENDLESS for none; 0 where the game is over. Changed in place.
    open_moves : int64 [n]
        Moves inside the component not yet seen to lose. Changed in place.
    queue, seeds : int32 or int64 [n]
        Overwritten.
    first, last : int
        The components ``first..last-1`` are still to be solved.
    budget : int

    Returns
    -------
    int
        The component to go on with.
    """
    while first < last and budget > 0:
        begin, end = bounds[first], bounds[first + 1]
        first += 1
        count = 0
        for place in range(begin, end):
            v = order[place]
            budget -= indptr[v + 1] - indptr[v] + 1
            if not ended[v]:
                best, best_plies = NONE, ENDLESS
                for e in range(indptr[v], indptr[v + 1]):
                    w = indices[e]
                    if number[w] == number[v]:
                        continue
                    won = points[w] if owned and owner[v] == owner[w] else -points[w]
                    plies = remoteness[w] + 1 if remoteness[w] >= 0 else ENDLESS
                    if rewarded and reward[e] != 0:
                        won += reward[e]
                        plies = 1
                    if won < best:
                        continue
                    if won > best:
                        best, best_plies = won, plies
                    elif best < 0:
                        best_plies = max(best_plies, plies)
                    elif plies >= 0 and (best_plies < 0 or plies < best_plies):
                        best_plies = plies
                points[v], exit_plies[v] = best, best_plies
            if points[v] != NONE and (points[v] != 0 or exit_plies[v] >= 0):
                seeds[count] = v
                count += 1
        if count > 1:
            key, listed = np.empty(count, np.int64), np.empty(count, np.int64)
            for place in range(count):
                v = listed[place] = seeds[place]
                key[place] = exit_plies[v] - (abs(points[v]) << 31)
            rank = np.argsort(key)
            for place in range(count):
                seeds[place] = listed[rank[place]]
        taken = 0
        while taken < count:
            taken = settle(
                rindptr, rindices, owner, owned, points, remoteness, exit_plies, open_moves, queue,
                seeds, taken, count,
            )  # fmt: skip
        for place in range(begin, end):
            v = order[place]
            if remoteness[v] == OPEN:
                points[v], remoteness[v] = 0, ENDLESS
    return first


def settle(
    rindptr: IntArray, rindices: IntArray, owner: IntArray, owned: bool, points: IntArray,
    remoteness: IntArray, exit_plies: IntArray, open_moves: IntArray, queue: IntArray, seeds: IntArray,
    taken: int, count: int,
) -> int:  # fmt: skip
    """Decide what wins or loses the points of one seed, all seeds of as many included.

    The parameters are those of :func:`solve_components`; ``seeds[taken:count]`` are left, the largest
    points first, then the nearest. A 0 is decided by one move to it, as a TIE is.

    Returns
    -------
    int
        The place of the first seed of fewer points.
    """
    head, tail, stake = 0, 0, -1
    while True:
        # Seeds enter the queue in order of remoteness, before others of the same notify anybody.
        while taken < count:
            w = seeds[taken]
            if remoteness[w] == OPEN:
                if stake < 0:
                    stake = abs(points[w])
                if abs(points[w]) < stake or (head < tail and exit_plies[w] > remoteness[queue[head]]):
                    break
                if points[w] > 0 or open_moves[w] == 0 or stake == 0:
                    remoteness[w] = exit_plies[w]
                    queue[tail] = w
                    tail += 1
            taken += 1
        if head == tail:
            return taken
        w = queue[head]
        head += 1
        # worklist.propagate, where the player who moves at v wins at w if the points are his:
        #     for each predecessor v of w that is open:
        #         if who moves at v wins (or ties) at w: decide v
        #         else: count down its open moves; at zero v is a LOSS
        plies = remoteness[w] + 1
        for e in range(rindptr[w], rindptr[w + 1]):
            v = rindices[e]
            if remoteness[v] != OPEN:
                continue
            same = owned and owner[v] == owner[w]
            if stake == 0 or (points[w] > 0) == same:
                points[v] = stake
            else:
                open_moves[v] -= 1
                if open_moves[v] > 0 or points[v] > -stake:
                    continue  # another move is open, or the best exit loses less
                if points[v] == -stake and exit_plies[v] > plies:
                    continue  # the exit lasts longer; it is due then
                points[v] = -stake
            remoteness[v] = plies
            queue[tail] = v
            tail += 1

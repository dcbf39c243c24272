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

``solve_tiers`` does the same for compiled games, tier by tier. Predecessors are generated where the
rules can, otherwise the moves inside a tier are stored while it is solved. A position takes a byte for
the points and one for the plies, more where these do not fit, and in the tier that is solved one to
count. Each level is a pass over the tier or a queue, as in ``generated``; tiers are written to disk as
there. A tier inside which all moves lead to smaller indices, as in kalah, takes one pass in the order
of the index and none of this, since each move leads to what is decided.

Washburn, "Deterministic graphical games", J. Math. Anal. Appl. 153 (1990), proves that the values are
found in this order; counters make it linear.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from retrosolve.arrays import IntArray, index_dtype, or_placeholder, row_bounds, spans
from retrosolve.compilation import jit
from retrosolve.compilation.atomic import exchange, no_refcount, prefetch
from retrosolve.errors import GraphError, RulesError
from retrosolve.objectives.base import Codec, EndData
from retrosolve.objectives.score import (
    LARGEST,
    NO_WORD,
    Score,
    coded,
    pack,
    plies_of,
    points_of,
)
from retrosolve.objectives.words import INVALID_CODE, code_of
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Context, Progress, Tiers, counted
from retrosolve.runtime.threads import ThreadPool
from retrosolve.runtime.workspace import Buffers
from retrosolve.solvers.serial import reverse_rows
from retrosolve.spaces.base import Capability, CsrSpace, RulesSpace, StateSpace
from retrosolve.spaces.checked import (
    CHANGED,
    NO_TARGET,
    OVERRUN,
    PREDECESSOR_OVERRUN,
    ZERO,
    canonical,
    check_guard,
    checked_code,
    checked_count,
    checked_index,
    checked_target,
    distinct_predecessors,
    index_of,
    payoff,
    player,
    position_limit,
    position_of,
    report_fault,
    reward,
    room_for,
    same_position,
    same_side,
    successors,
    terminal_or_invalid,
)
from retrosolve.spaces.csr.validation import MAX_POINTS
from retrosolve.spaces.reachability import mark_reachable
from retrosolve.spaces.tier_window import Marks, held_indices, writing_bytes
from retrosolve.tables.coded import CodedTable, CodesInMemory, Dictionary, coded_table
from retrosolve.tables.result import SolveResult, Statistics
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
    n, terminal = graph.num_vertices, graph.terminal(0, graph.num_vertices)
    ends = points_of(objective.end(EndData(terminal, graph.payoffs(0, n))))
    rows = _Rows(graph.indptr, graph.indices, *graph.components, graph.owner, graph.reward)
    points, remoteness = _points(rows, terminal, ends, context)
    limit = LARGEST - MAX_POINTS  # a move may lose as many more
    if len(points) and int(np.abs(points).max()) >= limit:
        v = int(np.abs(points).argmax())
        raise GraphError(
            f"the score of {graph.position(v)!r} has {limit} points or more: expected fewer"
        )
    words = np.where(terminal != INVALID, pack(points, remoteness), NO_WORD)
    codec, values, plies = coded(words, objective.has_levels)
    table = coded_table(codec, values, plies if objective.has_levels else None)
    return SolveResult(table, Statistics(graph.num_edges))


class _Rows(NamedTuple):
    """The rows of a graph, its components as in ``csr.components``, and what it has besides."""

    indptr: IntArray
    indices: IntArray
    order: IntArray
    bounds: IntArray
    number: IntArray
    owner: IntArray | None
    reward: IntArray | None


def _points(
    rows: _Rows, terminal: IntArray, ends: IntArray, context: Context
) -> tuple[IntArray, IntArray]:
    """Return the points of each vertex, and the remoteness, ENDLESS for none.

    ``terminal`` has the terminal value of each vertex, ``ends`` the points where the game is over.
    """
    indptr, indices, order, bounds, number, owner, reward = rows
    n, degrees = len(indptr) - 1, np.diff(indptr)
    ended = (terminal != 0) | (degrees == 0)
    points = np.where(ended, np.where(terminal != INVALID, ends, 0), NONE)
    remoteness = np.full(n, OPEN, np.int64)
    source = np.repeat(np.arange(n, dtype=indices.dtype), degrees)
    inside = ~ended[source] & (number[source] == number[indices])
    source, target = source[inside], indices[inside]
    open_moves = np.bincount(source, minlength=n)
    rindptr = row_bounds(np.bincount(target, minlength=n), indptr.dtype)
    rindices = source[np.argsort(target, kind="stable")]
    movers, owned = or_placeholder(owner)
    rewards, rewarded = or_placeholder(reward)
    exit_plies = np.where(ended, 0, ENDLESS)
    queue, seeds = np.empty((2, n), index_dtype(n))
    first, last, budget = 0, len(bounds) - 1, tuning.current().edges_per_report
    while first < last:
        first = jit.run(
            solve_components, n + len(indices), indptr, indices, rindptr, rindices, number, order,
            bounds, movers, owned, rewards, rewarded, ended, points, remoteness, exit_plies,
            open_moves, queue, seeds, first, last, budget,
        )  # fmt: skip
        context.progress(Progress("solving", int(bounds[first]), n))
    return points, remoteness


# -- compiled games, tier by tier --------------------------------------------------------------------

# Codes of points: from 2 on they are the points plus a bias. Memory that was given back reads as zeros,
# so a move to a tier that is not in memory leads to no position.
NOTHING, FOREVER = 0, 1  # no position, or no exit so far; endless play
MAX_MOVES = 253  # up to it a byte counts open moves, and has two marks: see _Tier
QUEUE_SHARE = 16
LEAST_SHARED, SHARES = 1 << 12, 4  # what several threads notify, in so many shares for each
WIDEST = 4  # bytes of a code
INLINED = ("decides",)


def tier_buffers(space: RulesSpace, num_edges: int) -> Buffers:
    """Declare the arrays of ``solve_tiers``: two bytes per index, the table, and the largest tier."""
    n = space.num_vertices
    return Buffers(codes=(n, np.uint16)) | _tier_buffers(space, num_edges, n)


def tier_disk_bytes(space: RulesSpace) -> int:
    """Return the least bytes that ``solve_tiers`` takes if finished tiers are written to disk."""
    stores = Capability.PREDECESSORS not in space.capabilities
    num_edges = space.estimate().likely_edges if stores else 0
    buffers = _tier_buffers(space, num_edges, held_indices(space))
    return buffers.num_bytes + writing_bytes(space.num_vertices)


def _tier_buffers(space: RulesSpace, num_edges: int, num_held: int) -> Buffers:
    """Declare the arrays of a tier, and of as many indices as are in memory with it."""
    n = space.num_vertices
    size = max(space.tier_sizes)
    held = Buffers(
        points=(num_held, np.int8), plies=(num_held, np.uint8),
        tier=((2, size), np.uint8), queues=((2, _queue_length(size)), np.int32),
    )  # fmt: skip
    if space.initial_indices:
        held |= Buffers(marks=(n, np.uint16))
    if Capability.PREDECESSORS in space.capabilities:
        return held
    inner = num_edges * size // max(n, 1)
    return held | Buffers(
        rows=((2, size), np.int64), owner=(size, np.uint8), edges=((2, inner), np.int32)
    )


def _queue_length(size: int) -> int:
    """Return the length of the queue of a tier of some size."""
    return min(size, max(1 << 16, size // QUEUE_SHARE))


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

    Notes
    -----
    Of a tier memory holds three bytes per index, while these fit, and a queue. Predecessors are
    generated where the rules can; otherwise the moves inside the tier are stored. A solve on disk holds
    besides only the tiers that moves of this one lead to.
    """
    files = context.checkpoint.tiers
    with ThreadPool(context.threads, space.work) as pool:
        marks = mark_reachable(space, pool, context.progress) if space.initial_indices else None
        context.timer.stage("finding positions")
        solved = _Solved(space, objective)
        num_edges = 0
        if files is not None:
            files.coding, num_edges = solved, files.num_edges
            if not files.num_finished and _is_held(space, context):
                files.hold(partial(solved.words, 0), None)
        for number, (below, above) in enumerate(space.tier_bounds):
            if files is not None:
                if number < files.num_finished:
                    continue
                solved.keep(number, files)
            tier = _Tier(space, objective, context, pool, solved, marks, below, above)
            num_edges += tier.solve()
            if files is not None:
                files.write(number, partial(solved.words, below), num_edges, 0, pool)
                context.timer.stage("writing")
            context.progress(Progress("solving", above, space.num_vertices))
        if files is None or (files.is_held and not files.num_written):
            return SolveResult(solved.table(pool), Statistics(num_edges))
        codes, dictionary = files.codes(), files.dictionary()
        table = CodedTable(codes, dictionary, objective.has_levels, solved.codec)
        return SolveResult(table, Statistics(num_edges))


def _is_held(space: RulesSpace, context: Context) -> bool:
    """Return whether all tiers stay in memory, to be written together."""
    needed = tier_buffers(space, space.estimate().likely_edges).num_bytes
    left = context.memory_left
    return needed <= tuning.current().max_held_bytes and (left is None or needed <= left)


class _Solved:
    """The points and plies of the tiers in memory, as codes of as narrow types as they fit.

    Without levels there is no array of plies beyond that of a tier, and exits count as one ply long.
    It is also the coding of these words on disk; see ``runtime.context.Coding``.
    """

    # In how many chunks tiers are solved in the order of the index, None for those of all threads. What
    # has failed for one tier is not tried again.
    orders: tuple[int | None, ...] = (None, 1)

    def __init__(self, space: RulesSpace, objective: Score) -> None:
        self.space, self.objective, self.has_levels = space, objective, objective.has_levels
        self.bounds = space.tier_bounds
        self._loaded: set[int] = set()
        self.codec: Codec
        self._allocate(np.uint8)

    def _allocate(self, dtype: Any) -> None:
        """Allocate zeros of a type."""
        n = self.space.num_vertices
        self._memory = Marks(n, dtype, True), Marks(n if self.has_levels else 0, dtype, True)
        self.points, self.plies = (memory.values for memory in self._memory)
        self.bias = 1 << (8 * self.points.itemsize - 1)
        self.most_points = self.bias - FOREVER - 1
        self.most_plies = 2 * self.bias - 2

    def widen(self) -> None:
        """Move all to wider types."""
        points, plies, before = self.points, self.plies, self.bias
        self._allocate(np.dtype(f"u{2 * points.itemsize}"))
        for start, stop in spans(len(points)):
            old = points[start:stop].astype(np.int64)
            self.points[start:stop] = old + (self.bias - before) * (old > FOREVER)
            if self.has_levels:
                self.plies[start:stop] = plies[start:stop]

    def keep(self, tier: int, files: Tiers) -> None:
        """Have in memory the tiers that moves out of one lead to, and no others unless all are held."""
        needed = set(self.space.tier_targets(tier))
        for number in sorted(needed - self._loaded):
            self._load(number, files)
        if not files.is_held:
            for number in self._loaded - needed:
                below, above = self.bounds[number]
                for memory in self._memory:
                    memory.forget(below, above)
            self._loaded &= needed
        self._loaded.add(tier)

    def _load(self, tier: int, files: Tiers) -> None:
        """Read a finished tier."""
        below, above = self.bounds[tier]
        for start, stop in spans(above - below):
            words = files.read(tier, start, stop).astype(np.int64)
            points, plies = points_of(words), plies_of(words)
            exists = words != NO_WORD
            while (
                int(np.abs(points[exists]).max(initial=0)) > self.most_points
                or int(plies.max(initial=0)) > self.most_plies
            ):
                self.widen()
            codes = np.where(plies < 0, FOREVER, points + self.bias)
            self.points[below + start : below + stop] = np.where(exists, codes, NOTHING)
            if self.has_levels:
                self.plies[below + start : below + stop] = np.maximum(plies, 0)

    def words(self, first: int, start: int, stop: int) -> IntArray:
        """Return points and plies of some indices, counted from one, in as narrow a number each."""
        span = slice(first + start, first + stop)
        points, width = self.points[span], self.points.itemsize
        if not self.has_levels:
            return points
        if width == WIDEST:
            return self._packed(points.astype(np.int64), self.plies[span].astype(np.int64), 8 * width)
        words: IntArray = points.astype(np.dtype(f"u{2 * width}"))
        words |= self.plies[span].astype(words.dtype) << words.dtype.type(8 * width)
        return words

    def canonical(self, words: IntArray) -> IntArray:
        """Return such numbers as words of the objective, uint64."""
        if words.itemsize > WIDEST:
            return words
        bits = 8 * words.itemsize // (2 if self.has_levels else 1)
        codes, plies = words.astype(np.int64) & ((1 << bits) - 1), words.astype(np.int64) >> bits
        return self._packed(codes, plies, bits)

    def _packed(self, codes: IntArray, plies: IntArray, bits: int) -> IntArray:
        """Return words of the objective from codes of points of so many bits."""
        endless = codes == FOREVER
        points = np.where(endless, 0, codes - (1 << (bits - 1)))
        words = pack(points, np.where(endless, ENDLESS, plies))
        return np.where(codes == NOTHING, NO_WORD, words).astype(np.uint64)

    def dictionary(self, words: IntArray) -> Dictionary:
        """Return the values of canonical words, by the results of a codec of their own."""
        self.codec, values, plies = coded(words.astype(np.int64), self.has_levels)
        return Dictionary(values, plies)

    def table(self, pool: ThreadPool) -> CodedTable:
        """Return the table, with a code for each pair of points and plies that occurs."""
        n = self.space.num_vertices
        cuts = [*(start for start, _ in spans(n)), n]
        occurring = pool.map_ranges(lambda *span: np.unique(self.words(0, *span)), cuts)
        words = np.unique(np.concatenate([self.words(0, 0, 0), *occurring]))
        packed, rank = np.unique(
            self.dictionary(self.canonical(words)).words(self.codec), return_inverse=True
        )
        rank = rank.astype(np.min_scalar_type(max(len(packed) - 1, 0)))
        in_place = not self.has_levels and rank.itemsize == self.points.itemsize
        codes = self.points if in_place else np.empty(n, rank.dtype)

        def code(start: int, stop: int) -> None:
            codes[start:stop] = rank[np.searchsorted(words, self.words(0, start, stop))]

        pool.map_ranges(code, cuts)
        dictionary = Dictionary.of_words(packed, self.has_levels, self.codec)
        return CodedTable([CodesInMemory(codes)], dictionary, self.has_levels, self.codec)


class _Tier:
    """The indices ``below..above-1`` of a compiled game, numbered from 0, while they are solved.

    ``points`` and ``plies`` have the codes of the best exit of each index until that is decided, then
    its own. ``moves`` counts its open moves inside the tier; the largest number there is, ``top``, says
    that it is decided or no position, and one less that the game is over for points not at stake yet.
    """

    def __init__(
        self, space: RulesSpace, objective: Score, context: Context, pool: ThreadPool, solved: _Solved,
        marks: IntArray | None, below: int, above: int,
    ) -> None:  # fmt: skip
        self.space, self.objective, self.context, self.pool = space, objective, context, pool
        self.solved, self.below, self.above = solved, below, above
        size = above - below
        self.generates = Capability.PREDECESSORS in space.capabilities
        self.owned = bool(space.capabilities & Capability.OWNED)
        kind = np.uint8 if space.max_moves <= MAX_MOVES else np.uint32
        self.moves: IntArray = np.zeros(size, kind)
        self.top = int(np.iinfo(kind).max)
        self.own_plies = np.zeros(len(self.moves) * (not solved.has_levels), solved.points.dtype)
        self.owner = np.zeros(size if self.owned and not self.generates else 1, np.uint8)
        if marks is not None:
            absent = code_of(marks[below:above]) == INVALID_CODE
            self.moves[absent] = self.top

    @property
    def points(self) -> IntArray:
        """The codes of points, changed in place."""
        return self.solved.points[self.below : self.above]

    @property
    def plies(self) -> IntArray:
        """The plies, changed in place."""
        levels = self.solved.has_levels
        return self.solved.plies[self.below : self.above] if levels else self.own_plies

    def solve(self) -> int:
        """Decide all indices; return how many moves there are."""
        while self.solved.orders:
            made, _ = self._read_all(is_ordered=True)
            if made >= 0:
                self.context.timer.stage("tiers in one pass")
                return made
            self.solved.orders = self.solved.orders[1:]
        made, _ = self._read_all()
        if not self.generates:
            self._store_moves()
        self.context.timer.stage("initialisation")
        self.queues = np.empty((2, _queue_length(len(self.moves))), np.int32)
        for stake in self._stakes():
            self._decide(stake)
        for start, stop in spans(len(self.moves)):
            self.points[start:stop][self.moves[start:stop] != self.top] = FOREVER
        self.context.timer.stage("propagation")
        return made

    def _widen(self) -> None:
        """Move points and plies to wider types."""
        self.solved.widen()
        self.own_plies = self.own_plies.astype(self.solved.points.dtype)

    def _read_all(self, is_ordered: bool = False) -> tuple[int, int]:
        """Make all moves, with types that are wide enough; see ``_read``."""
        made, most = self._read(is_ordered)
        while most > self.solved.most_points:
            self._widen()
            if most <= self.solved.most_points:
                made, most = self._read(is_ordered)
        if most >= LARGEST:
            raise RulesError(
                f"{self.space.name}: a move wins or loses {most} points: expected less than {LARGEST}"
            )
        return made, most

    def _read(self, is_ordered: bool) -> tuple[int, int]:
        """Make all moves: the best exit of each index, and how many stay inside.

        Parameters
        ----------
        is_ordered : bool
            Whether moves inside to smaller indices of the same chunk are exits, too, and no others are
            expected; then the best exit is what the position is worth.

        Returns
        -------
        made, most : int
            The number of moves, -1 if there are others, and the most points of an exit, which may not
            fit the codes.
        """
        space, solved = self.space, self.solved
        ends = Score(self.objective.stuck).end(EndData(np.arange(4, dtype=np.uint8)))
        by_terminal = points_of(ends).astype(np.int64)
        has_payoff = space.payoffs(self.below, self.below) is not None
        count = solved.orders[0] if is_ordered else None
        cuts = self.pool.chunks(self.above - self.below, count, start=self.below)
        known = solved.points, solved.plies, solved.has_levels

        def read(start: int, stop: int, first: int = self.above) -> tuple[int, int, int]:
            made, most, bad = space.run(
                read_exits, start, stop, first, self.below, self.above, by_terminal, has_payoff, *known,
                solved.bias, solved.most_plies, self.points, self.plies,
                self.moves, self.top, self.generates, self.owner, self.owned and not self.generates,
                MAX_POINTS, space.max_moves,
            )  # fmt: skip
            return int(made), int(most), int(bad)

        def read_in_order(start: int, stop: int) -> tuple[int, int, int]:
            """Read a range a span at a time, until a move leads elsewhere than to smaller indices."""
            made, most = 0, 0
            for begin, end in spans(stop - start):
                more, points, bad = read(start + begin, start + end, start)
                made, most = made + more, max(most, points)
                if more < 0 or most > solved.most_points:
                    return -1, most, -1
                if bad >= 0:
                    return made, most, bad
                self._report()
            return made, most, -1

        report = counted(self.context.progress, "initialisation", self.below, space.num_vertices)
        results = self.pool.map_ranges(read_in_order if is_ordered else read, cuts, report)
        for _, _, bad in results:
            if bad >= 0:  # raises the error of the rules
                space.rewards(bad, bad + 1), space.payoffs(bad, bad + 1)
        made, most = [made for made, _, _ in results], [most for _, most, _ in results]
        return -1 if min(made, default=0) < 0 else sum(made), max(most, default=0)

    def _store_moves(self) -> None:
        """Store the moves inside the tier, reversed."""
        space, size = self.space, self.above - self.below
        counts = np.where(self.moves < self.top - 1, self.moves, 0)
        indptr, rindptr = row_bounds(counts), np.zeros(size + 1, np.int64)
        targets, self.rindices = np.empty((2, int(indptr[-1])), np.int32)
        self.pool.map_ranges(
            lambda start, stop: space.run(
                write_inner_moves, start, stop, self.below, self.above, indptr, targets, self.moves,
                self.top, space.max_moves,
            ),
            self.pool.chunks(size, start=self.below),
        )  # fmt: skip
        if len(targets):
            jit.run(reverse_rows, space.work, indptr, targets, rindptr, self.rindices)
        self.rindptr = rindptr

    def _stakes(self) -> list[int]:
        """Return the points of exits without their sign, the most first."""
        stakes: IntArray = np.zeros(0, np.int64)
        for start, stop in spans(len(self.moves)):
            codes = np.unique(self.points[start:stop]).astype(np.int64)
            stakes = np.union1d(stakes, np.abs(codes[codes > FOREVER] - self.solved.bias))
        return [int(stake) for stake in stakes[::-1]]

    def _decide(self, stake: int) -> None:
        """Decide what wins or loses so many points, level by level; a 0 takes one move to it, as a TIE.

        A level is a pass over the tier where exits of it are due, or the last one was too long for the
        queue; otherwise it takes what the last one has decided.
        """
        queue, fresh = self.queues
        level, waiting, due = 0, -1, -1
        while True:
            if level >= self.solved.most_plies:
                self._widen()
            if waiting < 0:
                waiting, due = self._pass(stake, level, fresh)
            else:
                waiting = self._notify(queue[:waiting], stake, level, 0, fresh)
            if not waiting and due <= level:
                return
            level = level + 1 if waiting else due
            if not 0 < waiting <= len(fresh) or level == due:
                waiting = -1
            queue, fresh = fresh, queue

    def _pass(self, stake: int, level: int, fresh: IntArray) -> tuple[int, int]:
        """Take all of a level; return how many that decides, and the next level with an exit."""
        tail, later = 0, self.solved.most_plies + 1
        won, lost, top = self.solved.bias + stake, self.solved.bias - stake, self.top

        def due(start: int, stop: int) -> tuple[IntArray, int]:
            """Return whom this level decides of a range, and the next level that decides one there."""
            codes, plies = self.points[start:stop], self.plies[start:stop]
            at = np.flatnonzero(((codes == won) | (codes == lost)) & (plies >= level))
            moves, plies = self.moves[start + at], plies[at]
            pending = plies[(moves != top) & (plies > level)]
            # A loss by an exit waits until the moves inside are answered.
            ready = (codes[at] == won) | (moves == 0) | (moves >= top - 1)
            now = (start + at[ready & (plies == level)]).astype(np.int32)
            self.moves[now] = top
            return now, int(pending.min(initial=later))

        # Threads look at as many parts, and only then notify: what they read must not change meanwhile.
        parts, together = list(spans(len(self.moves))), self.pool.threads
        for first in range(0, len(parts), together):
            shared = parts[first : first + together]
            cuts = [start for start, _ in shared] + [shared[-1][1]]
            found = self.pool.map_ranges(due, cuts)
            later = min(later, *(soonest for _, soonest in found))
            now = np.concatenate([decided for decided, _ in found])
            tail = self._notify(now, stake, level, tail, fresh)
            self._report()
        return tail, later if later <= self.solved.most_plies else -1

    def _notify(self, decided: IntArray, stake: int, level: int, tail: int, fresh: IntArray) -> int:
        """Notify the predecessors of what was decided at a level; see ``notify_generated``.

        Each thread takes a share, and writes to a part of the queue. A part that is too short makes
        the queue count as full.
        """
        count = 1 if len(decided) < LEAST_SHARED else SHARES * self.pool.threads
        room = max(0, len(fresh) - tail) // count

        def notify(k: int) -> int:
            share = decided[len(decided) * k // count : len(decided) * (k + 1) // count]
            start = tail + room * k
            return self._notify_share(share, stake, level, fresh[start : start + room])

        numbers = self.pool.map(notify, count)
        if max(numbers) > room:
            return max(tail + sum(numbers), len(fresh) + 1)
        end = tail
        for k, number in enumerate(numbers):
            fresh[end : end + number] = fresh[tail + room * k : tail + room * k + number]
            end += number
        return end

    def _notify_share(self, decided: IntArray, stake: int, level: int, fresh: IntArray) -> int:
        """Notify the predecessors of a share; return how many that decides."""
        space, solved = self.space, self.solved
        state = self.points, self.plies, self.moves, self.top, solved.bias
        if self.generates:
            return int(space.run(
                notify_generated, decided, stake, level, 0, fresh, *state, self.below, self.above,
                space.max_predecessors,
            ))  # fmt: skip
        stored = self.owner, self.owned, self.rindptr, self.rindices
        kernel = space.kernels.kernel(notify_stored, space.work)
        return int(kernel(decided, stake, level, 0, fresh, *state, *stored))

    def _report(self) -> None:
        """Report the tier, and let an interruption take effect."""
        self.context.progress(Progress("solving", self.below, self.space.num_vertices))


def read_exits(
    start, stop, first, below, above, by_terminal, has_payoff, solved_points, solved_plies, has_levels,
    bias, latest, points, plies, moves, top, distinct, owner, owned, most, max_moves, data,
    index_table, fault,
):  # fmt: skip
    """Find the best exit of each index of a tier, and count its moves inside.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    first : int
        ``above``; or all from here on to the index that is looked at have been decided, so that moves
        there are exits, too, and the first other move inside ends the pass.
    below, above : int
        The tier is ``below..above-1``.
    by_terminal : int64 [4]
        The points of terminal values, of the stuck rule at 0.
    has_payoff : bool
        Whether the rules have payoffs instead.
    solved_points, solved_plies : unsigned integers [n]
        Codes of earlier tiers.
    has_levels : bool
        Whether ``solved_plies`` are read.
    bias, latest : int
        What codes of points have added, and the most plies.
    points, plies : unsigned integers [above - below]
        Overwritten with the codes of the best exit.
    moves : uint8 or uint32 [above - below]
        ``top`` where an index is no position. Overwritten with the moves inside, or with the marks.
    top : int
        The largest number of the type of ``moves``.
    distinct : bool
        Whether a position inside to which several moves lead counts once.
    owner : uint8 [above - below]
        Overwritten with the player to move, if ``owned``.
    owned : bool
    most : int
        The most points of a payoff or a reward.
    max_moves : int
        The most moves of a position.
    data, index_table, fault
        See ``spaces.checked``.

    Returns
    -------
    made, largest, bad : int64
        The number of moves, -1 if another move inside has ended the pass, the most points of a best
        exit, and an index with points that are not allowed, -1 for none.
    """
    data, index_table, fault = no_refcount((data, index_table, fault))
    out = room_for(max_moves)
    limit = position_limit(len(solved_points))
    made, largest, bad = np.int64(0), np.int64(0), np.int64(-1)
    in_order = first < above
    for i in range(start, stop):
        v = i - below
        if in_order and (made < 0 or largest > bias - FOREVER - 1):
            break  # in types that are too narrow, exits would be read from what does not fit
        if moves[v] == top:
            continue
        p = position_of(i, data, index_table)
        code = checked_code(terminal_or_invalid(p, data), p, fault)
        if code == INVALID:
            moves[v] = top
            points[v] = NOTHING
            continue
        if owned:
            owner[v] = player(p, data)
        count = 0
        if code == 0:
            count = checked_count(successors(p, out, data), p, out[max_moves], max_moves, fault)
        if count == 0:
            worth = np.int64(payoff(p, data)) if has_payoff else by_terminal[code]
            if worth > most or worth < -most:
                bad = np.int64(i)
                worth = np.int64(0)
            largest = max(largest, abs(worth))
            points[v] = worth + bias
            plies[v] = 0
            moves[v] = top - 1
            continue
        made += count
        inner = 0
        best, best_plies = np.int64(NONE), np.int64(ENDLESS)
        for k in range(count):
            q = checked_target(out[k], p, limit, fault)
            won = np.int64(reward(p, q, data))
            q = canonical(q, data)
            j = checked_index(index_of(q, data, index_table), p, q, above, fault)
            if j >= below and won != 0:
                bad = np.int64(i)
            if j >= below and (j < first or j >= i):
                if in_order:
                    made = np.int64(-1)
                    break
                again = False
                if distinct:
                    for earlier in range(inner):
                        again |= out[earlier] == j
                if not again:
                    out[inner] = j  # of these moves, all before this one have been read
                    inner += 1
                continue
            if won > most or won < -most:
                bad = np.int64(i)
            same = same_side(p, q, data)
            there = np.int64(solved_points[j])
            later = np.int64(solved_plies[j]) + 1 if has_levels else np.int64(1)
            if there == NOTHING:
                report_fault(fault, NO_TARGET, p, q, j, ZERO)
            if there == FOREVER:
                there, later = np.int64(bias), np.int64(ENDLESS)
            if won != 0:
                later = np.int64(1)
            worth = won + (there - bias if same else bias - there)
            # The best exit, as in solve_components: the most points, then soon, late for a loss.
            if worth < best:
                continue
            if worth > best:
                best, best_plies = worth, later
            elif worth < 0:
                best_plies = max(best_plies, later)
            elif later >= 0 and (best_plies < 0 or later < best_plies):
                best_plies = later
        moves[v] = inner  # which is 0 in order
        points[v] = NOTHING
        plies[v] = 0
        if best > NONE and best_plies < 0:
            points[v] = FOREVER
        elif best > NONE:
            # Plies that do not fit are reported like points that do not: both types are widened.
            largest = max(largest, abs(best), bias if best_plies > latest else 0)
            points[v] = best + bias
            plies[v] = min(best_plies, latest)
    check_guard(start, stop, OVERRUN, out, max_moves, fault)
    return made, largest, bad


def write_inner_moves(
    start, stop, below, above, indptr, targets, moves, top, max_moves, data, index_table, fault
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
    moves, top
        As there, where ``top`` is no position.
    max_moves : int
        The most moves of a position.
    data, index_table, fault
        See ``spaces.checked``.
    """
    data, index_table, fault = no_refcount((data, index_table, fault))
    out = room_for(max_moves)
    for i in range(start, stop):
        at, end = indptr[i - below], indptr[i - below + 1]
        if at == end:
            continue
        p = position_of(i, data, index_table)
        count = checked_count(successors(p, out, data), p, out[max_moves], max_moves, fault)
        for k in range(count):
            q = canonical(out[k], data)
            j = index_of(q, data, index_table)
            if j >= below and j < above and at < end:
                if moves[j - below] == top:
                    report_fault(fault, NO_TARGET, p, q, j, ZERO)
                targets[at] = j - below
                at += 1
        if at != end:
            report_fault(fault, CHANGED, p, count, ZERO, end - at)
            return
    check_guard(start, stop, OVERRUN, out, max_moves, fault)


def decides(u, won, stake, level, points, plies, moves, top, bias):
    """Return whether a move to what was decided at a level decides where it begins, and write that.

    worklist.propagate, where who moves at v wins at w if the points are his:
        for each predecessor v of w that is open:
            if who moves at v wins (or ties) at w: decide v
            else: count down its open moves; at zero v is a LOSS

    Parameters
    ----------
    u : int
        Where the move begins, counted from the beginning of the tier.
    won : bool
        Whether the move wins the points at stake, or there are none.
    stake, level : int
    points, plies, moves, top, bias
        As in ``read_exits``; changed in place.
    """
    left = np.int64(moves[u])
    exit = np.int64(points[u])
    if won and exit == bias + stake and plies[u] <= level + 1:
        return False  # the exit is as near; it is due then
    # Of several threads that win here one is the first. None does where another answers the last move:
    # a move that wins is never counted down.
    while left < top - 1:
        before = np.int64(exchange(moves, u, left, top if won else left - 1))
        if before == left:
            break
        left = before
    if left >= top - 1:
        return False
    if won:
        points[u] = bias + stake
    else:
        if left > 1 or exit > bias - stake or exit == FOREVER:
            return False  # another move is open, or the best exit loses less
        if exit == bias - stake and plies[u] > level + 1:
            return False  # the exit lasts longer; it is due then
        points[u] = bias - stake
        moves[u] = top
    plies[u] = level + 1
    return True


def notify_generated(
    decided, stake, level, tail, fresh, points, plies, moves, top, bias, below, above,
    max_predecessors, data, index_table, fault,
):  # fmt: skip
    """Notify the predecessors of what was decided at a level, which the rules generate.

    Parameters
    ----------
    decided : int32 [k]
        Counted from the beginning of the tier.
    stake, level : int
    tail, fresh : int, int32 [any length]
        What is decided now is written from this place on, as long as there is room.
    points, plies, moves, top, bias
        As in ``read_exits``; the arrays are changed in place.
    below, above : int
        The tier is ``below..above-1``.
    max_predecessors : int
        The most predecessors of a position.
    data, index_table, fault
        See ``spaces.checked``.

    Returns
    -------
    int
        The place after what was decided, also past the end of ``fresh``.
    """
    data, index_table, fault = no_refcount((data, index_table, fault))
    out = room_for(max_predecessors)
    # What is read of predecessors lies anywhere in memory. So those of one position are fetched while
    # those of the next one are made.
    places = np.empty(2 * max_predecessors, np.int64)  # twice the place in the tier, and the side
    origins = np.empty(2 * max_predecessors, np.int64)
    row, ready, wins = 0, 0, False
    for number in range(len(decided) + 1):
        fetched, fetched_wins = 0, False
        if number < len(decided):
            w = np.int64(decided[number])
            q = position_of(below + w, data, index_table)
            count = distinct_predecessors(q, out, max_predecessors, data, fault)
            fetched_wins = points[w] > bias
            for k in range(count):
                p = out[k]
                i = index_of(p, data, index_table)
                if i < below or i >= above:
                    continue
                same = same_side(p, q, data)
                u = i - below
                prefetch(moves, u)
                prefetch(points, u)
                prefetch(plies, u)
                places[row + fetched] = 2 * u + (1 if same else 0)
                origins[row + fetched] = p
                fetched += 1
        row = max_predecessors - row
        for k in range(row, row + ready):
            u, same = places[k] >> 1, places[k] & 1 == 1
            if moves[u] >= top - 1:
                continue
            if not same_position(below + u, origins[k], data, index_table):
                continue
            won = stake == 0 or wins == same
            if decides(u, won, stake, level, points, plies, moves, top, bias):
                if tail < len(fresh):
                    fresh[tail] = u
                tail += 1
        ready, wins = fetched, fetched_wins
    check_guard(below, above, PREDECESSOR_OVERRUN, out, max_predecessors, fault)
    return tail


def notify_stored(
    decided, stake, level, tail, fresh, points, plies, moves, top, bias, owner, owned, rindptr, rindices
):  # fmt: skip
    """Notify the predecessors of what was decided at a level, which are stored.

    Parameters
    ----------
    decided, stake, level, tail, fresh, points, plies, moves, top, bias
        As in ``notify_generated``.
    owner : uint8 [above - below]
        The player to move, read only if ``owned``.
    owned : bool
    rindptr, rindices : int64 [above - below + 1], int32 [moves inside]
        Rows of the predecessors.

    Returns
    -------
    int
        As there.
    """
    for w in decided:
        wins = points[w] > bias
        for e in range(rindptr[w], rindptr[w + 1]):
            v = np.int64(rindices[e])
            won = stake == 0 or wins == (owned and owner[v] == owner[w])
            if decides(v, won, stake, level, points, plies, moves, top, bias):
                if tail < len(fresh):
                    fresh[tail] = v
                tail += 1
    return tail


# -- the kernels of both -----------------------------------------------------------------------------


def solve_components(
    indptr: IntArray, indices: IntArray, rindptr: IntArray, rindices: IntArray, number: IntArray,
    order: IntArray, bounds: IntArray, owner: IntArray, owned: bool, reward: IntArray, rewarded: bool,
    ended: IntArray, points: IntArray, remoteness: IntArray, exit_plies: IntArray, open_moves: IntArray,
    queue: IntArray, seeds: IntArray, first: int, last: int, budget: int,
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
                    won = min(max(won, -LARGEST), LARGEST)  # both are refused in the end
                    if won < best:
                        continue
                    if won > best:
                        best, best_plies = won, plies
                    elif best < 0:
                        best_plies = max(best_plies, plies)
                    elif plies >= 0 and (best_plies < 0 or plies < best_plies):
                        best_plies = plies
                points[v], exit_plies[v] = best, best_plies
        for place in range(begin, end):
            v = order[place]
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

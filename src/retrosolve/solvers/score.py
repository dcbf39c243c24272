"""Scores of stored graphs: the textbook algorithm with its seeds handed out by points, in one pass.

The strongly connected components are solved one after the other, those that moves lead to first, so
that within a component no move has a reward. Moves out of it, and ends of the game, are its *exits*:
each vertex needs only the best of them. Then ``worklist`` runs with the seeds in descending order of
the number of points at stake, t:

- a vertex wins t where its best exit does, or a successor inside loses t;
- it loses t where all its moves inside lead to vertices that win t or more, and its best exit loses
  t. One whose moves inside are all answered while its exit loses less waits for its turn.

Moves inside are counted down once, whatever t they fall at. What nobody wins is worth 0: where it can
be ended, nearest first, and otherwise endless.

Washburn, "Deterministic graphical games", J. Math. Anal. Appl. 153 (1990), proves that the values are
found in this order; counters make it linear.
"""

from __future__ import annotations

import numpy as np

from retrosolve.arrays import PLACEHOLDER, IntArray, index_dtype
from retrosolve.compilation import jit
from retrosolve.errors import GraphError
from retrosolve.objectives.base import EndData
from retrosolve.objectives.score import LARGEST, Margin, Score, codec_of, pack, plies_of, points_of
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Context
from retrosolve.runtime.progress import Progress
from retrosolve.runtime.workspace import Buffers
from retrosolve.spaces.base import CsrSpace, StateSpace
from retrosolve.tables.coded import coded_table
from retrosolve.tables.result import SolveResult, Statistics
from retrosolve.values import INVALID

NONE = -(1 << 62)  # points of the best exit where there is none
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
    codec = codec_of(tuple(Margin(int(points_of(w)), bool(plies_of(w) < 0)) for w in margins))
    values = np.full(n, INVALID, codec.dtype)
    place = np.searchsorted(margins, pack(points, np.minimum(remoteness, 0))[exists])
    values[exists] = place + (place >= INVALID)  # which is the value of no result
    plies = np.where(exists, remoteness, ENDLESS)
    return SolveResult(coded_table(codec, values, plies), Statistics(graph.num_edges))


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

"""Nimbers of impartial games, with cycles: mex where play must end, then one nimber after the other.

The part of the graph without infinite play is evaluated backwards, each vertex once all of its
followers are: its nimber is their mex. For the rest, k = 0, 1, 2, ... in turn: a *candidate* for k has
followers of all nimbers below k. A candidate gets k if each follower that has no smaller nimber can be
*reversed*: has a move to a vertex of nimber k. That is the loop of ``worklist`` with "has nimber k" for
LOSS and "can be reversed" for WIN, so it runs in the order of rounds. A candidate for k that does not
get k and cannot be reversed to k is no candidate any more, and stays ∞.

Source: Fraenkel and Perl, "Constructing an infinite class of games with cycles" (1975); the counter
function of Fraenkel and Yesha (1986), doi:10.1016/0097-3165(86)90058-6, is the round.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray, index_dtype, numbered_ranges
from retrosolve.compilation import jit
from retrosolve.errors import GraphError
from retrosolve.objectives import Objective
from retrosolve.objectives.nimber import NimberCodec
from retrosolve.runtime.context import Context, Progress
from retrosolve.runtime.workspace import Buffers
from retrosolve.solvers.serial import reverse_rows
from retrosolve.spaces.base import CsrSpace, StateSpace
from retrosolve.tables.coded import coded_table
from retrosolve.tables.result import SolveResult, Statistics
from retrosolve.values import INVALID, NimValue

UNDECIDED, NEVER = -1, -2  # instead of a nimber: not yet one, and no candidate any more


def buffers(space: StateSpace, num_edges: int) -> Buffers:
    """Declare the arrays of a solve beyond the graph, the result included."""
    n, vertex, edge = space.num_vertices, index_dtype(space.num_vertices), index_dtype(num_edges)
    return Buffers(
        nimber=((2, n), np.int32),  # and, of those with cycles, the ones to decide
        rounds=((4, n), vertex),  # and the rounds from which on vertices wait
        waiting=((4, n + 2), vertex),
        open_moves=(n, edge),
        rindptr=(n + 1, edge),
        rindices=(num_edges, vertex),
        reversed_in=(num_edges, vertex),
        words=((4, n), np.int64),  # to number the pairs of a value and a round
    )


def solve(graph: CsrSpace, objective: Objective, context: Context) -> SolveResult:
    """Solve an impartial game in O(n + m) time for each nimber that cycles can reach.

    Parameters
    ----------
    graph : CsrSpace
    objective : Nimber
    context : Context

    Returns
    -------
    SolveResult
        With a table of codes, whose remoteness is two plies for each round.

    Raises
    ------
    GraphError
        For owners and terminal values.
    """
    valid = _check_impartial(graph)
    n, m = graph.num_vertices, graph.num_edges
    vertex, work = index_dtype(n), n + m
    rindptr, rindices = np.zeros(n + 1, graph.indptr.dtype), np.empty(m, graph.indices.dtype)
    jit.run(reverse_rows, work, graph.indptr, graph.indices, rindptr, rindices)
    nimber, rounds = np.full(n, UNDECIDED, np.int32), np.full(n, -1, vertex)
    reversed_in, open_moves = np.empty(m, vertex), graph.out_degrees().astype(graph.indptr.dtype)
    queue = np.empty(n, vertex)
    edges = graph.indptr, graph.indices, rindptr, rindices
    most = int(open_moves.max(initial=0))
    decided = jit.run(
        evaluate_ended, work, *edges, nimber, rounds, reversed_in, open_moves, queue,
        np.full(most + 2, -1, vertex),
    )  # fmt: skip
    if decided < n:
        undecided = np.flatnonzero(nimber == UNDECIDED).astype(vertex)
        waiting = np.full((2, n + 2), -1, vertex), np.empty((2, n), vertex)
        reversible, due = np.empty(n, vertex), np.empty(n, vertex)
        k, candidates = 0, len(undecided)
        while candidates:
            candidates = jit.run(
                assign, work, *edges, k, nimber, rounds, reversed_in, open_moves, undecided,
                reversible, due, *waiting[0], *waiting[1],
            )  # fmt: skip
            k += 1
            context.progress(Progress("solving", n - candidates, n))
    values, results = _numbered(graph, nimber, valid)
    rounds[~valid] = -1
    remoteness = np.where(rounds >= 0, 2 * rounds, rounds)
    return SolveResult(coded_table(NimberCodec(results), values, remoteness), Statistics(m))


def _check_impartial(graph: CsrSpace) -> NDArray[np.bool_]:
    """Return which vertices are positions. Raises GraphError for owners and terminal values."""
    if graph.owner is not None:
        raise GraphError(
            f"nimbers of {graph!r}, whose positions have owners: "
            "expected the same moves for both players"
        )
    valid = np.ones(graph.num_vertices, bool)
    if graph.terminals is not None:
        valid = graph.terminals != INVALID
        ended = valid & (graph.terminals != 0)
        if ended.any():
            v = int(ended.argmax())
            raise GraphError(
                f"nimbers of a game with terminal values, as at {graph.position(v)!r}: expected none, "
                "since a sum of games goes on until no game has a move"
            )
    return valid


def _numbered(
    graph: CsrSpace, nimber: IntArray, valid: NDArray[np.bool_]
) -> tuple[IntArray, list[NimValue]]:
    """Return the place of the value of each vertex among those that occur, and these values."""
    finite = nimber >= 0
    numbers, places = np.unique(nimber[finite & valid], return_inverse=True)
    results = [NimValue(number) for number in numbers.tolist()]
    values = np.full(graph.num_vertices, INVALID, np.int64)
    values[finite & valid] = places
    infinite = np.flatnonzero(~finite & valid)
    if len(infinite):
        sets, classes = _follower_sets(graph, nimber, infinite)
        order = sorted(range(len(sets)), key=sets.__getitem__)
        place = np.empty(len(sets), np.int64)
        place[order] = np.arange(len(results), len(results) + len(sets))
        values[infinite] = place[classes]
        results += [NimValue.infinite(sets[i]) for i in order]
    values[valid] += values[valid] >= INVALID  # 255 is INVALID
    return values.astype(np.min_scalar_type(max(INVALID, len(results)))), results


def _follower_sets(
    graph: CsrSpace, nimber: IntArray, infinite: IntArray
) -> tuple[list[tuple[int, ...]], IntArray]:
    """Return the different sets of nimbers of followers, and the number of the set of each vertex.

    Sets are compared as sorted words, one letter after the other: words with the same beginning have
    the same number so far.
    """
    degrees = graph.out_degrees()[infinite]
    row, edge = numbered_ranges(graph.indptr[infinite], degrees)
    seen = nimber[graph.indices[edge]].astype(np.int64)
    size = int(nimber.max(initial=0)) + 2
    pairs = np.unique(row[seen >= 0] * size + seen[seen >= 0])
    row, letter = np.divmod(pairs, size)
    begin = np.searchsorted(row, np.arange(len(infinite) + 1))
    number, words = np.zeros(len(infinite), np.int64), [()]
    for place in range(int(np.diff(begin).max(initial=0))):
        longer = np.flatnonzero(np.diff(begin) > place)
        keys = number[longer] * size + letter[begin[longer] + place]
        distinct, codes = np.unique(keys, return_inverse=True)
        number[longer] = len(words) + codes
        words += [(*words[key // size], key % size) for key in distinct.tolist()]
    used, classes = np.unique(number, return_inverse=True)
    return [words[i] for i in used.tolist()], classes


def evaluate_ended(
    indptr: IntArray, indices: IntArray, rindptr: IntArray, rindices: IntArray, nimber: IntArray,
    rounds: IntArray, reversed_in: IntArray, open_moves: IntArray, queue: IntArray, seen: IntArray,
) -> int:  # fmt: skip
    """Evaluate the vertices from which play must end, each after all of its followers.

    Parameters
    ----------
    indptr, indices, rindptr, rindices : int32 or int64 [n + 1], [m], [n + 1], [m]
        Rows of the successors and of the predecessors.
    nimber, rounds : int32 [n], int32 or int64 [n]
        UNDECIDED and -1 before; changed in place.
    reversed_in : int32 or int64 [m]
        Overwritten for these vertices: in ``reversed_in[indptr[v] + j]``, for each nimber j below that
        of v, the earliest round of a follower of nimber j.
    open_moves : int32 or int64 [n]
        The out-degrees; changed in place.
    queue : int32 or int64 [n]
        Overwritten with these vertices.
    seen : int32 or int64 [most moves + 2]
        -1 before; the vertex that has last seen each nimber.

    Returns
    -------
    int
        The number of these vertices.
    """
    head = tail = 0
    for v in range(len(nimber)):
        if open_moves[v] == 0:
            queue[tail] = v
            tail += 1
    while head < tail:
        v = queue[head]
        head += 1
        begin, end = indptr[v], indptr[v + 1]
        for e in range(begin, end):
            k = nimber[indices[e]]
            if k <= end - begin:  # a mex is at most the number of moves
                seen[k] = v
        mex = 0
        while seen[mex] == v:
            reversed_in[begin + mex] = len(nimber)
            mex += 1
        latest = 0
        for e in range(begin, end):
            w = indices[e]
            k = nimber[w]
            if k < mex:
                reversed_in[begin + k] = min(reversed_in[begin + k], rounds[w])
            else:  # above mex, so w has a follower of nimber mex
                latest = max(latest, reversed_in[indptr[w] + mex] + 1)
        nimber[v], rounds[v] = mex, latest
        for e in range(rindptr[v], rindptr[v + 1]):
            u = rindices[e]
            open_moves[u] -= 1
            if open_moves[u] == 0:
                queue[tail] = u
                tail += 1
    return tail


def assign(
    indptr: IntArray, indices: IntArray, rindptr: IntArray, rindices: IntArray, k: int,
    nimber: IntArray, rounds: IntArray, reversed_in: IntArray, open_moves: IntArray,
    undecided: IntArray, reversible: IntArray, due: IntArray, due_head: IntArray,
    mark_head: IntArray, due_next: IntArray, mark_next: IntArray,
) -> int:  # fmt: skip
    """Assign the nimber k to the vertices that have it, in the order of their rounds.

    Parameters
    ----------
    indptr, indices, rindptr, rindices
        As in ``evaluate_ended``.
    k : int
    nimber, rounds : int32 [n], int32 or int64 [n]
        UNDECIDED for candidates for k, NEVER for other vertices without a nimber; changed in place.
    reversed_in : int32 or int64 [m]
        As ``evaluate_ended`` has left it.
    open_moves : int32 or int64 [n]
        Overwritten: for each candidate, the moves that may lead to a vertex that cannot be reversed.
    undecided : int32 or int64 [u]
        The vertices that ``evaluate_ended`` has not evaluated.
    reversible : int32 or int64 [n]
        Overwritten: whether a vertex has a move to one of nimber k.
    due : int32 or int64 [n]
        Overwritten: the round before which a candidate cannot get k.
    due_head, mark_head : int32 or int64 [n + 2]
        -1 before and after: for each round, the first vertex that is to get k, or to become reversible.
    due_next, mark_next : int32 or int64 [n]
        Overwritten: the next vertex of the same round.

    Returns
    -------
    int
        The number of candidates for k + 1.
    """
    pending = 0
    for v in undecided:
        if nimber[v] >= 0:
            continue
        count, latest, nearest = 0, 0, -1
        for e in range(indptr[v], indptr[v + 1]):
            w = indices[e]
            j = nimber[w]
            if j < 0:
                count += 1
            elif j == k:
                count += 1  # v is reversible and will not get k
                if nearest < 0 or rounds[w] < nearest:
                    nearest = rounds[w]
            elif j > k:  # of the part that ends
                latest = max(latest, reversed_in[indptr[w] + k] + 1)
        open_moves[v], due[v], reversible[v] = count, latest, 0
        if nearest >= 0:
            mark_next[v] = mark_head[nearest]
            mark_head[nearest] = v
            pending += 1
        elif count == 0 and nimber[v] == UNDECIDED:
            due_next[v] = due_head[latest]
            due_head[latest] = v
            pending += 1
    now = 0
    while pending > 0:
        # Vertices that get k now, then those with a move to an earlier vertex of nimber k. What they
        # decide is due in the next round at the earliest.
        for of_marks in range(2):
            w = mark_head[now] if of_marks else due_head[now]
            while w >= 0:
                pending -= 1
                if of_marks:
                    begin, end = 0, 1
                else:
                    nimber[w], rounds[w] = k, now
                    begin, end = rindptr[w], rindptr[w + 1]
                for e in range(begin, end):
                    u = w if of_marks else rindices[e]
                    if nimber[u] >= 0 or reversible[u] != 0:
                        continue
                    reversible[u] = 1
                    for f in range(rindptr[u], rindptr[u + 1]):
                        v = rindices[f]
                        if nimber[v] >= 0:
                            continue
                        open_moves[v] -= 1
                        if open_moves[v] == 0 and nimber[v] == UNDECIDED:
                            later = max(due[v], now + 1)
                            due_next[v], due_head[later] = due_head[later], v
                            pending += 1
                w = mark_next[w] if of_marks else due_next[w]
        due_head[now] = mark_head[now] = -1
        now += 1
    candidates = 0
    for v in undecided:
        if nimber[v] == UNDECIDED:
            if reversible[v] == 0:
                nimber[v] = NEVER
            else:
                candidates += 1
    return candidates

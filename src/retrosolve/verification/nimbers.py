"""The proof of nimbers: each vertex is compared with its followers and with theirs.

Three conditions determine the values, and the remoteness is determined by them:

1. A nimber is the mex of the nimbers of the followers.
2. Each follower that is ∞ or has a larger nimber has a move to a position of the same nimber. The
   remoteness is two more than that of the nearest such position, for the follower for which that is
   farthest; 0 without such followers.
3. A vertex with ∞(K) has followers of just the nimbers K, and a follower that is ∞ and has none of the
   nimber mex K.

The uniqueness is a theorem of Fraenkel and Yesha (1986), doi:10.1016/0097-3165(86)90058-6, where any
*counter function* that falls in 2 takes the place of the remoteness.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray
from retrosolve.errors import VerificationError
from retrosolve.runtime.context import Context, Progress
from retrosolve.solution import Solution
from retrosolve.spaces.base import CsrSpace, StateSpace
from retrosolve.spaces.blocks import Block, blocks
from retrosolve.values import INVALID, NimValue
from retrosolve.verification.local import name_of

EDGE_BYTES, VERTEX_BYTES = 44, 16
BoolArray = NDArray[np.bool_]


def memory_bytes(space: StateSpace, num_edges: int, budget: int | None = None) -> int:
    """Return the bytes of a proof: all pairs of a vertex and a nimber of its followers, sorted."""
    return EDGE_BYTES * num_edges + VERTEX_BYTES * space.num_vertices


class _Claims(NamedTuple):
    """What a solution claims, decoded.

    Parameters
    ----------
    solution : Solution
    number : int64 [n]
        The nimber, -1 for ∞ and INVALID.
    remoteness : int [n]
        -1 for ∞ and INVALID.
    result : int64 [n]
        The place of the value among the results of the codec.
    sets : list of tuple of int
        The nimbers of the followers for each result, nothing for a nimber.
    size : int
        Larger than each nimber by two, so that a mex fits.
    """

    solution: Solution
    number: IntArray
    remoteness: IntArray
    result: IntArray
    sets: list[tuple[int, ...]]
    size: int


class _Followers(NamedTuple):
    """The nimbers of the followers of all vertices.

    Parameters
    ----------
    keys : int64 [pairs]
        ``vertex * size + nimber`` for each pair that occurs, ascending.
    nearest : int64 [pairs]
        The smallest remoteness of such a follower.
    """

    keys: IntArray
    nearest: IntArray

    def places(self, keys: IntArray) -> tuple[IntArray, BoolArray]:
        """Return where some pairs are, and whether they occur."""
        if not len(self.keys):
            return np.zeros(len(keys), np.int64), np.zeros(len(keys), bool)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return at, self.keys[at] == keys


def prove(solution: Solution, context: Context) -> None:
    """Raise VerificationError unless all values and remotenesses are right; O(m log m) time."""
    graph = solution.space.materialize()
    _check_impartial(graph)
    claims = _claims(solution, graph)
    followers = _followers(graph, claims)
    for block in blocks(graph):
        _check(claims, followers, block)
        context.progress(Progress("verifying", block.stop, graph.num_vertices))


def _check_impartial(graph: CsrSpace) -> None:
    """Raise VerificationError for a game that has no nimbers."""
    ended = graph.terminals is not None and bool(
        ((graph.terminals != 0) & (graph.terminals != INVALID)).any()
    )
    if graph.owner is not None or ended:
        what = "terminal values" if ended else "owners"
        raise VerificationError(f"nimbers are claimed of {graph!r}, which has {what}: expected none")


def _claims(solution: Solution, graph: CsrSpace) -> _Claims:
    """Return the claims. Raises VerificationError for those that no vertex can have."""
    table = solution.table
    result = table.values().astype(np.int64)
    remoteness = table.remoteness()
    results: list[NimValue | None] = list(table.codec.results)
    numbers = [-1 if each is None or each.number is None else each.number for each in results]
    by_result = np.full(max(len(results), INVALID + 1), -1, np.int64)
    by_result[: len(numbers)] = numbers
    number = by_result[result]
    positions = np.ones(graph.num_vertices, bool)
    if graph.terminals is not None:
        positions = graph.terminals != INVALID
    odd = (result != INVALID) != positions
    if odd.any():
        v = int(odd.argmax())
        is_one = "a position" if positions[v] else "no position"
        raise VerificationError(f"vertex {v} is claimed otherwise, but it is {is_one}")
    odd = (remoteness >= 0) != (number >= 0)
    if odd.any():
        v = int(odd.argmax())
        expected = "expected one, 0 or more" if number[v] >= 0 else "expected none"
        raise VerificationError(
            f"{_claim(solution, v)} with the remoteness {int(remoteness[v])}: {expected}"
        )
    sets = [() if each is None else each.followers for each in results]
    size = max([0, *numbers, *(number for one in sets for number in one)]) + 2
    return _Claims(solution, number, remoteness, result, sets, size)


def _followers(graph: CsrSpace, claims: _Claims) -> _Followers:
    """Return the nimbers of followers that occur, and the smallest remoteness of each."""
    to = claims.number[graph.indices]
    source = np.repeat(np.arange(graph.num_vertices), graph.out_degrees())
    keys = source[to >= 0] * claims.size + to[to >= 0]
    plies = claims.remoteness[graph.indices[to >= 0]]
    if not len(keys):
        return _Followers(keys, plies.astype(np.int64))
    order = np.argsort(keys, kind="stable")
    keys, plies = keys[order], plies[order]
    begins = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    return _Followers(keys[begins], np.minimum.reduceat(plies, begins).astype(np.int64))


def _check(claims: _Claims, followers: _Followers, block: Block) -> None:
    """Raise VerificationError for a vertex of a block that is wrong, if there is one."""
    first, last = np.searchsorted(followers.keys, [block.start * claims.size, block.stop * claims.size])
    pairs = followers.keys[first:last] - block.start * claims.size
    _check_finite(claims, followers, block, pairs)
    infinite = (claims.number < 0) & (claims.result != INVALID)
    if infinite[block.start : block.stop].any():
        _check_infinite(claims, followers, block, pairs)


def _check_finite(claims: _Claims, followers: _Followers, block: Block, pairs: IntArray) -> None:
    """Raise VerificationError for a nimber or a remoteness that is wrong.

    ``pairs`` are the keys of ``followers`` for the block, with vertices counted from its start.
    """
    count, span = block.stop - block.start, slice(block.start, block.stop)
    number, row, to = claims.number[span], block.rows(), claims.number[block.target]
    finite = number >= 0

    # No follower has the same nimber, and of the smaller ones each occurs.
    wrong = np.zeros(count, bool)
    wrong[row[(to == number[row]) & finite[row]]] = True
    pair_row, pair_number = np.divmod(pairs, claims.size)
    smaller = np.bincount(pair_row[pair_number < number[pair_row]], minlength=count)
    wrong |= finite & (smaller != number)
    if wrong.any():
        v = block.start + int(wrong.argmax())
        right = _mex(_numbers(followers, v, claims.size))
        raise VerificationError(
            f"{_claim(claims.solution, v)}, but the least nimber that none of its followers has is "
            f"*{right}"
        )

    # Followers that are infinite or larger have answers that are nearer.
    above = finite[row] & ((to < 0) | (to > number[row]))
    keys = block.target[above].astype(np.int64) * claims.size + number[row[above]]
    at, exists = followers.places(keys)
    if not exists.all():
        edge = int(np.flatnonzero(above)[int((~exists).argmax())])
        v, w = block.start + int(row[edge]), int(block.target[edge])
        raise VerificationError(
            f"{_claim(claims.solution, v)}, but its follower {name_of(claims.solution, w)} has no move "
            f"to a position of value *{int(claims.number[v])}"
        )
    expected = np.zeros(count, np.int64)
    np.maximum.at(expected, row[above], followers.nearest[at] + 2)
    wrong = finite & (expected != claims.remoteness[span])
    if wrong.any():
        v = int(wrong.argmax())
        raise VerificationError(
            f"{_claim(claims.solution, block.start + v)} with the remoteness "
            f"{int(claims.remoteness[block.start + v])}, but its moves make that {int(expected[v])}"
        )


def _check_infinite(claims: _Claims, followers: _Followers, block: Block, pairs: IntArray) -> None:
    """Raise VerificationError for a value ∞(K) that is wrong; ``pairs`` as for finite ones."""
    count, size = block.stop - block.start, claims.size
    number = claims.number[block.start : block.stop]
    result = claims.result[block.start : block.stop]
    infinite = (number < 0) & (result != INVALID)

    # The followers have these nimbers and no others.
    pair_row, pair_number = np.divmod(pairs, size)
    listed = [place * size + each for place, one in enumerate(claims.sets) for each in one]
    right = np.isin(result[pair_row] * size + pair_number, np.array(listed, np.int64))
    lengths = np.zeros(count, np.int64)
    lengths[infinite] = np.array([len(one) for one in claims.sets])[result[infinite]]
    wrong = infinite & (np.bincount(pair_row[right], minlength=count) != lengths)
    wrong |= infinite & (np.bincount(pair_row, minlength=count) != lengths)
    if wrong.any():
        v = block.start + int(wrong.argmax())
        shown = NimValue.infinite(_numbers(followers, v, size))
        raise VerificationError(
            f"{_claim(claims.solution, v)}, but the nimbers of its followers make it at most {shown}"
        )

    # A follower is infinite and has no move to the mex of these nimbers.
    row, to = block.rows(), claims.number[block.target]
    inner = infinite[row] & (to < 0)
    mexes = np.array([_mex(one) for one in claims.sets])[result[row[inner]]]
    _, exists = followers.places(block.target[inner].astype(np.int64) * size + mexes)
    free = np.zeros(count, bool)
    free[row[inner][~exists]] = True
    if (infinite & ~free).any():
        v = block.start + int((infinite & ~free).argmax())
        mex = _mex(claims.sets[int(claims.result[v])])
        has_inner = bool((inner & (row == v - block.start)).any())
        why = f"each infinite one of them has a move to a position of value *{mex}"
        raise VerificationError(
            f"{_claim(claims.solution, v)}, but of its followers "
            f"{why if has_inner else 'none is infinite'}: expected *{mex}"
        )


def _numbers(followers: _Followers, v: int, size: int) -> tuple[int, ...]:
    """Return the nimbers of the followers of a vertex."""
    first, last = np.searchsorted(followers.keys, [v * size, (v + 1) * size])
    return tuple((followers.keys[first:last] - v * size).tolist())


def _mex(numbers: tuple[int, ...]) -> int:
    """Return the least number that is not among some, which ascend."""
    return next((i for i, number in enumerate(numbers) if i != number), len(numbers))


def _claim(solution: Solution, v: int) -> str:
    """Return the claim of a solution about a vertex, as text."""
    value = solution.table.codec.results[int(solution.table.values(slice(v, v + 1))[0])]
    return f"{name_of(solution, v)} (vertex {v}) is claimed {value}"

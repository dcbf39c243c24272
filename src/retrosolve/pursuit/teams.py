"""Teams: the joint placements of several cops, and their joint moves.

A team of k members on n vertices is a multiset, ranked in colexicographic order as in
``retrosolve.rules.ranking``. So teams with largest member x are contiguous, in the order of the teams
that are left without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb

import numpy as np

from retrosolve.arrays import IntArray, index_dtype
from retrosolve.errors import RulesError
from retrosolve.rules.ranking import multiset_counts

MOVES_PER_BLOCK = 1 << 20
BYTES_PER_MOVE = 16
WORK_BYTES_PER_MOVE = 56  # of one block
MAX_INT64 = 2**63 - 1
SURELY_TOO_MANY = 64  # comb(2 * 64, 64) exceeds 64 bits by far


def count_teams(n: int, cops: int) -> int:
    """Return the number of teams of ``cops`` members on n vertices.

    Raises RulesError if positions would not fit 64 bits.

    >>> count_teams(3, 40)
    861
    """
    teams = MAX_INT64 if min(n - 1, cops) > SURELY_TOO_MANY else comb(n + cops - 1, cops)
    if 2 * (teams + 1) * (n + 1) > MAX_INT64:
        raise RulesError(
            f"{cops} cops on {n} vertices have more positions than 64 bits can number: "
            "expected fewer cops or vertices"
        )
    return teams


def all_placements(n: int, cops: int) -> IntArray:
    """Return all teams of ``cops`` members on n vertices in the order of their ranks, [teams, cops]."""
    teams = np.arange(n, dtype=np.int64)[:, None]
    for size in range(2, cops + 1):
        rest, last = _by_largest(n, size)
        teams = np.column_stack([teams[rest], last])
    return teams


def joint_moves_bytes(members: IntArray, degree: IntArray) -> int:
    """Return an upper bound on the memory of ``joint_moves``, its result included.

    A team has at most as many moves as its members have choices, and at most as many as there are
    teams.
    """
    choices = degree[members].astype(float).prod(axis=1)
    moves = int(np.minimum(choices, len(members)).sum())
    return BYTES_PER_MOVE * moves + WORK_BYTES_PER_MOVE * int(min(choices.sum(), MOVES_PER_BLOCK))


def joint_moves(steps: Sequence[Sequence[int]], cops: int) -> tuple[IntArray, IntArray]:
    """Return the moves of all teams as CSR rows, ascending and distinct.

    Parameters
    ----------
    steps : sequence of sequences of int
        ``steps[v]`` are the targets of one member from v.
    cops : int
        Number of members.

    Returns
    -------
    indptr, indices : int arrays
        Ranks of the teams that a team can move to.

    Notes
    -----
    The moves of teams of one member fewer come first; adding the largest member to them makes each
    target once, not once for every way to reach it.
    """
    n = len(steps)
    degree = np.array([len(row) for row in steps], np.int64)
    start = _starts(degree)
    flat = np.concatenate([np.sort(np.array(row, np.int64)) for row in steps])
    indptr, indices = start, flat
    for size in range(2, cops + 1):
        rest, last = _by_largest(n, size)
        joined = _joined(n, size)
        reach = np.diff(indptr)[rest]
        teams, counts = [], np.zeros(len(last), np.int64)
        for begin, end in _blocks(reach * degree[last]):
            row, place = _ranges(indptr[rest[begin:end]], reach[begin:end])
            target = indices[place]
            pair, place = _ranges(start[last[begin + row]], degree[last[begin + row]])
            codes = row[pair] * len(last) + joined[target[pair], flat[place]]
            row, team = np.divmod(_distinct(codes, (end - begin) * len(last)), len(last))
            counts[begin:end] = np.bincount(row, minlength=end - begin)
            teams.append(team.astype(index_dtype(len(last))))
        indptr, indices = _starts(counts), np.concatenate(teams)
    return indptr, indices


def _before(n: int, cops: int) -> IntArray:
    """Return the number of multisets before largest member x in each place, [cops, n]."""
    return np.ascontiguousarray(multiset_counts(n - 1, cops)[:, 1:].T)


def _by_largest(n: int, size: int) -> tuple[IntArray, IntArray]:
    """Return the rank of each team of ``size`` without its largest member, and that member."""
    counts = np.array([comb(x + size - 1, size - 1) for x in range(n)], np.int64)
    _, rest = _ranges(np.zeros(n, np.int64), counts)
    return rest, np.repeat(np.arange(n), counts)


def _joined(n: int, size: int) -> IntArray:
    """Return the rank of each team of ``size - 1`` members with vertex v added, [teams, n]."""
    teams = all_placements(n, size - 1)
    before = _before(n, size)
    vertices = np.arange(n)
    number = np.zeros((len(teams), n), np.int64)
    below = np.zeros((len(teams), n), np.int8 if size < 128 else np.int64)
    for place in range(size - 1):
        member = teams[:, place, None]
        stays = member <= vertices
        number += np.where(stays, before[place, member], before[place + 1, member])
        below += stays
    return number + before[below, vertices]


def _starts(counts: IntArray) -> IntArray:
    return np.concatenate([[0], np.cumsum(counts)])


def _ranges(first: IntArray, counts: IntArray) -> tuple[IntArray, IntArray]:
    """Return i for each number of the ranges ``first[i] : first[i] + counts[i]``, and the numbers."""
    which = np.repeat(np.arange(len(counts)), counts)
    return which, np.arange(len(which)) + (first - _starts(counts)[:-1])[which]


def _blocks(work: IntArray) -> Iterator[tuple[int, int]]:
    """Yield the bounds of blocks of rows, each with about MOVES_PER_BLOCK of work."""
    done = np.cumsum(work)
    begin = 0
    while begin < len(work):
        so_far = int(done[begin - 1]) if begin else 0
        end = max(begin + 1, int(np.searchsorted(done, so_far + MOVES_PER_BLOCK, side="right")))
        yield begin, end
        begin = end


def _distinct(codes: IntArray, size: int) -> IntArray:
    """Return the distinct codes, which are below ``size``, in ascending order."""
    if size > 16 * len(codes):
        codes = np.sort(codes)  # np.unique hashes integers, which is far slower
        return codes[np.append(True, codes[1:] != codes[:-1])] if len(codes) else codes
    present = np.zeros(size, bool)
    present[codes] = True
    return np.flatnonzero(present)

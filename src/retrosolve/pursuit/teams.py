"""Teams: multisets of vertices, ranked in colexicographic order, and their joint moves.

A team of k members on n vertices is an ascending tuple. Its number counts the teams before it by their
largest member, then the second largest, and so on (D. E. Knuth, The Art of Computer Programming 4A,
7.2.1.3). So teams with a largest member x come in one stretch, numbered as what is left without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb

import numpy as np

from retrosolve.arrays import IntArray, index_dtype
from retrosolve.errors import RulesError

MOVES_A_BLOCK = 1 << 20
BYTES_A_MOVE = 16
BYTES_AT_WORK = 56  # for each move of a block
LARGEST = 2**63 - 1
SURELY_LARGER = 64  # comb(2 * 64, 64) is far more


def count_teams(n: int, cops: int) -> int:
    """Return how many teams of ``cops`` there are on n vertices.

    Raises RulesError for more than positions can be numbered by 64 bits.

    >>> count_teams(3, 40)
    861
    """
    teams = LARGEST if min(n - 1, cops) > SURELY_LARGER else comb(n + cops - 1, cops)
    if 2 * (teams + 1) * (n + 1) > LARGEST:
        raise RulesError(
            f"{cops} cops on {n} vertices have more positions than 64 bits can number: "
            "expected fewer cops or vertices"
        )
    return teams


def rank_multiset(teams: IntArray) -> IntArray:
    """Return the numbers of teams [teams, cops], each ascending: how many teams come before.

    Cost O(teams * cops), and a table of ``cops`` times the largest vertex.

    >>> rank_multiset(np.array([[0, 0], [0, 1], [1, 1], [0, 2]])).tolist()
    [0, 1, 2, 3]
    """
    n, cops = int(teams.max(initial=0)) + 1, teams.shape[1]
    count_teams(n, cops)
    number: IntArray = _before(n, cops)[np.arange(cops), teams].sum(axis=1)
    return number


def unrank_multiset(number: int, cops: int) -> tuple[int, ...]:
    """Return the team of a number.

    >>> [unrank_multiset(i, 2) for i in range(4)]
    [(0, 0), (0, 1), (1, 1), (0, 2)]
    """
    team = []
    for place in range(cops - 1, -1, -1):
        highest = 0
        while comb(highest + 1 + place, place + 1) <= number:
            highest += 1
        number -= comb(highest + place, place + 1)
        team.append(highest)
    return tuple(reversed(team))


def all_placements(n: int, cops: int) -> IntArray:
    """Return every team of ``cops`` on n vertices, by number, int64 [teams, cops]."""
    teams = np.arange(n, dtype=np.int64)[:, None]
    for size in range(2, cops + 1):
        rest, last = _by_largest(n, size)
        teams = np.column_stack([teams[rest], last])
    return teams


def joint_moves_bytes(members: IntArray, degree: IntArray) -> int:
    """Return an upper bound on the memory that ``joint_moves`` takes, its result included.

    A team has no more moves than the choices of its members, and no more than there are teams.
    """
    choices = degree[members].astype(float).prod(axis=1)
    moves = int(np.minimum(choices, len(members)).sum())
    return BYTES_A_MOVE * moves + BYTES_AT_WORK * int(min(choices.sum(), MOVES_A_BLOCK))


def joint_moves(steps: Sequence[Sequence[int]], cops: int) -> tuple[IntArray, IntArray]:
    """Return where each team can go, as CSR rows of team numbers, ascending, each once.

    ``steps[v]`` are the vertices that a member may go to from v. Where a team of one fewer can go is
    worked out first; then its largest member is added. So each set is made once, not once for
    every way to reach it.
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
        found, counts = [], np.zeros(len(last), np.int64)
        for begin, end in _blocks(reach * degree[last]):
            row, place = _ranges(indptr[rest[begin:end]], reach[begin:end])
            target = indices[place]
            pair, place = _ranges(start[last[begin + row]], degree[last[begin + row]])
            codes = row[pair] * len(last) + joined[target[pair], flat[place]]
            row, team = np.divmod(_distinct(codes, (end - begin) * len(last)), len(last))
            counts[begin:end] = np.bincount(row, minlength=end - begin)
            found.append(team.astype(index_dtype(len(last))))
        indptr, indices = _starts(counts), np.concatenate(found)
    return indptr, indices


def _before(n: int, cops: int) -> IntArray:
    """Return how many teams come before a largest member x in each place, [cops, n].

    That is comb(x + place, place + 1), the sum of those of the place before up to x.
    """
    table = np.empty((cops, n), np.int64)
    table[0] = np.arange(n)
    for place in range(1, cops):
        np.cumsum(table[place - 1], out=table[place])
    return table


def _by_largest(n: int, size: int) -> tuple[IntArray, IntArray]:
    """Return for each team of ``size`` the number of the team without its largest member, and that."""
    counts = np.array([comb(x + size - 1, size - 1) for x in range(n)], np.int64)
    _, rest = _ranges(np.zeros(n, np.int64), counts)
    return rest, np.repeat(np.arange(n), counts)


def _joined(n: int, size: int) -> IntArray:
    """Return the number of each team of one fewer than ``size`` with a vertex put in, [teams, n]."""
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
    """Return the numbers ``first[i] .. first[i] + counts[i] - 1`` for each i, and which i it was."""
    which = np.repeat(np.arange(len(counts)), counts)
    return which, np.arange(len(which)) + (first - _starts(counts)[:-1])[which]


def _blocks(work: IntArray) -> Iterator[tuple[int, int]]:
    """Cut rows into stretches of not much more work than MOVES_A_BLOCK."""
    done = np.cumsum(work)
    begin = 0
    while begin < len(work):
        so_far = int(done[begin - 1]) if begin else 0
        end = max(begin + 1, int(np.searchsorted(done, so_far + MOVES_A_BLOCK, side="right")))
        yield begin, end
        begin = end


def _distinct(codes: IntArray, size: int) -> IntArray:
    """Return the different codes below ``size``, ascending."""
    if size > 16 * len(codes):
        codes = np.sort(codes)  # np.unique hashes whole numbers, which is far slower
        return codes[np.append(True, codes[1:] != codes[:-1])] if len(codes) else codes
    there = np.zeros(size, bool)
    there[codes] = True
    return np.flatnonzero(there)

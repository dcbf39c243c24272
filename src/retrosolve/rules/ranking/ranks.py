"""Ranks of subsets, multisets, pairs, permutations and digits, in plain Python and compiled rules."""

from __future__ import annotations

import math
from typing import Any

from retrosolve.rules.ranking.bits import popcount


def rank_subset(subset: int, choose: Any) -> int:
    """Return the number of subsets of the same size that are smaller ints.

    Parameters
    ----------
    subset : int
        A set of points.
    choose : int64 array
        ``binomials(n, k)`` for n points and at least k members.

    Notes
    -----
    Raises nothing: nothing is checked, since compiled rules call it.
    Cost: time proportional to the number of members.

    Examples
    --------
    >>> from retrosolve.rules.ranking.tables import binomials
    >>> rank_subset(0b1001, binomials(4, 2))
    3
    """
    index, size = 0, 0
    while subset != 0:
        size += 1
        lowest = subset & -subset
        index += int(choose[popcount(lowest - 1), size])
        subset ^= lowest
    return index


def unrank_subset(index: int, size: int, choose: Any) -> int:
    """Return the subset of a size and rank. The cost is that of the points.

    Parameters
    ----------
    index : int
        Rank, 0 to n choose ``size`` - 1.
    size : int
        Number of members, at most k.
    choose : int64 array
        ``binomials(n, k)``.

    Notes
    -----
    Raises nothing: nothing is checked, since compiled rules call it.
    Cost: time proportional to the number of points.

    Examples
    --------
    >>> from retrosolve.rules.ranking.tables import binomials
    >>> bin(unrank_subset(3, 2, binomials(4, 2)))
    '0b1001'
    """
    subset, point = 0, len(choose) - 1
    while size > 0:
        point -= 1
        smaller = int(choose[point, size])
        if index >= smaller:
            index -= smaller
            subset |= 1 << point
            size -= 1
    return subset


def rank_multiset(members: Any, counts: Any) -> int:
    """Return the number of multisets of the same size that come before in colexicographic order.

    Parameters
    ----------
    members : sequence of int
        Points in ascending order, repeated as often as they occur.
    counts : int64 array
        ``multiset_counts(n, k)`` for n points and at least k members.

    Notes
    -----
    Raises nothing: nothing is checked, since compiled rules call it.
    Cost: time proportional to the number of members.

    Examples
    --------
    >>> from retrosolve.rules.ranking.tables import multiset_counts
    >>> [rank_multiset(members, multiset_counts(3, 2)) for members in ((0, 0), (0, 1), (1, 1), (0, 2))]
    [0, 1, 2, 3]
    """
    index = 0
    for place in range(len(members)):
        index += int(counts[members[place], place + 1])
    return index


def unrank_multiset(index: int, counts: Any, out: Any) -> None:
    """Write the multiset of a rank, ascending.

    Parameters
    ----------
    index : int
        Rank.
    counts : int64 array
        ``multiset_counts(n, k)`` for n points and k members.
    out : list or array
        Receives as many members as it has places, k at most.

    Notes
    -----
    Raises nothing: nothing is checked, since compiled rules call it.
    Cost: time proportional to the number of points and members.

    Examples
    --------
    >>> from retrosolve.rules.ranking.tables import multiset_counts
    >>> members = [0, 0]
    >>> unrank_multiset(3, multiset_counts(3, 2), members)
    >>> members
    [0, 2]
    """
    point = len(counts) - 2
    for place in range(len(out) - 1, -1, -1):
        while counts[point, place + 1] > index:
            point -= 1
        index -= int(counts[point, place + 1])
        out[place] = point


def rank_pair(low: int, high: int) -> int:
    """Return the number of pairs before this one; ``low < high``.

    Parameters
    ----------
    low, high : int
        Two different points, the lower one first.

    Notes
    -----
    Raises nothing: nothing is checked, since compiled rules call it. Cost: constant time.

    Examples
    --------
    >>> [rank_pair(low, high) for low, high in ((0, 1), (0, 2), (1, 2), (0, 3))]
    [0, 1, 2, 3]
    """
    return (high * (high - 1) >> 1) + low


def unrank_pair(index: int) -> tuple[int, int]:
    """Return the pair (low, high) of a rank below 2**60.

    Parameters
    ----------
    index : int
        A rank, not negative.

    Notes
    -----
    Raises nothing: nothing is checked, since compiled rules call it. Cost: constant time.

    Examples
    --------
    >>> unrank_pair(2)
    (1, 2)
    """
    high = int((1 + math.sqrt(8 * index + 1)) / 2)
    while rank_pair(0, high) > index:
        high -= 1
    while rank_pair(0, high + 1) <= index:
        high += 1
    return index - rank_pair(0, high), high


def rank_permutation(permutation: Any) -> int:
    """Return the number of permutations that come before in lexicographic order.

    Parameters
    ----------
    permutation : sequence of int
        The numbers 0 to n - 1 in some order, n at most 20.

    Notes
    -----
    Time O(n^2).

    Raises nothing: nothing is checked, since compiled rules call it.

    Examples
    --------
    >>> rank_permutation([2, 0, 1])
    4
    """
    n, index = len(permutation), 0
    for i in range(n):
        smaller = 0
        for j in range(i + 1, n):
            if permutation[j] < permutation[i]:
                smaller += 1
        index = index * (n - i) + smaller
    return index


def unrank_permutation(index: int, out: Any) -> None:
    """Write the permutation of a rank.

    Parameters
    ----------
    index : int
        Rank.
    out : list or array
        Receives the permutation of as many numbers as it has places, 20 at most.

    Notes
    -----
    Raises nothing: nothing is checked, since compiled rules call it. Cost: time O(n^2).

    Examples
    --------
    >>> permutation = [0, 0, 0]
    >>> unrank_permutation(4, permutation)
    >>> permutation
    [2, 0, 1]
    """
    n = len(out)
    for i in range(n - 1, -1, -1):
        out[i] = index % (n - i)
        index //= n - i
        for j in range(i + 1, n):
            if out[j] >= out[i]:
                out[j] += 1


def rank_digits(digits: Any, bases: Any) -> int:
    """Return the number whose digits, the first one most significant, have bases of their own.

    The number of tuples of digits that come before in lexicographic order: a mixed radix, as
    ``numpy.ravel_multi_index`` has it.

    Parameters
    ----------
    digits : sequence of int
        Each from 0 to its base - 1.
    bases : sequence of int
        The base of each digit; their product is the number of ranks, 2**63 at most.

    Notes
    -----
    Raises nothing: nothing is checked, since compiled rules call it.
    Cost: time proportional to the number of digits.

    Examples
    --------
    >>> rank_digits([1, 2, 3], [2, 3, 10])
    53
    """
    index = 0
    for place in range(len(bases)):
        index = index * int(bases[place]) + int(digits[place])
    return index


def unrank_digits(index: int, bases: Any, out: Any) -> None:
    """Write the digits of a number in bases of their own, the first one most significant.

    Parameters
    ----------
    index : int
        Number below the product of the bases.
    bases : sequence of int
        The base of each digit.
    out : list or array
        Receives a digit for each base.

    Notes
    -----
    Raises nothing: nothing is checked, since compiled rules call it.
    Cost: time proportional to the number of digits.

    Examples
    --------
    >>> digits = [0, 0, 0]
    >>> unrank_digits(53, [2, 3, 10], digits)
    >>> digits
    [1, 2, 3]
    """
    for place in range(len(bases) - 1, -1, -1):
        out[place] = index % bases[place]
        index //= bases[place]

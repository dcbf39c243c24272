"""Tables that ranks are computed from, made once for a game."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.errors import RulesError

MAX_INT64 = 2**63 - 1


class GroupedOrder(NamedTuple):
    """Items in the order of their groups: see :func:`order_by_group`.

    Parameters
    ----------
    items : int64 array [m]
        The items in order.
    numbers : int64 array [m]
        The place of each item in ``items``.
    first : int64 array [groups + 1]
        Where each group begins in ``items``, and the number of items.

    Examples
    --------
    >>> order_by_group(np.array([1, 0]), 2).items.tolist()
    [1, 0]
    """

    items: IntArray
    numbers: IntArray
    first: IntArray


def binomials(n: int, k: int) -> IntArray:
    """Return the binomial coefficients up to n choose k.

    Parameters
    ----------
    n, k : int
        Largest number of points, and of points to choose.

    Returns
    -------
    int64 array [n + 1, k + 1]
        ``table[s, j]`` is the number of j-subsets of the points below s.

    Raises
    ------
    RulesError
        If an entry exceeds 64 bits.

    Notes
    -----
    Cost: time and memory (n + 1)(k + 1), 8 bytes an entry.

    Examples
    --------
    >>> binomials(4, 2).tolist()
    [[1, 0, 0], [1, 1, 0], [1, 2, 1], [1, 3, 3], [1, 4, 6]]
    """
    if math.comb(n, min(k, n // 2)) > MAX_INT64:
        raise RulesError(f"binomials({n}, {k}) exceed 64 bits: expected fewer points")
    table = np.zeros((n + 1, k + 1), np.int64)
    table[:, 0] = 1
    for s in range(1, n + 1):
        table[s, 1:] = table[s - 1, 1:] + table[s - 1, :-1]
    return table


def multiset_counts(n: int, k: int) -> IntArray:
    """Return the numbers of multisets of up to k members from up to n points.

    Parameters
    ----------
    n, k : int
        Largest number of points, and of members.

    Returns
    -------
    int64 array [n + 1, k + 1]
        ``table[s, j]`` is the number of multisets of j of the points below s.

    Raises
    ------
    RulesError
        If an entry exceeds 64 bits.

    Notes
    -----
    Cost: time and memory (n + 1)(k + 1), 8 bytes an entry.

    Examples
    --------
    >>> multiset_counts(3, 2).tolist()
    [[1, 0, 0], [1, 1, 1], [1, 2, 3], [1, 3, 6]]
    """
    if n > 0 and math.comb(n + k - 1, min(k, n - 1)) > MAX_INT64:
        raise RulesError(f"multiset_counts({n}, {k}) exceed 64 bits: expected fewer points or members")
    table = np.zeros((n + 1, k + 1), np.int64)
    table[:, 0] = 1
    for j in range(1, k + 1):
        np.cumsum(table[1:, j - 1], out=table[1:, j])
    return table


def subsets(n: int, k: int) -> IntArray:
    """Return all k-subsets of n points in the order of their ranks.

    Parameters
    ----------
    n, k : int
        Number of points, at most 63, and size of the subsets.

    Returns
    -------
    int64 array [n choose k]
        ``subsets(n, k)[index] == unrank_subset(index, k, binomials(n, k))``.

    Notes
    -----
    Time and memory are proportional to the number of subsets of at most k points.

    Raises nothing for numbers in these ranges.

    Examples
    --------
    >>> [f"{subset:04b}" for subset in subsets(4, 2).tolist()]
    ['0011', '0101', '0110', '1001', '1010', '1100']
    """
    sets = [np.zeros(int(j == 0), np.int64) for j in range(k + 1)]
    for s in range(n):
        for j in range(min(k, s + 1), 0, -1):
            sets[j] = np.concatenate([sets[j], sets[j - 1] | np.int64(1) << np.int64(s)])
    return sets[k]


def order_by_group(group: IntArray, num_groups: int) -> GroupedOrder:
    """Number items group by group, in a group in the order given.

    Parameters
    ----------
    group : int array [m]
        Group of each item, 0 to ``num_groups - 1``.
    num_groups : int
        Number of groups.

    Returns
    -------
    GroupedOrder
        ``items`` [m] are the items in order, ``numbers`` [m] is the place of each item there, and
        ``first`` [num_groups + 1] is where each group begins in ``items``, and their number.

    Notes
    -----
    Raises nothing for groups in this range.
    Cost: O(m) time for at most 65,536 groups, and 16 bytes an item.

    Examples
    --------
    >>> items, numbers, first = order_by_group(np.array([1, 0, 1, 0]), 2)
    >>> items.tolist(), numbers.tolist(), first.tolist()
    ([1, 3, 0, 2], [2, 0, 3, 1], [0, 2, 4])
    """
    narrow = np.min_scalar_type(max(num_groups - 1, 0))  # stable sorts of 1 or 2 bytes are radix sorts
    items = np.argsort(group.astype(narrow), kind="stable").astype(np.int64)
    numbers = np.empty(len(items), np.int64)
    numbers[items] = np.arange(len(items))
    first = np.concatenate([[0], np.cumsum(np.bincount(group, minlength=num_groups))])
    return GroupedOrder(items, numbers, first.astype(np.int64))

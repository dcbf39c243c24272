"""Rank and unrank subsets, pairs of sets, multisets, permutations and digits; bits; symmetries.

A set of points is an int, bit ``s`` for point ``s``. Subsets are ranked in colexicographic order,
which is the order of the ints: the combinatorial number system (D. E. Knuth, The Art of Computer
Programming 4A, 7.2.1.3). Multisets are ranked in the same order, permutations and digits in
lexicographic order.

Functions of ints work as plain Python and inside compiled rules, on ints from 0 to 2**63 - 1, and
check nothing. Tables are made once, in ``__init__`` of a game, and passed to its rules in ``data``.

>>> choose = binomials(25, 4)
>>> unrank_subset(12649, 4, choose).bit_length(), rank_subset(0b1111, choose)
(25, 0)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from retrosolve.arrays import IntArray, row_bounds
from retrosolve.errors import RulesError
from retrosolve.spaces.lanes import Lanes, pair_index, pair_of_index

__all__ = [
    "GroupedOrder", "Lanes", "TwoSets", "binomials", "by_removal", "canonical_two_sets", "deposit",
    "deposit_outside", "distinct", "extract", "extract_outside", "generate_group", "grid_symmetries",
    "multiset_counts", "order_by_group", "pair_index", "pair_of_index", "permute_bits", "popcount",
    "rank_digits", "rank_multiset", "rank_pair", "rank_permutation", "rank_subset", "rank_two_sets",
    "set_image", "smallest_images", "subset_images", "subsets", "unrank_digits", "unrank_multiset",
    "unrank_pair", "unrank_permutation", "unrank_subset", "unrank_two_sets",
]  # fmt: skip

MAX_ORDER = 1 << 16
MAX_TABLE_POINTS = 24
MAX_INT64 = 2**63 - 1
MAX_POINTS_OF_SETS = 31  # two sets in 62 bits
MAX_SET_SYMMETRIES = 62  # a bit each

# -- tables, made once for a game --------------------------------------------------------------


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
    first = row_bounds(np.bincount(group, minlength=num_groups))
    return GroupedOrder(items, numbers, first)


# -- bits of ints ------------------------------------------------------------------------------


def popcount(bits: int) -> int:
    """Return the number of set bits.

    Parameters
    ----------
    bits : int
        A set of points, not negative.

    Notes
    -----
    Raises nothing: nothing is checked, since compiled rules call it. Cost: one instruction.

    Examples
    --------
    >>> popcount(0b1011)
    3
    """
    return bits.bit_count()


def deposit(bits: int, mask: int) -> int:
    """Move the lowest bits, in order, to where the mask is set (PDEP).

    Parameters
    ----------
    bits : int
        The bits to move.
    mask : int
        The places, as many as there are bits to move, or more.

    Notes
    -----
    Raises nothing: nothing is checked, since compiled rules call it.
    Cost: time proportional to the number of bits that are moved.

    Examples
    --------
    >>> bin(deposit(0b101, 0b11010))
    '0b10010'
    """
    moved = 0
    while bits != 0:
        place = mask & -mask
        if bits & 1 != 0:
            moved |= place
        mask ^= place
        bits >>= 1
    return moved


def extract(bits: int, mask: int) -> int:
    """Move the bits where the mask is set, in order, to the lowest places (PEXT).

    Parameters
    ----------
    bits : int
        The bits to move.
    mask : int
        The places, as many as there are bits to move, or more.

    Notes
    -----
    Raises nothing: nothing is checked, since compiled rules call it.
    Cost: time proportional to the number of bits of the mask.

    Examples
    --------
    >>> bin(extract(0b10010, 0b11010))
    '0b101'
    """
    moved, place = 0, 1
    while mask != 0:
        if bits & mask & -mask != 0:
            moved |= place
        place <<= 1
        mask &= mask - 1
    return moved


def deposit_outside(bits: int, holes: int) -> int:
    """Move the bits, in order, to the places that are not holes; the cost is that of the holes.

    Equal to ``deposit(bits, ~holes)``, as in finding a player's points among those that the other
    player leaves free.

    Parameters
    ----------
    bits : int
        The bits to move.
    holes : int
        The places that are left out.

    Notes
    -----
    Raises nothing: nothing is checked, since compiled rules call it.
    Cost: time proportional to the number of holes.

    Examples
    --------
    >>> bin(deposit_outside(0b101, 0b00110))
    '0b10001'
    """
    while holes != 0:
        below = (holes & -holes) - 1
        bits = (bits & below) | (bits & ~below) << 1
        holes &= holes - 1
    return bits


def extract_outside(bits: int, holes: int) -> int:
    """Remove the holes and close up the other bits; the cost is that of the holes.

    Equal to ``extract(bits, ~holes)``, and the inverse of :func:`deposit_outside`.

    Parameters
    ----------
    bits : int
        The bits to move.
    holes : int
        The places that are left out.

    Notes
    -----
    Raises nothing: nothing is checked, since compiled rules call it.
    Cost: time proportional to the number of holes.

    Examples
    --------
    >>> bin(extract_outside(0b10001, 0b00110))
    '0b101'
    """
    removed = 0
    while holes != 0:
        below = ((holes & -holes) >> removed) - 1
        bits = (bits & below) | (bits >> 1 & ~below)
        holes &= holes - 1
        removed += 1
    return bits


# -- ranks -------------------------------------------------------------------------------------


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


# -- symmetries --------------------------------------------------------------------------------


def grid_symmetries(rows: int, columns: int) -> IntArray:
    """Return the symmetries of a rectangular board, the identity first.

    Parameters
    ----------
    rows, columns : int
        Size of the board. Point ``columns * row + column`` is a square.

    Returns
    -------
    int64 array [8 or 4, rows * columns]
        ``table[t, s]`` is the image of s. Bit 0 of t reverses the columns, bit 1 the rows; bit 2, on
        a square board only, swaps rows and columns first.

    Notes
    -----
    Raises nothing for a board with a square. Cost: 8 bytes for each symmetry and point.

    Examples
    --------
    >>> grid_symmetries(2, 3).tolist()
    [[0, 1, 2, 3, 4, 5], [2, 1, 0, 5, 4, 3], [3, 4, 5, 0, 1, 2], [5, 4, 3, 2, 1, 0]]
    """
    row, column = np.divmod(np.arange(rows * columns, dtype=np.int64), columns)
    images = []
    for t in range(8 if rows == columns else 4):
        r, c = (column, row) if t & 4 else (row, column)
        r, c = rows - 1 - r if t & 2 else r, columns - 1 - c if t & 1 else c
        images.append(columns * r + c)
    return np.array(images)


def generate_group(generators: Iterable[Sequence[int]]) -> IntArray:
    """Return all permutations that the generators make, the identity first.

    Parameters
    ----------
    generators : iterable of sequences of int
        Permutations of the same points; ``generator[s]`` is the image of s.

    Returns
    -------
    int64 array [order, points]
        The group, without repetition.

    Raises
    ------
    RulesError
        If a generator is no permutation, or the group has more than 65,536 elements.

    Notes
    -----
    Cost: time proportional to the order of the group, the generators and the points.

    Examples
    --------
    >>> generate_group([[1, 2, 0]]).tolist()
    [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    """
    permutations = [tuple(int(s) for s in generator) for generator in generators]
    if not permutations:
        raise RulesError("generate_group() got no generators: expected at least one permutation")
    identity = tuple(range(len(permutations[0])))
    for generator in permutations:
        if tuple(sorted(generator)) != identity:
            raise RulesError(
                f"{list(generator)} is no permutation: expected the numbers 0 to {len(identity) - 1}"
            )
    group = {identity: None}
    frontier = [identity]
    while frontier:
        products = [tuple(g[s] for s in element) for element in frontier for g in permutations]
        frontier = [element for element in dict.fromkeys(products) if element not in group]
        group.update(dict.fromkeys(frontier))
        if len(group) > MAX_ORDER:
            raise RulesError(f"the group has more than {MAX_ORDER} elements: expected a smaller one")
    return np.array(list(group), np.int64)


def permute_bits(bits: int, images: Any) -> int:
    """Return the image of a set of points. Works inside compiled rules.

    Parameters
    ----------
    bits : int
        The set, bit s for point s.
    images : sequence of int
        The image of each point, a row of a table of symmetries.

    Notes
    -----
    Raises nothing: nothing is checked, since compiled rules call it.
    Cost: time proportional to the number of points.

    Examples
    --------
    >>> bin(permute_bits(0b011, [1, 2, 0]))
    '0b110'
    """
    moved = 0
    for s in range(len(images)):
        moved |= (bits >> s & 1) << images[s]
    return moved


def subset_images(images: IntArray) -> IntArray:
    """Return the image of every set of points under every symmetry.

    Parameters
    ----------
    images : int array [order, points]
        The image of each point; at most 24 points, and images below 63.

    Returns
    -------
    int64 array [order, 2 ** points]
        ``table[t, bits] == permute_bits(bits, images[t])``.

    Raises
    ------
    RulesError
        If there are more points.

    Notes
    -----
    8 bytes for each symmetry and set. For many points split them in two halves, ``images[:, :half]``
    and ``images[:, half:]``, and join the images of the halves by OR.

    Examples
    --------
    >>> subset_images(grid_symmetries(1, 2)[:2]).tolist()
    [[0, 1, 2, 3], [0, 2, 1, 3]]
    """
    order, points = images.shape
    if points > MAX_TABLE_POINTS:
        raise RulesError(f"{points} points are too many: expected at most {MAX_TABLE_POINTS}")
    table = np.zeros((order, 1 << points), np.int64)
    for s in range(points):
        half = 1 << s
        table[:, half : 2 * half] = table[:, :half] | np.int64(1) << images[:, s, None]
    return table


def smallest_images(table: IntArray) -> tuple[IntArray, IntArray]:
    """Return the smallest image of every set, and the symmetries that make it.

    Parameters
    ----------
    table : int array [order, sets]
        Images as made by :func:`subset_images`, of at most 63 symmetries.

    Returns
    -------
    smallest : int64 array [sets]
        Equal for two sets if and only if they are images of one another, if the symmetries form a
        group.
    symmetries : int64 array [sets]
        Bit t is set where ``table[t]`` is the smallest.

    Notes
    -----
    Raises nothing for a table of this form. Cost: a pass over the table, and 16 bytes a set.

    Examples
    --------
    >>> smallest, symmetries = smallest_images(subset_images(grid_symmetries(1, 2)[:2]))
    >>> smallest.tolist(), symmetries.tolist()
    ([0, 1, 1, 3], [3, 1, 2, 3])
    """
    smallest = table.min(axis=0)
    symmetries = np.zeros(len(smallest), np.int64)
    for t, row in enumerate(table):
        symmetries |= (row == smallest).astype(np.int64) << t
    return smallest, symmetries


def distinct(out: Any, start: int, stop: int) -> int:
    """Move the different numbers of ``out[start:stop]`` to its beginning; return where they stop.

    Parameters
    ----------
    out : int64 array [at least stop]
        Changed in place.
    start, stop : int
        The places to look at.

    Notes
    -----
    For ``survey`` and ``predecessor_indices`` of a position that a symmetry keeps, where two moves may
    lead to the same index. Raises nothing: nothing is checked, since compiled rules call it. Cost: the
    square of the number of places.

    Examples
    --------
    >>> out = np.array([7, 5, 7, 5, 6])
    >>> distinct(out, 1, 5), out[1:4].tolist()
    (4, [5, 7, 6])
    """
    kept = start
    for k in range(start, stop):
        again = False
        for j in range(start, kept):
            if out[j] == out[k]:
                again = True
        if not again:
            out[kept] = out[k]
            kept += 1
    return kept


# -- two sets of points ------------------------------------------------------------------------


# The tables of two sets are one array: arguments of compiled functions are few, since each call copies
# them. It begins with numbers, and with the places where its parts begin:
POINTS_AT, WIDTH_AT, ORDER_AT, LOW_BITS_AT, NUM_BLOCKS_AT = range(5)
# the width is the most men of a side, plus 1
RANKS_AT = 5  # the rank of each low half; then, by the size of the low half, what a high half adds
CHOOSE_AT = 6  # binomials, n + 1 in a row
FIRST_SET_AT, FIRST_CLASS_AT = 7, 8  # by size: how many sets are smaller, and how many classes
ENTRIES_AT = 9  # with symmetry, by size and rank: 64 times the class, and what makes the smallest image
CLASSES_AT, STABLE_AT = 10, 11  # by class: the smallest image, and a bit for what leaves it as it is
LISTS_AT, FIRST_LIST_AT = 12, 13  # the sets of each size in order, and where each size begins
IMAGES_AT = 14  # the image of each byte of a set: 256 for a byte, n / 8 bytes for a symmetry
BEGINS_AT = 15  # the first index by key, -1 for a key without a block
BLOCKS_AT = 16  # rows: first index, what is above both sets, men of the mover, of the opponent, places
PARTS = 17
BLOCK_ROW = 5


class TwoSets:
    """A dense index of positions of two sets of points: the mover's men and the opponent's.

    A position is an int: the mover's set, above it the opponent's, and above both whatever else tells
    positions with the same sets apart, such as the number of men in hand.

    Parameters
    ----------
    points : int
        The number of points, at most 31.
    tiers : sequence of sequences of (int, int, int)
        The blocks of each tier in the order of the index. A block has the positions with the same
        number above both sets, the same number of the mover's men and of the opponent's. See
        :func:`by_removal`.
    symmetries : int array [order, points], optional
        The image of each point, the identity first: a group, of at most 62. Of positions that are
        images of one another only the canonical one is solved. In a block the index is the rank of the
        mover's set, then that of the opponent's among the other points; with symmetry, sets of the
        mover that are images of one another have one rank.

    Attributes
    ----------
    size : int
        The number of indices.
    tiers : tuple of int
        The first index of each tier.
    data : int64 array
        The tables, second argument of :func:`rank_two_sets`, :func:`unrank_two_sets` and
        :func:`canonical_two_sets`, to be an entry of ``data`` of a game.

    Raises
    ------
    RulesError
        For too many points or symmetries, a block that occurs twice, or one without a position.

    Notes
    -----
    Tables take 8 bytes for each set of as many points as a side has men, and 8 more with symmetry,
    which takes ``order`` times as long to prepare.

    Examples
    --------
    >>> sets = TwoSets(9, [[(0, 1, 2)], [(0, 2, 2)]], grid_symmetries(3, 3))
    >>> sets.size, sets.tiers, sets.tier_of[0, 2, 2]
    (252, (0, 84), 1)
    >>> position = unrank_two_sets(100, sets.data)
    >>> bin(position), rank_two_sets(position, sets.data)
    ('0b100001000000000011', 100)
    """

    def __init__(
        self,
        points: int,
        tiers: Sequence[Sequence[tuple[int, int, int]]],
        symmetries: IntArray | None = None,
    ) -> None:
        ways = np.arange(points)[None] if symmetries is None else np.asarray(symmetries)
        kinds = [tuple(kind) for tier in tiers for kind in tier]
        if not 1 <= points <= MAX_POINTS_OF_SETS or len(ways) > MAX_SET_SYMMETRIES:
            raise RulesError(
                f"{points} points with {len(ways)} symmetries: expected at most {MAX_POINTS_OF_SETS} "
                f"points and {MAX_SET_SYMMETRIES} symmetries"
            )
        for kind in kinds:
            if min(kind) < 0 or kind[1] + kind[2] > points or kinds.count(kind) > 1:
                raise RulesError(
                    f"{kind} is no block of {points} points, or occurs twice: expected what is above "
                    "both sets, and the numbers of men of both"
                )
        self.tier_of = {tuple(kind): t for t, tier in enumerate(tiers) for kind in tier}
        most = max(max(kind[1:]) for kind in kinds)
        choose = binomials(points, points)
        images = _byte_images(ways)
        first_class, entries, classes, stable = _classes(points, most, ways, images)
        sizes = [
            int(first_class[mine + 1] - first_class[mine]) * math.comb(points - mine, theirs)
            for _, mine, theirs in kinds
        ]
        first = row_bounds(sizes)
        self.size = int(first[-1])
        starts = row_bounds(list(map(len, tiers)))[:-1]
        self.tiers = tuple(first[starts].tolist())
        width = most + 1
        begins = np.full((max(kind[0] for kind in kinds) + 1) * width**2, -1, np.int64)
        for kind, begin in zip(kinds, first.tolist(), strict=False):
            begins[(kind[0] * width + kind[1]) * width + kind[2]] = begin
        counts = np.array([(*kind, choose[points - kind[1], kind[2]]) for kind in kinds], np.int64)
        lists = [subsets(points, k) for k in range(most + 1)]
        low_bits = (points + 1) // 2
        parts = (
            _half_ranks(points, low_bits, choose),
            choose.ravel(),
            row_bounds(choose[points]),
            first_class,
            entries,
            classes,
            stable,
            np.concatenate(lists),
            row_bounds(list(map(len, lists))),
            images,
            begins,
            np.column_stack([first[:-1], counts]).ravel(),
        )
        places = PARTS + np.cumsum([0, *map(len, parts[:-1])])
        head = [points, width, len(ways), low_bits, len(kinds), *places.tolist()]
        self.data = np.concatenate([head, *parts]).astype(np.int64)


def by_removal(kinds: Iterable[tuple[int, int, int]]) -> list[list[tuple[int, int, int]]]:
    """Return blocks of two sets in an order in which moves lead only to earlier tiers, or stay.

    Parameters
    ----------
    kinds : iterable of (int, int, int)
        What is above both sets, and the numbers of men of both, as :class:`TwoSets` takes them. What
        is above both sets must never grow, such as the number of men in hand.

    Returns
    -------
    list of lists of (int, int, int)
        Tiers with less above both sets come first, then those with fewer men. Two blocks with the
        numbers of men exchanged are in one tier, since a move that takes nobody leads from one to the
        other.

    Notes
    -----
    Raises nothing. Cost: that of sorting the blocks.

    Examples
    --------
    >>> by_removal([(0, 2, 2), (0, 1, 2), (0, 2, 1)])
    [[(0, 1, 2), (0, 2, 1)], [(0, 2, 2)]]
    """
    tiers: dict[tuple[int, ...], list[tuple[int, int, int]]] = {}
    for kind in sorted(kinds, key=lambda kind: (kind[0], kind[1] + kind[2], max(kind[1:]), kind)):
        tiers.setdefault((kind[0], *sorted(kind[1:])), []).append(kind)
    return list(tiers.values())


def rank_two_sets(position: int, sets: Any) -> int:
    """Return the index of a position of two sets, -1 for numbers of men without a block.

    Parameters
    ----------
    position : int
        A canonical position: see :class:`TwoSets`.
    sets : int64 array
        ``TwoSets(...).data``.

    Notes
    -----
    Raises nothing: nothing is checked, since compiled rules call it.
    Cost: four look-ups, and time proportional to the mover's men.

    Examples
    --------
    >>> rank_two_sets(0b0010_0001, TwoSets(4, [[(0, 1, 1)]]).data)
    0
    """
    n = int(sets[POINTS_AT])
    every = (1 << n) - 1
    mine, theirs = position & every, position >> n & every
    own, other = popcount(mine), popcount(theirs)
    width = int(sets[WIDTH_AT])
    key = ((position >> 2 * n) * width + own) * width + other
    if own >= width or other >= width or key >= sets[BLOCKS_AT] - sets[BEGINS_AT]:
        return -1  # of a number that is no position: the key would be that of others
    begin = int(sets[int(sets[BEGINS_AT]) + key])
    if begin < 0:
        return -1
    number = _half_rank(mine, sets)
    if sets[ORDER_AT] > 1:  # the class of the set in place of the set
        entry = int(sets[int(sets[ENTRIES_AT]) + int(sets[int(sets[FIRST_SET_AT]) + own]) + number])
        number = (entry >> 6) - int(sets[int(sets[FIRST_CLASS_AT]) + own])
    places = int(sets[int(sets[CHOOSE_AT]) + (n - own) * (n + 1) + other])
    return begin + number * places + _half_rank(extract_outside(theirs, mine), sets)


def unrank_two_sets(index: int, sets: Any) -> int:
    """Return the position of two sets of an index.

    Parameters
    ----------
    index : int
        From 0 to ``TwoSets(...).size - 1``.
    sets : int64 array
        ``TwoSets(...).data``.

    Notes
    -----
    Raises nothing: nothing is checked, since compiled rules call it.
    Cost: a binary search for the block, two look-ups, and time proportional to the mover's men.

    Examples
    --------
    >>> bin(unrank_two_sets(0, TwoSets(4, [[(0, 1, 1)]]).data))
    '0b100001'
    """
    rows = int(sets[BLOCKS_AT])
    low, above = 0, int(sets[NUM_BLOCKS_AT])
    while above - low > 1:
        middle = (low + above) >> 1
        if sets[rows + BLOCK_ROW * middle] <= index:
            low = middle
        else:
            above = middle
    row = rows + BLOCK_ROW * low
    within = index - int(sets[row])
    own, other, places = int(sets[row + 2]), int(sets[row + 3]), int(sets[row + 4])
    number = within // places
    mine = int(sets[int(sets[CLASSES_AT]) + int(sets[int(sets[FIRST_CLASS_AT]) + own]) + number])
    first = int(sets[int(sets[FIRST_LIST_AT]) + other])
    theirs = int(sets[int(sets[LISTS_AT]) + first + within - number * places])
    n = int(sets[POINTS_AT])
    return (int(sets[row + 1]) << n | deposit_outside(theirs, mine)) << n | mine


def canonical_two_sets(position: int, sets: Any) -> int:
    """Return the image of two sets with the smallest set of the mover, then of the opponent.

    Parameters
    ----------
    position : int
        See :class:`TwoSets`.
    sets : int64 array
        ``TwoSets(...).data``.

    Notes
    -----
    Raises nothing: nothing is checked, since compiled rules call it. Cost: a look-up and an image of
    the opponent's set, and one more for each symmetry of the mover's.

    Examples
    --------
    >>> sets = TwoSets(9, [[(0, 1, 1)]], grid_symmetries(3, 3))
    >>> canonical_two_sets(1 << 17 | 1 << 2, sets.data) == 1 << 11 | 1
    True
    """
    if sets[ORDER_AT] == 1:
        return position
    n = int(sets[POINTS_AT])
    every = (1 << n) - 1
    mine, theirs = position & every, position >> n & every
    if popcount(mine) >= sets[WIDTH_AT]:  # no position, and no entry
        return position
    first = int(sets[int(sets[FIRST_SET_AT]) + popcount(mine)])
    entry = int(sets[int(sets[ENTRIES_AT]) + first + _half_rank(mine, sets)])
    stable = int(sets[int(sets[STABLE_AT]) + (entry >> 6)]) >> 1
    smallest = set_image(theirs, entry & 63, sets)
    theirs, way = smallest, 1
    while stable != 0:
        if stable & 1 != 0:
            smallest = min(smallest, set_image(theirs, way, sets))
        stable >>= 1
        way += 1
    both = position >> 2 * n << n | smallest
    return both << n | int(sets[int(sets[CLASSES_AT]) + (entry >> 6)])


def set_image(points: int, way: int, sets: Any) -> int:
    """Return the image of a set of points under a symmetry.

    Parameters
    ----------
    points : int
        The set.
    way : int
        The row of the symmetry.
    sets : int64 array
        ``TwoSets(...).data``.

    Notes
    -----
    Raises nothing: nothing is checked, since compiled rules call it. Cost: a look-up for eight points.

    Examples
    --------
    >>> set_image(0b001, 1, TwoSets(9, [[(0, 1, 1)]], grid_symmetries(3, 3)).data)
    4
    """
    moved, at = 0, int(sets[IMAGES_AT]) + way * ((int(sets[POINTS_AT]) + 7) // 8) * 256
    while points != 0:
        moved |= int(sets[at + (points & 255)])
        points >>= 8
        at += 256
    return moved


def _half_rank(points: int, sets: Any) -> int:
    """Return the number of sets of the same size that are smaller."""
    low_bits, ranks = int(sets[LOW_BITS_AT]), int(sets[RANKS_AT])
    low, high = points & (1 << low_bits) - 1, points >> low_bits
    row = (1 << low_bits) + (popcount(low) << int(sets[POINTS_AT]) - low_bits)
    return int(sets[ranks + low]) + int(sets[ranks + row + high])


def _half_ranks(points: int, low_bits: int, choose: IntArray) -> IntArray:
    """Return the ranks of low halves of sets, and what high halves add to them by the low size."""
    low = np.zeros(1 << low_bits, np.int64)
    high = np.zeros((low_bits + 1, 1 << points - low_bits), np.int64)
    size = np.bitwise_count(np.arange(1 << low_bits)).astype(np.int64)
    below = np.arange(low_bits + 1)[:, None]
    for s in range(low_bits):
        half = 1 << s
        low[half : 2 * half] = low[:half] + choose[s, size[:half] + 1]
        if s < points - low_bits:
            members = np.minimum(size[:half] + 1 + below, points)
            high[:, half : 2 * half] = high[:, :half] + choose[s + low_bits, members]
    return np.concatenate([low, high.ravel()])


def _byte_images(ways: IntArray) -> IntArray:
    """Return the image of each byte of a set under each symmetry."""
    padded = np.zeros((len(ways), -(-ways.shape[1] // 8) * 8), np.int64)
    padded[:, : ways.shape[1]] = ways
    return subset_images(padded.reshape(-1, 8)).ravel()


def _classes(
    points: int, most: int, ways: IntArray, images: IntArray
) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return where classes of each size begin, the class of each set, smallest images, stabilisers."""
    table = images.reshape(len(ways), -1, 256)
    first, entries, classes, stable = [0], [np.zeros(0, np.int64)], [], []
    for size in range(most + 1):
        sets = subsets(points, size)
        if len(ways) == 1:
            classes.append(sets)
            stable.append(np.zeros(0, np.int64))
            first.append(first[-1] + len(sets))
            continue
        smallest, best = sets.copy(), np.zeros(len(sets), np.int64)
        for way in range(1, len(ways)):
            image = _images_of(sets, table[way])
            less = image < smallest
            smallest[less], best[less] = image[less], way
        representatives, numbers = np.unique(smallest, return_inverse=True)
        entries.append((numbers + first[-1]) << 6 | best)
        kept = np.zeros(len(representatives), np.int64)
        for way in range(len(ways)):
            kept |= (_images_of(representatives, table[way]) == representatives).astype(np.int64) << way
        classes.append(representatives)
        stable.append(kept)
        first.append(first[-1] + len(representatives))
    first += [first[-1]] * (points + 2 - len(first))
    begins = np.array(first, np.int64)
    return begins, np.concatenate(entries), np.concatenate(classes), np.concatenate(stable)


def _images_of(sets: IntArray, table: IntArray) -> IntArray:
    """Return the images of sets by the images of their bytes."""
    moved = np.zeros_like(sets)
    for byte, row in enumerate(table):
        moved |= row[sets >> 8 * byte & 255]
    return moved

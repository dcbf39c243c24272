"""Tables of symmetries: permutations of points, and the images of sets under them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.errors import RulesError

MAX_ORDER = 1 << 16
MAX_TABLE_POINTS = 24


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
    given = [tuple(int(s) for s in generator) for generator in generators]
    if not given:
        raise RulesError("generate_group() got no generators: expected at least one permutation")
    identity = tuple(range(len(given[0])))
    for generator in given:
        if tuple(sorted(generator)) != identity:
            raise RulesError(
                f"{list(generator)} is no permutation: expected the numbers 0 to {len(identity) - 1}"
            )
    group = {identity: None}
    frontier = [identity]
    while frontier:
        products = [tuple(g[s] for s in element) for element in frontier for g in given]
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

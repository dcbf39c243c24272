"""The sets of walls of Quoridor: which there are, what they block, and what another wall makes of them.

A wall is two squares long and stands between rows or between columns. Its number is
``direction * (n - 1)**2 + row * (n - 1) + column``: direction 0 for a wall above the squares (row,
column) and (row, column + 1), 1 for one to the right of (row, column) and (row + 1, column). Two walls
may neither overlap nor cross. Squares are numbered by rows, the first player's row first.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from retrosolve.arrays import IntArray

WALL_BITS = 7  # of the number of a wall in the key of a set
SETS_PER_PART = 1 << 16
NORTH, EAST, FIRST_REACHES, SECOND_REACHES, IMAGE, NUMBER, BEGIN, SMALLEST, COLUMNS = range(9)


class WallSets(NamedTuple):
    """All sets of up to some number of walls, numbered by the number of walls, then in order.

    Parameters
    ----------
    walls : list of int [number of sets, k]
        The sets of each size k, each with its walls ascending.
    begins : int64 [sizes + 1]
        The number of the first set of each size, and of all sets.
    rows : int64 [sets + 1, COLUMNS]
        For each set, squares as bits of a number: those with a free way up (NORTH) and to the right
        (EAST), those from which the first and the second player reach their goals; then its mirror
        image, its number among the sets of its size that are no larger than their images, where its
        extensions begin, and the set that is the next one of all that are no larger than their images.
    extensions : int32 [any length]
        The sets with one wall more, those of each set in the order of the walls.
    """

    walls: list[IntArray]
    begins: IntArray
    rows: IntArray
    extensions: IntArray


def wall_sets(n: int, most: int) -> WallSets:
    """Return the sets of at most ``most`` walls on a board of n x n squares."""
    fits = _fitting(n)
    walls: list[IntArray] = [np.zeros((1, 0), np.int16)]
    for _ in range(most):
        walls.append(_larger(walls[-1], fits))
    begins = np.cumsum([0, *map(len, walls)])
    keys = [_keys(sets) for sets in walls]
    rows = np.zeros((int(begins[-1]) + 1, COLUMNS), np.int64)
    extensions = []
    reversed_walls = _mirrored_walls(n)
    for size, sets in enumerate(walls):
        own = slice(int(begins[size]), int(begins[size + 1]))
        rows[own, NORTH : SECOND_REACHES + 1] = _squares(n, sets)
        images = np.sort(reversed_walls[sets], axis=1)
        rows[own, IMAGE] = begins[size] + np.searchsorted(keys[size], _keys(images))
        smallest = rows[own, IMAGE] >= np.arange(own.start, own.stop)
        rows[own, NUMBER] = np.cumsum(smallest) - 1
        if size < most:
            counts, larger = _extended(sets, fits, keys[size + 1])
            rows[own.start + 1 : own.stop + 1, BEGIN] = counts
            extensions.append(begins[size + 1] + larger)
    np.cumsum(rows[:, BEGIN], out=rows[:, BEGIN])
    order = np.arange(len(rows) - 1)
    chosen = np.flatnonzero(rows[:-1, IMAGE] >= order)
    rows[: len(chosen), SMALLEST] = chosen
    joined = np.concatenate([np.zeros(0, np.int32), *extensions]).astype(np.int32)
    return WallSets(walls, begins, rows, joined)


def place_of(wall: int, n: int) -> tuple[int, int, int]:
    """Return the direction, the row and the column of a wall."""
    direction, place = divmod(wall, (n - 1) ** 2)
    return direction, *divmod(place, n - 1)


def _fitting(n: int) -> Any:
    """Return which pairs of different walls may stand together, bool [walls, walls]."""
    places = [place_of(wall, n) for wall in range(2 * (n - 1) ** 2)]

    def fit(one: tuple[int, int, int], other: tuple[int, int, int]) -> bool:
        if one[0] != other[0]:
            return one[1:] != other[1:]
        apart = [abs(a - b) for a, b in zip(one[1:], other[1:], strict=True)]
        across, along = apart if one[0] == 0 else reversed(apart)
        return across > 0 or along > 1

    return np.array([[fit(one, other) for other in places] for one in places])


def _larger(sets: IntArray, fits: Any) -> IntArray:
    """Return the sets with one wall more, each once, in order."""
    parts = []
    numbers = np.arange(len(fits))
    for start in range(0, len(sets), SETS_PER_PART):
        part = sets[start : start + SETS_PER_PART]
        free = _free(part, fits)
        if part.shape[1]:
            free &= numbers > part[:, -1:]
        which, added = np.nonzero(free)
        parts.append(np.column_stack([part[which], added.astype(np.int16)]))
    return np.concatenate(parts)


def _free(sets: IntArray, fits: Any) -> Any:
    """Return which walls may join each set, bool [number of sets, walls]."""
    return fits[sets].all(axis=1)


def _extended(sets: IntArray, fits: Any, keys: IntArray) -> tuple[IntArray, IntArray]:
    """Return the number of walls that fit each set, and the numbers of the sets with one of them."""
    counts, numbers = [], []
    for start in range(0, len(sets), SETS_PER_PART):
        part = sets[start : start + SETS_PER_PART]
        free = _free(part, fits)
        which, added = np.nonzero(free)
        larger = np.sort(np.column_stack([part[which], added.astype(np.int16)]), axis=1)
        counts.append(free.sum(axis=1))
        numbers.append(np.searchsorted(keys, _keys(larger)))
    return np.concatenate(counts), np.concatenate(numbers)


def _keys(sets: IntArray) -> IntArray:
    """Return a number for each set; larger sets in order have larger numbers."""
    keys: IntArray = np.zeros(len(sets), np.int64)
    for walls in sets.T:
        keys = keys << WALL_BITS | walls
    return keys


def _mirrored_walls(n: int) -> IntArray:
    """Return the mirror image of each wall."""
    images = np.arange(2 * (n - 1) ** 2).reshape(2, n - 1, n - 1)[:, :, ::-1]
    return images.ravel().astype(np.int16)


def _squares(n: int, sets: IntArray) -> IntArray:
    """Return free ways up and to the right, and from where each player reaches the goal, as bits."""
    blocked = np.zeros((2, 2 * (n - 1) ** 2), np.int64)
    for wall in range(blocked.shape[1]):
        direction, row, column = place_of(wall, n)
        further = 1 if direction == 0 else n
        blocked[direction, wall] = (1 + (1 << further)) << (n * row + column)
    every = (1 << n * n) - 1
    last_column = sum(1 << n * row + n - 1 for row in range(n))
    north = every >> n & ~np.bitwise_or.reduce(blocked[0][sets], axis=1, initial=0)
    east = every & ~last_column & ~np.bitwise_or.reduce(blocked[1][sets], axis=1, initial=0)
    first_row = (1 << n) - 1
    goals = first_row << n * (n - 1), first_row
    return np.column_stack([north, east, *(_reaching(goal, north, east, n) for goal in goals)])


def _reaching(goal: int, north: IntArray, east: IntArray, n: int) -> IntArray:
    """Return the squares from which a pawn alone on the board reaches a goal, for each set."""
    reached: IntArray = np.full(len(north), goal, np.int64)
    while True:
        before = reached
        reached = reached | reached >> n & north | (reached & north) << n
        reached = reached | reached >> 1 & east | (reached & east) << 1
        if np.array_equal(before, reached):
            return reached

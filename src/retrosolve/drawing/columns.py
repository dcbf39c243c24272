"""Coordinates for a drawn game: columns by remoteness, from the longest game to the end.

The layout depends on the graph only, so that every picture of a game has the same one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, sqrt

SWEEPS = 4  # over all columns; crossings hardly become fewer with more
MIN_ROWS = 6
WIDTH_TO_HEIGHT = 1.5

Point = tuple[float, float]


def in_columns(remoteness: Sequence[int | None], moves: Iterable[tuple[int, int]]) -> list[Point]:
    """Return a place for each position of a small game.

    Parameters
    ----------
    remoteness : sequence of (int or None) [n]
        None for draws, which come first.
    moves : iterable of (int, int)
        The moves, as pairs of positions.

    Returns
    -------
    list of (float, float) [n]
        Column and row. Columns count from 0, the remoteness falls from left to right, and rows are
        centred on 0 with a distance of 1. A long column is divided into several.

    Notes
    -----
    A position is placed near the mean row of its neighbours, in a few sweeps: O(n log n + m) time.

    Examples
    --------
    >>> in_columns([2, 1, 1, 0, None], [(0, 1), (0, 2), (1, 3), (2, 3), (4, 4)])
    [(1.0, 0.0), (2.0, -0.5), (2.0, 0.5), (3.0, 0.0), (0.0, 0.0)]
    """
    columns = _columns(remoteness)
    neighbors: list[list[int]] = [[] for _ in remoteness]
    for v, w in moves:
        if v != w:
            neighbors[v].append(w)
            neighbors[w].append(v)
    row = [0.0] * len(remoteness)
    _set_rows(columns, row)
    for sweep in range(SWEEPS):
        for column in columns[:: -1 if sweep % 2 else 1]:
            column.sort(key=lambda v: (_mean_row(neighbors[v], row, row[v]), v))
            _set_rows([column], row)
    place = {v: number for number, column in enumerate(columns) for v in column}
    return [(float(place[v]), row[v]) for v in range(len(remoteness))]


def _columns(remoteness: Sequence[int | None]) -> list[list[int]]:
    """Return the positions by column, draws first, then from the highest remoteness to 0."""
    most = max(MIN_ROWS, ceil(sqrt(len(remoteness) / WIDTH_TO_HEIGHT)))
    groups: dict[int, list[int]] = {}
    for v, level in enumerate(remoteness):
        groups.setdefault(-1 if level is None else level, []).append(v)
    columns = []
    for level in sorted(groups, key=lambda level: (level >= 0, -level)):
        group = groups[level]
        parts = ceil(len(group) / most)
        columns += [group[part::parts] for part in range(parts)]
    return columns


def _set_rows(columns: list[list[int]], row: list[float]) -> None:
    """Set the row of each position from its place in its column."""
    for column in columns:
        for number, v in enumerate(column):
            row[v] = number - (len(column) - 1) / 2


def _mean_row(neighbors: list[int], row: list[float], default: float) -> float:
    """Return the mean row of some positions, ``default`` without any."""
    return sum(row[w] for w in neighbors) / len(neighbors) if neighbors else default

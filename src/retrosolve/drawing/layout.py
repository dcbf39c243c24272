"""Places for the positions of a small game or graph: by distance, or in columns by remoteness.

A layout depends on the graph only, so that every picture of a game has the same one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray

MAX_DRAWN = 200
STEPS = 120
Places = NDArray[np.float64]


def spread(source: IntArray, target: IntArray, vertices: int) -> Places:
    """Return places in the unit square by stress majorization, the same for the same graph.

    Parameters
    ----------
    source, target : int [edges]
        Edges; their direction does not matter.
    vertices : int
        At most MAX_DRAWN.

    Returns
    -------
    float [vertices, 2]
        Pieces of the graph that are not joined lie apart from one another.

    Notes
    -----
    The method is SMACOF (E. Gansner, Y. Koren and S. North, 2004), from a circle. O(n^3) time.

    Examples
    --------
    >>> places = spread(np.array([0, 1]), np.array([1, 2]), 3)
    >>> bool(abs(places[0] - places[1]).max() > 0.4)
    True
    """
    if vertices < 2:
        return np.full((vertices, 2), 0.5)
    wanted = _distances(source, target, vertices)
    weight = np.where(wanted > 0, 1 / np.maximum(wanted, 1) ** 2, 0.0)
    laplacian = np.diag(weight.sum(axis=1)) - weight
    inverse = np.linalg.pinv(laplacian)
    angle = 2 * np.pi * np.arange(vertices) / vertices
    # A little off the circle, since symmetric places may be a saddle of the stress.
    radius = vertices / 6 * (1 + 0.1 * np.cos(2.7 * np.arange(vertices)))
    places: Places = np.stack([radius * np.sin(angle), -radius * np.cos(angle)], axis=1)
    for _ in range(STEPS):
        apart = np.linalg.norm(places[:, None] - places[None], axis=2)
        ratio = np.divide(weight * wanted, apart, out=np.zeros_like(apart), where=apart > 1e-9)
        places = inverse @ ((np.diag(ratio.sum(axis=1)) - ratio) @ places)
    places -= places.min(axis=0)
    size = places.max()
    placed: Places = places / size + (1 - places.max(axis=0) / size) / 2
    return placed


def _distances(source: IntArray, target: IntArray, vertices: int) -> NDArray[np.float64]:
    """Return the number of edges between all pairs; two more than any for vertices not joined."""
    joined = np.eye(vertices, dtype=bool)
    joined[source, target] = joined[target, source] = True
    distance = np.where(joined, 1.0, np.inf)
    np.fill_diagonal(distance, 0)
    for middle in range(vertices):
        distance = np.minimum(distance, distance[:, middle, None] + distance[middle])
    finite = distance[np.isfinite(distance)].max()
    return np.where(np.isfinite(distance), distance, finite + 2)


SWEEPS = 4  # over all columns; crossings hardly become fewer with more
MIN_ROWS = 6
WIDTH_TO_HEIGHT = 1.5

Point = tuple[float, float]


def in_columns(
    remoteness: Sequence[int | None], moves: Iterable[tuple[int, int]], divided: bool = True
) -> list[Point]:
    """Return a place for each position of a small game.

    Parameters
    ----------
    remoteness : sequence of (int or None) [n]
        None for draws, which come first.
    moves : iterable of (int, int)
        The moves, as pairs of positions.
    divided : bool
        Whether a long column is divided into several. Draws, which have no remoteness, always are.

    Returns
    -------
    list of (float, float) [n]
        Column and row. Columns count from 0, the remoteness falls from left to right, and rows are
        centred on 0 with a distance of 1.

    Notes
    -----
    A position is placed near the mean row of its neighbours, in a few sweeps: O(n log n + m) time.

    Examples
    --------
    >>> in_columns([2, 1, 1, 0, None], [(0, 1), (0, 2), (1, 3), (2, 3), (4, 4)])
    [(1.0, 0.0), (2.0, -0.5), (2.0, 0.5), (3.0, 0.0), (0.0, 0.0)]
    """
    columns = _columns(remoteness, divided)
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


def _columns(remoteness: Sequence[int | None], divided: bool) -> list[list[int]]:
    """Return the positions by column, draws first, then from the highest remoteness to 0."""
    most = max(MIN_ROWS, ceil(sqrt(len(remoteness) / WIDTH_TO_HEIGHT)))
    groups: dict[int, list[int]] = {}
    for v, level in enumerate(remoteness):
        groups.setdefault(-1 if level is None else level, []).append(v)
    columns = []
    for level in sorted(groups, key=lambda level: (level >= 0, -level)):
        group = groups[level]
        parts = ceil(len(group) / most) if divided or level < 0 else 1
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

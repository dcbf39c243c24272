"""Places for the vertices of a small graph, by distance.

They depend on the graph only, so that every picture of it has the same ones.
"""

from __future__ import annotations

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

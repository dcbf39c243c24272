"""The graphs that are timed: families of different nature, any size, always the same for a size.

Each function gives ``vertices, source, target, owner, terminal`` for about ``edges`` edges; the last
two may be None. Edges are int32 and in no order.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Case = tuple[int, np.ndarray, np.ndarray, np.ndarray | None, np.ndarray | None]


def uniform(edges: int, degree: int) -> Case:
    """Both ends uniformly random; ``degree`` edges a vertex on average."""
    rng = np.random.default_rng(edges + degree)
    n = max(edges // degree, 2)
    source, target = rng.integers(0, n, (2, edges), dtype=np.int32)
    return n, source, target, None, None


def power_law(edges: int) -> Case:
    """Out-degree 3 on average; targets crowd on few vertices, in-degrees up to a few percent of all."""
    rng = np.random.default_rng(edges)
    n = max(edges // 3, 2)
    source = rng.integers(0, n, edges, dtype=np.int32)
    place = (n * rng.random(edges) ** 4).astype(np.int32)
    target = rng.permutation(n).astype(np.int32)[np.minimum(place, n - 1)]
    return n, source, target, None, None


def thin(edges: int) -> Case:
    """The game of stones with moves 1 and 3, renumbered at random: half as many levels as vertices."""
    rng = np.random.default_rng(edges)
    n = max(edges // 2, 4)
    number = rng.permutation(n).astype(np.int32)
    source = np.concatenate([number[1:], number[3:]])
    target = np.concatenate([number[:-1], number[:-3]])
    order = rng.permutation(len(source))
    return n, source[order], target[order], None, None


def grid(edges: int) -> Case:
    """A square grid, each edge of it there with even chances: moves lead to close numbers."""
    rng = np.random.default_rng(edges)
    side = max(int((edges / 2) ** 0.5), 2)
    n = side * side
    cell = np.arange(n, dtype=np.int32)
    parts = []
    for step, inside in (
        (1, cell % side < side - 1),
        (-1, cell % side > 0),
        (side, cell < n - side),
        (-side, cell >= side),
    ):
        source = cell[inside & (rng.random(n) < 0.5)]
        parts.append((source, source + np.int32(step)))
    source, target = (np.concatenate([part[i] for part in parts]) for i in (0, 1))
    return n, source, target, None, None


def owned(edges: int) -> Case:
    """A bipartite reachability game: two owners by turns, out-degree 3, one target in a hundred."""
    rng = np.random.default_rng(edges)
    n = max(edges // 3 // 2 * 2, 4)
    half = n // 2
    source = rng.integers(0, n, edges, dtype=np.int32)
    other = rng.integers(0, half, edges, dtype=np.int32)
    target = np.where(source < half, other + half, other).astype(np.int32)
    owner = np.repeat([0, 1], half).astype(np.uint8)
    terminal = np.zeros(n, np.uint8)
    goals = rng.integers(0, n, max(n // 100, 1))
    terminal[goals] = np.where(owner[goals] == 0, 1, 2)
    return n, source, target, owner, terminal


def draws(edges: int) -> Case:
    """Four moves from every vertex and hardly any end: nearly all draws."""
    rng = np.random.default_rng(edges)
    n = max(edges // 4, 16)
    source = np.tile(np.arange(10, n, dtype=np.int32), 4)
    target = rng.integers(0, n, len(source), dtype=np.int32)
    order = rng.permutation(len(source))
    return n, source[order], target[order], None, None


def loop_free(edges: int) -> Case:
    """Moves down a hidden order, three a vertex on average, some ends: no draw at all."""
    rng = np.random.default_rng(edges)
    n = max(edges // 3, 4)
    number = rng.permutation(n).astype(np.int32)
    upper = rng.integers(1, n, edges)
    lower = (upper * rng.random(edges)).astype(np.int64)
    return n, number[upper], number[lower], None, None


FAMILIES: dict[str, Callable[[int], Case]] = {
    "uniform-2": lambda edges: uniform(edges, 2),
    "uniform-3": lambda edges: uniform(edges, 3),
    "uniform-10": lambda edges: uniform(edges, 10),
    "power-law": power_law,
    "thin": thin,
    "grid": grid,
    "owned": owned,
    "draws": draws,
    "loop-free": loop_free,
}

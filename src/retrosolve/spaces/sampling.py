"""Samples of an index."""

from __future__ import annotations

import numpy as np

SAMPLE_SIZE = 1 << 12
STRETCH = 8  # neighbouring indices of a sample: a call of a kernel takes as long as so many


def sample_ranges(num_vertices: int) -> list[tuple[int, int]]:
    """Return random ranges of 4,096 indices in all, or one range of fewer indices, all of them.

    >>> sample_ranges(100), len(sample_ranges(10**9))
    ([(0, 100)], 512)
    """
    if num_vertices <= SAMPLE_SIZE:
        return [(0, num_vertices)]
    count, last = SAMPLE_SIZE // STRETCH, num_vertices - STRETCH
    places = (np.arange(count) + np.random.default_rng(0).random(count)) / count
    return [(start, start + STRETCH) for start in (places * last).astype(np.int64).tolist()]

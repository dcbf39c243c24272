"""Where to look in an index of many tiers."""

import random
from typing import Any


def edges_and_samples(game: Any, count: int) -> set[int]:
    """Return the first and last index of every tier of a game, and ``count`` others."""
    ends = {
        index
        for first in (*game.tiers[1:], game.size)
        for index in (first - 1, min(first, game.size - 1))
    }
    rng = random.Random(0)
    return ends | {rng.randrange(game.size) for _ in range(count)}

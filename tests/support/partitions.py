"""Subjects of solves in partitions."""

from typing import Any

import numpy as np

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.pursuit.police import PoliceAndThief


def long_graph(length: int = 40) -> rs.Graph:
    """Random edges, some ties, and a path, so that there are many levels."""
    rng = np.random.default_rng(1)
    n = 3000
    source, target = rng.integers(0, n, (2, 2 * n))
    terminal = np.zeros(n + length, np.uint8)
    terminal[: n : n // 50] = 3
    path = np.arange(n, n + length - 1)
    edges = np.append(source, path), np.append(target, path + 1)
    return rs.Graph.from_edges(*edges, n + length, None, terminal)


def subjects() -> dict[str, Any]:
    """A subject of each kind."""
    return {
        "graph": long_graph(),
        "tiers": parse_game("connect4:rows=3,columns=3,connect=3"),
        "cycles": parse_game("chess:KRK,board=4"),
        "reachable": parse_game("foxhounds:n=4"),
        "board": PoliceAndThief.from_text("P...E\n.*...\n....T"),
    }

"""Subjects of solves in partitions, and partitions in one process."""

from collections.abc import Callable, Sequence
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


class InlineGroup:
    """Workers in this process, called one after the other.

    Parameters
    ----------
    size : int
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.nodes = ["here"] * size
        self._workers: list[Any] = []
        self._published: list[Any] = []

    def start(self, make: Callable[..., Any], *args: Any) -> None:
        """Make the workers."""
        self._workers = [make(*args) for _ in range(self.size)]

    def call(self, method: str, *args: Any, each: Sequence[Any] | None = None) -> list[Any]:
        """Call a method of all workers."""
        extra = [()] * self.size if each is None else [(own,) for own in each]
        return [self.call_one(w, method, *args, *own) for w, own in enumerate(extra)]

    def exchange(self, method: str, *args: Any) -> list[Any]:
        """Call a method that publishes."""
        results = [self.call_one(w, method, *args, *self._published) for w in range(self.size)]
        self._published = [published for _, published in results]
        return [report for report, _ in results]

    def handle(self, worker: int, method: str, *args: Any) -> Any:
        """Call a method of one worker."""
        return self.call_one(worker, method, *args)

    def get(self, handle: Any) -> Any:
        """Return the handle, which is what it stands for."""
        return handle

    def call_one(self, worker: int, method: str, *args: Any) -> Any:
        """Call a method of one worker."""
        return getattr(self._workers[worker], method)(*args)

    def close(self) -> None:
        """Forget the workers."""
        self._workers, self._published = [], []

    kill = close

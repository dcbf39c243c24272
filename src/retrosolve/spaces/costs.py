"""Estimates of seconds, from what a vertex and an edge cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from retrosolve.arrays import INT32_LIMIT

Seconds = Callable[[Any, int, int], float]
"""``seconds(space, num_edges, threads)`` estimates the time that something takes."""


class Sized(Protocol):
    """A space, as far as an estimate reads it."""

    num_vertices: int


def linear(vertex: float, edge: float, max_threads: int = INT32_LIMIT) -> Seconds:
    """Return an estimate from the nanoseconds of one core for a vertex and an edge."""

    def seconds(space: Sized, num_edges: int, threads: int) -> float:
        nanoseconds: float = vertex * space.num_vertices + edge * num_edges
        return nanoseconds / min(threads, max_threads) / 1e9

    return seconds

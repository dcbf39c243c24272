"""Solving in partitions on a Ray cluster of this machine: digests, times, levels, bytes, and a model.

    python benchmarks/cluster.py                       # every subject, 1 and 2 partitions
    python benchmarks/cluster.py morris6 1e7 --partitions 2

Each subject is solved in this process first. Times are of the fastest of three solves, so that actors
have loaded their kernels; starting Ray and its actors is timed once.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

import retrosolve as rs
from retrosolve.distributed.group import owned
from retrosolve.distributed.plan import message_bytes
from retrosolve.games import parse_game
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.runtime.memory import format_bytes
from retrosolve.spaces.base import Capability

SUBJECTS = ("1e7", "3e7", "chess:KBNK", "morris6", "connect4:rows=4,columns=5", "60x60", "levels")
PARTITIONS = (1, 2)  # at most one for each processor
REPEATS = 3


def subject_of(name: str) -> Any:
    """Return a random graph of so many edges, a board of so many cells, a path, or a game."""
    if name == "levels":
        return rs.Graph.from_edges(np.arange(500), np.arange(1, 501))
    if "x" in name and name[0].isdigit():
        rows, columns = map(int, name.split("x"))
        rng = np.random.default_rng(1)
        cells = np.where(rng.random((rows, columns)) < 0.1, "*", ".")
        cells[0, 0], cells[-1, -1], cells[0, -1] = "P", "T", "E"
        return PoliceAndThief.from_text("\n".join("".join(row) for row in cells))
    if name[0].isdigit():
        edges = int(float(name))
        rng = np.random.default_rng(edges)
        source, target = rng.integers(0, edges // 3, (2, edges), dtype=np.int32)
        return rs.Graph.from_edges(source, target, edges // 3)
    return parse_game(name)


def timed(space: Any, **options: Any) -> tuple[float, rs.Solution]:
    """Return the time of the fastest of several solves, and the last solution."""
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        solution = rs.solve(space, **options)
        times.append(time.perf_counter() - began)
    return min(times), solution


def modelled(solution: rs.Solution, partitions: int) -> int | None:
    """Return the bytes that partitions of a graph publish by the model, from the solution alone."""
    space: Any = solution.space
    offered = space.capabilities
    if Capability.BIT_ROWS in offered or len(space.tiers) > 1 or Capability.OWNED in offered:
        return None
    value, remoteness = solution.table.values(), solution.remoteness()
    highest, total = int(remoteness.max(initial=0)), 0
    for start, stop in owned(0, space.num_vertices, partitions):
        here, plies = value[start:stop], remoteness[start:stop]
        won = np.bincount(plies[here == rs.Value.WIN], minlength=highest + 1)
        lost = np.bincount(plies[here == rs.Value.LOSS], minlength=highest + 1)
        pairs = zip(lost[1:].tolist(), won[1:].tolist(), strict=True)
        total += sum(message_bytes(stop - start, pair) for pair in pairs)
    return total


def show(name: str, partitions: Sequence[int]) -> None:
    """Solve a subject each way, and print the figures."""
    space = subject_of(name).state_space()
    one, expected = timed(space)
    digest = expected.digest()
    print(f"{name}: {space!r}, {expected.solver} {one:.2f} s", flush=True)
    for number in partitions:
        seconds, solution = timed(space, solver="ray", partitions=number)
        if solution.digest() != digest:
            sys.exit("the digests differ")
        levels = solution.levels
        published = sum(use.num_bytes for use in levels)
        model = modelled(solution, number)
        against = "" if model is None else f", model {format_bytes(model)}"
        around = [1e3 * (use.seconds - use.slowest_seconds) for use in levels]
        rest = f"{statistics.median(around):.1f} ms around a level" if levels else "no levels"
        print(
            f"  {number} partitions: {seconds:.2f} s, {seconds / one:.2f} times; {len(levels)} levels, "
            f"{sum(use.messages for use in levels)} messages, {format_bytes(published)}{against}; "
            f"{rest}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("subjects", nargs="*", default=SUBJECTS)
    parser.add_argument("--partitions", type=int, nargs="+", default=PARTITIONS)
    options = parser.parse_args()
    began = time.perf_counter()
    rs.solve(rs.Graph.from_edges([0], [1]), solver="ray", partitions=2)
    print(f"starting Ray and two actors: {time.perf_counter() - began:.1f} s")
    for name in options.subjects:
        show(name, options.partitions)


if __name__ == "__main__":
    main()

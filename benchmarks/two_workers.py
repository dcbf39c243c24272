"""Solve a game in plain Python with one worker and with two, in turn; print how much faster two are.

    python benchmarks/two_workers.py clobber:5x4 --repeats 3 --positions 700000

Without ``--positions`` the whole game is solved, otherwise its first positions are found. "balance" is
the CPU time of one worker over that of the busier of two processes: what two would reach on processors
that nobody else uses.
"""

from __future__ import annotations

import argparse
import gc
import resource
import statistics
import time
from contextlib import suppress
from typing import Any, NamedTuple

from one_exploring import game_of

import retrosolve as rs
from retrosolve.rules.exploring import Search
from retrosolve.runtime.context import Context

HEADER = "| workers | wall s | CPU s of this process | of the other |\n|---|---|---|---|"


class Run(NamedTuple):
    """The seconds of one run."""

    wall: float
    here: float
    there: float


def cpu_seconds(of: int) -> float:
    """The CPU seconds that this process or its ended children have taken."""
    usage = resource.getrusage(of)
    return usage.ru_utime + usage.ru_stime


def explore(game: Any, workers: int, positions: int | None) -> Any:
    """Solve a game, or find its first positions; return what is not to be freed on the clock."""
    if positions is None:
        return rs.solve(game, workers=workers)
    search = Search(game, Context(workers=workers, limit=positions))
    with suppress(rs.LimitError):
        search.run()
    return search


def timed(text: str, workers: int, positions: int | None) -> Run:
    """The seconds of a run."""
    game = game_of(text)
    gc.collect()
    own, others = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
    before = time.perf_counter(), cpu_seconds(own), cpu_seconds(others)
    made = explore(game, workers, positions)
    after = time.perf_counter(), cpu_seconds(own), cpu_seconds(others)
    del made
    return Run(*(b - a for a, b in zip(before, after, strict=True)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="clobber:5x4")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--positions", type=int)
    given = parser.parse_args()
    print(HEADER, flush=True)
    runs: dict[int, list[Run]] = {1: [], 2: []}
    for _ in range(given.repeats):
        for workers, done in runs.items():
            done.append(timed(given.game, workers, given.positions))
            print(f"| {workers} | {' | '.join(f'{second:.2f}' for second in done[-1])} |", flush=True)
    pairs = [one.wall / two.wall for one, two in zip(*runs.values(), strict=True)]
    one, two = (min(run.wall for run in done) for done in runs.values())
    alone = min(run.here for run in runs[1])
    busier = min(max(run.here, run.there) for run in runs[2])
    together = min(run.here + run.there for run in runs[2])
    print(f"\ntwo workers: {', '.join(f'{pair:.2f}' for pair in pairs)} times as fast", end="; ")
    print(f"median {statistics.median(pairs):.2f}, best of each {one / two:.2f}")
    print(f"balance {alone / busier:.2f}; CPU time of both {together / alone:.2f} times that of one")


if __name__ == "__main__":
    main()

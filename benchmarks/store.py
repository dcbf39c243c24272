"""Saving, opening and probing a table of 10^8 indices. Prints rows for docs/inside/tried.md.

The table is synthetic: 80 pairs of a value and a remoteness, in runs as in chess endings.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

import retrosolve as rs
from retrosolve.objectives import objective_of
from retrosolve.store import Saved, save
from retrosolve.tables import PackedTable

SIZE = 10**8
KINDS = 80
MEAN_RUN = 4
ROUNDS = 20
CPU = "--cpu"  # print the time of the processor, on a machine that does other work too
clock = time.process_time if CPU in sys.argv else time.perf_counter


class Line(rs.CompiledGame):
    """Positions on a line; only the table counts here."""

    max_moves, size = 1, SIZE

    def start(self) -> int:
        return SIZE - 1

    @staticmethod
    def successors(position: int, out: np.ndarray, data: np.ndarray) -> int:
        out[0] = position - 1
        return min(position, 1)


def synthetic(rng: np.random.Generator) -> PackedTable:
    """Return a table with runs of equal words, frequent words in longer runs."""
    words = np.array([k // 2 << 3 | 1 + k % 2 for k in range(1, KINDS + 1)], np.uint16)
    share = 1 / np.arange(1, KINDS + 1)
    kinds = rng.choice(KINDS, SIZE // MEAN_RUN * 2, p=share / share.sum())
    runs = np.repeat(kinds.astype(np.uint8), rng.geometric(1 / MEAN_RUN, len(kinds)))
    return PackedTable(words[runs[:SIZE]])


def timed(name: str, call: Callable[[], object], repeat: int = 1, unit: float = 1e6) -> None:
    """Print the time of a call, the best of some rounds where it is repeated."""
    rounds = []
    for _ in range(ROUNDS if repeat >= ROUNDS else 1):
        number = max(1, repeat // ROUNDS)
        start = clock()
        for _ in range(number):
            call()
        rounds.append((clock() - start) / number)
    print(f"{name}: {min(rounds) * unit:.1f}", flush=True)


def drop(folder: Path) -> None:
    """Drop the files of a folder from the page cache."""
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def first_probes(name: str, folder: Path, places: Iterator[int], prepare: Callable[[], None]) -> None:
    """Print the time of the first probe after opening."""
    seconds = []
    for _ in range(200):
        fresh = rs.open(folder).table
        at = next(places)
        prepare()
        start = clock()
        fresh.outcome(at)
        seconds.append(clock() - start)
    seconds.sort()
    least, median, most = (seconds[at] * 1e6 for at in (10, 100, 197))
    print(f"{name}, us: 5 % {least:.0f}, median {median:.0f}, 99 % {most:.0f}", flush=True)


def main(folder: Path) -> None:
    rng = np.random.default_rng(1)
    table, space = synthetic(rng), Line().state_space()
    saved = Saved(space, table, objective_of("outcome"), "synthetic", SIZE, SIZE - 1)
    rs.open  # noqa: B018  # imported
    timed("save, s", lambda: save(saved, folder / "s"), unit=1)
    timed("first open, ms", lambda: rs.open(folder / "s"), unit=1e3)
    timed("open, ms", lambda: rs.open(folder / "s"), 20, 1e3)
    solution = rs.open(folder / "s", game=Line())
    bits = 8 * solution.opened.manifest.num_bytes / SIZE
    print(f"bytes {solution.opened.manifest.num_bytes}, bits per index {bits:.3f}")
    places = iter(rng.integers(0, SIZE, 10_000).tolist())
    first_probes("first probe, files in the page cache", folder / "s", places, lambda: None)
    first_probes("first probe, page cache dropped", folder / "s", places, lambda: drop(folder / "s"))
    timed("probe of another block, us", lambda: solution.table.outcome(next(places)), 500)
    at, one = next(places), np.zeros(1, np.int64)
    one[0] = at
    timed("warm table.outcome, us", lambda: solution.table.outcome(at), 100_000)
    timed("warm table.values of one, us", lambda: solution.table.values(one), 100_000)
    timed("first use of the space, ms", lambda: solution.space, unit=1e3)
    timed("warm solution[position], us", lambda: solution[at], 100_000)
    for name, indices in {
        "random": rng.integers(0, SIZE, 10**6), "ascending": np.arange(10**6) + at // 2,
    }.items():  # fmt: skip
        fresh = rs.open(folder / "s").table
        for temperature in ("cold", "warm"):
            start = clock()
            values = fresh.values(indices)
            seconds = clock() - start
            print(f"10^6 {name} indices, {temperature}: {1e-6 * len(indices) / seconds:.1f} M/s")
        assert np.array_equal(values, table.values(indices))


if __name__ == "__main__":
    given = [part for part in sys.argv[1:] if part != CPU]
    with tempfile.TemporaryDirectory(dir=given[0] if given else None) as folder:
        main(Path(folder))

"""Solve subjects of each kind under memory budgets; print the growth of the peak, a line of JSON each.

Each solve runs in a process of its own, forked after small subjects were solved in the same way, so that
all kernels are loaded.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.runtime import tuning
from retrosolve.spaces.tier_window import all_bytes, window_bytes
from retrosolve.store.resume import partial_path

OUT = Path(sys.argv[1] if len(sys.argv) > 1 else "") / "out"
SERIAL = {"max_serial_csr_work": 1 << 40}
SHARED = {"max_serial_csr_work": 0, "max_serial_work": 0, "max_serial_local_work": 0}
SHARES = {"min_work_per_thread": 1, "max_serial_width": 0, "min_edges_per_thread": 1}


class Indexed(rs.CompiledGame):
    """Six moves to numbers all over, so that play is short; with a dense index, and no predecessors."""

    max_moves = 6

    def __init__(self, n: int) -> None:
        self.size: int | None = n
        self.data = (n,)

    def start(self) -> int:
        return 0

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        if position % 1009 == 3:
            return 0
        out[0] = (position + 1) % data[0]
        for k in range(1, 6):
            out[k] = (position * 5 + k * k * 7919 + 13) % data[0]
        return 6


class Explored(Indexed):
    """The same, explored from position 1."""

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.size = None

    def start(self) -> int:
        return 1


def graph(n: int) -> rs.Graph:
    rng = np.random.default_rng(1)
    made = rs.Graph.from_edges(rng.integers(0, n, 3 * n), rng.integers(0, n, 3 * n), n)
    made.indptr.sum()
    return made


def acyclic(n: int) -> rs.Graph:
    source = np.random.default_rng(1).integers(1, n, 3 * n)
    made = rs.Graph.from_edges(source, np.random.default_rng(2).integers(0, source), n)
    made.indptr.sum()
    return made


def board(side: int) -> Any:
    rows = ["P" + "." * (side - 1), *["." * side] * (side - 2), "." * (side - 1) + "T"]
    return PoliceAndThief.from_text("\n".join(rows))


def connect(columns: int) -> Any:
    return parse_game(f"connect4:rows=5,columns={columns}")


def edges(count: int, kind: str) -> Path:
    """Write random edges, five for each vertex."""
    folder = OUT.parent / f"{kind}-{count}"
    folder.mkdir(parents=True, exist_ok=True)
    pairs = np.random.default_rng(1).integers(0, count // 5, (count, 2), dtype=np.int32)
    if kind == "npy":
        np.save(folder / "0.npy", pairs)
        return folder
    columns: list[Any] = [pairs[:, 0], pairs[:, 1]]
    if kind == "names":
        names = pa.array([f"ACCOUNT-{k * 7919 % 10**9:09d}" for k in range(count // 5)])
        columns = [names.take(pa.array(column)) for column in columns]
    table = pa.table(dict(zip(("source", "target"), columns, strict=True)))
    pq.write_table(table, folder / "0.parquet")
    return folder


class Kind(NamedTuple):
    """How a subject of a size is made, sizes to begin with and to measure, and budgets if not the plan."""

    make: Callable[[int], Any]
    small: int
    large: int
    options: dict[str, Any]
    tuned: dict[str, Any] = {}  # noqa: RUF012
    budgets: Callable[[Any], Iterable[int]] | None = None


def window(game: Any) -> list[int]:
    return [window_bytes(game.state_space())]  # less would do, for positions without gaps


def every_tier(game: Any) -> list[int]:
    return [all_bytes(game.state_space(), *window(game))]


KINDS = {
    "serial": Kind(graph, 70_000, 500_000, {"solver": "retrograde"}, SERIAL),
    "shared": Kind(graph, 100_000, 500_000, {"solver": "retrograde"}, SHARED),
    "sweep": Kind(graph, 100_000, 500_000, {"solver": "sweep"}, SHARED),
    "acyclic": Kind(acyclic, 20_000, 500_000, {"solver": "acyclic"}),
    "bitset": Kind(board, 12, 50, {}),
    "values": Kind(board, 12, 90, {"objective": "win-loss-draw"}),
    "generated": Kind(Indexed, 20_000, 2_000_000, {"solver": "sweep"}),
    "generated on disk": Kind(Indexed, 20_000, 2_000_000, {"solver": "sweep", "out": OUT}),
    "shared on disk": Kind(graph, 100_000, 500_000, {"solver": "retrograde", "out": OUT}, SHARED),
    "tiers": Kind(connect, 3, 4, {}),
    "tiers on disk": Kind(connect, 3, 4, {"out": OUT}, {"max_held_bytes": 0}, window),
    "tiers held": Kind(connect, 3, 4, {"out": OUT}, {}, every_tier),
    "explored": Kind(Explored, 50_000, 750_000, {}, SHARED, lambda _: [15 * 10**6, 40 * 10**6, 130 * 10**6]),
    **{f"edges: {kind}": Kind(lambda n, kind=kind: edges(n, kind), 5_000, 400_000, {})
       for kind in ("names", "parquet", "npy")},
}  # fmt: skip


def held(which: str) -> int:
    # Not getrusage, whose figure a process inherits from the one that started it.
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith(which))


def solve(made: Any, memory: int | None, options: dict[str, Any], **more: Any) -> rs.Solution | None:
    """Solve without what earlier solves left, or return None if that is refused."""
    for path in (OUT, partial_path(OUT)):
        shutil.rmtree(path, ignore_errors=True)
    try:
        subject = rs.EdgeParts(made, memory=memory) if isinstance(made, Path) else made
        return rs.solve(subject, memory=memory, **options, **more)
    except rs.MemoryBudgetError:
        return None


def measured(name: str) -> None:
    kind = KINDS[name]
    subject = kind.make(kind.large)
    opened = rs.EdgeParts(subject) if isinstance(subject, Path) else subject
    budgets = kind.budgets(subject) if kind.budgets else [rs.plan(opened, **kind.options).memory_bytes]
    for memory in budgets:
        if os.fork():
            os.wait()
            continue
        with tuning.using(compile_from=0, compile_again_from=0, **kind.tuned):
            small = kind.make(kind.small)
            for threads, shares in ((1, {}), (2, {}), (2, SHARES)):
                with tuning.using(**shares):
                    for less in (None, memory // 20):
                        solve(small, less, kind.options, threads=threads)
            peaks = []
            for proof in (False, True):
                Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
                before = held("VmRSS")
                if not proof:
                    solution = solve(subject, memory, kind.options)
                elif solution is not None and isinstance(subject, Path):
                    rs.verify(solution, memory=memory)
                peaks.append(held("VmHWM") - before)
            used = solution and solution.solver
            less = solve(subject, memory // 3, kind.options | ({"solver": used} if used else {}))
            record = {"kind": name, "solver": used, "memory": memory, "peak": max(peaks)}
            print(json.dumps(record | {"refused": less is None}), flush=True)
        os._exit(0)


if __name__ == "__main__":
    import numba  # noqa: F401  # once for all processes

    for name in sys.argv[2:] or KINDS:
        measured(name)

"""Solve with every solver under the budget that it plans with; print the growth of the peak, a line each.

Each solve runs in a process of its own, forked after small subjects were solved in the same way, so that
all kernels are loaded.
"""

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.objectives import objective_of
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.runtime import tuning
from retrosolve.solvers import select
from retrosolve.spaces.tier_window import all_bytes, window_bytes
from retrosolve.store.resume import partial_path
from tests.support.budget_run import Indexed, held

OUT = Path(sys.argv[1] if len(sys.argv) > 1 else "")
SERIAL = {"max_serial_csr_work": 1 << 40}
SHARES = {"min_work_per_thread": 1, "max_serial_width": 0}
SHARED = {"max_serial_csr_work": 0, "max_serial_work": 0, "max_serial_local_work": 0}


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


# By kind: the subject of a size, the small and the large size, the options and the tuning.
KINDS: dict[str, tuple[Any, int, int, dict[str, Any], dict[str, Any]]] = {
    "serial": (graph, 70_000, 500_000, {"solver": "retrograde"}, SERIAL),
    "shared": (graph, 100_000, 500_000, {"solver": "retrograde"}, SHARED),
    "sweep": (graph, 100_000, 500_000, {"solver": "sweep"}, SHARED),
    "acyclic": (acyclic, 20_000, 500_000, {"solver": "acyclic"}, {}),
    "bitset": (board, 12, 50, {}, {}),
    "values": (board, 12, 90, {"objective": "win-loss-draw"}, {}),
    "generated": (Indexed, 20_000, 2_000_000, {"solver": "sweep"}, {}),
    "generated on disk": (Indexed, 20_000, 2_000_000, {"solver": "sweep", "out": OUT}, {}),
    "shared on disk": (graph, 100_000, 500_000, {"solver": "retrograde", "out": OUT}, SHARED),
    "tiers": (connect, 3, 4, {}, {}),
    "tiers on disk": (connect, 3, 4, {"out": OUT}, {"max_held_bytes": 0}),
    "tiers held": (connect, 3, 4, {"out": OUT}, {}),
}


def clear() -> None:
    """Delete what earlier solves left."""
    for path in (OUT, partial_path(OUT)):
        shutil.rmtree(path, ignore_errors=True)


def measured(kind: str) -> None:
    make, small, large, options, tuned = KINDS[kind]
    with tuning.using(compile_from=0, compile_again_from=0, **tuned):
        if os.fork():
            os.wait()
            return
        for threads, shares in ((1, {}), (2, {}), (2, SHARES)):
            clear()
            with tuning.using(**shares):
                rs.solve(make(small), threads=threads, **options)
            clear()
        subject = make(large)
        objective = objective_of(options.get("objective", "outcome"))
        known = options.get("solver", "auto"), objective, None, "out" in options
        space = subject.state_space()
        needed = select(space, *known).memory_bytes
        if kind == "tiers on disk":  # less would do, for positions without gaps
            needed = window_bytes(space)
        if kind == "tiers held":
            needed = all_bytes(space, window_bytes(space))
        Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
        before = held("VmRSS")
        solution = rs.solve(space if "out" not in options else subject, memory=needed, **options)
        record = {
            "kind": kind, "solver": solution.solver, "memory": needed, "peak": held("VmHWM") - before
        }  # fmt: skip
        try:
            rs.solve(subject, memory=needed // 3, **options | {"solver": solution.solver})
            record["refused"] = None
        except rs.MemoryBudgetError as error:
            record["refused"] = str(error)
        print(json.dumps(record), flush=True)
        os._exit(0)


if __name__ == "__main__":
    import numba  # noqa: F401  # once for all processes

    for kind in sys.argv[2:] or KINDS:
        measured(kind)

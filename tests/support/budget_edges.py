"""Solve and prove edges on disk under a budget, again and again; print the growth of the peak, a line each.

Each kind of files is solved in a process of its own, forked after small ones were solved in the same way,
so that all kernels are loaded.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import retrosolve as rs
from retrosolve.runtime import tuning
from tests.support.budget_run import held

SMALL, LARGE = 5_000, 400_000
KINDS = "names", "parquet", "npy"
BEYOND = 0, 0, 20_000_000  # of a budget beyond the least, for each turn


def write(folder: Path, kind: str, edges: int) -> Path:
    """Write random edges, five for each vertex."""
    folder.mkdir(parents=True)
    vertices = edges // 5
    pairs = np.random.default_rng(1).integers(0, vertices, (edges, 2), dtype=np.int32)
    if kind == "npy":
        np.save(folder / "0.npy", pairs)
        return folder
    columns: list[Any] = [pairs[:, 0], pairs[:, 1]]
    if kind == "names":
        names = pa.array([f"ACCOUNT-{k * 7919 % 10**9:09d}" for k in range(vertices)])
        columns = [names.take(pa.array(column)) for column in columns]
    pq.write_table(
        pa.table(dict(zip(("source", "target"), columns, strict=True))), folder / "0.parquet"
    )
    return folder


def grown(before: int) -> int:
    """The growth of the peak since memory was ``before``."""
    return held("VmHWM") - before


def start() -> int:
    """The memory now; the peak so far is forgotten."""
    Path("/proc/self/clear_refs").write_text("5")
    return held("VmRSS")


def solved(folder: Path, memory: int) -> dict[str, int]:
    """The growth of the peak: of opening the edges and solving them, and of the proof beyond that."""
    before = start()
    solution = rs.solve(rs.EdgeParts(folder, memory=memory), memory=memory)
    peak = grown(before)
    before = start()
    rs.verify(solution, memory=memory)
    return {"solve": peak, "proof": grown(before)}


def main(where: Path) -> None:
    for kind in KINDS:
        small, large = (write(where / kind / str(size), kind, size) for size in (SMALL, LARGE))
        with tuning.using(compile_from=0, compile_again_from=0):
            least = rs.plan(rs.EdgeParts(large)).memory_bytes
            assert least is not None
            if os.fork():
                os.wait()
                continue
            for _ in range(2):
                solved(small, least)
            for more in BEYOND:
                memory = least + more
                record = {"kind": kind, "memory": memory, **solved(large, memory)}
                print(json.dumps(record), flush=True)
            os._exit(0)


if __name__ == "__main__":
    import numba  # noqa: F401  # once for all processes

    main(Path(sys.argv[1]))

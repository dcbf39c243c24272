"""Solve policeman and thief on one random board, in a process of its own; print one line of JSON."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

from inside import count_peak_from_here, memory


def main(folder: Path, columns: int, remoteness: bool, threads: int, prove: bool) -> None:
    import numpy as np

    import retrosolve as rs
    from retrosolve.formats.board import Board
    from retrosolve.pursuit.police import PoliceAndThief

    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    warm = np.random.default_rng(0).random((40, 40)) < 0.9
    rs.verify(rs.solve(PoliceAndThief(Board(warm, np.zeros_like(warm), None, None))))
    rs.solve(PoliceAndThief(Board(warm, np.zeros_like(warm), None, None)), objective="win-loss-draw")
    cells = np.fromfile(folder / "cells.u8", np.uint8).reshape(-1, columns)
    before = count_peak_from_here()
    t0 = time.perf_counter()
    police = PoliceAndThief(Board(cells > 0, cells == 2, None, None))
    objective = "outcome" if remoteness else "win-loss-draw"
    solution = rs.solve(police, objective=objective)
    seconds = time.perf_counter() - t0
    held = memory("VmHWM") - before
    t0 = time.perf_counter()
    if prove:
        rs.verify(solution)
    proof = time.perf_counter() - t0
    counts = {value.label: count for value, count in solution.counts().items()}
    levels = max(v or 0 for v in solution.longest().values()) if remoteness else None
    planned = rs.plan(police, objective=objective)
    record = {
        "free": int((cells > 0).sum()),
        "positions": len(solution),
        "levels": levels,
        "seconds": seconds,
        "verify": proof if prove else None,
        "peak_bytes": held,
        "planned_bytes": planned.memory_bytes,
        **counts,
    }
    print(json.dumps(record))


if __name__ == "__main__":
    main(
        Path(sys.argv[1]),
        int(sys.argv[2]),
        sys.argv[3] == "plies",
        int(sys.argv[4]),
        sys.argv[5] == "1",
    )

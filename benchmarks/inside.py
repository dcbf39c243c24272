"""What the processes that are timed share: the memory they hold, and what they tell of a solution."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path
from typing import Any


def memory(which: str) -> int:
    """What the kernel says this process holds, VmRSS, or has held at most, VmHWM, in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(which):
            return int(line.split()[1]) * 1024
    raise SystemExit(f"no {which} in /proc/self/status")


def count_peak_from_here() -> int:
    """Have what is held at most counted anew; give what is held now."""
    with open("/proc/self/clear_refs", "w") as peak:
        peak.write("5")
    return memory("VmRSS")


def signs_by_tier(solution: Any) -> list[list[int]]:
    """Tell how many scores of each tier are positive, negative and zero."""
    import numpy as np

    counted = []
    for start, stop in pairwise([*solution.space.tiers, solution.space.num_vertices]):
        counts = solution.table.counts(start, stop)
        kinds = solution.table.codec.kinds[: len(counts)]
        by_kind = np.bincount(kinds, counts, minlength=4).astype(int).tolist()
        counted.append([by_kind[1], by_kind[2], by_kind[0] + by_kind[3]])
    return counted


def proven(solution: Any) -> dict[str, Any]:
    """Prove a solution; tell what it is, and how long the proof took."""
    import retrosolve as rs

    start = time.perf_counter()
    rs.verify(solution)
    proof = time.perf_counter() - start
    return {
        "solver": solution.solver,
        "positions": len(solution),
        "indices": solution.space.num_vertices,
        "edges": solution.space.num_edges,
        "start": str(None if solution.start is None else solution[solution.start]),
        "levels": max(v or 0 for v in solution.longest().values()),
        "verify": proof,
    }

"""Time retrosolve on one case, in a process of its own; print one line of JSON."""

from __future__ import annotations

import ctypes
import json
import os
import sys
import time
from pathlib import Path

from inside import count_peak_from_here, memory


def rounds(edges: int) -> int:
    """How often a graph is solved, as by the compiled baselines: often if that takes milliseconds."""
    return 30 if edges <= 10**5 else 5 if edges <= 10**6 else 1


def warm_up() -> None:
    """Load every kernel: solve graphs of all kinds, small and large, as edges and as rows."""
    import numpy as np

    import retrosolve as rs

    rng = np.random.default_rng(0)
    for n in (200_000, 50_000):
        source = rng.permutation(np.repeat(np.arange(n, dtype=np.int32), 2))
        target = rng.integers(0, n, 2 * n, dtype=np.int32)
        for owner, ends in ((None, 0.03), (rng.integers(0, 2, n), 0.001)):
            terminal = rng.choice(4, n, p=[1 - 3 * ends, ends, ends, ends])
            graph = rs.Graph.from_edges(source, target, n, owner, terminal)
            rs.solve(graph, solver="retrograde")
            rows = rs.Graph.from_csr(graph.indptr, graph.indices, owner, terminal)
            rs.solve(rows, solver="retrograde")


def main(folder: Path, vertices: int, threads: int) -> None:
    began = time.perf_counter()  # importing is part of starting up
    import numpy as np

    import retrosolve as rs

    def read(name: str) -> np.ndarray | None:
        path = folder / name
        return np.fromfile(path, np.uint8) if path.exists() else None

    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    first, second = np.random.default_rng(0).integers(0, 200_000, (2, 400_000))
    rs.solve(rs.Graph.from_edges(first, second, 200_000))
    start_up = time.perf_counter() - began
    warm_up()
    ctypes.CDLL(None).malloc_trim(0)  # no memory is at hand that others have to ask for
    before = count_peak_from_here()
    source = np.fromfile(folder / "source.i32", np.int32)
    target = np.fromfile(folder / "target.i32", np.int32)
    owner = read("owner.u8")
    terminal = read("terminal.u8")
    best = (float("inf"), 0.0)
    graph: rs.Graph | None = None
    solution: rs.Solution | None = None
    for _ in range(rounds(len(source))):
        graph = solution = None  # no memory is held while the next ones are made
        t0 = time.perf_counter()
        graph = rs.Graph.from_edges(source, target, vertices, owner, terminal)
        t1 = time.perf_counter()
        solution = rs.solve(graph)
        best = min(best, (t1 - t0, time.perf_counter() - t1), key=sum)
    assert solution is not None
    first_wins = None if owner is None else int((solution.winner() == 0).sum())
    counts = {value.label: count for value, count in solution.counts().items()}
    record = {
        "build": best[0],
        "solve": best[1],
        "solver": solution.solver,
        "levels": max(v or 0 for v in solution.longest().values()),
        "start_up": start_up,
        "peak_bytes": memory("VmHWM") - before,
        "input_bytes": 8 * len(source),
        "first_wins": first_wins,
        **counts,
    }
    print(json.dumps(record))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))

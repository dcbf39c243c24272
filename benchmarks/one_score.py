"""Solve awari for scores in a process of its own; print one line of JSON."""

from __future__ import annotations

import json
import sys
import time
from itertools import pairwise

from inside import count_peak_from_here, memory


def main(seeds: int, objective: str) -> None:
    import numpy as np

    import retrosolve as rs

    rs.solve(rs.game("awari:seeds=9"), objective=objective, threads=1)  # kernels are compiled
    game = rs.game(f"awari:seeds={seeds}")
    before = count_peak_from_here()
    began = time.process_time()
    solution = rs.solve(game, objective=objective, threads=1)
    seconds = time.process_time() - began
    held = memory("VmHWM") - before
    bounds = [*solution.space.tiers, solution.space.num_vertices]
    kinds = solution.table.codec.kinds
    layers = []
    for start, stop in pairwise(bounds):
        counts = solution.table.counts(start, stop)
        by_kind = np.bincount(kinds[: len(counts)], counts, minlength=4).astype(int).tolist()
        layers.append([by_kind[1], by_kind[2], by_kind[0] + by_kind[3]])
    record = {"positions": len(solution), "seconds": seconds, "peak_bytes": held, "layers": layers}
    print(json.dumps(record))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])

"""Solve awari for scores in a process of its own; print one line of JSON."""

from __future__ import annotations

import json
import sys
import time

from inside import count_peak_from_here, memory, signs_by_tier


def main(seeds: int, objective: str) -> None:
    import retrosolve as rs

    rs.solve(rs.game("awari:seeds=9"), objective=objective, threads=1)  # kernels are compiled
    game = rs.game(f"awari:seeds={seeds}")
    before = count_peak_from_here()
    began = time.process_time()
    solution = rs.solve(game, objective=objective, threads=1)
    seconds = time.process_time() - began
    held = memory("VmHWM") - before
    record = {"positions": len(solution), "seconds": seconds, "peak_bytes": held}
    print(json.dumps(record | {"layers": signs_by_tier(solution)}))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])

"""Solve and prove one large built-in game once, in a process of its own; print one line of JSON.

A small game of the same rules is solved before, so that kernels are compiled.
"""

from __future__ import annotations

import json
import sys
import time

from ours import memory


def main(text: str, small: str) -> None:
    import retrosolve as rs
    from retrosolve.games import make_game

    rs.verify(rs.solve(make_game(small)))
    start = time.perf_counter()
    game = make_game(text)
    made = time.perf_counter() - start
    before = memory("VmRSS")
    with open("/proc/self/clear_refs", "w") as peak:
        peak.write("5")  # what was held at most is counted from here
    start = time.perf_counter() - made
    planned = rs.plan(game)
    solution = rs.solve(game)
    seconds = time.perf_counter() - start
    held = memory("VmHWM") - before
    start = time.perf_counter()
    rs.verify(solution)
    proof = time.perf_counter() - start
    outcome = None if solution.start is None else solution[solution.start]
    record = {
        "game": text,
        "solver": solution.solver,
        "positions": len(solution),
        "indices": solution.graph.vertices,
        "edges": solution.graph.edges,
        "start": str(outcome),
        "levels": max(v or 0 for v in solution.longest().values()),
        "seconds": seconds,
        "stages": solution.seconds,
        "verify": proof,
        "peak_bytes": held,
        "planned_bytes": planned.bytes,
    }
    print(json.dumps(record))


if __name__ == "__main__":
    main(*sys.argv[1:])

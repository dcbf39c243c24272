"""Solve and prove one large built-in game once, in a process of its own; print one line of JSON.

A small game of the same rules is solved before, so that kernels are compiled.
"""

from __future__ import annotations

import json
import sys
import time

from inside import count_peak_from_here, memory, proven


def main(text: str, small: str) -> None:
    import retrosolve as rs
    from retrosolve.games import parse_game

    rs.verify(rs.solve(parse_game(small)))
    start = time.perf_counter()
    game = parse_game(text)
    made = time.perf_counter() - start
    before = count_peak_from_here()
    start = time.perf_counter() - made
    planned = rs.plan(game)
    solution = rs.solve(game)
    seconds = time.perf_counter() - start
    held = memory("VmHWM") - before
    record = {
        "game": text,
        "seconds": seconds,
        "stages": solution.seconds,
        "peak_bytes": held,
        "planned_bytes": planned.memory_bytes,
        **proven(solution),
    }
    print(json.dumps(record))


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Solve and prove one built-in game, in a process of its own; print one line of JSON."""

from __future__ import annotations

import json
import sys
import time

from inside import count_peak_from_here, memory, proven


def plain_rules(positions: int) -> object:
    """Nine moves a position that cost nothing: rows made before, to positions not far away."""
    import random

    import retrosolve as rs

    rng = random.Random(0)
    numbers, names = list(range(positions)), [f"to {k}" for k in range(9)]
    rows = [
        [(name, numbers[(p + rng.randrange(2000)) % positions]) for name in names] if p % 50 else []
        for p in range(positions)
    ]

    class Rows(rs.Game):
        def start(self) -> int:
            return 1

        def moves(self, position: int) -> list[tuple[str, int]]:
            return rows[position]

    return Rows()


def main(text: str, repeats: int) -> None:
    began = time.perf_counter()
    import retrosolve as rs
    from retrosolve.games import parse_game

    name, _, number = text.partition("=")
    game = plain_rules(int(number)) if name == "nine-moves:n" else parse_game(text)
    made = time.perf_counter()
    solution = rs.solve(game)
    first = time.perf_counter() - (made if name == "nine-moves:n" else began)
    if repeats == 0:
        print(json.dumps({"first": first}))
        return
    planned = rs.plan(game)
    runs = []
    for _ in range(repeats):
        del solution
        before = count_peak_from_here()
        start = time.perf_counter()
        solution = rs.solve(game)
        runs.append(time.perf_counter() - start)
        held = memory("VmHWM") - before
    record = {
        "game": text,
        "first": first,
        "solve": min(runs),
        "peak_bytes": held,
        "planned_bytes": planned.memory_bytes,
        **proven(solution),
    }
    print(json.dumps(record))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))

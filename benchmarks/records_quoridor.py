"""Solve Quoridor into a folder and compare it with what is published; print one line of JSON.

A smaller board is solved before, so that kernels are compiled. What was interrupted goes on.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from inside import memory

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.games.quoridor import Quoridor

PUBLISHED = Path(__file__).parent.parent / "tests" / "data" / "published.json"


def main(name: str, folder: str) -> None:
    rs.solve(Quoridor(6, 1), stuck="tie")
    start, used = time.perf_counter(), time.process_time()
    game = parse_game(name)
    assert isinstance(game, Quoridor)
    rs.solve(game, stuck="tie", out=folder, resume=True)
    seconds, cpu_seconds = time.perf_counter() - start, time.process_time() - used
    with rs.open(folder) as solution:
        counts = game.won_by_players(solution.table)
        compare(game, "/".join(map(str, counts)))
        record = {
            "game": name,
            "seconds": seconds,
            "cpu_seconds": cpu_seconds,
            "peak_bytes": memory("VmHWM"),
            "disk_bytes": solution.num_bytes,
            "positions": sum(counts),
            "solved": len(solution),
            "start": str(solution[game.start()]),
            "counts": counts,
            "longest": max(plies or 0 for plies in list(solution.longest().values())[:2]),
        }
    print(json.dumps(record))


def compare(game: Quoridor, counts: str) -> None:
    """Raise SystemExit if the counts differ from those that are published."""
    items = json.loads(PUBLISHED.read_text())["items"]
    (figures,) = (item["figures"] for item in items if item["id"] == "quoridor")
    known = figures.get(f"{game.n}x{game.n},w={game.walls}", counts)
    if counts != known:
        raise SystemExit(f"{counts} won by the first, by the second and by neither: {known} published")


if __name__ == "__main__":
    main(*sys.argv[1:])

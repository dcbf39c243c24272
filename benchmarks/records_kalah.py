"""Solve kalah, compare the margin of the first player with what is published, and print a line of JSON.

A board with one seed in each pit is solved before, so that kernels are compiled.

    python benchmarks/records_kalah.py kalah:pits=4,seeds=4 [--objective score:levels=no] [--verify]
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from inside import memory

import retrosolve as rs
from retrosolve.games.kalah import Kalah
from retrosolve.runtime import tuning

PUBLISHED = Path(__file__).parent.parent / "tests" / "data" / "published.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("--objective", default="score")
    parser.add_argument("--verify", action="store_true")
    given = parser.parse_args()
    game = rs.game(given.name)
    assert isinstance(game, Kalah)
    each, capture = game.seeds // (2 * game.pits), bool(game.data[4])
    with tuning.using(compile_from=0, compile_again_from=0):
        rs.verify(rs.solve(Kalah(game.pits, 1, capture), objective=given.objective))
    start, used = time.perf_counter(), time.process_time()
    solution = rs.solve(game, objective=given.objective)
    record = {
        "game": given.name,
        "objective": given.objective,
        "positions": len(solution),
        "seconds": time.perf_counter() - start,
        "cpu_seconds": time.process_time() - used,
        "peak_bytes": memory("VmHWM"),
        "margin": solution[game.start()].value.points,
    }
    items = {item["id"]: item["figures"] for item in json.loads(PUBLISHED.read_text())["items"]}
    margins = items["kalah"]["capture" if capture else "margin"]
    if margins.get(f"{game.pits},{each}", record["margin"]) != record["margin"]:
        raise SystemExit(f"{given.name}: {record['margin']}, published {margins}")
    if given.verify:
        start, used = time.perf_counter(), time.process_time()
        rs.verify(solution)
        record |= {
            "verify_seconds": time.perf_counter() - start,
            "verify_cpu_seconds": time.process_time() - used,
        }
    print(json.dumps(record))


if __name__ == "__main__":
    main()

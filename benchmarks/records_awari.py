"""Solve awari for scores into a directory, compare its layers, prove it; print one line of JSON.

A layer is all boards with as many seeds. Those with known counts of scores by their sign are compared
with them, and with --beside all layers with the C++ program of ``scores.py``. A smaller board is solved
before, so that kernels are compiled. A run that was interrupted goes on, and counts what it takes
itself.

    python benchmarks/records_awari.py awari:seeds=24 DIRECTORY [--memory 4GB] [--threads 1] [--beside]
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

from inside import count_peak_from_here, memory, signs_by_tier
from running import compiled, told

import retrosolve as rs
from retrosolve.games.awari import Awari

PUBLISHED = Path(__file__).parent.parent / "tests" / "data" / "published.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--objective", default="score")
    parser.add_argument("--memory", default="4GB")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--beside", action="store_true", help="compare with the C++ program, too")
    given = parser.parse_args()
    game = rs.game(given.name)
    assert isinstance(game, Awari)
    with tempfile.TemporaryDirectory() as name:
        rs.verify(rs.solve(Awari(8), objective=given.objective, out=Path(name) / "small"))
    count_peak_from_here()
    start, used = time.perf_counter(), time.process_time()
    with rs.solve(
        game, objective=given.objective, out=given.directory, resume=True, memory=given.memory,
        threads=given.threads,
    ) as solution:  # fmt: skip
        record = {
            "game": given.name,
            "objective": given.objective,
            "positions": len(solution),
            "longest": max(plies or 0 for plies in solution.longest().values()),
            "seconds": time.perf_counter() - start,
            "cpu_seconds": time.process_time() - used,
            "peak_bytes": memory("VmHWM"),
            "disk_bytes": solution.num_bytes,
            "start": str(solution[game.start()]),
            "digest": solution.digest(),
            "layers": signs_by_tier(solution),
        }
        print(json.dumps(record), flush=True)
        count_peak_from_here()
        start, used = time.perf_counter(), time.process_time()
        rs.verify(solution, memory=given.memory, threads=given.threads)
        record |= {
            "verified": len(solution),
            "verify_seconds": time.perf_counter() - start,
            "verify_cpu_seconds": time.process_time() - used,
            "verify_peak_bytes": memory("VmHWM"),
        }
    record["differences"] = differences(game, record["layers"])
    if given.beside:
        with tempfile.TemporaryDirectory() as name:
            other = told([compiled("awari", Path(name)), str(game.seeds)])
        record["cpp"] = {key: other[key] for key in ("positions", "inner", "seconds", "peak_bytes")}
        if other["layers"] != record["layers"]:
            record["differences"].append(f"the C++ program counts {other['layers']}")
    print(json.dumps(record))
    if record["differences"]:
        raise SystemExit(1)


def differences(game: Awari, layers: list[list[int]]) -> list[str]:
    """Return the layers whose positive, negative and zero scores are not as many as is known."""
    if (game.pits, game.data[4]) != (6, 0):
        return []
    items = {item["id"]: item["figures"] for item in json.loads(PUBLISHED.read_text())["items"]}
    return [
        f"{seeds} seeds: {layers[int(seeds)]}, known {signs}"
        for seeds, (_, _, *signs) in items["awari"]["own"].items()
        if int(seeds) <= game.seeds and layers[int(seeds)] != signs
    ]


if __name__ == "__main__":
    main()

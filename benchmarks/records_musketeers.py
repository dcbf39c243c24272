"""Solve three musketeers into a directory, compare it with plain rules, prove it; print a line of JSON.

A smaller board is solved before, so that kernels are compiled. A run that was interrupted goes on, and
counts what it takes itself.

    python benchmarks/records_musketeers.py musketeers DIRECTORY [--memory 3GB] [--threads 1]
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from pathlib import Path

from inside import memory

import retrosolve as rs
from retrosolve.games.musketeers import ThreeMusketeers

ROOT = Path(__file__).parent.parent
LOOKED_AHEAD = 20_000  # positions whose value is compared with those after the moves of plain rules


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--memory", default="3GB")
    parser.add_argument("--threads", type=int)
    given = parser.parse_args()
    game = rs.game(given.name)
    assert isinstance(game, ThreeMusketeers)
    rs.verify(rs.solve(ThreeMusketeers(3)))
    start, used = time.perf_counter(), time.process_time()
    with rs.solve(
        game, out=given.directory, resume=True, memory=given.memory, threads=given.threads
    ) as solution:
        seconds, cpu_seconds = time.perf_counter() - start, time.process_time() - used
        record = {
            "game": given.name,
            "positions": len(solution),
            "longest": max(plies or 0 for plies in solution.longest().values()),
            "seconds": seconds,
            "cpu_seconds": cpu_seconds,
            "peak_bytes": memory("VmHWM"),
            "disk_bytes": solution.num_bytes,
            "start": str(solution[game.start()]),
            "counts": {value.label: count for value, count in solution.counts().items()},
            "digest": solution.digest(),
        }
        start, used = time.perf_counter(), time.process_time()
        rs.verify(solution, threads=given.threads)
        record |= {
            "verified": record["positions"],
            "verify_seconds": time.perf_counter() - start,
            "verify_cpu_seconds": time.process_time() - used,
            "looked_ahead": LOOKED_AHEAD,
            "differences": looked_ahead(solution, game) + differences(record["positions"]),
        }
    print(json.dumps(record))
    if record["differences"]:
        raise SystemExit(1)


def looked_ahead(solution: rs.Solution, game: ThreeMusketeers) -> list[str]:
    """Return the random positions that do not have the value that plain rules make of their moves."""
    sys.path.insert(0, str(ROOT))
    from tests.support.musketeers import PlainMusketeers, random_position, seen_from

    size = len(game.board.rows)
    plain, rng = PlainMusketeers(size), random.Random(0)
    wrong = []
    for _ in range(LOOKED_AHEAD):
        position = random_position(size, rng)
        text = plain.text(position)
        moves = [] if plain.terminal(position) else plain.moves(position)
        expected = seen_from(plain, position, [solution[plain.text(target)] for _, target in moves])
        if solution[text] != expected:
            wrong.append(f"{text}: {solution[text]}, {expected} by its moves")
    return wrong


def differences(positions: int) -> list[str]:
    """Return in what the number of positions differs from that of Burnside's lemma."""
    items = json.loads((ROOT / "tests" / "data" / "published.json").read_text())["items"]
    (figures,) = (item["figures"] for item in items if item["id"] == "three-musketeers")
    known = figures["positions_up_to_symmetry"]
    return [] if positions == known else [f"{positions} positions, {known} by Burnside's lemma"]


if __name__ == "__main__":
    main()

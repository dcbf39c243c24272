"""Solve Dobutsu shogi into a directory and compare it with what is published; print one line of JSON.

The same command goes on with a run that was interrupted. Beside the directory, a file of JSON lines has
seconds and seconds of the processor of each minute. Without drops it is solved before, so that
kernels are compiled.

    python benchmarks/records_dobutsu.py dobutsu:rows=5 DIRECTORY [--memory 4GB] [--sample 100000000]
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from inside import memory

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.games.dobutsu import DobutsuShogi

PUBLISHED = Path(__file__).parent.parent / "tests" / "data" / "published.json"
SNAPSHOTS = 1800.0  # seconds between two
LINES = 60.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--memory", default="4GB")
    parser.add_argument("--sample", type=int, help="positions to prove instead of all")
    given = parser.parse_args()
    game = parse_game(given.name)
    assert isinstance(game, DobutsuShogi)
    rs.solve(DobutsuShogi(drops=False))
    log = Log(given.directory.with_suffix(".jsonl"))
    # A player without a move draws: that is how the published counts have it.
    rs.solve(
        game, stuck="tie", out=given.directory, resume=True, memory=given.memory,
        checkpoint_every=SNAPSHOTS, progress=log.note,
    )  # fmt: skip
    with rs.open(given.directory) as solution:
        log.write("solved")
        lines = [json.loads(line) for line in log.path.read_text().splitlines()]
        counts = {value.label: number for value, number in solution.counts().items()}
        longest = {value.label: plies for value, plies in solution.longest().items()}
        record = {
            "game": given.name,
            "positions": len(solution),
            "longest": max(longest["win"] or 0, longest["loss"] or 0),
            "seconds": sum(line["seconds"] for line in lines),
            "cpu_seconds": sum(line["cpu"] for line in lines),
            "peak_bytes": max(line["peak"] for line in lines),
            "disk_bytes": solution.num_bytes,
            "start": str(solution[game.start()]),
            "counts": counts,
        }
        record["differences"] = differences(record, game)
        given.directory.with_suffix(".counts.json").write_text(json.dumps(record))
        start, used = time.perf_counter(), time.process_time()
        rs.verify(solution, sample=given.sample, memory=given.memory)
        record |= {
            "verified": given.sample or len(solution),
            "verify_seconds": time.perf_counter() - start,
            "verify_cpu_seconds": time.process_time() - used,
            "verify_peak_bytes": memory("VmHWM"),
        }
    if record["differences"]:
        raise SystemExit("\n".join(record["differences"]))
    print(json.dumps(record))


class Log:
    """A file of lines, each with what has passed since the one before."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.seconds, self.cpu = time.perf_counter(), time.process_time()

    def note(self, progress: Any) -> None:
        """Write a line if a minute has passed."""
        if time.perf_counter() - self.seconds >= LINES:
            self.write(progress.stage, progress.done)

    def write(self, stage: str, done: int = 0) -> None:
        """Write a line."""
        seconds, cpu = time.perf_counter(), time.process_time()
        line = {"stage": stage, "done": done, "seconds": seconds - self.seconds, "cpu": cpu - self.cpu}
        self.seconds, self.cpu = seconds, cpu
        with self.path.open("a") as file:
            file.write(json.dumps(line | {"peak": memory("VmHWM")}) + "\n")


def differences(record: dict[str, Any], game: DobutsuShogi) -> list[str]:
    """Return in what the record differs from what is published."""
    items = json.loads(PUBLISHED.read_text())["items"]
    if not game.drops:
        return []
    name = "dobutsu" if game.rows == 4 else f"dobutsu-{game.rows}x3"
    figures = next(item["figures"] for item in items if item["id"] == name)
    counts = record["counts"]
    found = {
        "max_plies": record["longest"],
        "nonterminal_W": counts["win"] - 1,
        "nonterminal_L": counts["loss"] - 1,
        "nonterminal_D": counts["draw"] + counts["tie"],
        "start_value": record["start"].partition(" ")[0],
    }
    return [
        f"{key}: {found[key]}, published {figures[key]}"
        for key in found
        if key in figures and found[key] != figures[key]
    ]


if __name__ == "__main__":
    main()

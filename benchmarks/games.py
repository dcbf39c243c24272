"""`make bench-games`: built-in games solved whole, each in a process of its own.

Writes a table to stdout and all figures to ``benchmarks/results/games.json``. "cold" is the first solve
on a machine that has compiled nothing of the game, from the start of the process; "warm" the same in a
process that finds the kernels compiled; "solve" a further solve in that process.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RESULTS = HERE / "results" / "games.json"
GAMES = (
    "nine-moves:n=300000",
    "nine-moves:n=1000000",
    "tictactoe",
    "lgame",
    "hexapawn:columns=5,rows=4",
    "foxhounds-plain:n=8",
    "foxhounds:n=8",
    "chess:KRK",
    "chess:KQK",
    "chess:KBBK",
    "chess:KBNK",
    "chess:KQRK",
    "teeko",
    "teeko:advanced=yes",
)
LARGE = ("teeko", "teeko:advanced=yes")

HEADER = (
    "| game | positions | moves | start | levels | cold s | warm s | solve s | positions/s | proof s "
    "| peak MB | planned MB | bytes an index |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|"
)


def run(game: str, repeats: int, cache: Path) -> dict[str, Any]:
    """Solve a game in a fresh process that keeps its compiled kernels in ``cache``."""
    command = [sys.executable, str(HERE / "one_game.py"), game, str(repeats)]
    # What is freed goes back at once, so that what a solve holds at most can be told from before.
    returned = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}
    environment = {**os.environ, **returned, "XDG_CACHE_HOME": str(cache)}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    record: dict[str, Any] = json.loads(done.stdout)
    return record


def row(record: dict[str, Any]) -> str:
    """One line of the table."""
    planned = record["planned_bytes"]
    cells = (
        record["game"],
        f"{record['positions']:,}",
        f"{record['edges']:,}",
        record["start"],
        str(record["levels"]),
        f"{record['cold']:.1f}",
        f"{record['first']:.2f}",
        f"{record['solve']:.2f}",
        f"{record['positions'] / record['solve']:,.0f}",
        f"{record['verify']:.2f}",
        f"{record['peak_bytes'] / 1e6:.1f}",
        "-" if planned is None else f"{planned / 1e6:.1f}",
        f"{record['peak_bytes'] / record['indices']:.1f}",
    )
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", action="append", help="only this one; any built-in game")
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    print(HEADER, flush=True)
    records = []
    for game in given.game or GAMES:
        repeats = 1 if game in LARGE else given.repeats
        with tempfile.TemporaryDirectory() as name:
            cold = run(game, 0, Path(name))
            record = run(game, repeats, Path(name))
        records.append({**record, "cold": cold["first"]})
        print(row(records[-1]), flush=True)
    machine = {
        "date": time.strftime("%Y-%m-%d"),
        "processor": platform.processor() or platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "python": platform.python_version(),
    }
    if given.game is None:
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(json.dumps({"machine": machine, "cases": records}, indent=1) + "\n")


if __name__ == "__main__":
    main()

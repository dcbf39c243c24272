"""`make bench-scores`: awari by one thread, beside a C++ program of the same algorithm, in turn.

Each run is a process of its own, kernels compiled before. Seconds are of the processor, so that other
programs on the machine do not count. All boards of each layer must have the same signs of their scores.
Puts all figures into ``benchmarks/results/scores.json``, of which the site makes its table.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from running import RETURNED, Table, compiled, script, told

SEEDS = (10, 12, 14, 16)
OBJECTIVES = {"values": "score:levels=no", "values and plies": "score"}


def case(seeds: int, found: str, program: str, repeats: int) -> dict[str, Any]:
    """Run both programs, in turn."""
    ours, others = [], []
    for _ in range(repeats):
        others.append(told([program, str(seeds)]))
        ours.append(script("one_score.py", str(seeds), OBJECTIVES[found], **RETURNED))
    record: dict[str, Any] = {"seeds": seeds, "found": found}
    for name, runs in (("ours", ours), ("cpp", others)):
        record[name] = min(runs, key=lambda run: run["seconds"])
    if record["ours"]["layers"] != record["cpp"]["layers"]:
        raise SystemExit(f"{seeds} seeds: the programs disagree")
    return record


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=SEEDS[-1], help="leave out more seeds")
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    table = Table("scores")
    records = []
    with tempfile.TemporaryDirectory() as name:
        program = compiled("awari", Path(name))
        for seeds in SEEDS:
            for found in OBJECTIVES if seeds <= given.most else ():
                records.append(case(seeds, found, program, given.repeats))
                table.add(records[-1])
    if records:
        table.keep()


if __name__ == "__main__":
    main()

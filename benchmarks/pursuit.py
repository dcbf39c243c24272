"""`make bench-pursuit`: policeman and thief on random boards, a fifth of the cells blocked, one exit.

Each run is a process of its own, kernels compiled before. Compared with the usual C++ program on boards
that it has the memory for; its counts must be ours. Puts its table into ``docs/performance.md`` and all
figures into ``benchmarks/results/pursuit.json``.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from running import CORES, RETURNED, Table, compiled, script, told

SIDES = (10, 20, 40, 70, 100, 140, 200)
TEXTBOOK_UP_TO = 40
PLIES_UP_TO = 140
PROOF_OF_VALUES_UP_TO = 100

HEADER = (
    "| board | found | positions | levels | seconds | positions/s | growth of seconds / positions "
    "| 1 to {} threads | proof s | peak MB | planned MB | bytes a position | C++ s | times faster |\n"
    "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
)


def ours(folder: Path, side: int, mode: str, threads: int, repeats: int, prove: bool) -> dict[str, Any]:
    """Our fastest run."""
    given = str(folder), str(side), mode, str(threads)
    runs = []
    for number in range(repeats):
        proof = str(int(prove and number == 0))
        runs.append(script("one_pursuit.py", *given, proof, **RETURNED))
    return {**min(runs, key=lambda run: run["seconds"]), "verify": runs[0]["verify"]}


def textbook(program: str, folder: Path, side: int, repeats: int) -> dict[str, Any]:
    """The fastest run of the C++ program."""
    runs = [told([program, str(folder), str(side)]) for _ in range(repeats)]
    return min(runs, key=lambda run: run["build"] + run["solve"])


def case(side: int, mode: str, program: str, folder: Path, repeats: int) -> dict[str, Any]:
    """Run everything on one board."""
    cells = (np.random.default_rng(side).random((side, side)) >= 0.2).astype(np.uint8)
    cells[tuple(np.argwhere(cells)[0])] = 2
    cells.tofile(folder / "cells.u8")
    large = side > 100
    prove = mode == "plies" or side <= PROOF_OF_VALUES_UP_TO
    record: dict[str, Any] = {"side": side, "mode": mode}
    record["ours"] = ours(folder, side, mode, CORES, 1 if large else repeats, prove)
    if CORES > 1:
        record["ours_1"] = ours(folder, side, mode, 1, 1 if large else repeats, False)
    if side <= TEXTBOOK_UP_TO:
        record["textbook"] = textbook(program, folder, side, repeats)
        for word in ("win", "loss"):
            if record["textbook"][word] != record["ours"][word]:
                raise SystemExit(f"{side}x{side}: the programs disagree on {word}")
    return record


def row(record: dict[str, Any], before: dict[str, Any] | None) -> str:
    """One line of the table."""
    run = record["ours"]
    seconds, positions = run["seconds"], run["positions"]
    other = record.get("textbook")
    usual = other["build"] + other["solve"] if other else None
    growth = "-"
    if before:
        growth = (
            f"{seconds / before['ours']['seconds']:.1f} / {positions / before['ours']['positions']:.1f}"
        )
    cells = (
        f"{record['side']}x{record['side']}",
        "values and plies" if record["mode"] == "plies" else "values",
        f"{positions:,}",
        "-" if run["levels"] is None else str(run["levels"]),
        f"{seconds:.3f}",
        f"{positions / seconds:,.0f}",
        growth,
        f"{record['ours_1']['seconds'] / seconds:.2f}" if "ours_1" in record else "-",
        "-" if run["verify"] is None else f"{run['verify']:.2f}",
        f"{run['peak_bytes'] / 1e6:.1f}",
        f"{run['planned_bytes'] / 1e6:.1f}",
        f"{run['peak_bytes'] / positions:.2f}",
        "-" if usual is None else f"{usual:.3f}",
        "-" if usual is None else f"{usual / seconds:.0f}",
    )
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=SIDES[-1], help="leave out larger boards")
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    table = Table("pursuit", HEADER.format(CORES))
    records = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = compiled("pursuit", folder)
        for mode, sides in (("values", SIDES), ("plies", SIDES)):
            before = None
            for side in sides:
                if side > given.largest or (mode == "plies" and side > PLIES_UP_TO):
                    continue
                records.append(case(side, mode, program, folder, given.repeats))
                table.add(row(records[-1], before))
                before = records[-1]
    if given.largest == SIDES[-1]:
        table.keep(records)


if __name__ == "__main__":
    main()

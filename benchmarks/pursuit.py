"""`make bench-pursuit`: policeman and thief on random boards, a fifth of the cells blocked, one exit.

Each run is a process of its own, kernels compiled before. Compared with the usual C++ program on boards
that it has the memory for; its counts must be ours. Puts all figures into
``benchmarks/results/pursuit.json``, of which the site makes its table.
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=SIDES[-1], help="leave out larger boards")
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    table = Table("pursuit")
    records = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = compiled("pursuit", folder)
        for mode, sides in (("values", SIDES), ("plies", SIDES)):
            for side in sides:
                if side > given.largest or (mode == "plies" and side > PLIES_UP_TO):
                    continue
                records.append(case(side, mode, program, folder, given.repeats))
                table.add(records[-1])
    if given.largest == SIDES[-1]:
        table.keep()


if __name__ == "__main__":
    main()

"""`make bench`: retrosolve and its baselines on the same graphs, in turn, in one run.

Puts all figures into ``benchmarks/results/graphs.json``, of which the site makes its table.
Each program runs in a process of its own, on arrays read from the same files; reading is not timed.
Counts of wins, losses and draws must be equal, or the run fails.

    python benchmarks/graphs.py                                     # about an hour
    python benchmarks/graphs.py --family uniform-3 --largest 3e7
    python benchmarks/graphs.py --before ../old/.venv/bin/python    # another installation, in turn
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import tempfile
from pathlib import Path
from typing import Any

from families import FAMILIES
from running import CORES, HERE, RETURNED, Table, compiled, told
from tables import milliseconds, seconds_of

STORM = importlib.util.find_spec("stormpy") is not None
SMALL_UP_TO = 1_000_000
PLAIN_LARGE = {("uniform-3", 10**7), ("uniform-10", 10**7)}  # and these, half a minute each
SIZES = {
    **dict.fromkeys(FAMILIES, (10**5, 10**6, 10**7)),
    "uniform-2": (10**5, 10**6, 10**7, 2 * 10**7, 10**8),
    "uniform-3": (10**5, 10**6, 10**7, 3 * 10**7, 10**8),
    "uniform-10": (10**5, 10**6, 10**7, 10**8),
    "thin": (10**5, 10**6, 4 * 10**6),
}


def measured(
    commands: dict[str, list[str]], edges: int, repeats: int, bytes_an_edge: int = 48
) -> dict[str, Any]:
    """Run commands in turn, several times, with so much memory ready, and keep the fastest of each.

    In turn, so that an hour when the machine is slow is one for all.
    """
    memory = (1 << 28) + bytes_an_edge * edges
    rounds = [
        {name: told(command, memory) for name, command in commands.items()} for _ in range(repeats)
    ]
    return {name: min((found[name] for found in rounds), key=seconds_of) for name in commands}


def case(
    family: str, edges: int, programs: dict[str, str], scratch: Path, repeats: int, before: str | None
) -> dict[str, Any]:
    """Run everything on one graph; ``before`` is the Python of another installation of retrosolve."""
    folder = scratch / "case"
    folder.mkdir()
    vertices, *arrays = FAMILIES[family](edges)
    names = ("source.i32", "target.i32", "owner.u8", "terminal.u8")
    for name, array in zip(names, arrays, strict=True):
        if array is not None:
            array.tofile(folder / name)
    edges = (folder / names[0]).stat().st_size // 4
    present = {path.name for path in folder.iterdir()}
    del arrays
    where = [str(folder), str(vertices)]
    script = [str(HERE / "ours.py"), *where]
    ours = [sys.executable, *script]
    record: dict[str, Any] = {"family": family, "vertices": vertices, "edges": edges}
    compiled = {name: [program, *where] for name, program in programs.items()}
    compiled["floor"].append(str(CORES))
    alone = {"ours_1": [*ours, "1"]} if CORES > 1 else {}
    others = {"before": [before, *script, str(CORES)]} if before else {}
    in_turn = {**compiled, "ours": [*ours, str(CORES)], **others, **alone}
    record |= measured(in_turn, edges, repeats if edges > SMALL_UP_TO else 2 * repeats)
    for name in ("ours", *others):
        record[name]["peak_bytes"] = told(in_turn[name], environment=RETURNED)["peak_bytes"]
    slow = {}
    if edges <= SMALL_UP_TO or (family, edges) in PLAIN_LARGE:
        slow["plain"] = [sys.executable, str(HERE / "baselines" / "plain.py"), *where]
    if "owner.u8" in present and STORM:
        slow["storm"] = [sys.executable, str(HERE / "baselines" / "storm.py"), *where]
    record |= measured(slow, edges, 1, bytes_an_edge=140)
    runs = [run for run in record.values() if isinstance(run, dict)]
    for word in ("win", "loss", "draw", "first_wins"):
        counts = {run[word] for run in runs if run.get(word) is not None}
        if len(counts) > 1:
            raise SystemExit(f"{family}, {edges} edges: the programs disagree on {word}: {counts}")
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    return record


def than_before(record: dict[str, Any]) -> str:
    """Compare a case with the other installation: the whole, the peak and the first solve."""
    ours, before = record["ours"], record["before"]
    return (
        f"    {record['family']} {record['edges']:.2g}: "
        f"{milliseconds(seconds_of(before))} -> {milliseconds(seconds_of(ours))} ms, "
        f"{seconds_of(before) / seconds_of(ours):.2f} times as fast; "
        f"peak {before['peak_bytes'] / 1e6:.0f} -> {ours['peak_bytes'] / 1e6:.0f} MB; "
        f"first solve of a process {before['start_up']:.2f} -> {ours['start_up']:.2f} s"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--family", choices=FAMILIES, action="append")
    parser.add_argument("--largest", type=float, default=1e8, help="leave out larger graphs")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--before", help="the Python of another installation, to be compared with")
    given = parser.parse_args()
    table = Table("graphs")
    records = []
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        programs = {name: compiled(name, scratch) for name in ("textbook", "flat", "floor")}
        for family in given.family or FAMILIES:
            for edges in SIZES[family]:
                if edges <= given.largest:
                    records.append(case(family, edges, programs, scratch, given.repeats, given.before))
                    table.add(records[-1])
                    if given.before:
                        print(than_before(records[-1]), flush=True)
    if given.family is None and given.largest >= max(SIZES["uniform-10"]):
        table.keep()


if __name__ == "__main__":
    main()

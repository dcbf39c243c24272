"""`make bench-endings`: the 110 chess endings of five men, one by one, each with its smaller endings.

Counts by side, longest mates and digests come into ``benchmarks/results/endings.json``, of which the
site makes its table, and are compared with what is published. An ending that is in the file of lines
is not solved again, and one that was interrupted goes on; what earlier runs found of the others stays.
Those without pawns come first; those with two pawns have billions of indices and take hours. With
--objective conversion:limit=100 distances are those to a conversion, in tables of their own. --whole
is the line that records_chess.py printed of chess:5men, all endings at once: it is compared, and gives
the counts of those that were not solved alone.

    python benchmarks/endings.py --out build/endings [--only KQPKQ] [--table] [--whole FILE]
"""

from __future__ import annotations

import argparse
import csv
import json
import shutil
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

from running import HERE, RETURNED, Table, script
from tables import lines, results

PIECES = "QRBNP"
FIFTY_MOVES = "conversion:limit=100"


def endings() -> list[str]:
    """Return all endings of five men, those with fewer pawns first.

    >>> len(endings()), endings()[0], endings()[-1]
    (110, 'KQQQK', 'KPPKP')
    """
    pairs = combinations_with_replacement(PIECES, 2)
    names = ["".join(["K", *three, "K"]) for three in combinations_with_replacement(PIECES, 3)]
    names += ["".join(["K", *two, "K", one]) for two in pairs for one in PIECES]
    return sorted(names, key=lambda name: (name.count("P"), len(name.split("K")[2])))


def by_the_whole(path: Path, known: dict[str, dict[str, Any]]) -> None:
    """Add the endings that were solved as a part of all. Raises SystemExit where others differ."""
    for name, counts in json.loads(path.read_text())["endings"].items():
        found = {
            "wins/draws/losses": counts["wins/draws/losses"],
            "longest_of_ending": counts["longest"],
            "counts": counts["counts"],
        }
        case = known.setdefault(f"chess:{name}", {"game": f"chess:{name}", **found})
        if different := {key for key, value in found.items() if case.get(key, value) != value}:
            raise SystemExit(f"{name}: {different} of {case}, but {found} by all endings at once")
        case |= found


def keep_counts(cases: list[dict[str, Any]]) -> None:
    """Write a row for each ending and side to move that were counted, for others to compare.

    Like pieces are counted as different; the longest win of either side is in both rows.
    """
    with (HERE / "results" / "endings.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("ending", "to_move", "won", "drawn", "lost", "longest_win"))
        for case in cases:
            name, counts = case["game"].removeprefix("chess:"), case.get("wins/draws/losses")
            for side, numbers in zip(
                ("white", "black"), counts.split(" | ") if counts else (), strict=False
            ):
                writer.writerow((name, side, *numbers.split("/"), case["longest_of_ending"]))


TABLES = {"outcome": "endings", FIFTY_MOVES: "conversions"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="where what is solved is kept")
    parser.add_argument("--only", action="append", choices=endings(), help="only this one")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--objective", default="outcome", choices=TABLES)
    parser.add_argument("--whole", type=Path, help="the line that records_chess.py printed of 5men")
    parser.add_argument("--table", action="store_true", help="make the table of what is there, only")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    title = TABLES[given.objective]
    kept = given.out / f"{title}.jsonl"
    before = kept.read_text().splitlines() if kept.exists() else []
    known = {case["game"]: case for case in map(json.loads, before)}
    for name in () if given.table else given.only or endings():
        game, place = f"chess:{name}", given.out / f"{name}-{title}"
        if game not in known:
            known[game] = script(
                "records_chess.py", game, str(place), "--threads", given.threads,
                "--objective", given.objective, **RETURNED,
            )  # fmt: skip
            with kept.open("a") as file:
                file.write(json.dumps(known[game]) + "\n")
            shutil.rmtree(place)
            print(*lines(title, [known[game]], 0), sep="\n", flush=True)
    counted = results(title) | known
    if given.whole:
        by_the_whole(given.whole, counted)
    table = Table(title)
    for name in endings():
        if f"chess:{name}" in counted:
            table.add(counted[f"chess:{name}"])
    table.keep()
    if given.objective == "outcome":
        keep_counts(table.records)


if __name__ == "__main__":
    main()

"""Exploring plain rules beside a dictionary loop: part of `make bench-games`.

Puts its table into ``docs/performance.md`` and all figures into ``benchmarks/results/exploring.json``.
The programs run in turn in one process, the fastest of some repeats each.
"""

from __future__ import annotations

import argparse
from typing import Any

from running import Table, script

GAMES = ("nine-moves:n=300000", "tictactoe", "foxhounds-plain:n=6", "clobber:5x3")
HEADER = (
    "| game | positions | moves | dictionary, positions/s | retrosolve | of the dictionary "
    "| two workers | of one |\n|---|---|---|---|---|---|---|---|"
)


def row(record: dict[str, Any]) -> str:
    """One line of the table."""
    seconds, positions = record["seconds"], record["positions"]
    plain, one, two = (positions / seconds[name] for name in ("dictionary", "workers=1", "workers=2"))
    cells = (
        record["game"],
        f"{positions:,}",
        f"{record['moves']:,}",
        f"{plain:,.0f}",
        f"{one:,.0f}",
        f"{one / plain:.2f}",
        f"{two:,.0f}",
        f"{two / one:.2f}",
    )
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", action="append", help="only this one")
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    table = Table("exploring", HEADER)
    records = []
    for game in given.game or GAMES:
        records.append(script("one_exploring.py", game, str(given.repeats)))
        table.add(row(records[-1]))
    if given.game is None:
        table.keep(records)


if __name__ == "__main__":
    main()

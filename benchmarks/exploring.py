"""Exploring plain rules beside a dictionary loop: part of `make bench-games`.

Puts its table into ``docs/performance.md`` and all figures into ``benchmarks/results/exploring.json``.
The programs run in turn in one process, the fastest of some repeats each. If the environment names a
checkout of GamesmanPy and a Python to run it with (see ``gamesmanpy.py``), it explores Clobber by its
own rules, in a process of its own.
"""

from __future__ import annotations

import argparse
import os
from typing import Any

from running import HERE, Table, script, told

GAMES = ("nine-moves:n=300000", "tictactoe", "foxhounds-plain:n=6", "clobber:5x3")
SHARED = ("clobber:5x3",)  # with GamesmanPy
HEADER = (
    "| game | positions | moves | dictionary, positions/s | retrosolve | of the dictionary "
    "| two workers | of one | GamesmanPy, positions/s |\n|---|---|---|---|---|---|---|---|---|"
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
        _peer_cell(record),
    )
    return f"| {' | '.join(cells)} |"


def _peer_cell(record: dict[str, Any]) -> str:
    peer = record.get("gamesmanpy")
    if peer is None:
        return "-"
    assert peer["positions"] == record["positions"], f"the programs differ: {record}"
    return f"{peer['positions'] / peer['finding']:,.0f}"


def peer(game: str) -> dict[str, Any]:
    """What GamesmanPy takes for a game that it has as well, if there is a checkout of it."""
    folder, python = (os.environ.get(name) for name in ("GAMESMANPY", "GAMESMANPY_PYTHON"))
    if game not in SHARED or not folder or not python:
        return {}
    size = game.partition(":")[2]
    return {"gamesmanpy": told([python, str(HERE / "gamesmanpy.py"), folder, size])}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", action="append", help="only this one")
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    table = Table("exploring", HEADER)
    records = []
    for game in given.game or GAMES:
        records.append(script("one_exploring.py", game, str(given.repeats)) | peer(game))
        table.add(row(records[-1]))
    if given.game is None:
        table.keep(records)


if __name__ == "__main__":
    main()

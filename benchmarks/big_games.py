"""`make bench-big`: the largest built-in games, each solved and proven once in a process of its own.

Puts its table into ``docs/performance.md`` and all figures into ``benchmarks/results/big_games.json``.
"""

from __future__ import annotations

import argparse
import tempfile
from typing import Any

from running import CORES, RETURNED, Table, script

# The game, and a small one of the same rules, whose kernels it shares.
GAMES = {
    "chess:KPK": "chess:KRK",
    "chess:KQKR": "chess:KRK",
    "chess:KRKN": "chess:KRK",
    "chess:KRKP": "chess:KRK",
    "morris6": "morris6:men=5",
    "morris6:symmetry=no": "morris6:men=5,symmetry=no",
    "queenpawns:n=7": "queenpawns",
    "connect4:rows=6,columns=4": "connect4",
    "connect4:rows=5,columns=5": "connect4",
    "connect4:rows=4,columns=6": "connect4",
    "foxhounds:n=10": "foxhounds:n=8",
    "dobutsu": "dobutsu:drops=no",
    "queenpawns:n=8": "queenpawns",
}
STAGES = ("finding positions", "tiers in one pass", "initialisation", "propagation", "ties and draws")

HEADER = (
    "| game | positions | indices | start | levels | seconds | finding / one pass / initialisation / "
    "propagation / ties / other, % | positions/s a core | bytes a position | peak MB | planned MB "
    "| proof s |\n"
    "|---|---|---|---|---|---|---|---|---|---|---|---|"
)


def row(record: dict[str, Any]) -> str:
    """One line of the table."""
    seconds = record["seconds"]
    shares = [100 * record["stages"].get(stage, 0) / seconds for stage in STAGES]
    shares.append(100 - sum(shares))  # making the game, the plan, and preparing
    cells = (
        record["game"],
        f"{record['positions']:,}",
        f"{record['indices']:,}",
        record["start"],
        str(record["levels"]),
        f"{seconds:.1f}",
        " / ".join(f"{share:.0f}" for share in shares),
        f"{record['positions'] / seconds / CORES:,.0f}",
        f"{record['peak_bytes'] / record['positions']:.1f}",
        f"{record['peak_bytes'] / 1e6:.0f}",
        f"{record['planned_bytes'] / 1e6:.0f}",
        f"{record['verify']:.1f}",
    )
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", action="append", choices=GAMES, help="only this one")
    given = parser.parse_args()
    table = Table("big_games", HEADER)
    records = []
    with tempfile.TemporaryDirectory() as cache:
        for game in given.game or GAMES:
            told = script("big_game.py", game, GAMES[game], XDG_CACHE_HOME=cache, **RETURNED)
            records.append(told)
            table.add(row(records[-1]))
    if given.game is None:
        table.keep(records)


if __name__ == "__main__":
    main()

"""`make bench-big`: the largest built-in games, each solved and proven once in a process of its own.

Puts all figures into ``benchmarks/results/big_games.json``, of which the site makes its table.
"""

from __future__ import annotations

import argparse
import tempfile

from running import RETURNED, Table, script

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", action="append", choices=GAMES, help="only this one")
    given = parser.parse_args()
    table = Table("big_games")
    records = []
    with tempfile.TemporaryDirectory() as cache:
        for game in given.game or GAMES:
            told = script("big_game.py", game, GAMES[game], XDG_CACHE_HOME=cache, **RETURNED)
            records.append(told)
            table.add(records[-1])
    if given.game is None:
        table.keep()


if __name__ == "__main__":
    main()

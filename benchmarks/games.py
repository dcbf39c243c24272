"""`make bench-games`: built-in games solved whole, each in a process of its own.

Puts all figures into ``benchmarks/results/games.json``, of which the site makes its table.
"cold" is the first solve on a machine that has compiled nothing of the game, from the start of the
process; "warm" the same in a process that finds the kernels compiled; "solve" a further solve in that
process.
"""

from __future__ import annotations

import argparse
import tempfile

from running import RETURNED, Table, script

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", action="append", help="only this one; any built-in game")
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    table = Table("games")
    records = []
    for game in given.game or GAMES:
        repeats = 1 if game in LARGE else given.repeats
        with tempfile.TemporaryDirectory() as cache:
            around = {"XDG_CACHE_HOME": cache, **RETURNED}
            cold = script("one_game.py", game, "0", **around)
            record = script("one_game.py", game, str(repeats), **around)
        records.append({**record, "cold": cold["first"]})
        table.add(records[-1])
    if given.game is None:
        table.keep()


if __name__ == "__main__":
    main()

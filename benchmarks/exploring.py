"""Exploring plain rules beside a dictionary loop: part of `make bench-games`.

Puts all figures into ``benchmarks/results/exploring.json``, of which the site makes its table.
The programs run in turn in one process, the fastest of some repeats each.
"""

from __future__ import annotations

import argparse

from running import Table, script

GAMES = ("nine-moves:n=300000", "tictactoe", "foxhounds-plain:n=6", "clobber:5x3")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", action="append", help="only this one")
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    table = Table("exploring")
    records = []
    for game in given.game or GAMES:
        records.append(script("one_exploring.py", game, str(given.repeats)))
        table.add(records[-1])
    if given.game is None:
        table.keep()


if __name__ == "__main__":
    main()

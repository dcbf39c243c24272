"""`make bench-records`: the largest games, solved into a folder and compared with published figures.

A run that was interrupted goes on: what is finished is not solved again. Puts all figures into
``benchmarks/results/records.json``, of which the site makes its table; rows of earlier runs stay.

    python benchmarks/records.py --out DIR [--only chess:4men]
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from running import RETURNED, Table, script
from tables import results

# A record, and the script that solves it: it takes the record and a folder, goes on with what it finds
# there, and prints one line of JSON with at least the fields of ``row``.
RECORDS = {
    "chess:4men": "records_chess.py",
    "chess:KBBBK": "records_chess.py",
    "chess:KRRKR": "records_chess.py",
    "chess:KBBKQ": "records_chess.py",
    "chess:KQQKQ": "records_chess.py",
    "baghchal": "records_baghchal.py",
    "baghchal:placing=no": "records_baghchal.py",
    "dobutsu:rows=5": "records_dobutsu.py",
    "morris9": "records_morris.py",
    "morris9:men=10,placing=no": "records_morris.py",
    "musketeers": "records_musketeers.py",
    "quoridor:n=6,walls=2": "records_quoridor.py",
    "quoridor:n=7,walls=2": "records_quoridor.py",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="where the solutions are kept")
    parser.add_argument("--only", action="append", choices=RECORDS, help="only this one")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    known = results("records")
    for name in given.only or RECORDS:
        place = given.out / name.replace(":", "-")
        figures = place.with_name(f"{place.name}.json")
        if not figures.exists():
            found = script(RECORDS[name], name, str(place), **RETURNED)
            figures.write_text(json.dumps(found))
        known[name] = json.loads(figures.read_text())
    table = Table("records")
    records = [known[name] for name in RECORDS if name in known]
    for record in records:
        table.add(record)
    table.keep()


if __name__ == "__main__":
    main()

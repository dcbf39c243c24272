"""`make bench-registry`: what can be compared of each solved game, each solved in a process of its own.

Puts positions, counts, longest wins and digests into ``benchmarks/results/registry.json``; the site has
them beside the times and memory that the other benchmarks measured. A run that was interrupted goes on:
a game that is in the file of lines is not solved again. Games that take hours are only those of
``--only``; what is known of the others stays.

    python benchmarks/registry.py [--out build/registry] [--only dobutsu:rows=5]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from running import RETURNED, keep, script
from tables import measured, results

STUCK_TIES = ("quoridor", "dobutsu:rows=5")  # as published
MOST = 200_000_000  # positions of a game that is solved without being asked for


def solved(text: str, folder: Path) -> dict[str, Any]:
    """Solve a game into a folder, unless it is there, and return what can be compared."""
    import retrosolve as rs
    from retrosolve.games import parse_game

    game = parse_game(text)
    stuck = "tie" if text.startswith(STUCK_TIES) else "loss"
    with rs.solve(game, stuck=stuck, out=folder, resume=True) as solution:
        longest = solution.longest()
        value = max((rs.Value.WIN, rs.Value.LOSS), key=lambda one: longest[one] or 0)
        example = next(iter(solution.where(value, longest[value])))
        return {
            "game": text,
            "stuck": stuck,
            "positions": len(solution),
            "counts": {one.label: count for one, count in solution.counts().items()},
            "start": None if solution.start is None else str(solution[solution.start]),
            "longest": longest[value],
            "example": solution.space.text(example),
            "disk_bytes": solution.num_bytes,
            "digest": solution.digest(),
        }


def solved_by(case: dict[str, Any]) -> int:
    """Return the positions of a record that were solved; Quoridor's are also given as published.

    >>> solved_by({"positions": 20, "solved": 10}), solved_by({"positions": 20})
    (10, 20)
    """
    return int(case.get("solved", case["positions"]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("build/registry"))
    parser.add_argument("--only", action="append", help="this game, of whatever size")
    parser.add_argument("--folder", type=Path, help="where the game of --only is solved, or was")
    parser.add_argument("--one", help="solve one game and print one line of JSON")
    given = parser.parse_args()
    if given.one:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(solved(given.one, given.folder or Path(folder) / "solution")))
        return
    where = ["--folder", str(given.folder)] if given.folder else []
    given.out.mkdir(parents=True, exist_ok=True)
    kept = given.out / "solved.jsonl"
    before = kept.read_text().splitlines() if kept.exists() else []
    known = {case["game"]: case for case in map(json.loads, before)}
    cases = measured()
    for text in given.only or [text for text, case in cases.items() if case["positions"] <= MOST]:
        if text not in known:
            known[text] = script(Path(__file__).name, "--one", text, *where, **RETURNED)
            print(text, known[text]["digest"], file=sys.stderr, flush=True)
            with kept.open("a") as file:
                file.write(json.dumps(known[text]) + "\n")
    different = [
        f"{text}: {known[text]['positions']} positions, {solved_by(case)} measured"
        for text, case in cases.items()
        if text in known and known[text]["positions"] != solved_by(case)
    ]
    if different:
        raise SystemExit("\n".join(different))
    counted = results("registry") | known
    facts = [counted[text] for text in cases if text in counted]
    keep("registry", facts)


if __name__ == "__main__":
    main()

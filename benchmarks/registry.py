"""`make bench-registry`: what can be compared of each solved game, each solved in a process of its own.

Puts positions, counts, longest wins and digests into ``docs/gallery/registry.md`` and
``benchmarks/results/registry.json``, beside the times and memory that the other benchmarks measured. A
run that was interrupted goes on: a game that is in the file of lines is not solved again. Games that
take hours are only those of ``--only``; what is known of the others stands in the page as it is.

    python benchmarks/registry.py [--out build/registry] [--only dobutsu:rows=5]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from running import RETURNED, Table, results, script

MEASURED = ("games", "big_games", "records")  # in one row the last of them that has the game
STUCK_TIES = ("quoridor", "dobutsu:rows=5")  # as published
MOST = 200_000_000  # positions of a game that is solved without being asked for
VALUES = ("win", "loss", "tie", "draw")

HEADER = (
    "| game | positions | won | lost | tied | drawn | start | longest win, plies | s | peak MB "
    "| MB on disk |\n"
    "|---|---|---|---|---|---|---|---|---|---|---|"
)
DIGESTS = "| game | digest | one of the longest wins or losses |\n|---|---|---|"


def measured() -> dict[str, dict[str, Any]]:
    """Return what the other benchmarks have of each built-in game, by its text."""
    from retrosolve.games import GAMES

    found: dict[str, dict[str, Any]] = {}
    for name in MEASURED:
        found |= {text: case for text, case in results(name).items() if text.partition(":")[0] in GAMES}
    return dict(sorted(found.items(), key=lambda item: (item[1]["positions"], item[0])))


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


def row(case: dict[str, Any], known: dict[str, Any] | None) -> str:
    """One line of the table: a game with its times, and what solving it again has shown."""
    facts = {**case, **(known or {})}
    counts = facts.get("counts") or {}
    if isinstance(counts, list):  # Quoridor: won by the players, not by the player to move
        counts = {}
    seconds = case["solve"] if "solve" in case else case["seconds"]
    disk = facts.get("disk_bytes")
    cells = (
        f"`{case['game']}`",
        f"{facts['positions']:,}",
        *(f"{counts[value]:,}" if value in counts else "-" for value in VALUES),
        str(facts.get("start") or "-"),
        str(facts.get("longest", "-")),
        f"{seconds:.3g}" if seconds < 100 else f"{seconds:,.0f}",
        f"{case['peak_bytes'] / 1e6:,.0f}",
        "-" if disk is None else f"{disk / 1e6:,.1f}",
    )
    return f"| {' | '.join(cells)} |"


def digest_row(known: dict[str, Any]) -> str:
    """One line of the table of digests."""
    example = known["example"].replace("|", "\\|").replace("\n", " / ")
    return f"| `{known['game']}` | `{known['digest']}` | `{example}` |"


def lines(known: list[dict[str, Any]]) -> list[str]:
    """Return the lines of both tables, from the results alone."""
    by_game = {case["game"]: case for case in known}
    cases = measured()
    rows = [row(case, by_game.get(text)) for text, case in cases.items()]
    digests = [digest_row(by_game[text]) for text in cases if text in by_game]
    return [*HEADER.splitlines(), *rows, "", *DIGESTS.splitlines(), *digests]


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
    table = Table("registry", "\n".join(lines(facts)), page="gallery/registry.md")
    table.keep(facts)


if __name__ == "__main__":
    main()

"""Solve chess endings into a folder and compare them with what is published; print one line of JSON.

A small ending is solved before, so that kernels are compiled. What was interrupted goes on. Wins, draws
and losses of every ending that a solve has are compared with the published ones, and the longest mates;
with --objective conversion:limit=100, the number of positions at each distance to conversion. --csv
writes the counts by ending, ranks of its pawns and side to move. --solved counts what is in the folder,
whichever version of the rules solved it; --objective says of what it is a solution.

    python benchmarks/records_chess.py chess:KQPKQ DIRECTORY [--objective conversion] [--csv FILE]
"""

from __future__ import annotations

import argparse
import csv
import json
import time
from pathlib import Path
from typing import Any

from chess_counts import (
    FIFTY_MOVES,
    SIDES,
    Part,
    by_side,
    counted,
    longest_by_ending,
    published,
    totals,
    wins_draws_losses,
    with_draws_together,
)
from inside import memory

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.games.chess import ALL_OF, ChessEnding, layout

PUBLISHED = Path(__file__).parent.parent / "tests" / "data" / "published.json"
FIGURES = {item["id"]: item["figures"] for item in json.loads(PUBLISHED.read_text())["items"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("folder")
    parser.add_argument("--objective", default="outcome")
    parser.add_argument("--memory")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--solved", action="store_true", help="count what is there, of any version")
    parser.add_argument("--verify", action="store_true")
    given = parser.parse_args()
    rs.verify(rs.solve(parse_game("chess:KRK"), objective=given.objective))
    game = parse_game(given.name)
    assert isinstance(game, ChessEnding)
    limits: Any = {"memory": given.memory, "threads": given.threads}
    record: dict[str, Any] = {"game": given.name}
    if not given.solved:
        start, used = time.perf_counter(), time.process_time()
        rs.solve(game, objective=given.objective, out=given.folder, resume=True, **limits)
        record["seconds"] = time.perf_counter() - start
        record["cpu_seconds"] = time.process_time() - used
        record["peak_bytes"] = memory("VmHWM")
    with rs.open(given.folder) as solution:
        parts = counted(solution, game)
        if given.csv:
            write_csv(parts, game, given.csv)
        longest = longest_by_ending(parts)
        record |= {
            "disk_bytes": solution.num_bytes,
            "positions": len(solution),
            "longest": max(longest.values()),
            "longest_of_ending": longest.get(game.ending),
            "digest": solution.digest(),
        }
        if given.objective != "outcome":
            record |= {"objective": given.objective, "longest_by_ending": longest}
            record["counts"] = {value.label: count for value, count in solution.counts().items()}
        counts = {name: compared(solution, game, parts, name) for name in longest if name != "KK"}
        record["compared"] = len(counts)
        if game.ending in ALL_OF:
            record["endings"] = {
                name: {
                    "wins/draws/losses": counts[name],
                    "longest": longest[name],
                    "counts": counts_with_smaller(parts, name),
                }
                for name in counts
                if len(name) == ALL_OF[game.ending]
            }
        else:
            record["wins/draws/losses"] = counts[game.ending]
        if given.objective == "outcome":
            compare_mates(longest)
        if given.verify:
            start, used = time.perf_counter(), time.process_time()
            rs.verify(solution, **limits)
            record |= {
                "verify_seconds": time.perf_counter() - start,
                "verify_cpu_seconds": time.process_time() - used,
            }
    print(json.dumps(record))


def write_csv(parts: list[Part], game: ChessEnding, path: Path) -> None:
    """Write a row for each part, like pieces not told apart, symmetric positions counted once."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        labels = list(totals(parts, game.tier_names))
        heads = "ending", "ranks_of_pawns", "en_passant", "to_move", "first_index", "indices"
        writer.writerow((*heads, *labels, "longest"))
        for part in parts:
            ranks = part.tier[layout.RANK : layout.RANK + part.ending.count("P")] + 1
            passant = ("no", "yes")[part.tier[layout.IS_PASSANT]]
            place = part.ending, " ".join(map(str, ranks)), passant
            counts = totals([part], (part.ending,)).values()
            mover = SIDES[part.side], part.first, part.size
            writer.writerow((*place, *mover, *counts, part.longest))


def counts_with_smaller(parts: list[Part], name: str) -> dict[str, int]:
    """Return the counts of an ending and of those that it leads to, as if it were solved alone."""
    alone = parse_game(f"chess:{name}")
    assert isinstance(alone, ChessEnding)
    return totals(parts, alone.tier_names)


def compared(solution: rs.Solution, game: ChessEnding, parts: list[Part], name: str) -> str:
    """Return the wins, draws and losses of an ending; raise SystemExit if others are published.

    Under the fifty-move rule the number of positions at each distance is compared.
    """
    found, known = by_side(solution, game, parts, name), published(name)
    check(f"counts of {name}", wins_draws_losses(found), wins_draws_losses(known))
    if getattr(solution.objective, "limit", None) == FIFTY_MOVES:
        check(f"distances of {name}", with_draws_together(found), known)
    return wins_draws_losses(found)


def compare_mates(longest: dict[str, int]) -> None:
    """Compare the longest mates; raise SystemExit for a difference."""
    known = dict[str, int]()
    for item in ("chess-3-4-men", "chess-5-men"):
        known |= FIGURES[item]["longest_mate_plies"]
    for name, plies in longest.items():
        # Those of fewer men that nobody has published have no mate, as KBK.
        check(f"longest mate of {name}", plies, known.get(name, plies if len(name) == 5 else 0))


def check(what: str, found: Any, expected: Any) -> None:
    """Raise SystemExit for a difference."""
    if found != expected:
        raise SystemExit(f"{what}: {found}, published {expected}")


if __name__ == "__main__":
    main()

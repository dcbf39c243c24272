"""Solve chess endings into a folder and compare them with what is published; print one line of JSON.

A small ending is solved before, so that kernels are compiled. What was interrupted goes on. With
--objective conversion or conversion:limit=100 the longest distance of each ending is one to conversion,
of which nothing is published here; the counts are compared all the same, cursed wins as wins. --csv
writes the counts by ending, ranks of its pawns and side to move. --solved counts what is in the folder,
whichever version of the rules solved it.

    python benchmarks/records_chess.py chess:KQPKQ DIRECTORY [--objective conversion] [--csv FILE]
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from inside import memory

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.games.chess import ALL_OF, ChessEnding, layout
from retrosolve.games.chess.index import unrank_pieces
from retrosolve.objectives.conversion import LimitedValue
from retrosolve.tables import summary

PUBLISHED = Path(__file__).parent.parent / "tests" / "data" / "published.json"
FIGURES = {item["id"]: item["figures"] for item in json.loads(PUBLISHED.read_text())["items"]}
NOBODY_WINS = ("tie", "draw")
DIAGONAL = range(0, 64, 9)


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
        if game.ending in ALL_OF:
            record["endings"] = {
                name: {
                    "wins/draws/losses": counts_of(solution, game, parts, name),
                    "longest": longest[name],
                    "counts": counts_with_smaller(parts, name),
                }
                for name in dict.fromkeys(game.tier_names)
                if len(name) == ALL_OF[game.ending]
            }
        else:
            record["wins/draws/losses"] = counts_of(solution, game, parts, game.ending)
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


class Part(NamedTuple):
    """An ending with its pawns on certain ranks and one side to move, or both where they are alike.

    Parameters
    ----------
    ending : str
    tier : int64 [k]
        A row of the table of the rules.
    side, first, size : int
        0 for White to move, and the indices ``first..first+size-1``.
    histogram : dict
        Of these indices, see ``Solution.histogram``.
    """

    ending: str
    tier: Any
    side: int
    first: int
    size: int
    histogram: dict[Any, dict[int | None, int]]

    @property
    def counts(self) -> dict[Any, int]:
        """The number of positions of each value."""
        return {value: sum(plies.values()) for value, plies in self.histogram.items()}

    @property
    def longest(self) -> int:
        """The longest distance of a win or a loss, cursed ones included."""
        plies = (
            max((distance or 0 for distance in part), default=0)
            for value, part in self.histogram.items()
            if value.label not in NOBODY_WINS
        )
        return max(plies)


def counted(solution: rs.Solution, game: ChessEnding) -> list[Part]:
    """Count the positions by ending, ranks of pawns and side to move, in one pass over the table."""
    data, parts = game.data, []
    tiers = data[data[layout.NUMBERS, layout.TIERS] : -1]
    for tier in tiers:
        name = game.materials[tier[layout.OF_MATERIAL]].name
        size = int(tier[layout.CONFIGURATIONS] * tier[layout.NUM_PAIRS])
        row = layout.MATERIALS + tier[layout.OF_MATERIAL]
        for side in range(2 if data[row, layout.FLIP] == layout.NEVER else 1):
            first = int(tier[layout.BASE]) + side * size
            histogram = summary.histogram(solution.table, first, first + size)
            parts.append(Part(name, tier, side, first, size, histogram))
    return parts


def write_csv(parts: list[Part], game: ChessEnding, path: Path) -> None:
    """Write a row for each part, like pieces not told apart, symmetric positions counted once."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        labels = [value.label for value in parts[0].counts]
        heads = "ending", "ranks_of_pawns", "en_passant", "to_move", "first_index", "indices"
        writer.writerow((*heads, *labels, "longest"))
        for part in parts:
            ranks = part.tier[layout.RANK : layout.RANK + part.ending.count("P")] + 1
            passant = ("no", "yes")[part.tier[layout.IS_PASSANT]]
            place = part.ending, " ".join(map(str, ranks)), passant
            mover = ("white", "black")[part.side], part.first, part.size
            writer.writerow((*place, *mover, *part.counts.values(), part.longest))


def longest_by_ending(parts: list[Part]) -> dict[str, int]:
    """Return the longest distance to the end of a win or a loss, cursed ones included, by ending."""
    longest = dict.fromkeys((part.ending for part in parts), 0)
    for part in parts:
        longest[part.ending] = max(longest[part.ending], part.longest)
    return longest


def counts_with_smaller(parts: list[Part], name: str) -> dict[str, int]:
    """Return the counts of an ending and of those that it leads to, as if it were solved alone."""
    alone, counts = parse_game(f"chess:{name}"), Counter[str]()
    assert isinstance(alone, ChessEnding)
    for part in parts:
        if part.ending in alone.tier_names:
            counts.update({value.label: count for value, count in part.counts.items()})
    return dict(counts)


def compare_mates(longest: dict[str, int]) -> None:
    """Compare the longest mates; raise SystemExit for a difference."""
    known = dict[str, int]()
    for item in ("chess-3-4-men", "chess-5-men"):
        known |= FIGURES[item]["longest_mate_plies"]
    for name, plies in longest.items():
        # Those of fewer men that nobody has published have no mate, as KBK.
        check(f"longest mate of {name}", plies, known.get(name, plies if len(name) == 5 else 0))


def counts_of(solution: rs.Solution, game: ChessEnding, parts: list[Part], name: str) -> str:
    """Return the wins, draws and losses, White to move and Black, compared with published ones.

    With the same pieces on both sides the counts of both are those of White. Positions where a pawn may
    be taken en passant are left out, as they are where counts are published.
    """
    own = [part for part in parts if part.ending == name and not part.tier[layout.IS_PASSANT]]
    one = max(part.side for part in own)
    found = (distinguished(solution, game, [p for p in own if p.side == side]) for side in (0, one))
    sides = ["/".join(map(str, numbers)) for numbers in found]
    known, counts = FIGURES["chess-5-men"]["WDL"], " | ".join(sides)
    check(f"counts of {name}", counts, known.get(name, counts))
    return counts


def check(what: str, found: Any, expected: Any) -> None:
    """Raise SystemExit for a difference."""
    if found != expected:
        raise SystemExit(f"{what}: {found}, published {expected}")


def distinguished(solution: rs.Solution, game: ChessEnding, parts: list[Part]) -> tuple[int, int, int]:
    """Return the wins, draws and losses of an ending with one side to move, like pieces told apart.

    Exchanging like pieces makes as many positions as there are orders of them, but half as many where
    the reflection at the diagonal does the same. A pawn does not stay where it is in a reflection.
    """
    counts, codec, name = np.zeros(256, np.int64), solution.table.codec, parts[0].ending
    for part in parts:
        for value, number in part.counts.items():
            counts[codec.value(value)] += orders_of(name) * number
        if "P" not in name:
            counts -= orders_of(name) // 2 * twice(solution, game, part)
    return wins_draws_losses(counts)


def twice(solution: rs.Solution, game: ChessEnding, part: Part) -> Any:
    """Return the counts of positions that the diagonal's reflection keeps but for like pieces."""
    data, counts = game.data, np.zeros(256, np.int64)
    size = int(part.tier[layout.CONFIGURATIONS])
    mirrored = among_themselves(game, layout.MATERIALS + int(part.tier[layout.OF_MATERIAL]), size)
    for black in DIAGONAL:
        here = int(data[layout.KINGS + layout.PAIRS_OF, black])
        block = part.first + size * int(data[layout.KINGS + layout.PAIRS_BEFORE, black])
        for number in range(here):
            if data[layout.KINGS + layout.WHITE_OF + black, number] in DIAGONAL:
                values = solution.table.values(block + number + here * mirrored)
                counts += np.bincount(values, minlength=256)
    return counts


def orders_of(name: str) -> int:
    """Return the number of ways to exchange like pieces of an ending."""
    pieces = name.replace("K", " ").split()
    return math.prod(math.factorial(n) for part in pieces for n in Counter(part).values())


def wins_draws_losses(counts: np.ndarray) -> tuple[int, int, int]:
    """Return counts by value, of ties and draws together, of cursed wins and wins, and of losses."""
    wins, losses = counts[LimitedValue.WIN], counts[LimitedValue.LOSS]
    draws = counts[LimitedValue.TIE] + counts[LimitedValue.DRAW]
    wins += counts[LimitedValue.CURSED_WIN]
    losses += counts[LimitedValue.BLESSED_LOSS]
    return int(wins), int(draws), int(losses)


def among_themselves(game: ChessEnding, row: int, size: int) -> Any:
    """Return the numbers of the placements of pieces that the diagonal's reflection exchanges."""
    number, like = int(game.data[row, layout.COUNT]), int(game.data[row, layout.LIKE])
    kinds = game.data[row, layout.TYPE : layout.TYPE + number].tolist()
    kinds = [(kind, piece < game.data[row, layout.WHITE]) for piece, kind in enumerate(kinds)]
    found = []
    for place in range(size):
        packed = unrank_pieces(place, number, like, 64)
        squares = [packed >> layout.FIRST - layout.FIELD_BITS * piece & 63 for piece in range(number)]
        images = [square % 8 * 8 + square // 8 for square in squares]
        same = sorted(zip(kinds, images, strict=True)) == sorted(zip(kinds, squares, strict=True))
        if same and images != squares:
            found.append(place)
    return np.array(found, np.int64)


if __name__ == "__main__":
    main()

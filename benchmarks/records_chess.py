"""Solve chess endings into a folder and compare them with what is published; print one line of JSON.

A small ending is solved before, so that kernels are compiled. What was interrupted goes on.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from inside import memory

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.games.chess import ChessEnding, layout
from retrosolve.games.chess.index import unrank_pieces
from retrosolve.tables.summary import tier_distributions

PUBLISHED = Path(__file__).parent.parent / "tests" / "data" / "published.json"
DIAGONAL = range(0, 64, 9)


def main(name: str, folder: str) -> None:
    rs.verify(rs.solve(parse_game("chess:KRK")))
    game = parse_game(name)
    assert isinstance(game, ChessEnding)
    start, used = time.perf_counter(), time.process_time()
    rs.solve(game, out=folder, resume=True)
    seconds, cpu_seconds = time.perf_counter() - start, time.process_time() - used
    with rs.open(folder) as solution:
        record = {
            "game": name,
            "seconds": seconds,
            "cpu_seconds": cpu_seconds,
            "peak_bytes": memory("VmHWM"),
            "disk_bytes": solution.num_bytes,
            "positions": len(solution),
            "longest": max(plies or 0 for plies in list(solution.longest().values())[:2]),
        }
        compare(solution, game)
    print(json.dumps(record))


def compare(solution: rs.Solution, game: ChessEnding) -> None:
    """Compare the longest mates and, of five men, the counts; raise SystemExit for a difference."""
    figures = {item["id"]: item["figures"] for item in json.loads(PUBLISHED.read_text())["items"]}
    four, five = figures["chess-3-4-men"], figures["chess-5-men"]
    known = four["longest_mate_plies"] | five["longest_mate_plies"]
    names = solution.space.tier_names or ()
    parts = tier_distributions(solution.table, solution.space.tiers, names)
    for name, part in parts.items():
        found = part.longest()
        longest = max(found[rs.Value.WIN] or 0, found[rs.Value.LOSS] or 0)
        check(f"longest mate of {name}", longest, known.get(name, 0))
    if game.ending in five["WDL"]:
        sides = ["/".join(map(str, distinguished(solution, game, side))) for side in (0, 1)]
        check(f"counts of {game.ending}", " | ".join(sides), five["WDL"][game.ending])


def check(what: str, found: Any, expected: Any) -> None:
    """Raise SystemExit for a difference."""
    if found != expected:
        raise SystemExit(f"{what}: {found}, published {expected}")


def distinguished(solution: rs.Solution, game: ChessEnding, side: int) -> tuple[int, int, int]:
    """Return the wins, draws and losses of a side to move, like pieces counted as different.

    Exchanging like pieces makes as many positions as there are orders of them, but half as many where
    the reflection at the diagonal does the same. A pawn does not stay where it is in a reflection.
    """
    if "P" in game.tier_names[-1]:
        return distinguished_with_pawn(solution, game, side)
    data, tier = game.data, game.data[layout.NUMBERS, layout.TIERS] + len(game.tiers) - 1
    orders = orders_of(game.tier_names[-1])
    size, pairs = int(data[tier, layout.CONFIGURATIONS]), int(data[tier, layout.NUM_PAIRS])
    first = game.tiers[-1] + side * size * pairs
    counts = orders * solution.table.counts(first, first + size * pairs).astype(np.int64)
    mirrored = among_themselves(game, size)
    for black in DIAGONAL:
        here = int(data[layout.KINGS + layout.PAIRS_OF, black])
        block = first + size * int(data[layout.KINGS + layout.PAIRS_BEFORE, black])
        for number in range(here):
            if data[layout.KINGS + layout.WHITE_OF + black, number] in DIAGONAL:
                values = solution.table.values(block + number + here * mirrored)
                counts -= orders // 2 * np.bincount(values, minlength=256)
    return wins_draws_losses(counts)


def distinguished_with_pawn(
    solution: rs.Solution, game: ChessEnding, side: int
) -> tuple[int, int, int]:
    """Return the same of an ending with one pawn, whose tiers are those of the pawn's ranks."""
    counts = np.zeros(256, np.int64)
    for first, end, name in zip(game.tiers, [*game.tiers[1:], game.size], game.tier_names, strict=True):
        if name == game.tier_names[-1]:
            half = (end - first) // 2
            counts += solution.table.counts(first + side * half, first + (side + 1) * half)
    return wins_draws_losses(orders_of(game.tier_names[-1]) * counts)


def orders_of(name: str) -> int:
    """Return the number of ways to exchange like pieces of an ending."""
    pieces = name.replace("K", " ").split()
    return math.prod(math.factorial(n) for part in pieces for n in Counter(part).values())


def wins_draws_losses(counts: np.ndarray) -> tuple[int, int, int]:
    """Return counts by value, of ties and draws together."""
    draws = counts[rs.Value.TIE] + counts[rs.Value.DRAW]
    return int(counts[rs.Value.WIN]), int(draws), int(counts[rs.Value.LOSS])


def among_themselves(game: ChessEnding, size: int) -> Any:
    """Return the numbers of the placements of pieces that the diagonal's reflection exchanges."""
    row = layout.MATERIALS + game.data[game.data[layout.NUMBERS, layout.TIERS] + len(game.tiers) - 1, 1]
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
    main(*sys.argv[1:])

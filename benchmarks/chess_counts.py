"""Counts of solved chess endings, as others publish them.

Here a position of a table is counted once, whichever of two like pieces is the first. Elsewhere like
pieces are counted as different, positions that reflections exchange as one, and captures en passant are
left out: see ``tests/data/chess-statistics.json``, which has the number of positions of each ending of
three to five men that are won, drawn and lost, by distance to conversion.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import retrosolve as rs
from retrosolve.games.chess import ChessEnding, layout
from retrosolve.games.chess.index import unrank_pieces
from retrosolve.tables import summary

PUBLISHED = Path(__file__).parent.parent / "tests" / "data" / "chess-statistics.json"
SIDES = "white", "black"
KINDS = {
    "win": "win", "cursed-win": "win", "loss": "loss", "blessed-loss": "loss",
    "tie": "draw", "draw": "draw",
}  # fmt: skip
LIMITED = ("cursed-win", "blessed-loss")
FIFTY_MOVES = 100  # plies
DIAGONAL = range(0, 64, 9)

Plies = Counter[tuple[str, int | None]]  # the number of positions by value and distance


class Part(NamedTuple):
    """An ending with its pawns on certain ranks and one side to move, or both where they are alike.

    Parameters
    ----------
    ending : str
    tier : int64 [k]
        A row of the table of the rules.
    side, first, size : int
        0 for White to move, and the indices ``first..first+size-1``.
    histogram : Counter
        Of these indices, by label of value and remoteness; each label is there.
    """

    ending: str
    tier: Any
    side: int
    first: int
    size: int
    histogram: Plies

    @property
    def longest(self) -> int:
        """The longest distance of a win or a loss, cursed ones included."""
        decided = (plies or 0 for label, plies in self.histogram if KINDS[label] != "draw")
        return max(decided, default=0)


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
            found = summary.histogram(solution.table, first, first + size)
            histogram = Plies({(value.label, None): 0 for value in found})
            for value, part in found.items():
                histogram.update({(value.label, plies): count for plies, count in part.items()})
            parts.append(Part(name, tier, side, first, size, histogram))
    return parts


def longest_by_ending(parts: list[Part]) -> dict[str, int]:
    """Return the longest distance to the end of a win or a loss, cursed ones included, by ending."""
    longest = dict.fromkeys((part.ending for part in parts), 0)
    for part in parts:
        longest[part.ending] = max(longest[part.ending], part.longest)
    return longest


def totals(parts: list[Part], endings: tuple[str, ...]) -> dict[str, int]:
    """Return the number of positions of some endings by value."""
    counts = Counter[str]()
    for part in parts:
        if part.ending in endings:
            for (label, _), count in part.histogram.items():
                counts[label] += count
    return dict(counts)


def by_side(solution: rs.Solution, game: ChessEnding, parts: list[Part], name: str) -> dict[str, Plies]:
    """Return the positions of an ending as published, by side to move, value and distance.

    With the same pieces on both sides both counts are those of White.
    """
    own = [part for part in parts if part.ending == name and not part.tier[layout.IS_PASSANT]]
    one = max(part.side for part in own)
    return {
        side: told_apart(solution, game, [part for part in own if part.side == number])
        for side, number in zip(SIDES, (0, one), strict=True)
    }


def told_apart(solution: rs.Solution, game: ChessEnding, parts: list[Part]) -> Plies:
    """Return the positions of an ending with one side to move, like pieces counted as different.

    Exchanging like pieces makes as many positions as there are orders of them, but half as many where
    the reflection at the diagonal does the same. A pawn does not stay where it is in a reflection.
    """
    counts, name = Plies(), parts[0].ending
    orders = orders_of(name)
    for part in parts:
        for key, number in part.histogram.items():
            counts[key] += orders * number
        if orders > 1 and "P" not in name:
            for key, number in twice(solution, game, part).items():
                counts[key] -= orders // 2 * number
    return +counts


def twice(solution: rs.Solution, game: ChessEnding, part: Part) -> Plies:
    """Return the positions that the diagonal's reflection keeps but for like pieces."""
    data, counts, codec = game.data, Plies(), solution.table.codec
    size = int(part.tier[layout.CONFIGURATIONS])
    mirrored = among_themselves(game, layout.MATERIALS + int(part.tier[layout.OF_MATERIAL]), size)
    for black in DIAGONAL:
        here = int(data[layout.KINGS + layout.PAIRS_OF, black])
        block = part.first + size * int(data[layout.KINGS + layout.PAIRS_BEFORE, black])
        for number in range(here):
            if data[layout.KINGS + layout.WHITE_OF + black, number] in DIAGONAL:
                at = block + number + here * mirrored
                found = zip(
                    solution.table.values(at).tolist(),
                    solution.table.remoteness(at).tolist(),
                    strict=True,
                )
                for (value, plies), count in Counter(found).items():
                    if value in codec.results:
                        counts[codec.results[value].label, plies if plies >= 0 else None] += count
    return counts


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


def orders_of(name: str) -> int:
    """Return the number of ways to exchange like pieces of an ending."""
    pieces = name.replace("K", " ").split()
    return math.prod(math.factorial(n) for part in pieces for n in Counter(part).values())


def wins_draws_losses(sides: dict[str, Plies]) -> str:
    """Return the wins, draws and losses, White to move and Black, cursed wins counted as wins."""
    texts = []
    for side in SIDES:
        numbers = dict.fromkeys(("win", "draw", "loss"), 0)
        for (label, _), count in sides[side].items():
            numbers[KINDS[label]] += count
        texts.append("/".join(map(str, numbers.values())))
    return " | ".join(texts)


@cache
def statistics() -> dict[str, Any]:
    """Return what is published of each ending of three to five men."""
    endings: dict[str, Any] = json.loads(PUBLISHED.read_text())["endings"]
    return endings


def published(name: str) -> dict[str, Plies]:
    """Return the published positions of an ending by side to move, value and distance to conversion.

    What takes more plies than the fifty-move rule allows is a cursed win or a blessed loss.
    """
    sides = {}
    for side in SIDES:
        row, counts = statistics()[name][side], Plies()
        for label, limited in zip(("win", "loss"), LIMITED, strict=True):
            for plies, count in row[label].items():
                counts[limited if int(plies) > FIFTY_MOVES else label, int(plies)] = count
        counts["draw", None] = row["draw"]
        sides[side] = +counts
    return sides


def with_draws_together(sides: dict[str, Plies]) -> dict[str, Plies]:
    """Return counts in which ties and draws are one, without a distance, as they are published."""
    result = {}
    for side, counts in sides.items():
        result[side] = Plies()
        for (label, plies), count in counts.items():
            drawn = KINDS[label] == "draw"
            result[side]["draw" if drawn else label, None if drawn else plies] += count
    return result

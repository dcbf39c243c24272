"""Teeko, compiled: four pieces each on a 5 x 5 board, placed in turn and then moved.

Once all eight are placed, a move takes a piece one step in any of eight directions to a free point.
Four in a line or in a 2 x 2 square win; in the advanced game the corners of any upright square do too.

Known: the standard game (44 winning sets) is a draw; in the advanced game (58) the first player wins
in 13 turns, and only by starting in the centre. There are 75,710,250 placements of all eight pieces.
Source: G. Steele's summary of 1998; MathWorld.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import comb
from typing import Any

import numpy as np

from retrosolve.drawing.boards import LinedBoard
from retrosolve.drawing.picture import CELL
from retrosolve.errors import PositionError
from retrosolve.rules.contract import INVALID, LOSS, NOT_TERMINAL, CompiledGame
from retrosolve.rules.ranking import (
    binomials,
    deposit_outside,
    extract_outside,
    popcount,
    rank_subset,
    subsets,
)

SIZE = 5
POINTS = SIZE * SIZE
PIECES = 4
ALL = (1 << POINTS) - 1
NAMES = tuple(f"{file}{rank}" for rank in range(1, SIZE + 1) for file in "abcde")


class Teeko(CompiledGame):
    """A position is two sets of points: the mover's pieces in the low 25 bits, then the opponent's.

    Parameters
    ----------
    advanced : bool
        Whether larger squares win too.

    Notes
    -----
    A tier of the index has positions with the same number of pieces, eight first. In a tier the index
    is the rank of the mover's set, then that of the opponent's among the remaining points. If the
    player to move holds a winning set, the index is invalid: the game ended before.

    Examples
    --------
    >>> game = Teeko()
    >>> game.size, game.tiers[:3], len(winning_sets(False)), len(winning_sets(True))
    (96691476, (0, 75710250, 92534750), 44, 58)
    """

    max_moves = 8 * PIECES
    max_predecessors = 8 * PIECES

    def __init__(self, advanced: bool = False) -> None:
        self.advanced = advanced
        sizes = [
            comb(POINTS, t // 2) * comb(POINTS - t // 2, t - t // 2) for t in range(2 * PIECES + 1)
        ]
        first = np.cumsum([0, *reversed(sizes)])
        self.tiers = tuple(int(index) for index in first[:-1])
        self.size = int(first[-1])
        sets = [subsets(POINTS, k) for k in range(PIECES + 1)]
        begin = np.cumsum([0, *(len(part) for part in sets)])
        neighbours = np.array([_neighbours(s) for s in range(POINTS)], np.int64)
        wins = np.isin(sets[PIECES], winning_sets(advanced)).astype(np.int64)
        tiers = np.array(self.tiers, np.int64)
        self.data = (
            binomials(POINTS, PIECES), np.concatenate(sets), begin, neighbours, wins, tiers
        )  # fmt: skip

    def tier_targets(self, tier: int) -> Iterable[int]:
        """Return the tier before: a placement leads to one more piece."""
        return range(max(tier - 1, 0), tier)

    def start(self) -> int:
        """Return the empty board."""
        return 0

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        """Write the positions after placing a piece, or moving one once all are placed."""
        mine, theirs = position & ALL, position >> POINTS
        free = ALL & ~(mine | theirs)
        count = 0
        if popcount(mine | theirs) < 2 * PIECES:
            while free != 0:
                put = free & -free
                free ^= put
                out[count] = theirs | (mine | put) << POINTS
                count += 1
            return count
        return steps(mine, free, theirs, 0, POINTS, out, data)

    @staticmethod
    def predecessors(position: int, out: Any, data: Any) -> int:
        """Write the positions before a step of the opponent; placements lead to another tier."""
        mine, theirs = position & ALL, position >> POINTS
        if popcount(mine | theirs) < 2 * PIECES:
            return 0
        return steps(theirs, ALL & ~(mine | theirs), mine, POINTS, 0, out, data)

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        """Return LOSS if the opponent has a winning set, INVALID if the mover has one."""
        mine, theirs = position & ALL, position >> POINTS
        wins = data[4]
        if popcount(mine) == PIECES and wins[rank_subset(mine, data[0])] != 0:
            return INVALID
        if popcount(theirs) == PIECES and wins[rank_subset(theirs, data[0])] != 0:
            return LOSS
        return NOT_TERMINAL

    @staticmethod
    def rank(position: int, data: Any) -> int:
        """Return the index of a position."""
        choose, tiers = data[0], data[5]
        mine, theirs = position & ALL, position >> POINTS
        own, other = popcount(mine), popcount(theirs)
        within = rank_subset(mine, choose) * choose[POINTS - own, other]
        before: int = tiers[2 * PIECES - own - other] + within
        return before + rank_subset(extract_outside(theirs, mine), choose)

    @staticmethod
    def unrank(index: int, data: Any) -> int:
        """Return the position of an index."""
        choose, sets, begin, tiers = data[0], data[1], data[2], data[5]
        tier = 0
        while tier < 2 * PIECES and tiers[tier + 1] <= index:
            tier += 1
        pieces = 2 * PIECES - tier
        own = pieces // 2
        other = pieces - own
        within = index - tiers[tier]
        places = choose[POINTS - own, other]
        mine = sets[begin[own] + within // places]
        theirs = sets[begin[other] + within % places]
        position: int = mine | deposit_outside(theirs, mine) << POINTS
        return position

    def text(self, position: int) -> str:
        """Return the rows from the top, X for the player to move and O for the opponent."""
        mine, theirs = position & ALL, position >> POINTS
        marks = ["X" if mine >> s & 1 else "O" if theirs >> s & 1 else "." for s in range(POINTS)]
        return "/".join("".join(marks[SIZE * row : SIZE * (row + 1)]) for row in reversed(range(SIZE)))

    def parse(self, text: str) -> int:
        """Return the position of a text. Raises PositionError."""
        marks = "".join(reversed(text.split("/")))
        mine, theirs = (sum(1 << s for s, m in enumerate(marks) if m == mark) for mark in "XO")
        own, other = mine.bit_count(), theirs.bit_count()
        due = own <= other <= min(own + 1, PIECES)
        if len(marks) != POINTS or not set(marks) <= set("XO.") or not due:
            raise PositionError(f"{text!r} is no position: expected 5 rows of X, O and dots, X to move")
        return mine | theirs << POINTS

    def move_name(self, position: int, target: int) -> str:
        """Return the point of a placement, or the two points of a step."""
        before, after = position & ALL, target >> POINTS
        left, taken = before & ~after, _point(after & ~before)
        return f"{_point(left)}-{taken}" if left else taken

    def svg(self, position: int) -> str:
        """Return a drawing of the board."""
        mine, theirs = position & ALL, position >> POINTS
        pieces = {
            name: "mover" if mine >> s & 1 else "other"
            for s, name in enumerate(NAMES)
            if (mine | theirs) >> s & 1
        }
        title = f"Teeko: {self.text(position)}, X to move"
        return str(_board().picture(title, pieces, mover_relative=True))

    def move_points(self, position: int, target: int) -> tuple[str, ...]:
        """Return the point of a placement, or the two points of a step."""
        return tuple(self.move_name(position, target).split("-"))


def steps(
    moved: int, free: int, rest: int, rest_shift: int, moved_shift: int, out: Any, data: Any
) -> int:
    """Write the positions after one step of ``moved``; the shifts say where each set goes."""
    neighbours = data[3]
    count = 0
    left = moved
    while left != 0:
        piece = left & -left
        left ^= piece
        to = neighbours[popcount(piece - 1)] & free
        while to != 0:
            point = to & -to
            to ^= point
            out[count] = (moved ^ piece ^ point) << moved_shift | rest << rest_shift
            count += 1
    return count


def winning_sets(advanced: bool) -> list[int]:
    """Return all winning sets of four points."""
    shapes = [((0, 0), (0, 1), (0, 2), (0, 3)), ((0, 0), (1, 0), (2, 0), (3, 0))]
    shapes += [((0, 0), (1, 1), (2, 2), (3, 3)), ((0, 3), (1, 2), (2, 1), (3, 0))]
    shapes += [((0, 0), (0, k), (k, 0), (k, k)) for k in range(1, SIZE if advanced else 2)]
    ways = []
    for shape in shapes:
        height, width = (max(part) for part in zip(*shape, strict=True))
        for up in range(SIZE - height):
            for right in range(SIZE - width):
                ways.append(sum(1 << SIZE * (row + up) + column + right for row, column in shape))
    return ways


def _neighbours(s: int) -> int:
    row, column = divmod(s, SIZE)
    places = [(row + up, column + right) for up in (-1, 0, 1) for right in (-1, 0, 1) if up or right]
    return sum(1 << SIZE * r + c for r, c in places if 0 <= r < SIZE and 0 <= c < SIZE)


@cache
def _board() -> LinedBoard:
    """Return the empty board."""
    places = {
        name: (CELL * (0.7 + s % SIZE), CELL * (SIZE - 0.3 - s // SIZE)) for s, name in enumerate(NAMES)
    }
    pairs = ((s, t) for s in range(POINTS) for t in range(s) if _neighbours(s) >> t & 1)
    side = CELL * (SIZE + 0.4)
    return LinedBoard(side, side, places, ((NAMES[s], NAMES[t]) for s, t in pairs))


def _point(bit: int) -> str:
    return NAMES[bit.bit_length() - 1]

"""Teeko, compiled: four pieces each on a 5 x 5 board, put down in turn and then moved.

Once all eight are on the board, a move takes a piece one step, in any of eight directions, to a free
point. Four in a line or in a small square win; in the advanced game also the corners of any
upright square.

Known: the standard game (44 ways to win) is a draw; in the advanced game (58) the first player wins in
13 turns, and only by beginning in the centre. There are 75,710,250 placements of all eight pieces.
Source: G. Steele's summary of 1998; MathWorld.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from retrosolve.errors import PositionError
from retrosolve.rules.compiled import INVALID, LOSS, NOT_TERMINAL, CompiledGame

SIDE = 5
POINTS = SIDE * SIDE
EACH = 4
ALL = (1 << POINTS) - 1
FILES = "abcde"


class Teeko(CompiledGame):
    """A position is two sets of points: the mover's pieces in the low 25 bits, then the other's.

    The index goes by tiers of as many pieces, eight first; in a tier by the mover's set, then by the
    other's among the points that are left, both in colexicographic order. Who is to move and holds a
    winning set has won before: those indices are no positions.

    >>> game = Teeko()
    >>> game.size, game.tiers[:3], len(ways_to_win(False)), len(ways_to_win(True))
    (96691476, (0, 75710250, 92534750), 44, 58)
    """

    max_moves = 8 * EACH
    max_predecessors = 8 * EACH

    def __init__(self, advanced: bool = False) -> None:
        self.advanced = advanced
        sizes = [comb(POINTS, t // 2) * comb(POINTS - t // 2, t - t // 2) for t in range(2 * EACH + 1)]
        first = np.cumsum([0, *reversed(sizes)])
        self.tiers = tuple(int(index) for index in first[:-1])
        self.size = int(first[-1])
        subsets = [_subsets(k) for k in range(EACH + 1)]
        begin = np.cumsum([0, *(len(part) for part in subsets)])
        choose = np.array([[comb(n, k) for k in range(EACH + 1)] for n in range(POINTS + 1)], np.int64)
        near = np.array([_near(s) for s in range(POINTS)], np.int64)
        wins = np.isin(subsets[EACH], ways_to_win(advanced)).astype(np.int64)
        # One table of rows: by number of pieces, then the subsets, the neighbours, who wins.
        tiers = np.array(self.tiers, np.int64)
        self.data = (choose, np.concatenate(subsets), begin, near, wins, tiers)

    def start(self) -> int:
        """Give the empty board."""
        return 0

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        """Put a piece down, or take one a step further; then the other player is to move."""
        mine, theirs = position & ALL, position >> POINTS
        free = ALL & ~(mine | theirs)
        count = 0
        if ones(mine | theirs) < 2 * EACH:
            while free != 0:
                put = free & -free
                free ^= put
                out[count] = theirs | (mine | put) << POINTS
                count += 1
            return count
        return steps(mine, free, theirs, 0, POINTS, out, data)

    @staticmethod
    def predecessors(position: int, out: Any, data: Any) -> int:
        """Take a step of the other player back; pieces are not taken off the board again."""
        mine, theirs = position & ALL, position >> POINTS
        if ones(mine | theirs) < 2 * EACH:
            return 0
        return steps(theirs, ALL & ~(mine | theirs), mine, POINTS, 0, out, data)

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        """The player to move has lost if the other has a winning set."""
        mine, theirs = position & ALL, position >> POINTS
        wins = data[4]
        if ones(mine) == EACH and wins[ordinal(mine, ALL, data[0])] != 0:
            return INVALID
        if ones(theirs) == EACH and wins[ordinal(theirs, ALL, data[0])] != 0:
            return LOSS
        return NOT_TERMINAL

    @staticmethod
    def rank(position: int, data: Any) -> int:
        """Count what comes before, in the tier and before it."""
        choose, tiers = data[0], data[5]
        mine, theirs = position & ALL, position >> POINTS
        own, other = ones(mine), ones(theirs)
        within = ordinal(mine, ALL, choose) * choose[POINTS - own, other]
        before: int = tiers[2 * EACH - own - other] + within
        return before + ordinal(theirs, ALL & ~mine, choose)

    @staticmethod
    def unrank(index: int, data: Any) -> int:
        """Look both sets up, and spread the other's over the points that the mover's leaves."""
        choose, subsets, begin, tiers = data[0], data[1], data[2], data[5]
        tier = 0
        while tier < 2 * EACH and tiers[tier + 1] <= index:
            tier += 1
        pieces = 2 * EACH - tier
        own = pieces // 2
        other = pieces - own
        within = index - tiers[tier]
        places = choose[POINTS - own, other]
        mine = subsets[begin[own] + within // places]
        theirs = subsets[begin[other] + within % places]
        left = mine
        while left != 0:
            low = (left & -left) - 1
            theirs = (theirs & low) | (theirs & ~low) << 1
            left &= left - 1
        position: int = mine | theirs << POINTS
        return position

    def text(self, position: int) -> str:
        """Write the rows from the top, X for the player to move and O for the other."""
        mine, theirs = position & ALL, position >> POINTS
        marks = ["X" if mine >> s & 1 else "O" if theirs >> s & 1 else "." for s in range(POINTS)]
        return "/".join("".join(marks[SIDE * row : SIDE * (row + 1)]) for row in reversed(range(SIDE)))

    def parse(self, text: str) -> int:
        """Read what ``text`` writes. Raises PositionError."""
        marks = "".join(reversed(text.split("/")))
        mine, theirs = (sum(1 << s for s, m in enumerate(marks) if m == mark) for mark in "XO")
        own, other = mine.bit_count(), theirs.bit_count()
        if len(marks) != POINTS or not set(marks) <= set("XO.") or not own <= other <= own + 1 <= 5:
            raise PositionError(f"{text!r} is no position: expected 5 rows of X, O and dots, X to move")
        return mine | theirs << POINTS

    def move_name(self, position: int, target: int) -> str:
        """Name the point, or the two points."""
        before, after = position & ALL, target >> POINTS
        left, taken = before & ~after, after & ~before
        return "-".join(_point(s) for s in (left, taken) if s)


def ones(points: int) -> int:
    """Count the points of a set."""
    count = 0
    while points != 0:
        points &= points - 1
        count += 1
    return count


def ordinal(points: int, among: int, choose: Any) -> int:
    """Count the sets of as many points of ``among`` that come before this one."""
    before, taken = 0, 1
    while points != 0:
        lowest = points & -points
        before += choose[ones((lowest - 1) & among), taken]
        taken += 1
        points ^= lowest
    return before


def steps(moved: int, free: int, rest: int, rest_at: int, moved_at: int, out: Any, data: Any) -> int:
    """Write every position that one step of ``moved`` to a free point makes, each set where it goes."""
    near = data[3]
    count = 0
    left = moved
    while left != 0:
        piece = left & -left
        left ^= piece
        to = near[ones(piece - 1)] & free
        while to != 0:
            point = to & -to
            to ^= point
            out[count] = (moved ^ piece ^ point) << moved_at | rest << rest_at
            count += 1
    return count


def ways_to_win(advanced: bool) -> list[int]:
    """Give every winning set of four points."""
    shapes = [((0, 0), (0, 1), (0, 2), (0, 3)), ((0, 0), (1, 0), (2, 0), (3, 0))]
    shapes += [((0, 0), (1, 1), (2, 2), (3, 3)), ((0, 3), (1, 2), (2, 1), (3, 0))]
    shapes += [((0, 0), (0, k), (k, 0), (k, k)) for k in range(1, SIDE if advanced else 2)]
    ways = []
    for shape in shapes:
        height, width = (max(part) for part in zip(*shape, strict=True))
        for up in range(SIDE - height):
            for right in range(SIDE - width):
                ways.append(sum(1 << SIDE * (row + up) + column + right for row, column in shape))
    return ways


def _subsets(size: int) -> Any:
    """Give the sets of so many points, in colexicographic order: that of the numbers."""
    sets = np.arange(1 << POINTS, dtype=np.int64)
    return sets[np.bitwise_count(sets) == size]


def _near(s: int) -> int:
    row, column = divmod(s, SIDE)
    places = [(row + up, column + right) for up in (-1, 0, 1) for right in (-1, 0, 1) if up or right]
    return sum(1 << SIDE * r + c for r, c in places if 0 <= r < SIDE and 0 <= c < SIDE)


def _point(bit: int) -> str:
    row, column = divmod(bit.bit_length() - 1, SIDE)
    return f"{FILES[column]}{row + 1}"

"""Six men's morris, compiled: two squares, one inside the other, joined at the middles of their sides.

Six men each are placed in turn on the 16 points; then a move slides a man along a line to the next
point if it is free, even with three men left. Three in a row on a side of a square are a mill; the
joining lines have only two points. Closing a mill captures one of the opponent's men outside mills, or
any if all are in mills. Once all men are placed, a player to move with fewer than three men, or with
no move, has lost.

Known: 42,372,745 positions are reachable, and the game is a draw; with five men each 17,844,721, also
a draw. Source: brianhliou/solved-games, 2026.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import Any

import numpy as np

from retrosolve.drawing.boards import LinedBoard
from retrosolve.drawing.picture import CELL
from retrosolve.errors import PositionError, RulesError
from retrosolve.games.morris_names import marks_of_men, name_of_move
from retrosolve.rules.contract import LOSS, NOT_TERMINAL, CompiledGame
from retrosolve.rules.ranking import (
    binomials,
    deposit_outside,
    extract_outside,
    order_by_group,
    smallest_images,
    subset_images,
)

RING = 8
POINTS = 2 * RING
ALL = (1 << POINTS) - 1
HAND = 2 * POINTS  # above both sets: the number of men not placed yet
MAX_MEN = 6
MIN_MEN = 3  # to play on

# From the upper left corner clockwise, the outer square first.
NAMES = ("a5", "c5", "e5", "e3", "e1", "c1", "a1", "a3", "b4", "c4", "d4", "d3", "d2", "c2", "b2", "b3")
MILLS = [
    sum(1 << ring + (corner + k) % RING for k in range(3))
    for ring in (0, RING)
    for corner in (0, 2, 4, 6)
]

# Columns of the table of sets of points. The last two list sets by size and then by rank.
SIZE = 0
ORDINAL = 1  # rank among the sets of the same size
CLASS = 2  # rank among the canonical sets of the same size
TURNS = 3  # the symmetries that make its smallest image, a bit each
MILLED = 4  # its points in mills
SUBSET = 5
CANONICAL = 6

# Rows of the table of blocks. A block has the same number of men in hand, of the mover, and of the
# opponent.
BEGIN = 0  # first index, by key
SORTED = 1  # first indices, ascending
KEY = 2  # and their keys

# Rows of the table of small numbers: by point, or by the number of points of a set.
NEIGHBOURS = 0
FIRST_SUBSET = 1
FIRST_CANONICAL = 2
CHOOSE = 3  # + number of points: binomials


class SixMensMorris(CompiledGame):
    """A position is the mover's set of points, the opponent's, and the number of men in hand.

    Parameters
    ----------
    men : int
        Men of each player, 3 to 6.
    symmetry : bool
        Whether images of a position under the 16 symmetries are solved once.

    Raises
    ------
    RulesError
        For any other number of men.

    Notes
    -----
    A block of the index has the same numbers of men; blocks without men in hand come first, then few
    men first. In a block the index is the rank of the mover's set, then that of the opponent's among
    the remaining points. With symmetry, sets of the mover that are images of one another have one
    rank. Only reachable positions are solved.

    Examples
    --------
    >>> game = SixMensMorris()
    >>> game.size, SixMensMorris(symmetry=False).size, game.text(game.start())
    (4009181, 52766653, '......../........ 12')
    """

    reachable_only = True
    injective_rank = True
    max_moves = 128
    max_predecessors = 32

    def __init__(self, men: int = MAX_MEN, symmetry: bool = True) -> None:
        if type(men) is not int or not MIN_MEN <= men <= MAX_MEN:
            raise RulesError(f"men={men!r}: expected a whole number from {MIN_MEN} to {MAX_MEN}")
        self.men = men
        self.symmetry = symmetry
        images = _images(symmetry)
        sets, small = _tables(images)
        kinds = _kinds(men)
        canonical_sets = np.diff(small[FIRST_CANONICAL]).tolist()
        first = np.cumsum([0, *(canonical_sets[a] * comb(POINTS - a, b) for _, a, b in kinds)])
        self.size = int(first[-1])
        tiers: dict[tuple[int, ...], int] = {}
        for (left, a, b), begin in zip(kinds, first.tolist(), strict=False):
            tiers.setdefault((left,) if left else (left, min(a, b), max(a, b)), begin)
        self.tiers = tuple(tiers.values())
        blocks = np.zeros((3, (2 * MAX_MEN + 1) * (MAX_MEN + 1) ** 2), np.int64)
        keys = [block_key(*kind) for kind in kinds]
        blocks[BEGIN, keys] = first[:-1]
        blocks[SORTED] = self.size
        blocks[SORTED, : len(keys)] = first[:-1]
        blocks[KEY, : len(keys)] = keys
        self.data = (sets, images, blocks, small, len(keys))

    def start(self) -> int:
        """Return the empty board."""
        return 2 * self.men << HAND

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        """Write the positions after placing a man, or sliding one once all are placed."""
        sets, neighbours = data[0], data[3][NEIGHBOURS]
        mine, theirs = position & ALL, position >> POINTS & ALL
        left = position >> HAND
        free = ALL & ~(mine | theirs)
        count = 0
        if left > 0:
            while free != 0:
                to = free & -free
                free ^= to
                count = write_move(mine | to, to, theirs, left - 1, out, count, sets)
            return count
        men = mine
        while men != 0:
            man = men & -men
            men ^= man
            ways = neighbours[sets[man, ORDINAL]] & free
            while ways != 0:
                to = ways & -ways
                ways ^= to
                count = write_move(mine ^ man ^ to, to, theirs, 0, out, count, sets)
        return count

    @staticmethod
    def predecessors(position: int, out: Any, data: Any) -> int:
        """Write the positions before a slide that closed no mill; only such moves stay in a tier."""
        sets, neighbours = data[0], data[3][NEIGHBOURS]
        mine, theirs = position & ALL, position >> POINTS & ALL
        if position >> HAND > 0:
            return 0
        free = ALL & ~(mine | theirs)
        men = theirs & ~sets[theirs, MILLED] if mine != 0 else theirs
        count = 0
        while men != 0:
            man = men & -men
            men ^= man
            ways = neighbours[sets[man, ORDINAL]] & free
            while ways != 0:
                to = ways & -ways
                ways ^= to
                out[count] = theirs ^ man ^ to | mine << POINTS
                count += 1
        return count

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        """Return LOSS for fewer than three men once all are placed."""
        if position >> HAND == 0 and data[0][position & ALL, SIZE] < MIN_MEN:
            return LOSS
        return NOT_TERMINAL

    @staticmethod
    def canonical(position: int, data: Any) -> int:
        """Return the image with the smallest set of the mover, then of the opponent."""
        sets, images = data[0], data[1]
        mine, theirs = position & ALL, position >> POINTS & ALL
        turns = sets[mine, TURNS]
        smallest = ALL
        own = mine
        way = 0
        while turns != 0:
            if turns & 1 != 0:
                own = image(mine, way, images)
                smallest = min(smallest, image(theirs, way, images))
            turns >>= 1
            way += 1
        return int(position >> HAND << HAND | smallest << POINTS | own)

    @staticmethod
    def rank(position: int, data: Any) -> int:
        """Return the index of a position: block, the mover's set, the opponent's set."""
        sets, blocks, small = data[0], data[2], data[3]
        mine, theirs = position & ALL, position >> POINTS & ALL
        own, other = sets[mine, SIZE], sets[theirs, SIZE]
        among = extract_outside(theirs, mine)
        before = blocks[BEGIN, block_key(position >> HAND, own, other)]
        within = sets[mine, CLASS] * small[CHOOSE + POINTS - own, other]
        return int(before + within + sets[among, ORDINAL])

    @staticmethod
    def unrank(index: int, data: Any) -> int:
        """Return the position of an index."""
        sets, blocks, small = data[0], data[2], data[3]
        block, above = 0, data[4]
        while above - block > 1:
            middle = (block + above) >> 1
            if blocks[SORTED, middle] <= index:
                block = middle
            else:
                above = middle
        key = blocks[KEY, block]
        within = index - blocks[SORTED, block]
        own, other = key // (MAX_MEN + 1) % (MAX_MEN + 1), key % (MAX_MEN + 1)
        places = small[CHOOSE + POINTS - own, other]
        number = within // places
        mine = sets[small[FIRST_CANONICAL, own] + number, CANONICAL]
        theirs = sets[small[FIRST_SUBSET, other] + within - number * places, SUBSET]
        theirs = deposit_outside(theirs, mine)
        return int(key // (MAX_MEN + 1) ** 2 << HAND | theirs << POINTS | mine)

    def text(self, position: int) -> str:
        """Return the outer square, the inner square and the number of men in hand.

        A square goes clockwise from its upper left corner, X for a man of the player to move and O for
        one of the opponent's.
        """
        mine, theirs = position & ALL, position >> POINTS & ALL
        marks = "".join(
            "X" if mine >> s & 1 else "O" if theirs >> s & 1 else "." for s in range(POINTS)
        )
        return f"{marks[:RING]}/{marks[RING:]} {position >> HAND}"

    def parse(self, text: str) -> int:
        """Return the position of a text. Raises PositionError."""
        squares, _, hand = text.partition(" ")
        marks = squares.replace("/", "", 1)
        in_hand = int(hand) if hand.isdecimal() and hand.isascii() else 2 * self.men + 1
        mine, theirs = (sum(1 << s for s, m in enumerate(marks) if m == mark) for mark in "XO")
        own, other = mine.bit_count() + (in_hand + 1) // 2, theirs.bit_count() + in_hand // 2
        if squares[RING : RING + 1] != "/" or len(marks) != POINTS or not set(marks) <= set("XO."):
            raise PositionError(f"{text!r} is no position: expected 8 points, /, 8 points, men in hand")
        if in_hand > 2 * self.men or max(own, other) > self.men:
            raise PositionError(f"{text!r} is no position: expected at most {self.men} men each")
        return in_hand << HAND | theirs << POINTS | mine

    def move_name(self, position: int, target: int) -> str:
        """Return the point or the two points of a move, and the point of a captured man."""
        return name_of_move(position, target, NAMES)

    def svg(self, position: int) -> str:
        """Return a drawing of the two squares."""
        marks = marks_of_men(position, NAMES)
        title = f"Six men's morris: {self.text(position)} men in hand, X to move"
        return str(_board().picture(title, marks, mover_relative=True))

    def move_points(self, position: int, target: int) -> tuple[str, ...]:
        """Return the point or the two points of a move, and the point of a captured man."""
        return tuple(self.move_name(position, target).replace("x", "-").split("-"))


def write_move(mine: int, to: int, theirs: int, left: int, out: Any, count: int, sets: Any) -> int:
    """Write the position after a move to a point; after a mill, one for each man to capture."""
    after = left << HAND | mine << POINTS
    if sets[mine, MILLED] & to == 0 or theirs == 0:
        out[count] = after | theirs
        return count + 1
    men = theirs & ~sets[theirs, MILLED]
    if men == 0:
        men = theirs
    while men != 0:
        man = men & -men
        men ^= man
        out[count] = after | theirs ^ man
        count += 1
    return count


def image(points: int, way: int, images: Any) -> int:
    """Return the image of a set under a symmetry."""
    outer, inner = points & (1 << RING) - 1, points >> RING
    turned: int = images[2 * way, outer] | images[2 * way + 1, inner]
    return turned


def block_key(left: int, own: int, other: int) -> int:
    """Return the key of a block: men in hand, the mover's on the board, the opponent's."""
    return (left * (MAX_MEN + 1) + own) * (MAX_MEN + 1) + other


def _kinds(men: int) -> list[tuple[int, int, int]]:
    """Return the blocks in the order of the index: no move leads to a later tier."""
    down = [(0, a, b) for a in range(men + 1) for b in range(men + 1)]
    down.sort(key=lambda kind: (kind[1] + kind[2], max(kind), kind[1]))
    return down + [
        (left, a, b)
        for left in range(1, 2 * men + 1)
        for a in range(men - (left + 1) // 2 + 1)
        for b in range(men - left // 2 + 1)
    ]


def _images(symmetry: bool) -> Any:
    """Return for each symmetry the images of the sets of outer points and of inner points, in turn."""
    outer = [
        [(sign * s + turned) % RING + swap for s in range(RING)]
        for swap in (0, RING)
        for turned in range(0, RING, 2)
        for sign in (1, -1)
    ]
    ways = np.array(outer if symmetry else outer[:1])
    return np.stack([subset_images(ways), subset_images(ways ^ RING)], axis=1).reshape(-1, 1 << RING)


def _tables(images: Any) -> tuple[Any, Any]:
    """Return the table of sets and the table of small numbers."""
    every = np.arange(1 << POINTS, dtype=np.int64)
    outer, inner = every & (1 << RING) - 1, every >> RING
    smallest, symmetries = smallest_images(images[0::2, outer] | images[1::2, inner])
    table = np.zeros((1 << POINTS, 7), np.int64)
    table[:, SIZE] = np.bitwise_count(every)
    table[:, TURNS] = symmetries
    for mill in MILLS:
        table[:, MILLED] |= np.where(every & mill == mill, mill, 0)
    small = np.zeros((CHOOSE + POINTS + 1, POINTS + 2), np.int64)
    small[NEIGHBOURS, :POINTS] = [_neighbours(s) for s in range(POINTS)]
    for row, number, listed, kept in (
        (FIRST_SUBSET, ORDINAL, SUBSET, every),
        (FIRST_CANONICAL, CLASS, CANONICAL, every[smallest == every]),
    ):
        items, numbers, first = order_by_group(table[kept, SIZE], POINTS + 1)
        small[row] = first
        table[: len(kept), listed] = kept[items]
        table[kept, number] = numbers - first[table[kept, SIZE]]
    small[CHOOSE:, : POINTS + 1] = binomials(POINTS, POINTS)
    return table, small


def _neighbours(s: int) -> int:
    ring, place = s & RING, s % RING
    beside = 1 << ring + (place + 1) % RING | 1 << ring + (place - 1) % RING
    return beside | 1 << (s ^ RING) if place % 2 else beside


@cache
def _board() -> LinedBoard:
    """Return the empty board."""
    lines = [(NAMES[ring + s], NAMES[ring + (s + 1) % RING]) for ring in (0, RING) for s in range(RING)]
    lines += [(NAMES[s], NAMES[s + RING]) for s in range(1, RING, 2)]
    places = {name: (CELL * (ord(name[0]) - 96.3), CELL * (5.7 - int(name[1]))) for name in NAMES}
    return LinedBoard(5.4 * CELL, 5.4 * CELL, places, lines)

"""Six men's morris, compiled: two squares, one in the other, joined at the middles of their sides.

Six men each are put down in turn on the 16 points; then a man slides along a line to the next point, if
it is free, with three men too. Three in a row on a side of a square is a mill; the joins have only two
points. Who closes a mill takes one of the other's men: one that stands in no mill, or any where all
do. Once all men are down, a player to move who has two men or fewer, or no move, has lost.

Known: 42,372,745 positions can be reached, and the game is a draw; with five men each 17,844,721, also
a draw. Source: brianhliou/solved-games, 2026.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from retrosolve.errors import PositionError, RulesError
from retrosolve.rules.compiled import LOSS, NOT_TERMINAL, CompiledGame

RING = 8
POINTS = 2 * RING
ALL = (1 << POINTS) - 1
HAND = 2 * POINTS  # above both sets: how many men are yet to be put down
MOST = 6
FEWEST = 3  # men that can play on

# From the upper left corner clockwise, the outer square first.
NAMES = ("a5", "c5", "e5", "e3", "e1", "c1", "a1", "a3", "b4", "c4", "d4", "d3", "d2", "c2", "b2", "b3")
MILLS = [
    sum(1 << ring + (corner + k) % RING for k in range(3))
    for ring in (0, RING)
    for corner in (0, 2, 4, 6)
]

# Columns of the table of sets of points. The last two are lists of sets, by size and then by number.
SIZE = 0
ORDINAL = 1  # number among the sets of as many points
CLASS = 2  # number among the sets of as many points that stand for their images
TURNS = 3  # the symmetries that make the smallest image of it, a bit each
MILLED = 4  # its points in mills
SUBSET = 5
FOLDED = 6

# Rows of the table of blocks, which are as many men to be put down, of the mover and of the other.
BEGIN = 0  # first index, by key
SORTED = 1  # first indices, ascending
KEY = 2  # and their keys

# Rows of the table of small numbers: by point, or by the number of points of a set.
LOCAL_DISTANCE = 0
FIRST_SUBSET = 1
FIRST_FOLDED = 2
CHOOSE = 3  # + among how many points


class SixMensMorris(CompiledGame):
    """A position is the mover's set of points, the other's, and how many men are yet to be put down.

    The index goes by blocks of equal numbers of men, all men down first and few men first; in a block
    by the mover's set, then by the other's among the points that are left. With symmetry, sets of the
    mover that are images of one another have one number. Only what can be reached is solved.

    >>> game = SixMensMorris()
    >>> game.size, SixMensMorris(symmetry=False).size, game.text(game.start())
    (4009181, 52766653, '......../........ 12')
    """

    reachable_only = True
    injective_rank = True
    max_moves = 128
    max_predecessors = 32

    def __init__(self, men: int = MOST, symmetry: bool = True) -> None:
        if type(men) is not int or not FEWEST <= men <= MOST:
            raise RulesError(f"men={men!r}: expected a whole number from {FEWEST} to {MOST}")
        self.men = men
        self.symmetry = symmetry
        images = _images(symmetry)
        sets, small = _tables(images)
        kinds = _kinds(men)
        folded = np.diff(small[FIRST_FOLDED]).tolist()
        first = np.cumsum([0, *(folded[a] * comb(POINTS - a, b) for _, a, b in kinds)])
        self.size = int(first[-1])
        tiers: dict[tuple[int, ...], int] = {}
        for (left, a, b), begin in zip(kinds, first.tolist(), strict=False):
            tiers.setdefault((left,) if left else (left, min(a, b), max(a, b)), begin)
        self.tiers = tuple(tiers.values())
        blocks = np.zeros((3, (2 * MOST + 1) * (MOST + 1) ** 2), np.int64)
        keys = [block_key(*kind) for kind in kinds]
        blocks[BEGIN, keys] = first[:-1]
        blocks[SORTED] = self.size
        blocks[SORTED, : len(keys)] = first[:-1]
        blocks[KEY, : len(keys)] = keys
        self.data = (sets, images, blocks, small, len(keys))

    def start(self) -> int:
        """Give the empty board."""
        return 2 * self.men << HAND

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        """Put a man down, or slide one; then the other player is to move."""
        sets, near = data[0], data[3][LOCAL_DISTANCE]
        mine, theirs = position & ALL, position >> POINTS & ALL
        left = position >> HAND
        free = ALL & ~(mine | theirs)
        count = 0
        if left > 0:
            while free != 0:
                to = free & -free
                free ^= to
                count = closed(mine | to, to, theirs, left - 1, out, count, sets)
            return count
        men = mine
        while men != 0:
            man = men & -men
            men ^= man
            ways = near[sets[man, ORDINAL]] & free
            while ways != 0:
                to = ways & -ways
                ways ^= to
                count = closed(mine ^ man ^ to, to, theirs, 0, out, count, sets)
        return count

    @staticmethod
    def predecessors(position: int, out: Any, data: Any) -> int:
        """Slide a man of the other player back that closes no mill: nothing else stays in a tier."""
        sets, near = data[0], data[3][LOCAL_DISTANCE]
        mine, theirs = position & ALL, position >> POINTS & ALL
        if position >> HAND > 0:
            return 0
        free = ALL & ~(mine | theirs)
        men = theirs & ~sets[theirs, MILLED] if mine != 0 else theirs
        count = 0
        while men != 0:
            man = men & -men
            men ^= man
            ways = near[sets[man, ORDINAL]] & free
            while ways != 0:
                to = ways & -ways
                ways ^= to
                out[count] = theirs ^ man ^ to | mine << POINTS
                count += 1
        return count

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        """The player to move has lost with two men, once all are down."""
        if position >> HAND == 0 and data[0][position & ALL, SIZE] < FEWEST:
            return LOSS
        return NOT_TERMINAL

    @staticmethod
    def canonical(position: int, data: Any) -> int:
        """Give the image with the smallest set of the mover, and then of the other."""
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
        """Count what comes before: blocks, sets of the mover, sets of the other."""
        sets, blocks, small = data[0], data[2], data[3]
        mine, theirs = position & ALL, position >> POINTS & ALL
        own, other = sets[mine, SIZE], sets[theirs, SIZE]
        left = mine
        shift = 0
        among = theirs
        while left != 0:
            low = ((left & -left) >> shift) - 1
            among = (among & low) | (among >> 1 & ~low)
            left &= left - 1
            shift += 1
        before = blocks[BEGIN, block_key(position >> HAND, own, other)]
        within = sets[mine, CLASS] * small[CHOOSE + POINTS - own, other]
        return int(before + within + sets[among, ORDINAL])

    @staticmethod
    def unrank(index: int, data: Any) -> int:
        """Find the block, look both sets up, and spread the other's over the points that are left."""
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
        own, other = key // (MOST + 1) % (MOST + 1), key % (MOST + 1)
        places = small[CHOOSE + POINTS - own, other]
        number = within // places
        mine = sets[small[FIRST_FOLDED, own] + number, FOLDED]
        theirs = sets[small[FIRST_SUBSET, other] + within - number * places, SUBSET]
        left = mine
        while left != 0:
            low = (left & -left) - 1
            theirs = (theirs & low) | (theirs & ~low) << 1
            left &= left - 1
        return int(key // (MOST + 1) ** 2 << HAND | theirs << POINTS | mine)

    def text(self, position: int) -> str:
        """Write the outer square and the inner one, and how many men are yet to be put down.

        Each square is written from its upper left corner clockwise, X for a man of the player to move
        and O for one of the other's.
        """
        mine, theirs = position & ALL, position >> POINTS & ALL
        marks = "".join(
            "X" if mine >> s & 1 else "O" if theirs >> s & 1 else "." for s in range(POINTS)
        )
        return f"{marks[:RING]}/{marks[RING:]} {position >> HAND}"

    def parse(self, text: str) -> int:
        """Read what ``text`` writes. Raises PositionError."""
        squares, _, hand = text.partition(" ")
        marks = squares.replace("/", "", 1)
        left = int(hand) if hand.isdecimal() and hand.isascii() else 2 * self.men + 1
        mine, theirs = (sum(1 << s for s, m in enumerate(marks) if m == mark) for mark in "XO")
        own, other = mine.bit_count() + (left + 1) // 2, theirs.bit_count() + left // 2
        if squares[RING : RING + 1] != "/" or len(marks) != POINTS or not set(marks) <= set("XO."):
            raise PositionError(f"{text!r} is no position: expected 8 points, /, 8 points, men in hand")
        if left > 2 * self.men or max(own, other) > self.men:
            raise PositionError(f"{text!r} is no position: expected at most {self.men} men each")
        return left << HAND | theirs << POINTS | mine

    def move_name(self, position: int, target: int) -> str:
        """Name the point, or the two points, and the point of the man that is taken."""
        before, after = position & ALL, target >> POINTS & ALL
        name = "-".join(_point(s) for s in (before & ~after, after & ~before) if s)
        taken = position >> POINTS & ~target & ALL
        return f"{name}x{_point(taken)}" if taken else name


def closed(mine: int, to: int, theirs: int, left: int, out: Any, count: int, sets: Any) -> int:
    """Write what the move to a point makes: if it closes a mill, one position for each man to take."""
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
    """Give the image of a set under one of the symmetries."""
    outer, inner = points & (1 << RING) - 1, points >> RING
    turned: int = images[2 * way, outer] | images[2 * way + 1, inner]
    return turned


def block_key(left: int, own: int, other: int) -> int:
    """Give a block's key: men to be put down, the mover's on the board, the other's."""
    return (left * (MOST + 1) + own) * (MOST + 1) + other


def _kinds(men: int) -> list[tuple[int, int, int]]:
    """Give the blocks in the order of the index: no move leads to a later one but by swapping sides."""
    down = [(0, a, b) for a in range(men + 1) for b in range(men + 1)]
    down.sort(key=lambda kind: (kind[1] + kind[2], max(kind), kind[1]))
    return down + [
        (left, a, b)
        for left in range(1, 2 * men + 1)
        for a in range(men - (left + 1) // 2 + 1)
        for b in range(men - left // 2 + 1)
    ]


def _images(symmetry: bool) -> Any:
    """Give, for each symmetry, the images of the sets of outer points and of inner points."""
    ways = []
    for swap in (0, RING):
        for turned in range(0, RING, 2):
            for sign in (1, -1):
                ways.append([(sign * s + turned) % RING + swap for s in range(RING)])
    table = np.zeros((2 * len(ways), 1 << RING), np.int64)
    points = np.arange(1 << RING)
    for way, goes in enumerate(ways):
        for s, to in enumerate(goes):
            table[2 * way] |= (points >> s & 1) << to
            table[2 * way + 1] |= (points >> s & 1) << (to ^ RING)
    return table if symmetry else table[:2]


def _tables(images: Any) -> tuple[Any, Any]:
    """Give the table of sets and that of small numbers."""
    every = np.arange(1 << POINTS, dtype=np.int64)
    outer, inner = every & (1 << RING) - 1, every >> RING
    turned = np.array([images[w, outer] | images[w + 1, inner] for w in range(0, len(images), 2)])
    table = np.zeros((1 << POINTS, 7), np.int64)
    table[:, SIZE] = np.bitwise_count(every)
    for way, given in enumerate(turned):
        table[:, TURNS] |= (given == turned.min(axis=0)).astype(np.int64) << way
    for mill in MILLS:
        table[:, MILLED] |= np.where(every & mill == mill, mill, 0)
    small = np.zeros((CHOOSE + POINTS + 1, POINTS + 2), np.int64)
    small[LOCAL_DISTANCE, :POINTS] = [_near(s) for s in range(POINTS)]
    for row, number, listed, kept in (
        (FIRST_SUBSET, ORDINAL, SUBSET, every),
        (FIRST_FOLDED, CLASS, FOLDED, every[turned.min(axis=0) == every]),
    ):
        sizes = table[kept, SIZE]
        order = kept[np.argsort(sizes, kind="stable")]
        table[: len(order), listed] = order
        small[row, 1:] = np.cumsum(np.bincount(sizes, minlength=POINTS + 1))
        table[order, number] = np.arange(len(order)) - small[row, table[order, SIZE]]
    for among in range(POINTS + 1):
        small[CHOOSE + among, : among + 1] = [comb(among, k) for k in range(among + 1)]
    return table, small


def _near(s: int) -> int:
    ring, place = s & RING, s % RING
    beside = 1 << ring + (place + 1) % RING | 1 << ring + (place - 1) % RING
    return beside | 1 << (s ^ RING) if place % 2 else beside


def _point(bit: int) -> str:
    return NAMES[bit.bit_length() - 1]

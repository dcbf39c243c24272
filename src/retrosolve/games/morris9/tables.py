"""Tables of nine men's morris: images of sets, their orbits, ranks, and the blocks of the index.

A set of points is a number of 24 bits, a byte for each square from the outer one inwards, clockwise
from its upper left corner. The 16 symmetries are the 8 of the board, and these with the outer and the
inner square exchanged: a symmetry moves the points of a byte and may exchange two bytes, so that what
is needed of a set is found byte by byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import comb
from typing import NamedTuple, Protocol

import numpy as np

from retrosolve.arrays import IntArray, read_only
from retrosolve.rules.ranking import binomials, subset_images, subsets

RING = 8
BYTE = (1 << RING) - 1
POINTS = 3 * RING
ALL = (1 << POINTS) - 1
MIN_MEN = 3  # to play on, and those that fly
WAYS = 16  # symmetries; bit 3 of one exchanges the outer and the inner square

# Parts of the table of bytes, and of the table of numbers.
IMAGE = 0  # + 256 * (symmetry % 8) + byte
SIDES = 8 << RING  # + byte: its points on complete sides
COMPLETING = 9 << RING  # + byte: the points that complete a side
EXTRACT = 10 << RING  # + 256 * holes + byte: its points without the holes, closed up
DEPOSIT = EXTRACT + (1 << 2 * RING)  # the inverse
LOW_BITS = 12
LOW = 0  # + the 12 lowest bits: their rank
HIGH = 1 << LOW_BITS  # + 4096 * number of low bits + high bits: what these add to it
NEIGHBOURS = 14 << LOW_BITS  # + point
LINES = NEIGHBOURS + POINTS  # + 3 * point: the other two points of each of its mills, 0 if it has fewer
SPOKES = LINES + 3 * POINTS  # the points of a square that are joined to the next one
FIRST_SETS = SPOKES + 1  # + size: how many sets are smaller

# Rows of the table of blocks, the first two by key and the others by place.
BASE, STRIDE, BEGIN, KIND, FIRST_CLASS, PLACES, FIRST_SUBSET = range(7)
KEYS = 32  # of numbers of men


class Tables(NamedTuple):
    """What the rules are given, and where the tiers of the index begin.

    Parameters
    ----------
    classes : int32
        16 times the number of the orbit of a set, and a symmetry that makes its smallest image, by size
        and then by rank: far fewer entries than there are sets, so that random reads stay in the cache.
    orbits : int64 [orbits]
        The smallest image, and above it a bit for each symmetry that leaves it as it is.
    lists : int32
        The sets of each size that leave room for as many again, in the order of their ranks.
    bytes, numbers : int16, int32
        See the constants.
    blocks : int64 [7, at least KEYS^3]
        See the constants.
    """

    classes: IntArray
    orbits: IntArray
    lists: IntArray
    bytes: IntArray
    numbers: IntArray
    blocks: IntArray


class Placements(Protocol):
    """Positions with the same numbers of men, and perhaps those with the players exchanged."""

    @property
    def own(self) -> int:
        """Men of the mover on the board."""

    @property
    def other(self) -> int:
        """Men of the opponent on the board."""

    @property
    def keys(self) -> tuple[int, ...]:
        """The keys of the positions, and of those with the players exchanged."""


class Block(NamedTuple):
    """Positions with the same number of men: in hand, of the mover, of the opponent.

    With two sides it also has the positions with the last two exchanged.
    """

    left: int
    own: int
    other: int
    sides: int = 1

    @property
    def keys(self) -> tuple[int, ...]:
        """The key of each side."""
        pairs = (self.own, self.other), (self.other, self.own)
        return tuple(block_key(self.left, *pair) for pair in pairs[: self.sides])


def block_key(left: int, own: int, other: int) -> int:
    """Return the key of positions with these numbers of men."""
    return (left * KEYS + own) * KEYS + other


def index_blocks(men: int, placing: bool) -> list[list[Block]]:
    """Return the blocks of each tier in the order of the index: no move leads to a later one."""
    ended = [Block(0, MIN_MEN - 1, b) for b in range(MIN_MEN, men + 1)]
    pairs = [(a, b) for a in range(MIN_MEN, men + 1) for b in range(MIN_MEN, a + 1)]
    pairs.sort(key=lambda pair: (sum(pair), pair))
    tiers = [ended, *([Block(0, a, b, 1 + (a != b))] for a, b in pairs)]
    for left in range(1, 2 * men * placing + 1):
        most, fewer = men - (left + 1) // 2, men - left // 2
        tiers += [[Block(left, a, b)] for a in range(most + 1) for b in range(fewer + 1)]
    return tiers


def make_tables(
    men: int, diagonals: bool, tiers: Sequence[Sequence[Placements]]
) -> tuple[Tables, int, tuple[int, ...]]:
    """Return the tables, the size of the index and the first index of each tier."""
    classes, orbits, first_classes, lists, first_subsets, small = _sets(men)
    blocks, begins = _blocks([b for tier in tiers for b in tier], first_classes, first_subsets)
    tables = Tables(classes, orbits, lists, small, _numbers(diagonals), blocks)
    starts = np.cumsum([0, *(len(tier) for tier in tiers)])[:-1]
    return (
        Tables(*map(read_only, tables)), begins[-1], tuple(begins[at] for at in starts.tolist()),
    )  # fmt: skip


@cache
def _sets(men: int) -> tuple[IntArray, IntArray, list[int], IntArray, IntArray, IntArray]:
    """Return the classes, orbits and lists of sets, the first ones of each size, and bytes."""
    images = subset_images(_ways())
    classes, orbits, first_classes = _orbits(images, men)
    counts = [comb(POINTS - size, size) for size in range(men + 1)]
    lists = np.concatenate([subsets(POINTS - size, size) for size in range(men + 1)]).astype(np.int32)
    first_subsets = np.concatenate([[0], np.cumsum(counts)])
    return classes, orbits, first_classes, lists, first_subsets, _bytes(images)


def _ways() -> IntArray:
    """Return the image of each point of a square under the 8 symmetries of the board."""
    ways = [
        [(sign * s + turn) % RING for s in range(RING)]
        for turn in range(0, RING, 2)
        for sign in (1, -1)
    ]
    return np.array(ways)


def _moved(sets: IntArray, way: int, images: IntArray) -> IntArray:
    """Return the images of sets of points under a symmetry."""
    table = images[way & 7]
    rings = [table[sets >> RING * r & BYTE] for r in range(3)]
    if way & 8:
        rings.reverse()
    moved: IntArray = rings[0] | rings[1] << RING | rings[2] << 2 * RING
    return moved


def _orbits(images: IntArray, men: int) -> tuple[IntArray, IntArray, list[int]]:
    """Return the classes of sets of up to ``men`` points, the orbits, and the first of each size."""
    classes, first, orbits = [], [0], []
    for size in range(men + 1):
        sets = subsets(POINTS, size)
        smallest, best = sets.copy(), np.zeros(len(sets), np.int64)
        for way in range(1, WAYS):
            image = _moved(sets, way, images)
            less = image < smallest
            smallest[less], best[less] = image[less], way
        representatives, numbers = np.unique(smallest, return_inverse=True)
        classes.append(((numbers + first[-1]) << 4 | best).astype(np.int32))
        stable = np.zeros(len(representatives), np.int64)
        for way in range(WAYS):
            stable |= (_moved(representatives, way, images) == representatives).astype(np.int64) << way
        orbits.append(representatives | stable << POINTS)
        first.append(first[-1] + len(representatives))
    return np.concatenate(classes), np.concatenate(orbits), first


def _bytes(images: IntArray) -> IntArray:
    """Return the table of bytes."""
    every = np.arange(1 << RING)
    sides, near = np.zeros_like(every), np.zeros_like(every)
    for corner in range(0, RING, 2):
        points = [1 << (corner + k) % RING for k in range(3)]
        side = sum(points)
        sides |= np.where(every & side == side, side, 0)
        for point in points:
            near |= np.where(every & side == side ^ point, point, 0)
    holes, bits = every[:, None], every[None, :]
    extracted, deposited = (np.zeros((1 << RING, 1 << RING), np.int64) for _ in range(2))
    place = np.zeros_like(holes)
    for s in range(RING):
        free = 1 - (holes >> s & 1)
        extracted |= (bits >> s & free) << place
        deposited |= (bits >> place & free) << s
        place = place + free
    parts = (images.ravel(), sides, near, extracted.ravel(), deposited.ravel())
    return np.concatenate(parts).astype(np.int16)


def _numbers(diagonals: bool) -> IntArray:
    """Return the table of numbers."""
    choose = binomials(POINTS, POINTS)
    low = np.zeros(1 << LOW_BITS, np.int64)
    high = np.zeros((LOW_BITS + 1, 1 << LOW_BITS), np.int64)
    size = np.bitwise_count(np.arange(1 << LOW_BITS)).astype(np.int64)
    for s in range(LOW_BITS):
        half = 1 << s
        low[half : 2 * half] = low[:half] + choose[s, size[:half] + 1]
        for k in range(LOW_BITS + 1):
            added = choose[s + LOW_BITS, np.minimum(size[:half] + 1 + k, POINTS)]
            high[k, half : 2 * half] = high[k, :half] + added
    lines = mill_lines(diagonals)
    through = [[line ^ 1 << s for line in lines if line >> s & 1] for s in range(POINTS)]
    others = np.array([(*masks, 0, 0)[:3] for masks in through])
    spokes = BYTE if diagonals else sum(1 << s for s in range(1, RING, 2))
    near = [neighbours(s, diagonals) for s in range(POINTS)]
    fewer = np.concatenate([[0], np.cumsum(choose[POINTS])])
    parts = (low, high.ravel(), near, others.ravel(), [spokes], fewer)
    return np.concatenate(parts).astype(np.int32)


def mill_lines(diagonals: bool) -> list[int]:
    """Return the sets of three points that are mills."""
    sides = [
        sum(1 << ring + (corner + k) % RING for k in range(3))
        for ring in range(0, POINTS, RING)
        for corner in range(0, RING, 2)
    ]
    spokes = range(RING) if diagonals else range(1, RING, 2)
    return sides + [sum(1 << s + ring for ring in range(0, POINTS, RING)) for s in spokes]


def neighbours(s: int, diagonals: bool) -> int:
    """Return the points that a line joins to a point."""
    ring, place = s // RING, s % RING
    beside = sum(1 << ring * RING + (place + step) % RING for step in (1, -1))
    joined = [r for r in (ring - 1, ring + 1) if 0 <= r < 3 and (diagonals or place % 2)]
    return beside | sum(1 << r * RING + place for r in joined)


def _blocks(
    blocks: list[Placements], first_classes: list[int], first_subsets: IntArray
) -> tuple[IntArray, list[int]]:
    """Return the table of blocks, and the first index of each and the size of the index."""
    table = np.zeros((7, max(KEYS**3, len(blocks) + 1)), np.int64)
    begin, begins = 0, []
    for at, block in enumerate(blocks):
        large, small = max(block.own, block.other), min(block.own, block.other)
        places = comb(POINTS - large, small)
        first = first_classes[large]
        stride = len(block.keys) * places
        for side, key in enumerate(block.keys):
            table[BASE, key] = begin + side * places - first * stride
            table[STRIDE, key] = stride
        table[BEGIN, at] = begin
        table[KIND, at] = block.keys[0] * 2 + len(block.keys) - 1
        table[FIRST_CLASS, at] = first
        table[PLACES, at] = places
        table[FIRST_SUBSET, at] = first_subsets[small]
        begins.append(begin)
        begin += (first_classes[large + 1] - first) * stride
    table[BEGIN, len(blocks) :] = begin
    assert all(a < b for a, b in pairwise([*begins, begin]))
    return table, [*begins, begin]

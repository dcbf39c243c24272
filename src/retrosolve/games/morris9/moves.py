"""The moves of nine men's morris, compiled: positions as three numbers in one, and their indices.

A position is the mover's set of points, the opponent's above it, and above both the number of men in
hand. The index ranks the larger side by its orbit under the symmetries, and the smaller side among the
points that the larger one leaves.
"""

from __future__ import annotations

from typing import Any

from retrosolve.games.morris9.tables import (
    ALL,
    BASE,
    BEGIN,
    BYTE,
    COMPLETING,
    DEPOSIT,
    EXTRACT,
    FIRST_CLASS,
    FIRST_SETS,
    FIRST_SUBSET,
    HIGH,
    IMAGE,
    KEYS,
    KIND,
    LINES,
    LOW,
    LOW_BITS,
    MIN_MEN,
    NEIGHBOURS,
    PLACES,
    POINTS,
    RING,
    SIDES,
    SPOKES,
    STRIDE,
    WAYS,
)
from retrosolve.rules.contract import LOSS, NOT_TERMINAL, WIN
from retrosolve.rules.ranking import popcount

HAND = 2 * POINTS
LOW_MASK = (1 << LOW_BITS) - 1
FIRST_POINTS = 1 | 1 << RING | 1 << 2 * RING
LAST_POINTS = FIRST_POINTS << RING - 1


def image(points: int, way: int, small: Any) -> int:
    """Return the image of a set under a symmetry."""
    table = IMAGE + ((way & 7) << RING)
    outer = int(small[table + (points & BYTE)])
    middle = int(small[table + (points >> RING & BYTE)])
    inner = int(small[table + (points >> 2 * RING & BYTE)])
    if way & 8 != 0:
        outer, inner = inner, outer
    return outer | middle << RING | inner << 2 * RING


def smallest(points: int, ways: int, small: Any) -> int:
    """Return the smallest image of a set under some symmetries, a bit each."""
    found = ALL
    for way in range(WAYS):
        if ways >> way & 1 != 0:
            found = min(found, image(points, way, small))
    return found


def among_free(points: int, holes: int, small: Any) -> int:
    """Return a set without the holes, closed up."""
    outer, middle, inner = holes & BYTE, holes >> RING & BYTE, holes >> 2 * RING & BYTE
    first = int(small[EXTRACT + (outer << RING) + (points & BYTE)])
    second = int(small[EXTRACT + (middle << RING) + (points >> RING & BYTE)])
    third = int(small[EXTRACT + (inner << RING) + (points >> 2 * RING & BYTE)])
    before = RING - popcount(outer)
    return first | second << before | third << (before + RING - popcount(middle))


def outside(bits: int, holes: int, small: Any) -> int:
    """Move bits, in order, to the points that are not holes; the inverse of ``among_free``."""
    outer, middle, inner = holes & BYTE, holes >> RING & BYTE, holes >> 2 * RING & BYTE
    first, second = RING - popcount(outer), RING - popcount(middle)
    third = bits >> first + second & BYTE
    found = int(small[DEPOSIT + (outer << RING) + (bits & (1 << first) - 1)])
    found |= int(small[DEPOSIT + (middle << RING) + (bits >> first & (1 << second) - 1)]) << RING
    return found | int(small[DEPOSIT + (inner << RING) + third]) << 2 * RING


def set_rank(bits: int, numbers: Any) -> int:
    """Return the number of sets of the same size that are smaller."""
    low, high = bits & LOW_MASK, bits >> LOW_BITS
    return int(numbers[LOW + low]) + int(numbers[HIGH + (popcount(low) << LOW_BITS) + high])


def orbit_entry(points: int, data: Any) -> int:
    """Return 16 times the orbit of a set, and a symmetry that makes its smallest image."""
    return int(data[0][int(data[4][FIRST_SETS + popcount(points)]) + set_rank(points, data[4])])


def place(large: int, other: int, base: int, stride: int, data: Any) -> int:
    """Return the index of two sets in a block, the larger one first."""
    entry = orbit_entry(large, data)
    orbit = int(data[1][entry >> 4])
    other = image(other, entry & 15, data[3])
    if orbit >> POINTS != 1:
        other = smallest(other, orbit >> POINTS, data[3])
    return base + (entry >> 4) * stride + set_rank(among_free(other, orbit & ALL, data[3]), data[4])


def mills(points: int, data: Any) -> int:
    """Return the points of a set that are in mills."""
    small = data[3]
    outer, middle, inner = points & BYTE, points >> RING & BYTE, points >> 2 * RING
    spokes = outer & middle & inner & int(data[4][SPOKES])
    found = int(small[SIDES + outer]) | int(small[SIDES + middle]) << RING
    return found | int(small[SIDES + inner]) << 2 * RING | spokes * FIRST_POINTS


def completing(points: int, data: Any) -> int:
    """Return the points that complete a mill with two of a set."""
    small = data[3]
    outer, middle, inner = points & BYTE, points >> RING & BYTE, points >> 2 * RING
    found = int(small[COMPLETING + outer]) | int(small[COMPLETING + middle]) << RING
    found |= int(small[COMPLETING + inner]) << 2 * RING
    spokes = middle & inner | (outer & inner) << RING | (outer & middle) << 2 * RING
    return found | spokes & int(data[4][SPOKES]) * FIRST_POINTS


def capturable(theirs: int, data: Any) -> int:
    """Return the men that a mill may take: those outside mills, or all if there are none."""
    men = theirs & ~mills(theirs, data)
    return men if men != 0 else theirs


def closing_men(mine: int, sources: int, point: int, numbers: Any) -> int:
    """Return the men among some that close a mill by moving to a point."""
    found = 0
    for k in range(3):
        line = int(numbers[LINES + 3 * point + k])
        if line != 0 and mine & line == line:
            found |= sources & ~line
    return found


def slides(mine: int, free: int, spokes: int) -> int:
    """Return the number of moves of men to neighbouring points; spokes of all squares."""
    up, down = mine << 1 & ~FIRST_POINTS, mine >> 1 & ~LAST_POINTS
    up |= mine >> RING - 1 & FIRST_POINTS
    down |= mine << RING - 1 & LAST_POINTS
    along = popcount(up & free) + popcount(down & free)
    inwards = (mine & spokes) << RING & free
    outwards = mine >> RING & spokes & free
    return along + popcount(inwards) + popcount(outwards)


def index_of(mine: int, theirs: int, left: int, data: Any) -> int:
    """Return the index of a position."""
    own, other = popcount(mine), popcount(theirs)
    return place_of_key(mine, theirs, (left * KEYS + own) * KEYS + other, data)


def place_of_key(mine: int, theirs: int, key: int, data: Any) -> int:
    """Return the index of two sets, from the key of their numbers."""
    base, stride = int(data[5][BASE, key]), int(data[5][STRIDE, key])
    if popcount(mine) >= popcount(theirs):
        return place(mine, theirs, base, stride, data)
    return place(theirs, mine, base, stride, data)


def set_pair(index: int, data: Any) -> int:
    """Return the position of an index."""
    key, swapped, large, other = sets_at(index, data)
    if (key // KEYS % KEYS < key % KEYS) != swapped:
        large, other = other, large
    return key // KEYS**2 << HAND | other << POINTS | large


def sets_at(index: int, data: Any) -> tuple[int, bool, int, int]:
    """Return the key of a block, whether the sides are exchanged, and both sets, the larger first."""
    blocks = data[5]
    low, high = 0, data[6]
    while high - low > 1:
        middle = (low + high) >> 1
        if blocks[BEGIN, middle] <= index:
            low = middle
        else:
            high = middle
    kind = int(blocks[KIND, low])
    places = int(blocks[PLACES, low])
    row = (index - int(blocks[BEGIN, low])) // places
    rank = index - int(blocks[BEGIN, low]) - row * places
    large = int(data[1][int(blocks[FIRST_CLASS, low]) + (row >> (kind & 1))]) & ALL
    small = outside(int(data[2][int(blocks[FIRST_SUBSET, low]) + rank]), large, data[3])
    return kind >> 1, row & kind & 1 != 0, large, small


def is_smallest(mine: int, theirs: int, data: Any) -> bool:
    """Return whether the position of an index is canonical."""
    if popcount(mine) >= popcount(theirs):
        large, other = mine, theirs
    else:
        large, other = theirs, mine
    ways = int(data[1][orbit_entry(large, data) >> 4]) >> POINTS
    return ways == 1 or smallest(other, ways, data[3]) == other


def result(mine: int, theirs: int, left: int) -> int:
    """Return LOSS for the player who has fewer than three men, WIN for the one whose opponent has."""
    if popcount(mine) + ((left + 1) >> 1) < MIN_MEN:
        return LOSS
    if popcount(theirs) + (left >> 1) < MIN_MEN:
        return WIN
    return NOT_TERMINAL


def write_indices(
    mine: int, theirs: int, left: int, own: int, other: int, out: Any, count: int, data: Any
) -> int:
    """Write the indices after a mill, one for each man to take; return how many there are then."""
    key = (left * KEYS + other - 1) * KEYS + own
    base, stride = int(data[5][BASE, key]), int(data[5][STRIDE, key])
    men = capturable(theirs, data)
    while men != 0:
        man = men & -men
        men ^= man
        if own > other - 1:
            out[count] = place(mine, theirs ^ man, base, stride, data)
        else:
            out[count] = place(theirs ^ man, mine, base, stride, data)
        count += 1
    return count


def survey_placing(mine: int, theirs: int, left: int, out: Any, data: Any) -> int:
    """Write the indices after placing a man; return their number."""
    own, other = popcount(mine), popcount(theirs)
    key = ((left - 1) * KEYS + other) * KEYS + own + 1
    base, stride = int(data[5][BASE, key]), int(data[5][STRIDE, key])
    free = ALL & ~(mine | theirs)
    near = completing(mine, data) & free if theirs != 0 else 0
    free &= ~near
    count = 0
    while free != 0:
        to = free & -free
        free ^= to
        if own + 1 > other:
            out[count] = place(mine | to, theirs, base, stride, data)
        else:
            out[count] = place(theirs, mine | to, base, stride, data)
        count += 1
    while near != 0:
        to = near & -near
        near ^= to
        count = write_indices(mine | to, theirs, left - 1, own + 1, other, out, count, data)
    return count


def survey_closing(mine: int, theirs: int, out: Any, data: Any) -> tuple[int, int]:
    """Write the indices after moves that close a mill; return how many moves and indices there are."""
    own, other = popcount(mine), popcount(theirs)
    free = ALL & ~(mine | theirs)
    near = completing(mine, data) & free
    moves, count = 0, 0
    while near != 0:
        to = near & -near
        near ^= to
        point = popcount(to - 1)
        sources = mine
        if own > MIN_MEN:
            sources &= int(data[4][NEIGHBOURS + point])
        men = closing_men(mine, sources, point, data[4])
        while men != 0:
            man = men & -men
            men ^= man
            moves += 1
            count = write_indices(mine ^ man ^ to, theirs, 0, own, other, out, count, data)
    return moves, count


def write_quiet(mine: int, theirs: int, first: int, out: Any, data: Any) -> int:
    """Write the indices after the moves that close no mill; return where they stop."""
    own, other = popcount(mine), popcount(theirs)
    key = other * KEYS + own
    base, stride = int(data[5][BASE, key]), int(data[5][STRIDE, key])
    free = ALL & ~(mine | theirs)
    count = first
    men = mine
    while men != 0:
        man = men & -men
        men ^= man
        ways = free if own == MIN_MEN else free & int(data[4][NEIGHBOURS + popcount(man - 1)])
        while ways != 0:
            to = ways & -ways
            ways ^= to
            after = mine ^ man ^ to
            if mills(after, data) & to != 0:
                continue
            if own > other:
                out[count] = place(after, theirs, base, stride, data)
            else:
                out[count] = place(theirs, after, base, stride, data)
            count += 1
    return count


def write_unmoves(mine: int, theirs: int, men: int, out: Any, data: Any) -> int:
    """Write the indices before the player of ``mine``, on move then, moved one of some men."""
    own, other = popcount(mine), popcount(theirs)
    key = own * KEYS + other
    base, stride = int(data[5][BASE, key]), int(data[5][STRIDE, key])
    free = ALL & ~(mine | theirs)
    count = 0
    while men != 0:
        man = men & -men
        men ^= man
        ways = free if own == MIN_MEN else free & int(data[4][NEIGHBOURS + popcount(man - 1)])
        while ways != 0:
            to = ways & -ways
            ways ^= to
            if own >= other:
                out[count] = place(mine ^ man ^ to, theirs, base, stride, data)
            else:
                out[count] = place(theirs, mine ^ man ^ to, base, stride, data)
            count += 1
    return count


def write_move(mine: int, to: int, theirs: int, left: int, out: Any, count: int, data: Any) -> int:
    """Write the position after a move to a point; after a mill, one for each man to capture."""
    after = left << HAND | mine << POINTS
    if mills(mine, data) & to == 0 or theirs == 0:
        out[count] = after | theirs
        return count + 1
    men = capturable(theirs, data)
    while men != 0:
        man = men & -men
        men ^= man
        out[count] = after | theirs ^ man
        count += 1
    return count


def has_symmetry(points: int, data: Any) -> bool:
    """Return whether a symmetry other than the identity leaves a set as it is."""
    return int(data[1][orbit_entry(points, data) >> 4]) >> POINTS != 1

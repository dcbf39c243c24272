"""The canonical positions of chess endings and their index: functions of ints.

See ``chess_moves`` for how a position is packed and for the rows of the table.
"""

from __future__ import annotations

from typing import Any

from retrosolve.games.chess_moves import (
    BASE,
    BLACK,
    BLACK_KING,
    FIELD,
    FILE,
    FIRST,
    HALF,
    KIND,
    KINDS,
    LEFT,
    PAWN,
    PAWN_TIERS,
    PLACE,
    RANK,
    SIDE,
    SQUARE,
    TIERS,
    TURNED,
    TURNS,
    WHITE_KING,
    pawn_square,
    squares,
)


def canonical(position: int, data: Any) -> int:
    """Return the smallest image of a position, which has the white king in the triangle.

    With a pawn there are two images, and the pawn is on the left half. With the same pieces on both
    sides, the colours are exchanged if Black is to move.
    """
    if data.alike and position & BLACK:
        position = exchanged(position)
    if position >> KIND == PAWN:
        turns = data.table[HALF, pawn_square(position, data)]
    else:
        turns = data.table[TURNS + ((position >> WHITE_KING) & FIELD), (position >> BLACK_KING) & FIELD]
    return position if turns == 0 else smaller(position, turns, data)


def exchanged(position: int) -> int:
    """Return the position with the colours exchanged and the other side to move."""
    king, black, first, second = squares(position)
    pieces = (second << FIRST) | first
    return int((position >> SIDE ^ 1) << SIDE | (black << WHITE_KING) | (king << BLACK_KING) | pieces)


def smaller(position: int, turns: int, data: Any) -> int:
    """Return the smaller of two images."""
    image = turn(position, turns & 7, data)
    if turns >> 3 == turns & 7:
        return image
    return min(image, turn(position, turns >> 3, data))


def turn(position: int, way: int, data: Any) -> int:
    """Return the image of a position under a symmetry."""
    return int(
        (position >> SIDE << SIDE)
        | (data.table[TURNED + way, (position >> WHITE_KING) & FIELD] << WHITE_KING)
        | (data.table[TURNED + way, (position >> BLACK_KING) & FIELD] << BLACK_KING)
        | (data.table[TURNED + way, (position >> FIRST) & FIELD] << FIRST)
        | data.table[TURNED + way, position & FIELD]
    )


def rank(position: int, data: Any) -> int:
    """Return the index: tier, side to move, black king, pieces, white king.

    With a pawn: tier, side to move, the pawn's file, the kings, the other piece. Neighbouring indices
    have close values, which compress well: the order was chosen by that.
    """
    king, black, first, second = squares(position)
    side = (position >> SIDE) & 1
    if position >> KIND == PAWN:
        pawn = pawn_square(position, data)
        index = side * data.files + data.table[FILE, pawn]
        index = (index * data.area + king) * data.area + black
        other = first + second - pawn
        if other < data.area:
            return int(index * data.area + other + data.table[PAWN_TIERS + 1, pawn])
        return int(index + data.table[PAWN_TIERS, pawn])
    left = 4 * (position >> KIND)
    index = side * data.area + black
    if first < data.area:
        index = index * data.area + first
        left += 1
    if second < data.area:
        index = index * data.area + second
        left += 2
    return int(index * data.kings + data.table[PLACE, king] + data.table[TIERS, left])


def unrank(index: int, data: Any) -> int:
    """Return the position of an index."""
    tier = data.last
    while index < data.table[BASE, tier]:
        tier -= 1
    index -= data.table[BASE, tier]
    left = data.table[LEFT, tier]
    row = data.table[RANK, tier]
    first = second = data.area
    king = 0
    if row < 0:
        king = data.table[SQUARE, index % data.kings]
        index //= data.kings
    if left & 2 and (row < 0 or data.pawn == 0):
        second = index % data.area
        index //= data.area
    if left & 1 and (row < 0 or data.pawn == 1):
        first = index % data.area
        index //= data.area
    position = (data.table[KINDS, tier] << KIND) | (index % data.area << BLACK_KING)
    index //= data.area
    if row < 0:
        position |= index << SIDE
    else:
        king = index % data.area
        index //= data.area
        if index >= data.files:
            index -= data.files
            position |= BLACK
        if data.pawn == 0:
            first = row + index
        else:
            second = row + index
    return int(position | (king << WHITE_KING) | (first << FIRST) | second)

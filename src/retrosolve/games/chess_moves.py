"""The rules of chess endings in the form that is compiled: plain functions over whole numbers.

A position is packed as black to move (1 bit), white king, black king, first and second piece (7 bits
each). All that differs between endings and boards is in one table: arguments are copied at each call
that the compiler does not inline, so the rules are given few of them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrosolve.rules.compiled import GOES_ON, LOSS, NO_POSITION, TIE

WHITE_KING, BLACK_KING, FIRST = 21, 14, 7
FIELD = 127
BLACK = 1 << 28

# Rows of the one table that all rules look things up in, by square where nothing else is said.
BASE = 0  # first index, by the pieces left: 0 none, 1 the first, 2 the second, 3 both
DEAD = 1  # by the pieces left: 0 mate can happen, 1 never, 2 not if they stand on one colour
WAYS = 2  # directions, by piece
SLIDES = 3  # whether it goes on in them, by piece
COLOUR = 4
PLACE = 5  # number of a white king's square
SQUARE = 6  # and back
BIT = 7  # the square in a path; no path has corners: they share a bit with what is captured
NEAR = 8  # bits of the squares next to a square
REACH = 9  # their number
TURNED = 10  # + symmetry: where it takes a square
WAY = TURNED + 8  # + 8 * piece + direction: the next square, ``area`` past the edge
STEP = WAY + 16  # + square: the squares next to it, by number
TURNS = STEP + 64  # + white king, by black king: symmetry to the smallest image + 8 * an equal one
PATH = TURNS + 64  # + 65 * piece + its square: bits that it needs empty to attack; -1 if it cannot
ROWS = PATH + 2 * 65


class Board(NamedTuple):
    """What the rules are given. Squares go row by row from a1; ``area`` is that of a captured piece."""

    area: int
    kings: int
    table: NDArray[np.int64]


def shifted(position: int, out: Any, data: Any) -> int:
    """Write what White's moves lead to, or come from: none captures, so it is the same."""
    king = (position >> WHITE_KING) & FIELD
    black = (position >> BLACK_KING) & FIELD
    first = (position >> FIRST) & FIELD
    second = position & FIELD
    other = position ^ BLACK
    count = 0
    for k in range(data.table[REACH, king]):
        to = data.table[STEP + king, k]
        if to not in (first, second) and not (data.table[NEAR, black] >> to) & 1:
            out[count] = other + ((to - king) << WHITE_KING)
            count += 1
    for piece in range(2):
        at, mate, field = (first, second, FIRST) if piece == 0 else (second, first, 0)
        for w in range(data.table[WAYS, piece]):
            to = data.table[WAY + 8 * piece + w, at]
            while to < data.area and to not in (king, black, mate):
                out[count] = other + ((to - at) << field)
                count += 1
                if not data.table[SLIDES, piece]:
                    break
                to = data.table[WAY + 8 * piece + w, to]
    return count


def successors(position: int, out: Any, data: Any) -> int:
    """Write the positions that moves lead to."""
    if not position & BLACK:
        return shifted(position, out, data)
    king = (position >> WHITE_KING) & FIELD
    black = (position >> BLACK_KING) & FIELD
    first = (position >> FIRST) & FIELD
    second = position & FIELD
    count = 0
    for k in range(data.table[REACH, black]):
        to = data.table[STEP + black, k]
        if not (data.table[NEAR, king] >> to) & 1 and not attacked(to, king, first, second, data):
            target = position - BLACK + ((to - black) << BLACK_KING)
            if to == first:
                target += (data.area - first) << FIRST
            elif to == second:
                target += data.area - second
            out[count] = target
            count += 1
    return count


def predecessors(position: int, out: Any, data: Any) -> int:
    """Write the positions with as many pieces that have a move to here."""
    if position & BLACK:
        return shifted(position, out, data)
    king = (position >> WHITE_KING) & FIELD
    black = (position >> BLACK_KING) & FIELD
    first = (position >> FIRST) & FIELD
    second = position & FIELD
    count = 0
    for k in range(data.table[REACH, black]):
        to = data.table[STEP + black, k]
        if to not in (first, second) and not (data.table[NEAR, king] >> to) & 1:
            out[count] = position + BLACK + ((to - black) << BLACK_KING)
            count += 1
    return count


def attacked(square: int, king: int, first: int, second: int, data: Any) -> bool:
    """Tell whether a piece attacks a square. The black king is not in the way."""
    if data.table[PATH + first, square] & (data.table[BIT, king] | data.table[BIT, second]) == 0:
        return True
    return bool(
        data.table[PATH + 65 + second, square] & (data.table[BIT, king] | data.table[BIT, first]) == 0
    )


def terminal(position: int, data: Any) -> int:
    """Tell mate, stalemate and what cannot be won any more; and what is no position.

    White has a move in every position of every ending and board, as a look at all of them shows.
    """
    king = (position >> WHITE_KING) & FIELD
    black = (position >> BLACK_KING) & FIELD
    first = (position >> FIRST) & FIELD
    second = position & FIELD
    if (
        king == black
        or (data.table[NEAR, king] >> black) & 1
        or first in (king, black)
        or second in (king, black)
    ):
        return NO_POSITION
    if first == second and first < data.area:
        return NO_POSITION
    check = attacked(black, king, first, second, data)
    if check and not position & BLACK:
        return NO_POSITION
    dead = data.table[DEAD, (first < data.area) + 2 * (second < data.area)]
    if dead == 1 or (dead == 2 and data.table[COLOUR, first] == data.table[COLOUR, second]):
        return TIE
    if not position & BLACK:
        return GOES_ON
    for k in range(data.table[REACH, black]):
        to = data.table[STEP + black, k]
        if not (data.table[NEAR, king] >> to) & 1 and not attacked(to, king, first, second, data):
            return GOES_ON
    return LOSS if check else TIE


def canonical(position: int, data: Any) -> int:
    """Give the smallest of the images of a position; its white king stands in the triangle."""
    turns = data.table[TURNS + ((position >> WHITE_KING) & FIELD), (position >> BLACK_KING) & FIELD]
    if turns == 0:
        return position
    image = turn(position, turns & 7, data)
    if turns >> 3 != turns & 7:
        image = min(image, turn(position, turns >> 3, data))
    return image


def turn(position: int, way: int, data: Any) -> int:
    """Give the image of a position under one of the symmetries."""
    return int(
        (position & BLACK)
        | (data.table[TURNED + way, (position >> WHITE_KING) & FIELD] << WHITE_KING)
        | (data.table[TURNED + way, (position >> BLACK_KING) & FIELD] << BLACK_KING)
        | (data.table[TURNED + way, (position >> FIRST) & FIELD] << FIRST)
        | data.table[TURNED + way, position & FIELD]
    )


def rank(position: int, data: Any) -> int:
    """Give the index: by the pieces left, the side to move, the white king, the others."""
    first = (position >> FIRST) & FIELD
    second = position & FIELD
    left = 0
    index = data.kings if position & BLACK else 0
    index += data.table[PLACE, (position >> WHITE_KING) & FIELD]
    index = index * data.area + ((position >> BLACK_KING) & FIELD)
    if first < data.area:
        index = index * data.area + first
        left = 1
    if second < data.area:
        index = index * data.area + second
        left += 2
    return int(index + data.table[BASE, left])


def unrank(index: int, data: Any) -> int:
    """Give the position of an index."""
    left = 3
    while index < data.table[BASE, left]:
        left -= 1
    index -= data.table[BASE, left]
    first = second = data.area
    if left & 2:
        second = index % data.area
        index //= data.area
    if left & 1:
        first = index % data.area
        index //= data.area
    position = (index % data.area << BLACK_KING) | (first << FIRST) | second
    index //= data.area
    if index >= data.kings:
        index -= data.kings
        position |= BLACK
    return int(position | (data.table[SQUARE, index] << WHITE_KING))

"""The compiled rules of chess endings: functions of ints.

A position packs what the pawn is (3 bits: 0 no pawn, 1 a pawn, 2 to 5 a queen, rook, bishop or knight),
black to move (1 bit), white king, black king, first and second piece (7 bits each). The first piece is
White's; the second is Black's if ``split``. Everything else that depends on the ending and the board is
in one table: arguments are copied at each call that is not inlined, so there are few.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrosolve.rules.compiled import INVALID, LOSS, NOT_TERMINAL, TIE

WHITE_KING, BLACK_KING, FIRST = 21, 14, 7
FIELD = 127
SIDE, KIND = 28, 29
BLACK = 1 << SIDE
PAWN = 1
PROMOTIONS = 4
MAX_MOVES = 64  # of either side

# Rows of the table, by square unless stated otherwise. A piece has a type: 0 the first, 1 the second,
# 2 to 5 the promoted pawn.
BASE = 0  # first index, by tier
KINDS = 1  # what the pawn is, by tier
LEFT = 2  # the pieces left, by tier: 1 the first + 2 the second
RANK = 3  # first square of the pawn's rank, by tier; -1 where there is no pawn
TIERS = 4  # first index without a pawn, by what it is * 4 + the pieces left
PAWN_TIERS = 5  # + 1 with another piece: first index, by the pawn's square; -1 where no pawn can be
DEAD = 7  # as TIERS: 0 mate can happen, 1 it cannot, 2 not if the pieces stand on one colour
WAYS = 8  # directions, by type; none for a pawn
SLIDES = 9  # whether it slides, by type
COLOUR = 10
PLACE = 11  # number of a white king's square
SQUARE = 12  # and back
FILE = 13  # number of a pawn's file
HALF = 14  # by the pawn's square: as in TURNS
PUSH = 15  # the square in front of a pawn
DOUBLE = 16  # whether it may advance two squares
BIT = 17  # its bit in a path; corners are in no path and share a bit with captured pieces
NEIGHBOURS = 18  # bits of the adjacent squares
REACH = 19  # their number
TURNED = 20  # + symmetry: the image of a square
WAY = TURNED + 8  # + 8 * type + direction: the next square, ``area`` past the edge
STEP = WAY + 8 * (2 + PROMOTIONS)  # + square: the adjacent squares, by number
TURNS = STEP + 64  # + white king, by black king: a symmetry to the smallest image + 8 * another
PATH = TURNS + 64  # + 65 * type + its square: bits that must be empty for an attack; -1 for none


class Board(NamedTuple):
    """The ``data`` of the rules. Squares go row by row from a1; a captured piece is on ``area``."""

    area: int
    kings: int
    """Number of canonical squares of the white king, without a pawn."""
    files: int
    """Number of canonical files of the pawn."""
    pawn: int
    """The piece that is a pawn, 0 or 1; -1 for none."""
    split: int
    """1 if the second piece is Black's, 0 if it is White's."""
    last: int
    """Number of the last tier."""
    alike: int
    """1 if both sides have the same pieces, so that Black to move is solved as White to move."""
    table: NDArray[np.int64]


def squares(position: int) -> tuple[int, int, int, int]:
    """Return the squares of the white king, the black king and the pieces."""
    king = (position >> WHITE_KING) & FIELD
    black = (position >> BLACK_KING) & FIELD
    return king, black, (position >> FIRST) & FIELD, position & FIELD


def type_of(piece: int, position: int, data: Any) -> int:
    """Return the type of a piece in the table."""
    kind = position >> KIND
    return kind if kind > PAWN and piece == data.pawn else piece


def threats(position: int, side: int, data: Any) -> tuple[int, int, int, int]:
    """Return the path rows of the pieces of a side, and the bits that block each."""
    king, black, first, second = squares(position)
    if side:
        king = black
    one = two = PATH + data.area
    if side == 0:
        one = PATH + 65 * type_of(0, position, data) + first
    if side == data.split:
        two = PATH + 65 * type_of(1, position, data) + second
    shield = data.table[BIT, king]
    return one, two, shield | data.table[BIT, second], shield | data.table[BIT, first]


def attacked(square: int, by: tuple[int, int, int, int], data: Any) -> bool:
    """Return whether a piece of ``threats`` attacks a square; the other side's king blocks nothing."""
    one, two, before_one, before_two = by
    if data.table[one, square] & before_one == 0:
        return True
    return bool(data.table[two, square] & before_two == 0)


def quiet(position: int, side: int, out: Any, data: Any) -> int:
    """Write the positions before or after a move of a side without capture, checks ignored."""
    king, black, first, second = squares(position)
    own, other, field = (black, king, BLACK_KING) if side else (king, black, WHITE_KING)
    turned = position ^ BLACK
    count = 0
    for k in range(data.table[REACH, own]):
        to = data.table[STEP + own, k]
        if to not in (first, second) and not (data.table[NEIGHBOURS, other] >> to) & 1:
            out[count] = turned + ((to - own) << field)
            count += 1
    for piece in range(2):
        if data.split * piece != side:
            continue
        at, mate, field = (first, second, FIRST) if piece == 0 else (second, first, 0)
        kind = type_of(piece, position, data)
        for w in range(data.table[WAYS, kind]):
            to = data.table[WAY + 8 * kind + w, at]
            while to < data.area and to not in (king, black, mate):
                out[count] = turned + ((to - at) << field)
                count += 1
                if not data.table[SLIDES, kind]:
                    break
                to = data.table[WAY + 8 * kind + w, to]
    return count


def predecessors(position: int, out: Any, data: Any) -> int:
    """Write the positions of the same tier with a move to this one."""
    return quiet(position, 1 - ((position >> SIDE) & 1), out, data)


def successors(position: int, out: Any, data: Any) -> int:
    """Write the positions after each move."""
    side = (position >> SIDE) & 1
    if side == 0 and data.split == 0 and data.pawn < 0:
        return quiet(position, 0, out, data)
    king, black, first, second = squares(position)
    own, other, field = (black, king, BLACK_KING) if side else (king, black, WHITE_KING)
    by = threats(position, 1 - side, data)
    count = 0
    for k in range(data.table[REACH, own]):
        to = data.table[STEP + own, k]
        if (data.table[NEIGHBOURS, other] >> to) & 1 or attacked(to, by, data):
            continue
        target = (position ^ BLACK) + ((to - own) << field)
        if to == first:
            if side == 0:
                continue
            target = without(0, target, data)
        elif to == second:
            if side == data.split:
                continue
            target = without(1, target, data)
        out[count] = target
        count += 1
    if side == 0:
        count = piece_moves(0, position, out, count, data)
    if side == data.split:
        count = piece_moves(1, position, out, count, data)
    return count


def without(piece: int, position: int, data: Any) -> int:
    """Return the position with a piece captured."""
    if piece == data.pawn:
        position &= (1 << KIND) - 1
    if piece == 0:
        return int((position | (FIELD << FIRST)) - ((FIELD - data.area) << FIRST))
    return int((position | FIELD) - (FIELD - data.area))


def piece_moves(piece: int, position: int, out: Any, count: int, data: Any) -> int:
    """Append the moves of one piece to the first ``count`` of ``out``; return the new count."""
    king, black, first, second = squares(position)
    at, mate, field = (first, second, FIRST) if piece == 0 else (second, first, 0)
    if at == data.area:
        return count
    kind = type_of(piece, position, data)
    if kind == data.pawn:
        return pawn_moves(position, out, count, data)
    path, shield = pinned(piece, position, data)
    turned = position ^ BLACK
    for w in range(data.table[WAYS, kind]):
        to = data.table[WAY + 8 * kind + w, at]
        while to < data.area and to not in (king, black):
            if to == mate:
                if data.split:
                    out[count] = without(1 - piece, turned, data) + ((to - at) << field)
                    count += 1
                break
            if path & (shield | data.table[BIT, to]) != 0:
                out[count] = turned + ((to - at) << field)
                count += 1
            if not data.table[SLIDES, kind]:
                break
            to = data.table[WAY + 8 * kind + w, to]
    return count


def pinned(piece: int, position: int, data: Any) -> tuple[int, int]:
    """Return the path from the other side's piece to this side's king, -1 for none, and what blocks.

    A move of ``piece`` must block that path or capture.
    """
    king, black, first, second = squares(position)
    if data.split == 0:
        return -1, 1
    own, other, mate = (king, black, second) if piece == 0 else (black, king, first)
    path = data.table[PATH + 65 * type_of(1 - piece, position, data) + mate, own]
    return path, data.table[BIT, other]


def pawn_moves(position: int, out: Any, count: int, data: Any) -> int:
    """Append the moves of the pawn to the first ``count`` of ``out``; return the new count."""
    king, black, first, second = squares(position)
    at, mate, field = (first, second, FIRST) if data.pawn == 0 else (second, first, 0)
    path, shield = pinned(data.pawn, position, data)
    turned = position ^ BLACK
    to = data.table[PUSH, at]
    if to not in (king, black, mate):
        if path & (shield | data.table[BIT, to]) != 0:
            count = arrive(to, turned + ((to - at) << field), out, count, data)
        if data.table[DOUBLE, at]:
            to = data.table[PUSH, to]
            if to not in (king, black, mate) and path & (shield | data.table[BIT, to]) != 0:
                out[count] = turned + ((to - at) << field)
                count += 1
    if data.split and data.table[PATH + 65 * data.pawn + at, mate] == 0:
        target = without(1 - data.pawn, turned, data) + ((mate - at) << field)
        count = arrive(mate, target, out, count, data)
    return count


def arrive(to: int, target: int, out: Any, count: int, data: Any) -> int:
    """Append the position with the pawn on its new square, or one for each promotion."""
    if data.table[PAWN_TIERS, to] >= 0:
        out[count] = target
        return count + 1
    for kind in range(PROMOTIONS):
        out[count + kind] = target + ((kind + 1) << KIND)
    return count + PROMOTIONS


def pawn_square(position: int, data: Any) -> int:
    """Return the square of the pawn, if there is one."""
    return int((position >> FIRST * (1 - data.pawn)) & FIELD)


def terminal(position: int, data: Any) -> int:
    """Return LOSS for mate, TIE for stalemate and dead positions, INVALID for illegal ones.

    With all pieces White's and no pawn, White has a move in every position of every ending and board,
    as an enumeration of all of them shows.
    """
    king, black, first, second = squares(position)
    if (
        king == black
        or (data.table[NEIGHBOURS, king] >> black) & 1
        or first in (king, black)
        or second in (king, black)
    ):
        return INVALID
    if first == second and first < data.area:
        return INVALID
    kind = position >> KIND
    if kind == PAWN and data.table[PAWN_TIERS, pawn_square(position, data)] < 0:
        return INVALID
    side = (position >> SIDE) & 1
    own, other = (black, king) if side else (king, black)
    if attacked(other, threats(position, side, data), data):
        return INVALID
    left = (first < data.area) + 2 * (second < data.area)
    dead = data.table[DEAD, 4 * kind + left]
    if dead == 1 or (dead == 2 and data.table[COLOUR, first] == data.table[COLOUR, second]):
        return TIE
    bare = data.split == 0 and data.pawn < 0
    if bare and side == 0:
        return NOT_TERMINAL
    by = threats(position, 1 - side, data)
    mine = first if side == 0 else data.area
    also = second if side == data.split else data.area
    for k in range(data.table[REACH, own]):
        to = data.table[STEP + own, k]
        if to not in (mine, also) and not (data.table[NEIGHBOURS, other] >> to) & 1:  # noqa: SIM102
            if not attacked(to, by, data):
                return NOT_TERMINAL
    if not bare and successors(position, np.empty(MAX_MOVES, np.int64), data) > 0:
        return NOT_TERMINAL
    return LOSS if attacked(own, by, data) else TIE

"""The compiled rules of chess endings: functions of ints. See ``layout``."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrosolve.games.chess.layout import (
    BIT,
    BLACK,
    BLACK_KING,
    BOARD,
    CAPTURED,
    COLOUR,
    COUNT,
    DEAD,
    DOUBLE,
    EN_PASSANT,
    FACING,
    FIELD,
    FIELD_BITS,
    FILE_OF,
    FIRST,
    FIRST_FILE,
    INSERTED,
    MATERIAL,
    MAX_MOVES,
    NEIGHBOURS,
    NOWHERE,
    NUMBERS,
    PASSANT,
    PATH,
    PIECES,
    PROMOTED,
    PROMOTIONS,
    PUSH,
    RANK_OF,
    REACH,
    SIDE,
    SLIDES,
    STEP,
    TYPE,
    WAY,
    WAYS,
    WHITE,
    WHITE_KING,
    WHITE_PAWN,
    king_of,
    material_row,
    passant_file,
    square_of,
)
from retrosolve.rules.contract import INVALID, LOSS, NOT_TERMINAL, TIE


def occupied(position: int, data: Any) -> int:
    """Return the bits of all men."""
    number = data[material_row(position), COUNT]
    bits = data[BIT, king_of(position, 0)] | data[BIT, king_of(position, 1)]
    if number > 0:
        bits |= data[BIT, square_of(position, 0)]
    if number > 1:
        bits |= data[BIT, square_of(position, 1)]
    if number > 2:
        bits |= data[BIT, square_of(position, 2)]
    return int(bits)


def threats(position: int, side: int, data: Any) -> tuple[int, int, int]:
    """Return the rows of paths of the pieces of a side, NOWHERE for those of the other one."""
    row = material_row(position)
    white = data[row, WHITE]
    first, last = (white, data[row, COUNT]) if side else (0, white)
    one = two = three = NOWHERE
    if first <= 0 < last:
        one = PATH + 64 * data[row, TYPE] + square_of(position, 0)
    if first <= 1 < last:
        two = PATH + 64 * data[row, TYPE + 1] + square_of(position, 1)
    if first <= 2 < last:
        three = PATH + 64 * data[row, TYPE + 2] + square_of(position, 2)
    return one, two, three


def attacked(square: int, by: tuple[int, int, int], bits: int, data: Any) -> bool:
    """Return whether a piece of ``threats`` attacks a square, with these bits in the way."""
    one, two, three = by
    if data[one, square] & bits == 0 or data[two, square] & bits == 0:
        return True
    return bool(data[three, square] & bits == 0)


def spared(by: tuple[int, int, int], taken: int) -> tuple[int, int, int]:
    """Return the rows without that of a captured piece, -1 for none."""
    one, two, three = by
    return (
        NOWHERE if taken == 0 else one,
        NOWHERE if taken == 1 else two,
        NOWHERE if taken == 2 else three,
    )


def predecessors(position: int, out: Any, data: Any) -> int:
    """Write the positions of the same tier with a move to this one, checks ignored."""
    if position & EN_PASSANT:
        return 0
    side = 1 - ((position >> SIDE) & 1)
    own, other = king_of(position, side), king_of(position, 1 - side)
    row = material_row(position)
    white, number = data[row, WHITE], data[row, COUNT]
    bits = occupied(position, data)
    turned = position ^ BLACK
    field = BLACK_KING if side else WHITE_KING
    taken = bits | data[NEIGHBOURS, other]
    facing = data[row, FACING]
    count = 0
    for k in range(data[REACH, own]):
        to = data[STEP + own, k]
        if data[BIT, to] & taken == 0:
            out[count] = turned + ((to - own) << field)
            count += 1
            if facing:
                count = append_rights(out, count, data)
    for piece in range(white if side else 0, number if side else white):
        kind = data[row, TYPE + piece]
        at, field = square_of(position, piece), FIRST - FIELD_BITS * piece
        for w in range(data[WAYS, kind]):
            to = data[WAY + 8 * kind + w, at]
            while to >= 0 and data[BIT, to] & bits == 0:
                out[count] = turned + ((to - at) << field)
                count += 1
                if facing:
                    count = append_rights(out, count, data)
                if not data[SLIDES, kind]:
                    break
                to = data[WAY + 8 * kind + w, to]
    return count


def append_rights(out: Any, count: int, data: Any) -> int:
    """Append the last position with each right to capture en passant; return the new count.

    A move of a king or a piece gives up such a right, so it may come from a position with or without.
    """
    position = out[count - 1]
    side, row = (position >> SIDE) & 1, material_row(position)
    white = data[row, WHITE]
    for piece in range(0 if side else white, white if side else data[row, COUNT]):
        square = square_of(position, piece)
        right = position | (data[FILE_OF, square] + FIRST_FILE) << PASSANT
        if data[RANK_OF, square] == advanced_rank(side, data) and may_capture_en_passant(right, data):
            out[count] = right
            count += 1
    return count


def successors(position: int, out: Any, data: Any) -> int:
    """Write the positions after each move."""
    side = (position >> SIDE) & 1
    row = material_row(position)
    white, number = data[row, WHITE], data[row, COUNT]
    bits = occupied(position, data)
    by = threats(position, 1 - side, data)
    count = king_moves(position, by, bits, out, data)
    for piece in range(white if side else 0, number if side else white):
        if data[row, TYPE + piece] < WHITE_PAWN:
            count = piece_moves(piece, position, by, bits, out, count, data)
        else:
            count = pawn_moves(piece, position, by, bits, out, count, data)
    return count


def king_moves(position: int, by: tuple[int, int, int], bits: int, out: Any, data: Any) -> int:
    """Write the positions after the moves of the king."""
    side = (position >> SIDE) & 1
    own, other = king_of(position, side), king_of(position, 1 - side)
    turned = (position ^ BLACK) & ~EN_PASSANT
    field = BLACK_KING if side else WHITE_KING
    bits ^= data[BIT, own]
    count = 0
    for k in range(data[REACH, own]):
        to = data[STEP + own, k]
        if data[BIT, to] & data[NEIGHBOURS, other] or attacked(to, by, bits, data):
            continue
        target = turned + ((to - own) << field)
        if data[BIT, to] & bits:
            there = piece_on(to, position, data)
            if is_own(there, position, data):
                continue
            target = without(there, target, data)
        out[count] = target
        count += 1
    return count


def piece_on(square: int, position: int, data: Any) -> int:
    """Return the piece on a square, -1 for a king's or an empty one."""
    for piece in range(data[material_row(position), COUNT]):
        if square_of(position, piece) == square:
            return piece
    return -1


def is_own(piece: int, position: int, data: Any) -> bool:
    """Return whether a piece belongs to the side to move."""
    white = data[material_row(position), WHITE]
    return bool((piece >= white) == ((position >> SIDE) & 1))


def piece_moves(
    piece: int, position: int, by: tuple[int, int, int], bits: int, out: Any, count: int, data: Any
) -> int:
    """Append the moves of a queen, rook, bishop or knight; return the new count."""
    kind, at = data[material_row(position), TYPE + piece], square_of(position, piece)
    king = king_of(position, (position >> SIDE) & 1)
    one, two, three = by
    one, two, three = data[one, king], data[two, king], data[three, king]
    field = FIRST - FIELD_BITS * piece
    turned = (position ^ BLACK) & ~EN_PASSANT
    left = bits ^ data[BIT, at]
    for w in range(data[WAYS, kind]):
        to = data[WAY + 8 * kind + w, at]
        while to >= 0:
            bit = data[BIT, to]
            if bits & bit:
                break
            now = left | bit
            if one & now and two & now and three & now:
                out[count] = turned + ((to - at) << field)
                count += 1
            if not data[SLIDES, kind]:
                break
            to = data[WAY + 8 * kind + w, to]
        if to >= 0 and bits & data[BIT, to]:
            taken = piece_on(to, position, data)
            if (
                taken >= 0
                and not is_own(taken, position, data)
                and not attacked(king, spared(by, taken), left, data)
            ):
                out[count] = without(taken, turned + ((to - at) << field), data)
                count += 1
    return count


def pawn_moves(
    piece: int, position: int, by: tuple[int, int, int], bits: int, out: Any, count: int, data: Any
) -> int:
    """Append the moves of a pawn; return the new count."""
    side, row = (position >> SIDE) & 1, material_row(position)
    at, king = square_of(position, piece), king_of(position, side)
    left = bits ^ data[BIT, at]
    to = data[PUSH + side, at]
    if bits & data[BIT, to] == 0:
        if not attacked(king, by, left | data[BIT, to], data):
            count = arrive(piece, -1, to, position, out, count, data)
        to = data[PUSH + side, to]
        if data[DOUBLE + side, at] and bits & data[BIT, to] == 0:  # noqa: SIM102
            if not attacked(king, by, left | data[BIT, to], data):
                count = arrive(piece, -1, to, position, out, count, data)
    white = data[row, WHITE]
    for taken in range(0 if side else white, white if side else data[row, COUNT]):
        to = square_of(position, taken)
        path = PATH + 64 * (WHITE_PAWN + side) + at
        if data[path, to] == 0 and not attacked(king, spared(by, taken), left, data):
            count = arrive(piece, taken, to, position, out, count, data)
        if position & EN_PASSANT and to == advanced_square(position, data):
            passed = data[PUSH + side, to]
            now = left ^ data[BIT, to] | data[BIT, passed]
            if data[path, passed] == 0 and not attacked(king, spared(by, taken), now, data):
                count = arrive(piece, taken, passed, position, out, count, data)
    return count


def arrive(piece: int, taken: int, to: int, position: int, out: Any, count: int, data: Any) -> int:
    """Append the position with a pawn on its new square, or one for each promotion."""
    side, at = (position >> SIDE) & 1, square_of(position, piece)
    target = (position ^ BLACK) & ~EN_PASSANT
    target += (to - at) << (FIRST - FIELD_BITS * piece)
    if (to - at) * (1 - 2 * side) == 2 * data[NUMBERS, BOARD]:
        right = target | (data[FILE_OF, to] + FIRST_FILE) << PASSANT
        if may_capture_en_passant(right, data):
            target = right
    if taken >= 0:
        target = without(taken, target, data)
        piece -= taken < piece
    if data[PUSH + side, to] >= 0:
        out[count] = target
        return count + 1
    for kind in range(PROMOTIONS):
        out[count + kind] = promoted(piece, kind, target, data)
    return count + PROMOTIONS


def without(piece: int, position: int, data: Any) -> int:
    """Return the position without a piece."""
    material = data[material_row(position), CAPTURED + piece]
    return int(removed(piece, position) & ((1 << MATERIAL) - 1) | (material << MATERIAL))


def removed(piece: int, position: int) -> int:
    """Return the position with the pieces after one moved up, and nothing behind them."""
    after = (1 << (FIRST - FIELD_BITS * piece)) - 1
    before = PIECES & ~((after << FIELD_BITS) | FIELD)
    return (position & ~PIECES) | (position & before) | ((position & after) << FIELD_BITS)


def promoted(piece: int, kind: int, position: int, data: Any) -> int:
    """Return the position with a pawn replaced by another piece, in its place in the order."""
    row, column = material_row(position), PROMOTIONS * piece + kind
    material, place = data[row, PROMOTED + column], data[row, INSERTED + column]
    square = square_of(position, piece)
    rest = removed(piece, position)
    after = (1 << (FIRST - FIELD_BITS * place + FIELD_BITS)) - 1
    pieces = (rest & PIECES & ~after) | ((rest & after) >> FIELD_BITS)
    pieces |= square << (FIRST - FIELD_BITS * place)
    head = (rest >> BLACK_KING << BLACK_KING) & ((1 << MATERIAL) - 1)
    return int(head | pieces | (material << MATERIAL))


def terminal(position: int, data: Any) -> int:
    """Return LOSS for mate, TIE for stalemate and dead positions, INVALID for illegal ones."""
    result = legality(position, data)
    if result != NOT_TERMINAL:
        return result
    side = (position >> SIDE) & 1
    own, other = king_of(position, side), king_of(position, 1 - side)
    bits, by = occupied(position, data), threats(position, 1 - side, data)
    without_king = bits ^ data[BIT, own]
    for k in range(data[REACH, own]):
        to = data[STEP + own, k]
        if data[BIT, to] & (bits | data[NEIGHBOURS, other]) == 0:  # noqa: SIM102
            if not attacked(to, by, without_king, data):
                return NOT_TERMINAL
    if successors(position, np.empty(MAX_MOVES, np.int64), data) > 0:
        return NOT_TERMINAL
    return stuck(position, data)


def legality(position: int, data: Any) -> int:
    """Return INVALID for an illegal position, TIE for a dead one, NOT_TERMINAL for all others."""
    side = (position >> SIDE) & 1
    own, other = king_of(position, side), king_of(position, 1 - side)
    if own == other or (data[NEIGHBOURS, own] >> other) & 1 or not is_placed(position, data):
        return INVALID
    if attacked(other, threats(position, side, data), occupied(position, data), data):
        return INVALID
    dead = data[material_row(position), DEAD]
    is_dead = dead == 1 or (dead == 2 and is_one_coloured(position, data))
    return TIE if is_dead else NOT_TERMINAL


def stuck(position: int, data: Any) -> int:
    """Return LOSS for mate and TIE for stalemate, at a position without moves."""
    side = (position >> SIDE) & 1
    by, bits = threats(position, 1 - side, data), occupied(position, data)
    return LOSS if attacked(king_of(position, side), by, bits, data) else TIE


def is_placed(position: int, data: Any) -> bool:
    """Return whether all men stand on squares of their own where they may stand."""
    row = material_row(position)
    king, black = king_of(position, 0), king_of(position, 1)
    for piece in range(data[row, COUNT]):
        square = square_of(position, piece)
        if square in (king, black):
            return False
        for before in range(piece):
            if square_of(position, before) == square:
                return False
        if data[row, TYPE + piece] >= WHITE_PAWN and (
            data[PUSH, square] < 0 or data[PUSH + 1, square] < 0
        ):
            return False
    return not position & EN_PASSANT or may_capture_en_passant(position, data)


def advanced_rank(side: int, data: Any) -> int:
    """Return the rank on which a pawn that has advanced two squares is, before the other side moves."""
    return 3 if side else int(data[NUMBERS, BOARD]) - 4


def advanced_square(position: int, data: Any) -> int:
    """Return the square of the pawn that may be captured en passant."""
    rank = advanced_rank((position >> SIDE) & 1, data)
    return rank * int(data[NUMBERS, BOARD]) + passant_file(position)


def may_capture_en_passant(position: int, data: Any) -> bool:
    """Return whether a pawn may just have advanced as the right says, and can be captured.

    Not if the capture would leave the king in check.
    """
    side, row = (position >> SIDE) & 1, material_row(position)
    file = passant_file(position)
    if not data[row, FACING] or file < 0 or file >= data[NUMBERS, BOARD]:
        return False
    to = advanced_square(position, data)
    taken = piece_on(to, position, data)
    if taken < 0 or is_own(taken, position, data) or data[row, TYPE + taken] < WHITE_PAWN:
        return False
    bits, passed = occupied(position, data), data[PUSH + side, to]
    if bits & (data[BIT, passed] | data[BIT, data[PUSH + side, passed]]):
        return False
    by = spared(threats(position, 1 - side, data), taken)
    king, white = king_of(position, side), data[row, WHITE]
    for piece in range(white if side else 0, data[row, COUNT] if side else white):
        at = square_of(position, piece)
        path = PATH + 64 * (WHITE_PAWN + side) + at
        if data[row, TYPE + piece] >= WHITE_PAWN and data[path, passed] == 0:
            now = bits ^ data[BIT, at] ^ data[BIT, to] | data[BIT, passed]
            if not attacked(king, by, now, data):
                return True
    return False


def is_one_coloured(position: int, data: Any) -> bool:
    """Return whether all pieces stand on squares of one colour."""
    colour = data[COLOUR, square_of(position, 0)]
    for piece in range(1, data[material_row(position), COUNT]):
        if data[COLOUR, square_of(position, piece)] != colour:
            return False
    return True

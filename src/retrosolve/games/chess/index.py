"""The canonical positions of chess endings and their index: functions of ints.

See ``layout`` for how a position is packed and for the rows of the table.
"""

from __future__ import annotations

from typing import Any

from retrosolve.games.chess.layout import (
    ALL_KINGS,
    ALWAYS,
    BALANCE,
    BASE,
    BLACK,
    BLACK_KING,
    BLACK_MOVES,
    BLACK_OF,
    BOARD,
    BUCKET,
    CONFIGURATIONS,
    COUNT,
    EN_PASSANT,
    EXCHANGED,
    FACING,
    FIELD,
    FIELD_BITS,
    FILE_OF,
    FIRST,
    FIRST_FILE,
    FLIP,
    FLIPPED,
    IS_PASSANT,
    LEADER,
    LIKE,
    LIKE_LEADER,
    MATERIAL,
    MATERIALS,
    NUM_PAIRS,
    NUMBERS,
    OF_MATERIAL,
    PAIRS_BEFORE,
    PAIRS_OF,
    PASSANT,
    PAWNS,
    PIECES,
    PLACE,
    RANK,
    RANK_OF,
    RANKS,
    SHIFT,
    SIDE,
    TIER,
    TIERS,
    TURNED,
    TURNS,
    WHITE,
    WHITE_KING,
    WHITE_OF,
    king_of,
    material_row,
    passant_file,
    square_of,
)
from retrosolve.rules.ranking import rank_pair, unrank_pair


def canonical(position: int, data: Any) -> int:
    """Return the representative of a position.

    Its material is that of a table, with White to move if both sides have the same; like pieces stand
    in the order of their squares; and of its images it is the smallest, without pawns with the white
    king in the triangle a1-d1-d4, with pawns with the leading one on the left half.
    """
    row = material_row(position)
    exchange = data[row, FLIP]
    if exchange == ALWAYS or (exchange == BLACK_MOVES and position & BLACK):
        position = exchanged(position, data)
        row = material_row(position)
    like = data[row, LIKE]
    if like:
        position = ordered(position, like)
    turns = turns_of(position, row, data)
    return position if turns == 0 else smaller(position, turns, like, data)


def turns_of(position: int, row: int, data: Any) -> int:
    """Return the symmetries to the images that may be the smallest, 0 if that is the position."""
    if data[row, PAWNS] == 0:
        return int(data[TURNS + king_of(position, 0), king_of(position, 1)])
    return int(data[BALANCE, outer_files(position, row, data)])


def outer_files(position: int, row: int, data: Any) -> int:
    """Return the sum of the files of the leading pawn and of the last one like it on its rank.

    Like pawns stand in the order of their squares, so a reflection exchanges the outer ones of a rank.
    """
    leader = data[row, LEADER]
    pawn = last = square_of(position, leader)
    for piece in range(leader + 1, data[row, LIKE_LEADER]):
        other = square_of(position, piece)
        if data[RANK_OF, other] == data[RANK_OF, pawn]:
            last = other
    return int(data[FILE_OF, pawn] + data[FILE_OF, last])


def ordered(position: int, like: int) -> int:
    """Return the position with like pieces in the order of their squares."""
    if like & 1:
        position = swapped(position, FIRST)
    if like & 2:
        position = swapped(position, FIRST - FIELD_BITS)
        if like & 1:
            position = swapped(position, FIRST)
    return position


def swapped(position: int, field: int) -> int:
    """Return the position with the piece of a field and the next one in the order of their squares."""
    difference = ((position >> field) & FIELD) - ((position >> (field - FIELD_BITS)) & FIELD)
    if difference <= 0:
        return position
    return position - (difference << field) + (difference << (field - FIELD_BITS))


def exchanged(position: int, data: Any) -> int:
    """Return the position with the colours exchanged and the other side to move."""
    # The first symmetry leaves squares alone.
    seen = FLIPPED if data[material_row(position), PAWNS] else TURNED
    return exchanged_image(position, seen, data)


def exchanged_image(position: int, seen: int, data: Any) -> int:
    """Return the image of a position by a symmetry, with the colours exchanged."""
    row = material_row(position)
    pieces = turned(position, seen, data)
    all_bits, white_bits = FIELD_BITS * data[row, COUNT], FIELD_BITS * data[row, WHITE]
    unused = BLACK_KING - all_bits
    pieces = (pieces & PIECES) >> unused
    pieces = (pieces << white_bits | pieces >> (all_bits - white_bits)) & ((1 << all_bits) - 1)
    return int(
        (data[row, EXCHANGED] << MATERIAL)
        | (position & EN_PASSANT)
        | (~position & BLACK)
        | (data[seen, king_of(position, 1)] << WHITE_KING)
        | (data[seen, king_of(position, 0)] << BLACK_KING)
        | (pieces << unused)
        | (position & ((1 << unused) - 1))
    )


def smaller(position: int, turns: int, like: int, data: Any) -> int:
    """Return the smaller of two images."""
    image = ordered(turned(position, TURNED + (turns & 7), data), like)
    if turns >> 3 == turns & 7:
        return image
    return min(image, ordered(turned(position, TURNED + (turns >> 3), data), like))


def turned(position: int, seen: int, data: Any) -> int:
    """Return the image of a position by a row of images of squares.

    The bits of pieces that the material does not have stay as they are: a number that is no position
    has an image that is none.
    """
    unused = PIECES >> FIELD_BITS * data[material_row(position), COUNT]
    head = position >> SIDE << SIDE
    if position & EN_PASSANT:
        file = passant_file(position)
        head += (data[FILE_OF, data[seen, file]] - file) << PASSANT
    return int(
        head
        | (data[seen, king_of(position, 0)] << WHITE_KING)
        | (data[seen, king_of(position, 1)] << BLACK_KING)
        | (
            (
                (data[seen, square_of(position, 0)] << FIRST)
                | (data[seen, square_of(position, 1)] << (FIRST - FIELD_BITS))
                | data[seen, square_of(position, 2)]
            )
            & ~unused
        )
        | (position & unused)
    )


def rank(position: int, data: Any) -> int:
    """Return the index: tier, side to move, black king, pieces, white king.

    Neighbouring indices have close values, which compress well: the order was chosen by that.
    """
    row, n = material_row(position), data[NUMBERS, BOARD]
    if data[row, PAWNS] < 2:
        place, tier = placed(position, row, data), tier_row(position, row, data)
        return with_kings(position, place, row, tier, data)
    leader, pawns = data[row, LEADER], data[row, PAWNS]
    one, two = square_of(position, leader), square_of(position, leader + 1)
    three = square_of(position, 2) if pawns == 3 else 0
    rank, place = data[RANK_OF, two], data[FILE_OF, one]
    if position & EN_PASSANT and pawns < 3:
        rank = data[RANK_OF, one]  # also of a number that has the other pawn past the edge
        place = 2 * place + (two > one)
    else:
        place = place * n + data[FILE_OF, two]
    ranks = data[row, RANKS] + data[RANK_OF, three]
    tier = data[NUMBERS, TIERS] + data[ranks, 8 * data[RANK_OF, one] + rank]
    if pawns == 3:
        place = place * n + data[FILE_OF, three]
        if position & EN_PASSANT:
            beside = passant_file(position) - data[FILE_OF, three]
            place = 2 * place + ((beside + ((position >> SIDE) & 1)) >> 1)
    elif data[row, COUNT] == 3:
        place = place * n * n + square_of(position, 2 - 2 * leader)
    if position & EN_PASSANT:
        tier += 1
    elif data[RANK_OF, one] != data[tier, RANK]:
        place += data[tier, CONFIGURATIONS] >> 1
    return with_kings(position, place, row, tier, data)


def tier_row(position: int, row: int, data: Any) -> int:
    """Return the row of the tier of a position with at most one pawn."""
    if data[row, PAWNS] == 0:
        return int(data[NUMBERS, TIERS] + data[row, TIER])
    pawn = square_of(position, data[row, LEADER])
    return int(data[NUMBERS, TIERS] + data[data[row, RANKS], 8 * data[RANK_OF, pawn]])


def with_kings(position: int, place: int, row: int, tier: int, data: Any) -> int:
    """Return the index of the kings and the side to move of a position, and the place of its pieces."""
    kings = data[row, ALL_KINGS]
    white, black = king_of(position, 0), king_of(position, 1)
    pairs = data[kings + PAIRS_BEFORE, black]
    pairs += ((position >> SIDE) & 1) * data[tier, NUM_PAIRS]
    index = pairs * data[tier, CONFIGURATIONS] + place * data[kings + PAIRS_OF, black]
    return int(index + data[kings + PLACE + black, white] + data[tier, BASE])


def placed(position: int, row: int, data: Any) -> int:
    """Return the number of the squares of the pieces, like ones in order, at most one a pawn."""
    number, like, n = data[row, COUNT], data[row, LIKE], data[NUMBERS, BOARD]
    if data[row, PAWNS] == 0:
        return rank_pieces(position & PIECES, number, like, n * n)
    leader = data[row, LEADER]
    file = data[FILE_OF, square_of(position, leader)]
    return rank_pawn(position, file, leader, number, like, n * n)


def rank_pawn(position: int, file: int, leader: int, number: int, like: int, area: int) -> int:
    """Return the number of a pawn's file and the squares of up to two pieces, which may be alike."""
    if number == 1:
        return file
    if number == 2:
        return file * area + square_of(position, 1 - leader)
    one, two = square_of(position, leader == 0), square_of(position, 2 - (leader == 2))
    if like:
        return file * (area * (area - 1) >> 1) + rank_pair(one, two)
    return (file * area + one) * area + two


def rank_pieces(pieces: int, number: int, like: int, area: int) -> int:
    """Return the number of the squares of up to three pieces, none of them a pawn."""
    if not like and area == 1 << FIELD_BITS:
        return pieces >> FIELD_BITS * (3 - number)
    one, two, three = square_of(pieces, 0), square_of(pieces, 1), square_of(pieces, 2)
    if like & 1:
        place = rank_pair(one, two)
        return place * area + three if number == 3 else place
    if like & 2:
        return one * (area * (area - 1) >> 1) + rank_pair(two, three)
    place = one
    if number > 1:
        place = place * area + two
    return place * area + three if number > 2 else place


def unrank(index: int, data: Any) -> int:
    """Return the position of an index."""
    bucket = index >> data[NUMBERS, SHIFT]
    tier = data[NUMBERS, TIERS] + data[BUCKET + (bucket >> 6), bucket & 63]
    while index >= data[tier + 1, BASE]:
        tier += 1
    row, n = MATERIALS + data[tier, OF_MATERIAL], data[NUMBERS, BOARD]
    size, num_pairs, kings = (
        data[tier, CONFIGURATIONS],
        data[tier, NUM_PAIRS],
        data[row, ALL_KINGS],
    )
    index -= data[tier, BASE]
    pairs = index // size
    side = 1 if pairs >= num_pairs else 0
    pairs -= side * num_pairs
    black = data[kings + BLACK_OF + (pairs >> 6), pairs & 63]
    index -= (side * num_pairs + data[kings + PAIRS_BEFORE, black]) * size
    here = data[kings + PAIRS_OF, black]
    place = index // here
    white = data[kings + WHITE_OF + black, index - place * here]
    position = (data[tier, OF_MATERIAL] << MATERIAL) | (side << SIDE)
    position |= (white << WHITE_KING) | (black << BLACK_KING)
    if data[row, PAWNS] == 0:
        number, like = data[row, COUNT], data[row, LIKE]
        return int(position | unrank_pieces(place, number, like, n * n))
    leader, number = data[row, LEADER], data[row, COUNT]
    first = data[tier, RANK] * n
    if data[row, PAWNS] == 1:
        if number == 3:
            return int(position | unrank_pawn_of_three(place, first, leader, data[row, LIKE], n * n))
        return int(position | unrank_pawn(place, first, leader, number, n * n))
    if data[row, PAWNS] == 3:
        return int(position | unrank_three_pawns(place, tier, side, data))
    second, half = data[tier, RANK + 1] * n, size // 2
    passant = data[tier, IS_PASSANT] == 1
    if number == 2 and passant:  # the side to move says which of two ranks the pawns are on
        first = (3 if side else n - 4) * n
    elif number == 2 and data[row, FACING] and place >= half and first + second != n * (n - 1):
        place -= half
        first, second = n * (n - 1) - second, n * (n - 1) - first
    field = FIRST - FIELD_BITS * leader
    if number == 3:
        position |= place % (n * n) << (FIRST - 2 * FIELD_BITS * (1 - leader))
        place //= n * n
    if passant:
        return int(position | unrank_passant(place, first, side, field, n))
    return int(position | (first + place // n) << field | (second + place % n) << (field - FIELD_BITS))


def unrank_three_pawns(place: int, tier: int, side: int, data: Any) -> int:
    """Return the packed squares of three pawns, and perhaps the right of a side to capture.

    Black's pawn captures the one to the left or to the right of it, White's pawns capture it. The other
    number that has White to move is no position.
    """
    n, position = data[NUMBERS, BOARD], 0
    if data[tier, IS_PASSANT]:
        file = place // 2 % n + 2 * (place % 2) - side
        position, place = (file + FIRST_FILE) << PASSANT, place // 2
    place, three = place // n, data[tier, RANK + 2] * n + place % n
    one, two = data[tier, RANK] * n + place // n, data[tier, RANK + 1] * n + place % n
    return int(position | (one << FIRST) | (two << (FIRST - FIELD_BITS)) | three)


def unrank_pieces(place: int, number: int, like: int, area: int) -> int:
    """Return the packed squares of up to three pieces, none of them a pawn."""
    if not like and area == 1 << FIELD_BITS:
        return place << FIELD_BITS * (3 - number)
    one, two, three = place, 0, 0
    if like & 1:
        if number == 3:
            three, place = place % area, place // area
        one, two = unrank_pair(place)
    elif like & 2:
        pairs = area * (area - 1) // 2
        one = place // pairs
        two, three = unrank_pair(place % pairs)
    else:
        if number > 2:
            three, one = one % area, one // area
        if number > 1:
            two, one = one % area, one // area
    return int((one << FIRST) | (two << (FIRST - FIELD_BITS)) | three << (FIRST - 2 * FIELD_BITS))


def unrank_pawn(place: int, first: int, leader: int, number: int, area: int) -> int:
    """Return the packed squares of a pawn and another piece, if there is one."""
    other = 0
    if number == 2:
        other, place = place % area, place // area
    pawn_field, field = FIRST - FIELD_BITS * leader, FIRST - FIELD_BITS * (1 - leader)
    return int(((first + place) << pawn_field) | (other << field))


def unrank_pawn_of_three(place: int, first: int, leader: int, like: int, area: int) -> int:
    """Return the packed squares of a pawn and two other pieces, which may be alike."""
    if like:
        pairs = area * (area - 1) // 2
        place, pair = place // pairs, place % pairs
        one, two = unrank_pair(pair)
    else:
        place, two = place // area, place % area
        place, one = place // area, place % area
    one_field = FIRST - FIELD_BITS * (1 if leader == 0 else 0)
    two_field = FIRST - FIELD_BITS * (1 if leader == 2 else 2)
    pawn = (first + place) << (FIRST - FIELD_BITS * leader)
    return int(pawn | (one << one_field) | (two << two_field))


def unrank_passant(place: int, first: int, side: int, field: int, board: int) -> int:
    """Return the packed squares of two pawns beside each other, and the right of a side to capture."""
    one = first + place // 2
    two = (one - 1 + 2 * (place % 2)) & FIELD
    file = (one if side else two) % board
    return int((file + FIRST_FILE) << PASSANT | (one << field) | (two << (field - FIELD_BITS)))

"""The compiled rules of Dobutsu Shogi: functions of ints.

The player to move plays up. Squares go row by row from the mover's left, from 0 on; 15 is a hand, or,
without drops, where captured pieces go. A piece is a code of 6 bits: its square, then 1 for a
hen, then 0 for the mover's and 1 for the other's. A position is the mover's lion, the other's lion (4
bits each), two giraffes, two elephants, two chicks or hens (6 bits each), from high to low. Like pieces
go by their codes, low first.

Two ints stand for all decided positions: LOST for the player to move, whose lion is captured or who
cannot capture a lion on the last row; WON in one ply, as the opponent's lion can be captured.
"""

from __future__ import annotations

from typing import Any

from retrosolve.arrays import IntArray
from retrosolve.rules.contract import LOSS, NOT_TERMINAL
from retrosolve.rules.ranking import rank_pair

LOST, WON = 0, 1

WIDTH = 3

OWN_LION, LION = 40, 36
SHIFT = 30  # that of the first of six pieces; the others follow, each 6 below
CODE = 63
HAND = 15
HAND_CODE = HAND << 2  # of the mover, and next to it of the other
CHICKS = 2  # the third kind: giraffes are 0, elephants 1, lions 3
LIONS = 3

# Rows of the one table. By code of a piece, four each with the kind added, then by code alone.
ATTACK = 0  # squares that it attacks, if it is the mover's
STEPS = 4  # squares that it steps to, if it is the other's
BACK = 8  # squares that it may have stepped from, if it is the mover's
TURNED = 12  # its code when the board is turned
MIRRORED = 13
# By other things.
SQUARE = 14  # by a bit modulo 19, of which 2 is a primitive root
PAIR = 15  # by number of a pair of places: the lower place and 16 times the higher
CLASS = 16  # + 0 first index, + 1, 2, 3 numbers of giraffes, elephants, chicks; by class
SORTED = 20  # first indices of the classes, ascending
KIND = 21  # and which classes these are
NUMBER = 22  # + square of the mover's lion, by that of the other's: number of the pair; -1 if mirrored
PLACE = 37  # + twice the number of a pair of lions: by square, its number among the free ones
FREE = 38  # + twice the number of a pair of lions: by number, the free square; OFF and above, HAND
OWN, OTHER, OFF = 13, 14, 16  # columns of FREE


def ordered(position: int) -> int:
    """Return the position with like pieces in the order of their codes."""
    for shift in (0, 12, 24):
        first, second = position >> shift + 6 & CODE, position >> shift & CODE
        if first > second:
            change = first ^ second
            position ^= change << shift + 6 | change << shift
    return position


def turned(position: int, table: IntArray, last: int) -> int:
    """Return the position from the side of the opponent."""
    other = last - (position >> LION & 15) << OWN_LION | last - (position >> OWN_LION) << LION
    for shift in range(0, SHIFT + 1, 6):
        other |= table[TURNED, position >> shift & CODE] << shift
    return ordered(other)


def mirrored(position: int, table: IntArray) -> int:
    """Return the mirror image."""
    own = table[MIRRORED, position >> OWN_LION << 2] >> 2
    image = own << OWN_LION | table[MIRRORED, (position >> LION & 15) << 2] >> 2 << LION
    for shift in range(0, SHIFT + 1, 6):
        image |= table[MIRRORED, position >> shift & CODE] << shift
    return ordered(image)


def attacked(position: int, table: IntArray) -> bool:
    """Return whether the mover can capture the opponent's lion."""
    squares = table[ATTACK + LIONS, position >> OWN_LION << 2]
    for kind in range(3):
        shift = SHIFT - 12 * kind
        squares |= table[ATTACK + kind, position >> shift & CODE]
        squares |= table[ATTACK + kind, position >> shift - 6 & CODE]
    return bool(squares >> (position >> LION & 15) & 1)


def canonical(position: int, data: Any) -> int:
    """Return LOST or WON if the game is decided, else the smaller of the two mirror images."""
    if position <= WON:
        return position
    table, _, _, own_images = data
    if attacked(position, table):
        return WON
    lion = position >> LION & 15
    if lion < WIDTH:
        return LOST
    number = table[NUMBER + (position >> OWN_LION), lion]
    if number >= own_images:
        return min(position, mirrored(position, table))
    return mirrored(position, table) if number < 0 else position


def terminal(position: int, data: Any) -> int:
    """Return LOSS if the opponent's lion is on the last row and cannot be captured."""
    if position == LOST:
        return LOSS
    if position > WON and position >> LION & 15 < WIDTH and not attacked(position, data[0]):
        return LOSS
    return NOT_TERMINAL


def occupied(position: int, owner: int) -> int:
    """Return the squares of a player's pieces except the lion."""
    squares = 0
    for shift in range(0, SHIFT + 1, 6):
        code = position >> shift & CODE
        if code & 1 == owner and code < HAND_CODE:
            squares |= 1 << (code >> 2)
    return squares


def successors(position: int, out: Any, data: Any) -> int:
    """Write the positions after each move; a lion that can be captured is captured."""
    table, drops, last, _ = data
    if position <= WON or attacked(position, table):
        out[0] = LOST
        return 1
    board = turned(position, table, last)  # those who move are the other's pieces now, and step down
    lion = board >> LION & 15
    theirs = occupied(board, 0) | 1 << (board >> OWN_LION)
    mine = occupied(board, 1) | 1 << lion
    free = (2 << last) - 1 & ~(mine | theirs)
    count = 0
    for k in range(6):
        shift = SHIFT - 6 * k
        code = board >> shift & CODE
        if code & 1 == 0:
            continue
        if code > HAND_CODE:
            if k & 1 == 0 or board >> shift + 6 & CODE != code:
                count = dropped(board, shift, free, out, count, table)
            continue
        ways = table[STEPS + (k >> 1), code] & ~mine
        while ways != 0:
            bit = ways & -ways
            ways ^= bit
            to = table[SQUARE, bit % 19]
            after = to << 2 | code & 3
            if k >= 2 * CHICKS and to < WIDTH:
                after |= 2
            stepped = taken(board, to, drops) if theirs & bit != 0 else board
            out[count] = ordered(stepped ^ (code ^ after) << shift)
            count += 1
    ways = table[STEPS + LIONS, lion << 2] & ~mine
    while ways != 0:
        bit = ways & -ways
        ways ^= bit
        to = table[SQUARE, bit % 19]
        stepped = taken(board, to, drops) if theirs & bit != 0 else board
        out[count] = ordered(stepped ^ (lion ^ to) << LION)
        count += 1
    return count


def dropped(board: int, shift: int, free: int, out: Any, count: int, table: IntArray) -> int:
    """Write the positions after dropping a piece of the opponent's hand on each free square."""
    while free != 0:
        bit = free & -free
        free ^= bit
        after = table[SQUARE, bit % 19] << 2 | 1
        out[count] = ordered(board ^ (HAND_CODE + 1 ^ after) << shift)
        count += 1
    return count


def taken(board: int, square: int, drops: int) -> int:
    """Return the position with the mover's piece captured; with drops in the opponent's hand."""
    for shift in range(0, SHIFT + 1, 6):
        code = board >> shift & CODE
        if code >> 2 == square:
            return board ^ (code ^ (HAND_CODE | drops)) << shift
    return board


def predecessors(position: int, out: Any, data: Any) -> int:
    """Write the undecided positions with a move to this one; without drops, not by a capture."""
    table, drops, last, _ = data
    if position <= WON:
        return 0
    board = turned(position, table, last)  # those who have moved are the mover's pieces now
    lion = board >> OWN_LION
    free = (2 << last) - 1 & ~(
        occupied(board, 0) | occupied(board, 1) | 1 << lion | 1 << (board >> LION & 15)
    )
    count = 0
    for k in range(6):
        shift = SHIFT - 6 * k
        code = board >> shift & CODE
        if code & 1 == 1 or code >= HAND_CODE:
            continue
        square = code >> 2
        if drops != 0 and code & 2 == 0:
            count = undecided(board ^ (code ^ HAND_CODE) << shift, out, count, table)
        ways = table[BACK + (k >> 1), code] & free
        while ways != 0:
            bit = ways & -ways
            ways ^= bit
            before = table[SQUARE, bit % 19] << 2 | code & 3
            stepped = board ^ (code ^ before) << shift
            count = given_back(stepped, square, drops, out, count, table)
            if code & 2 != 0 and square > last - WIDTH and square - WIDTH == before >> 2:
                count = given_back(stepped ^ 2 << shift, square, drops, out, count, table)
    ways = table[BACK + LIONS, lion << 2] & free
    while ways != 0:
        bit = ways & -ways
        ways ^= bit
        stepped = board ^ (lion ^ table[SQUARE, bit % 19]) << OWN_LION
        count = given_back(stepped, lion, drops, out, count, table)
    return count


def given_back(board: int, square: int, drops: int, out: Any, count: int, table: IntArray) -> int:
    """Write the position, and those with a piece of the mover's hand uncaptured on the square."""
    count = undecided(board, out, count, table)
    if drops == 0:
        return count
    for k in range(6):
        shift = SHIFT - 6 * k
        if board >> shift & CODE != HAND_CODE:
            continue
        if k & 1 == 1 and board >> shift + 6 & CODE == HAND_CODE:
            continue
        back = board ^ (HAND_CODE ^ (square << 2 | 1)) << shift
        count = undecided(back, out, count, table)
        if k >= 2 * CHICKS:
            count = undecided(back ^ 2 << shift, out, count, table)
    return count


def undecided(board: int, out: Any, count: int, table: IntArray) -> int:
    """Write a position unless the mover could capture the lion."""
    if not attacked(board, table):
        out[count] = ordered(board)
        count += 1
    return count


def rank(position: int, data: Any) -> int:
    """Return the index: class, lions, giraffes, elephants, chicks."""
    if position <= WON:
        return position
    table, drops, _, _ = data
    lions = table[NUMBER + (position >> OWN_LION), position >> LION & 15]
    place = PLACE + 2 * lions
    first, second = position >> 30 & CODE, position >> 24 & CODE
    kind = down(first, second)
    g, h = table[place, first >> 2], table[place, second >> 2]
    giraffes = numbered(first, second, g, h, 1, drops)
    first, second = position >> 18 & CODE, position >> 12 & CODE
    kind = 3 * kind + down(first, second)
    e, f = table[place, first >> 2], table[place, second >> 2]
    e, f = closer(e, g, h), closer(f, g, h)
    elephants = numbered(first, second, e, f, 1, drops)
    first, second = position >> 6 & CODE, position & CODE
    kind = 3 * kind + down(first, second)
    c, d = table[place, first >> 2], table[place, second >> 2]
    c, d = closer(closer(c, g, h), e, f), closer(closer(d, g, h), e, f)
    chicks = numbered(first, second, c, d, 2, drops)
    index = lions * table[CLASS + 1, kind] + giraffes
    index = index * table[CLASS + 2, kind] + elephants
    return int(table[CLASS, kind] + index * table[CLASS + 3, kind] + chicks)


def down(first: int, second: int) -> int:
    """Return how many of two pieces are on the board."""
    return int(first < HAND_CODE) + int(second < HAND_CODE)


def closer(number: int, low: int, high: int) -> int:
    """Return the number of a square if two other squares are left out."""
    return number - int(number > low) - int(number > high)


def numbered(first: int, second: int, low: int, high: int, bits: int, drops: int) -> int:
    """Return the rank of two like pieces, those on the board at ``low`` and ``high``.

    ``bits`` is 2 if a piece may be a hen, else 1. Without drops each player has one of the two.
    """
    mask = 2 * bits - 1
    if second < HAND_CODE:
        number = rank_pair(low, high) << bits | first & mask
        if drops == 0:
            return number << bits - 1 | (second & mask) >> 1
        return number << bits | second & mask
    if first < HAND_CODE:
        number = low << bits | first & mask
        return 2 * number + (second & 1) if drops != 0 else number
    return (first & 1) + (second & 1)


def unrank(index: int, data: Any) -> int:
    """Return the position of an index."""
    if index <= WON:
        return index
    table, drops, _, _ = data
    block = 26
    while index < table[SORTED, block]:
        block -= 1
    index -= table[SORTED, block]
    kind = table[KIND, block]
    many = table[CLASS + 3, kind]
    above = index // many
    chicks = two(index - above * many, kind % 3, 2, drops, table)
    many = table[CLASS + 2, kind]
    index, above = above, above // many
    elephants = two(index - above * many, kind // 3 % 3, 1, drops, table)
    many = table[CLASS + 1, kind]
    index, above = above, above // many
    giraffes = two(index - above * many, kind // 9, 1, drops, table)
    free = FREE + 2 * above
    chicks = placed(spread(spread(chicks, elephants), giraffes), free, table)
    elephants = placed(spread(elephants, giraffes), free, table)
    lions = table[free, OWN] << OWN_LION | table[free, OTHER] << LION
    return int(lions | placed(giraffes, free, table) << 24 | elephants << 12 | chicks)


def two(number: int, many: int, bits: int, drops: int, table: IntArray) -> int:
    """Return two like pieces of a rank: two codes of 8 bits, with numbers instead of squares."""
    mask = 2 * bits - 1
    if many == 2:
        if drops == 0:
            number = (number >> bits - 1) << bits | (number & mask >> 1) << 1
            number |= 1 ^ number >> bits & 1
        second = number & mask
        number >>= bits
        pair = table[PAIR, number >> bits]
        first = (pair & 15) << 2 | number & mask
        return int(first << 8 | (pair >> 4) << 2 | second)
    if many == 1:
        owner = number & drops
        number >>= drops
        return ((number >> bits) << 2 | number & mask) << 8 | OFF << 2 | owner
    return (OFF << 2 | number >> 1) << 8 | OFF << 2 | (number + 1) >> 1


def spread(pieces: int, others: int) -> int:
    """Return two pieces with their numbers raised past the squares of two others."""
    low, high = others >> 10, others >> 2 & 63
    first, second = pieces >> 10, pieces >> 2 & 63
    first += first >= low
    first += first >= high
    second += second >= low
    second += second >= high
    return (first << 2 | pieces >> 8 & 3) << 8 | second << 2 | pieces & 3


def placed(pieces: int, free: int, table: IntArray) -> int:
    """Return the codes of two pieces, 6 bits each."""
    first = table[free, pieces >> 10] << 2 | pieces >> 8 & 3
    return int(first << 6 | table[free, pieces >> 2 & 63] << 2 | pieces & 3)

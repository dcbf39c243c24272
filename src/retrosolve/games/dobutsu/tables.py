"""The table of Dobutsu Shogi: steps of the pieces, pairs of lions, and classes of the index."""

from __future__ import annotations

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.games.dobutsu import moves as rules
from retrosolve.games.dobutsu.moves import HAND, HAND_CODE, LOST, WIDTH, WON
from retrosolve.rules.ranking import rank_pair

STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
AHEAD = STRAIGHT[:1]
WAYS = [STRAIGHT, DIAGONAL, AHEAD, STRAIGHT + DIAGONAL]
HEN = STRAIGHT + DIAGONAL[:2]
CLASSES = 27


def reached(square: int, ways: list[tuple[int, int]], squares: int) -> list[int]:
    """Return the squares one step away."""
    row, column = divmod(square, WIDTH)
    places = [(row + up, column + right) for up, right in ways]
    return [WIDTH * r + c for r, c in places if 0 <= r < squares // WIDTH and 0 <= c < WIDTH]


def numbers_down(kind: int) -> tuple[int, int, int]:
    """Return the numbers of giraffes, elephants and chicks on the board in a class."""
    return kind // 9, kind // 3 % 3, kind % 3


def tiers(table: IntArray, drops: bool) -> tuple[int, ...]:
    """Return the first index of each tier: LOST, WON, all classes or those with as many pieces."""
    begin = table[rules.SORTED, :CLASSES].tolist()
    down = [sum(numbers_down(kind)) for kind in table[rules.KIND, :CLASSES].tolist()]
    firsts = [i for k, i in enumerate(begin) if k == 0 or (not drops and down[k] > down[k - 1])]
    return (LOST, WON, *firsts)


def make_table(squares: int, drops: bool) -> tuple[IntArray, int]:
    """Return the table of the rules, and how many pairs of lions are not their own mirror images.

    Parameters
    ----------
    squares : int
        Squares of the board.
    drops : bool
        Whether captured pieces may be dropped.
    """
    lions, unlike = _lions(squares)
    free = squares - 2
    shape = rules.PLACE + 2 * len(lions), max(64, free * (free - 1) // 2)
    table: IntArray = np.zeros(shape, np.int64)
    for k in range(squares):
        table[rules.SQUARE, (1 << k) % 19] = k
    for high in range(free):
        for low in range(high):
            table[rules.PAIR, rank_pair(low, high)] = low | high << 4
    _fill_steps(table, squares, drops)
    _fill_lions(table, lions, squares)
    _fill_classes(table, len(lions), squares, drops)
    return table, unlike


def _fill_steps(table: IntArray, squares: int, drops: bool) -> None:
    for code in (HAND_CODE, HAND_CODE + 1):
        table[rules.TURNED, code] = code ^ int(drops)
        table[rules.MIRRORED, code] = code
    for code in range(squares << 2):
        square, rest = code >> 2, code & 3
        table[rules.TURNED, code] = squares - 1 - square << 2 | rest ^ 1
        table[rules.MIRRORED, code] = _image(square) << 2 | rest
        for kind, ways in enumerate(WAYS):
            ahead = HEN if kind == rules.CHICKS and rest & 2 else ways
            for to in reached(square, ahead, squares) if rest & 1 == 0 else []:
                table[rules.ATTACK + kind, code] |= 1 << to
                if kind == rules.LIONS and square < squares - WIDTH:
                    table[rules.BACK + kind, to << 2] |= 1 << square
                elif kind != rules.LIONS and (kind != rules.CHICKS or rest & 2 or to < squares - WIDTH):
                    table[rules.BACK + kind, to << 2 | rest] |= 1 << square
            down = [(-up, right) for up, right in ahead]
            for to in reached(square, down, squares) if rest & 1 == int(kind != rules.LIONS) else []:
                table[rules.STEPS + kind, code] |= 1 << to


def _image(square: int) -> int:
    """Return the mirror image of a square."""
    return square + WIDTH - 1 - 2 * (square % WIDTH)


def _lions(squares: int) -> tuple[list[tuple[int, int]], int]:
    """Return the pairs of lions that do not decide the game, up to mirror images.

    Those that are their own mirror images come last, after so many others.
    """
    pairs = []
    for own in range(squares - WIDTH):
        for other in range(WIDTH, squares):
            if own != other and other not in reached(own, WAYS[rules.LIONS], squares):
                image = _image(own), _image(other)
                if (own, other) <= image:
                    pairs.append(((own, other) == image, own, other))
    pairs.sort()
    return [pair[1:] for pair in pairs], sum(not alike for alike, _, _ in pairs)


def _fill_lions(table: IntArray, lions: list[tuple[int, int]], squares: int) -> None:
    table[rules.NUMBER : rules.NUMBER + squares] = -1
    for number, (own, other) in enumerate(lions):
        table[rules.NUMBER + own, other] = number
        free = [s for s in range(squares) if s not in (own, other)]
        place, row = rules.PLACE + 2 * number, rules.FREE + 2 * number
        table[place, free] = range(len(free))
        table[place, HAND] = rules.OFF
        table[row, : len(free)] = free
        table[row, [rules.OWN, rules.OTHER]] = own, other
        table[row, rules.OFF :] = HAND


def _fill_classes(table: IntArray, lions: int, squares: int, drops: bool) -> None:
    """Fill in the number of placements of each kind in each class, and where it begins."""
    begin = 2
    kinds = sorted(range(CLASSES), key=lambda kind: (sum(numbers_down(kind)), kind))
    for block, kind in enumerate(kinds):
        free, many = squares - 2, lions
        table[[rules.CLASS, rules.SORTED], [kind, block]] = begin
        table[rules.KIND, block] = kind
        for row, (many_down, bits) in enumerate(zip(numbers_down(kind), (1, 1, 2), strict=True), 1):
            one = free << bits + int(drops)
            both = free * (free - 1) // 2 << 2 * bits - 1 + int(drops)
            number = (3 if drops else 1, one, both)[many_down]
            table[rules.CLASS + row, kind] = number
            many *= number
            free -= many_down
        begin += many
    table[rules.SORTED, CLASSES] = begin

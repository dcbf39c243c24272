"""Games of sowing: boards of seeds in pits, by the number of seeds and then in order.

A board is a number with as many bits for each pit, the first pit lowest. A tier of the index has all
boards with the same number of seeds, which only captures change.
"""

from __future__ import annotations

from itertools import accumulate
from math import comb
from typing import Any

import numpy as np

from retrosolve.drawing.picture import CELL, Picture
from retrosolve.errors import PositionError, RulesError
from retrosolve.rules.contract import CompiledGame

LETTERS = "abcdefghijklmnopqrstuvwxyz"
BOARD_BITS = 62
LARGEST_INDEX = 1 << 33


class SowingGame(CompiledGame):
    """Two rows of pits, those of the player to move below, and the seeds in them.

    Parameters
    ----------
    pits : int
        The pits of a player.
    seeds : int
        The seeds on the board at the start, in all.
    sides : int
        How many positions a board stands for: 2 if the position says who moves.
    rule : int
        A choice among the rules of the game, for ``data``.

    Raises
    ------
    RulesError
        For fewer than 1, and more than 62 bits hold.
    """

    turns_board = True

    def __init__(self, pits: int, seeds: int, sides: int, rule: int) -> None:
        for name, number in (("pits", pits), ("seeds", seeds)):
            if type(number) is not int or number < 1:
                raise RulesError(f"{name}={number!r}: expected a whole number from 1 on")
        bits = seeds.bit_length()
        places = 2 * pits
        if bits * places + sides - 1 > BOARD_BITS:
            raise RulesError(
                f"{seeds} seeds in {places} pits take {bits * places} bits: expected at most "
                f"{BOARD_BITS + 1 - sides}"
            )
        layers = [comb(s + places - 1, places - 1) for s in range(seeds + 1)]
        if sum(layers) > LARGEST_INDEX:
            raise RulesError(f"{seeds} seeds in {places} pits have too many boards: expected fewer")
        self.pits, self.seeds = pits, seeds
        self.max_moves = pits
        first = [0, *accumulate(layers)]
        self.tiers, self.size = tuple(sides * at for at in first[:-1]), sides * first[-1]
        self.tier_names = tuple(map(str, range(seeds + 1)))
        ways = np.zeros((places + 1, seeds + 1), np.int64)
        for p in range(1, places + 1):
            ways[p] = [comb(s + p - 1, p - 1) for s in range(seeds + 1)]
        ones = sum(1 << bits * place for place in range(pits))  # a seed in each pit of a half
        self.data = (places, bits, (1 << bits) - 1, pits, rule, ways, np.array(first, np.int64), ones)

    def pit(self, board: int, place: int) -> int:
        """Return the seeds in a pit."""
        seeds: int = int(board) >> self.data[1] * place & self.data[2]
        return seeds

    def board_of(self, seeds: list[int]) -> int:
        """Return the board with these seeds in the pits. Raises PositionError for too many."""
        if len(seeds) != 2 * self.pits or min(seeds) < 0 or sum(seeds) > self.seeds:
            raise PositionError(
                f"{seeds} is no position: expected {2 * self.pits} pits with at most {self.seeds} seeds"
            )
        return sum(n << self.data[1] * place for place, n in enumerate(seeds))

    def rows(self, board: int) -> tuple[list[int], list[int]]:
        """Return the seeds in the first half of the pits, and in the second."""
        pits = [self.pit(board, place) for place in range(2 * self.pits)]
        return pits[: self.pits], pits[self.pits :]

    def board_text(self, position: int) -> str:
        """Return the pits of the other player above those of the player to move."""
        mine, others = self.halves(position)
        width = len(str(self.seeds))
        rows = others[::-1], mine
        return "\n".join(" ".join(f"{count:>{width}}" for count in row) for row in rows)

    def halves(self, position: int) -> tuple[list[int], list[int]]:
        """Return the seeds in the pits of the player to move, and in those of the other."""
        raise NotImplementedError

    def drawing(self, board: int, title: str, below: int = 0) -> str:
        """Return a drawing with the pits of one half, by default the first, below.

        The pits of the player below can be clicked.
        """
        picture = Picture(self.pits * CELL, 2 * CELL, title)
        halves = self.rows(board)
        for row, seeds in enumerate((halves[1 - below][::-1], halves[below])):
            for column, count in enumerate(seeds):
                x, y = (column + 0.5) * CELL, (row + 0.5) * CELL
                picture.disc(x, y, 0.42 * CELL, "hole")
                picture.text(x, y, str(count))
        for column in range(self.pits):
            name = f"{LETTERS[column]}: {halves[below][column]}"
            picture.point(LETTERS[column], column * CELL, CELL, CELL, CELL, name)
        return str(picture)


def seeds_on(board: int, data: Any) -> int:
    """Return the number of seeds on a board.

    The product of a half and of one seed in each of its pits has the sum of all pits in the last one.
    No sum is more than a pit holds, and a product has at most 62 bits.
    """
    bits, mask, ones = data[1], data[2], data[7]
    half = bits * data[3]
    second = board >> half
    first = board - (second << half)
    count: int = (first * ones >> half - bits & mask) + (second * ones >> half - bits & mask)
    return count


def rank_board(board: int, data: Any, ways: Any, first: Any) -> int:
    """Return the place of a board: those with fewer seeds come first, then pit by pit.

    The boards with fewer than a of r seeds in the first of p pits are as many as those with r seeds in
    p pits, less those with r - a.
    """
    places, bits, mask = data[0], data[1], data[2]
    seeds = seeds_on(board, data)
    index: int = first[seeds]
    for p in range(places, 1, -1):
        rest = seeds - (board & mask)
        board >>= bits
        index += ways[p, seeds] - ways[p, rest]
        seeds = rest
    return index


def unrank_board(index: int, data: Any, ways: Any, first: Any) -> int:
    """Return the board at a place."""
    places, bits = data[0], data[1]
    seeds = 0
    while first[seeds + 1] <= index:
        seeds += 1
    index -= first[seeds]
    board, shift = 0, 0
    for p in range(places, 1, -1):
        rest = seeds
        while rest > 0 and ways[p, seeds] - ways[p, rest - 1] <= index:
            rest -= 1
        index -= ways[p, seeds] - ways[p, rest]
        board |= (seeds - rest) << shift
        shift += bits
        seeds = rest
    return board | seeds << shift

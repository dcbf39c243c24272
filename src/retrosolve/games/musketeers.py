"""Three musketeers, compiled: H. Hoolim's game of three men against 22, on 5 x 5 squares.

The musketeers stand in two opposite corners and in the middle, enemies on all other squares. In turn a
musketeer captures an enemy on a square beside his, in a row or column, by moving there, and an enemy
moves to a free square beside his. The enemies win as soon as the musketeers stand in one row or column.
The musketeers, who move first, win if it is their turn and no enemy is beside them. Enemies without a
move have lost, which books leave open.

Known: 2,412,181,504 positions up to symmetry, with either side to move. Published values of the start
contradict each other: a win of the enemies, 2009, and of the musketeers, 2017. Source: S. Sackson, A
Gamut of Games, 1969.

By these rules the enemies win in 33 plies, whatever the first capture is. They would also win if they
could pass without a move, which is never worse for them than to lose. The longest wins take 39 plies.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import Any, NamedTuple

import numpy as np

from retrosolve.arrays import IntArray, read_only
from retrosolve.drawing.picture import CELL
from retrosolve.errors import PositionError, RulesError
from retrosolve.games.baghchal import (
    ALL,
    IMAGES,
    POINTS,
    half_ranks,
    image,
    orbits_of,
    set_rank,
    smallest,
)
from retrosolve.rules.board import Board, MenOnBoard
from retrosolve.rules.contract import INVALID, LOSS, NOT_TERMINAL, WIN
from retrosolve.rules.ranking import (
    deposit_outside,
    extract_outside,
    grid_symmetries,
    order_by_group,
    popcount,
    subset_images,
    subsets,
)
from retrosolve.runtime.text import mark

# A position: the set of musketeers, that of the enemies, and who moves.
MOVER = 2 * POINTS
MUSKETEERS, ENEMIES = 0, 1
MEN = 3
SIZES = (3, 5)

# The table of numbers begins with the number of points, then come its parts.
POINTS_AT = 0
NEAR = IMAGES + 8 * 4 * 256  # + point: its neighbours
LINES = NEAR + POINTS  # the rows and columns
NUM_LINES = 10
FIRST_SETS = LINES + NUM_LINES  # + number of enemies: how many sets have fewer
BASES = (
    FIRST_SETS + POINTS
)  # + twice the number of enemies + who moves: the first index, at last the size


class Tables(NamedTuple):
    """The tables of the rules, their ``data``.

    Parameters
    ----------
    numbers : int64
        See the constants above.
    ranks : int32
        The ranks of half sets of points.
    orbits : int32
        For each set of musketeers, by its rank: 8 times the number of its orbit under the symmetries,
        and a symmetry that makes its smallest image.
    men : int64
        For each orbit its smallest set, and above it a bit for each symmetry that leaves it as it is.
    enemies : int32
        The sets of enemies among the other points, by size and then by rank.
    """

    numbers: IntArray
    ranks: IntArray
    orbits: IntArray
    men: IntArray
    enemies: IntArray


# -- the compiled functions --------------------------------------------------------------------------


def is_aligned(men: int, numbers: Any) -> bool:
    """Return whether the musketeers stand in one row or column."""
    for k in range(LINES, LINES + NUM_LINES):  # noqa: SIM110  # numba has no any()
        if men & ~int(numbers[k]) == 0:
            return True
    return False


def is_board(position: int, numbers: Any) -> bool:
    """Return whether a number is a position."""
    men, enemies = position & ALL, position >> POINTS & ALL
    return (
        popcount(men) == MEN
        and men & enemies == 0
        and (men | enemies) >> numbers[POINTS_AT] == 0
        and position >> MOVER <= ENEMIES
    )


def place(men: int, enemies: int, mover: int, data: Any) -> int:
    """Return the index of the canonical image of a position."""
    numbers = data[0]
    entry = int(data[2][set_rank(men, data[1])])
    orbit = int(data[3][entry >> 3])
    enemies = image(enemies, entry & 7, numbers)
    if orbit >> POINTS != 1:
        enemies = smallest(enemies, orbit >> POINTS, numbers)
    size = popcount(enemies)
    places = int(numbers[FIRST_SETS + size + 1]) - int(numbers[FIRST_SETS + size])
    rank = set_rank(extract_outside(enemies, orbit & ALL), data[1])
    return int(numbers[BASES + 2 * size + mover]) + (entry >> 3) * places + rank


def at_index(index: int, data: Any) -> tuple[int, int, int]:
    """Return who moves, the orbit of the musketeers and the enemies of an index."""
    numbers = data[0]
    low, high = 0, 2 * (int(numbers[POINTS_AT]) - MEN + 1)
    while high - low > 1:
        middle = (low + high) >> 1
        if numbers[BASES + middle] <= index:
            low = middle
        else:
            high = middle
    first = int(numbers[FIRST_SETS + (low >> 1)])
    places = int(numbers[FIRST_SETS + (low >> 1) + 1]) - first
    within = index - int(numbers[BASES + low])
    number = within // places
    orbit = int(data[3][number])
    return low & 1, orbit, deposit_outside(int(data[4][first + within - number * places]), orbit & ALL)


def write_moves(position: int, out: Any, numbers: Any) -> int:
    """Write the positions after each move; return their number."""
    men, enemies = position & ALL, position >> POINTS & ALL
    count = 0
    if position >> MOVER == MUSKETEERS:
        to_move = men
        while to_move != 0:
            man = to_move & -to_move
            to_move ^= man
            ways = enemies & int(numbers[NEAR + popcount(man - 1)])
            while ways != 0:
                to = ways & -ways
                ways ^= to
                out[count] = ENEMIES << MOVER | (enemies ^ to) << POINTS | men ^ man ^ to
                count += 1
        return count
    free = (1 << int(numbers[POINTS_AT])) - 1 & ~(men | enemies)
    while free != 0:  # fewer than enemies in the largest tiers
        to = free & -free
        free ^= to
        ways = enemies & int(numbers[NEAR + popcount(to - 1)])
        while ways != 0:
            enemy = ways & -ways
            ways ^= enemy
            out[count] = (enemies ^ enemy ^ to) << POINTS | men
            count += 1
    return count


def result(men: int, enemies: int, mover: int, numbers: Any) -> int:
    """Return who has won, for the player to move."""
    if is_aligned(men, numbers):
        return WIN if mover == ENEMIES else LOSS
    if mover == ENEMIES:
        return NOT_TERMINAL
    while men != 0:
        if enemies & int(numbers[NEAR + popcount((men & -men) - 1)]) != 0:
            return NOT_TERMINAL
        men &= men - 1
    return WIN


class ThreeMusketeers(MenOnBoard):
    """Three musketeers; M is a musketeer and E an enemy in the text of a position.

    Parameters
    ----------
    size : int
        Squares on a side of the board, 3 or 5.

    Raises
    ------
    RulesError
        For any other size.

    Notes
    -----
    A move of the musketeers captures, so that nothing is repeated: a tier of the index has a number of
    enemies and who moves, and all moves lead to the tier before. In a tier the index ranks the
    musketeers by their orbit under the symmetries, and the enemies among the other squares.

    Examples
    --------
    >>> import retrosolve as rs
    >>> game = ThreeMusketeers(3)
    >>> solution = rs.solve(game)
    >>> game.text(game.start()), len(solution), str(solution[game.start()])
    ('EEM/EME/MEE musketeers', 1504, 'WIN in 10')
    """

    title = "Three musketeers"
    marks = "ME"
    players = (mark("musketeers"), mark("enemies"))

    def __init__(self, size: int = 5) -> None:
        if size not in SIZES or type(size) is not int:
            raise RulesError(f"size={size!r}: expected 3 or 5")
        self.board = _board(size)
        self.data, self.size = make_tables(size)
        first = self.data.numbers[BASES : BASES + 2 * (size * size - MEN + 1)]
        self.tiers = tuple(first.tolist())
        self.tier_names = tuple(f"{tier // 2} enemies" for tier in range(len(self.tiers)))
        self.max_moves = 2 * size * (size - 1)  # an enemy needs a free square beside his

    def start(self) -> int:
        """Return musketeers in two corners and the middle, enemies on all other squares."""
        size = len(self.board.rows)
        men = 1 << size - 1 | 1 << size * size // 2 | 1 << size * (size - 1)
        return ((1 << size * size) - 1 ^ men) << POINTS | men

    def tier_targets(self, tier: int) -> list[int]:
        """Return the tier before: the same enemies after their move, one fewer after a capture."""
        return [tier - 1] if tier else []

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        """Write the positions after each capture of a musketeer, or each step of an enemy."""
        return write_moves(position, out, data[0])

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        """Return who has won, for the player to move."""
        return result(position & ALL, position >> POINTS & ALL, position >> MOVER, data[0])

    @staticmethod
    def canonical(position: int, data: Any) -> int:
        """Return the image with the smallest set of musketeers, then of enemies."""
        if not is_board(position, data[0]):
            return position
        entry = int(data[2][set_rank(position & ALL, data[1])])
        orbit = int(data[3][entry >> 3])
        enemies = image(position >> POINTS & ALL, entry & 7, data[0])
        enemies = smallest(enemies, orbit >> POINTS, data[0])
        return position >> MOVER << MOVER | enemies << POINTS | orbit & ALL

    @staticmethod
    def rank(position: int, data: Any) -> int:
        """Return the index of a position, -1 for another number."""
        if not is_board(position, data[0]):
            return -1
        return place(position & ALL, position >> POINTS & ALL, position >> MOVER, data)

    @staticmethod
    def unrank(index: int, data: Any) -> int:
        """Return the position of an index."""
        mover, orbit, enemies = at_index(index, data)
        return (mover << POINTS | enemies) << POINTS | orbit & ALL

    @staticmethod
    def survey(index: int, out: Any, data: Any) -> tuple[int, int, int, int]:
        """Return the result and the moves, all of which leave the tier; write their indices."""
        numbers = data[0]
        mover, orbit, enemies = at_index(index, data)
        if orbit >> POINTS != 1 and smallest(enemies, orbit >> POINTS, numbers) != enemies:
            return INVALID, 0, 0, 0
        over = result(orbit & ALL, enemies, mover, numbers)
        if over != NOT_TERMINAL:
            return over, 0, 0, 0
        count = write_moves((mover << POINTS | enemies) << POINTS | orbit & ALL, out, numbers)
        for k in range(count):
            out[k] = place(out[k] & ALL, out[k] >> POINTS & ALL, 1 - mover, data)
        return NOT_TERMINAL, count, 0, count

    def side_to_move(self, position: int) -> int:
        """Return 0 for the musketeers, 1 for the enemies."""
        return position >> MOVER

    def null_move(self, position: int) -> int:
        """Return the position with the other side to move."""
        return position ^ 1 << MOVER

    def text(self, position: int) -> str:
        """Return the rows from the top and who moves."""
        return f"{self.board_text(position)} {self.players[position >> MOVER]}"

    def parse(self, text: str) -> int:
        """Return the position of a text. Raises PositionError."""
        rows, _, mover = text.partition(" ")
        men, enemies = self.sets_of(rows)
        if men.bit_count() != MEN or mover not in self.players:
            raise PositionError(
                f"{text!r} is no position: expected {MEN} of M, and musketeers or enemies, who moves"
            )
        return (self.players.index(mover) << POINTS | enemies) << POINTS | men

    def colours(self, position: int) -> tuple[int, int]:
        """Return the sets of musketeers and of enemies."""
        return position & ALL, position >> POINTS & ALL

    def _changes(self, position: int, target: int) -> tuple[int, int, int]:
        """Return the sets of points that the mover leaves, enters and captures."""
        side = position >> MOVER
        before, after = self.colours(position), self.colours(target)
        left, entered = before[side] & ~after[side], after[side] & ~before[side]
        return left, entered, 0 if side else entered

    def caption(self, position: int) -> str:
        """Return the title of the picture of a position."""
        return f"{self.title}: {self.text(position)} to move"


# -- the board and the tables ------------------------------------------------------------------------


@cache
def _board(size: int) -> Board:
    """Return the empty board, its squares numbered row by row from the upper left corner."""
    names = [f"{'abcde'[column]}{size - row}" for row in range(size) for column in range(size)]
    places = {name: (CELL * (0.7 + s % size), CELL * (0.7 + s // size)) for s, name in enumerate(names)}
    rows = [range(at, at + size) for at in range(0, size * size, size)]
    columns = [range(at, size * size, size) for at in range(size)]
    return Board.lined(names, [size] * size, [*rows, *columns], places, grid_symmetries(size, size))


def make_tables(size: int) -> tuple[Tables, int]:
    """Return the tables and the size of the index."""
    board, points, free = _board(size), size * size, size * size - MEN
    assert board.symmetries is not None
    ways = np.zeros((8, 32), np.int64)
    ways[:, :points] = board.symmetries
    images = subset_images(ways.reshape(-1, 8)).reshape(8, -1, 256)
    by_size = order_by_group(np.bitwise_count(np.arange(1 << free)), free + 1)
    men, orbits = orbits_of(subsets(points, MEN), images)
    sizes = np.repeat([len(men) * comb(free, enemies) for enemies in range(free + 1)], 2)
    numbers = np.zeros(BASES + 2 * POINTS, np.int64)
    numbers[POINTS_AT] = points
    numbers[IMAGES:NEAR] = images.ravel()
    for step in board.steps():
        numbers[NEAR + step.origin] |= step.free
    lines = sorted(set(board.rows_of(size)))
    numbers[LINES : LINES + len(lines)] = lines
    numbers[FIRST_SETS : FIRST_SETS + free + 2] = by_size.first
    numbers[BASES : BASES + len(sizes) + 1] = np.cumsum([0, *sizes])
    tables = Tables(numbers, half_ranks(), orbits, men, by_size.items.astype(np.int32))
    return Tables(*map(read_only, tables)), int(sizes.sum())

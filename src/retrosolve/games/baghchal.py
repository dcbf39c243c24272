"""Bagh-chal, compiled: four tigers hunt twenty goats, the national game of Nepal.

The board has 5 x 5 points, lines between neighbours in rows and columns, and diagonals through every
other point. The tigers stand in the corners. The goats are placed one by one on free points, and a
goat moves along a line to the next point only when all of them are placed. After each goat a tiger
moves to the next point of a line, or jumps over a goat beside it to the free point behind and captures
it. The tigers win with the fifth goat. A player without a move has lost, so the goats win by leaving
the tigers none. Endless play is a DRAW.

Known: the game is a draw. Up to symmetry there are 88,260,972 positions without goats in hand, from
none to four of them captured, and 33,047,421,080 with goats in hand. Sources: Lim Y. J. and
J. Nievergelt, Computing Tigers and Goats, 2004; Tigers and Goats is a draw, 2009. Solved here: every
first goat draws, and the longest win takes the tigers 161 plies, from a position with 17 goats in hand.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import comb
from typing import Any, NamedTuple

import numpy as np

from retrosolve.arrays import IntArray, read_only
from retrosolve.drawing.boards import LETTERS
from retrosolve.drawing.picture import CELL
from retrosolve.errors import PositionError, RulesError
from retrosolve.rules.board import Board, MenOnBoard
from retrosolve.rules.contract import INVALID, LOSS, NOT_TERMINAL
from retrosolve.rules.ranking import (
    binomials,
    deposit_outside,
    distinct,
    extract_outside,
    grid_symmetries,
    order_by_group,
    popcount,
    subset_images,
    subsets,
)
from retrosolve.runtime.text import mark

# A position: the set of tigers, the set of goats, how many are captured and in hand, and who moves.
POINTS = 25
ALL = (1 << POINTS) - 1
CAPTURED = 2 * POINTS
HAND = CAPTURED + 5
MOVER = HAND + 5
NUMBER = 31  # the bits of a number
GOATS, TIGERS = 0, 1
NUM_TIGERS = 4
LOST = 0  # the position that stands for all in which the tigers have captured enough
LOST_TEXT = "tigers win"
STRIPES = "M-9-5L-3-3M-9 1H-4M-9 7L-3 5M9-5L3-3M9 1H4M9 7L3 5"  # of a tiger
LINE, RADIUS = 34.0, 11.0  # the line below the board, and the goats in it
SIZES = (3, 4, 5)

# The table of numbers begins with four, then come its parts.
POINTS_AT, TOTAL_AT, NEEDED_AT, BLOCKS_AT = range(4)  # points, goats, captures to win, blocks
IMAGES = 4  # + 1024 * symmetry + 256 * (eight points) + byte
NEAR = IMAGES + 8 * 4 * 256  # + point: its neighbours
JUMPS = NEAR + POINTS  # + 8 * point: the point to jump over and, above it, the one behind it; else 0
BASES = JUMPS + 8 * POINTS  # + kind: the first index of a block, -1 where there is no such block
KINDS = 1 << 11  # of hand, captured and mover
FIRST_SETS = BASES + KINDS  # + size: how many sets of goats are smaller
BLOCKS = FIRST_SETS + POINTS  # rows: first index, kind, sets of goats of this size, and the first one
BLOCK_ROW = 4

# Ranks of sets: of the low half, then by its size what the high half adds.
LOW_BITS, HIGH_BITS = 13, 12


class Tables(NamedTuple):
    """The tables of the rules, their ``data``.

    Parameters
    ----------
    numbers : int64
        See the constants above.
    ranks : int32
        The ranks of half sets of points.
    orbits : int32
        For each set of tigers, by its rank: 8 times the number of its orbit under the symmetries, and a
        symmetry that makes its smallest image.
    tigers : int64
        For each orbit its smallest set, and above it a bit for each symmetry that leaves it as it is.
    goats : int32
        The sets of goats among the points without tigers, by size and then by rank.
    """

    numbers: IntArray
    ranks: IntArray
    orbits: IntArray
    tigers: IntArray
    goats: IntArray


class Block(NamedTuple):
    """Positions with the same number of goats in hand and captured, and the same player to move."""

    hand: int
    captured: int
    mover: int

    @property
    def kind(self) -> int:
        """The upper bits of the positions."""
        return kind_of(self.hand, self.captured, self.mover)


# -- the compiled functions --------------------------------------------------------------------------


def kind_of(hand: int, captured: int, mover: int) -> int:
    """Return the bits above the sets of a position."""
    return mover << MOVER - CAPTURED | hand << HAND - CAPTURED | captured


def image(points: int, way: int, numbers: Any) -> int:
    """Return the image of a set of points under a symmetry, eight points at a time."""
    at = IMAGES + (way << 10)
    low = int(numbers[at + (points & 255)]) | int(numbers[at + 256 + (points >> 8 & 255)])
    return low | int(numbers[at + 512 + (points >> 16 & 255)]) | int(numbers[at + 768 + (points >> 24)])


def smallest(points: int, ways: int, numbers: Any) -> int:
    """Return the smallest image of a set under some symmetries, a bit each, the identity among them."""
    least, way = points, 1
    while ways >> way != 0:
        if ways >> way & 1 != 0:
            least = min(least, image(points, way, numbers))
        way += 1
    return least


def set_rank(points: int, ranks: Any) -> int:
    """Return the number of sets of the same size that are smaller."""
    low, high = points & (1 << LOW_BITS) - 1, points >> LOW_BITS
    return int(ranks[low]) + int(ranks[(1 << LOW_BITS) + (popcount(low) << HIGH_BITS) + high])


def canonical_board(tigers: int, goats: int, data: Any) -> tuple[int, int, int]:
    """Return the orbit of the tigers, their smallest image, and the goats beside it."""
    numbers = data[0]
    entry = int(data[2][set_rank(tigers, data[1])])
    orbit = int(data[3][entry >> 3])
    goats = image(goats, entry & 7, numbers)
    if orbit >> POINTS != 1:  # a symmetry leaves the tigers as they are
        goats = smallest(goats, orbit >> POINTS, numbers)
    return entry >> 3, orbit & ALL, goats


def is_board(position: int, data: Any) -> bool:
    """Return whether the tigers, the goats and their numbers are those of a position."""
    numbers = data[0]
    tigers, goats = position & ALL, position >> POINTS & ALL
    hand, captured = position >> HAND & NUMBER, position >> CAPTURED & NUMBER
    return (
        popcount(tigers) == NUM_TIGERS
        and tigers & goats == 0
        and (tigers | goats) >> numbers[POINTS_AT] == 0
        and popcount(goats) + hand + captured == numbers[TOTAL_AT]
    )


def is_lost(position: int, data: Any) -> bool:
    """Return whether the tigers have captured enough goats, and the goats are to move."""
    captured = position >> CAPTURED & NUMBER
    return captured == data[0][NEEDED_AT] and position >> MOVER == GOATS and is_board(position, data)


def index_of(position: int, data: Any) -> int:
    """Return the index of a position, canonical or not; -1 for a number that is no position."""
    if position == LOST or is_lost(position, data):
        return 0
    if not is_board(position, data) or position >> CAPTURED >= KINDS:
        return -1
    goats = position >> POINTS & ALL
    base = int(data[0][BASES + (position >> CAPTURED)])
    if base < 0:
        return -1
    number, tigers, goats = canonical_board(position & ALL, goats, data)
    first = FIRST_SETS + popcount(goats)
    places = int(data[0][first + 1]) - int(data[0][first])
    return base + number * places + set_rank(extract_outside(goats, tigers), data[1])


def block_row(index: int, numbers: Any) -> int:
    """Return where the row of the block of an index begins."""
    low, high = 0, int(numbers[BLOCKS_AT])
    while high - low > 1:
        middle = (low + high) >> 1
        if numbers[BLOCKS + BLOCK_ROW * middle] <= index:
            low = middle
        else:
            high = middle
    return BLOCKS + BLOCK_ROW * low


def write_moves(position: int, out: Any, data: Any) -> int:
    """Write the positions after each move, captures first; return their number."""
    numbers = data[0]
    tigers, goats = position & ALL, position >> POINTS & ALL
    free = (1 << int(numbers[POINTS_AT])) - 1 & ~(tigers | goats)
    if position >> MOVER == TIGERS:
        after = position ^ 1 << MOVER
        count = write_jumps(after, free, out, numbers)
        return write_steps(after, tigers, 0, free, out, count, numbers)
    after = position | 1 << MOVER
    if position >> HAND & NUMBER == 0:
        return write_steps(after, goats, POINTS, free, out, 0, numbers)
    after -= 1 << HAND
    count = 0
    while free != 0:
        to = free & -free
        free ^= to
        out[count] = after | to << POINTS
        count += 1
    return count


def write_jumps(position: int, free: int, out: Any, numbers: Any) -> int:
    """Write the positions after each jump of a tiger over a goat; return their number."""
    goats = position >> POINTS & ALL
    tigers = position & ALL
    position += 1 << CAPTURED
    count = 0
    while tigers != 0:
        tiger = tigers & -tigers
        tigers ^= tiger
        first = JUMPS + 8 * popcount(tiger - 1)
        for k in range(first, first + 8):
            over, to = int(numbers[k]) & ALL, int(numbers[k]) >> POINTS
            if over & goats != 0 and to & free != 0:
                out[count] = position ^ over << POINTS ^ tiger ^ to
                count += 1
    return count


def write_steps(
    position: int, men: int, shift: int, free: int, out: Any, count: int, numbers: Any
) -> int:
    """Write the positions after each step of some men, whose set begins at a bit; return how many.

    Steps lead back along the same lines, so that these are the positions before the step as well.
    """
    while men != 0:
        man = men & -men
        men ^= man
        ways = free & int(numbers[NEAR + popcount(man - 1)])
        while ways != 0:
            to = ways & -ways
            ways ^= to
            out[count] = position ^ (man | to) << shift
            count += 1
    return count


class BaghChalPositions(MenOnBoard):
    """Bagh-chal without a start; see :class:`BaghChal`.

    Parameters
    ----------
    size : int
        Points on a side of the board, 3 to 5.
    goats : int
        Goats that are placed, 1 to as many as there are points without a tiger.
    captures : int
        Goats that the tigers have to capture, 1 to ``goats``.
    placing : bool
        Whether positions with goats in hand are part of the game.

    Raises
    ------
    RulesError
        For any other number.

    Notes
    -----
    A tier of the index has the positions without goats in hand and some number captured. With goats in
    hand either player has a tier of the own, all of whose moves lead to earlier tiers. In a tier the
    index ranks the tigers by their orbit under the symmetries, and the goats among the points that the
    tigers leave; sets of tigers that are symmetric leave gaps of 5 %. All positions in which the
    tigers have captured enough are one, LOST.

    Examples
    --------
    >>> game = BaghChalPositions(placing=False)
    >>> game.size, game.tiers
    (92946141, (0, 1, 67802869, 87744889, 92176449, 92876169))
    """

    size: int
    tiers: tuple[int, ...]
    title = "Bagh-chal"
    marks = "TG"
    players = (mark("goats"), mark("tigers"))

    def __init__(self, size: int = 5, goats: int = 20, captures: int = 5, placing: bool = True) -> None:
        if size not in SIZES or type(size) is not int:
            raise RulesError(f"size={size!r}: expected 3, 4 or 5")
        most = size * size - NUM_TIGERS
        if type(goats) is not int or not 1 <= goats <= most:
            raise RulesError(f"goats={goats!r}: expected a whole number from 1 to {most}")
        if type(captures) is not int or not 1 <= captures <= goats:
            raise RulesError(f"captures={captures!r}: expected a whole number from 1 to {goats}")
        self.goats, self.captures = goats, captures
        self.board = _board(size)
        self.blocks = index_blocks(goats, captures, placing)
        self.data, self.tiers, self.size = make_tables(self.board, goats, captures, self.blocks)
        lines = sum(map(int.bit_count, _neighbours(self.board))) // 2
        # A goat that moves needs a line with a free end, a tiger one of the eight directions.
        self.max_moves = self.max_predecessors = max(lines, 8 * NUM_TIGERS, most)
        kinds = [blocks[0] for blocks in self.blocks[1:]]
        names = (f"{hand} in hand, {captured} captured" for hand, captured, _ in kinds)
        self.tier_names: tuple[str, ...] = ("tigers win", *names)
        self._tier_of = {block: tier for tier, blocks in enumerate(self.blocks) for block in blocks}

    def tier_targets(self, tier: int) -> list[int]:
        """Return the earlier tiers that moves out of a tier may lead to."""
        targets = set()
        for hand, captured, mover in self.blocks[tier]:
            if mover == TIGERS:
                targets.add(self._tier_of.get(Block(hand, captured, GOATS), tier))
                targets.add(self._tier_of.get(Block(hand, captured + 1, GOATS), 0))
            elif hand:
                targets.add(self._tier_of[Block(hand - 1, captured, TIGERS)])
        return sorted(targets - {tier})

    def block_ranges(self) -> list[tuple[Block, int, int]]:
        """Return each block with its first index and the one after its last."""
        assert self.size is not None
        blocks = [block for tier in self.blocks for block in tier]
        firsts = [int(self.data.numbers[BASES + block.kind]) for block in blocks]
        return list(zip(blocks, firsts, [*firsts[1:], self.size], strict=True))

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        """Write the positions after placing or moving a goat, or after a move of a tiger."""
        return write_moves(position, out, data)

    @staticmethod
    def predecessors(position: int, out: Any, data: Any) -> int:
        """Write the positions before a step, if no goat is in hand; only steps stay in a tier."""
        if position == LOST or position >> HAND & NUMBER > 0:
            return 0
        numbers = data[0]
        tigers, goats = position & ALL, position >> POINTS & ALL
        free = (1 << int(numbers[POINTS_AT])) - 1 & ~(tigers | goats)
        before = position ^ 1 << MOVER
        if position >> MOVER == TIGERS:
            return write_steps(before, goats, POINTS, free, out, 0, numbers)
        return write_steps(before, tigers, 0, free, out, 0, numbers)

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        """Return LOSS for the goats if the tigers have captured enough."""
        return LOSS if position == LOST or is_lost(position, data) else NOT_TERMINAL

    @staticmethod
    def canonical(position: int, data: Any) -> int:
        """Return the image with the smallest set of tigers, then of goats; LOST if that is decided."""
        if not is_board(position, data):
            return position
        if is_lost(position, data):
            return LOST
        _, tigers, goats = canonical_board(position & ALL, position >> POINTS & ALL, data)
        return position >> CAPTURED << CAPTURED | goats << POINTS | tigers

    @staticmethod
    def rank(position: int, data: Any) -> int:
        """Return the index of a position."""
        return index_of(position, data)

    @staticmethod
    def unrank(index: int, data: Any) -> int:
        """Return the position of an index."""
        if index == 0:
            return LOST
        numbers = data[0]
        row = block_row(index, numbers)
        within, places = index - int(numbers[row]), int(numbers[row + 2])
        number = within // places
        tigers = int(data[3][number]) & ALL
        goats = int(data[4][int(numbers[row + 3]) + within - number * places])
        kind = int(numbers[row + 1])
        return (kind << POINTS | deposit_outside(goats, tigers)) << POINTS | tigers

    @staticmethod
    def survey(index: int, out: Any, data: Any) -> tuple[int, int, int, int]:
        """Return the result, the moves and the successors within the tier; write the other indices."""
        if index == 0:
            return LOSS, 0, 0, 0
        numbers = data[0]
        row = block_row(index, numbers)
        within, places = index - int(numbers[row]), int(numbers[row + 2])
        number = within // places
        orbit = int(data[3][number])
        tigers, ways = orbit & ALL, orbit >> POINTS
        set_of_goats = int(data[4][int(numbers[row + 3]) + within - number * places])
        goats = deposit_outside(set_of_goats, tigers)
        if ways != 1 and smallest(goats, ways, numbers) != goats:
            return INVALID, 0, 0, 0
        kind = int(numbers[row + 1])
        moving = kind >> HAND - CAPTURED & NUMBER == 0
        if ways == 1 and not moving and kind >> MOVER - CAPTURED == GOATS:
            # The tigers stay where they are, so the sets of goats are ranked among the same points.
            free = (1 << int(numbers[POINTS_AT]) - NUM_TIGERS) - 1 & ~set_of_goats
            first = FIRST_SETS + popcount(goats) + 1
            after = kind - kind_of(1, 0, GOATS) + kind_of(0, 0, TIGERS)
            base = int(numbers[BASES + after])
            base += number * (int(numbers[first + 1]) - int(numbers[first]))
            count = 0
            while free != 0:
                to = free & -free
                free ^= to
                out[count] = base + set_rank(set_of_goats | to, data[1])
                count += 1
            return NOT_TERMINAL, count, 0, count
        count = write_moves((kind << POINTS | goats) << POINTS | tigers, out, data)
        beyond = 0 if moving else count
        for k in range(count):
            if moving and out[k] >> CAPTURED & NUMBER != kind & NUMBER:
                beyond = k + 1
            out[k] = index_of(out[k], data)
        return NOT_TERMINAL, count, distinct(out, beyond, count) - beyond, beyond

    def null_move(self, position: int) -> int | None:
        """Return the position with the other player to move."""
        return None if position == LOST else position ^ 1 << MOVER

    def side_to_move(self, position: int) -> int:
        """Return 0 for the goats, 1 for the tigers."""
        return position >> MOVER

    def text(self, position: int) -> str:
        """Return the rows from the top, the goats in hand and captured, and who moves."""
        if position == LOST:
            return LOST_TEXT
        hand, captured = position >> HAND & NUMBER, position >> CAPTURED & NUMBER
        return f"{self.board_text(position)} {hand} {captured} {self.players[position >> MOVER]}"

    def parse(self, text: str) -> int:
        """Return the position of a text. Raises PositionError."""
        if text == LOST_TEXT:
            return LOST
        rows, *rest = text.split(" ")
        tigers, goats = self.sets_of(rows)
        if len(rest) != 3 or rest[2] not in self.players:
            raise PositionError(
                f"{text!r} is no position: expected the goats in hand and captured behind the board, "
                f"and goats or tigers, who moves"
            )
        hand, captured = (int(n) if n.isdecimal() and n.isascii() else -1 for n in rest[:2])
        on_board = goats.bit_count()
        mover = self.players.index(rest[2])
        if tigers.bit_count() != NUM_TIGERS or min(hand, captured) < 0:
            raise PositionError(
                f"{text!r} is no position: expected {NUM_TIGERS} of T, and numbers of goats in hand "
                "and captured"
            )
        if on_board + hand + captured != self.goats:
            raise PositionError(
                f"{text!r} is no position: expected {self.goats} goats, those in hand and captured "
                "included"
            )
        position = (kind_of(hand, captured, mover) << POINTS | goats) << POINTS | tigers
        if self.rank(position, self.plain_data) < 0:
            raise PositionError(
                f"{text!r} is no position: expected fewer than {self.captures} goats captured, or the "
                "goats to move, and none in hand without placing"
            )
        return position

    def move_name(self, position: int, target: int) -> str:
        """Return the points that a man leaves and enters, and that of a captured goat."""
        return super().move_name(position, self._played(position, target))

    def move_points(self, position: int, target: int) -> tuple[str, ...]:
        """Return the points that a man leaves and enters."""
        left, entered, _ = self._changes(position, self._played(position, target))
        return tuple(name for men in (left, entered) for name in self._names(men))

    def _played(self, position: int, target: int) -> int:
        """Return a target of the position that LOST stands for, any other as it is."""
        if target != LOST:
            return target
        out = np.zeros(self.max_moves, np.int64)
        count = write_moves(position, out, self.plain_data)
        return next((t for t in out[:count].tolist() if is_lost(t, self.plain_data)), target)

    def colours(self, position: int) -> tuple[int, int]:
        """Return the sets of tigers and of goats."""
        return position & ALL, position >> POINTS & ALL

    def _changes(self, position: int, target: int) -> tuple[int, int, int]:
        """Return the sets of points that the mover leaves, enters and captures."""
        before, after = self.colours(position), self.colours(target)
        own = int(position >> MOVER == GOATS)
        taken = 0 if own else before[1] & ~after[1]
        return before[own] & ~after[own], after[own] & ~before[own], taken

    def svg(self, position: int) -> str:
        """Return a drawing of the board, the goats in hand and those captured below it."""
        drawing = self.board.drawing
        assert drawing is not None
        tigers, goats = self.colours(position)
        pieces = dict.fromkeys(self._names(tigers), "fox") | dict.fromkeys(self._names(goats), "second")
        picture = drawing.picture(self.caption(position), pieces)
        for name in self._names(tigers):
            x, y = self.board.places[name]
            picture.path(STRIPES, "line-black", x, y)
        y = picture.height + LINE / 2 - 6
        picture.height += LINE
        captured = self.captures if position == LOST else position >> CAPTURED & NUMBER
        counts = position >> HAND & NUMBER, captured
        for x, count in zip((RADIUS + 12, picture.width / 2 + RADIUS), counts, strict=True):
            picture.disc(x, y, RADIUS, "piece second")
            picture.text(x + 2 * RADIUS + 6, y, str(count), size=18)
        # A goat that is crossed out stands for those that are captured.
        picture.path("M-8-8L8 8M-8 8L8-8", "won", picture.width / 2 + RADIUS, y)
        return str(picture)

    def caption(self, position: int) -> str:
        """Return the title of the picture of a position."""
        if position == LOST:
            return f"{self.title}: the tigers have captured {self.captures} goats"
        board, hand, captured, mover = self.text(position).split(" ")
        return f"{self.title}: {board}, {hand} goats in hand, {captured} captured, {mover} to move"


class BaghChal(BaghChalPositions):
    """Bagh-chal from the board with the tigers alone.

    Its parameters are those of :class:`BaghChalPositions`.

    Examples
    --------
    >>> import retrosolve as rs
    >>> game = BaghChal(size=3, goats=5, captures=2)
    >>> solution = rs.solve(game)
    >>> game.text(game.start()), str(solution[game.start()])
    ('T.T/.../T.T 5 0 goats', 'WIN in 9')
    """

    def start(self) -> int:
        """Return the board with a tiger in each corner and all goats in hand."""
        size = len(self.board.rows)
        corners = (0, size - 1, size * (size - 1), size * size - 1)
        return self.goats << HAND | sum(1 << s for s in corners)


def bagh_chal(
    size: int = 5, goats: int = 20, captures: int = 5, placing: bool = True
) -> BaghChalPositions:
    """Return Bagh-chal.

    Without placing it has no start: positions with goats in hand are not part of it. Raises RulesError.
    """
    return (BaghChal if placing else BaghChalPositions)(size, goats, captures, placing)


# -- the board and the tables ------------------------------------------------------------------------


@cache
def _board(size: int) -> Board:
    """Return the empty board, its points numbered row by row from the upper left corner."""
    names = [f"{LETTERS[column]}{size - row}" for row in range(size) for column in range(size)]
    places = {name: (CELL * (0.7 + s % size), CELL * (0.7 + s // size)) for s, name in enumerate(names)}
    points = [divmod(s, size) for s in range(size * size)]
    lines = [
        (s, t)
        for s, (row, column) in enumerate(points)
        for t, (down, right) in enumerate(points)
        if s < t and max(abs(row - down), abs(column - right)) == 1
        and (row == down or column == right or (row + column) % 2 == 0)
    ]  # fmt: skip
    edges = set(lines)
    # The board of 4 x 4 points has diagonals through the points that a reflection does not keep.
    ways = [
        way
        for way in grid_symmetries(size, size).tolist()
        if {tuple(sorted((way[s], way[t]))) for s, t in lines} == edges
    ]
    return Board.lined(names, [size] * size, lines, places, np.array(ways))


def _neighbours(board: Board) -> list[int]:
    """Return the set of points that a line joins to each point."""
    near = [0] * len(board.names)
    for step in board.steps():
        near[step.origin] |= step.free
    return near


def _jumps(board: Board) -> IntArray:
    """Return up to eight jumps from each point: the point to jump over, and above it the one behind."""
    size, near = len(board.rows), _neighbours(board)
    jumps = np.zeros((POINTS, 8), np.int64)
    for s, ways in enumerate(near):
        beside = [t for t in range(size * size) if ways >> t & 1]
        for k, t in enumerate(beside):
            row, column = 2 * (t // size) - s // size, 2 * (t % size) - s % size
            if 0 <= row < size and 0 <= column < size:
                jumps[s, k] = 1 << t | 1 << POINTS + row * size + column
    return jumps


def index_blocks(goats: int, captures: int, placing: bool) -> list[list[Block]]:
    """Return the blocks of each tier in the order of the index; no move leads to a later tier.

    The first tier has no block but LOST alone.
    """
    tiers: list[list[Block]] = [[]]
    tiers += [[Block(0, c, GOATS), Block(0, c, TIGERS)] for c in reversed(range(captures))]
    for hand in range(1, goats * placing + 1):
        numbers = range(min(captures - 1, goats - hand), -1, -1)
        tiers += [[Block(hand, c, mover)] for mover in (GOATS, TIGERS) for c in numbers]
    return tiers


def make_tables(
    board: Board, goats: int, captures: int, tiers: list[list[Block]]
) -> tuple[Tables, tuple[int, ...], int]:
    """Return the tables, the first index of each tier and the size of the index."""
    assert board.symmetries is not None
    points, free = len(board.names), len(board.names) - NUM_TIGERS
    ways = np.zeros((len(board.symmetries), 32), np.int64)
    ways[:, :points] = board.symmetries
    images = subset_images(ways.reshape(-1, 8)).reshape(len(ways), -1, 256)
    by_size = order_by_group(np.bitwise_count(np.arange(1 << free)), free + 1)
    tigers, orbits = orbits_of(subsets(points, NUM_TIGERS), images)
    numbers = np.zeros(BLOCKS + BLOCK_ROW * sum(map(len, tiers)), np.int64)
    blocks = [block for tier in tiers for block in tier]
    numbers[:IMAGES] = points, goats, captures, len(blocks)
    numbers[IMAGES : IMAGES + images.size] = images.ravel()
    numbers[NEAR : NEAR + points] = _neighbours(board)
    numbers[JUMPS:BASES] = _jumps(board).ravel()
    numbers[BASES : BASES + KINDS] = -1
    numbers[FIRST_SETS : FIRST_SETS + free + 2] = by_size.first
    begins, begin = [0], 1  # LOST has the first index
    for at, block in enumerate(blocks):
        size = goats - block.hand - block.captured
        numbers[BASES + block.kind] = begin
        row = BLOCKS + BLOCK_ROW * at
        numbers[row : row + BLOCK_ROW] = begin, block.kind, comb(free, size), by_size.first[size]
        begins.append(begin)
        begin += len(tigers) * comb(free, size)
    begins.append(begin)
    ends = np.cumsum([1, *map(len, tiers[1:])]).tolist()
    starts = (0, *(begins[end] for end in ends[:-1]))
    assert all(a < b for a, b in pairwise([*starts, begin]))
    tables = Tables(numbers, half_ranks(), orbits, tigers, by_size.items.astype(np.int32))
    return Tables(*map(read_only, tables)), starts, begin


def orbits_of(sets: IntArray, images: IntArray) -> tuple[IntArray, IntArray]:
    """Return the smallest sets with their symmetries, and the orbit of each set; see ``Tables``."""

    def moved(points: IntArray, way: int) -> IntArray:
        parts = [images[way, byte][points >> 8 * byte & 255] for byte in range(4)]
        images_of_sets: IntArray = np.bitwise_or.reduce(parts)
        return images_of_sets

    least, best = sets.copy(), np.zeros(len(sets), np.int64)
    for way in range(1, len(images)):
        turned = moved(sets, way)
        less = turned < least
        least[less], best[less] = turned[less], way
    representatives, orbit = np.unique(least, return_inverse=True)
    stable = np.zeros(len(representatives), np.int64)
    for way in range(len(images)):
        stable |= (moved(representatives, way) == representatives).astype(np.int64) << way
    return representatives | stable << POINTS, (orbit << 3 | best).astype(np.int32)


@cache
def half_ranks() -> IntArray:
    """Return the ranks of low halves of sets, and by their size what high halves add to them."""
    choose = binomials(POINTS, POINTS)
    low = np.zeros(1 << LOW_BITS, np.int64)
    high = np.zeros((LOW_BITS + 1, 1 << HIGH_BITS), np.int64)
    size = np.bitwise_count(np.arange(1 << LOW_BITS)).astype(np.int64)
    for s in range(LOW_BITS):
        half = 1 << s
        low[half : 2 * half] = low[:half] + choose[s, size[:half] + 1]
    below = np.arange(LOW_BITS + 1)[:, None]
    for s in range(HIGH_BITS):
        half = 1 << s
        members = np.minimum(size[:half] + 1 + below, POINTS)
        high[:, half : 2 * half] = high[:, :half] + choose[s + LOW_BITS, members]
    return np.concatenate([low, high.ravel()]).astype(np.int32)

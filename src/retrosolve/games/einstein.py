"""EinStein würfelt nicht! by Ingo Althöfer: a die says which stone moves, to the opposite corner.

Both players have stones with numbers in opposite corners of a square board. A player throws a die and
moves the stone of that number one cell towards the opposite corner: along a row, along a column or
diagonally. If it is off the board, he moves the stone with the next higher or the next lower number. A
stone that moves to another, of either player, takes it. Who reaches the opposite corner, or takes all
stones of the other player, wins.

Here the stones begin in the order of their numbers, diagonal by diagonal; the original has a board of
five by five cells with six stones, which the players arrange.
"""

from __future__ import annotations

from itertools import product
from math import comb, perm
from typing import Any, NamedTuple

import numpy as np

from retrosolve.drawing.boards import RADIUS, squares
from retrosolve.errors import PositionError, RulesError
from retrosolve.rules.contract import INVALID, LOSS, NOT_TERMINAL, CompiledGame

BITS, CELL = 5, 31  # of a stone: its cell from 1 on as its player sees the board, 0 for none
WIDTH = 25  # bits of a player's stones
SIDE = (1 << WIDTH) - 1
THROW = 2 * WIDTH  # where the points of the die are in a position
LETTERS = "abcde"


class Tables(NamedTuple):
    """The board as numbers, and numbers that rank positions.

    Parameters
    ----------
    board, stones : int
    number : int32 [(board ** 2 + 1) ** stones]
        The number of the stones of a player, by the cell of each.
    sides : int64 [k]
        The stones by their number, in ascending order of the steps to the opposite corner.
    steps : int64 [k]
        Those steps, one more for each stone on the board. A move makes those of both players fewer.
    first, count : int64 [steps + 1]
        The first number with so many steps, and how many there are.
    offset : int64 [steps + 1, steps + 1]
        The first index by the steps of both players.
    starts, owners : int64 [blocks], int64 [blocks, 2]
        The same in ascending order, and of which steps they are.
    """

    board: int
    stones: int
    number: Any
    sides: Any
    steps: Any
    first: Any
    count: Any
    offset: Any
    starts: Any
    owners: Any


class Einstein(CompiledGame):
    """The stones of both players before a throw, first those of who throws, each as he sees the board.

    Parameters
    ----------
    board : int
        The cells of a side of the board, 2 to 5.
    stones : int
        The stones of each player, 1 to 5.

    Raises
    ------
    RulesError
        For other parameters, for more than 2^31 positions, and where the stones have no room.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(Einstein(board=3, stones=1))
    >>> print(solution[solution.start])
    100 %
    """

    max_moves = 6
    max_outcomes = 5

    def __init__(self, board: int = 3, stones: int = 3) -> None:
        if not 2 <= board <= 5 or not 1 <= stones <= 5:
            raise RulesError(f"board={board}, stones={stones}: expected 2 to 5, 1 to 5")
        cells = board**2
        sides = sum(comb(stones, k) * perm(cells, k) for k in range(stones + 1))
        if sides**2 >= 1 << 31:
            raise RulesError(f"{stones} stones on {cells} cells: expected fewer positions")
        self.board, self.stones = board, stones
        self.size = sides**2
        order = sorted(range(cells), key=lambda cell: (cell // board + cell % board, cell))
        self._mine = sum((cell + 1) << BITS * k for k, cell in enumerate(order[:stones]))
        if {cells - 1 - cell for cell in order[:stones]} & {*order[:stones]}:
            raise RulesError(f"{stones} stones each on {cells} cells: expected fewer stones")
        self.data, self.tiers = _tables(board, stones)

    def start(self) -> int:
        """Return the position with all stones in their corners."""
        return self._mine | self._mine << WIDTH

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        """Return LOSS without stones, and if the other player has reached his corner."""
        mine, theirs = position & SIDE, position >> WIDTH
        last = data.board * data.board
        is_lost = mine == 0
        if theirs == 0:
            return INVALID
        for k in range(data.stones):
            cell, other = mine >> BITS * k & CELL, theirs >> BITS * k & CELL
            if cell == last:
                return INVALID
            is_lost = is_lost or other == last
            for m in range(data.stones):
                if cell > 0 and cell + (theirs >> BITS * m & CELL) == last + 1:
                    return INVALID  # two stones on one cell
        return LOSS if is_lost else NOT_TERMINAL

    @staticmethod
    def outcomes(position: int, out: Any, weights: Any, data: Any) -> int:
        """Write the points of a die with as many faces as a player has stones."""
        for die in range(data.stones):
            out[die] = position | (die + 1) << THROW
            weights[die] = 1
        return int(data.stones)

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        """Write the positions after the moves of one stone or two, as the other player sees them."""
        mine, theirs = position & SIDE, position >> WIDTH & SIDE
        lower = higher = (position >> THROW) - 1
        while lower >= 0 and mine >> BITS * lower & CELL == 0:
            lower -= 1
        while higher < data.stones and mine >> BITS * higher & CELL == 0:
            higher += 1
        cells, count = data.board * data.board, 0
        for choice in range(1 if lower == higher else 2):
            stone = higher if choice == 1 else lower
            if stone < 0 or stone >= data.stones:
                continue
            cell = (mine >> BITS * stone & CELL) - 1
            for way in range(3):  # along the row, along the column, and diagonally
                row = cell // data.board + (1 if way > 0 else 0)
                column = cell % data.board + (0 if way == 1 else 1)
                if row >= data.board or column >= data.board:
                    continue
                to = row * data.board + column
                after, other = mine + ((to - cell) << BITS * stone), theirs
                for k in range(data.stones):
                    if k != stone and mine >> BITS * k & CELL == to + 1:
                        after -= (to + 1) << BITS * k
                    if theirs >> BITS * k & CELL == cells - to:
                        other -= (cells - to) << BITS * k
                out[count] = other | after << WIDTH
                count += 1
        return count

    @staticmethod
    def rank(position: int, data: Any) -> int:
        """Return the index of a position."""
        mine, theirs, scale = 0, 0, 1
        for k in range(data.stones):
            mine += scale * (position >> BITS * k & CELL)
            theirs += scale * (position >> WIDTH + BITS * k & CELL)
            scale *= data.board * data.board + 1
        a, b = data.number[mine], data.number[theirs]
        near, far = data.steps[a], data.steps[b]
        place = (a - data.first[near]) * data.count[far] + b - data.first[far]
        index: int = data.offset[near, far] + place
        return index

    @staticmethod
    def unrank(index: int, data: Any) -> int:
        """Return the position of an index."""
        block = np.searchsorted(data.starts, index, side="right") - 1
        near, far = data.owners[block, 0], data.owners[block, 1]
        place = index - data.starts[block]
        a = data.first[near] + place // data.count[far]
        b = data.first[far] + place % data.count[far]
        position: int = data.sides[a] | data.sides[b] << WIDTH
        return position

    # -- text -------------------------------------------------------------------------------------

    def text(self, position: int) -> str:
        """Return the rows as who throws sees the board: his stones as digits, the others as letters."""
        cells = ["."] * self.board**2
        for k in range(self.stones):
            mine, theirs = position >> BITS * k & CELL, position >> WIDTH + BITS * k & CELL
            if mine:
                cells[mine - 1] = str(k + 1)
            if theirs:
                cells[-theirs] = LETTERS[k]
        rows = range(0, len(cells), self.board)
        return "/".join("".join(cells[row : row + self.board]) for row in rows)

    def parse(self, text: str) -> int:
        """Return the position of a text. Raises PositionError."""
        cells, position = text.replace("/", ""), 0
        own, other = "12345"[: self.stones], LETTERS[: self.stones]
        pieces = [cell for cell in cells if cell != "."]
        for place, cell in enumerate(cells[: self.board**2]):
            if cell in own:
                position |= (place + 1) << BITS * own.index(cell)
            elif cell in other:
                position |= (self.board**2 - place) << WIDTH + BITS * other.index(cell)
        if (
            text.count("/") != self.board - 1
            or len(set(pieces)) < len(pieces)
            or text != self.text(position)
            or self.terminal(position, self.data) == INVALID
        ):
            raise PositionError(
                f"{text!r} is no position: expected {self.board} rows, such as "
                f"{self.text(self.start())}"
            )
        return position

    def outcome_name(self, position: int, outcome: int) -> str:
        """Return the points of the die."""
        return str(outcome >> THROW)

    def move_name(self, position: int, target: int) -> str:
        """Return the stone and the row and the column that it moves to, such as ``2-31``."""
        stone, _, cell = self._moved(position, target)
        return f"{stone}-{self._place(cell).replace(',', '')}"

    def _moved(self, position: int, target: int) -> tuple[int, int, int]:
        """Return the number of the stone that a move moves, and the cells from and to which it goes."""
        for k in range(self.stones):
            before, after = position >> BITS * k & CELL, target >> WIDTH + BITS * k & CELL
            if after and after != before:
                return k + 1, before, after
        raise PositionError(f"no move leads to {self.text(target)}")

    def _place(self, cell: int) -> str:
        """Return the row and the column of a cell."""
        return f"{(cell - 1) // self.board + 1},{(cell - 1) % self.board + 1}"

    # -- picture ----------------------------------------------------------------------------------

    turns_board = True

    def svg(self, position: int) -> str:
        """Return the board as who throws sees it, with the numbers of the stones."""
        text, n = self.text(position), self.board
        title = f"EinStein würfelt nicht!: {text}"
        drawn = squares(title, n, n, kind=lambda *at: "cell", mover_relative=True)
        for place, mark in enumerate(text.replace("/", "")):
            row, column = divmod(place, n)
            if mark != ".":
                side, number = (
                    ("other", LETTERS.index(mark) + 1) if mark in LETTERS else ("mover", mark)
                )
                x, y = drawn.middle(column, row)
                drawn.picture.disc(x, y, RADIUS, f"piece {side}")
                drawn.picture.text(x, y, str(number), f"on-{side}", size=20)
            drawn.point(self._place(place + 1), column, row)
        return str(drawn.picture)

    def move_points(self, position: int, target: int) -> tuple[str, str]:
        """Return the cells of a stone before and after its move."""
        _, before, after = self._moved(position, target)
        return self._place(before), self._place(after)


def _tables(board: int, stones: int) -> tuple[Tables, tuple[int, ...]]:
    """Return the tables, and the first index of each tier."""
    cells = board**2
    longest = np.array([0, *(2 * board - 1 - c // board - c % board for c in range(cells))])
    codes = [
        code
        for code in product(range(cells + 1), repeat=stones)
        if len({cell for cell in code if cell}) == stones - code.count(0)
    ]
    digits = np.array(codes, np.int64)
    digits = digits[np.argsort(longest[digits].sum(axis=1), kind="stable")]
    steps = longest[digits].sum(axis=1)
    number = np.full((cells + 1) ** stones, -1, np.int32)
    number[digits @ (cells + 1) ** np.arange(stones)] = np.arange(len(digits))
    first = np.searchsorted(steps, np.arange(steps[-1] + 2))
    count = np.diff(first)
    offset = np.zeros((len(count), len(count)), np.int64)
    starts, owners, tiers, size = [], [], [], 0
    for total in range(2 * len(count) - 1):
        tiers.append(size)
        for near in range(max(0, total - len(count) + 1), min(total, len(count) - 1) + 1):
            if block := int(count[near] * count[total - near]):
                offset[near, total - near] = size
                starts.append(size)
                owners.append((near, total - near))
                size += block
    firsts = [tier for tier, end in zip(tiers, [*tiers[1:], size], strict=True) if tier < end]
    tables = Tables(
        board, stones, number, digits @ (1 << BITS * np.arange(stones)), steps, first[:-1], count,
        offset, np.array(starts), np.array(owners),
    )  # fmt: skip
    return tables, tuple(firsts)

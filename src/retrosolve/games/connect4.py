"""Connect Four on a board of any small size, compiled: stones dropped into columns, a line wins.

The first player with ``connect`` stones in a row, a column or a diagonal wins; a full board without a
line is a tie. The position after the last move counts too. Mirror images are distinct. With the
objective ``score`` the winner gets a point for each stone that he has left, the one that wins included.

Known: reachable positions, columns x rows. 3x4: 6,000; 4x3: 12,031; 3x5: 38,310; 5x3: 158,911;
4x4: 161,029 (38,675 won, 32,234 lost, 90,120 ties); 3x6: 235,781; 4x5: 1,706,255; 5x4: 3,945,711;
4x6: 15,835,683; 5x5: 69,763,700; 6x4: 94,910,577; 7x6: 4,531,985,219,092. Nobody wins on 4x4, 4x3,
5x3 and 3x6. Sources: markus7800/Connect4-Strong-Solver; tromp.github.io/c4; OEIS A212693.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import comb
from typing import Any

import numpy as np

from retrosolve.drawing.boards import squares
from retrosolve.drawing.picture import CELL
from retrosolve.errors import PositionError, RulesError
from retrosolve.rules.contract import LOSS, NOT_TERMINAL, TIE, CompiledGame
from retrosolve.rules.ranking import binomials, order_by_group

COLOURS = "red", "yellow"  # of the stones of the first and of the second player
LETTERS = "abcdefgh"
MAX_SIZE = 8
FEW = 16


class ConnectFour(CompiledGame):
    """A position has ``rows + 1`` bits per column, the lowest for the bottom row.

    The highest set bit of a column marks its first free place; the bits below it are the stones, set
    for the mover's.

    Parameters
    ----------
    rows, columns : int
        Size of the board, 1 to 8.
    connect : int
        Length of a winning line, 2 to 8.

    Raises
    ------
    RulesError
        For any other numbers, or a board with too many positions for 64 bits.

    Notes
    -----
    A tier of the index has positions with the same number of stones, full boards first. In a tier the
    index goes by the heights of the columns, then by the rank of the mover's stones among all. So
    every index has the right number of stones, and a move leads to the next lower tier.

    Examples
    --------
    >>> game = ConnectFour(rows=3, columns=4)
    >>> game.text(game.start()), game.size, len(game.tiers)
    ('..../..../....', 12933, 13)
    """

    reachable_only = True
    piece_kinds = COLOURS

    def __init__(self, rows: int = 4, columns: int = 4, connect: int = 4) -> None:
        for name, number, least in (
            ("rows", rows, 1),
            ("columns", columns, 1),
            ("connect", connect, 2),
        ):
            if type(number) is not int or not least <= number <= MAX_SIZE:
                raise RulesError(
                    f"{name}={number!r}: expected a whole number from {least} to {MAX_SIZE}"
                )
        self.rows, self.columns, self.connect = rows, columns, connect
        self.max_moves = columns
        width, self.cells = rows + 1, rows * columns
        sizes = _sizes(rows, columns)
        if width * columns > 63 or sum(sizes) >= 1 << 62:
            raise RulesError(
                f"a board of {columns} columns and {rows} rows has too many positions: "
                "expected at most 63 places, one more a column than there are rows"
            )
        bounds = [sum(sizes[:t]) for t in range(self.cells + 2)]
        self.tiers, self.size = tuple(bounds[:-1]), bounds[-1]
        lowest = sum(1 << width * c for c in range(columns))
        masks = [lowest * ((1 << width) - 1 >> k << k) for k in (1, 2, 4)]
        numbers = (width, columns, connect, lowest, lowest << rows, *masks)
        self.data = (
            *numbers,
            binomials(64, 32),
            _column_ways(rows, self.cells),
            _few(),
            *self._shapes(bounds),
            self.cells,
        )

    def _shapes(self, bounds: list[int]) -> tuple[Any, Any, Any]:
        """Return the first index of all heights, the heights in order, and a table of tiers.

        Heights are looked up as the digits of one number; in order, they are positions without a
        stone of the mover. A row of the table has a tier's first index, its first heights, and the
        number of indices for each heights; one more row ends it.
        """
        width, cells = self.rows + 1, self.cells
        free, guards = np.full(1, cells, np.uint8), np.zeros(1, np.int64)
        for column in range(self.columns):
            free = np.subtract.outer(free, np.arange(width, dtype=np.uint8)).ravel()
            guards = np.add.outer(guards, 1 << np.arange(width) + width * column).ravel()
        items, numbers, begin = order_by_group(free, cells + 1)
        each = [comb(n, n // 2) for n in reversed(range(cells + 1))]
        rows = np.array([bounds, begin, [*each, 0]], np.int64).T.copy()
        first = rows[free, 0] + (numbers - rows[free, 1]) * rows[free, 2]
        return first, guards[items], rows

    def tier_targets(self, tier: int) -> Iterable[int]:
        """Return the tier before: a move leads to one more stone."""
        return range(max(tier - 1, 0), tier)

    def start(self) -> int:
        """Return the empty board."""
        lowest: int = self.data[3]
        return lowest

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        """Write the positions after dropping a stone into each column with room."""
        lowest, highest = data[3], data[4]
        taken = stones(position, data)
        swapped = position ^ taken
        free = (taken + lowest) & ~highest
        count = 0
        while free != 0:
            place = free & -free
            free ^= place
            out[count] = swapped + place
            count += 1
        return count

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        """Return LOSS if the opponent has a line, else TIE for a full board."""
        lowest, highest = data[3], data[4]
        taken = stones(position, data)
        if any_line(taken & ~position, data):
            return LOSS
        return TIE if taken + lowest == highest else NOT_TERMINAL

    @staticmethod
    def payoff(position: int, data: Any) -> int:
        """Return how many stones the winner has left, the one that wins included; 0 for a tie."""
        taken, count = stones(position, data), 0
        if not any_line(taken & ~position, data):
            return 0
        while taken != 0:
            taken &= taken - 1
            count += 1
        points: int = (data[14] + 2 - count) // 2
        return -points

    @staticmethod
    def rank(position: int, data: Any) -> int:
        """Return the index of a position: that of its heights, and the ranks of its columns."""
        width, columns, ways, first = data[0], data[1], data[9], data[11]
        heights, before, at = 0, 0, 2
        for _ in range(columns):
            column = position & ((1 << width) - 1)
            position >>= width
            before += ways[column, at]
            at += ways[column, 0]
            heights = heights * width + ways[column, 1]
        index: int = first[heights] + before
        return index

    @staticmethod
    def unrank(index: int, data: Any) -> int:
        """Return the position of an index.

        The colours are unranked from the last stone down; those of the first few are looked up.
        """
        width, columns, choose, ways = data[0], data[1], data[8], data[9]
        few, shapes, tiers = data[10], data[12], data[13]
        tier = 0
        while tiers[tier + 1, 0] <= index:
            tier += 1
        within, each = index - tiers[tier, 0], tiers[tier, 2]
        shape = within // each
        position: int = shapes[tiers[tier, 1] + shape]
        rest = within - shape * each
        at = len(tiers) - 2 - tier
        mine, colours = at // 2, 0
        while at > FEW:
            at -= 1
            skipped = choose[at, mine]
            if rest >= skipped:
                rest -= skipped
                mine -= 1
                colours |= 1 << at
        colours |= few[few[mine] + rest]
        left, shift = position, 0
        for _ in range(columns):
            column = left & ((1 << width) - 1)
            position |= (colours & (column - 1)) << shift
            colours >>= ways[column, 1]
            left >>= width
            shift += width
        return position

    def text(self, position: int) -> str:
        """Return the rows from the top, X for the player to move and O for the opponent."""
        width, taken = self.rows + 1, stones(position, self.data)

        def mark(bit: int) -> str:
            return ("X" if position >> bit & 1 else "O") if taken >> bit & 1 else "."

        rows = reversed(range(self.rows))
        return "/".join("".join(mark(width * c + row) for c in range(self.columns)) for row in rows)

    def parse(self, text: str) -> int:
        """Return the position of a text. Raises PositionError."""
        rows = text.split("/")
        if len(rows) != self.rows or any(
            len(row) != self.columns or not set(row) <= set("XO.") for row in rows
        ):
            raise PositionError(
                f"{text!r} is no position: expected {self.rows} rows of {self.columns} marks X, O or ."
            )
        if text.count("O") - text.count("X") not in (0, 1):
            raise PositionError(f"{text!r} has too many of X or O: expected X to move")
        position = 0
        for column in reversed(range(self.columns)):
            marks = "".join(row[column] for row in reversed(rows))
            held = marks.rstrip(".")
            if "." in held:
                raise PositionError(f"{text!r} has a stone above a free place: expected none")
            mine = sum(1 << row for row, mark in enumerate(held) if mark == "X")
            position = position << self.rows + 1 | 1 << len(held) | mine
        return position

    def move_name(self, position: int, target: int) -> str:
        """Return the letter of the column."""
        dropped = stones(position, self.data) ^ stones(target, self.data)
        return LETTERS[(int(dropped).bit_length() - 1) // (self.rows + 1)]

    def features(self, position: int) -> list[int]:
        """Return 1 for each place with a stone of the player to move, then of the opponent."""
        marks = self.text(position).replace("/", "")
        return [int(mark == side) for side in "XO" for mark in marks]

    def svg(self, position: int) -> str:
        """Return a drawing of the board; a column is one point. The first player has the red stones."""
        width, taken = self.rows + 1, stones(position, self.data)
        mover = int(taken).bit_count() % 2
        won = self._winning(taken & ~position)  # by the last stone
        board = squares(
            f"Connect Four: {self.text(position)}, {COLOURS[mover]} to move",
            self.columns,
            self.rows,
            kind=lambda column, row: "frame",
            files=LETTERS[: self.columns],
        )
        for column in range(self.columns):
            for row in range(self.rows):
                bit = width * column + self.rows - 1 - row
                mine = mover ^ 1 ^ (position >> bit & 1)
                kind = f"piece {COLOURS[mine]}" if taken >> bit & 1 else "gap"
                board.picture.disc(*board.middle(column, row), 0.4 * CELL, kind)
                if bit in won:
                    board.picture.disc(*board.middle(column, row), 0.4 * CELL, "won")
            x, y = board.corner(column, 0)
            board.picture.point(LETTERS[column], x, y, CELL, self.rows * CELL)
        return str(board.picture)

    def _winning(self, held: int) -> set[int]:
        """Return the places of all lines of some stones; columns are apart, so none wraps around."""
        width, places = self.rows + 1, range((self.rows + 1) * self.columns)
        lines = (
            range(place, place + step * self.connect, step)
            for step in (1, width, width + 1, width - 1)
            for place in places
        )
        return {place for line in lines if all(held >> one & 1 for one in line) for place in line}

    def move_points(self, position: int, target: int) -> tuple[str, ...]:
        """Return the column."""
        return (self.move_name(position, target),)


def stones(position: int, data: Any) -> int:
    """Return the occupied places: all below the highest bit of each column."""
    once, twice, further = data[5], data[6], data[7]
    taken: int = (position & once) >> 1
    taken |= (taken & once) >> 1
    taken |= (taken & twice) >> 2
    taken |= (taken & further) >> 4
    return taken


def any_line(places: int, data: Any) -> bool:
    """Return whether ``connect`` of the places are in a line."""
    width, connect = data[0], data[2]
    there: bool = (
        line(places, 1, connect)
        | line(places, width - 1, connect)
        | line(places, width, connect)
        | line(places, width + 1, connect)
    )
    return there


def line(places: int, step: int, connect: int) -> bool:
    """Return whether ``connect`` of the places are in a line with this step."""
    length = 1
    while length < connect:
        more = min(length, connect - length)
        places &= places >> (more * step)
        length += more
    return places != 0


def _sizes(rows: int, columns: int) -> list[int]:
    """Return the number of indices of each tier, full boards first."""
    shapes = [1]
    for _ in range(columns):
        wider = [0] * (len(shapes) + rows)
        for stones_before, ways in enumerate(shapes):
            for height in range(rows + 1):
                wider[stones_before + height] += ways
        shapes = wider
    return [ways * comb(n, n // 2) for n, ways in reversed(list(enumerate(shapes)))]


def _few() -> Any:
    """Return where the sets of each size begin, then all sets of the first few stones by size."""
    sets, _, first = order_by_group(np.bitwise_count(np.arange(1 << FEW)), FEW + 1)
    return np.concatenate([FEW + 1 + first[:-1], sets])


def _column_ways(rows: int, cells: int) -> Any:
    """Return a row for each content of a column.

    Columns of the table: the offset in the row of the next column, the height, and what the column
    adds to the rank, for each number of stones before it and of the mover's among them.
    """
    most = cells // 2
    choose = np.zeros((cells + rows + 1, most + rows + 2), np.int64)
    part = binomials(64, 32)[: cells + rows + 1, : most + rows + 2]
    choose[: part.shape[0], : part.shape[1]] = part
    ways = np.zeros((2 << rows, cells + 1, most + 1), np.int64)
    moves_on = np.zeros((2 << rows, 2), np.int64)
    for column in range(2, 2 << rows):
        height, mine = column.bit_length() - 1, column.bit_count() - 1
        top = 1 << height - 1
        below = column & top - 1 | top
        ways[column] = ways[below]
        if column & top:
            ways[column] += choose[height - 1 : height + cells, mine : mine + most + 1]
        moves_on[column] = height * (most + 1) + mine, height
    return np.hstack([moves_on, ways.reshape(2 << rows, -1)])

"""Quoridor on a board of n x n squares, compiled: M. Marchesi's race of two pawns and walls.

The first player's pawn starts on the first row, the second player's on the last; whose pawn arrives on
the opposite row wins. A move is a step of the pawn to a neighbouring square or, while there are any
left, a wall of two squares' length, which stays. A pawn that stands in front of the other jumps over
it; where a wall or the edge is behind it, to either side of it. A wall may not cross or overlap another
one, nor cut off a pawn from its goal. Endless play is a DRAW.

Known: positions with the first pawn on its goal are won by the first player, also with both on theirs.
Then of all positions with any walls, those with a pawn cut off included, the first player wins / the
second wins / are drawn: 6x6 without walls 1,296 / 1,224 / 0, with one each 1,634,252 / 1,543,460 / 8,
with two each 259,980,316 / 245,532,292 / 168,232; 7x7 without walls 2,401 / 2,303 / 0, with one each
6,254,601 / 5,999,311 / 8. The first player wins 6x6, the second 7x7. Source: jh85/smallgames, 2026;
grantslatton/quoridor-solving.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import factorial, prod
from typing import Any

import numpy as np

from retrosolve.drawing.boards import LETTERS
from retrosolve.errors import PositionError, RulesError
from retrosolve.games.quoridor import drawing as drawing
from retrosolve.games.quoridor.walls import place_of, wall_sets
from retrosolve.rules.contract import INVALID, LOSS, NOT_TERMINAL, WIN, CompiledGame
from retrosolve.tables import Table

MAX_SIZE = 7
MAX_WALLS = 4
COMPONENTS_AT_ONCE = 1 << 12
PAWNS = 13  # bits of the two squares and the turn
SET_BITS = 27
SECOND = 1 << 12
PAWN_PAIR, PLACE, MIRRORED, COMPONENTS, SETS, AFTER_FIRST, AFTER_SECOND = range(7)


class Quoridor(CompiledGame):
    """A position has the squares of the two pawns, who moves, the set of walls, and the tier.

    Parameters
    ----------
    n : int
        Size of the board, 3 to 7.
    walls : int
        Walls of either player, 0 to 4; on 3x3 at most 2.

    Raises
    ------
    RulesError
        For any other numbers, and where the board has no room for all walls.

    Notes
    -----
    A tier of the index has all positions with the same number of walls on the board and in each hand,
    most walls on the board first. In a tier the index goes by sets of walls, of two mirror images the
    smaller one, then by turn and pawns. No cycle leaves the positions of one set: they are a component.

    The tables of wall sets take 72 bytes a set and 4 bytes an extension of one: 30 MB on 6x6 with two
    walls each, 160 MB on 7x7, 2.5 GB on 6x6 with three.

    Examples
    --------
    >>> game = Quoridor(n=4, walls=1)
    >>> game.text(game.start()), game.size
    ('c1 c4 1 1 first', 47520)
    """

    players = piece_kinds = "first", "second"

    def __init__(self, n: int = 5, walls: int = 1) -> None:
        for name, number, least, most in (("n", n, 3, MAX_SIZE), ("walls", walls, 0, MAX_WALLS)):
            if type(number) is not int or not least <= number <= most:
                raise RulesError(f"{name}={number!r}: expected a whole number from {least} to {most}")
        if 2 * walls > (n - 1) ** 2:  # no two walls have the same middle
            room = (n - 1) ** 2
            raise RulesError(f"n={n}, walls={walls}: expected at most {room // 2}, as {room} walls fit")
        if _fewest_sets(n, walls) >> SET_BITS:
            raise RulesError(f"n={n}, walls={walls}: expected at most {1 << SET_BITS} sets of walls")
        self.n, self.walls = n, walls
        self.max_moves = 5 + (2 * (n - 1) ** 2 if walls else 0)
        self._sets = wall_sets(n, 2 * walls)
        begins, rows = self._sets.begins, self._sets.rows
        self._hands = [
            (size, hand, 2 * walls - size - hand)
            for size in range(2 * walls, -1, -1)
            for hand in range(walls, -1, -1)
            if 0 <= 2 * walls - size - hand <= walls
        ]
        numbers = [1 + int(rows[begins[k] : begins[k + 1], 5].max()) for k in range(2 * walls + 1)]
        ranks = np.cumsum([0, *numbers])
        pawns = _pawns(n)
        blocks = np.cumsum([0, *(numbers[size] for size, _, _ in self._hands)])
        tiers = np.array(
            [
                (blocks[t], ranks[size], self._tier(size + 1, first - 1), self._tier(size + 1, first))
                for t, (size, first, _) in enumerate(self._hands)
            ]
            + [(blocks[-1], 0, 0, 0)],
            np.int64,
        )
        self.component_size = len(pawns)
        self.tiers = tuple((blocks[:-1] * len(pawns)).tolist())
        self.size = int(blocks[-1]) * len(pawns)
        self.data = n, len(pawns), _table(n, pawns, tiers), rows, self._sets.extensions

    @staticmethod
    def least_size(n: int = 5, walls: int = 1) -> int:
        """Return fewer positions than there are, without making the tables."""
        return _fewest_sets(n, walls) // 2 * n * n

    def _tier(self, size: int, first: int) -> int:
        """Return the tier by walls on the board and the first player's; -1 if there is none."""
        hands = size, first, 2 * self.walls - size - first
        return self._hands.index(hands) if hands in self._hands else -1

    def tier_targets(self, tier: int) -> Iterable[int]:
        """Return the tiers with one more wall on the board."""
        size, first, _ = self._hands[tier]
        targets = {self._tier(size + 1, first - 1), self._tier(size + 1, first)}
        return sorted(targets - {-1})

    def start(self) -> int:
        """Return the two pawns on the middle squares of their rows, all walls in hand."""
        middle, tier = self.n // 2, len(self._hands) - 1
        return tier << PAWNS + SET_BITS | middle + self.n * (self.n - 1) << 6 | middle

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        """Write the positions after the steps of a pawn, then those after setting a wall."""
        n, table, rows, extensions = data[0], data[2], data[3], data[4]
        first, second = position & 63, position >> 6 & 63
        walls, tier = position >> PAWNS & (1 << SET_BITS) - 1, position >> PAWNS + SET_BITS
        north, east = rows[walls, 0], rows[walls, 1]
        is_second = position & SECOND != 0
        mine, other = (second, first) if is_second else (first, second)
        shift = 6 if is_second else 0
        rest = (position ^ SECOND) & ~(63 << shift)
        count = 0
        here, there = ways(mine, north, east, n), ways(other, north, east, n)
        for way in range(4):
            if here >> way & 1 == 0:
                continue
            to = mine + step(way, n)
            if to != other:
                out[count] = rest | to << shift
                count += 1
            elif there >> way & 1:
                out[count] = rest | (to + step(way, n)) << shift
                count += 1
            else:
                for aside in (way ^ 2, way ^ 3):
                    if there >> aside & 1:
                        out[count] = rest | (to + step(aside, n)) << shift
                        count += 1
        after = table[tier, AFTER_SECOND if is_second else AFTER_FIRST]
        if after >= 0:
            rest = after << PAWNS + SET_BITS | (position ^ SECOND) & (1 << PAWNS) - 1
            for k in range(rows[walls, 6], rows[walls + 1, 6]):
                larger = extensions[k]
                if rows[larger, 2] >> first & rows[larger, 3] >> second & 1:
                    out[count] = rest | larger << PAWNS
                    count += 1
        return count

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        """Return who has won if a pawn is on its goal, the first player's looked at first."""
        n = data[0]
        is_second = position & SECOND != 0
        if position & 63 >= n * (n - 1):
            return LOSS if is_second else WIN
        if position >> 6 & 63 < n:
            return WIN if is_second else LOSS
        return NOT_TERMINAL

    @staticmethod
    def canonical(position: int, data: Any) -> int:
        """Return the image with the smaller set of walls, of two with the same set the smaller one."""
        table, rows = data[2], data[3]
        walls = position >> PAWNS & (1 << SET_BITS) - 1
        image = rows[walls, 4]
        if image > walls:
            return position
        mirrored: int = table[position & (1 << PAWNS) - 1, MIRRORED] | image << PAWNS
        mirrored |= position >> PAWNS + SET_BITS << PAWNS + SET_BITS
        return min(position, mirrored)

    @staticmethod
    def rank(position: int, data: Any) -> int:
        """Return the index: that of the component, and the place of turn and pawns in it."""
        size, table, rows = data[1], data[2], data[3]
        walls = position >> PAWNS & (1 << SET_BITS) - 1
        component = table[position >> PAWNS + SET_BITS, COMPONENTS] + rows[walls, 5]
        index: int = component * size + table[position & (1 << PAWNS) - 1, PLACE]
        return index

    @staticmethod
    def unrank(index: int, data: Any) -> int:
        """Return the position of an index."""
        size, table, rows = data[1], data[2], data[3]
        component = index // size
        tier = 0
        while table[tier + 1, COMPONENTS] <= component:
            tier += 1
        walls = rows[table[tier, SETS] + component - table[tier, COMPONENTS], 7]
        position: int = (tier << SET_BITS | walls) << PAWNS | table[index - component * size, PAWN_PAIR]
        return position

    def won_by_players(self, table: Table) -> tuple[int, int, int]:
        """Return how many positions the first player wins, the second wins, and neither.

        Mirror images count apart, as in published figures.

        Parameters
        ----------
        table : Table
            A solution of this game.
        """
        size, data, rows = self.component_size or 1, self.data[2], self.data[3]
        pawns = data[:size, PAWN_PAIR]
        is_second = (pawns & SECOND) != 0
        own_image = data[data[pawns, MIRRORED], PLACE] == np.arange(size)
        first = second = neither = 0
        for begin in range(0, self.size or 0, size * COMPONENTS_AT_ONCE):
            end = min(begin + size * COMPONENTS_AT_ONCE, self.size or 0)
            values = table.values(slice(begin, end)).reshape(-1, size)
            numbers = [self.unrank(i, self.data) >> PAWNS for i in range(begin, end, size)]
            sets = np.array(numbers) & (1 << SET_BITS) - 1
            symmetric = (rows[sets, 4] == sets)[:, None]
            images = np.where(symmetric & own_image, 1, 2) * (values != INVALID)
            won = (values == WIN) & ~is_second | (values == LOSS) & is_second
            lost = (values == LOSS) & ~is_second | (values == WIN) & is_second
            first, second = first + int(images[won].sum()), second + int(images[lost].sum())
            neither += int(images[~(won | lost)].sum())
        return first, second, neither

    def side_to_move(self, position: int) -> int:
        """Return 0 for the first player, 1 for the second."""
        return int(position & SECOND != 0)

    def text(self, position: int) -> str:
        """Return the two squares, the walls in hand, who moves, and the walls on the board."""
        first, second, walls = self._parts(position)
        _, *hands = self._hands[position >> PAWNS + SET_BITS]
        turn = self.players[position & SECOND != 0]
        names = [self._wall_name(wall) for wall in walls]
        return " ".join([*map(self._square_name, (first, second)), *map(str, hands), turn, *names])

    def parse(self, text: str) -> int:
        """Return the position of a text. Raises PositionError."""
        words = text.split()
        squares = {self._square_name(square): square for square in range(self.n**2)}
        if (
            len(words) < 5
            or words[0] not in squares
            or words[1] not in squares
            or words[0] == words[1]
            or words[4] not in self.players
        ):
            raise PositionError(
                f"{text!r} is no position: expected two squares, the walls in hand of either player, "
                "who moves (first or second) and the walls on the board, such as "
                f"'{self.text(self.start())} a1h'"
            )
        names = {self._wall_name(wall): wall for wall in range(2 * (self.n - 1) ** 2)}
        for name in words[5:]:
            if name not in names:
                raise PositionError(
                    f"{text!r}: {name!r} is no wall: expected a square and h or v, such as a1h"
                )
        walls = sorted(names[name] for name in words[5:])
        hands = {
            (size, str(first), str(second)): t for t, (size, first, second) in enumerate(self._hands)
        }
        if (len(walls), words[2], words[3]) not in hands:
            raise PositionError(
                f"{text!r} has {len(walls)} walls on the board: expected {2 * self.walls} with those "
                f"in hand, at most {self.walls} in each"
            )
        tier = hands[len(walls), words[2], words[3]]
        turn = SECOND * (words[4] == self.players[1])
        pawns = squares[words[0]] | squares[words[1]] << 6 | turn
        return (tier << SET_BITS | self._set(text, walls)) << PAWNS | pawns

    def _set(self, text: str, walls: list[int]) -> int:
        """Return the number of a set of walls. Raises PositionError if there is no such set."""
        begin = int(self._sets.begins[len(walls)])
        matches = np.flatnonzero((self._sets.walls[len(walls)] == walls).all(axis=1))
        if not len(matches):
            raise PositionError(f"{text!r} has walls that overlap or cross: expected none")
        return begin + int(matches[0])

    def move_name(self, position: int, target: int) -> str:
        """Return the square that a pawn steps to, or the wall."""
        _, _, before = self._parts(position)
        first, second, walls = self._parts(target)
        if len(walls) > len(before):
            return self._wall_name(next(wall for wall in walls if wall not in before))
        return self._square_name(second if position & SECOND else first)

    def null_move(self, position: int) -> int:
        """Return the position with the other player to move."""
        return position ^ SECOND

    def svg(self, position: int) -> str:
        """Return a drawing of the board; squares and the slots of walls are points."""
        first, second, walls = self._parts(position)
        _, *hands = self._hands[position >> PAWNS + SET_BITS]
        places = [place_of(wall, self.n) for wall in walls]
        slots = {self._wall_name(w): place_of(w, self.n) for w in range(2 * (self.n - 1) ** 2)}
        title = f"Quoridor: {self.text(position)}"
        return drawing.board_with(title, self.n, (first, second), places, slots, hands)

    def move_points(self, position: int, target: int) -> tuple[str, ...]:
        """Return the square or the slot."""
        return (self.move_name(position, target),)

    def _parts(self, position: int) -> tuple[int, int, list[int]]:
        """Return the squares of the two pawns, and the walls."""
        number = position >> PAWNS & (1 << SET_BITS) - 1
        size = int(np.searchsorted(self._sets.begins, number, side="right")) - 1
        walls = self._sets.walls[size][number - self._sets.begins[size]].tolist()
        return position & 63, position >> 6 & 63, walls

    def _square_name(self, square: int) -> str:
        """Return the name of a square as in chess."""
        return f"{LETTERS[square % self.n]}{square // self.n + 1}"

    def _wall_name(self, wall: int) -> str:
        """Return the name of the lower left square that a wall touches, and h or v."""
        direction, row, column = place_of(wall, self.n)
        return self._square_name(self.n * row + column) + "hv"[direction]


def step(way: int, n: int) -> int:
    """Return what a step adds to a square: up, down, right, left."""
    length = n if way < 2 else 1
    return -length if way & 1 else length


def ways(square: int, north: int, east: int, n: int) -> int:
    """Return the ways that are free from a square, as bits: up, down, right, left."""
    found: int = north >> square & 1 | (east >> square & 1) << 2
    if square >= n:
        found |= (north >> (square - n) & 1) << 1
    if square > 0:
        found |= (east >> (square - 1) & 1) << 3
    return found


def _fewest_sets(n: int, walls: int) -> int:
    """Return fewer sets of walls than there are: each wall keeps at most three others out."""
    places = 2 * (n - 1) ** 2
    return prod(max(places - 4 * k, 0) for k in range(2 * walls)) // factorial(2 * walls)


def _pawns(n: int) -> Any:
    """Return turn and squares of all pairs of pawns, in the order of the index."""
    square = range(n * n)
    pairs = [second << 6 | first for second in square for first in square if first != second]
    return np.array([turn | pair for turn in (0, SECOND) for pair in pairs], np.int64)


def _table(n: int, pawns: Any, tiers: Any) -> Any:
    """Return the columns PAIR to AFTER_SECOND, one array since that is faster.

    The first column is of places in a component, the next two of turn and squares, the others of tiers.
    """
    table = np.full((1 << PAWNS, 7), -1, np.int64)
    table[: len(pawns), PAWN_PAIR] = pawns
    table[pawns, PLACE] = np.arange(len(pawns))
    first, second = pawns & 63, pawns >> 6 & 63
    first, second = (square // n * n + n - 1 - square % n for square in (first, second))
    table[pawns, MIRRORED] = pawns & SECOND | second << 6 | first
    table[: len(tiers), COMPONENTS:] = tiers
    return table

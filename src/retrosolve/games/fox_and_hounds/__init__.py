"""Fox and Hounds on an n x n board, compiled: n / 2 hounds against one fox on the dark squares.

The hounds start on the lowest rank and step up diagonally; the fox starts on the highest, steps to any
diagonal neighbour, and moves first. A player who cannot move has lost. The fox also wins if no hound
can ever reach his square and one of its neighbours.

Known: reachable positions, and play from the start. 4x4: 83, hounds win in 8; 6x6: 8,175, the fox
wins in 21; 8x8: 709,868, hounds win in 44; 10x10: 69,575,678, hounds win in 72. Source: gilith/solve.
The same in plain Python: ``fox_and_hounds.plain``.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import comb
from typing import Any

import numpy as np

from retrosolve.errors import PositionError, RulesError
from retrosolve.games.fox_and_hounds.drawing import board_with
from retrosolve.rules.contract import INVALID, LOSS, NOT_TERMINAL, WIN, CompiledGame
from retrosolve.rules.ranking import binomials, order_by_group, subsets
from retrosolve.runtime.text import mark

FOX, HOUNDS = 0, 1
FILES = "abcdefghij"


class FoxAndHounds(CompiledGame):
    """A position is the set of the hounds, 6 bits for the fox, 1 for who moves, from high to low.

    Dark squares are numbered rank by rank, n / 2 in each.

    Parameters
    ----------
    n : int
        Size of the board, an even number from 4 to 10.

    Raises
    ------
    RulesError
        For any other size.

    Notes
    -----
    Hounds only move up, so sets of hounds are ordered by the sum of their ranks, highest first. Each
    sum has a tier with the hounds to move, then one with the fox to move; in a tier the fox's square
    varies fastest. So every move leads to a lower tier. The sum and the player to move determine the
    parity of the fox's rank; the other half of the squares has no index. Only reachable positions are
    solved.

    Examples
    --------
    >>> import retrosolve as rs
    >>> game = FoxAndHounds(4)
    >>> solution = rs.solve(game)
    >>> len(solution), str(solution[game.start()])
    (83, 'LOSS in 8')
    """

    players = (mark("fox"), mark("hounds"))
    reachable_only = True

    def __init__(self, n: int = 8) -> None:
        if type(n) is not int or n % 2 or not 4 <= n <= 10:
            raise RulesError(f"n={n!r}: expected an even number from 4 to 10")
        self.n = n
        half, squares = n // 2, n * n // 2
        self.max_moves = max(4, 2 * half)
        near = np.full((squares, 4), -1, np.int64)
        reach = np.zeros(squares, np.int64)
        for s in range(squares):
            near[s] = self._neighbours(s)
            below = [int(t) for t in near[s, :2] if t >= 0]
            reach[s] = np.bitwise_or.reduce([1 << s, *(int(reach[t]) for t in below)])
        rank, column = np.divmod(np.arange(squares), half)
        even, odd = rank % 2 == 0, rank % 2 == 1
        inner = [even & (column < half - 1), odd & (column > 0), rank >= 0]
        masks = np.array([sum(1 << int(s) for s in np.flatnonzero(kind)) for kind in inner], np.int64)
        sets, numbers, first = _hounds(n)
        tiers = np.stack([2 * first[:-1], first[:-1] + first[1:]], axis=1).ravel() * (squares // 2)
        self.tiers = tuple(tiers.tolist())
        self.size = 2 * comb(squares, half) * (squares // 2)
        self.data = (half, near, reach, masks, _pairs(n), _spots(n), sets, numbers, first)

    def _neighbours(self, s: int) -> list[int]:
        """Return the two squares diagonally below and the two above, -1 past the edge."""
        half = self.n // 2
        rank, column = divmod(s, half)
        aside = column + 1 if rank % 2 == 0 else column - 1
        steps = [(rank - 1, column), (rank - 1, aside), (rank + 1, column), (rank + 1, aside)]
        inside = range(self.n), range(half)
        return [r * half + c if r in inside[0] and c in inside[1] else -1 for r, c in steps]

    def tier_targets(self, tier: int) -> Iterable[int]:
        """Return the tier before: the fox leaves the hounds as they are, they go one step on."""
        return range(max(tier - 1, 0), tier)

    def start(self) -> int:
        """Return the hounds on the lowest rank, the fox in the middle of the highest."""
        half = self.n // 2
        fox = (self.n - 1) * half + half // 2
        return ((1 << half) - 1) << 7 | fox << 1 | FOX

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        """Write the positions after each step of the fox, or of a hound."""
        half, near, masks = data[0], data[1], data[3]
        hounds, fox = position >> 7, (position >> 1) & 63
        count = 0
        if position & 1 == FOX:
            for k in range(4):
                s = near[fox, k]
                if s >= 0 and (hounds >> s) & 1 == 0:
                    out[count] = hounds << 7 | s << 1 | HOUNDS
                    count += 1
            return count
        free = masks[2] & ~hounds & ~(1 << fox)
        for way in range(3):
            shift = half + 1 if way == 0 else (half - 1 if way == 1 else half)
            landed = ((hounds & masks[way]) << shift) & free
            while landed != 0:
                s = landed & -landed
                landed ^= s
                out[count] = (hounds ^ s ^ (s >> shift)) << 7 | fox << 1 | FOX
                count += 1
        return count

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        """Return WIN or LOSS if the fox is safe on his square and a neighbour, INVALID on a hound."""
        near, reach = data[1], data[2]
        hounds, fox = position >> 7, (position >> 1) & 63
        if hounds >> fox & 1:
            return INVALID
        if hounds & reach[fox] != 0:
            return NOT_TERMINAL
        for k in range(4):
            s = near[fox, k]
            if s >= 0 and hounds & reach[s] == 0:
                return WIN if position & 1 == FOX else LOSS
        return NOT_TERMINAL

    @staticmethod
    def rank(position: int, data: Any) -> int:
        """Return the index of a position, -1 if the fox can never be there."""
        half, pairs, spots, numbers, first = data[0], data[4], data[5], data[7], data[8]
        n, hounds, fox, mover = 2 * half, position >> 7, (position >> 1) & 63, position & 1
        before, met, climbed, row = 0, 0, 0, 0
        for _ in range(half):
            pair = row + (hounds & ((1 << n) - 1))
            before += pairs[pair, met]
            met += pairs[pair, half + 1]
            climbed += pairs[pair, half + 2]
            hounds >>= n
            row += 1 << n
        if met != half or hounds != 0 or (climbed + spots[3, fox] + mover) & 1 == 0:
            return -1
        group = half * (n - 1) - climbed
        both = first[group + (mover == FOX)] + numbers[before]
        index: int = both * half * half + spots[2, fox]
        return index

    @staticmethod
    def unrank(index: int, data: Any) -> int:
        """Return the position of an index."""
        half, spots, sets, first = data[0], data[5], data[6], data[8]
        both = index // (half * half)
        fox = index - both * half * half
        group = sets[both >> 1] & 63
        mover = FOX if both >= first[group] + first[group + 1] else HOUNDS
        hounds = sets[both - first[group + (mover == FOX)]] >> 6
        odd = (half + group + mover) & 1 ^ 1
        position: int = hounds << 7 | spots[odd, fox] << 1 | mover
        return position

    @staticmethod
    def player(position: int, data: Any) -> int:
        """Return 0 for the fox, 1 for the hounds."""
        return position & 1

    def text(self, position: int) -> str:
        """Return the ranks from the highest, F and H on the dark squares, then who moves."""
        half, hounds, fox = self.n // 2, position >> 7, position >> 1 & 63
        marks = ["F" if s == fox else "H" if hounds >> s & 1 else "." for s in range(self.n * half)]
        ranks = ("".join(marks[r * half : (r + 1) * half]) for r in reversed(range(self.n)))
        return f"{'/'.join(ranks)} {self.players[position & 1]}"

    def parse(self, text: str) -> int:
        """Return the position of a text. Raises PositionError."""
        board, _, mover = text.partition(" ")
        rows, half = board.split("/"), self.n // 2
        marks = "".join(reversed(rows))
        complete = marks.count("F") == 1 and set(marks) <= set("FH.")
        if [len(row) for row in rows] != [half] * self.n or not complete:
            raise PositionError(
                f"{text!r} is no position: expected {self.n} rows of {half} dark squares, one of them F"
            )
        if mover not in self.players:
            raise PositionError(f"{text!r} does not end in fox or hounds, who moves")
        hounds = sum(1 << s for s, mark in enumerate(marks) if mark == "H")
        position = hounds << 7 | marks.index("F") << 1 | self.players.index(mover)
        if self.rank(position, self.data) < 0:
            raise PositionError(
                f"{text!r} is no position: expected {half} of H, and the side to move that their "
                "ranks allow"
            )
        return position

    def move_name(self, position: int, target: int) -> str:
        """Return the two squares of a move, as in chess."""
        if position & 1 == FOX:
            before, after = position >> 1 & 63, target >> 1 & 63
        else:
            changed = (position >> 7) ^ (target >> 7)
            before, after = (changed & -changed).bit_length() - 1, changed.bit_length() - 1
        return f"{self._square(before)}-{self._square(after)}"

    def svg(self, position: int) -> str:
        """Return a drawing of the board."""
        hounds = [self._square(s) for s in range(self.n * self.n // 2) if position >> 7 + s & 1]
        title = f"Fox and hounds: {self.text(position)} to move"
        return board_with(title, self.n, self._square(position >> 1 & 63), hounds)

    def move_points(self, position: int, target: int) -> tuple[str, ...]:
        """Return the two squares of a move."""
        return tuple(self.move_name(position, target).split("-"))

    def _square(self, s: int) -> str:
        rank, column = divmod(s, self.n // 2)
        return f"{FILES[2 * column + (rank % 2 == 0)]}{rank + 1}"


def _hounds(n: int) -> tuple[Any, Any, Any]:
    """Return all sets of hounds in order, the place of each by its rank, and where groups begin.

    A group has the sets with one sum of ranks of the board; it is stored in six bits below each set.
    """
    half = n // 2
    sets = subsets(n * half, half)
    group = np.full(len(sets), half * (n - 1), np.int64)
    for rank in range(n):
        group -= rank * np.bitwise_count(sets >> rank * half & (1 << half) - 1)
    items, numbers, first = order_by_group(group, int(group.max()) + 1)
    return sets[items] << 6 | group[items], numbers, first


def _pairs(n: int) -> Any:
    """Return a row for each set of squares on two ranks of the board, the lowest two first.

    Columns: what the squares add to the rank of the whole set, for each number of hounds below them;
    their number; the sum of their ranks.
    """
    half = n // 2
    choose = binomials(n * half, n + half)
    sets = np.arange(1 << n)
    parts = []
    for pair in range(half):
        part = np.zeros((1 << n, half + 3), np.int64)
        for s in range(n):
            held, below = sets >> s & 1, np.bitwise_count(sets & (1 << s) - 1).astype(np.int64)
            for met in range(half + 1):
                part[:, met] += held * choose[n * pair + s, met + 1 + below]
            part[:, half + 1] += held
            part[:, half + 2] += held * (2 * pair + s // half)
        parts.append(part)
    return np.concatenate(parts)


def _spots(n: int) -> Any:
    """Return the squares of even and of odd ranks, and for each square its place there and parity."""
    half = n // 2
    rank, column = np.divmod(np.arange(n * half, dtype=np.int64), half)
    place = rank // 2 * half + column
    spots = np.zeros((4, n * half), np.int64)
    spots[rank % 2, place] = np.arange(n * half)
    spots[2], spots[3] = place, rank % 2
    return spots

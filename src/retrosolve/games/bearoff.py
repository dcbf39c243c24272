"""The end of backgammon: both players only bear off, and whoever has borne off everything first wins.

All checkers are at home. Each die moves a checker down by so many points, or off the board from just
that point; a die above all checkers bears off one of the highest. Doubles are played four times.

:class:`Rolls` is the same for one player, who bears off in the fewest throws on average.

Known: probabilities of all positions of six checkers on six points as GNU Backgammon computes them,
853,776 of them.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.compilation import jit
from retrosolve.drawing.picture import CELL, Picture
from retrosolve.errors import PositionError, RulesError
from retrosolve.rules import ranking
from retrosolve.rules.contract import INVALID, LOSS, NOT_TERMINAL, TIE, WIN, CompiledGame

BITS, MOST = 4, 15  # of the checkers on a point
STACK = 4  # checkers on a point that are drawn; of more, their number
SIDE = 24  # bits of a player's checkers
MINE = (1 << SIDE) - 1
THROW = 2 * SIDE  # where the number of a throw is in a position
BOARD_WORK = 2000  # moves, about, to make the boards after all throws of one
THROWS = list(combinations_with_replacement(range(1, 7), 2))


class Tables(NamedTuple):
    """Numbers that rank positions.

    Parameters
    ----------
    points, checkers : int
    number : int32 [(checkers + 1) ** points]
        The number of the checkers of a player, by how many are on each point.
    boards : int64 [k]
        The checkers by their number, in ascending order of their pips.
    dice : int64 [21, 2]
    starts : int64 [21 * k + 1]
        Where the boards after each throw begin, of each board in turn.
    boards_after : int64
        Those boards.
    tier_of, firsts, blocks, begins, pairs
        See :class:`retrosolve.ranking.Lanes`. A place is the number of a board, a tier all boards with
        as many pips.
    """

    points: int
    checkers: int
    number: Any
    boards: Any
    dice: Any
    starts: Any
    boards_after: Any
    tier_of: Any
    firsts: Any
    blocks: Any
    begins: Any
    pairs: Any


class Bearoff(CompiledGame):
    """The checkers of both players before a throw, first those of who throws.

    Parameters
    ----------
    points : int
        The points of the home board, 1 to 6.
    checkers : int
        The most checkers of each player, 1 to 15; there are fewer where some are off the board.

    Raises
    ------
    RulesError
        For other parameters.

    Notes
    -----
    Six points and 15 checkers have 54,264 boards, and 2,944,581,696 positions of two. The players never
    meet, so that the solver ``lanes`` applies.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(Bearoff(points=2, checkers=3))
    >>> print(solution["0,3/0,3"], solution["1,0/2,1"], sep=", ")
    88.0401234568 %, 100 %
    """

    max_moves = 256
    max_outcomes = 21

    def __init__(self, points: int = 6, checkers: int = 2) -> None:
        if not 1 <= points <= 6 or not 1 <= checkers <= MOST:
            raise RulesError(f"points={points}, checkers={checkers}: expected 1 to 6, 1 to {MOST}")
        self.points, self.checkers = points, checkers
        made = _boards(points, checkers)
        numbers = made.number[_scaled(made.boards_after, points, checkers)]
        weights = [1 if small == large else 2 for small, large in THROWS]
        lanes = ranking.Lanes.of(np.bincount(made.pips), weights, made.starts, numbers)
        self.lanes, self.size, self.tiers = lanes, lanes.num_positions, lanes.tiers
        self.data = Tables(
            points, checkers, made.number, made.boards, made.dice, made.starts, made.boards_after,
            lanes.tier_of, lanes.firsts, lanes.blocks, lanes.begins, lanes.pairs,
        )  # fmt: skip

    def start(self) -> int:
        """Return the position with all checkers on the highest point."""
        mine = self.checkers << BITS * (self.points - 1)
        return mine | mine << SIDE

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        """Return LOSS if the other player has borne off everything, WIN if who would throw has."""
        if position >> SIDE == 0:
            return LOSS
        return WIN if position & MINE == 0 else NOT_TERMINAL

    @staticmethod
    def outcomes(position: int, out: Any, weights: Any, data: Any) -> int:
        """Write the 21 throws of two dice."""
        for throw in range(len(data.dice)):
            out[throw] = position | (throw + 1) << THROW
            weights[throw] = 1 if data.dice[throw, 0] == data.dice[throw, 1] else 2
        return len(data.dice)

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        """Write the positions after playing both dice, as the other player sees them."""
        mine, theirs = position & MINE, position >> SIDE & MINE
        place, scale = 0, 1
        for point in range(data.points):
            place += scale * (mine >> BITS * point & MOST)
            scale *= data.checkers + 1
        row = data.number[place] * len(data.dice) + (position >> THROW) - 1
        first, count = data.starts[row], int(data.starts[row + 1] - data.starts[row])
        for k in range(count):
            out[k] = theirs | data.boards_after[first + k] << SIDE
        return count

    @staticmethod
    def rank(position: int, data: Any) -> int:
        """Return the index of a position."""
        first, second, scale = 0, 0, 1
        for point in range(data.points):
            first += scale * (position >> BITS * point & MOST)
            second += scale * (position >> SIDE + BITS * point & MOST)
            scale *= data.checkers + 1
        mine, theirs = data.number[first], data.number[second]
        return ranking.pair_index(mine, theirs, data.tier_of, data.firsts, data.blocks)

    @staticmethod
    def unrank(index: int, data: Any) -> int:
        """Return the position of an index."""
        mine, theirs = ranking.pair_of_index(index, data.firsts, data.begins, data.pairs)
        position: int = data.boards[mine] | data.boards[theirs] << SIDE
        return position

    # -- text -------------------------------------------------------------------------------------

    def text(self, position: int) -> str:
        """Return the checkers on each point from the lowest, first those of who throws."""
        return "/".join(
            ",".join(str(position >> shift + BITS * k & MOST) for k in range(self.points))
            for shift in (0, SIDE)
        )

    def parse(self, text: str) -> int:
        """Return the position of a text. Raises PositionError."""
        try:
            sides = [[int(n) for n in side.split(",")] for side in text.split("/")]
        except ValueError:
            sides = []
        fits = [len(side) == self.points and min(side) >= 0 for side in sides]
        if fits != [True, True] or max(map(sum, sides)) > self.checkers:
            raise PositionError(
                f"{text!r} is no position: expected the checkers on {self.points} points of both "
                f"players, at most {self.checkers} each, such as {self.text(self.start())}"
            )
        packed = [sum(n << BITS * k for k, n in enumerate(side)) for side in sides]
        return packed[0] | packed[1] << SIDE

    def outcome_name(self, position: int, outcome: int) -> str:
        """Return the dice, such as ``2-1``."""
        small, large = THROWS[(outcome >> THROW) - 1]
        return f"{large}-{small}"

    def move_name(self, position: int, target: int) -> str:
        """Return the checkers after the move."""
        return self.text(target >> SIDE).split("/")[0]

    # -- picture ----------------------------------------------------------------------------------

    turns_board = True

    def svg(self, position: int) -> str:
        """Return the points as who throws sees them, his below, the lowest on the right."""
        picture = Picture(self.points * CELL, 8 * CELL, f"Bearing off: {self.text(position)}", True)
        picture.rect(0, 0, picture.width, picture.height, "board")
        for half, kind, shift in (0, "other", SIDE), (1, "mover", 0):
            edge, inwards = half * picture.height, -1 if half else 1
            for k in range(self.points):
                x = (self.points - k - 0.5) * CELL
                tip = edge + inwards * 3.4 * CELL
                corners = [(x - CELL / 2, edge), (x + CELL / 2, edge), (x, tip)]
                picture.polygon(corners, ("light", "dark")[(k + half) % 2])
                count = position >> shift + BITS * k & MOST
                y = edge + inwards * CELL / 2
                for checker in range(min(count, STACK)):
                    y = edge + inwards * (0.42 + 0.8 * checker) * CELL
                    picture.disc(x, y, 0.4 * CELL, f"piece {kind}")
                if count > STACK:
                    picture.text(x, y, str(count), f"on-{kind}", size=18)
        return str(picture)


def write_boards(
    boards: Any, dice: Any, points: int, room: Any, starts: Any, after: Any, counts_only: bool
) -> None:
    """Write the boards after each throw, none of them twice, or only where they begin.

    The empty board comes first and has none.

    Parameters
    ----------
    boards : int64 [k]
    dice : int64 [21, 2]
    points : int
    room : int64 [256]
        Overwritten.
    starts, after : int64 [21 * k + 1], int64
        Overwritten.
    counts_only : bool
    """
    for board in range(len(boards)):
        for throw in range(len(dice)):
            row = board * len(dice) + throw
            if boards[board] == 0:
                starts[row + 1] = 0
                continue
            small, large = dice[throw][0], dice[throw][1]
            # ``room`` holds the checkers after some of the dice: each die makes more at its end.
            first = play(boards[board], small, points, room, 0, 0)
            if small == large:
                begin, end = 0, first
                for _ in range(3):
                    made = end
                    for place in range(begin, end):
                        made = play(room[place], small, points, room, made, end)
                    begin, end = end, made
            else:
                other = play(boards[board], large, points, room, first, first)
                begin, end = other, other
                for place in range(other):
                    die = large if place < first else small
                    end = play(room[place], die, points, room, end, other)
            starts[row + 1] = starts[row] + end - begin
            if not counts_only:
                for place in range(begin, end):
                    after[starts[row] + place - begin] = room[place]


def play(mine: int, die: int, points: int, out: Any, end: int, begin: int) -> int:
    """Write each board after playing one die behind those in ``out[begin:end]``, none of them twice.

    Returns the new end. Who has borne off everything need not play.
    """
    for point in range(1 if mine == 0 else points):
        after = mine
        if mine != 0:
            one = 1 << BITS * point
            if mine >> BITS * point & MOST == 0:
                continue
            if point >= die:
                after = mine - one + (1 << BITS * (point - die))
            elif point == die - 1 or mine >> BITS * (point + 1) == 0:
                after = mine - one
            else:
                continue
        is_there = False
        for place in range(begin, end):
            is_there = is_there or out[place] == after
        if not is_there:
            out[end] = after
            end += 1
    return end


class BoardTables(NamedTuple):
    """The boards of one player, in ascending order of their pips.

    Parameters
    ----------
    pips : int64 [k]
    number, boards, dice, starts, boards_after
        See :class:`Tables`.
    """

    pips: Any
    number: Any
    boards: Any
    dice: Any
    starts: Any
    boards_after: Any


def _boards(points: int, checkers: int) -> BoardTables:
    """Return the boards of a player, and those after each throw."""
    digits = np.zeros((1, 0), np.int64)
    for _ in range(points):
        counts = 1 + checkers - digits.sum(axis=1)
        next_digit = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        digits = np.column_stack([np.repeat(digits, counts, axis=0), next_digit])
    pips = digits @ np.arange(1, points + 1)
    order = np.argsort(pips, kind="stable")
    boards = digits[order] @ (1 << BITS * np.arange(points, dtype=np.int64))
    number = np.zeros((checkers + 1) ** points, np.int32)
    number[_scaled(boards, points, checkers)] = np.arange(len(boards))
    dice, room = np.array(THROWS), np.zeros(Bearoff.max_moves, np.int64)
    starts, after = np.zeros(len(THROWS) * len(boards) + 1, np.int64), np.zeros(0, np.int64)
    for counts_only in (True, False):
        after = np.zeros(starts[-1], np.int64)
        work = BOARD_WORK * len(boards)
        jit.run(write_boards, work, boards, dice, points, room, starts, after, counts_only)
    return BoardTables(pips[order], number, boards, dice, starts, after)


def _scaled(boards: IntArray, points: int, checkers: int) -> IntArray:
    """Return where ``number`` has the numbers of some boards."""
    places: IntArray = np.zeros(len(boards), np.int64)
    for point in range(points):
        places += (checkers + 1) ** point * (boards >> BITS * point & MOST)
    return places


class RollTables(NamedTuple):
    """Numbers that rank the boards of one player, and the throws before.

    Parameters
    ----------
    points, checkers, most : int
        ``most`` is the largest number of throws.
    number, boards, dice, starts, boards_after
        See :class:`Tables`.
    """

    points: int
    checkers: int
    most: int
    number: Any
    boards: Any
    dice: Any
    starts: Any
    boards_after: Any


class Rolls(CompiledGame):
    """The checkers of a player who bears off alone, and his throws so far.

    A value is what he can expect: minus the number of throws, from the first on.

    Parameters
    ----------
    points : int
        The points of the home board, 1 to 6.
    checkers : int
        The most checkers, 1 to 15.

    Raises
    ------
    RulesError
        For other parameters.

    Examples
    --------
    One checker on the sixth point is off the board after one throw in 27 of 36 cases, else after two:

    >>> import retrosolve as rs
    >>> solution = rs.solve(Rolls(points=6, checkers=1))
    >>> print(solution["0,0,0,0,0,1+0"])
    -1.25
    """

    max_moves = 256
    max_outcomes = 21

    def __init__(self, points: int = 6, checkers: int = 3) -> None:
        if not 1 <= points <= 6 or not 1 <= checkers <= MOST:
            raise RulesError(f"points={points}, checkers={checkers}: expected 1 to 6, 1 to {MOST}")
        self.points, self.checkers = points, checkers
        made = _boards(points, checkers)
        most = (points * checkers + 1) // 2  # each of two dice moves a checker by a point at least
        self.data = RollTables(
            points, checkers, most, made.number, made.boards, made.dice, made.starts,
            made.boards_after,
        )  # fmt: skip
        self.size = len(made.boards) * (most + 1)
        firsts = np.searchsorted(made.pips, np.arange(made.pips.max() + 1))
        self.tiers = tuple(((most + 1) * np.unique(firsts)).tolist())

    def start(self) -> int:
        """Return the position with all checkers on the highest point."""
        return self.checkers << BITS * (self.points - 1)

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        """Return TIE once all checkers are off, INVALID for more throws than there can be."""
        mine, pips = position & MINE, 0
        for point in range(data.points):
            pips += (point + 1) * (mine >> BITS * point & MOST)
        if (position >> SIDE) + (pips + 1) // 2 > data.most:
            return INVALID
        return TIE if mine == 0 else NOT_TERMINAL

    @staticmethod
    def payoff(position: int, data: Any) -> int:
        """Return minus the number of throws."""
        return -(position >> SIDE)

    outcomes = staticmethod(Bearoff.outcomes)

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        """Write ~position after playing both dice: the same player throws again."""
        used = (position >> SIDE & MINE) + 1
        place, scale = 0, 1
        for point in range(data.points):
            place += scale * (position >> BITS * point & MOST)
            scale *= data.checkers + 1
        row = data.number[place] * len(data.dice) + (position >> THROW) - 1
        first, count = data.starts[row], int(data.starts[row + 1] - data.starts[row])
        for k in range(count):
            out[k] = ~(data.boards_after[first + k] | used << SIDE)
        return count

    @staticmethod
    def rank(position: int, data: Any) -> int:
        """Return the index of a position."""
        place, scale = 0, 1
        for point in range(data.points):
            place += scale * (position >> BITS * point & MOST)
            scale *= data.checkers + 1
        index: int = data.number[place] * (data.most + 1) + (position >> SIDE)
        return index

    @staticmethod
    def unrank(index: int, data: Any) -> int:
        """Return the position of an index."""
        board = data.boards[index // (data.most + 1)]
        position: int = board | index % (data.most + 1) << SIDE
        return position

    # -- text -------------------------------------------------------------------------------------

    def text(self, position: int) -> str:
        """Return the checkers on each point from the lowest, and the throws so far."""
        counts = (str(position >> BITS * k & MOST) for k in range(self.points))
        return f"{','.join(counts)}+{position >> SIDE}"

    def parse(self, text: str) -> int:
        """Return the position of a text. Raises PositionError."""
        board, _, used = text.partition("+")
        counts = [int(n) if n.isdecimal() else -1 for n in (*board.split(","), used)]
        position = sum(n << BITS * k for k, n in enumerate(counts[:-1])) | counts[-1] << SIDE
        fits = len(counts) == self.points + 1 and min(counts) >= 0
        fits = fits and sum(counts[:-1]) <= self.checkers
        if not fits or self.terminal(position, self.data) == INVALID:
            raise PositionError(
                f"{text!r} is no position: expected the checkers on {self.points} points, at most "
                f"{self.checkers}, and the throws so far, such as {self.text(self.start())}"
            )
        return position

    def outcome_name(self, position: int, outcome: int) -> str:
        """Return the dice, such as ``2-1``."""
        small, large = THROWS[(outcome >> THROW) - 1]
        return f"{large}-{small}"

    def move_name(self, position: int, target: int) -> str:
        """Return the checkers after the move."""
        return self.text(target).partition("+")[0]

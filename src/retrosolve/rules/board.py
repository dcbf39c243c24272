"""Board games of two sides of like men, by tables of their moves: nothing is left to compile.

An author states where men stand, how they step, jump and capture, and what ends the game. From that
come compiled rules with a dense index, tiers by the number of men, symmetry, predecessors, text and
names of moves. All games share the functions below, which read tables in ``data``; so kernels that one
game has compiled serve every other.

A position is an int: the set of points of the player to move, that of the opponent above it, and above
both the number of men in hand and the player to move, where a game has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray, is_whole
from retrosolve.drawing.boards import LETTERS, LinedBoard, Place
from retrosolve.errors import PositionError, RulesError
from retrosolve.rules.contract import INVALID, LOSS, NOT_TERMINAL, CompiledGame
from retrosolve.rules.ranking import (
    TwoSets,
    by_removal,
    canonical_two_sets,
    generate_group,
    grid_symmetries,
    permute_bits,
    popcount,
    rank_two_sets,
    unrank_two_sets,
)
from retrosolve.runtime.files import short_repr

__all__ = ["Board", "BoardGame", "MovePattern"]

EMPTY = "."
KINDS_OF_SIDES = ("mover", "alike", "unlike")
GROUPS = {
    "orthogonal": ("up", "down", "right", "left"),
    "diagonal": ("up right", "down left", "up left", "down right"),
    "forward": ("up",),
    "backward": ("down",),
    "forward diagonal": ("up left", "up right"),
    "backward diagonal": ("down left", "down right"),
}
STEPS = {"up": (1, 0), "down": (-1, 0), "right": (0, 1), "left": (0, -1)}  # in rows and columns
STEPS |= {
    f"{up} {right}": (STEPS[up][0], STEPS[right][1])
    for up in ("up", "down")
    for right in ("right", "left")
}

BITS_OF_POSITION = 63
Kind = tuple[int, int, int]  # what is above both sets, the mover's men, the opponent's


class MovePattern(NamedTuple):
    """A move of a man, and what must be where for it.

    Parameters
    ----------
    origin, target : int
        The points that the man leaves and enters. If they are the same he stays, and the move is a
        pass, or captures from a distance.
    own, other, free : int
        Sets of points with own men besides the moving one, with the opponent's, and without men.
        Another target than the origin is in ``free``, or in ``taken``.
    taken : int
        The set of the opponent's men that are captured, a part of ``other``.

    Examples
    --------
    >>> Board.grid(1, 3).jumps("orthogonal")[0]
    MovePattern(origin=0, target=2, own=0, other=2, free=4, taken=2)
    """

    origin: int
    target: int
    own: int = 0
    other: int = 0
    free: int = 0
    taken: int = 0

    def image(self, points: Sequence[int]) -> MovePattern:
        """Return the image of the move under a permutation of the points."""
        sets = (permute_bits(part, points) for part in self[2:])
        return MovePattern(int(points[self.origin]), int(points[self.target]), *sets)


@dataclass(frozen=True, eq=False)
class Board:
    """The points of a board: names, text, lines along which men move, and perhaps a drawing.

    Parameters
    ----------
    names : tuple of str
        The name of each point, without blanks.
    rows : tuple of tuples of int
        The points of each row of the text of a position.
    ways : dict of str to tuple of tuples of int
        Lines of points along which men move, by a name of their direction. Each is read in one
        direction; the name ``line`` of :meth:`lined` has both.
    places : dict of str to (x, y), optional
        Where each point is in a drawing. Without it positions are drawn by their text.
    strokes : tuple of (str, str)
        The points that lines of the drawing join.
    symmetries : int array [order, points], optional
        The image of each point under each symmetry of the board, the identity first. By default the
        identity alone.

    Raises
    ------
    RulesError
        For names that are not distinct, and for rows, lines and places that do not fit them; by its
        methods, for a direction that the board does not have.

    Examples
    --------
    >>> board = Board.grid(2, 2)
    >>> board.names, [(move.origin, move.target) for move in board.steps("forward")]
    (('a1', 'b1', 'a2', 'b2'), [(0, 2), (1, 3)])
    """

    names: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]
    ways: Mapping[str, tuple[tuple[int, ...], ...]]
    places: Mapping[str, Place] = field(default_factory=dict)
    strokes: tuple[tuple[str, str], ...] = ()
    symmetries: IntArray | None = None

    def __post_init__(self) -> None:
        every = range(len(self.names))
        for name in self.names:
            if not isinstance(name, str) or name.split() != [name] or self.names.count(name) > 1:
                raise RulesError(
                    f"{short_repr(name)} among the names of points: expected each once, without blanks"
                )
        if sorted(point for row in self.rows for point in row) != list(every):
            raise RulesError(
                f"rows of {', '.join(str(len(row)) for row in self.rows)} points for a board of "
                f"{len(every)}: expected rows in which each point occurs once"
            )
        for line in (line for lines in self.ways.values() for line in lines):
            if not all(is_whole(point) and point in every for point in line):
                raise RulesError(f"the line {line}: expected points from 0 to {len(every) - 1}")
        for name in self.names if self.places else ():
            if name not in self.places:
                raise RulesError(f"places without {name!r}: expected a place for each point")

    @classmethod
    def grid(cls, rows: int, columns: int) -> Board:
        """Return a rectangular board; point ``columns * row + column`` counts rows from the bottom.

        Its directions are ``orthogonal``, ``diagonal``, ``forward``, which is up, ``backward``,
        ``forward diagonal`` and ``backward diagonal``; and each of the eight by itself, such as ``up``
        and ``up left``.

        Raises
        ------
        RulesError
            For more than 31 points or none.
        """
        whole = is_whole(rows) and is_whole(columns)
        if not whole or min(rows, columns) < 1 or rows * columns > 31:
            raise RulesError(f"{rows!r} rows of {columns!r} points: expected 1 to 31 points")
        names = tuple(f"{LETTERS[c]}{r + 1}" for r in range(rows) for c in range(columns))
        ways = {}
        for name, step in STEPS.items():
            inside = {(r, c) for r in range(rows) for c in range(columns)}
            lines = []
            for at in sorted(p for p in inside if (p[0] - step[0], p[1] - step[1]) not in inside):
                line = [at]
                while (line[-1][0] + step[0], line[-1][1] + step[1]) in inside:
                    line.append((line[-1][0] + step[0], line[-1][1] + step[1]))
                lines.append(tuple(r * columns + c for r, c in line))
            ways[name] = tuple(lines)
        top_down = tuple(tuple(range(r * columns, (r + 1) * columns)) for r in reversed(range(rows)))
        return cls(names, top_down, ways, symmetries=grid_symmetries(rows, columns))

    @classmethod
    def lined(
        cls,
        names: Sequence[str],
        rows: Sequence[int],
        lines: Iterable[Sequence[int]],
        places: Mapping[str, Place] | None = None,
        symmetries: IntArray | None = None,
    ) -> Board:
        """Return a board of points on lines.

        Parameters
        ----------
        names : sequence of str
            The name of each point, without blanks.
        rows : sequence of int
            How many points each row of the text has, in the order of the points.
        lines : iterable of sequences of int
            The points of each line in order. Men step to the next point of a line and jump over it;
            the only direction is ``line``.
        places : mapping of str to (x, y), optional
            Where each point is in a drawing; by default positions are drawn by their text.
        symmetries : int array [order, points], optional
            The image of each point under each symmetry, the identity first;
            :func:`retrosolve.rules.ranking.generate_group` makes all of them from a few.

        Examples
        --------
        >>> board = Board.lined("abc", [3], [(0, 1, 2)])
        >>> len(board.steps()), len(board.jumps())
        (4, 2)
        """
        for length in rows:
            if not is_whole(length) or length < 1:
                raise RulesError(f"a row of {length!r} points: expected a whole number from 1 on")
        one_way = tuple(map(tuple, lines))
        text = tuple(tuple(range(*span)) for span in pairwise(accumulate(rows, initial=0)))
        both = one_way + tuple(line[::-1] for line in one_way)
        board = cls(tuple(names), text, {"line": both}, dict(places or {}), (), symmetries)
        strokes = ((names[a], names[b]) for line in one_way for a, b in pairwise(line))
        return replace(board, strokes=tuple(strokes))

    def lines(self, *ways: str) -> list[tuple[int, ...]]:
        """Return the lines in some directions, by default in all. Raises RulesError."""
        groups = GROUPS if "up" in self.ways else {}
        known: dict[str, tuple[str, ...]] = {**groups, **{name: (name,) for name in self.ways}}
        for way in ways:
            if not isinstance(way, str) or way not in known:
                raise RulesError(
                    f"{short_repr(way)} is no direction of this board: expected {', '.join(known)}"
                )
        names = [name for way in ways for name in known[way]] or self.ways
        return [line for name in names for line in self.ways[name]]

    def steps(self, *ways: str) -> list[MovePattern]:
        """Return the moves to the next point of a line, which is free."""
        return [MovePattern(a, b, free=1 << b) for line in self.lines(*ways) for a, b in pairwise(line)]

    def captures(self, *ways: str) -> list[MovePattern]:
        """Return the moves onto a man of the opponent at the next point of a line, who is captured."""
        return [step._replace(free=0, other=step.free, taken=step.free) for step in self.steps(*ways)]

    def jumps(self, *ways: str, over: str = "other", onto: str = "free") -> list[MovePattern]:
        """Return the moves over a man at the next point of a line to the one behind it.

        Parameters
        ----------
        *ways : str
            Directions, by default all.
        over : str
            ``other`` for a man of the opponent, who is captured unless the jump ends on another;
            ``own`` for one of the player's, who stays.
        onto : str
            ``free``, or ``other`` for a man of the opponent, who is captured.

        Raises
        ------
        RulesError
            For other words.
        """
        if over not in ("own", "other") or onto not in ("free", "other"):
            raise RulesError(
                f"over={over!r}, onto={onto!r}: expected over own or other, and onto free or other"
            )
        moves = []
        for line in self.lines(*ways):
            for a, b, c in zip(line, line[1:], line[2:], strict=False):
                sets = {"own": 0, "other": 0, "free": 0}
                sets[over] |= 1 << b
                sets[onto] |= 1 << c
                taken = 1 << c if onto == "other" else 1 << b if over == "other" else 0
                moves.append(MovePattern(a, c, **sets, taken=taken))
        return moves

    def rows_of(self, length: int, *ways: str) -> list[int]:
        """Return the sets of so many points side by side on a line, each once. Raises RulesError."""
        if not is_whole(length) or length < 1:
            raise RulesError(f"rows_of({short_repr(length)}): expected a number of points from 1 on")
        sets = [
            sum(1 << s for s in line[k : k + length])
            for line in self.lines(*ways)
            for k in range(len(line) - length + 1)
        ]
        return list(dict.fromkeys(sets))

    @cached_property
    def drawing(self) -> LinedBoard | None:
        """The empty board; None without places."""
        if not self.places:
            return None
        right, below = (max(place[k] for place in self.places.values()) for k in (0, 1))
        left, above = (min(place[k] for place in self.places.values()) for k in (0, 1))
        return LinedBoard(right + left, below + above, self.places, self.strokes)


class BoardData(NamedTuple):
    """The tables of a board game, ``data`` of its compiled functions.

    Parameters
    ----------
    sets : int64 array
        The index, ``ranking.TwoSets(...).data``.
    rules : int64 array
        The moves and ends of the game, in one array since each call copies its arguments: see the
        constants below.
    extra : tuple
        What the author adds for functions of the own.
    """

    sets: IntArray
    rules: IntArray
    extra: Any


# The numbers and parts of the array of rules.
N = 0  # points
SIDES = 1  # 0 where positions do not tell who moves; 1 where they do and sides are alike; 2 if not
HAND_BITS = 2  # above both sets, for the number of men in hand
TOTAL = 3  # men of both players if those not on the board are in hand, 0 if bits or nobody count them
FLYING, COMPULSORY, MILLS = range(4, 7)
FEWEST = 7  # + player: the number of men with which he still plays on
GOALS = 9  # + player: the points to reach
NUM_PATTERNS, NUM_LINES, TURNED = range(11, 14)
NEAR, BACK = 14, 15  # by player and point: where a man steps to, and where he may have come from
FIRST, PATTERNS = 16, 17  # all other moves by player and origin
FIRST_ORIGIN, ORIGINS = 18, 19  # those of them that capture nobody, by player and target
FIRST_LINE, LINES = 20, 21  # sets of points that win, or mills, by their lowest point
FIRST_THROUGH, THROUGH = 22, 23  # the same by each of their points
TURN = 24  # the image of each point when sides are exchanged
PARTS = 25
ROW = 6  # of a move: bits of the target and of the origin, own men, the opponent's, free points, taken


# -- the compiled functions --------------------------------------------------------------------------


def mover_of(position: int, data: BoardData) -> int:
    """Return the player to move, 0 or 1; 0 where positions do not tell."""
    rules = data.rules
    return position >> 2 * int(rules[N]) + int(rules[HAND_BITS]) & 1 if rules[SIDES] > 0 else 0


def men_in_hand(position: int, data: BoardData) -> int:
    """Return the number of men of both players that are not placed yet."""
    rules = data.rules
    n = int(rules[N])
    if rules[TOTAL] > 0:
        return int(rules[TOTAL]) - popcount(position & (1 << 2 * n) - 1)
    return position >> 2 * n & (1 << int(rules[HAND_BITS])) - 1


def board_successors(position: int, out: Any, data: BoardData) -> int:
    """Write the positions after placing a man, or after moving one once all are placed."""
    rules = data.rules
    n = int(rules[N])
    every = (1 << n) - 1
    mine, theirs = position & every, position >> n & every
    free = every & ~(mine | theirs)
    side = mover_of(position, data)
    above = position >> 2 * n ^ (1 << int(rules[HAND_BITS]) if rules[SIDES] > 0 else 0)
    mills = rules[MILLS] != 0 and theirs != 0
    count = 0
    if men_in_hand(position, data) > 0:
        above -= 1 if rules[HAND_BITS] > 0 else 0
        while free != 0:
            to = free & -free
            free ^= to
            if mills:
                count = write_after_mill(mine | to, to, theirs, above, out, count, rules)
            else:
                out[count] = (above << n | mine | to) << n | theirs
                count += 1
        return count
    if rules[COMPULSORY] != 0 and captures_somebody(mine, theirs, side, rules):
        return pattern_moves(mine, theirs, side, above, True, out, count, rules)
    flies = popcount(mine) <= rules[FLYING]
    near = int(rules[NEAR]) + side * n
    men = mine
    while men != 0:
        man = men & -men
        men ^= man
        ways = free if flies else free & int(rules[near + popcount(man - 1)])
        while ways != 0:
            to = ways & -ways
            ways ^= to
            if mills:
                count = write_after_mill(mine ^ man ^ to, to, theirs, above, out, count, rules)
            else:
                out[count] = (above << n | mine ^ man ^ to) << n | theirs
                count += 1
    if rules[NUM_PATTERNS] > 0:
        count = pattern_moves(mine, theirs, side, above, False, out, count, rules)
    return count


def write_after_mill(
    mine: int, to: int, theirs: int, above: int, out: Any, count: int, rules: IntArray
) -> int:
    """Write the position after a move to a point; after a mill, one for each man to capture."""
    n = int(rules[N])
    after = (above << n | mine) << n
    if not closes_line(mine, to, rules):
        out[count] = after | theirs
        return count + 1
    men = theirs & ~in_lines(theirs, rules)
    if men == 0:
        men = theirs
    while men != 0:
        man = men & -men
        men ^= man
        out[count] = after | theirs ^ man
        count += 1
    return count


def pattern_moves(
    mine: int, theirs: int, side: int, above: int, captures: bool, out: Any, count: int, rules: IntArray
) -> int:
    """Write the positions after the moves that are no mere steps, perhaps only after captures."""
    n = int(rules[N])
    free = (1 << n) - 1 & ~(mine | theirs)
    first, patterns = int(rules[FIRST]) + side * n, int(rules[PATTERNS])
    men = mine
    while men != 0:
        man = men & -men
        men ^= man
        place = first + popcount(man - 1)
        for move in range(rules[place], rules[place + 1]):
            row = patterns + ROW * move
            taken = int(rules[row + 5])
            if not fits(mine, theirs, free, row, rules) or (captures and taken == 0):
                continue
            to = int(rules[row])
            left = theirs & ~taken
            if rules[MILLS] != 0 and left != 0 and to != man:  # who stays completes no line
                count = write_after_mill(mine ^ man | to, to, left, above, out, count, rules)
            else:
                out[count] = (above << n | mine ^ man | to) << n | left
                count += 1
    return count


def captures_somebody(mine: int, theirs: int, side: int, rules: IntArray) -> bool:
    """Return whether a man can capture by a move."""
    n = int(rules[N])
    free = (1 << n) - 1 & ~(mine | theirs)
    first, patterns = int(rules[FIRST]) + side * n, int(rules[PATTERNS])
    men = mine
    while men != 0:
        man = men & -men
        men ^= man
        place = first + popcount(man - 1)
        for move in range(rules[place], rules[place + 1]):
            row = patterns + ROW * move
            if rules[row + 5] != 0 and fits(mine, theirs, free, row, rules):
                return True
    return False


def fits(mine: int, theirs: int, free: int, row: int, rules: IntArray) -> bool:
    """Return whether the men and the free points of a move are where it needs them."""
    missing = int(rules[row + 2]) & ~mine | int(rules[row + 3]) & ~theirs
    return (missing | int(rules[row + 4]) & ~free) == 0


def board_predecessors(position: int, out: Any, data: BoardData) -> int:
    """Write the positions before a move that captured nobody; only such moves stay in a tier."""
    rules = data.rules
    n = int(rules[N])
    every = (1 << n) - 1
    mine, theirs = position & every, position >> n & every
    if men_in_hand(position, data) > 0:
        return 0
    free = every & ~(mine | theirs)
    above = position >> 2 * n ^ (1 << int(rules[HAND_BITS]) if rules[SIDES] > 0 else 0)
    side = mover_of(position, data) ^ 1 if rules[SIDES] > 0 else 0
    flies = popcount(theirs) <= rules[FLYING]
    compulsory = rules[COMPULSORY] != 0
    back, first = int(rules[BACK]) + side * n, int(rules[FIRST_ORIGIN]) + side * n
    before = above << n | mine
    held = in_lines(theirs, rules) if rules[MILLS] != 0 and mine != 0 else 0
    men, count = theirs, 0
    while men != 0:
        man = men & -men
        men ^= man
        point = popcount(man - 1)
        came = free if man & held == 0 else 0  # who had come to a line would have captured
        ways = came if flies else came & int(rules[back + point])
        while ways != 0:
            origin = ways & -ways
            ways ^= origin
            moved = theirs ^ man ^ origin
            if not compulsory or not captures_somebody(moved, mine, side, rules):
                out[count] = before << n | moved
                count += 1
        for move in range(rules[first + point], rules[first + point + 1]):
            row = int(rules[ORIGINS]) + ROW * move
            origin = int(rules[row + 1])
            if (came | man) & origin == 0:  # by a pass the man has stayed
                continue
            moved = theirs ^ man ^ origin
            legal = fits(moved, mine, free ^ origin ^ man, row, rules)
            if legal and (not compulsory or not captures_somebody(moved, mine, side, rules)):
                out[count] = before << n | moved
                count += 1
    return count


def board_terminal(position: int, data: BoardData) -> int:
    """Return LOSS where the opponent has won or few men are left, INVALID where the mover has won."""
    rules = data.rules
    n = int(rules[N])
    every = (1 << n) - 1
    mine, theirs = position & every, position >> n & every
    side = mover_of(position, data)
    if popcount(mine) < rules[FEWEST + side] and men_in_hand(position, data) == 0:
        return LOSS
    if rules[MILLS] == 0 and rules[NUM_LINES] > 0:
        if has_line(mine, rules):
            return INVALID
        if has_line(theirs, rules):
            return LOSS
    if mine & int(rules[GOALS + side]) != 0:
        return INVALID
    if theirs & int(rules[GOALS + (side ^ 1)]) != 0:
        return LOSS
    return NOT_TERMINAL


def has_line(points: int, rules: IntArray) -> bool:
    """Return whether a set has one of the lines in it."""
    first, lines = int(rules[FIRST_LINE]), int(rules[LINES])
    lowest = points
    while lowest != 0:
        s = first + popcount((lowest & -lowest) - 1)
        lowest &= lowest - 1
        for k in range(rules[s], rules[s + 1]):
            if int(rules[lines + k]) & ~points == 0:
                return True
    return False


def closes_line(points: int, to: int, rules: IntArray) -> bool:
    """Return whether a set has a line through one of its points."""
    s, lines = int(rules[FIRST_THROUGH]) + popcount(to - 1), int(rules[THROUGH])
    closed = False
    for k in range(rules[s], rules[s + 1]):
        closed |= int(rules[lines + k]) & ~points == 0
    return closed


def in_lines(points: int, rules: IntArray) -> int:
    """Return the points of a set that are in lines of it."""
    held, lines = 0, int(rules[LINES])
    for k in range(rules[NUM_LINES]):
        line = int(rules[lines + k])
        if line & ~points == 0:
            held |= line
    return held


def board_canonical(position: int, data: BoardData) -> int:
    """Return the canonical image; where sides are alike, with the first player to move."""
    if data.rules[SIDES] == 1 and mover_of(position, data) == 1:
        position = exchanged(position, data)
    return canonical_two_sets(position, data.sets)


def exchanged(position: int, data: BoardData) -> int:
    """Return the position with the players exchanged: the other one is to move."""
    rules = data.rules
    n = int(rules[N])
    position ^= 1 << 2 * n + int(rules[HAND_BITS])
    if rules[TURNED] == 0:
        return position
    every = (1 << n) - 1
    turn = rules[int(rules[TURN]) : int(rules[TURN]) + n]
    both = position >> 2 * n << n | permute_bits(position >> n & every, turn)
    return both << n | permute_bits(position & every, turn)


def board_rank(position: int, data: BoardData) -> int:
    """Return the index of a position."""
    return rank_two_sets(position, data.sets)


def board_unrank(index: int, data: BoardData) -> int:
    """Return the position of an index."""
    return unrank_two_sets(index, data.sets)


Points = TypeVar("Points", int, NDArray[np.int64])


def changed_points(position: Points, target: Points, n: int) -> tuple[Points, Points, Points]:
    """Return the sets of points that the mover leaves, enters and captures, of n points."""
    every = (1 << n) - 1
    before, after = position & every, target >> n & every
    return before & ~after, after & ~before, position >> n & ~target & every


class MenOnBoard(CompiledGame):
    """Text, names of moves and pictures of positions of two sets of men on a board, without rules.

    A position has the points of the player to move in its lowest bits and those of the opponent above
    them. Colours are fixed where :meth:`side_to_move` tells who moves; otherwise the first colour is
    that of the player to move.

    Examples
    --------
    >>> game = MenOnBoard()
    >>> game.board = Board.grid(2, 2)
    >>> game.board_text(0b1000_0001)
    '.O/X.'
    """

    board: Board

    marks: str = "XO"
    """OPTIONAL. The letters of the men of both players in the text of a position."""

    title: str = ""
    """OPTIONAL. The name of the game in the titles of pictures, by default that of the class."""

    def colours(self, position: int) -> tuple[int, int]:
        """Return the sets of X and of O."""
        n = len(self.board.names)
        both = position & (1 << n) - 1, position >> n & (1 << n) - 1
        return both[::-1] if self.side_to_move(position) else both

    def board_text(self, position: int) -> str:
        """Return the rows of the board, with dots for free points and slashes between them."""
        first, second = self.colours(position)
        return "/".join(
            "".join(
                self.marks[0] if first >> s & 1 else self.marks[1] if second >> s & 1 else EMPTY
                for s in row
            )
            for row in self.board.rows
        )

    def sets_of(self, text: str) -> tuple[int, int]:
        """Return the sets of X and of O of the text of a board. Raises PositionError."""
        rows = text.split("/")
        lengths = [len(row) for row in self.board.rows]
        if [*map(len, rows)] != lengths or not set(text) <= {*self.marks, EMPTY, "/"}:
            raise PositionError(
                f"{text!r} is no position: expected rows of {', '.join(map(str, lengths))} points, "
                f"{self.marks[0]}, {self.marks[1]} or a dot, and slashes between them"
            )
        marks = dict(zip((s for row in self.board.rows for s in row), "".join(rows), strict=True))
        first, second = (
            sum(1 << s for s, held in marks.items() if held == mark) for mark in self.marks
        )
        return first, second

    def move_name(self, position: int, target: int) -> str:
        """Return the points that a man leaves and enters, and those of captured men."""
        return self._named(*self._changes(position, target))

    def _named(self, *parts: int) -> str:
        """Return the name of a move by the points that a man leaves and enters, and those captured."""
        if not any(parts):
            return "pass"
        left, entered, taken = (",".join(self._names(part)) for part in parts)
        if taken == entered:
            return f"{left}x{taken}"
        name = "-".join(filter(None, (left, entered)))
        return f"{name}x{taken}" if taken else name

    def _changes(self, position: int, target: int) -> tuple[int, int, int]:
        """Return the sets of points that the mover leaves, enters and captures."""
        return changed_points(position, target, len(self.board.names))

    def _names(self, points: int) -> list[str]:
        names = []
        while points:  # few of many: exports name every move
            names.append(self.board.names[(points & -points).bit_length() - 1])
            points &= points - 1
        return names

    def caption(self, position: int) -> str:
        """Return the title of the picture of a position."""
        side = self.side_to_move(position)
        mover = self.marks[0] if side is None else self.players[side]
        return f"{self.title or type(self).__name__}: {self.text(position)}, {mover} to move"

    def svg(self, position: int) -> str | None:
        """Return a drawing of the lines and men of the board; None for a board without places."""
        if self.board.drawing is None:
            return None
        relative = self.side_to_move(position) is None
        kinds = ("mover", "other") if relative else ("first", "second")
        pieces = {
            name: kind
            for points, kind in zip(self.colours(position), kinds, strict=True)
            for s, name in enumerate(self.board.names)
            if points >> s & 1
        }
        caption = self.caption(position)
        return str(self.board.drawing.picture(caption, pieces, mover_relative=relative))

    def move_points(self, position: int, target: int) -> tuple[str, ...] | None:
        """Return the points that a man leaves and enters, and those of captured men."""
        if not self.board.places:
            return None
        left, entered, taken = self._changes(position, target)
        parts = left, entered, taken & ~entered
        return tuple(name for part in parts for name in self._names(part))


class BoardGame(MenOnBoard):
    """A game of two sides of like men on a board, by tables of their moves.

    Subclass it and call ``super().__init__`` with the board and its moves. All else is optional, and
    any function of :class:`CompiledGame` may be written anew.

    Parameters
    ----------
    board : Board
    moves : iterable of MovePattern, or two of them
        The moves of a man: of both players, or of the first and of the second one. Write those of both
        as the first player sees them if ``turn`` exchanges the sides.
    start : str
        The initial position, as the text of its board; by default the empty board.
    men : int
        Men of each player that are placed in turn, one in each move, before any man moves. A start with
        men on it has none.
    lines : iterable of int
        Sets of points. Who holds one has won, unless ``mills``.
    mills : bool
        Whether holding a line does not win, but whoever completes one captures any man outside of
        lines, or any at all if there is none.
    goals : (int, int)
        Sets of points that the first and the second player have to reach to win.
    fewest : int or (int, int)
        The number of men with which a player still plays on, once all are placed; with fewer he has
        lost. Or those of the first and of the second player.
    flying : int
        The number of men from which on they move to any free point.
    compulsory : bool
        Whether a player who can capture has to.
    symmetry : bool or int array [order, points]
        Whether positions that the symmetries of the board exchange are solved once: those that leave
        the moves and lines as they are. Or symmetries that do, to be used with all that they make.
    sides : str
        ``alike``: positions that differ by an exchange of both players are solved once; text and
        pictures have fixed colours all the same. ``unlike``: every position is solved for either
        player. ``mover``: positions do not tell who moves, and X is the player to move.
    turn : sequence of int, optional
        With sides that are alike, the image of each point when they are exchanged, for men that move
        forward. The moves and goals are then those of the first player; lines have to be the same for
        both.
    tiers : list of lists of (int, int, int), optional
        Blocks of the index, as :class:`retrosolve.rules.ranking.TwoSets` takes them. By default those
        that moves can lead to from the start, by :func:`retrosolve.rules.ranking.by_removal`.
    extra : tuple
        Numbers and arrays for functions of the own, in ``data.extra``.

    Raises
    ------
    RulesError
        For a move that no man can make or that would leave two men on a point, for points that the
        board does not have, for a start that is no position, and for symmetries that do not leave the
        moves as they are.

    Notes
    -----
    Every index is solved unless ``reachable_only`` is set. A solve takes two or three bytes for each.
    The kernels of one game serve all others, since its tables are arguments: a game without functions
    of its own compiles nothing if another one has been solved on this machine.

    Examples
    --------
    Three men each on 3x3 points, placed in turn and then moved a step in any direction:

    >>> import retrosolve as rs
    >>> class InLine(BoardGame):
    ...     def __init__(self):
    ...         board = Board.grid(3, 3)
    ...         super().__init__(board, board.steps(), men=3, lines=board.rows_of(3), symmetry=True)
    >>> solution = rs.solve(InLine())
    >>> solution.start, len(solution), solution["XX./.O./... O"].value.name
    (0, 540, 'DRAW')
    """

    injective_rank = True
    players = ("X", "O")

    def __init__(
        self,
        board: Board,
        moves: Iterable[MovePattern] | tuple[Iterable[MovePattern], Iterable[MovePattern]],
        *,
        start: str = "",
        men: int = 0,
        lines: Iterable[int] = (),
        mills: bool = False,
        goals: tuple[int, int] = (0, 0),
        fewest: int | tuple[int, int] = 0,
        flying: int = 0,
        compulsory: bool = False,
        symmetry: bool | IntArray = False,
        sides: str = "alike",
        turn: Sequence[int] | None = None,
        tiers: Sequence[Sequence[Kind]] | None = None,
        extra: tuple[Any, ...] = (),
    ) -> None:
        if not isinstance(board, Board):
            raise RulesError(f"{short_repr(board)} is no board: expected a Board")
        if sides not in KINDS_OF_SIDES:
            raise RulesError(f"sides={sides!r}: expected {', '.join(KINDS_OF_SIDES)}")
        self.board = board
        self._sides = KINDS_OF_SIDES.index(sides)
        n = len(board.names)
        both = _of_both(moves, n)
        held = sorted(set(_point_sets("lines", lines, n, 1)), key=lambda line: (line & -line, line))
        reached = _of_players("goals", _point_sets("goals", goals, n, 0))
        least = fewest if isinstance(fewest, tuple | list) else (fewest, fewest)
        self._fewest = _of_players("fewest", [_count("fewest", number) for number in least])
        self._flying, self._mills = _count("flying", flying), mills
        if turn is not None:
            turn = _exchange(turn, sides, held, n)
            both = both[0], [move.image(turn) for move in both[0]]
            reached = reached[0], permute_bits(reached[0], turn)
        elif sides != "unlike" and (both[0] != both[1] or reached[0] != reached[1]):
            raise RulesError(
                "the players have different moves or goals: expected sides='unlike', or turn= for "
                "those of the first player seen from the other side"
            )
        if sides != "unlike" and self._fewest[0] != self._fewest[1]:
            raise RulesError(f"fewest={fewest} with sides={sides!r}: expected sides='unlike'")
        self._captures = {move.taken.bit_count() for part in both for move in part} - {0}
        ways = self._symmetries(symmetry, both, held, reached, turn)
        first = self._first(start, _count("men", men))
        blocks = self._ordered(self._closure(first)) if tiers is None else tiers
        self._index = TwoSets(n, blocks, ways)
        self._symmetric = ways is not None and len(ways) > 1
        self.size, self.tiers = self._index.size, self._index.tiers
        self._blocks = blocks
        near, back, others = _steps_and_others(both, n)
        quiet = [[move for move in part if not move.taken] for part in others]
        parts = (
            near.ravel(), back.ravel(), *_by_point(others, n, "origin"), *_by_point(quiet, n, "target"),
            *_line_tables(held, n), np.arange(n) if turn is None else np.asarray(turn),
        )  # fmt: skip
        head = (
            n, self._sides, self._hand_bits, self._total, flying, compulsory, mills, *self._fewest,
            *reached, sum(map(len, others)), len(held), turn is not None,
        )  # fmt: skip
        places = PARTS + np.cumsum([0, *map(len, parts[:-1])])
        rules = np.concatenate([head, places, *parts]).astype(np.int64)
        self.data = BoardData(self._index.data, rules, extra)
        self._start = first
        if type(self).terminal is board_terminal and self.terminal(first, self.plain_data) == INVALID:
            raise RulesError(f"start={start!r}: expected a position that X has not won already")
        self.max_moves, self.max_predecessors = self._bounds(near, back, others, quiet)

    def _first(self, start: str, men: int) -> int:
        """Return the initial position; its text needs neither who moves nor men in hand."""
        if not isinstance(start, str):
            raise RulesError(f"start={short_repr(start)}: expected the text of a board")
        n = len(self.board.names)
        mine, theirs = self.sets_of(start) if start else (0, 0)
        self._men = 0 if mine | theirs else men
        in_hand = 2 * self._men
        self._hand_bits = in_hand.bit_length() if self._mills or self._captures else 0
        self._total = 0 if self._hand_bits else in_hand
        bits = 2 * n + self._hand_bits + (self._sides > 0)
        if bits > BITS_OF_POSITION:
            raise RulesError(
                f"a position of {n} points with {in_hand} men in hand takes {bits} bits: expected at "
                f"most {BITS_OF_POSITION}"
            )
        return ((in_hand if self._hand_bits else 0) << n | theirs) << n | mine

    def _symmetries(
        self,
        symmetry: bool | IntArray,
        both: tuple[list[MovePattern], list[MovePattern]],
        lines: list[int],
        goals: tuple[int, int],
        turn: Sequence[int] | None,
    ) -> IntArray | None:
        """Return the symmetries to use, checked to leave the rules as they are."""
        if symmetry is False:
            return None
        chosen = self.board.symmetries if symmetry is True else symmetry
        if chosen is None:
            raise RulesError("symmetry=True on a board without symmetries: expected Board(symmetries=)")
        group, n = generate_group(chosen).tolist(), len(self.board.names)
        if len(group[0]) != n:
            raise RulesError(f"symmetries of {len(group[0])} points on a board of {n}: expected {n}")
        kept = []
        for points in group:
            same = (
                all({move.image(points) for move in part} == set(part) for part in both)
                and {permute_bits(line, points) for line in lines} == set(lines)
                and all(permute_bits(goal, points) == goal for goal in goals)
            )
            if same:
                kept.append(points)
            elif symmetry is not True:
                raise RulesError(
                    f"the symmetry {points} changes the moves, lines or goals: expected the same ones"
                )
        if turn is not None:  # the image of a position has the same images with the players exchanged
            kept += [[turn[points[s]] for s in turn] for points in kept]
        return generate_group(kept)

    def _closure(self, first: int) -> set[Kind]:
        """Return the blocks that moves can lead to from a position."""
        n = len(self.board.names)
        mine, theirs = first & (1 << n) - 1, first >> n & (1 << n) - 1
        kinds = {(first >> 2 * n, mine.bit_count(), theirs.bit_count())}
        if self._sides == 2 and not self._men:
            kinds.add((1 << self._hand_bits, theirs.bit_count(), mine.bit_count()))
        todo = list(kinds)
        while todo:
            for after in self._next(todo.pop()):
                if after not in kinds:
                    kinds.add(after)
                    todo.append(after)
        return kinds

    def _ordered(self, kinds: set[Kind]) -> list[list[Kind]]:
        """Return blocks in an order in which moves lead only to earlier tiers, or stay."""
        bit = 1 << self._hand_bits if self._sides == 2 else 0
        tiers = by_removal({(above & ~bit, mine, theirs) for above, mine, theirs in kinds})
        if self._total:  # a man that is placed comes out of the hand, which the number of men tells
            tiers.reverse()
        if not bit:
            return tiers
        with_mover = [[(above | b, *men) for b in (0, bit) for above, *men in tier] for tier in tiers]
        return [[kind for kind in tier if kind in kinds] for tier in with_mover]

    def _next(self, kind: Kind) -> set[Kind]:
        """Return the blocks that one move can lead to."""
        above, own, other = kind
        hand = self._total - own - other if self._total else above & (1 << self._hand_bits) - 1
        turned = above ^ (1 << self._hand_bits if self._sides == 2 else 0)
        if hand > 0 and own + other == len(self.board.names):
            return set()
        if hand > 0:
            turned -= self._hand_bits > 0
            targets = {(turned, other, own + 1)}
            return targets | {(turned, other - 1, own + 1)} if self._mills and other else targets
        if own == 0 or own < self._fewest[above >> self._hand_bits & 1 if self._sides == 2 else 0]:
            return set()
        taken = {k + mill for k in {0} | self._captures for mill in {0, int(self._mills)}}
        return {(turned, other - k, own) for k in taken if other >= k}

    def tier_targets(self, tier: int) -> list[int]:
        """Return the earlier tiers that moves out of a tier may lead to."""
        tier_of = self._index.tier_of
        kinds = {after for kind in self._blocks[tier] for after in self._next(kind)}
        return sorted({tier_of[kind] for kind in kinds if kind in tier_of} - {tier})

    def _bounds(
        self,
        near: IntArray,
        back: IntArray,
        others: list[list[MovePattern]],
        quiet: list[list[MovePattern]],
    ) -> tuple[int, int]:
        """Return upper bounds of the numbers of moves and of predecessors."""
        n = len(self.board.names)
        most = max(max(kind[1:]) for tier in self._blocks for kind in tier)
        few = min(self._flying, most)
        bounds = []
        for ways, patterns, point in ((near, others, "origin"), (back, quiet, "target")):
            degrees = np.zeros_like(ways)
            for side, part in enumerate(patterns):
                np.add.at(degrees[side], [getattr(move, point) for move in part], 1)
            walking = np.sort(degrees + np.bitwise_count(ways))[:, n - most :].sum(axis=1)
            flying = np.sort(degrees)[:, n - few :].sum(axis=1) + few * n
            bounds.append(int(max(*walking, *flying)))
        moves = max(bounds[0], n * (self._men > 0)) * (most if self._mills else 1)
        return max(moves, 1), max(bounds[1], 1)

    def start(self) -> int:
        """Return the initial position, the first player to move."""
        return self._start

    successors = staticmethod(board_successors)
    predecessors = staticmethod(board_predecessors)
    terminal = staticmethod(board_terminal)
    canonical = staticmethod(board_canonical)
    rank = staticmethod(board_rank)
    unrank = staticmethod(board_unrank)
    player = staticmethod(mover_of)

    def side_to_move(self, position: int) -> int | None:
        """Return the player to move; None where positions do not tell."""
        return mover_of(position, self.data) if self._sides else None

    def exchanged(self, position: int) -> int | None:
        """Return the position with the players exchanged; None unless sides are alike."""
        return int(exchanged(position, self.data)) if self._sides == 1 else None

    def null_move(self, position: int) -> int | None:
        """Return the position with the other player to move; None with men in hand, or at an end."""
        data, n = self.plain_data, len(self.board.names)
        mine, theirs = position & (1 << n) - 1, position >> n & (1 << n) - 1
        above = position >> 2 * n ^ (1 << self._hand_bits if self._sides else 0)
        passed = (above << n | mine) << n | theirs
        goes_on = all(self.terminal(each, data) == NOT_TERMINAL for each in (position, passed))
        return passed if goes_on and men_in_hand(position, data) == 0 else None

    def implements(self, name: str) -> bool:
        """Return whether the game has an optional function, by its tables."""
        if name == "canonical" and type(self).canonical is board_canonical:
            return self._sides == 1 or self._symmetric
        if name == "player":
            return self._sides == 2
        if name == "exchanged" and type(self).exchanged is BoardGame.exchanged:
            return self._sides == 1
        if name in ("svg", "move_points") and getattr(type(self), name) is getattr(MenOnBoard, name):
            return bool(self.board.places)
        return super().implements(name)

    def move_names(
        self, positions: NDArray[np.int64], targets: NDArray[np.int64], results: NDArray[np.uint8]
    ) -> list[str]:
        """Return the names of many moves, of which few differ in the points that change."""
        if type(self).move_name is not BoardGame.move_name:
            return super().move_names(positions, targets, results)
        parts = changed_points(positions, targets, len(self.board.names))
        changes = list(zip(*(part.tolist() for part in parts), strict=True))
        names = {each: self._named(*each) for each in set(changes)}
        return [names[each] for each in changes]

    def text(self, position: int) -> str:
        """Return the board, the men in hand if positions count them, and who moves."""
        n = len(self.board.names)
        hand = [str(position >> 2 * n & (1 << self._hand_bits) - 1)] if self._hand_bits else []
        mover = [self.players[mover_of(position, self.data)]] if self._sides else []
        return " ".join([self.board_text(position), *hand, *mover])

    def parse(self, text: str) -> int:
        """Return the position of a text. Raises PositionError."""
        n = len(self.board.names)
        rows, *rest = text.split(" ")
        sets = self.sets_of(rows)
        side = 0
        if self._sides:
            if not rest or rest[-1] not in self.players:
                raise PositionError(f"{text!r} does not end in {' or '.join(self.players)}, who moves")
            side = self.players.index(rest.pop())
        above = 0
        if self._hand_bits:
            above = (
                int(rest.pop()) if len(rest) == 1 and rest[0].isdecimal() and rest[0].isascii() else -1
            )
        mine, theirs = sets[::-1] if side else sets
        kind = (
            above | (side << self._hand_bits if self._sides == 2 else 0),
            *map(int.bit_count, (mine, theirs)),
        )
        if rest or above < 0 or kind not in self._index.tier_of:
            hand = ", then the men in hand" if self._hand_bits else ""
            raise PositionError(
                f"{text!r} is no position: expected numbers of men that play can lead to{hand}"
            )
        position = ((above | side << self._hand_bits) << n | theirs) << n | mine
        if self.terminal(position, self.plain_data) == INVALID:
            raise PositionError(f"{text!r} is no position: the player to move has won already")
        return position


def _of_both(
    moves: Iterable[MovePattern] | tuple[Iterable[MovePattern], Iterable[MovePattern]], n: int
) -> tuple[list[MovePattern], list[MovePattern]]:
    """Return the moves of the first and of the second player, checked. Raises RulesError."""
    parts: list[Any] = list(moves)
    if len(parts) != 2 or isinstance(parts[0], MovePattern):
        both = [_checked(move, n) for move in parts]
        return both, both
    first, second = ([_checked(move, n) for move in part] for part in parts)
    return first, second


def _checked(move: Any, n: int) -> MovePattern:
    """Return a move that a man can make on a board of n points. Raises RulesError."""
    if not isinstance(move, MovePattern):
        raise RulesError(f"{short_repr(move)} is no move: expected a MovePattern")
    if not all(map(is_whole, move)):
        raise RulesError(f"{move}: expected whole numbers, which stand for points and sets of points")
    origin, target, own, other, free, taken = map(int, move)
    man, sets = 1 << origin if 0 <= origin < n else 0, own | other | free | taken
    if not man or not 0 <= target < n:
        wrong = f"expected points from 0 to {n - 1}"
    elif min(own, other, free, taken) < 0 or sets >> n:
        wrong = f"expected sets of the points 0 to {n - 1}, with bit s for point s"
    elif (own | man) & other or (own | man) & free or other & free:
        wrong = "expected each point in one set of own, other and free, and the origin in none of them"
    elif taken & ~other:
        wrong = "expected taken to be a part of other"
    elif target != origin and not (free | taken) >> target & 1:
        wrong = "expected the target to be in free or in taken, or to be the origin, for a pass"
    else:
        return MovePattern(origin, target, own & ~man, other, free, taken)
    raise RulesError(f"{move}: {wrong}")


def _point_sets(name: str, sets: Iterable[int], n: int, least: int) -> list[int]:
    """Return sets of points on a board of n points. Raises RulesError."""
    if not isinstance(sets, Iterable):
        raise RulesError(f"{name}={short_repr(sets)}: expected sets of points, in a list")
    listed = list(sets)
    for points in listed:
        if not is_whole(points) or points < least or points >> n:
            raise RulesError(
                f"{name}: {short_repr(points)} is no set of points: expected a whole number with bit s "
                f"for point s, of the points 0 to {n - 1}"
            )
    return list(map(int, listed))


def _count(name: str, number: int) -> int:
    """Return a number of men. Raises RulesError."""
    if not is_whole(number) or number < 0:
        raise RulesError(f"{name}: {short_repr(number)} is no number of men: expected one from 0 on")
    return number


def _of_players(name: str, parts: Sequence[int]) -> tuple[int, int]:
    """Return a pair, of the first and the second player. Raises RulesError."""
    if len(parts) != 2:
        raise RulesError(
            f"{name}={short_repr(parts)}: expected two, of the first and the second player"
        )
    return parts[0], parts[1]


def _exchange(turn: Sequence[int], sides: str, lines: list[int], n: int) -> list[int]:
    """Return the image of each point when sides are exchanged, checked. Raises RulesError."""
    points, every = list(turn), list(range(n))
    is_whole_board = all(map(is_whole, points)) and sorted(points) == every
    if sides != "alike" or not is_whole_board or [points[s] for s in points] != every:
        raise RulesError(
            f"turn={short_repr(points)} with sides={sides!r}: expected an exchange of points in pairs, "
            "and sides that are alike"
        )
    if {permute_bits(line, points) for line in lines} != set(lines):
        raise RulesError("turn= changes the lines: expected lines that are the same for both players")
    return points


def _steps_and_others(
    both: tuple[list[MovePattern], list[MovePattern]], n: int
) -> tuple[IntArray, IntArray, list[list[MovePattern]]]:
    """Return where men step to and come from by a mere step, by player and point, and other moves."""
    near, back = np.zeros((2, 2, n), np.int64)
    others: list[list[MovePattern]] = [[], []]
    for side, part in enumerate(both):
        for move in part:
            if move == MovePattern(move.origin, move.target, free=1 << move.target):
                near[side, move.origin] |= 1 << move.target
                back[side, move.target] |= 1 << move.origin
            else:
                others[side].append(move)
    return near, back, others


def _by_point(parts: list[list[MovePattern]], n: int, point: str) -> tuple[IntArray, IntArray]:
    """Return where the moves of each player and point begin, and a row for each move."""
    keyed = [
        (side * n + getattr(move, point), move) for side, part in enumerate(parts) for move in part
    ]
    keyed.sort(key=lambda entry: entry[0])
    rows = [
        (1 << m.target, 1 << m.origin, m.own | 1 << m.origin, m.other, m.free, m.taken)
        for _, m in keyed
    ]
    first = np.searchsorted([key for key, _ in keyed], np.arange(2 * n + 1))
    return first, np.array(rows, np.int64).ravel()


def _line_tables(lines: list[int], n: int) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return where lines begin by their lowest point, and lines; the same by each of their points."""
    lowest = [(line & -line).bit_length() - 1 for line in lines]
    through = sorted((s, line) for line in lines for s in range(n) if line >> s & 1)
    return (
        np.searchsorted(lowest, np.arange(n + 1)),
        np.array(lines, np.int64),
        np.searchsorted([s for s, _ in through], np.arange(n + 1)),
        np.array([line for _, line in through], np.int64),
    )

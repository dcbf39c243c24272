"""The Royal Game of Ur: a race with captures, by throws of dice that show 0 or 1 each.

Each player brings his pieces along a path and off the board, by exact throws. The first four squares
are his own, and so are the last two of the rules of Finkel; the others both share. A piece on a shared
square is captured by one that lands there, and begins anew. A rosette gives another throw. Who can move
must; who cannot passes.

======= ======= ===================== ============ ================================
rules   squares dice                  rosettes     besides
======= ======= ===================== ============ ================================
finkel  14      four                  4, 8, 14     a piece on the square 8 is safe
blitz   16      four                  4, 8, 12, 16 a capture gives another throw
masters 16      three, 4 for no point 4, 8, 12, 16
======= ======= ===================== ============ ================================

On the path of 16 squares both go round the end of the board, in opposite directions: the square 12 of
one is the square 16 of the other.

Known: the player who throws first wins with a probability of 51.5404732509 % by the rules of Finkel
with seven pieces, of 137,870,097 positions that are not over; 51.857291 % with two, 53.004984 % with
one; 50.4052555093 % in blitz with five; 50.4809002027 % by the rules of Masters with seven
(RoyalUr-Java; J. Olieslagers, game_of_ur).
"""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from math import comb
from typing import Any, NamedTuple

import numpy as np

from retrosolve.drawing.boards import RADIUS
from retrosolve.drawing.picture import CELL, Picture, ring
from retrosolve.errors import PositionError, RulesError
from retrosolve.rules.contract import LOSS, NOT_TERMINAL, CompiledGame

OVER = 1 << 62  # the position after the last piece is off the board
THEIRS, THROW = 20, 40  # where the pieces of the other player, and the throw, are in a position
PIECES, BORNE_OFF = (1 << 16) - 1, 16
FIRST, SLOTS = 4, 12  # squares before the shared ones; bits for these in a pair of sets
# Columns of the board and rows from the middle one to the player's own, by squares of the path.
BEGUN = [(3, 1), (2, 1), (1, 1), (0, 1), *((column, 0) for column in range(7))]
ENDED = {14: [(7, 0), (7, 1), (6, 1)], 16: [(6, 1), (7, 1), (7, 0), (7, -1), (6, -1)]}
IN_HAND, OFF = (4, 1), (5, 1)


class RuleSet(NamedTuple):
    """The path, the dice, and what gives another throw.

    Parameters
    ----------
    squares, shared : int
        The squares of a path, and how many of them, from the fifth on, both share.
    turned : int
        How many of the last shared squares the other player passes in the opposite direction.
    rosettes, safe : tuple of int
        Squares that give another throw, and on which no piece is captured.
    dice : tuple of int
        How often each throw from 0 to 4 comes up.
    capture_again : bool
        Whether a capture gives another throw.
    """

    squares: int
    shared: int
    turned: int
    rosettes: tuple[int, ...]
    safe: tuple[int, ...]
    dice: tuple[int, ...]
    capture_again: bool = False


RULES = {
    "finkel": RuleSet(14, 8, 0, (4, 8, 14), (8,), (1, 4, 6, 4, 1)),
    "blitz": RuleSet(16, 12, 5, (4, 8, 12, 16), (), (1, 4, 6, 4, 1), True),
    "masters": RuleSet(16, 12, 5, (4, 8, 12, 16), (), (0, 3, 3, 1, 1)),
}


class Tables(NamedTuple):
    """The rules as numbers, and numbers that rank positions.

    Parameters
    ----------
    pieces, squares, shared, last, capture_again : int
        ``last`` is the number of a player's own squares behind the shared ones.
    rosettes, safe : int
        Bits of squares.
    dice : int64 [5]
        How often each throw comes up.
    partner : int64 [squares + 2]
        The square of the other player that is the same as one's own, 0 for none.
    turn : int64 [2 ** shared]
        The shared squares of the other player as one's own.
    offset : int64 [pieces, pieces, 2 ** last, 2 ** last, shared + 1, shared + 1]
        The first index by the pieces that each has off the board, on which of the last squares, and
        how many on the shared squares.
    starts, owners : int64 [blocks], int64 [blocks, 6]
        The same in ascending order, and whose they are.
    ternary : int64 [2 ** shared]
        A set of squares as digits of base 3.
    shared_rank : int32 [3 ** shared]
        The rank of the shared squares among those with as many pieces of each.
    shared_unrank, shared_start : int64 [3 ** shared], int64 [shared + 1, shared + 1]
        The inverse: the squares of both, and where those with so many pieces begin.
    first_rank, first_unrank : int64 [16]
        The rank of the first squares by their number of pieces, and the inverse.
    up_to : int64 [pieces + 1]
        How many sets of first squares have at most so many pieces.
    """

    pieces: int
    squares: int
    shared: int
    last: int
    capture_again: int
    rosettes: int
    safe: int
    dice: Any
    partner: Any
    turn: Any
    offset: Any
    starts: Any
    owners: Any
    ternary: Any
    shared_rank: Any
    shared_unrank: Any
    shared_start: Any
    first_rank: Any
    first_unrank: Any
    up_to: Any


class Ur(CompiledGame):
    """The board before a throw, as the player sees it who throws.

    Parameters
    ----------
    pieces : int
        The pieces of each player, 1 to 7. By the rules of Finkel, seven are 137,870,097 positions.
    rules : {"finkel", "blitz", "masters"}
        The path and the dice: the rules of Irving Finkel, of James Masters, or those of a short game.

    Raises
    ------
    RulesError
        For other parameters.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(Ur(pieces=1))
    >>> print(solution[solution.start])
    53.0049839525 %
    """

    max_moves = 7
    max_outcomes = 5

    def __init__(self, pieces: int = 2, rules: str = "finkel") -> None:
        if not 1 <= pieces <= 7:
            raise RulesError(f"pieces={pieces}: expected 1 to 7")
        if rules not in RULES:
            raise RulesError(f"rules={rules!r}: expected {', '.join(RULES)}")
        self.pieces, self.rules = pieces, rules
        self.squares = RULES[rules].squares
        self.data, self.size, self.tiers = _tables(pieces, RULES[rules])

    def start(self) -> int:
        """Return the empty board."""
        return 0

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        """Return LOSS once the other player has all his pieces off the board."""
        return LOSS if position == OVER else NOT_TERMINAL

    @staticmethod
    def outcomes(position: int, out: Any, weights: Any, data: Any) -> int:
        """Write the throws that come up."""
        count = 0
        for throw in range(5):
            if data.dice[throw] > 0:
                out[count] = position | (throw + 1) << THROW
                weights[count] = data.dice[throw]
                count += 1
        return count

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        """Write the boards after each move, as the other player sees them, ~board for another throw."""
        throw = (position >> THROW) - 1
        mine, theirs = position & (1 << THEIRS) - 1, position >> THEIRS & (1 << THEIRS) - 1
        board, off = mine & PIECES, mine >> BORNE_OFF
        in_hand = data.pieces - off - board.bit_count()
        count = 0
        for square in range(data.squares + 1 if throw > 0 else 0):  # 0: a piece that enters
            if (in_hand == 0) if square == 0 else (board >> (square - 1) & 1 == 0):
                continue
            target = square + throw
            if target > data.squares + 1:
                break
            rest = board if square == 0 else board - (1 << (square - 1))
            if target == data.squares + 1:
                after = theirs | (rest | (off + 1) << BORNE_OFF) << THEIRS
                out[count] = OVER if off + 1 == data.pieces else after
                count += 1
                continue
            bit = 1 << (target - 1)
            if board & bit:
                continue
            captured = 0
            if data.partner[target] > 0:
                captured = theirs & 1 << (data.partner[target] - 1)
            if captured and data.safe >> target & 1:
                continue
            after = rest | bit | off << BORNE_OFF
            if data.rosettes >> target & 1 or (captured and data.capture_again):
                out[count] = ~(after | (theirs - captured) << THEIRS)
            else:
                out[count] = (theirs - captured) | after << THEIRS
            count += 1
        if count == 0:
            out[0] = theirs | mine << THEIRS
            count = 1
        return count

    @staticmethod
    def progress(position: int, data: Any) -> int:
        """Return twice the squares that all pieces on the board have come, one more for one's own."""
        mine, theirs = position & PIECES, position >> THEIRS & PIECES
        squares = 0
        for square in range(data.squares):
            squares += (square + 1) * ((mine >> square & 1) + (theirs >> square & 1))
        return 2 * squares + (1 if mine > theirs else 0)

    @staticmethod
    def rank(position: int, data: Any) -> int:
        """Return the index of a board."""
        if position == OVER:
            return 0
        mine, theirs = position & (1 << THEIRS) - 1, position >> THEIRS
        cells, end = (1 << data.shared) - 1, FIRST + data.shared
        shared, others = mine >> FIRST & cells, data.turn[theirs >> FIRST & cells]
        last, far = (mine & PIECES) >> end, (theirs & PIECES) >> end
        ours, rest = shared.bit_count(), others.bit_count()
        off, away = mine >> BORNE_OFF, theirs >> BORNE_OFF
        width = data.up_to[data.pieces - away - far.bit_count() - rest]
        height = data.up_to[data.pieces - off - last.bit_count() - ours]
        group = data.shared_rank[data.ternary[shared] + 2 * data.ternary[others]]
        first, second = data.first_rank[mine & 15], data.first_rank[theirs & 15]
        block = data.offset[off, away, last, far, ours, rest]
        index: int = block + (group * height + first) * width + second
        return index

    @staticmethod
    def unrank(index: int, data: Any) -> int:
        """Return the board of an index."""
        if index == 0:
            return OVER
        block = np.searchsorted(data.starts, index, side="right") - 1
        off, away, last = data.owners[block, 0], data.owners[block, 1], data.owners[block, 2]
        far, ours, rest = data.owners[block, 3], data.owners[block, 4], data.owners[block, 5]
        width = data.up_to[data.pieces - away - far.bit_count() - rest]
        height = data.up_to[data.pieces - off - last.bit_count() - ours]
        place = index - data.starts[block]
        second, place = place % width, place // width
        first, group = place % height, place // height
        both = data.shared_unrank[data.shared_start[ours, rest] + group]
        end = FIRST + data.shared
        shared, others = both & (1 << SLOTS) - 1, data.turn[both >> SLOTS]
        mine = data.first_unrank[first] | shared << FIRST | last << end | off << BORNE_OFF
        theirs = data.first_unrank[second] | others << FIRST | far << end | away << BORNE_OFF
        position: int = mine | theirs << THEIRS
        return position

    # -- text -------------------------------------------------------------------------------------

    def text(self, position: int) -> str:
        """Return the squares and the pieces off the board of who throws, then of the other player."""
        if position == OVER:
            return "over"
        sides = position & (1 << THEIRS) - 1, position >> THEIRS & (1 << THEIRS) - 1
        return "/".join(_side_text(side) for side in sides)

    def parse(self, text: str) -> int:
        """Return the board of a text. Raises PositionError."""
        if text == "over":
            return OVER
        try:
            mine, theirs = (_side_of(part, self.squares) for part in text.split("/"))
        except ValueError:
            raise PositionError(
                f"{text!r} is no position: expected squares and pieces off the board of both, as "
                "4,9+1/12+0"
            ) from None
        position = mine | theirs << THEIRS
        for side in (mine, theirs):
            if (side & PIECES).bit_count() + (side >> BORNE_OFF) > self.pieces:
                raise PositionError(f"{text!r} has more than {self.pieces} pieces: expected fewer")
        partner = self.data.partner
        same = [k for k in range(1, self.squares + 1) if mine >> k - 1 & 1 and partner[k]]
        if (
            any(theirs >> int(partner[k]) - 1 & 1 for k in same)
            or self.pieces in (mine >> BORNE_OFF, theirs >> BORNE_OFF)
        ):  # fmt: skip
            raise PositionError(f"{text!r} is no position: expected a square for each piece")
        return position

    def outcome_name(self, position: int, outcome: int) -> str:
        """Return the throw."""
        return str((outcome >> THROW) - 1)

    def move_name(self, position: int, target: int) -> str:
        """Return the squares that a piece moves between, such as ``5-8``; ``pass`` for no move."""
        throw = (position >> THROW) - 1
        mine = position & (1 << THEIRS) - 1
        out = np.zeros(self.max_moves, np.int64)
        for made in out[: self.successors(position, out, self.data)].tolist():
            if max(made, ~made) == target:
                if made == OVER:
                    square = (mine & PIECES).bit_length()
                else:
                    after = (~made & (1 << THEIRS) - 1) if made < 0 else made >> THEIRS
                    square = (mine & PIECES & ~after).bit_length()
                    if after == mine:
                        return "pass"
                to = square + throw
                return f"{square or 'in'}-{'off' if to > self.squares else to}"
        return "pass"

    # -- picture ----------------------------------------------------------------------------------

    turns_board = True

    def svg(self, position: int) -> str:
        """Return the board as who throws sees it, pieces in hand before his path, others behind it."""
        path = [*BEGUN, *ENDED[self.squares]]
        picture = Picture(8 * CELL, 3 * CELL, f"The Royal Game of Ur: {self.text(position)}", True)
        for column, row in sorted({*path, *((column, -row) for column, row in path)}):
            picture.rect(column * CELL, (1 + row) * CELL, CELL, CELL, "cell")
        for square, (column, row) in enumerate(path, 1):
            if self.data.rosettes >> square & 1:
                for upright in {row, -row}:
                    x, y = _middle((column, upright))
                    wide, narrow = ring(8, x, y, 0.42 * CELL), ring(8, x, y, 0.2 * CELL, 1 / 16)
                    star = [corner for pair in zip(wide, narrow, strict=True) for corner in pair]
                    picture.polygon(star, "hole")
        sides = (0, self.pieces << BORNE_OFF) if position == OVER else (position, position >> THEIRS)
        for side, kind, turn in zip(sides, ("mover", "other"), (1, -1), strict=True):
            board, off = side & PIECES, side >> BORNE_OFF & 7
            for square, (column, row) in enumerate(path, 1):
                if board >> square - 1 & 1:
                    picture.disc(*_middle((column, turn * row)), RADIUS, f"piece {kind}")
            for (column, row), count in (IN_HAND, self.pieces - off - board.bit_count()), (OFF, off):
                if count:
                    x, y = _middle((column, turn * row))
                    picture.disc(x, y, 0.75 * RADIUS, f"piece {kind}")
                    picture.text(x, y, str(count), f"on-{kind}")
        for label, (column, row) in [("in", IN_HAND), *enumerate(path, 1), ("off", OFF)]:
            picture.point(str(label), column * CELL, (1 + row) * CELL, CELL, CELL)
        return str(picture)

    def move_points(self, position: int, target: int) -> tuple[str, ...]:
        """Return the squares of a piece before and after its move."""
        for throw in range(1, 5):
            name = self.move_name(position | (throw + 1) << THROW, target)
            if name != "pass":
                return tuple(name.split("-"))
        return ()


def _middle(place: tuple[int, int]) -> tuple[float, float]:
    """Return the middle of a square in the drawing."""
    return (place[0] + 0.5) * CELL, (place[1] + 1.5) * CELL


def _side_text(side: int) -> str:
    squares = [str(k + 1) for k in range(BORNE_OFF) if side >> k & 1]
    return f"{','.join(squares)}+{side >> BORNE_OFF}"


def _side_of(text: str, most: int) -> int:
    squares, _, off = text.partition("+")
    side = int(off or 0) << BORNE_OFF
    for square in filter(None, squares.split(",")):
        if not 1 <= int(square) <= most:
            raise ValueError(square)
        side |= 1 << (int(square) - 1)
    return side


def _tables(pieces: int, rules: RuleSet) -> tuple[Tables, int, tuple[int, ...]]:
    """Return the tables, the number of indices, and the first index of each tier."""
    shared, last = rules.shared, rules.squares - FIRST - rules.shared
    firsts = sorted(range(1 << FIRST), key=lambda mask: (mask.bit_count(), mask))
    first_rank = np.zeros(1 << FIRST, np.int64)
    first_rank[firsts] = np.arange(1 << FIRST)
    up_to = np.cumsum([comb(FIRST, k) for k in range(pieces + 1)])
    slots = np.arange(shared)
    slots[shared - rules.turned :] = slots[shared - rules.turned :][::-1]
    partner = np.zeros(rules.squares + 2, np.int64)
    partner[FIRST + 1 : FIRST + 1 + shared] = slots + FIRST + 1
    bits = np.arange(1 << shared)[:, None] >> np.arange(shared) & 1
    turn, ternary = bits @ (1 << slots), bits @ 3 ** np.arange(shared)
    # The pieces on the shared squares, a digit of base 3 each: none, one's own, the other player's.
    digits = np.arange(3**shared)[:, None] // 3 ** np.arange(shared) % 3
    ours, others = digits == 1, digits == 2
    counts = ours.sum(axis=1) * (shared + 1) + others.sum(axis=1)
    by_counts = np.argsort(counts, kind="stable")
    first = np.searchsorted(counts[by_counts], np.arange((shared + 1) ** 2 + 1))
    shared_rank = np.empty(3**shared, np.int32)
    shared_rank[by_counts] = np.arange(3**shared) - first[counts[by_counts]]
    squares = 1 << np.arange(shared)
    shared_unrank = (ours @ squares | (others @ squares) << SLOTS)[by_counts]
    shared_start = first[:-1].reshape(shared + 1, shared + 1)
    sizes = np.diff(first).reshape(shared + 1, shared + 1)
    offset = np.zeros((pieces, pieces, 1 << last, 1 << last, shared + 1, shared + 1), np.int64)
    starts, owners, tiers, size = [0], [(0, 0, 0, 0, 0, 0)], [0], 1
    # A piece behind the shared squares only moves on: a tier for how far those of each have come.
    beyond: dict[int, list[tuple[int, int]]] = {}
    for off, at in product(range(pieces), range(1 << last)):
        if off + at.bit_count() <= pieces:
            come = off * (last + 1) + sum(k + 1 for k in range(last) if at >> k & 1)
            beyond.setdefault(come, []).append((off, at))
    pairs = combinations_with_replacement(beyond, 2)
    for less, more in sorted(pairs, key=lambda pair: (-sum(pair), pair)):
        tiers.append(size)
        for side, other in sorted({(more, less), (less, more)}):
            for (off, at), (away, far) in product(beyond[side], beyond[other]):
                most, fewest = pieces - off - at.bit_count(), pieces - away - far.bit_count()
                for mine, rest in product(range(shared + 1), repeat=2):
                    if mine > most or rest > fewest or sizes[mine, rest] == 0:
                        continue
                    offset[off, away, at, far, mine, rest] = size
                    starts.append(size)
                    owners.append((off, away, at, far, mine, rest))
                    size += int(sizes[mine, rest] * up_to[most - mine] * up_to[fewest - rest])
    rosettes, safe = (sum(1 << k for k in squares) for squares in (rules.rosettes, rules.safe))
    tables = Tables(
        pieces, rules.squares, shared, last, int(rules.capture_again), rosettes, safe,
        np.array(rules.dice), partner, turn, offset, np.array(starts), np.array(owners), ternary,
        shared_rank, shared_unrank, shared_start, first_rank, np.array(firsts), up_to,
    )  # fmt: skip
    return tables, size, tuple(tiers)

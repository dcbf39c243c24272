"""The Royal Game of Ur: a race with captures, by throws of four dice that show 0 or 1 each.

Each player brings his pieces along a path of 14 squares and off the board, by exact throws: four
squares of his own, eight that both share, two of his own. A piece on the shared squares is captured by
one that lands there, and begins anew. A rosette (the squares 4, 8 and 14) gives another throw, and on
the shared one a piece is safe. Who can move must; who cannot passes.

Known: the player who throws first wins with a probability of 51.5404732509 % with seven pieces, of
137,870,097 positions that are not over; 51.857291 % with two, 53.004984 % with one (RoyalUr-Java;
J. Olieslagers, game_of_ur).
"""

from __future__ import annotations

from itertools import product
from math import comb
from typing import Any, NamedTuple

import numpy as np

from retrosolve.errors import PositionError, RulesError
from retrosolve.rules.contract import LOSS, NOT_TERMINAL, CompiledGame

OVER = 1 << 62  # the position after the last piece is off the board
PRIVATE, SHARED, SQUARES = 6, 8, 14
FIRST_SHARED, LAST_SHARED, SAFE = 5, 12, 8
THEIRS, THROW = 20, 40  # where the pieces of the other player, and the throw, are in a position
PIECES, BORNE_OFF = (1 << SQUARES) - 1, SQUARES


class Tables(NamedTuple):
    """Numbers that rank positions.

    Parameters
    ----------
    pieces : int
    offset : int64 [pieces + 1, pieces + 1, 9, 9]
        The first index by the pieces that each has off the board, and on the shared squares.
    shared_rank, shared_unrank : int64 [9, 9, 256, 256 or less]
        The rank of the shared squares among those with as many pieces of each, and the inverse.
    private_rank, private_unrank : int64 [64]
        The rank of the private squares by their number of pieces, and the inverse.
    up_to : int64 [8]
        How many sets of private squares have at most so many pieces.
    """

    pieces: int
    offset: Any
    starts: Any
    owners: Any
    shared_rank: Any
    shared_unrank: Any
    shared_start: Any
    private_rank: Any
    private_unrank: Any
    up_to: Any


class Ur(CompiledGame):
    """The board before a throw, as the player sees it who throws.

    Parameters
    ----------
    pieces : int
        The pieces of each player, 1 to 7. Seven are 137,870,097 positions.
    rules : {"finkel"}
        The path and the dice; the rules of Irving Finkel.

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
        if rules != "finkel":
            raise RulesError(f"rules={rules!r}: expected finkel")
        self.pieces = pieces
        self.data, self.size, self.tiers = _tables(pieces)

    def start(self) -> int:
        """Return the empty board."""
        return 0

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        """Return LOSS once the other player has all his pieces off the board."""
        return LOSS if position == OVER else NOT_TERMINAL

    @staticmethod
    def outcomes(position: int, out: Any, weights: Any, data: Any) -> int:
        """Write the throws 0 to 4, of four dice."""
        for throw in range(5):
            out[throw] = position | (throw + 1) << THROW
        weights[0], weights[1], weights[2], weights[3], weights[4] = 1, 4, 6, 4, 1
        return 5

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:  # noqa: PLR0912
        """Write the boards after each move, as the other player sees them, ~board on a rosette."""
        throw = (position >> THROW) - 1
        mine, theirs = position & (1 << THEIRS) - 1, position >> THEIRS & (1 << THEIRS) - 1
        board, off = mine & PIECES, mine >> BORNE_OFF
        others = theirs & PIECES
        in_hand = data.pieces - off - board.bit_count()
        count = 0
        if throw > 0:
            for square in range(SQUARES + 1):  # 0: a piece that enters
                if (in_hand == 0) if square == 0 else (board >> (square - 1) & 1 == 0):
                    continue
                target = square + throw
                if target > SQUARES + 1:
                    continue
                rest = board if square == 0 else board - (1 << (square - 1))
                if target == SQUARES + 1:
                    if off + 1 == data.pieces:
                        out[count] = OVER
                    else:
                        out[count] = theirs | (rest | (off + 1) << BORNE_OFF) << THEIRS
                    count += 1
                    continue
                bit = 1 << (target - 1)
                if board & bit:
                    continue
                captured = 0
                if FIRST_SHARED <= target <= LAST_SHARED and others & bit:
                    if target == SAFE:
                        continue
                    captured = bit
                after = rest | bit | off << BORNE_OFF
                if target == 4 or target == 8 or target == 14:  # noqa: PLR1714  # numba compiles no set
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
        for square in range(SQUARES):
            squares += (square + 1) * ((mine >> square & 1) + (theirs >> square & 1))
        return 2 * squares + (1 if mine > theirs else 0)

    @staticmethod
    def rank(position: int, data: Any) -> int:
        """Return the index of a board."""
        if position == OVER:
            return 0
        mine, theirs = position & (1 << THEIRS) - 1, position >> THEIRS
        shared, others = mine >> 4 & 255, theirs >> 4 & 255
        first = data.private_rank[(mine & 15) | (mine >> 12 & 3) << 4]
        second = data.private_rank[(theirs & 15) | (theirs >> 12 & 3) << 4]
        ours, rest = shared.bit_count(), others.bit_count()
        off, away = mine >> BORNE_OFF, theirs >> BORNE_OFF
        width = data.up_to[min(PRIVATE, data.pieces - away - rest)]
        height = data.up_to[min(PRIVATE, data.pieces - off - ours)]
        group = data.shared_rank[shared, others]
        index: int = data.offset[off, away, ours, rest] + (group * height + first) * width + second
        return index

    @staticmethod
    def unrank(index: int, data: Any) -> int:
        """Return the board of an index."""
        if index == 0:
            return OVER
        block = np.searchsorted(data.starts, index, side="right") - 1
        off, away, ours, rest = (
            data.owners[block, 0], data.owners[block, 1], data.owners[block, 2], data.owners[block, 3],
        )  # fmt: skip
        width = data.up_to[min(PRIVATE, data.pieces - away - rest)]
        height = data.up_to[min(PRIVATE, data.pieces - off - ours)]
        place = index - data.starts[block]
        second, place = place % width, place // width
        first, group = place % height, place // height
        both = data.shared_unrank[data.shared_start[ours, rest] + group]
        a, b = data.private_unrank[first], data.private_unrank[second]
        mine = (a & 15) | (both & 255) << 4 | (a >> 4) << 12 | off << BORNE_OFF
        theirs = (b & 15) | (both >> 8) << 4 | (b >> 4) << 12 | away << BORNE_OFF
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
            mine, theirs = (_side_of(part) for part in text.split("/"))
        except ValueError:
            raise PositionError(
                f"{text!r} is no position: expected squares and pieces off the board of both, as "
                "4,9+1/12+0"
            ) from None
        position = mine | theirs << THEIRS
        for side in (mine, theirs):
            if (side & PIECES).bit_count() + (side >> BORNE_OFF) > self.pieces:
                raise PositionError(f"{text!r} has more than {self.pieces} pieces: expected fewer")
        if mine & theirs & 255 << 4 or self.pieces in (mine >> BORNE_OFF, theirs >> BORNE_OFF):
            raise PositionError(f"{text!r} is no position: expected a square for each piece")
        return position

    def outcome_name(self, position: int, outcome: int) -> str:
        """Return the throw."""
        return str((outcome >> THROW) - 1)

    def move_name(self, position: int, target: int) -> str:
        """Return the squares that a piece moves between, such as ``5-8``; ``pass`` for no move."""
        throw = (position >> THROW) - 1
        mine = position & (1 << THEIRS) - 1
        for square in range(SQUARES + 1):
            out = np.zeros(self.max_moves, np.int64)
            held = 1 << (square - 1) if square else 0
            if square and not mine & held:
                continue
            for made in out[: self.successors(position, out, self.data)].tolist():
                if max(made, ~made) == target and _moved(mine, made) == (square, square + throw):
                    to = "off" if square + throw > SQUARES else str(square + throw)
                    return f"{square or 'in'}-{to}"
        return "pass"


def _moved(mine: int, made: int) -> tuple[int, int]:
    """Return the squares that a piece of the player who throws has moved between."""
    if made == OVER:
        square = (mine & PIECES).bit_length()
        return square, SQUARES + 1
    after = (~made & (1 << THEIRS) - 1) if made < 0 else made >> THEIRS
    gone, come = mine & PIECES & ~after, after & PIECES & ~mine
    return gone.bit_length(), come.bit_length() or SQUARES + 1


def _side_text(side: int) -> str:
    squares = [str(k + 1) for k in range(SQUARES) if side >> k & 1]
    return f"{','.join(squares)}+{side >> BORNE_OFF}"


def _side_of(text: str) -> int:
    squares, _, off = text.partition("+")
    side = int(off or 0) << BORNE_OFF
    for square in filter(None, squares.split(",")):
        if not 1 <= int(square) <= SQUARES:
            raise ValueError(square)
        side |= 1 << (int(square) - 1)
    return side


def _tables(pieces: int) -> tuple[Tables, int, tuple[int, ...]]:
    """Return the tables, the number of indices, and the first index of each tier."""
    private = sorted(range(64), key=lambda mask: (mask.bit_count(), mask))
    private_rank = np.zeros(64, np.int64)
    private_rank[private] = np.arange(64)
    up_to = np.cumsum([comb(PRIVATE, k) for k in range(PRIVATE + 1)])
    groups: dict[tuple[int, int], list[int]] = {}
    shared_rank = np.zeros((256, 256), np.int64)
    for cells in product(range(3), repeat=SHARED):
        ours = sum(1 << k for k, cell in enumerate(cells) if cell == 1)
        theirs = sum(1 << k for k, cell in enumerate(cells) if cell == 2)
        group = groups.setdefault((ours.bit_count(), theirs.bit_count()), [])
        shared_rank[ours, theirs] = len(group)
        group.append(ours | theirs << 8)
    shared_start = np.zeros((9, 9), np.int64)
    shared_unrank: list[int] = []
    for key, group in groups.items():
        shared_start[key] = len(shared_unrank)
        shared_unrank += group
    offset = np.zeros((pieces, pieces, 9, 9), np.int64)
    starts, owners, tiers, size = [0], [(0, 0, 0, 0)], [0], 1
    # Pieces off the board stay there: a tier for each pair of their numbers, the most first.
    pairs = [(a, b) for a in range(pieces) for b in range(a + 1)]
    for more, fewer in sorted(pairs, key=lambda pair: (-sum(pair), pair)):
        tiers.append(size)
        for off, away in {(more, fewer), (fewer, more)}:
            for (ours, rest), group in groups.items():
                if ours > pieces - off or rest > pieces - away:
                    continue
                offset[off, away, ours, rest] = size
                starts.append(size)
                owners.append((off, away, ours, rest))
                width = int(up_to[min(PRIVATE, pieces - away - rest)])
                height = int(up_to[min(PRIVATE, pieces - off - ours)])
                size += len(group) * width * height
    tables = Tables(
        pieces, offset, np.array(starts), np.array(owners), shared_rank, np.array(shared_unrank),
        shared_start, private_rank, np.array(private), up_to,
    )  # fmt: skip
    return tables, size, tuple(tiers)

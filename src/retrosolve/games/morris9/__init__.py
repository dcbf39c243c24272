"""Nine men's morris, compiled: three squares joined at the middles of their sides, 24 points.

Nine men each are placed in turn; then a move slides a man along a line to the next point if it is free,
or to any free point for a player with just three men. Three in a row on a line are a mill. Closing one,
or two at once, captures one of the opponent's men outside mills, or any if all are in mills. A player
with fewer than three men, those in hand included, has lost, and one without a move as well.

Known: the game is a draw. Up to symmetry there are 8,904,593,601 positions without men in hand, three
or more men each, and 17,874,891,168 with men in hand. Sources: R. Gasser, Solving Nine Men's Morris,
1996; G. E. Gévay and G. Danner, 2014.
"""

from __future__ import annotations

from math import comb
from typing import Any

from retrosolve.errors import PositionError, RulesError
from retrosolve.games.morris9.board import NAMES, MorrisBoard, checked_men
from retrosolve.games.morris9.lasker import LaskerMorris
from retrosolve.games.morris9.moves import (
    FIRST_POINTS,
    HAND,
    has_symmetry,
    image,
    index_of,
    is_smallest,
    mills,
    orbit_entry,
    result,
    set_pair,
    slides,
    smallest,
    survey_closing,
    survey_placing,
    write_move,
    write_quiet,
    write_unmoves,
)
from retrosolve.games.morris9.tables import (
    ALL,
    MIN_MEN,
    NEIGHBOURS,
    POINTS,
    SPOKES,
    Block,
    index_blocks,
    make_tables,
)
from retrosolve.rules.contract import INVALID, NOT_TERMINAL
from retrosolve.rules.ranking import distinct, popcount

__all__ = ["NAMES", "Morris", "NineMensMorris", "nine_mens_morris"]


class Morris(MorrisBoard):
    """A position is the mover's set of points, the opponent's, and the number of men in hand.

    Parameters
    ----------
    men : int
        Men of each player, 3 to 12.
    diagonals : bool
        Whether the corners of the squares are joined too, as in Morabaraba and twelve men's morris.
    placing : bool
        Whether positions with men in hand are part of the game.

    Raises
    ------
    RulesError
        For any other number of men.

    Notes
    -----
    A tier of the index has all positions with some numbers of men, and without men in hand those with
    both numbers exchanged, since a move leads from one to the other. It ranks the side with more men,
    of equal ones the mover, by its orbit under the 16 symmetries, and the other side among the points
    that are left. Symmetric sets leave gaps of 2 %.
    """

    size: int
    tiers: tuple[int, ...]
    max_moves = 250
    max_predecessors = MIN_MEN * (POINTS - 2 * MIN_MEN)

    def __init__(self, men: int = 9, diagonals: bool = False, placing: bool = True) -> None:
        self.men = checked_men(men)
        self.diagonals = diagonals
        self.placing = placing
        self.blocks = index_blocks(men, placing)
        tables, self.size, self.tiers = make_tables(men, diagonals, self.blocks)
        self.data = (*tables, sum(map(len, self.blocks)))
        self._tier_of = {
            (left, *men): tier
            for tier, blocks in enumerate(self.blocks)
            for left, own, other, sides in blocks
            for men in ((own, other), (other, own))[:sides]
        }

    def tier_targets(self, tier: int) -> list[int]:
        """Return the earlier tiers that moves out of a tier may lead to."""
        return sorted({self._tier_of[kind] for kind in self._targets(tier) if kind in self._tier_of})

    def _targets(self, tier: int) -> list[tuple[int, int, int]]:
        """Return the numbers of men that moves out of a tier may lead to, if they occur."""
        left, own, other, _ = self.blocks[tier][0]
        if left:
            return [(left - 1, other, own + 1), (left - 1, other - 1, own + 1)]
        if own < MIN_MEN:
            return []
        return [(0, other - 1, own), (0, own - 1, other)]

    @staticmethod
    def places(block: Block) -> int:
        """Return how many places the smaller side has in a block, for each orbit of the larger one."""
        large, small = max(block.own, block.other), min(block.own, block.other)
        return comb(POINTS - large, small)

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        """Write the positions after placing a man, or moving one once all are placed."""
        mine, theirs, left = position & ALL, position >> POINTS & ALL, position >> HAND
        free = ALL & ~(mine | theirs)
        count = 0
        if left > 0:
            while free != 0:
                to = free & -free
                free ^= to
                count = write_move(mine | to, to, theirs, left - 1, out, count, data)
            return count
        flies = popcount(mine) == MIN_MEN
        men = mine
        while men != 0:
            man = men & -men
            men ^= man
            ways = free if flies else free & int(data[4][NEIGHBOURS + popcount(man - 1)])
            while ways != 0:
                to = ways & -ways
                ways ^= to
                count = write_move(mine ^ man ^ to, to, theirs, 0, out, count, data)
        return count

    @staticmethod
    def predecessors(position: int, out: Any, data: Any) -> int:
        """Write the positions before a move that closed no mill; only such moves stay in a tier."""
        mine, theirs = position & ALL, position >> POINTS & ALL
        if position >> HAND > 0 or popcount(mine) < MIN_MEN:
            return 0
        free = ALL & ~(mine | theirs)
        flies = popcount(theirs) == MIN_MEN
        men = theirs & ~mills(theirs, data)
        count = 0
        while men != 0:
            man = men & -men
            men ^= man
            ways = free if flies else free & int(data[4][NEIGHBOURS + popcount(man - 1)])
            while ways != 0:
                to = ways & -ways
                ways ^= to
                out[count] = theirs ^ man ^ to | mine << POINTS
                count += 1
        return count

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        """Return LOSS for the player with fewer than three men, those in hand included."""
        return result(position & ALL, position >> POINTS & ALL, position >> HAND)

    @staticmethod
    def canonical(position: int, data: Any) -> int:
        """Return the image with the smallest set of the larger side, then of the other."""
        mine, theirs = position & ALL, position >> POINTS & ALL
        swapped = popcount(mine) < popcount(theirs)
        large, other = (theirs, mine) if swapped else (mine, theirs)
        entry = orbit_entry(large, data)
        orbit = int(data[1][entry >> 4])
        large = orbit & ALL
        other = image(other, entry & 15, data[3])
        if orbit >> POINTS != 1:
            other = smallest(other, orbit >> POINTS, data[3])
        mine, theirs = (other, large) if swapped else (large, other)
        return position >> HAND << HAND | theirs << POINTS | mine

    @staticmethod
    def rank(position: int, data: Any) -> int:
        """Return the index of a position."""
        return index_of(position & ALL, position >> POINTS & ALL, position >> HAND, data)

    @staticmethod
    def unrank(index: int, data: Any) -> int:
        """Return the position of an index."""
        return set_pair(index, data)

    @staticmethod
    def survey(index: int, out: Any, data: Any) -> tuple[int, int, int, int]:
        """Return the result, the moves and the successors within the tier; write the other indices."""
        position = set_pair(index, data)
        mine, theirs, left = position & ALL, position >> POINTS & ALL, position >> HAND
        if not is_smallest(mine, theirs, data):
            return INVALID, 0, 0, 0
        given = result(mine, theirs, left)
        if given != NOT_TERMINAL:
            return given, 0, 0, 0
        if left > 0:
            count = survey_placing(mine, theirs, left, out, data)
            return NOT_TERMINAL, count, 0, count
        free = ALL & ~(mine | theirs)
        if popcount(mine) == MIN_MEN:
            quiet = MIN_MEN * popcount(free)
        else:
            quiet = slides(mine, free, int(data[4][SPOKES]) * FIRST_POINTS)
        closing, count = survey_closing(mine, theirs, out, data)
        quiet -= closing
        moves = quiet + count
        if has_symmetry(theirs, data):
            stop = write_quiet(mine, theirs, count, out, data)
            quiet = distinct(out, count, stop) - count
        return NOT_TERMINAL, moves, quiet, count

    @staticmethod
    def predecessor_indices(index: int, out: Any, data: Any) -> int:
        """Write the indices of the different positions before a move that closed no mill."""
        position = set_pair(index, data)
        mine, theirs, left = position & ALL, position >> POINTS & ALL, position >> HAND
        if left > 0 or popcount(mine) < MIN_MEN:
            return 0
        men = theirs & ~mills(theirs, data)
        count = write_unmoves(theirs, mine, men, out, data)
        return distinct(out, 0, count) if has_symmetry(mine, data) else count

    def text(self, position: int) -> str:
        """Return the squares from the outer one inwards and the number of men in hand.

        A square goes clockwise from its upper left corner, X for a man of the player to move and O for
        one of the opponent's.
        """
        return f"{self.board_text(position)} {position >> HAND}"

    def parse(self, text: str) -> int:
        """Return the position of a text. Raises PositionError."""
        mine, theirs, hand = self.read_squares(text)
        most = 2 * self.men * self.placing
        in_hand = int(hand) if hand.isdecimal() and hand.isascii() else most + 1
        own, other = mine.bit_count(), theirs.bit_count()
        if in_hand > most or max(own + (in_hand + 1) // 2, other + in_hand // 2) > self.men:
            raise PositionError(
                f"{text!r} is no position: expected at most {self.men} men each, {most} in hand"
            )
        if in_hand == 0 and (other < MIN_MEN or own < MIN_MEN - 1):
            raise PositionError(f"{text!r} is no position: expected {MIN_MEN} men or more each")
        return in_hand << HAND | theirs << POINTS | mine


class NineMensMorris(Morris):
    """Nine men's morris from the empty board; see :class:`Morris`.

    Examples
    --------
    >>> game = NineMensMorris(men=3)
    >>> game.text(game.start())
    '......../......../........ 6'
    """

    def start(self) -> int:
        """Return the empty board."""
        return 2 * self.men << HAND


def nine_mens_morris(
    men: int = 9, diagonals: bool = False, placing: bool = True, lasker: bool = False
) -> Morris | LaskerMorris:
    """Return nine men's morris, or Lasker morris.

    Without placing it has no start: positions with men in hand are not part of it. Raises RulesError.
    """
    if lasker and not placing:
        raise RulesError("placing=no: expected yes with lasker=yes, which differs while men are placed")
    if lasker:
        return LaskerMorris(men, diagonals)
    return NineMensMorris(men, diagonals) if placing else Morris(men, diagonals, False)

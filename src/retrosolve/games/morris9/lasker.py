"""Lasker morris, compiled: nine men's morris in which a player with men in hand may also move one.

E. Lasker, Brettspiele der Völker, 1931, has ten men each. A player places a man or moves one along a
line, in any order, and flies with just three men once none is in hand. The rest is as in nine men's
morris.

Known: with ten men the game is a draw. Source: P. Stahlhacke, 2003.

A position is the mover's set of points, the opponent's, and the men in hand of the mover and of the
opponent. Since they may be placed at any time, either number may be the larger.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from retrosolve.errors import PositionError
from retrosolve.games.morris9.board import MorrisBoard, checked_men
from retrosolve.games.morris9.moves import (
    HAND,
    image,
    mills,
    orbit_entry,
    place_of_key,
    sets_at,
    smallest,
    write_move,
)
from retrosolve.games.morris9.tables import (
    ALL,
    MIN_MEN,
    NEIGHBOURS,
    POINTS,
    make_tables,
)
from retrosolve.rules.contract import LOSS, NOT_TERMINAL
from retrosolve.rules.ranking import popcount

HAND_BITS = 4
OTHER_HAND = HAND + HAND_BITS
NUMBERS = 13  # of men: 0 to 12


class Hands(NamedTuple):
    """Positions with the same numbers of men in hand and on the board, or with these exchanged."""

    hand: int
    other_hand: int
    own: int
    other: int

    @property
    def turned(self) -> Hands:
        """The same with the players exchanged."""
        return Hands(self.other_hand, self.hand, self.other, self.own)

    @property
    def keys(self) -> tuple[int, ...]:
        """The key of each side; one where both are the same."""
        return tuple(dict.fromkeys(hands_key(*kind) for kind in (self, self.turned)))


def hands_key(hand: int, other_hand: int, own: int, other: int) -> int:
    """Return the key of positions with these numbers of men."""
    return ((hand * NUMBERS + other_hand) * NUMBERS + own) * NUMBERS + other


def lasker_tiers(men: int) -> list[list[Hands]]:
    """Return the hands and men of each tier, in the order of the index; no move goes up."""
    few = [(hand, MIN_MEN - 1 - hand) for hand in range(MIN_MEN)]
    kinds = [
        (hand, own) for hand in range(men + 1) for own in range(men + 1 - hand) if hand + own >= MIN_MEN
    ]
    ended = [Hands(a, b, own, other) for a, own in few for b, other in kinds]
    pairs = [
        Hands(a, b, own, other) for a, own in kinds for b, other in kinds if (a, own) >= (b, other)
    ]
    pairs.sort(key=lambda kind: (kind.hand + kind.other_hand, kind.own + kind.other, kind))
    return [[kind] for kind in (*ended, *pairs)]


def lasker_index(position: int, data: Any) -> int:
    """Return the index of a position."""
    mine, theirs = position & ALL, position >> POINTS & ALL
    own, other = popcount(mine), popcount(theirs)
    key = (position >> HAND & 15) * NUMBERS + (position >> OTHER_HAND)
    key = (key * NUMBERS + own) * NUMBERS + other
    return place_of_key(mine, theirs, key, data)


def lasker_position(index: int, data: Any) -> int:
    """Return the position of an index."""
    key, swapped, large, small = sets_at(index, data)
    own, other = key // NUMBERS % NUMBERS, key % NUMBERS
    hand, other_hand = key // NUMBERS**3, key // NUMBERS**2 % NUMBERS
    if swapped:
        own, other = other, own
        hand, other_hand = other_hand, hand
    if own < other:
        large, small = small, large
    return other_hand << OTHER_HAND | hand << HAND | small << POINTS | large


def ways_of(man: int, men: int, hand: int, free: int, data: Any) -> int:
    """Return the points that one of a player's men may move to."""
    if hand == 0 and popcount(men) == MIN_MEN:
        return free
    return free & int(data[4][NEIGHBOURS + popcount(man - 1)])


class LaskerMorris(MorrisBoard):
    """Lasker morris from the empty board.

    Parameters
    ----------
    men : int
        Men of each player, 3 to 12.
    diagonals : bool
        Whether the corners of the squares are joined too.

    Raises
    ------
    RulesError
        For any other number of men.

    Notes
    -----
    A tier of the index has all positions with some numbers of men in hand and on the board, and those
    with the players exchanged: a move of a man that takes none leads from one to the other, whether or
    not men are in hand. It ranks sets as nine men's morris does. Only reachable positions are solved.

    Examples
    --------
    >>> game = LaskerMorris(men=3)
    >>> game.text(game.start()), game.size
    ('......../......../........ 3 3', 381997)
    """

    title = "Lasker morris"
    reachable_only = True
    injective_rank = True
    max_moves = 360  # 12 men to take at each of 6 points to place at and 24 moves, for 6 men
    max_predecessors = MIN_MEN * (POINTS - MIN_MEN)

    def __init__(self, men: int = 10, diagonals: bool = False) -> None:
        self.men = checked_men(men)
        self.diagonals = diagonals
        self.blocks = lasker_tiers(men)
        tables, self.size, self.tiers = make_tables(men, diagonals, self.blocks)
        self.data = (*tables, len(self.blocks))
        self._tier_of = {
            kind: tier for tier, (block,) in enumerate(self.blocks) for kind in (block, block.turned)
        }

    def start(self) -> int:
        """Return the empty board."""
        return self.men << OTHER_HAND | self.men << HAND

    def tier_targets(self, tier: int) -> list[int]:
        """Return the earlier tiers that moves out of a tier may lead to."""
        (block,) = self.blocks[tier]
        if block.hand + block.own < MIN_MEN:
            return []
        targets = set()
        for hand, other_hand, own, other in (block, block.turned):
            for placed in (0, 1):
                for taken in (0, 1):
                    after = Hands(other_hand, hand - placed, other - taken, own + placed)
                    if min(after) >= 0 and placed + taken > 0 and own + placed > 0:
                        targets.add(self._tier_of.get(after, tier))
        return sorted(targets - {tier})

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        """Write the positions after placing a man and after moving one."""
        mine, theirs = position & ALL, position >> POINTS & ALL
        hand, other_hand = position >> HAND & 15, position >> OTHER_HAND
        free = ALL & ~(mine | theirs)
        count = 0
        ways = free if hand > 0 else 0
        left = (hand - 1) << HAND_BITS | other_hand
        while ways != 0:
            to = ways & -ways
            ways ^= to
            count = write_move(mine | to, to, theirs, left, out, count, data)
        left = hand << HAND_BITS | other_hand
        men = mine
        while men != 0:
            man = men & -men
            men ^= man
            ways = ways_of(man, mine, hand, free, data)
            while ways != 0:
                to = ways & -ways
                ways ^= to
                count = write_move(mine ^ man ^ to, to, theirs, left, out, count, data)
        return count

    @staticmethod
    def predecessors(position: int, out: Any, data: Any) -> int:
        """Write the positions before a move that took no man; only such moves stay in a tier."""
        mine, theirs = position & ALL, position >> POINTS & ALL
        hand, other_hand = position >> HAND & 15, position >> OTHER_HAND
        if popcount(mine) + hand < MIN_MEN:
            return 0
        free = ALL & ~(mine | theirs)
        men = theirs & ~mills(theirs, data) if mine != 0 else theirs
        before = hand << OTHER_HAND | other_hand << HAND | mine << POINTS
        count = 0
        while men != 0:
            man = men & -men
            men ^= man
            ways = ways_of(man, theirs, other_hand, free, data)
            while ways != 0:
                to = ways & -ways
                ways ^= to
                out[count] = before | theirs ^ man ^ to
                count += 1
        return count

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        """Return LOSS for the player with fewer than three men, those in hand included."""
        men = popcount(position & ALL) + (position >> HAND & 15)
        return LOSS if men < MIN_MEN else NOT_TERMINAL

    @staticmethod
    def canonical(position: int, data: Any) -> int:
        """Return the image with the smallest set of the larger side, then of the other."""
        mine, theirs = position & ALL, position >> POINTS & ALL
        swapped = popcount(mine) < popcount(theirs)
        large, other = (theirs, mine) if swapped else (mine, theirs)
        entry = orbit_entry(large, data)
        orbit = int(data[1][entry >> 4])
        other = image(other, entry & 15, data[3])
        if orbit >> POINTS != 1:
            other = smallest(other, orbit >> POINTS, data[3])
        large = orbit & ALL
        mine, theirs = (other, large) if swapped else (large, other)
        return position >> HAND << HAND | theirs << POINTS | mine

    rank = staticmethod(lasker_index)
    unrank = staticmethod(lasker_position)

    def text(self, position: int) -> str:
        """Return the squares from the outer one inwards and the men in hand, the mover's first."""
        return f"{self.board_text(position)} {position >> HAND & 15} {position >> OTHER_HAND}"

    def parse(self, text: str) -> int:
        """Return the position of a text. Raises PositionError."""
        mine, theirs, hands = self.read_squares(text)
        numbers = [int(n) if n.isdecimal() and n.isascii() else -1 for n in hands.split(" ")]
        if len(numbers) != 2 or min(numbers) < 0:
            raise PositionError(f"{text!r} is no position: expected the men in hand of both players")
        totals = [numbers[0] + mine.bit_count(), numbers[1] + theirs.bit_count()]
        if max(totals) > self.men or totals[0] < MIN_MEN - 1 or totals[1] < MIN_MEN:
            raise PositionError(
                f"{text!r} is no position: expected {MIN_MEN} to {self.men} men each, those in hand "
                "included"
            )
        return numbers[1] << OTHER_HAND | numbers[0] << HAND | theirs << POINTS | mine

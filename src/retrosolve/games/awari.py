"""Awari, also oware: sow seeds around the board, and capture twos and threes.

A move empties a pit and sows its seeds one by one in the next pits, leaving out the one emptied. If the
last seed makes two or three in a pit of the opponent, those are captured, and so are twos and threes in
the pits of the opponent right before it. An opponent without seeds must be fed if any move does that;
if none does, and if the player to move has no seeds, the seeds go to the side that they lie on. The
score is that of the seeds won from here on; play that goes on forever wins no more.

Known: boards of 12 pits by seeds, and how many of them win and lose points for the player to move. 4
seeds: 1,365, of which 577 win and 645 lose; 10: 352,716, 157,790 and 101,189; 14: 4,457,400, 2,271,652
and 1,281,939.
All of 48 seeds is a draw: Romein and Bal, "Awari is solved" (ICGA Journal 25, 2002).
"""

from __future__ import annotations

from typing import Any

from retrosolve.errors import PositionError, RulesError
from retrosolve.games.sowing import LETTERS, SowingGame, rank_board, seeds_on, unrank_board

GRAND_SLAMS = ("nothing", "take", "forbidden")


class Awari(SowingGame):
    """A board as the player to move sees it: his pits first, each followed by the one sown next.

    Parameters
    ----------
    seeds : int
        The seeds on the board at the start, spread over the pits as evenly as possible.
    pits : int
        The pits of a player.
    grandslam : {"nothing", "take", "forbidden"}
        What a move does that would capture all seeds of the opponent.

    Raises
    ------
    RulesError
        For anything else, and for more seeds and pits than 62 bits hold.

    Notes
    -----
    Every board with at most so many seeds has an index.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(Awari(seeds=3, pits=2), objective="score")
    >>> print(solution["0,1/1,1"])
    WIN by 3 in 1
    """

    objective = "score"

    def __init__(self, seeds: int = 8, pits: int = 6, grandslam: str = "nothing") -> None:
        if grandslam not in GRAND_SLAMS:
            raise RulesError(f"grandslam={grandslam!r}: expected one of {', '.join(GRAND_SLAMS)}")
        super().__init__(pits, seeds, 1, GRAND_SLAMS.index(grandslam))
        self.max_predecessors = pits * seeds

    def start(self) -> int:
        """Return the board with the seeds spread evenly."""
        each, more = divmod(self.seeds, 2 * self.pits)
        return self.board_of([each + (place < more) for place in range(2 * self.pits)])

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        """Write the boards after sowing each pit, as the opponent sees them."""
        count = 0
        for origin in range(data[3]):
            target = sow(position, origin, data)
            if target >= 0:
                out[count] = target
                count += 1
        return count

    @staticmethod
    def predecessors(position: int, out: Any, data: Any) -> int:
        """Write the boards with a move to this one that captures nothing.

        Such a move has left its pit empty. Its seeds are taken back one by one: after each the board
        may be the one before, unless the last seed would have captured.
        """
        places, bits, mask, pits = data[0], data[1], data[2], data[3]
        half = bits * pits
        board = position >> half | (position & ((1 << half) - 1)) << half
        count = 0
        if board >> half == 0:
            return 0  # the opponent would not have been fed
        for origin in range(pits):
            if board >> bits * origin & mask > 0:
                continue
            before, place, hand = board, origin, 0
            while True:
                place = place + 1 if place + 1 < places else 0
                if place == origin:
                    continue
                if before >> bits * place & mask == 0:
                    break
                before -= 1 << bits * place
                hand += 1
                there = board >> bits * place & mask
                earlier = before + (hand << bits * origin)
                # A grand slam may capture nothing after all; the move is made to find out.
                captures = place >= pits and (there == 2 or there == 3)  # noqa: PLR1714
                if not captures or sow(earlier, origin, data) == position:
                    out[count] = earlier
                    count += 1
        return count

    @staticmethod
    def payoff(position: int, data: Any) -> int:
        """Return the seeds on the own side less those on the other."""
        half = data[1] * data[3]
        theirs = position >> half
        return seeds_on(position - (theirs << half), data) - seeds_on(theirs, data)

    @staticmethod
    def reward(position: int, target: int, data: Any) -> int:
        """Return the seeds captured."""
        return seeds_on(position, data) - seeds_on(target, data)

    @staticmethod
    def rank(position: int, data: Any) -> int:
        """Return the index of a board."""
        return rank_board(position, data, data[5], data[6])

    @staticmethod
    def unrank(index: int, data: Any) -> int:
        """Return the board of an index."""
        return unrank_board(index, data, data[5], data[6])

    def halves(self, position: int) -> tuple[list[int], list[int]]:
        """Return the seeds in the pits of the player to move, and in those of the other."""
        return self.rows(position)

    def text(self, position: int) -> str:
        """Return the pits of the player to move, then those of the opponent, in the order of sowing."""
        return "/".join(",".join(map(str, row)) for row in self.rows(position))

    def parse(self, text: str) -> int:
        """Return the board of a text. Raises PositionError."""
        try:
            rows = [[int(n) for n in row.split(",")] for row in text.split("/")]
        except ValueError:
            rows = []
        if len(rows) != 2:
            raise PositionError(f"{text!r} is no position: expected two rows of numbers, as 1,2/0,3")
        return self.board_of([*rows[0], *rows[1]])

    def move_name(self, position: int, target: int) -> str:
        """Return the letter of the pit."""
        origins = range(self.pits)
        return LETTERS[next(k for k in origins if sow(position, k, self.data) == target)]

    def svg(self, position: int) -> str:
        """Return a drawing of the board, the pits of the player to move below."""
        return self.drawing(position, f"Awari: {self.text(position)}")

    def move_points(self, position: int, target: int) -> tuple[str, ...]:
        """Return the pit."""
        return (self.move_name(position, target),)


def sow(position: int, origin: int, data: Any) -> int:
    """Return the board after sowing a pit, as the opponent sees it; -1 if that is no move."""
    places, bits, mask, pits, slam = data[0], data[1], data[2], data[3], data[4]
    half = bits * pits
    hand = position >> bits * origin & mask
    if hand == 0:
        return -1
    board = position - (hand << bits * origin)
    place = origin
    while hand > 0:
        place = place + 1 if place + 1 < places else 0
        if place != origin:
            board += 1 << bits * place
            hand -= 1
    taken = board
    while place >= pits:
        there = taken >> bits * place & mask
        if there != 2 and there != 3:  # noqa: PLR1714  # numba compiles no set
            break
        taken -= there << bits * place
        place -= 1
    if taken != board and taken >> half == 0:
        if slam == 2:
            return -1
        if slam == 0:
            taken = board
    if position >> half == 0 and taken >> half == 0:
        return -1  # the opponent must be fed
    target: int = taken >> half | (taken & ((1 << half) - 1)) << half
    return target

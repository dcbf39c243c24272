"""Kalah: sow seeds around the board and into a store, and move again when the last one falls there.

A move empties a pit and sows its seeds one by one in the next pits, the own store after the last own
pit included, that of the opponent left out. If the last seed falls into the own store, the player
moves again. If it falls into an empty own pit, it is captured together with the seeds in the pit
opposite, if there are any. The game ends when the pits of a player are empty; the other wins the rest
of the seeds. The score is that of the seeds won from here on.

Known: the margin of the first player, by pits and seeds in each: 6 for (4, 2), (4, 3) and (5, 3), 2 for
(4, 4) and (5, 2). Plain searches compute 2 for (3, 3) and (3, 4), 6 for (3, 5), and -10 for (2, 4). It
is 4 for (4, 5), solved here. Where the last seed is captured even if the pit opposite is empty, it is
10 for (6, 4) and 12 for (6, 5), and 8 for (4, 3), solved here.

Sources: the searches cneisler/mancala-solver and jakesellison/kalah; with capture of the last seed
alone Irving, Donkers and Uiterwijk, "Solving Kalah" (ICGA Journal 23, 2000).
"""

from __future__ import annotations

from typing import Any

from retrosolve.errors import PositionError, RulesError
from retrosolve.games.sowing import LETTERS, SowingGame, rank_board, seeds_on, unrank_board


class Kalah(SowingGame):
    """A board of the first player's pits and then the second's, above a bit that says who moves.

    Parameters
    ----------
    pits : int
        The pits of a player.
    seeds : int
        The seeds in each pit at the start.
    capture : bool
        Whether a last seed in an empty own pit is captured even if the pit opposite is empty.

    Raises
    ------
    RulesError
        For anything else, and for more seeds and pits than 62 bits hold.

    Notes
    -----
    Every board with at most so many seeds has an index, for each player.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(Kalah(pits=2, seeds=2), objective="score")
    >>> solution.space.text(solution.start)
    '2,2/2,2 0'
    """

    players = ("first", "second")
    objective = "score"

    def __init__(self, pits: int = 3, seeds: int = 2, capture: bool = False) -> None:
        if type(capture) is not bool:
            raise RulesError(f"capture={capture!r}: expected True or False")
        for name, number in (("pits", pits), ("seeds", seeds)):
            if type(number) is not int or number < 1:
                raise RulesError(f"{name}={number!r}: expected a whole number from 1 on")
        super().__init__(pits, 2 * pits * seeds, 2, int(capture))
        self.max_predecessors = pits * pits

    def start(self) -> int:
        """Return the board with as many seeds in each pit, the first player to move."""
        return self.board_of([self.seeds // (2 * self.pits)] * (2 * self.pits)) << 1

    @staticmethod
    def player(position: int, data: Any) -> int:
        """Return the player to move."""
        return position & 1

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        """Write the positions after sowing each pit of the player to move."""
        count = 0
        half = data[1] * data[3]
        board = position >> 1
        if board >> half == 0 or board & ((1 << half) - 1) == 0:
            return 0
        for origin in range(data[3]):
            target = sow(position, origin, data)
            if target >= 0:
                out[count] = target
                count += 1
        return count

    @staticmethod
    def predecessors(position: int, out: Any, data: Any) -> int:
        """Write the positions with a move to this one in which no seed leaves the board.

        Such a move ends in the own pits, in one that was not empty or has nothing to capture.
        """
        places, bits, mask, pits, capture = data[0], data[1], data[2], data[3], data[4]
        half = bits * pits
        low = (1 << half) - 1
        side = 1 - (position & 1)  # who has moved
        board = position >> 1
        if side == 1:
            board = board >> half | (board & low) << half
        count = 0
        if board >> half == 0:
            return 0  # the game would have been over
        for origin in range(pits):
            if board >> bits * origin & mask > 0:
                continue
            before = board
            for place in range(origin + 1, pits):
                if before >> bits * place & mask == 0:
                    break
                before += (1 << bits * origin) - (1 << bits * place)
                across = board >> bits * (places - 1 - place) & mask
                if board >> bits * place & mask > 1 or (across == 0 and capture == 0):
                    earlier = before >> half | (before & low) << half if side == 1 else before
                    out[count] = earlier << 1 | side
                    count += 1
        return count

    @staticmethod
    def payoff(position: int, data: Any) -> int:
        """Return the seeds in the own pits less those in the others."""
        half = data[1] * data[3]
        second = position >> 1 + half
        first = (position >> 1) - (second << half)
        won = seeds_on(first, data) - seeds_on(second, data)
        return won if position & 1 == 0 else -won

    @staticmethod
    def reward(position: int, target: int, data: Any) -> int:
        """Return the seeds that leave the board."""
        return seeds_on(position >> 1, data) - seeds_on(target >> 1, data)

    @staticmethod
    def rank(position: int, data: Any) -> int:
        """Return the index of a position."""
        return 2 * rank_board(position >> 1, data, data[5], data[6]) + (position & 1)

    @staticmethod
    def unrank(index: int, data: Any) -> int:
        """Return the position of an index."""
        return 2 * unrank_board(index >> 1, data, data[5], data[6]) + (index & 1)

    def halves(self, position: int) -> tuple[list[int], list[int]]:
        """Return the seeds in the pits of the player to move, and in those of the other."""
        first, second = self.rows(position >> 1)
        return (second, first) if position & 1 else (first, second)

    def text(self, position: int) -> str:
        """Return the pits of the first player, those of the second, and who moves, 0 or 1."""
        rows = "/".join(",".join(map(str, row)) for row in self.rows(position >> 1))
        return f"{rows} {position & 1}"

    def parse(self, text: str) -> int:
        """Return the position of a text. Raises PositionError."""
        try:
            board, side = text.split()
            rows = [[int(n) for n in row.split(",")] for row in board.split("/")]
        except ValueError:
            rows, side = [], ""
        if len(rows) != 2 or side not in ("0", "1"):
            raise PositionError(f"{text!r} is no position: expected rows and who moves, as 1,2/0,3 0")
        return self.board_of([*rows[0], *rows[1]]) << 1 | int(side)

    def move_name(self, position: int, target: int) -> str:
        """Return the letter of the pit."""
        origins = range(self.pits)
        return LETTERS[next(k for k in origins if sow(position, k, self.data) == target)]

    def svg(self, position: int) -> str:
        """Return a drawing of the board, the pits of the player to move below."""
        return self.drawing(position >> 1, f"Kalah: {self.text(position)}", position & 1)

    def move_points(self, position: int, target: int) -> tuple[str, ...]:
        """Return the pit."""
        return (self.move_name(position, target),)


def sow(position: int, origin: int, data: Any) -> int:
    """Return the position after the player to move sows a pit; -1 for an empty one."""
    places, bits, mask, pits, capture = data[0], data[1], data[2], data[3], data[4]
    half = bits * pits
    low = (1 << half) - 1
    side = position & 1
    board = position >> 1
    if side == 1:  # the pits of the player to move come first
        board = board >> half | (board & low) << half
    hand = board >> bits * origin & mask
    if hand == 0:
        return -1
    board -= hand << bits * origin
    place = origin
    in_store = False
    while hand > 0:
        if place == pits - 1 and not in_store:
            in_store = True  # and so much leaves the board
        else:
            place = place + 1 if place + 1 < places else 0
            in_store = False
            board += 1 << bits * place
        hand -= 1
    if not in_store and place < pits and board >> bits * place & mask == 1:
        across = places - 1 - place
        there = board >> bits * across & mask
        if there > 0 or capture == 1:
            board -= (there << bits * across) + (1 << bits * place)
    if side == 1:
        board = board >> half | (board & low) << half
    target: int = board << 1 | (side if in_store else 1 - side)
    return target

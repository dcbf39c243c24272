"""Queen and pawns on an n x n board, compiled: a queen against a pawn on every file.

The pawns start on the second rank, the queen in the middle of the highest. The pawns move first. A
pawn steps one rank up to a free square, or two from the second rank, but not onto the highest. The
queen moves and captures as in chess. A player who cannot move has lost. The pawns win in one if one of
them can capture the queen, diagonally upwards, or step onto the highest rank.

Known: reachable positions, and play from the start. 5x5: 25,002, the pawns win in 5; 6x6: 635,231,
the pawns win in 11; 7x7: 16,166,037, in 19; 8x8: 445,744,430, in 31. Source: gilith/solve. On its 4x4
board pawns also step onto the highest rank and stay there, which is not this game.

One more position is counted here, in which the pawns have won, and so are the moves to it: on 5x5
the source has 16,342 positions won, 8,660 lost and 114,604 moves; here 8,661 are lost, and there are
11,582 more moves.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from retrosolve.drawing.boards import chequered
from retrosolve.drawing.pieces import draw_piece
from retrosolve.errors import PositionError, RulesError
from retrosolve.rules.contract import INVALID, LOSS, NOT_TERMINAL, CompiledGame
from retrosolve.rules.ranking import order_by_group

FILES = "abcdefgh"
WON = 0
PAWNS, QUEEN = 0, 1
WEST, SOUTH = 0, 1
AROUND = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))


class QueenAndPawns(CompiledGame):
    """A position is its own index; in position 0 the pawns have won.

    Parameters
    ----------
    n : int
        Size of the board, 3 to 8.

    Raises
    ------
    RulesError
        For any other size.

    Notes
    -----
    The state of a file is the number of steps that its pawn has made, or n - 2 if it is captured. The
    states of all files are ordered by groups of the same sum, the largest first. Each group has a tier
    with the pawns to move, then one with the queen to move; in a tier the queen's square varies
    fastest. So every move leads to a lower tier. Only reachable positions are solved.

    Examples
    --------
    >>> game = QueenAndPawns(5)
    >>> game.text(game.start()), game.size, len(game.tiers)
    ('..Q../...../...../PPPPP/..... pawns', 51201, 33)
    """

    reachable_only = True

    def __init__(self, n: int = 5) -> None:
        if type(n) is not int or not 3 <= n <= 8:
            raise RulesError(f"n={n!r}: expected a whole number from 3 to 8")
        self.n = n
        self.max_moves = max(4 * (n - 1), 2 * n)
        files, numbers, first = _pawns(n)
        ends = first * n * n
        tiers = np.stack([2 * ends[:-1], ends[:-1] + ends[1:]], axis=1).ravel() + 1
        self.tiers = (WON, *tiers.tolist())
        self.size = 2 * int(ends[-1]) + 1
        self.data = (n, files, numbers, first, _rays(n), (n - 1) ** np.arange(n, dtype=np.int64))

    def tier_targets(self, tier: int) -> Iterable[int]:
        """Return WON, the tier before, and those with fewer steps left after a capture."""
        return sorted({WON, *range(tier - 1, max(tier - 2 * self.n, 0), -2)} - {tier})

    def start(self) -> int:
        """Return all pawns on the second rank, the queen in the middle of the highest."""
        n = self.n
        return self._index([0] * n, n * (n - 1) + (n - 1) // 2, PAWNS)

    def _index(self, states: list[int], square: int, mover: int) -> int:
        n, _, numbers, first, _, powers = self.data
        group = n * (n - 2) - sum(states)
        return int(1 + n * n * (first[group + mover] + numbers[powers @ states]) + square)

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        """Write the positions after each move of a pawn, or of the queen."""
        if position == WON:
            return 0
        number, square, group, mover = placed(position, data)
        if mover == PAWNS:
            return pawn_moves(number, square, group, out, data)
        return queen_moves(number, square, group, out, data)

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        """Return LOSS if the pawns have won, INVALID if the queen is on a pawn."""
        if position == WON:
            return LOSS
        n, files, rays = data[0], data[1], data[4]
        number, square, _, _ = placed(position, data)
        steps = files[number] >> 3 * rays[square, WEST] & 7
        return INVALID if steps < n - 2 and steps + 1 == rays[square, SOUTH] else NOT_TERMINAL

    def text(self, position: int) -> str:
        """Return the rows from the top, Q and P for the pieces, then who moves."""
        if position == WON:
            return "the pawns have won"
        n, files = self.n, self.data[1]
        number, square, _, mover = placed(position, self.data)
        states = [int(files[number]) >> 3 * f & 7 for f in range(n)]
        marks = [
            "Q" if s == square else "P" if states[s % n] == s // n - 1 else "." for s in range(n * n)
        ]
        marks[n * (n - 1) :] = ["Q" if s == square else "." for s in range(n * (n - 1), n * n)]
        rows = ("".join(marks[r * n : (r + 1) * n]) for r in reversed(range(n)))
        return f"{'/'.join(rows)} {('pawns', 'queen')[mover]}"

    def parse(self, text: str) -> int:
        """Return the position of a text. Raises PositionError."""
        if text == self.text(WON):
            return WON
        n = self.n
        board, _, mover = text.partition(" ")
        rows = board.split("/")[::-1]
        if [len(row) for row in rows] != [n] * n or not set(board) <= set("QP./"):
            raise PositionError(f"{text!r} is no position: expected {n} rows of {n} marks Q, P or .")
        if board.count("Q") != 1 or mover not in ("pawns", "queen"):
            raise PositionError(
                f"{text!r} is no position: expected one Q, and pawns or queen, who moves"
            )
        states = []
        for f in range(n):
            ranks = [r for r in range(n) if rows[r][f] == "P"]
            if len(ranks) > 1 or not set(ranks) <= set(range(1, n - 1)):
                raise PositionError(
                    f"{text!r} is no position: expected at most one P on file {FILES[f]}, "
                    f"on the ranks 2 to {n - 1}"
                )
            states.append(ranks[0] - 1 if ranks else n - 2)
        square = "".join(rows).index("Q")
        return self._index(states, square, ("pawns", "queen").index(mover))

    def move_name(self, position: int, target: int) -> str:
        """Return the two squares of a move, with x for a capture; ``win`` for the pawns' last move."""
        if target == WON:
            return "win"
        n, files = self.n, self.data[1]
        number, square, _, mover = placed(position, self.data)
        after, to, _, _ = placed(target, self.data)
        if mover == QUEEN:
            return f"Q{self._square(square)}{'-' if number == after else 'x'}{self._square(to)}"
        changed = int(files[number] ^ files[after]) & (1 << 3 * n) - 1
        f = ((changed & -changed).bit_length() - 1) // 3
        before, then = (1 + (int(files[k]) >> 3 * f & 7) for k in (number, after))
        return f"{self._square(before * n + f)}-{self._square(then * n + f)}"

    def svg(self, position: int) -> str:
        """Return a drawing of the board; an empty one with a sentence where the pawns have won."""
        n = self.n
        title = f"Queen and pawns: {self.text(position)}{'' if position == WON else ' to move'}"
        board = chequered(title, n)
        rows = ["." * n] * n if position == WON else self.text(position).partition(" ")[0].split("/")
        for row, marks in enumerate(rows):
            for column, mark in enumerate(marks):
                if mark != ".":
                    draw_piece(board.picture, "q" if mark == "Q" else "P", *board.middle(column, row))
                board.point(f"{FILES[column]}{n - row}", column, row)
        if position == WON:
            draw_piece(board.picture, "P", *board.middle((n - 1) // 2, 0))
        return str(board.picture)

    def move_points(self, position: int, target: int) -> tuple[str, ...]:
        """Return the two squares of a move; if the pawns win, those of the first pawn that does."""
        name = self.move_name(position, target)
        if target != WON:
            return tuple(name.removeprefix("Q").replace("x", "-").split("-"))
        n, files = self.n, self.data[1]
        number, square, _, _ = placed(position, self.data)
        for f in range(n):
            ahead = (int(files[number]) >> 3 * f & 7) + 2
            origin, step = (ahead - 1) * n + f, ahead * n + f
            if ahead < n and square // n == ahead and abs(square % n - f) == 1:
                return self._square(origin), self._square(square)
            if ahead == n - 1 and square != step:
                return self._square(origin), self._square(step)
        raise PositionError(f"{self.text(position)} has no move that wins for the pawns")

    def _square(self, s: int) -> str:
        return f"{FILES[s % self.n]}{s // self.n + 1}"


def placed(position: int, data: Any) -> tuple[int, int, int, int]:
    """Return the place of the files' states, the queen's square, the group and who moves."""
    n, files, first = data[0], data[1], data[3]
    both = (position - 1) // (n * n)
    square = position - 1 - both * n * n
    group = files[both >> 1] >> 24
    if both < first[group] + first[group + 1]:
        return both - first[group], square, group, PAWNS
    return both - first[group + 1], square, group, QUEEN


def pawn_moves(number: int, square: int, group: int, out: Any, data: Any) -> int:
    """Write the positions after each step of a pawn; only the won one if a step wins."""
    n, files, numbers, first, rays, powers = data
    pawns, code = np.int64(files[number]), 0
    for f in range(n):
        code += (pawns >> 3 * f & 7) * powers[f]
    file, rank = rays[square, WEST], rays[square, SOUTH]
    count = 0
    for f in range(n):
        ahead = (pawns >> 3 * f & 7) + 2
        if ahead == n:
            continue
        blocked = rank == ahead and file == f
        if (rank == ahead and abs(file - f) == 1) or (ahead == n - 1 and not blocked):
            out[0] = WON
            return 1
        if blocked:
            continue
        one = numbers[code + powers[f]]
        out[count] = 1 + n * n * (first[group] + one) + square
        count += 1
        if ahead == 2 and n > 4 and not (rank == 3 and file == f):
            two = numbers[code + 2 * powers[f]]
            out[count] = 1 + n * n * (first[group - 1] + two) + square
            count += 1
    return count


def queen_moves(number: int, square: int, group: int, out: Any, data: Any) -> int:
    """Write the positions after each move of the queen, up to the first pawn in each direction."""
    n, files, numbers, first, rays, powers = data
    pawns, code, occupied = np.int64(files[number]), 0, 0
    for f in range(n):
        steps = pawns >> 3 * f & 7
        code += steps * powers[f]
        if steps < n - 2:
            occupied |= 1 << (n * (steps + 1) + f)
    quiet = 1 + n * n * (first[group] + number)
    count = 0
    for d in range(8):
        to, file = square, rays[square, WEST]
        for _ in range(rays[square, d]):
            to += rays[n * n, d]
            file += rays[n * n + 1, d]
            if (occupied >> to) & 1:
                lost = n - 2 - (pawns >> 3 * file & 7)
                left = numbers[code + lost * powers[file]]
                out[count] = 1 + n * n * (first[group - lost] + left) + to
                count += 1
                break
            out[count] = quiet + to
            count += 1
    return count


def _pawns(n: int) -> tuple[Any, Any, Any]:
    """Return the states of all files in order, the place of each by its code, and where groups begin.

    States take three bits for each file, below the group. A code has one digit for each file.
    """
    states = np.arange(n - 1)
    steps, packed = np.zeros(1, np.uint8), np.zeros(1, np.int32)
    for f in range(n):
        steps = np.add.outer(states.astype(np.uint8), steps).ravel()
        packed = np.add.outer(states.astype(np.int32) << 3 * f, packed).ravel()
    group = n * (n - 2) - steps
    items, numbers, first = order_by_group(group, n * (n - 2) + 1)
    files = packed[items] | group[items].astype(np.int32) << 24
    return files, numbers.astype(np.int32), first


def _rays(n: int) -> Any:
    """Return the steps to the edge in eight directions, west and south first, for each square.

    Two more rows have what a step adds to the square and to the file.
    """
    rows = []
    for s in range(n * n):
        rank, file = divmod(s, n)
        room = {-1: (file, rank), 0: (n, n), 1: (n - 1 - file, n - 1 - rank)}
        rows.append([min(room[right][0], room[up][1]) for right, up in AROUND])
    rows.append([right + n * up for right, up in AROUND])
    rows.append([right for right, _ in AROUND])
    return np.array(rows, np.int64)

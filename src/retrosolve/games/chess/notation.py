"""Texts and names of moves of many chess positions at once, by arrays of squares and letters.

What ``ChessEnding.text`` and ``move_name`` say of one position or move, in a hundredth of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from retrosolve.games.chess import layout
from retrosolve.games.chess.material import ORDER, Material
from retrosolve.values import LOSS

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

KINDS = "K" + ORDER  # of men, from 1 on; 0 is no man. Black's are 8 higher.
BLACK_KIND = 8
LETTERS = f".{KINDS}..{KINDS.lower()}"
PAWN = KINDS.index("P") + 1
SLOTS = (layout.WHITE_KING, layout.BLACK_KING, 12, 6, 0)  # where squares are: kings, then pieces


def kinds_of(materials: Sequence[Material]) -> Ints:
    """Return the kind of the man in each slot, by material; 0 for none, int64 [materials, 5]."""
    kinds = np.zeros((len(materials), len(SLOTS)), np.int64)
    for row, material in zip(kinds, materials, strict=True):
        men = "K" + "k" + material.white + material.black.lower()
        row[: len(men)] = [LETTERS.index(man) for man in men]
    return kinds


class Men:
    """The men of some positions, by slot.

    Parameters
    ----------
    positions : int64 [k]
    kinds : int64 [materials, 5]

    Attributes
    ----------
    square, kind : int64 [k, 5]
    """

    def __init__(self, positions: Ints, kinds: Ints) -> None:
        self.square = np.stack([positions >> shift & layout.FIELD for shift in SLOTS], axis=1)
        self.kind = kinds[positions >> layout.MATERIAL]

    def bits(self, black: Ints) -> Ints:
        """Return the squares of a side as bits, int64 [k]."""
        own = (self.kind > 0) & ((self.kind > BLACK_KIND) == (black[:, None] == 1))
        bits = np.where(own, np.left_shift(1, self.square), 0)
        squares: Ints = np.bitwise_or.reduce(bits, axis=1)
        return squares

    def on(self, square: Ints) -> Ints:
        """Return the kind of the man on a square of each position, 0 for none."""
        there = (self.square == square[:, None]) & (self.kind > 0)
        kind: Ints = np.where(there, self.kind, 0).sum(axis=1)
        return kind


def texts(positions: Ints, kinds: Ints, board: int) -> list[str]:
    """Return the rows from the top as in FEN, and who moves, without squares of en passant."""
    men = Men(positions, kinds)
    # A row is a number with a digit for each square, the letter there.
    rows = np.zeros((len(positions), board), np.int64)
    at = np.arange(len(positions))
    for slot in range(len(SLOTS)):
        square, kind = men.square[:, slot], men.kind[:, slot]
        rows[at, np.where(kind > 0, square // board, 0)] += kind << 4 * (square % board)
    distinct, which = np.unique(rows[:, ::-1], return_inverse=True)
    words = np.array([_row(number, board) for number in distinct.tolist()], object)
    sides = [" b" if black else " w" for black in (positions & layout.BLACK).tolist()]
    placed = words[which.reshape(rows.shape)].tolist()
    return ["/".join(row) + side for row, side in zip(placed, sides, strict=True)]


@cache
def _row(number: int, board: int) -> str:
    """Return a row of the board as in FEN, of its number."""
    text, empty = "", 0
    for file in range(board):
        letter = LETTERS[number >> 4 * file & 15]
        if letter == ".":
            empty += 1
            continue
        text += f"{empty or ''}{letter}"
        empty = 0
    return f"{text}{empty or ''}"


def move_names(
    positions: Ints, targets: Ints, results: NDArray[np.uint8], kinds: Ints, data: Ints
) -> list[str | None]:
    """Return moves in standard algebraic notation; None for what is no move.

    Parameters
    ----------
    positions, targets, results
        As ``CompiledGame.move_names`` takes them.
    kinds : int64 [materials, 5]
    data : int64 [rows, 64]
        The table of the rules.
    """
    board = int(data[layout.NUMBERS, layout.BOARD])
    before, after = Men(positions, kinds), Men(targets, kinds)
    black = positions >> layout.SIDE & 1
    own, now = before.bits(black), after.bits(black)
    vacated, come = own & ~now, now & ~own
    is_move = ((positions ^ targets) & layout.BLACK != 0) & _is_single(vacated) & _is_single(come)
    origin, goal = _square_of(vacated), _square_of(come)
    man, becomes = before.on(origin) % BLACK_KIND, after.on(goal) % BLACK_KIND
    captures = (after.kind > 0).sum(axis=1) < (before.kind > 0).sum(axis=1)
    is_pawn = man == PAWN
    file, rank = _distinctions(positions, before, black, origin, goal, man, board)
    file |= is_pawn & captures
    check = _gives_check(targets, after, black, data)
    sign = np.where(check, np.where(results == LOSS, 2, 1), 0)
    becomes = np.where(man == becomes, 0, becomes)
    # A name is a number of several digits, so that each different one is written once.
    parts = (
        (np.where(is_pawn, 0, man), 8),
        (np.where(file, origin % board + 1, 0), 9),
        (np.where(rank, origin // board + 1, 0), 9),
        (captures, 2),
        (goal % board, 8),
        (goal // board, 8),
        (becomes, 8),
        (sign, 3),
    )
    numbers = np.zeros(len(positions), np.int64)
    for digit, base in parts:
        numbers = numbers * base + digit
    distinct, which = np.unique(np.where(is_move, numbers, -1), return_inverse=True)
    bases = tuple(base for _, base in parts)
    words = np.array([_name(number, bases) for number in distinct.tolist()], object)
    names: list[str | None] = words[which].tolist()
    return names


@cache
def _name(number: int, bases: tuple[int, ...]) -> str | None:
    """Return the name of a move of its number, None for -1."""
    if number < 0:
        return None
    digits: list[int] = []
    for base in reversed(bases):
        number, digit = divmod(number, base)
        digits.insert(0, digit)
    man, file, rank, captures, to_file, to_rank, becomes, sign = digits
    letter = KINDS[man - 1] if man else ""
    where = f"{' abcdefgh'[file] if file else ''}{rank or ''}{'x' if captures else ''}"
    promoted = f"={KINDS[becomes - 1]}" if becomes else ""
    return f"{letter}{where}{'abcdefgh'[to_file]}{to_rank + 1}{promoted}{('', '+', '#')[sign]}"


def _is_single(bits: Ints) -> Bools:
    """Return which numbers have one bit."""
    single: Bools = (bits != 0) & (bits & (bits - 1) == 0)
    return single


def _square_of(bits: Ints) -> Ints:
    """Return the number of the only bit of each number."""
    return np.frexp(bits.view(np.uint64).astype(np.float64))[1].astype(np.int64) - 1


def _distinctions(
    positions: Ints, before: Men, black: Ints, origin: Ints, goal: Ints, man: Ints, board: int
) -> tuple[Bools, Bools]:
    """Return whether the file and the rank of a man say which of several like men moves."""
    file, rank = np.zeros((2, len(positions)), bool)
    kind = man + BLACK_KIND * black
    several = ((before.kind == kind[:, None]).sum(axis=1) > 1) & (man != PAWN) & (man > 0)
    some = np.flatnonzero(several)
    if len(some) == 0:
        return file, rank
    new = np.ones(len(positions), np.int64)
    new[1:] = positions[1:] != positions[:-1]
    # Moves of like men of a position to one square are rivals.
    group = (np.cumsum(new)[some] * len(LETTERS) + kind[some]) * 64 + goal[some]
    group = np.unique(group, return_inverse=True)[1]
    rivals = np.bincount(group)[group] > 1
    shares_file = _is_shared(group * 8 + origin[some] % board)
    shares_rank = _is_shared(group * 8 + origin[some] // board)
    file[some] = rivals & (shares_rank | ~shares_file)
    rank[some] = rivals & shares_file
    return file, rank


def _is_shared(numbers: Ints) -> Bools:
    """Return which numbers occur more than once."""
    return np.bincount(numbers)[numbers] > 1


def _gives_check(targets: Ints, after: Men, black: Ints, data: Ints) -> Bools:
    """Return at which targets a piece of the side that has moved attacks the other king."""
    bits = np.bitwise_or.reduce(np.where(after.kind > 0, data[layout.BIT, after.square], 0), axis=1)
    king = np.where(black == 1, after.square[:, 0], after.square[:, 1])
    row = layout.MATERIALS + (targets >> layout.MATERIAL)
    white, check = data[row, layout.WHITE], np.zeros(len(targets), bool)
    for piece in range(len(SLOTS) - 2):
        there = (after.kind[:, piece + 2] > 0) & ((piece >= white) == (black == 1))
        path = layout.PATH + 64 * data[row, layout.TYPE + piece] + after.square[:, piece + 2]
        attack = data[np.where(there, path, layout.NOWHERE), king]
        check |= attack & bits == 0
    return check

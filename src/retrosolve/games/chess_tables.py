"""The table of the compiled rules of chess endings, for one ending and board."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retrosolve.games import chess_moves as rules
from retrosolve.rules.ranking import grid_symmetries

AROUND = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1))
LEAPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
DIRECTIONS = {"Q": AROUND, "R": AROUND[:4], "B": AROUND[4:], "N": LEAPS}
PROMOTED = "QRBN"
MIRROR = 1  # the symmetry that reverses the files

Table = NDArray[np.int64]


def make_board(pieces: str, split: bool, board: int, symmetry: bool) -> tuple[rules.Board, list[int]]:
    """Return the ``data`` of the rules, and the first index of each tier and the size.

    ``pieces`` are one or two letters; if ``split``, the second is Black's.
    """
    area, pawn = board * board, pieces.find("P")
    kinds = (pieces + ".")[:2] + (PROMOTED if pawn >= 0 else "")
    table = np.zeros((rules.PATH + 65 * len(kinds), 65), np.int64)
    kings = symmetries(table, board, symmetry)
    neighbours(table, board)
    for kind, letter in enumerate(kinds):
        lines(table, board, kind, letter)
    files = 0
    table[rules.PAWN_TIERS : rules.PAWN_TIERS + 2] = -1
    up = -1 if pawn == 1 and split else 1
    if pawn >= 0:
        files = pawns(table, board, symmetry, pawn, up)
    alike = symmetry and split and pieces[0] == pieces[1]
    sides = 1 if alike else 2
    ends = tiers(table, pieces, board, sides * kings, sides * files, up)
    hopeless(table, pieces)
    last = len(ends) - 2
    if alike:
        del ends[2]  # moves lead from one piece of White's to one of Black's, and back
    return rules.Board(area, kings, files, pawn, int(split), last, int(alike), table), ends


def adjacent(board: int, square: int, direction: tuple[int, int]) -> int:
    """Return the square one step away, the number of squares past the edge."""
    row, column = square // board + direction[0], square % board + direction[1]
    inside = 0 <= row < board and 0 <= column < board
    return row * board + column if inside else board * board


def symmetries(table: Table, board: int, symmetry: bool) -> int:
    """Fill in the symmetries of the board; return the number of the white king's canonical squares."""
    area = board * board
    turned = table[rules.TURNED : rules.TURNED + 8]
    turned[:, :area] = grid_symmetries(board, board)
    turned[:, area] = area
    row, column = np.divmod(np.arange(area), board)
    table[rules.COLOUR, :area] = (row + column) % 2
    if not symmetry:
        table[rules.PLACE, :area] = table[rules.SQUARE, :area] = np.arange(area)
        return area
    square = np.unique(turned[:, :area].min(axis=0))
    table[rules.SQUARE, : len(square)] = square
    table[rules.PLACE, square] = np.arange(len(square))
    for king in range(area):
        for black in range(area):
            image = turned[:, king] * area + turned[:, black]
            smallest = np.flatnonzero(image == image.min())
            table[rules.TURNS + king, black] = smallest[0] + 8 * smallest[-1]
    return len(square)


def neighbours(table: Table, board: int) -> None:
    """Fill in the adjacent squares, and the bits of paths."""
    area = board * board
    for square in range(area):
        steps = [to for way in AROUND if (to := adjacent(board, square, way)) < area]
        table[rules.REACH, square] = len(steps)
        table[rules.STEP + square, : len(steps)] = steps
        table[rules.NEIGHBOURS, square] = np.bitwise_or.reduce(np.int64(1) << np.array(steps))
    table[rules.BIT] = 1
    table[rules.BIT, : area - 1] = np.int64(1) << np.arange(area - 1)


def lines(table: Table, board: int, kind: int, letter: str) -> None:
    """Fill in the moves of a type of piece; none if there is no such piece."""
    area = board * board
    path = table[rules.PATH + 65 * kind : rules.PATH + 65 * kind + 65]
    way = table[rules.WAY + 8 * kind : rules.WAY + 8 * kind + 8]
    path[:], way[:] = -1, area
    table[rules.WAYS, kind] = len(DIRECTIONS.get(letter, ()))
    table[rules.SLIDES, kind] = letter != "N"
    for w, direction in enumerate(DIRECTIONS.get(letter, ())):
        way[w, :area] = [adjacent(board, square, direction) for square in range(area)]
        for square in range(area):
            to, between = int(way[w, square]), 0
            while to < area:
                path[square, to] = between
                between |= int(table[rules.BIT, to])
                to = int(way[w, to]) if letter != "N" else area


def pawns(table: Table, board: int, symmetry: bool, pawn: int, up: int) -> int:
    """Fill in the moves of a pawn going up (1) or down (-1); return the number of its files."""
    area = board * board
    path = table[rules.PATH + 65 * pawn : rules.PATH + 65 * pawn + 65]
    files = (board + 1) // 2 if symmetry else board
    second = 1 if up > 0 else board - 2
    for square in range(area):
        row, file = divmod(square, board)
        table[rules.PUSH, square] = adjacent(board, square, (up, 0))
        table[rules.DOUBLE, square] = row == second
        table[rules.FILE, square] = min(file, board - 1 - file) if symmetry else file
        if symmetry:
            table[rules.HALF, square] = 0 if 2 * file < board - 1 else MIRROR + 8 * MIRROR
            if 2 * file == board - 1:
                table[rules.HALF, square] = 8 * MIRROR
        for side in (-1, 1):
            if (to := adjacent(board, square, (up, side))) < area:
                path[square, to] = 0
    return files


def tiers(table: Table, pieces: str, board: int, kings: int, files: int, up: int) -> list[int]:
    """Fill in the tiers; return the first index of each, and the size.

    Endings with fewer pieces come first, then promoted pawns, then the pawn rank by rank. ``kings`` and
    ``files`` are the numbers of canonical squares and files, times the sides that may be to move.
    """
    area, two, pawn = board * board, len(pieces) == 2, pieces.find("P")
    both = 3 if two else 1
    without_pawn = [left for left in range(both + 1) if pawn < 0 or not left >> pawn & 1]
    parts = [(0, left, -1) for left in without_pawn]
    if pawn >= 0:
        ranks = range(board - 2, 0, -1) if up > 0 else range(1, board - 1)
        for left in sorted({1 << pawn, both}):
            parts += [(rules.PAWN + kind, left, -1) for kind in range(1, 1 + rules.PROMOTIONS)]
        for left in sorted({1 << pawn, both}):
            parts += [(rules.PAWN, left, rank * board) for rank in ranks]
    first = 0
    ends = []
    for tier, (kind, left, rank) in enumerate(parts):
        table[[rules.BASE, rules.KINDS, rules.LEFT, rules.RANK], tier] = first, kind, left, rank
        ends.append(first)
        others = left.bit_count()
        if rank < 0:
            table[rules.TIERS, 4 * kind + left] = first
            first += kings * area ** (1 + others)
        else:
            table[rules.PAWN_TIERS + others - 1, rank : rank + board] = first
            first += files * area ** (1 + others)
    return [*ends, first]


def hopeless(table: Table, pieces: str) -> None:
    """Fill in the material that cannot mate: one minor piece, or bishops on one colour."""
    for kind, letter in enumerate(".P" + PROMOTED):
        held = pieces.replace("P", letter) if kind else pieces
        bare = [int(piece in "BN") for piece in held]
        same = 2 if held == "BB" else 0
        table[rules.DEAD, 4 * kind : 4 * kind + 4] = 1, bare[0], bare[-1], same

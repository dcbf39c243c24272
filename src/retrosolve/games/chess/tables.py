"""The squares in the table of the compiled rules of chess endings, for one board."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retrosolve.games.chess import layout
from retrosolve.rules.ranking import grid_symmetries

AROUND = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1))
LEAPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
DIRECTIONS = (AROUND, AROUND[:4], AROUND[4:], LEAPS)  # of a queen, rook, bishop, knight
KNIGHT = 3
MIRROR = 1  # the symmetry that reverses the files

Table = NDArray[np.int64]


def squares(board: int, symmetry: bool) -> Table:
    """Return the rows of the table that depend on the board alone."""
    table = np.zeros((layout.MATERIALS, 64), np.int64)
    symmetries(table, board, symmetry)
    kings(table[layout.KINGS :], table, board, symmetry)
    kings(table[layout.KINGS + layout.KING_ROWS :], table, board, False)
    neighbours(table, board)
    for kind, directions in enumerate(DIRECTIONS):
        lines(table, board, kind, directions)
    for side in (0, 1):
        pawns(table, board, side)
    return table


def adjacent(board: int, square: int, direction: tuple[int, int]) -> int:
    """Return the square one step away, -1 past the edge."""
    row, column = square // board + direction[0], square % board + direction[1]
    inside = 0 <= row < board and 0 <= column < board
    return row * board + column if inside else -1


def symmetries(table: Table, board: int, symmetry: bool) -> None:
    """Fill in the symmetries of the board, and which makes two kings or a pawn canonical."""
    area = board * board
    images = table[layout.TURNED : layout.TURNED + 8]
    images[:] = table[layout.FLIPPED] = np.arange(64)  # squares beyond the board have no other image
    turned = images[:, :area]
    turned[:] = grid_symmetries(board, board)
    row, column = np.divmod(np.arange(area), board)
    table[layout.COLOUR, :area] = (row + column) % 2
    table[layout.FLIPPED, :area] = (board - 1 - row) * board + column
    table[layout.FILE_OF, :area], table[layout.RANK_OF, :area] = column, row
    if not symmetry:
        return
    keeping = turned == np.arange(area)
    keeping[0] = False
    several = keeping.sum(axis=0) > 1
    table[layout.AXIS, :area] = np.where(several, layout.SEVERAL_AXES, keeping.argmax(axis=0))
    for king in range(area):
        for black in range(area):
            image = turned[:, king] * area + turned[:, black]
            smallest = np.flatnonzero(image == image.min())
            table[layout.TURNS + king, black] = smallest[0] + 8 * smallest[-1]
    for doubled in range(2 * board - 1):
        middle = MIRROR * 8 if doubled == board - 1 else 9 * MIRROR
        table[layout.BALANCE, doubled] = middle if doubled >= board - 1 else 0


def kings(rows: Table, table: Table, board: int, canonical: bool) -> None:
    """Fill in the numbers of pairs of kings: those not adjacent, or of these the canonical ones."""
    area = board * board
    before = 0
    for black in range(area):
        rows[layout.PAIRS_BEFORE, black] = before
        for white in range(area):
            apart = max(abs(white // board - black // board), abs(white % board - black % board)) > 1
            turns = table[layout.TURNS + white, black] & 7
            if not apart or (canonical and table[layout.TURNED + turns, white] != white):
                continue
            if canonical and table[layout.TURNED + turns, black] != black:
                continue
            number = int(rows[layout.PAIRS_OF, black])
            rows[layout.PLACE + black, white] = number
            rows[layout.WHITE_OF + black, number] = white
            rows[layout.PAIRS_OF, black] = number + 1
            rows[layout.BLACK_OF + (before >> 6), before & 63] = black
            before += 1


def num_pairs(table: Table, kings: int) -> int:
    """Return the number of pairs of kings."""
    return int(table[kings + layout.PAIRS_OF].sum())


def neighbours(table: Table, board: int) -> None:
    """Fill in the adjacent squares, and the bits of paths."""
    area = board * board
    for square in range(area):
        steps = [to for way in AROUND if (to := adjacent(board, square, way)) >= 0]
        table[layout.REACH, square] = len(steps)
        table[layout.STEP + square, : len(steps)] = steps
        table[layout.NEIGHBOURS, square] = np.bitwise_or.reduce(np.int64(1) << np.array(steps))
    table[layout.BIT, :area] = np.int64(1) << np.arange(area)
    table[layout.NOWHERE] = -1


def lines(table: Table, board: int, kind: int, directions: tuple[tuple[int, int], ...]) -> None:
    """Fill in the moves of a type of piece."""
    area = board * board
    path = table[layout.PATH + 64 * kind : layout.PATH + 64 * kind + 64]
    way = table[layout.WAY + 8 * kind : layout.WAY + 8 * kind + 8]
    path[:], way[:] = -1, -1
    table[layout.WAYS, kind] = len(directions)
    table[layout.SLIDES, kind] = kind != KNIGHT
    for w, direction in enumerate(directions):
        way[w, :area] = [adjacent(board, square, direction) for square in range(area)]
        for square in range(area):
            to, between = int(way[w, square]), 0
            while to >= 0:
                path[square, to] = between
                between |= int(table[layout.BIT, to])
                to = int(way[w, to]) if kind != KNIGHT else -1


def pawns(table: Table, board: int, side: int) -> None:
    """Fill in the moves of the pawns of a side."""
    first = layout.PATH + 64 * (layout.WHITE_PAWN + side)
    path = table[first : first + 64]
    path[:] = -1
    up, second = (-1, board - 2) if side else (1, 1)
    for square in range(board * board):
        table[layout.PUSH + side, square] = adjacent(board, square, (up, 0))
        table[layout.DOUBLE + side, square] = square // board == second
        for file in (-1, 1):
            if (to := adjacent(board, square, (up, file))) >= 0:
                path[square, to] = 0

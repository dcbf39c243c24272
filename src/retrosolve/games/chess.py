"""Pawnless chess endings: two kings and one or two more pieces of White, on boards of 3x3 to 8x8.

Chess without castling and without the fifty-move rule. Checkmate is a LOSS. The game ends in a TIE
at stalemate and where no play can mate any more: a bare king, king and bishop, king and knight, two
bishops on squares of one colour. So all of KBK and KNK is TIE at 0.

Known, on 8x8, positions that turn or mirror into each other counted once, like pieces told apart:
KRK with Black to move has 28,056 positions, 2,796 of them drawn, mate within 32 plies; KQK 28,056,
2,896 drawn, 20 plies; KBNK 1,707,888, 309,147 drawn, 66 plies in 370 of them. Sources: the statistics
of the Syzygy tables (github.com/niklasf/syzygy-tables.info), the UCI data set "Chess (King-Rook vs.
King)", Hurd's verified endgames (gilith.com/chess/endgames).
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from retrosolve.errors import PositionError, RulesError
from retrosolve.games import chess_moves as rules
from retrosolve.games.chess_moves import BLACK, BLACK_KING, FIELD, FIRST, WHITE_KING
from retrosolve.rules.compiled import GOES_ON, LOSS, NO_POSITION, CompiledGame

AROUND = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1))
LEAPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
DIRECTIONS = {"Q": AROUND, "R": AROUND[:4], "B": AROUND[4:], "N": LEAPS}

LONGEST = {
    "KQK": "8/8/8/5k2/8/8/1Q6/K7 w",
    "KRK": "8/8/8/8/8/2k5/1R6/K7 w",
    "KBNK": "8/8/7N/8/8/8/8/K1k1B3 w",
    "KBBK": "8/8/8/8/7B/8/3k4/K2B4 w",
}
"""Positions on 8x8 from which mate takes longest: 19, 31, 65 and 37 plies."""

Table = NDArray[np.int64]


class ChessEnding(CompiledGame):
    """A pawnless ending such as ``KQK`` or ``KBNK``, White's pieces between the kings.

    ``board`` is the number of rows, 3 to 8. With ``symmetry`` positions that turn or mirror into each
    other are solved once, for the one that has the white king in the triangle a1-d1-d4. Endings with
    a piece less are earlier tiers of the game, king against king the first. Raises RulesError for
    any other ending or board.

    >>> from retrosolve.rules.compiled import PlainView
    >>> game = ChessEnding("KRK")
    >>> position = game.parse("k7/8/1K6/8/8/8/8/7R w")
    >>> [name for name, _ in PlainView(game).moves(position) if "#" in name]
    ['Rh1-h8#']
    >>> game.size, game.tiers
    (83200, (0, 1280))
    """

    players = ("White", "Black")

    def __init__(self, ending: str = "KRK", board: int = 8, symmetry: bool = True) -> None:
        if not isinstance(ending, str) or not re.fullmatch("K[QRBN]{1,2}K", ending):
            raise RulesError(
                f"ending={ending!r}: expected K, one or two of Q, R, B, N, and K, as in KRK"
            )
        if type(board) is not int or not 3 <= board <= 8:
            raise RulesError(f"board={board!r}: expected a whole number from 3 to 8")
        self.ending = ending
        self.board = board
        self.symmetry = bool(symmetry)
        self.data = make_board(ending[1:-1], board, self.symmetry)
        area = self.data.area
        least = 2 * self.data.kings * area
        two = len(ending) == 4
        self.size: int = least * ((1 + area) ** 2 if two else 1 + area)
        self.tiers: tuple[int, ...] = tuple(self.data.table[rules.BASE, : 4 if two else 2].tolist())
        targets = (self.data.table[rules.PATH :] >= 0).sum(axis=1)
        self.most_moves = 8 + int(targets[:65].max() + targets[65:].max())
        self.most_predecessors = self.most_moves

    def start(self) -> int:
        """Give a position of the longest mate where one is known here, else the first that goes on."""
        if self.board == 8 and self.ending in LONGEST:
            return self.parse(LONGEST[self.ending])
        legal = None
        for index in range(self.tiers[-1], self.size):
            position = self.unrank(index, self.data)
            state = self.terminal(position, self.data)
            if state == GOES_ON:
                return position
            if legal is None and state != NO_POSITION:
                legal = position
        if legal is None:
            raise RulesError(f"{self.ending} on {self.board}x{self.board} has no position")
        return legal

    successors = staticmethod(rules.successors)
    predecessors = staticmethod(rules.predecessors)
    terminal = staticmethod(rules.terminal)
    canonical = staticmethod(rules.canonical)
    rank = staticmethod(rules.rank)
    unrank = staticmethod(rules.unrank)

    def text(self, position: int) -> str:
        """Write the rows from the top as FEN does, and who moves: ``8/8/8/5k2/8/8/1Q6/K7 w``."""
        squares = ["."] * (self.data.area + 1)
        for letter, square in zip(self._letters(), fields(position), strict=True):
            squares[square] = letter
        n = self.board
        rows = ["".join(squares[row * n : row * n + n]) for row in range(n - 1, -1, -1)]
        placed = re.sub(r"\.+", lambda empty: str(len(empty[0])), "/".join(rows))
        return f"{placed} {'b' if position & BLACK else 'w'}"

    def parse(self, text: str) -> int:
        """Read what ``text`` writes, or a whole FEN. Raises PositionError for what is no position.

        Pieces may be missing, as when captured. Like pieces are numbered from a1.
        """
        given = re.fullmatch(r"([KQRBNk1-8/]+) ([wb])( - -( \d+ \d+)?)?", text.strip(), re.ASCII)
        if not given:
            raise PositionError(f"{text!r} is no position: expected rows and w or b, as in FEN")
        rows = re.sub("[1-8]", lambda digit: "." * int(digit[0]), given[1]).split("/")
        n = self.board
        if len(rows) != n or any(len(row) != n for row in rows):
            raise PositionError(f"{text!r} is no position: expected {n} rows of {n} squares")
        found = [self.data.area] * 4
        letters = list(self._letters())
        for square, letter in enumerate("".join(reversed(rows))):
            if letter != ".":
                if letter not in letters:
                    raise PositionError(f"{text!r} has a {letter} that {self.ending} has not")
                piece = letters.index(letter)
                letters[piece] = ""
                found[piece] = square
        if self.data.area in found[:2]:
            raise PositionError(f"{text!r} is no position: expected a K and a k")
        position = pack(*found) | (BLACK if given[2] == "b" else 0)
        if self.terminal(position, self.data) == NO_POSITION:
            raise PositionError(f"{text!r} is no position: the side that has moved is in check")
        return position

    def move_name(self, position: int, target: int) -> str:
        """Name a move: ``Ra1-a8+``, ``Kb2xc3``. For a target that no move leads to, give its text."""
        before, after = fields(position), fields(target)
        mover = [1] if position & BLACK else [i for i in (0, 2, 3) if before[i] != after[i]]
        if (position ^ target) & BLACK == 0 or len(mover) != 1 or before[mover[0]] == after[mover[0]]:
            return self.text(target)
        origin, goal = before[mover[0]], after[mover[0]]
        sign = "x" if goal in before else "-"
        state = self.terminal(target, self.data)
        king, black, first, second = after
        checks = target & BLACK and rules.attacked(black, king, first, second, self.data)
        end = "#" if state == LOSS else "+" if checks else ""
        letter = self._letters()[mover[0]].upper()
        return f"{letter}{self._square(origin)}{sign}{self._square(goal)}{end}"

    def _letters(self) -> tuple[str, str, str, str]:
        pieces = self.ending[1:-1] + "."
        return "K", "k", pieces[0], pieces[1]

    def _square(self, square: int) -> str:
        return f"{'abcdefgh'[square % self.board]}{square // self.board + 1}"


def fields(position: int) -> tuple[int, int, int, int]:
    """Give the squares of the white king, the black king and the pieces."""
    shifts = (WHITE_KING, BLACK_KING, FIRST, 0)
    king, black, first, second = (int(position) >> shift & FIELD for shift in shifts)
    return king, black, first, second


def pack(king: int, black: int, first: int, second: int) -> int:
    """Give the position of these squares with White to move."""
    return (king << WHITE_KING) | (black << BLACK_KING) | (first << FIRST) | second


def make_board(pieces: str, board: int, symmetry: bool) -> rules.Board:
    """Make the table of an ending."""
    area = board * board
    table = np.zeros((rules.ROWS, 65), np.int64)
    kings = symmetries(table, board, symmetry)
    neighbours(table, board)
    for piece, kind in enumerate((pieces + ".")[:2]):
        lines(table, board, piece, kind)
    least = 2 * kings * area
    base = [0, least, least * (1 + area), least * (1 + 2 * area)]
    table[rules.BASE, :4] = base if len(pieces) == 2 else [*base[:3], base[2]]
    never = [int(kind in "BN") for kind in pieces]
    table[rules.DEAD, :4] = 1, never[0], never[-1], 2 if pieces == "BB" else 0
    return rules.Board(area, kings, table)


def beside(board: int, square: int, direction: tuple[int, int]) -> int:
    """Give the square a step away; past the edge the number of squares."""
    row, column = square // board + direction[0], square % board + direction[1]
    inside = 0 <= row < board and 0 <= column < board
    return row * board + column if inside else board * board


def symmetries(table: Table, board: int, symmetry: bool) -> int:
    """Fill in what the symmetries of the board do. Give the number of the white king's squares."""
    area = board * board
    row, column = np.divmod(np.arange(area), board)
    turned = table[rules.TURNED : rules.TURNED + 8]
    turned[:, area] = area
    for t in range(8):
        r, c = (column, row) if t & 1 else (row, column)
        r, c = board - 1 - r if t & 2 else r, board - 1 - c if t & 4 else c
        turned[t, :area] = r * board + c
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
    """Fill in the squares next to each, and the bits of paths."""
    area = board * board
    for square in range(area):
        steps = [to for way in AROUND if (to := beside(board, square, way)) < area]
        table[rules.REACH, square] = len(steps)
        table[rules.STEP + square, : len(steps)] = steps
        table[rules.NEAR, square] = np.bitwise_or.reduce(np.int64(1) << np.array(steps))
    table[rules.BIT] = 1
    table[rules.BIT, : area - 1] = np.int64(1) << np.arange(area - 1)


def lines(table: Table, board: int, piece: int, kind: str) -> None:
    """Fill in where a piece goes; nowhere for one that there is not."""
    area = board * board
    path = table[rules.PATH + 65 * piece : rules.PATH + 65 * piece + 65]
    way = table[rules.WAY + 8 * piece : rules.WAY + 8 * piece + 8]
    path[:], way[:] = -1, area
    table[rules.WAYS, piece] = len(DIRECTIONS.get(kind, ()))
    table[rules.SLIDES, piece] = kind != "N"
    for w, direction in enumerate(DIRECTIONS.get(kind, ())):
        way[w, :area] = [beside(board, square, direction) for square in range(area)]
        for square in range(area):
            to, between = int(way[w, square]), 0
            while to < area:
                path[square, to] = between
                between |= int(table[rules.BIT, to])
                to = int(way[w, to]) if kind != "N" else area

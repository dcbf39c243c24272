"""Chess endings: two kings and one or two more pieces, on boards of 3x3 to 8x8.

The pieces are queens, rooks, bishops and knights of either side, and at most one pawn. There is no
castling and no fifty-move rule. Checkmate is a LOSS. Stalemate is a TIE, and so is a position without
any mating sequence: a bare king, a king and bishop or a king and knight against a bare king, and two
bishops on squares of one colour, of either side. So all of KBK and KNK is TIE in 0. A pawn may advance
two squares from its second rank, and promotes to any piece; en passant needs two pawns.

Known, on 8x8, with rotations and reflections counted once and like pieces distinguished:

- KRK with Black to move has 28,056 positions, 2,796 of them drawn, mate within 32 plies; KQK 28,056,
  2,896 drawn, 20 plies; KBNK 1,707,888, 309,147 drawn, 66 plies in 370 of them.
- White to move wins, draws and loses 62,480, 19,184 and 0 in KPK, 1,108,111, 8,963 and 2,142 in KQKR,
  651,492, 696,413 and 1 in KRKN, 3,703,102, 340,191 and 6,727 in KRKP. The longest wins of White to
  move take 55, 69, 79 and 51 plies, of Black to move in KRKP 85, of either side in KRKR and KQKQ 37
  and 25.

Sources: the statistics of the Syzygy tables (github.com/niklasf/syzygy-tables.info), the UCI data set
"Chess (King-Rook vs. King)", Hurd's verified endgames (gilith.com/chess/endgames), kirill-kryukov.com
forum t=920 (longest KPK), H. Conrady's list of longest mates (Computer Chess Club, 1 June 2000).
"""

from __future__ import annotations

import re

from retrosolve.errors import PositionError, RulesError
from retrosolve.games import chess_drawing, chess_index
from retrosolve.games import chess_moves as rules
from retrosolve.games.chess_moves import BLACK, BLACK_KING, FIELD, FIRST, KIND, PAWN, WHITE_KING
from retrosolve.games.chess_tables import PROMOTED, make_board
from retrosolve.languages import mark
from retrosolve.rules.compiled import INVALID, LOSS, NOT_TERMINAL, CompiledGame

LONGEST = {
    "KQK": "8/8/8/5k2/8/8/1Q6/K7 w",
    "KRK": "8/8/8/8/8/2k5/1R6/K7 w",
    "KBNK": "8/8/7N/8/8/8/8/K1k1B3 w",
    "KBBK": "8/8/8/8/7B/8/3k4/K2B4 w",
    "KPK": "8/8/8/6k1/8/8/1P4K1/8 w",
    "KQKR": "8/8/8/8/2r5/8/2k5/K6Q w",
    "KQKB": "8/6Q1/8/4b3/3k4/8/8/K7 w",
    "KQKN": "8/8/8/8/8/2k5/2n5/KQ6 w",
    "KQKP": "3Q4/3K4/8/8/8/3k4/3p4/8 w",
    "KQKQ": "8/8/8/8/8/8/8/qk1K2Q1 w",
    "KRKR": "8/8/8/8/8/1R6/6r1/K1k5 w",
    "KRKB": "8/8/8/8/8/2R5/8/3K1bk1 w",
    "KRKN": "8/2R5/8/8/7k/3K4/8/4n3 w",
    "KRKP": "8/8/6K1/2R5/1p6/1k6/8/8 w",
    "KPKR": "8/5k2/2PK4/5r2/8/8/8/8 w",
}
"""Positions on 8x8 from which White to move takes longest to mate, 19 to 85 plies."""


class ChessEnding(CompiledGame):
    """A chess ending.

    Parameters
    ----------
    ending : str
        White's king and pieces, then Black's: ``KQK``, ``KBNK``, ``KQKR``, ``KPK``.
    board : int
        Number of rows and columns, 3 to 8; 5 to 8 with a pawn.
    symmetry : bool
        Whether rotations and reflections of a position are solved once. The canonical one has the
        white king in the triangle a1-d1-d4, or the pawn on files a to d. With the same piece on both
        sides, as in KQKQ, positions with Black to move are solved as those with White to move.

    Raises
    ------
    RulesError
        For any other ending or board.

    Notes
    -----
    The tiers are the endings with fewer pieces, king against king first, then those after a
    promotion, then the ending itself.

    Examples
    --------
    >>> from retrosolve.rules.compiled import InterpretedGame
    >>> game = ChessEnding("KRK")
    >>> position = game.parse("k7/8/1K6/8/8/8/8/7R w")
    >>> [name for name, _ in InterpretedGame(game).moves(position) if "#" in name]
    ['Rh1-h8#']
    >>> game.size, game.tiers
    (83200, (0, 1280))
    """

    players = (mark("White"), mark("Black"))

    def __init__(self, ending: str = "KRK", board: int = 8, symmetry: bool = True) -> None:
        if not isinstance(ending, str) or not re.fullmatch("K[QRBNP](K|[QRBNP]K|K[QRBNP])", ending):
            raise RulesError(
                f"ending={ending!r}: expected K, one or two of Q, R, B, N, P, and K before the last "
                "or after it, as in KRK, KBNK and KQKR"
            )
        if ending.count("P") > 1:
            raise RulesError(f"ending={ending!r}: expected at most one P")
        fewest = 5 if "P" in ending else 3
        if type(board) is not int or not fewest <= board <= 8:
            raise RulesError(f"board={board!r}: expected {fewest} to 8, a whole number, for {ending}")
        self.ending = ending
        self.board = board
        self.symmetry = bool(symmetry)
        self.pieces = ending.replace("K", "")
        split = not ending.endswith("K")
        self.data, ends = make_board(self.pieces, split, board, self.symmetry)
        self.size: int = ends[-1]
        self.tiers: tuple[int, ...] = tuple(ends[:-1])
        targets = (self.data.table[rules.PATH :] >= 0).sum(axis=1)
        most = [int(targets[65 * kind : 65 * kind + 65].max()) for kind in range(len(targets) // 65)]
        # A pawn has 8 moves at most: to the last rank ahead and by one capture.
        longest = max(8, *most[2:]) if self.data.pawn >= 0 else 0
        self.max_moves = 8 + sum(
            longest if piece == self.data.pawn else most[piece] for piece in range(2)
        )
        self.max_predecessors = self.max_moves

    def start(self) -> int:
        """Return a position of the longest mate if it is known, else the first that is not terminal."""
        if self.board == 8 and self.ending in LONGEST:
            return self.parse(LONGEST[self.ending])
        legal = None
        for index in range(self.tiers[-1], self.size):
            position = self.unrank(index, self.data)
            state = self.terminal(position, self.data)
            if state == NOT_TERMINAL:
                return position
            if legal is None and state != INVALID:
                legal = position
        if legal is None:
            raise RulesError(f"{self.ending} on {self.board}x{self.board} has no position")
        return legal

    successors = staticmethod(rules.successors)
    predecessors = staticmethod(rules.predecessors)
    terminal = staticmethod(rules.terminal)
    canonical = staticmethod(chess_index.canonical)
    rank = staticmethod(chess_index.rank)
    unrank = staticmethod(chess_index.unrank)

    def passed(self, position: int) -> int:
        """Return the same position with the other side to move."""
        return int(position) ^ BLACK

    def text(self, position: int) -> str:
        """Return the rows from the top as in FEN, and who moves: ``8/8/8/5k2/8/8/1Q6/K7 w``."""
        squares = ["."] * (self.data.area + 1)
        letters = self._letters(int(position) >> KIND)
        for letter, square in zip(letters, unpack(position), strict=True):
            squares[square] = letter
        n = self.board
        rows = ["".join(squares[row * n : row * n + n]) for row in range(n - 1, -1, -1)]
        placed = re.sub(r"\.+", lambda empty: str(len(empty[0])), "/".join(rows))
        return f"{placed} {'b' if position & BLACK else 'w'}"

    def parse(self, text: str) -> int:
        """Return the position of a text or a full FEN. Raises PositionError if there is none.

        Captured pieces are missing. Like pieces are numbered from a1.
        """
        given = re.fullmatch(r"([KQRBNPkqrbnp1-8/]+) ([wb])( - -( \d+ \d+)?)?", text.strip(), re.ASCII)
        if not given:
            raise PositionError(f"{text!r} is no position: expected rows and w or b, as in FEN")
        rows = re.sub("[1-8]", lambda digit: "." * int(digit[0]), given[1]).split("/")
        n = self.board
        if len(rows) != n or any(len(row) != n for row in rows):
            raise PositionError(f"{text!r} is no position: expected {n} rows of {n} squares")
        found, kind = self._placed(text, "".join(reversed(rows)))
        if self.data.area in found[:2]:
            raise PositionError(f"{text!r} is no position: expected a K and a k")
        position = pack(*found) | (kind << KIND) | (BLACK if given[2] == "b" else 0)
        if self.terminal(position, self.data) == INVALID:
            raise PositionError(f"{text!r} is no position: the side that has moved is in check")
        return position

    def move_name(self, position: int, target: int) -> str:
        """Return the name of a move: ``Ra1-a8+``, ``Kb2xc3``; the text of a target no move leads to."""
        before, after = unpack(position), unpack(target)
        side = int(position) >> rules.SIDE & 1
        own = [piece for piece, owner in enumerate((0, 1, 0, self.data.split)) if owner == side]
        mover = [piece for piece in own if before[piece] != after[piece]]
        if (position ^ target) & BLACK == 0 or len(mover) != 1 or self.data.area == after[mover[0]]:
            return self.text(target)
        piece, origin, goal = mover[0], before[mover[0]], after[mover[0]]
        if origin == self.data.area:
            return self.text(target)
        kinds = int(position) >> KIND, int(target) >> KIND
        letter = self._letters(kinds[0])[piece].upper().replace("P", "")
        sign = "x" if goal in before else "-"
        promoted = f"={PROMOTED[kinds[1] - 2]}" if kinds[1] > kinds[0] else ""
        state = self.terminal(target, self.data)
        threats = rules.threats(target, side, self.data)
        checks = rules.attacked(after[1 - side], threats, self.data)
        end = "#" if state == LOSS else "+" if checks else ""
        return f"{letter}{self._square(origin)}{sign}{self._square(goal)}{promoted}{end}"

    def svg(self, position: int) -> str:
        """Return a drawing of the board; a pawn before the last rank has its new pieces beside it."""
        letters = self._letters(int(position) >> KIND)
        black, n = int(position) >> rules.SIDE & 1, self.board
        squares = ["."] * (self.data.area + 1)
        choices, last = "", 1 if black else n - 2
        for letter, square in zip(letters, unpack(position), strict=True):
            squares[square] = letter
            if letter == "pP"[1 - black] and square // n == last:
                choices = PROMOTED.lower() if black else PROMOTED
        rows = ["".join(squares[row * n : row * n + n]) for row in range(n - 1, -1, -1)]
        title = f"Chess: {self.text(position)}, {self.players[black]} to move"
        return chess_drawing.ending(rows, title, choices)

    def move_points(self, position: int, target: int) -> tuple[str, ...]:
        """Return the two squares of a move, and the piece that a pawn becomes."""
        side = int(position) >> rules.SIDE & 1
        own = [piece for piece, owner in enumerate((0, 1, 0, self.data.split)) if owner == side]
        before, after = unpack(position), unpack(target)
        piece = next(piece for piece in own if before[piece] != after[piece])
        kinds = int(position) >> KIND, int(target) >> KIND
        promoted = [f"={PROMOTED[kinds[1] - 2]}"] if kinds[1] > kinds[0] else []
        return self._square(before[piece]), self._square(after[piece]), *promoted

    def _letters(self, kind: int) -> list[str]:
        """Return the letters of the kings and pieces, a promoted pawn as the new piece."""
        pieces = [*self.pieces, "."][:2]
        if kind > PAWN:
            pieces[self.data.pawn] = PROMOTED[kind - 2]
        if self.data.split:
            pieces[1] = pieces[1].lower()
        return ["K", "k", *pieces]

    def _placed(self, text: str, row: str) -> tuple[list[int], int]:
        """Return the squares of the kings and pieces, and what the pawn has become."""
        found, kind = [self.data.area] * 4, 0
        letters = self._letters(0)
        pawn = "" if self.data.pawn < 0 else letters[2 + self.data.pawn]
        for square, letter in enumerate(row):
            if letter == ".":
                continue
            promoted = PROMOTED if pawn == "P" else PROMOTED.lower()
            if letter in letters:
                piece = letters.index(letter)
                kind = PAWN if letter == pawn else kind
            elif pawn in letters and letter in promoted:
                piece = letters.index(pawn)
                kind = 2 + promoted.index(letter)
            else:
                raise PositionError(f"{text!r} has a {letter} that {self.ending} has not")
            letters[piece] = ""
            found[piece] = square
        return found, kind

    def _square(self, square: int) -> str:
        return f"{'abcdefgh'[square % self.board]}{square // self.board + 1}"


def unpack(position: int) -> tuple[int, int, int, int]:
    """Return the squares of the white king, the black king and the pieces."""
    shifts = (WHITE_KING, BLACK_KING, FIRST, 0)
    king, black, first, second = (int(position) >> shift & FIELD for shift in shifts)
    return king, black, first, second


def pack(king: int, black: int, first: int, second: int) -> int:
    """Return the position with these squares and White to move."""
    return (king << WHITE_KING) | (black << BLACK_KING) | (first << FIRST) | second

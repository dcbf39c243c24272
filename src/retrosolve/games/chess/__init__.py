"""Chess endings: two kings and up to three more pieces, on boards of 3x3 to 8x8.

The pieces are queens, rooks, bishops, knights and pawns of either side. ``3men``, ``4men`` and ``5men``
are all endings of up to so many men in one game: 5, 35 and 145 tables. There is no castling. The
objective ``conversion:limit=100`` takes account of fifty moves. Checkmate is a LOSS. Stalemate is a
TIE, and so is a position without any mating sequence: a bare king, a king and bishop or a king and
knight against a bare king, and bishops alone on squares of one colour, of either side. A pawn may
advance two squares from its second rank, be captured en passant by a pawn in the next move, and
promotes to any piece. Moves have their names in standard algebraic notation, and a ``chess.Board`` of
python-chess is accepted as a position.

A position and its colour-reversed twin share one entry, so KRKQ is found in the table of KQKR. Like
pieces that change places share one as well.

Known, on 8x8, with rotations and reflections counted once and like pieces distinguished:

- KRK with Black to move has 28,056 positions, 2,796 of them drawn, mate within 32 plies; KQK 28,056,
  2,896 drawn, 20 plies; KBNK 1,707,888, 309,147 drawn, 66 plies in 370 of them.
- White to move wins, draws and loses 62,480, 19,184 and 0 in KPK, 1,108,111, 8,963 and 2,142 in KQKR,
  651,492, 696,413 and 1 in KRKN, 3,703,102, 340,191 and 6,727 in KRKP. The longest wins of White to
  move take 55, 69, 79 and 51 plies, of Black to move in KRKP 85, of either side in KRKR and KQKQ 37
  and 25.
- White to move wins, draws and loses 158,650,355, 78,681,546 and 972,793 in KRPKR, Black to move
  49,187,154, 133,273,976 and 62,586,644; Black is mated in at most 148 plies.

Sources: the statistics of the Syzygy tables (github.com/niklasf/syzygy-tables.info), the UCI data set
"Chess (King-Rook vs. King)", Hurd's verified endgames (gilith.com/chess/endgames), kirill-kryukov.com
forum t=920 (longest KPK), H. Conrady's list of longest mates (Computer Chess Club, 1 June 2000), the
bounds of texel (github.com/peterosterlund2/texel), read from Gaviota's tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, cached_property, lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from retrosolve.errors import PositionError, RulesError
from retrosolve.games.chess import drawing, layout, notation
from retrosolve.games.chess import index as chess_index
from retrosolve.games.chess import material as chess_material
from retrosolve.games.chess import moves as rules
from retrosolve.games.chess import survey as chess_survey
from retrosolve.games.chess.layout import BLACK, BLACK_KING, EN_PASSANT, FIELD_BITS, FIRST, WHITE_KING
from retrosolve.games.chess.material import Material
from retrosolve.rules.contract import INVALID, LOSS, NOT_TERMINAL, CompiledGame
from retrosolve.runtime.text import mark
from retrosolve.values import Clocked, clock_of

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
}
"""Positions on 8x8 from which White to move takes longest to mate, 19 to 85 plies."""
STARTS = LONGEST | {"3men": LONGEST["KPK"], "4men": LONGEST["KRKN"], "5men": LONGEST["KRKN"]}
ALL_OF = {"3men": 3, "4men": 4, "5men": 5}


class ChessEnding(CompiledGame):
    """Chess endings whose tables are solved together.

    Parameters
    ----------
    ending : str
        White's king and pieces, then Black's: ``KQK``, ``KQKR``, ``KPKP``, ``KRBKR``; ``3men``,
        ``4men`` or ``5men`` for all endings of up to so many men.
    board : int
        Number of rows and columns, 3 to 8; 5 to 8 with a pawn.
    symmetry : bool
        Whether rotations and reflections of a position are solved once. The canonical one has the
        white king in the triangle a1-d1-d4, or the leading pawn on files a to d. With the same pieces
        on both sides, as in KQKQ, positions with Black to move are solved as those with White to move.

    Raises
    ------
    RulesError
        For any other ending or board.

    Notes
    -----
    The tiers are the endings that captures and promotions lead to, those with fewer men first, and the
    ending itself; with pawns, a tier for the ranks that they are on, the most advanced first, so that
    the moves that leave a tier are those after which fifty moves are counted anew. Of two endings with
    the colours exchanged, KQKR and KRKQ, one has a table.

    Examples
    --------
    >>> from retrosolve.rules.interpreted import InterpretedGame
    >>> game = ChessEnding("KRK")
    >>> position = game.parse("k7/8/1K6/8/8/8/8/7R w")
    >>> [name for name, _ in InterpretedGame(game).moves(position) if "#" in name]
    ['Rh8#']
    >>> game.size, game.tiers, game.tier_names
    (59598, (0, 462), ('KK', 'KRK'))
    """

    players = (mark("White"), mark("Black"))
    win_in_moves = mark("mate in {moves}")

    def __init__(self, ending: str = "KRK", board: int = 8, symmetry: bool = True) -> None:
        roots = _roots(ending)
        fewest = 5 if any("P" in root.pieces for root in roots) else 3
        if type(board) is not int or not fewest <= board <= 8:
            raise RulesError(f"board={board!r}: expected {fewest} to 8, a whole number, for {ending}")
        self.ending = ending
        self.board = board
        self.symmetry = bool(symmetry)
        self.data, order, first = chess_material.make_board(roots, board, self.symmetry)
        self.size: int = first[-1]
        # Positions with a capture en passant follow those of the same ranks, in one tier with them.
        begins = {at: tier for at, tier in zip(first, order, strict=False) if not tier.passant}
        self.tiers: tuple[int, ...] = tuple(begins)
        self.order = list(begins.values())
        self.tier_names: tuple[str, ...] = tuple(tier.material.name for tier in self.order)
        self.materials = chess_material.numbered(roots)
        self._kinds = notation.kinds_of(self.materials)
        self.max_moves = max(self._most(m.white) for m in self.materials)
        # Moves of kings and pieces are taken back to rights to capture one of two pawns, too.
        facing = any("P" in m.white and "P" in m.black for m in self.materials)
        self.max_predecessors = self.max_moves * (2 if facing else 1)

    def _most(self, pieces: str) -> int:
        """Return the most moves of a side with these pieces."""
        most = 8
        for letter in pieces:
            # A pawn has 12 moves at most: to the last rank ahead and by two captures.
            kind = chess_material.ORDER.index(letter)
            paths = self.data[layout.PATH + 64 * kind : layout.PATH + 64 * kind + 64]
            most += 12 if letter == "P" else int((paths >= 0).sum(axis=1).max())
        return most

    def tier_targets(self, tier: int) -> Iterable[int]:
        """Return the tiers that captures, promotions and advancing pawns lead to."""
        return {self._tier_of[after] for after in self.order[tier].next(self.board)} - {tier}

    @cached_property
    def _tier_of(self) -> dict[chess_material.Tier, int]:
        """The number of each tier, also seen with the colours exchanged where both sides are alike."""
        return {
            tier._replace(ranks=ranks): number
            for number, tier in enumerate(self.order)
            for ranks in chess_material.ranks_of(tier, self.board)
        }

    def start(self) -> int:
        """Return a position of the longest mate if it is known, else the first that is not terminal."""
        if self.board == 8 and self.ending in STARTS:
            return self.parse(STARTS[self.ending])
        legal = None
        for index in range(self.tiers[-1], self.size):
            position = self.unrank(index, self.data)
            state = self.terminal(position, self.data)
            if state == NOT_TERMINAL and self.canonical(position, self.data) == position:
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
    survey = staticmethod(chess_survey.survey)
    predecessor_indices = staticmethod(chess_survey.predecessor_indices)

    def null_move(self, position: int) -> int | None:
        """Return the same position with the other side to move; None if it may capture en passant."""
        return None if position & EN_PASSANT else int(position) ^ BLACK

    def text(self, position: int) -> str:
        """Return the rows from the top as in FEN, and who moves: ``8/8/8/5k2/8/8/1Q6/K7 w``.

        Where a pawn may be captured en passant, the square behind it follows: ``... w - e6``; and then
        the halfmove clock of a FEN, if it is not 0: ``... w - - 90``.
        """
        n, squares = self.board, ["."] * self.board**2
        for square, letter in self.men(position).items():
            squares[square] = letter
        rows = ["".join(squares[row * n : row * n + n]) for row in range(n - 1, -1, -1)]
        placed = re.sub(r"\.+", lambda empty: str(len(empty[0])), "/".join(rows))
        side = "b" if position & BLACK else "w"
        clock, passant = clock_of(position), self._passant(position)
        return f"{placed} {side}{passant or ' - -'} {clock}" if clock else f"{placed} {side}{passant}"

    def men(self, position: int) -> Mapping[int, str]:
        """Return the letter of the man on each occupied square, of White's men a capital."""
        return placed_men(int(position), self._letters(position))

    def _letters(self, position: int) -> str:
        """Return the letters of the men, the kings first, in the order of their squares."""
        material = self.materials[int(position) >> layout.MATERIAL]
        return _letters_of(material.white, material.black)

    def from_object(self, thing: object) -> int | None:
        """Return the position of a ``chess.Board`` of python-chess, or of anything with ``fen()``."""
        fen = getattr(thing, "fen", None)
        if not callable(fen):
            return None
        text, variant = str(fen()), getattr(thing, "uci_variant", "chess")
        if variant != "chess":
            raise PositionError(f"{text!r} is a position of {variant}: expected one of chess")
        return self.parse(text)

    def parse(self, text: str) -> int:
        """Return the position of a text or a FEN, with its halfmove clock unless that is 0.

        Raises
        ------
        PositionError
            If there is none.
        """
        rights = re.fullmatch(r"\S+ [wb] ([KQABCDEFGHkqabcdefgh]+) .*", text.strip(), re.ASCII)
        if rights:
            raise PositionError(
                f"{text!r} is no position of an ending, in which nobody may castle: "
                f"expected - instead of {rights[1]}"
            )
        pattern = r"([KQRBNPkqrbnp1-8/]+) ([wb])( - (-|[a-h][1-8])( (\d{1,9})( \d+)?)?)?"
        match = re.fullmatch(pattern, text.strip(), re.ASCII)
        if not match:
            raise PositionError(f"{text!r} is no position: expected rows and w or b, as in FEN")
        rows = re.sub("[1-8]", lambda digit: "." * int(digit[0]), match[1]).split("/")
        n = self.board
        if len(rows) != n or any(len(row) != n for row in rows):
            raise PositionError(f"{text!r} is no position: expected {n} rows of {n} squares")
        if "p" in (rows[0] + rows[-1]).lower():
            raise PositionError(f"{text!r} is no position: expected no pawn on the first or last row")
        position = self._placed(text, "".join(reversed(rows)))
        position |= BLACK if match[2] == "b" else 0
        if self.terminal(position, self.data) == INVALID:
            raise PositionError(f"{text!r} is no position: the side that has moved is in check")
        clock = int(match[6] or 0)
        if match[4] not in (None, "-"):
            file = "abcdefgh".index(match[4][0])
            right = position | (file + layout.FIRST_FILE) << layout.PASSANT
            if self.terminal(right, self.data) != INVALID and match[4] == self._passed(right):
                position = right
        return Clocked(position, clock) if clock else position

    def move_name(self, position: int, target: int) -> str:
        """Return a move in standard algebraic notation: ``Ra8+``, ``Nbd2``, ``exd6``, ``e8=Q#``.

        The text of the target if no move leads to it.
        """
        move = self._moved(position, target)
        if move is None:
            return self.text(target)
        origin, goal, letter, becomes = move
        captures = "x" if len(self._letters(target)) < len(self._letters(position)) else ""
        if letter in "Pp":
            man = self._square(origin)[0] if captures else ""
        else:
            man = letter.upper() + self._distinction(position, *move[:3])
        return f"{man}{captures}{self._square(goal)}{becomes}{self._check(target)}"

    def texts(self, positions: NDArray[np.int64]) -> list[str]:
        """Return many positions as text."""
        found = notation.texts(positions, self._kinds, self.board)
        for place in np.flatnonzero(positions & EN_PASSANT).tolist():
            found[place] += self._passant(int(positions[place]))
        return found

    def move_names(
        self, positions: NDArray[np.int64], targets: NDArray[np.int64], results: NDArray[np.uint8]
    ) -> list[str]:
        """Return the names of many moves, as ``move_name`` has them."""
        names = notation.move_names(positions, targets, results, self._kinds, self.data)
        return [
            self.text(target) if name is None else name
            for name, target in zip(names, targets.tolist(), strict=True)
        ]

    def move_aliases(self, position: int, target: int) -> tuple[str, ...]:
        """Return other names of a move: ``Ra1-a8+``, ``a1a8``, and names without a sign of check."""
        move = self._moved(position, target)
        if move is None:
            return ()
        origin, goal, letter, becomes = move
        squares = self._square(origin), self._square(goal)
        sign = "x" if len(self._letters(target)) < len(self._letters(position)) else "-"
        long = f"{letter.upper().replace('P', '')}{sign.join(squares)}{becomes}"
        short = self.move_name(position, target).rstrip("+#")
        uci = "".join(squares) + becomes.removeprefix("=").lower()
        return long + self._check(target), long, short, uci

    def move_points(self, position: int, target: int) -> tuple[str, ...] | None:
        """Return the two squares of a move, and the piece that a pawn becomes."""
        move = self._moved(position, target)
        if move is None:
            return None
        origin, goal, _, becomes = move
        return self._square(origin), self._square(goal), *([becomes] if becomes else [])

    def side_to_move(self, position: int) -> int:
        """Return 0 for White, 1 for Black."""
        return int(bool(position & BLACK))

    def exchanged(self, position: int) -> int | None:
        """Return the position with the colours exchanged; None if no play leads there.

        With pawns in the ending, they go the other way: the board is seen from the other side.
        """
        material, side = self.materials[position >> layout.MATERIAL], self.side_to_move(position)
        if (material.exchanged, 1 - side) not in self._reached:
            return None
        seen = layout.FLIPPED if any("P" in m.pieces for m in self.materials) else layout.TURNED
        return int(chess_index.exchanged_image(position, seen, self.data))

    @cached_property
    def _reached(self) -> set[tuple[Material, int]]:
        """The materials, each with the side to move, that play from representatives leads to."""
        reached = set()
        ends = [(tier.material, side) for tier in self.order for side in (0, 1)]
        waiting = [each for each in ends if not self._is_exchanged(*each)]
        while waiting:
            if (each := waiting.pop()) not in reached:
                reached.add(each)
                material, side = each
                row = layout.MATERIALS + self.materials.index(material)
                if self.data[row, layout.DEAD] != 1:
                    waiting += [(after, 1 - side) for after in (material, *material.next(side))]
        return reached

    def _is_exchanged(self, material: Material, side: int) -> bool:
        """Return whether the representatives of a material with a side to move have it exchanged."""
        flip = self.data[layout.MATERIALS + self.materials.index(material), layout.FLIP]
        return bool(flip == layout.ALWAYS or (flip == layout.BLACK_MOVES and side == 1))

    def implements(self, name: str) -> bool:
        """Return whether the game has an optional function; colours are exchanged in some endings."""
        if name == "exchanged":
            return any(self._is_exchanged(*each) for each in self._reached)
        return super().implements(name)

    def svg(self, position: int) -> str:
        """Return a drawing of the board; a pawn before the last rank has its new pieces beside it."""
        black, n = int(position) >> layout.SIDE & 1, self.board
        squares = ["."] * n**2
        choices, last = "", 1 if black else n - 2
        for square, letter in self.men(position).items():
            squares[square] = letter
            if letter == "pP"[1 - black] and square // n == last:
                choices = chess_material.PROMOTED.lower() if black else chess_material.PROMOTED
        rows = ["".join(squares[row * n : row * n + n]) for row in range(n - 1, -1, -1)]
        title = f"Chess: {self.text(position)}, {self.players[black]} to move"
        is_over = self.terminal(position, self.data) == LOSS
        return drawing.ending(rows, title, choices, "Kk"[black] if is_over else "")

    def _distinction(self, position: int, origin: int, goal: int, letter: str) -> str:
        """Return the file, rank or square of a man if another like it may go to the same square."""
        others = []
        if self._letters(position).count(letter) > 1:
            out = np.zeros(self.max_moves, np.int64)
            count = self.successors(position, out, self.plain_data)
            moves = [move for target in out[:count].tolist() if (move := self._moved(position, target))]
            others = [move[0] for move in moves if move[1:3] == (goal, letter) and move[0] != origin]
        if not others:
            return ""
        square, n = self._square(origin), self.board
        on_rank = any(other // n == origin // n for other in others)
        on_file = any(other % n == origin % n for other in others)
        return (square[0] if on_rank or not on_file else "") + (square[1] if on_file else "")

    def _check(self, target: int) -> str:
        """Return the sign of mate or check of a move, empty for another."""
        side = self.side_to_move(target)
        threats = rules.threats(target, 1 - side, self.data)
        bits = rules.occupied(target, self.data)
        if not rules.attacked(layout.king_of(target, side), threats, bits, self.data):
            return ""
        return "#" if self.terminal(target, self.data) == LOSS else "+"

    def _moved(self, position: int, target: int) -> tuple[int, int, str, str] | None:
        """Return a move's squares, its man and its promotion as ``=Q``; None if it is no move."""
        black, changed = bool(position & BLACK), (int(position) ^ int(target)) & ~EN_PASSANT
        # Most moves change one square of the side that moves, and nothing else.
        letters = self._letters(position)
        for shift, letter in zip(_shifts(len(letters)), letters, strict=True):
            if changed == changed & layout.FIELD << shift | BLACK and letter.islower() == black:
                squares = position >> shift & layout.FIELD, target >> shift & layout.FIELD
                return *squares, letter, ""
        before, after = self.men(position), self.men(target)
        own = {square: man for square, man in before.items() if man.islower() == black}
        now = {square: man for square, man in after.items() if man.islower() == black}
        vacated = [square for square in own if square not in now]
        come = [square for square in now if square not in own]
        if (position ^ target) & BLACK == 0 or (len(vacated), len(come)) != (1, 1):
            return None
        letter, new = own[vacated[0]], now[come[0]]
        return vacated[0], come[0], letter, "" if letter == new else f"={new.upper()}"

    def _passant(self, position: int) -> str:
        """Return the en passant part of the text of a position, empty without one."""
        return f" - {self._passed(position)}" if position & EN_PASSANT else ""

    def _passed(self, position: int) -> str:
        """Return the square behind the pawn that may be captured en passant."""
        side = int(position) >> layout.SIDE & 1
        advanced = rules.advanced_square(int(position), self.data)
        return self._square(int(self.data[layout.PUSH + side, advanced]))

    def _placed(self, text: str, row: str) -> int:
        """Return the position of the men on the squares, White to move. Raises PositionError."""
        men = [(letter, square) for square, letter in enumerate(row) if letter != "."]
        kings = [square for king in "Kk" for letter, square in men if letter == king]
        if len(kings) != 2 or sum(letter == "K" for letter, _ in men) != 1:
            raise PositionError(f"{text!r} is no position: expected a K and a k")
        order = chess_material.ORDER
        rest = [man for man in men if man[0] not in "Kk"]
        rest.sort(key=lambda man: (man[0].islower(), order.index(man[0].upper())))
        letters = "".join(letter for letter, _ in rest)
        white = "".join(filter(str.isupper, letters))
        material = Material(white, letters[len(white) :].upper())
        if material not in self.materials:
            raise PositionError(f"{text!r} is no position: {self.ending} has no {material.name}")
        position = pack(*kings, *(square for _, square in rest))
        return position | self.materials.index(material) << layout.MATERIAL

    def _square(self, square: int) -> str:
        return f"{'abcdefgh'[square % self.board]}{square // self.board + 1}"


def _roots(ending: str) -> list[Material]:
    """Return the endings to solve. Raises RulesError."""
    if ending in ALL_OF:
        return [root for men in range(3, ALL_OF[ending] + 1) for root in chess_material.endings(men)]
    men = len(ending) if isinstance(ending, str) else 0
    if not 3 <= men <= 5 or not re.fullmatch("K[QRBNP]*K[QRBNP]*", str(ending)):
        raise RulesError(
            f"ending={ending!r}: expected K, up to three of Q, R, B, N, P, and K before the last or "
            "between them, as in KRK, KBNK and KQKR; or 3men, 4men or 5men"
        )
    return [chess_material.parse(ending)]


@cache
def _letters_of(white: str, black: str) -> str:
    """Return the letters of both kings, White's pieces and Black's."""
    return f"Kk{white}{black.lower()}"


@lru_cache(maxsize=1 << 12)  # the moves of a position ask for it and its successors several times
def placed_men(position: int, letters: str) -> Mapping[int, str]:
    """Return the letter of the man on each occupied square: of the kings, and of the pieces."""
    return MappingProxyType(dict(zip(unpack(position, len(letters)), letters, strict=True)))


def unpack(position: int, men: int) -> list[int]:
    """Return the squares of the white king, the black king and the pieces."""
    return [int(position) >> shift & layout.FIELD for shift in _shifts(men)]


def pack(*squares: int) -> int:
    """Return the position with these squares of kings and pieces, without material, White to move."""
    return sum(square << shift for square, shift in zip(squares, _shifts(len(squares)), strict=True))


@cache
def _shifts(men: int) -> tuple[int, ...]:
    return (WHITE_KING, BLACK_KING, *(FIRST - FIELD_BITS * piece for piece in range(men - 2)))

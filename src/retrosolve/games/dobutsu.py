"""Dobutsu Shogi, compiled: K. Kitao's shogi of animals, on a board of 3 x 4 squares.

Each player has a lion (one step, any of 8 directions), a giraffe (4, straight), an elephant (4,
diagonal) and a chick (one step ahead). A chick that steps onto the last row becomes a hen (6
directions: straight and diagonally ahead). A captured piece goes to the captor's hand, a hen as a
chick, and may be dropped onto any free square instead of a move; a chick dropped onto the last row
does not promote. Capturing the lion wins; so does moving the lion to the last row where it cannot be
captured at once. Endless play is a DRAW. Without drops, captured pieces are gone.

Known: 246,803,167 positions are reachable, from the side of the player to move and up to mirror
images. In 140,298,614 of them the lion can be captured at once, in 7,018,985 one is on the last row;
the game continues in the other 99,485,568: 56,474,473 won, 40,328,395 lost, 2,682,700 drawn. The second
player wins in 78 plies, the capture of the lion counted; the longest wins take 173, from 14 positions,
12 of them reachable. Here all positions in which the lion can be captured are one, WON, and so are
those in which it is lost, LOST. Without drops the game is a draw, and the longest wins take 37;
797,658 positions are reachable if immediate wins are taken. Source: T. Tanaka, 2009;
brianhliou/dobutsu-shogi.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrosolve.errors import PositionError
from retrosolve.games import dobutsu_drawing as drawing
from retrosolve.games import dobutsu_moves as rules
from retrosolve.games.dobutsu_moves import HAND, HAND_CODE, LION, LOST, OWN_LION, SHIFT, WIDTH, WON
from retrosolve.rules.compiled import CompiledGame
from retrosolve.rules.ranking import rank_pair

HEIGHT = 4
SQUARES = WIDTH * HEIGHT
FILES = "ABC"
LETTERS = "GEC"  # by kind
WORDS = ("lost", "won")
START = "gle/.c./.C./ELG"

STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
AHEAD = STRAIGHT[:1]
WAYS = [STRAIGHT, DIAGONAL, AHEAD, STRAIGHT + DIAGONAL]
HEN = STRAIGHT + DIAGONAL[:2]
ANIMALS = dict(zip("GECLH", [*WAYS, HEN], strict=True))
TAKE = "take"


class DobutsuShogi(CompiledGame):
    """A position is an int; ``dobutsu_moves`` describes its bits.

    Parameters
    ----------
    drops : bool
        Whether captured pieces may be dropped.

    Notes
    -----
    The index has LOST and WON, then classes by the numbers of giraffes, elephants and chicks on the
    board, few first; in a class it is the rank of the lions, giraffes, elephants and chicks. Lions
    that decide the game by their squares have no index. Only reachable positions are solved.

    Examples
    --------
    >>> game = DobutsuShogi()
    >>> game.size, DobutsuShogi(drops=False).size, game.text(game.start())
    (249442769, 30457163, 'gle/.c./.C./ELG')
    """

    reachable_only = True
    injective_rank = True
    max_moves = 48
    max_predecessors = 128
    successors = staticmethod(rules.successors)
    predecessors = staticmethod(rules.predecessors)
    terminal = staticmethod(rules.terminal)
    canonical = staticmethod(rules.canonical)
    rank = staticmethod(rules.rank)
    unrank = staticmethod(rules.unrank)

    def __init__(self, drops: bool = True) -> None:
        self.drops = drops
        table = _table(drops)
        begin = table[rules.SORTED, :27]
        kinds = table[rules.KIND, :27].tolist()
        self.size = int(table[rules.SORTED, 27])
        down = [sum(_down(kind)) for kind in kinds]
        tiers = [int(i) for k, i in enumerate(begin) if k == 0 or (not drops and down[k] > down[k - 1])]
        self.tiers = (LOST, WON, *tiers)
        self.data = (table, int(drops))

    def start(self) -> int:
        """Return the initial position."""
        return self.parse(START)

    def text(self, position: int) -> str:
        """Return the rows from the far side, then the hands; capitals are the mover's, H is a hen."""
        if position <= WON:
            return WORDS[position]
        board, hand = _pieces(position)
        marks = "".join(board.get(s, ".") for s in range(SQUARES))
        rows = [marks[WIDTH * row : WIDTH * (row + 1)] for row in reversed(range(HEIGHT))]
        return "/".join(rows) + (f" {hand}" if hand and self.drops else "")

    def parse(self, text: str) -> int:
        """Return the position of a text. Raises PositionError."""
        if text in WORDS:
            return WORDS.index(text)
        rows, _, hand = text.partition(" ")
        marks = "".join(reversed(rows.split("/")))
        pieces = [(s, mark) for s, mark in enumerate(marks) if mark != "."]
        lions = {mark: s for s, mark in pieces if mark in "Ll"}
        pieces = [(s, mark) for s, mark in pieces if mark not in "Ll"] + [(HAND, m) for m in hand]
        known = all(mark in ("GECHgech" if s < HAND else "GECgec") for s, mark in pieces)
        if len(marks) != SQUARES or len(lions) != 2 or not known or marks.lower().count("l") != 2:
            raise PositionError(f"{text!r} is no position: expected 4 rows of 3, with a lion each")
        if lions["L"] >= SQUARES - WIDTH:
            raise PositionError(f"{text!r} is no position: expected it before the lion came through")
        position = lions["L"] << OWN_LION | lions["l"] << LION
        for kind, letter in enumerate(LETTERS):
            alike = [(s, mark) for s, mark in pieces if mark.upper().replace("H", "C") == letter]
            codes = [s << 2 | 2 * (mark in "Hh") | mark.islower() for s, mark in alike]
            if self.drops and len(codes) != 2:
                raise PositionError(f"{text!r} is no position: expected two of each piece")
            if not self.drops and (hand or len({code & 1 for code in codes}) != len(codes)):
                raise PositionError(
                    f"{text!r} is no position: expected at most one of each piece a player"
                )
            first, second = codes + [HAND_CODE] * (2 - len(codes))
            position |= (first << 6 | second) << SHIFT - 6 - 12 * kind
        return rules.ordered(position)

    def move_name(self, position: int, target: int) -> str:
        """Return piece and squares, as in ``Cb3xb2`` and ``E*b2``; rows count from the far side."""
        if target <= WON or position <= WON:
            return "take the lion"
        before = _pieces(position)[0]
        after = _pieces(rules.turned(target, self.data[0]))[0]
        (to,) = [s for s, mark in after.items() if mark.isupper() and before.get(s) != mark]
        left = [s for s in before if s not in after]
        if not left:
            return f"{after[to]}*{_square(to)}"
        return f"{before[left[0]]}{_square(left[0])}{'x' if to in before else '-'}{_square(to)}"

    def svg(self, position: int) -> str:
        """Return a drawing of the board from the mover's side, with both hands."""
        if position == LOST:
            return drawing.decided("The lion of the player to move is lost", "lost")
        if position == WON:
            return drawing.decided("The player to move takes the lion", TAKE)
        board, hand = _pieces(position)
        title = f"Dobutsu shogi: {self.text(position)}, capitals to move"
        return drawing.board_with(title, board, hand if self.drops else "", ANIMALS, WIDTH, HEIGHT)

    def move_points(self, position: int, target: int) -> tuple[str, ...]:
        """Return the two squares of a move, or the piece in hand and a square."""
        if position <= WON:
            return (TAKE,)
        if target <= WON:
            return self._capture_of_lion(position)
        name = self.move_name(position, target)
        if "*" in name:
            return name[:2], name[2:]
        return name[1:3], name[-2:]

    def _capture_of_lion(self, position: int) -> tuple[str, ...]:
        """Return the squares of a piece that takes the lion, and of the lion."""
        board, _ = _pieces(position)
        lion = next(square for square, mark in board.items() if mark == "l")
        for square, mark in board.items():
            if mark.isupper() and lion in _reach(square, ANIMALS[mark]):
                return _square(square), _square(lion)
        raise PositionError(f"{self.text(position)} has no piece that takes the lion")


def _pieces(position: int) -> tuple[dict[int, str], str]:
    """Return the pieces on the board by square, and those in hand; capitals are the mover's."""
    board = {position >> OWN_LION: "L", position >> LION & 15: "l"}
    hand = ""
    for k in range(6):
        code = position >> SHIFT - 6 * k & rules.CODE
        mark = "H" if code & 2 else LETTERS[k // 2]
        mark = mark.lower() if code & 1 else mark
        if code < HAND_CODE:
            board[code >> 2] = mark
        else:
            hand += mark
    return board, "".join(sorted(hand))


def _square(s: int) -> str:
    return f"{FILES[s % WIDTH].lower()}{HEIGHT - s // WIDTH}"


def _down(kind: int) -> tuple[int, int, int]:
    """Return the numbers of giraffes, elephants and chicks on the board in a class."""
    return kind // 9, kind // 3 % 3, kind % 3


def _reach(square: int, ways: list[tuple[int, int]]) -> list[int]:
    """Return the squares one step away."""
    row, column = divmod(square, WIDTH)
    places = [(row + up, column + right) for up, right in ways]
    return [WIDTH * r + c for r, c in places if 0 <= r < HEIGHT and 0 <= c < WIDTH]


def _table(drops: bool) -> Any:
    """Return the table of the rules."""
    table = np.zeros((rules.ROWS, 64), np.int64)
    for k in range(SQUARES):
        table[rules.SQUARE, (1 << k) % 13] = k
    for high in range(SQUARES - 2):
        for low in range(high):
            table[rules.PAIR, rank_pair(low, high)] = low | high << 4
    _fill_steps(table, drops)
    _fill_lions(table)
    _fill_classes(table, drops)
    return table


def _fill_steps(table: Any, drops: bool) -> None:
    for code in range(HAND_CODE + 2):
        square, rest = code >> 2, code & 3
        if square == HAND:
            table[rules.TURNED, code] = code ^ int(drops)
            table[rules.MIRRORED, code] = code
            continue
        table[rules.TURNED, code] = SQUARES - 1 - square << 2 | rest ^ 1
        table[rules.MIRRORED, code] = square + WIDTH - 1 - 2 * (square % WIDTH) << 2 | rest
        for kind, ways in enumerate(WAYS):
            ahead = HEN if kind == rules.CHICKS and rest & 2 else ways
            for to in _reach(square, ahead) if rest & 1 == 0 else []:
                table[rules.ATTACK + kind, code] |= 1 << to
                if kind == rules.LIONS and square < SQUARES - WIDTH:
                    table[rules.BACK + kind, to << 2] |= 1 << square
                elif kind != rules.LIONS and (kind != rules.CHICKS or rest & 2 or to < SQUARES - WIDTH):
                    table[rules.BACK + kind, to << 2 | rest] |= 1 << square
            down = [(-up, right) for up, right in ahead]
            for to in _reach(square, down) if rest & 1 == int(kind != rules.LIONS) else []:
                table[rules.STEPS + kind, code] |= 1 << to


def _fill_lions(table: Any) -> None:
    """Rank the pairs of lions that do not decide the game, up to mirror images."""
    table[rules.NUMBER : rules.NUMBER + SQUARES] = -1
    pairs = []
    for own in range(SQUARES - WIDTH):
        for other in range(WIDTH, SQUARES):
            if own != other and other not in _reach(own, WAYS[rules.LIONS]):
                image = tuple(s + WIDTH - 1 - 2 * (s % WIDTH) for s in (own, other))
                if (own, other) <= image:
                    pairs.append(((own, other) == image, own, other))
    for number, (_, own, other) in enumerate(sorted(pairs)):
        table[rules.NUMBER + own, other] = number
        free = [s for s in range(SQUARES) if s not in (own, other)]
        table[rules.PLACE + number, free] = range(len(free))
        table[rules.PLACE + number, HAND] = rules.OFF
        table[rules.FREE + number, : len(free)] = free
        table[rules.FREE + number, [rules.OWN, rules.OTHER]] = own, other
        table[rules.FREE + number, rules.OFF :] = HAND


def _fill_classes(table: Any, drops: bool) -> None:
    """Fill in the number of placements of each kind in each class, and where it begins."""
    begin = 2
    kinds = sorted(range(27), key=lambda kind: (sum(_down(kind)), kind))
    for block, kind in enumerate(kinds):
        squares = SQUARES - 2
        table[[rules.CLASS, rules.SORTED], [kind, block]] = begin
        table[rules.KIND, block] = kind
        many = 1 + int(table[rules.NUMBER : rules.NUMBER + SQUARES].max())
        for row, (many_down, bits) in enumerate(zip(_down(kind), (1, 1, 2), strict=True), 1):
            one = squares << bits + int(drops)
            both = squares * (squares - 1) // 2 << 2 * bits - 1 + int(drops)
            number = (3 if drops else 1, one, both)[many_down]
            table[rules.CLASS + row, kind] = number
            many *= number
            squares -= many_down
        begin += many
    table[rules.SORTED, 27] = begin

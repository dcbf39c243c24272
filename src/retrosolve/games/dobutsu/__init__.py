"""Dobutsu Shogi, compiled: K. Kitao's shogi of animals, on a board of 3 x 4 or 3 x 5 squares.

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

With a fifth, empty row between the chicks the game is a draw, and the longest wins take 191. Of
3,359,910,526 reachable positions 2,597,975,993 are won, 683,720,498 lost, 78,214,035 drawn, if a player
without a move draws (``stuck="tie"``). Source: jh85/smallgames, 2026.
"""

from __future__ import annotations

from retrosolve.errors import PositionError, RulesError
from retrosolve.games.dobutsu import drawing as drawing
from retrosolve.games.dobutsu import moves as rules
from retrosolve.games.dobutsu.moves import HAND, HAND_CODE, LION, LOST, OWN_LION, SHIFT, WIDTH, WON
from retrosolve.games.dobutsu.tables import CLASSES, HEN, WAYS, make_table, reached, tiers
from retrosolve.rules.contract import CompiledGame

FILES = "ABC"
LETTERS = "GEC"  # by kind
WORDS = ("lost", "won")
STARTS = {4: "gle/.c./.C./ELG", 5: "gle/.c./.../.C./ELG"}  # by rows
MAX_MOVES = {4: 48, 5: 56}

ANIMALS = dict(zip("GECLH", [*WAYS, HEN], strict=True))
TAKE = "take"


class DobutsuShogi(CompiledGame):
    """A position is an int; ``moves`` describes its bits.

    Parameters
    ----------
    drops : bool
        Whether captured pieces may be dropped.
    rows : int
        4, or 5 with one more empty row between the chicks.

    Raises
    ------
    RulesError
        For any other number of rows.

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
    >>> game = DobutsuShogi(rows=5)
    >>> game.size, game.text(game.start())
    (3139210406, 'gle/.c./.../.C./ELG')
    """

    reachable_only = True
    injective_rank = True
    max_predecessors = 128
    successors = staticmethod(rules.successors)
    predecessors = staticmethod(rules.predecessors)
    terminal = staticmethod(rules.terminal)
    canonical = staticmethod(rules.canonical)
    rank = staticmethod(rules.rank)
    unrank = staticmethod(rules.unrank)

    turns_board = True

    def __init__(self, drops: bool = True, rows: int = 4) -> None:
        if type(rows) is not int or rows not in STARTS:
            raise RulesError(f"rows={rows!r}: expected 4 or 5")
        self.drops, self.rows = drops, rows
        self.max_moves = MAX_MOVES[rows]
        self._squares = WIDTH * rows
        table, unlike = make_table(self._squares, drops)
        self.size = int(table[rules.SORTED, CLASSES])
        self.tiers = tiers(table, drops)
        self.data = table, int(drops), self._squares - 1, unlike

    def start(self) -> int:
        """Return the initial position."""
        return self.parse(STARTS[self.rows])

    def text(self, position: int) -> str:
        """Return the rows from the far side, then the hands; capitals are the mover's, H is a hen."""
        if position <= WON:
            return WORDS[position]
        board, hand = _pieces(position)
        marks = "".join(board.get(s, ".") for s in range(self._squares))
        rows = [marks[WIDTH * row : WIDTH * (row + 1)] for row in reversed(range(self.rows))]
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
        if len(marks) != self._squares or len(lions) != 2 or not known or marks.lower().count("l") != 2:
            raise PositionError(
                f"{text!r} is no position: expected {self.rows} rows of 3, with a lion each"
            )
        if lions["L"] >= self._squares - WIDTH:
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
        after = _pieces(rules.turned(target, self.data[0], self.data[2]))[0]
        (to,) = [s for s, mark in after.items() if mark.isupper() and before.get(s) != mark]
        left = [s for s in before if s not in after]
        if not left:
            return f"{after[to]}*{self._square(to)}"
        return (
            f"{before[left[0]]}{self._square(left[0])}{'x' if to in before else '-'}{self._square(to)}"
        )

    def svg(self, position: int) -> str:
        """Return a drawing of the board from the mover's side, with both hands."""
        if position == LOST:
            return drawing.decided("The lion of the player to move is lost", "lost")
        if position == WON:
            return drawing.decided("The player to move takes the lion", TAKE)
        board, hand = _pieces(position)
        title = f"Dobutsu shogi: {self.text(position)}, capitals to move"
        return drawing.board_with(title, board, hand if self.drops else None, ANIMALS, WIDTH, self.rows)

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
            if mark.isupper() and lion in reached(square, ANIMALS[mark], self._squares):
                return self._square(square), self._square(lion)
        raise PositionError(f"{self.text(position)} has no piece that takes the lion")

    def _square(self, s: int) -> str:
        return f"{FILES[s % WIDTH].lower()}{self.rows - s // WIDTH}"


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

"""Rules of the built-in games as they are told, on the texts of positions: no bit, no index, no symmetry.

``RULES`` has those without dice. Targets of moves come by the names of moves where these are told too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import retrosolve as rs
from retrosolve import Value
from retrosolve.games.fox_and_hounds.plain import FoxAndHoundsPlain
from tests.support.baghchal import PlainBaghChal
from tests.support.musketeers import PlainMusketeers

Board = dict[tuple[int, int], str]
Targets = dict[str, str] | Iterable[str]

STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
SWAPPED = str.maketrans("XO", "OX")
FILES = "abcdefgh"


class Rules(NamedTuple):
    """What moves lead to, and the result where the game is over."""

    moves: Callable[[str], Targets]
    over: Callable[[str], Value | None] = lambda text: None


class Plain(rs.Game[str]):
    """Rules as a game that is explored from a start."""

    def __init__(self, rules: Rules, start: str) -> None:
        self.rules, self.begin = rules, start

    def start(self) -> str:
        return self.begin

    def moves(self, text: str) -> list[tuple[str, str]]:
        targets = self.rules.moves(text)
        named = targets if isinstance(targets, dict) else {target: target for target in targets}
        return sorted(named.items())

    def terminal(self, text: str) -> Value | None:
        return self.rules.over(text)


def read(marks: str) -> Board:
    """The marks of a board by row, from below, and column."""
    rows = marks.split("/")[::-1]
    return {(r, c): mark for r, row in enumerate(rows) for c, mark in enumerate(row)}


def written(board: Board) -> str:
    height, width = max(board)
    rows = ("".join(board[r, c] for c in range(width + 1)) for r in range(height + 1))
    return "/".join(list(rows)[::-1])


def named(place: tuple[int, int]) -> str:
    return f"{FILES[place[1]]}{place[0] + 1}"


# -- connect four, teeko --------------------------------------------------------------------------------


def connect4(connect: int) -> Rules:
    def moves(text: str) -> dict[str, str]:
        board, found = read(text), {}
        for c in range(max(board)[1] + 1):
            free = sorted(r for r, column in board if column == c and board[r, c] == ".")
            if free:
                found[FILES[c]] = written(board | {(free[0], c): "X"}).translate(SWAPPED)
        return found

    def over(text: str) -> Value | None:
        board = read(text)
        for r, c in board:
            for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if all(board.get((r + k * up, c + k * right)) == "O" for k in range(connect)):
                    return Value.LOSS
        return None if "." in text else Value.TIE

    return Rules(moves, over)


def in_line(points: tuple[tuple[int, int], ...]) -> bool:
    """Whether points in order follow each other by one step in one direction."""
    steps = {(r - p, c - q) for (p, q), (r, c) in pairwise(points)}
    return len(steps) == 1 and max(map(abs, steps.pop())) == 1


def square_side(points: tuple[tuple[int, int], ...]) -> int:
    """The side of the upright square whose corners these are, 0 if there is none."""
    rows, columns = ({point[axis] for point in points} for axis in (0, 1))
    sides = {max(values) - min(values) for values in (rows, columns)}
    return sides.pop() if len(rows) == len(columns) == 2 and len(sides) == 1 else 0


def teeko(sides: set[int]) -> Rules:
    places = [(r, c) for r in range(5) for c in range(5)]
    goals = [four for four in combinations(places, 4) if in_line(four) or square_side(four) in sides]

    def moves(text: str) -> Iterator[str]:
        board = read(text)
        free = [place for place in board if board[place] == "."]
        for r, c in free:
            after = board | {(r, c): "X"}
            if len(free) > 17:
                yield written(after).translate(SWAPPED)
                continue
            for up, right in STRAIGHT + DIAGONAL:
                if board.get((r + up, c + right)) == "X":
                    yield written(after | {(r + up, c + right): "."}).translate(SWAPPED)

    def over(text: str) -> Value | None:
        theirs = {place for place, mark in read(text).items() if mark == "O"}
        return Value.LOSS if any(theirs.issuperset(goal) for goal in goals) else None

    return Rules(moves, over)


# -- mills ----------------------------------------------------------------------------------------------


def mill_lines(rings: int, diagonals: bool = False) -> list[list[int]]:
    """The lines of points, each from one end to the other."""
    sides = [
        [8 * ring + k, 8 * ring + k + 1, 8 * ring + (k + 2) % 8]
        for ring in range(rings)
        for k in (0, 2, 4, 6)
    ]
    across = range(8) if diagonals else (1, 3, 5, 7)
    return sides + [[k + 8 * ring for ring in range(rings)] for k in across]


def mills(rings: int, diagonals: bool = False) -> Rules:
    """Six men's morris on two squares, nine men's and Lasker's on three."""
    lines = mill_lines(rings, diagonals)
    beside = {frozenset(pair) for line in lines for pair in pairwise(line)}
    points = range(8 * rings)

    def full(marks: str | list[str], mark: str, point: int) -> bool:
        """Whether a point is in a mill."""
        rows = (line for line in lines if point in line and len(line) == 3)
        return any(all(marks[s] == mark for s in line) for line in rows)

    def moves(text: str) -> Iterator[str]:
        board, *hands = text.replace("/", "").split(" ")
        left, lasker = int(hands[0]), len(hands) == 2
        flying = rings == 3 and board.count("X") == 3 and not left
        others = {s for s in points if board[s] == "O"}
        loose = {s for s in others if not full(board, "O", s)} or others
        steps: list[tuple[int, int | None]] = []
        for to in (s for s in points if board[s] == "."):
            steps += [(to, None)] * bool(left)
            for origin in points if lasker or not left else ():
                if board[origin] == "X" and (flying or frozenset((origin, to)) in beside):
                    steps.append((to, origin))
        for to, origin in steps:
            after = ["X" if s == to else "." if s == origin else board[s] for s in points]
            for man in loose if full(after, "X", to) and others else {None}:
                marks = "".join("." if s == man else after[s] for s in points).translate(SWAPPED)
                rows = "/".join(marks[8 * ring : 8 * ring + 8] for ring in range(rings))
                hand = left - (origin is None)
                yield f"{rows} {hands[1]} {hand}" if lasker else f"{rows} {hand}"

    def over(text: str) -> Value | None:
        hands = [*map(int, text.split(" ")[1:])]
        own = hands[0] if len(hands) == 2 else (hands[0] + 1) // 2
        few = text.count("X") + own < 3 and (rings == 3 or not own)
        return Value.LOSS if few else None

    return Rules(moves, over)


# -- dobutsu shogi --------------------------------------------------------------------------------------

STEPS = {"G": STRAIGHT, "E": DIAGONAL, "C": [(1, 0)], "L": STRAIGHT + DIAGONAL}
STEPS["H"] = STRAIGHT + DIAGONAL[:2]


def dobutsu(drops: bool) -> Rules:
    def moves(text: str) -> Iterator[str]:
        marks, _, hand = text.partition(" ")
        board = read(marks)
        last = max(board)[0]
        found = []
        for (row, column), mark in board.items():
            for up, right in STEPS.get(mark, []):
                to = (row + up, column + right)
                target = board.get(to, "X")
                if target == "l":
                    return iter(["lost"])
                if not target.isupper():
                    man = "H" if mark == "C" and to[0] == last else mark
                    gain = target.upper().replace("H", "C") if target != "." and drops else ""
                    found.append((board | {(row, column): ".", to: man}, hand + gain))
        for man in {man for man in hand if man.isupper()}:
            free = (place for place in board if board[place] == ".")
            found += [(board | {place: man}, hand.replace(man, "", 1)) for place in free]
        seen = ((written(after)[::-1].swapcase(), sorted(held.swapcase())) for after, held in found)
        return (f"{shown} {''.join(held)}".strip() for shown, held in seen)

    def over(text: str) -> Value | None:
        through = "l" in text.partition(" ")[0].rpartition("/")[2]
        lost = text == "lost" or (through and "lost" not in set(moves(text)))
        return Value.LOSS if lost else None

    return Rules(lambda text: () if text == "lost" else moves(text), over)


# -- boards with unlike sides ---------------------------------------------------------------------------


def queen_moves(board: Board, queen: tuple[int, int]) -> Iterator[tuple[str, Board]]:
    for up, right in STRAIGHT + DIAGONAL:
        to = (queen[0] + up, queen[1] + right)
        while to in board:
            way = "x" if board[to] == "P" else "-"
            yield f"Q{named(queen)}{way}{named(to)}", board | {queen: ".", to: "Q"}
            if way == "x":
                break
            to = (to[0] + up, to[1] + right)


def pawn_moves(board: Board) -> Iterator[tuple[str, Board]]:
    last = max(board)[0]
    for r, c in [place for place in board if board[place] == "P"]:
        takes = "Q" in (board.get((r + 1, c - 1)), board.get((r + 1, c + 1)))
        if takes or (r == last - 1 and board[r + 1, c] == "."):
            yield "win", {}
        elif board[r + 1, c] == ".":
            far = [r + 2] if r == 1 and r + 2 < last and board[r + 2, c] == "." else []
            for to in [r + 1, *far]:
                yield f"{named((r, c))}-{named((to, c))}", board | {(r, c): ".", (to, c): "P"}


def queen_and_pawns(text: str) -> dict[str, str]:
    if text == "the pawns have won":
        return {}
    marks, mover = text.split(" ")
    board = read(marks)
    if mover == "queen":
        queen = next(place for place in board if board[place] == "Q")
        return {name: f"{written(after)} pawns" for name, after in queen_moves(board, queen)}
    moves = dict(pawn_moves(board))
    if "win" in moves:
        return {"win": "the pawns have won"}
    return {name: f"{written(after)} queen" for name, after in moves.items()}


def fox_and_hounds(n: int) -> Rules:
    """The plain rules of the package, by the texts of the compiled ones, which show dark squares only."""
    plain, half = FoxAndHoundsPlain(n), n // 2
    dark = [r * n + 2 * c + (r % 2 == 0) for r in range(n) for c in range(half)]

    def position(text: str) -> Any:
        marks, mover = text.split(" ")
        at = dict(zip(dark, "".join(reversed(marks.split("/"))), strict=True))
        (fox,) = (s for s in dark if at[s] == "F")
        return fox, tuple(s for s in dark if at[s] == "H"), mover

    def text(position: Any) -> str:
        fox, hounds, mover = position
        marks = "".join("F" if s == fox else "H" if s in hounds else "." for s in dark)
        return f"{'/'.join(marks[at : at + half] for at in range(0, len(marks), half)[::-1])} {mover}"

    return Rules(
        lambda shown: [text(target) for _, target in plain.moves(position(shown))],
        lambda shown: plain.terminal(position(shown)),
    )


def bagh_chal(size: int, goats: int, captures: int) -> Rules:
    plain = PlainBaghChal(size, goats, captures)
    return Rules(
        lambda text: [plain.text(target) for _, target in plain.moves(plain.parse(text))],
        lambda text: plain.terminal(plain.parse(text)),
    )


def musketeers(size: int) -> Rules:
    plain = PlainMusketeers(size)

    def parse(text: str) -> tuple[str, str]:
        board, mover = text.split(" ")
        return board.replace("/", ""), mover

    return Rules(
        lambda text: [target for target, _ in plain.moves(parse(text))],
        lambda text: plain.terminal(parse(text)),
    )


# -- quoridor -------------------------------------------------------------------------------------------

Square = tuple[int, int]  # column, row


class Quoridor:
    """The rules on sets of blocked steps between squares."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.squares = {(c, r) for c in range(n) for r in range(n)}

    def blocked(self, walls: Iterable[str]) -> set[frozenset[Square]]:
        found = set()
        for name in walls:
            c, r = FILES.index(name[0]), int(name[1]) - 1
            for k in (0, 1):
                flat, steep = ((c + k, r), (c + k, r + 1)), ((c, r + k), (c + 1, r + k))
                found.add(frozenset(flat if name[2] == "h" else steep))
        return found

    def near(self, square: Square, blocked: Any) -> list[Square]:
        steps = [(square[0] + right, square[1] + up) for up, right in STRAIGHT]
        return [s for s in steps if s in self.squares and frozenset((square, s)) not in blocked]

    def arrives(self, square: Square, row: int, blocked: Any) -> bool:
        seen, todo = {square}, [square]
        while todo:
            fresh = set(self.near(todo.pop(), blocked)) - seen
            seen |= fresh
            todo += fresh
        return any(r == row for _, r in seen)

    def steps(self, mine: Square, other: Square, blocked: Any) -> set[Square]:
        found = set(self.near(mine, blocked))
        if other in found:
            beyond = 2 * other[0] - mine[0], 2 * other[1] - mine[1]
            near = {s for s in self.near(other, blocked) if s != mine}
            found |= {beyond} if beyond in near else near
        return found - {other}

    def fits(self, name: str, walls: list[str], pawns: list[Square]) -> bool:
        """Whether a wall neither overlaps nor crosses, and leaves a way for both."""
        after = self.blocked([*walls, name])
        return (
            name[:2] + ("v" if name[2] == "h" else "h") not in walls
            and not self.blocked([name]) & self.blocked(walls)
            and all(
                self.arrives(at, row, after) for at, row in zip(pawns, (self.n - 1, 0), strict=True)
            )
        )

    def moves(self, text: str) -> dict[str, str]:
        *shown, one, two, turn = text.split()[:5]
        walls, hands, mover = text.split()[5:], [int(one), int(two)], turn == "second"
        pawns = [(FILES.index(name[0]), int(name[1]) - 1) for name in shown]
        found = {}
        for c, r in self.steps(pawns[mover], pawns[not mover], self.blocked(walls)):
            shown[mover] = f"{FILES[c]}{r + 1}"
            found[shown[mover]] = [*shown, *hands, *sorted(walls)]
        shown = text.split()[:2]
        left = [hand - (k == mover) for k, hand in enumerate(hands)]
        for c, r in sorted(self.squares) if hands[mover] else ():
            for name in (f"{FILES[c]}{r + 1}{way}" for way in "hv"):
                if max(c, r) < self.n - 1 and self.fits(name, walls, pawns):
                    found[name] = [*shown, *left, *sorted([*walls, name])]
        turn = ("second", "first")[mover]
        return {
            name: " ".join(map(str, [*words[:4], turn, *words[4:]])) for name, words in found.items()
        }

    def over(self, text: str) -> Value | None:
        first, second, *_, turn = text.split()[:5]
        arrived = first[1] == str(self.n), second[1] == "1"
        if not any(arrived):
            return None
        winner = "first" if arrived[0] else "second"
        return Value.WIN if turn == winner else Value.LOSS

    def rules(self) -> Rules:
        return Rules(self.moves, self.over)


def won_by_pawns(text: str) -> Value | None:
    return Value.LOSS if text == "the pawns have won" else None


QUEEN = Rules(queen_and_pawns, won_by_pawns)
RULES = {
    "connect4:rows=3,columns=3,connect=3": connect4(3),
    "connect4:rows=2,columns=4,connect=2": connect4(2),
    "connect4:rows=4,columns=3,connect=4": connect4(4),
    "connect4:rows=1,columns=6,connect=3": connect4(3),
    "connect4:rows=8,columns=1,connect=2": connect4(2),
    "connect4:rows=6,columns=7": connect4(4),
    "teeko": teeko({1}),
    "teeko:advanced=yes": teeko({1, 2, 3, 4}),
    "morris6": mills(2),
    "morris6:men=3,symmetry=no": mills(2),
    "morris9": mills(3),
    "morris9:men=4,diagonals=yes": mills(3, True),
    "morris9:men=10,lasker=yes": mills(3),
    "morris9:men=4,lasker=yes,diagonals=yes": mills(3, True),
    "dobutsu": dobutsu(True),
    "dobutsu:drops=no": dobutsu(False),
    "dobutsu:rows=5": dobutsu(True),
    "dobutsu:rows=5,drops=no": dobutsu(False),
    "queenpawns:n=3": QUEEN,
    "queenpawns:n=4": QUEEN,
    "queenpawns:n=5": QUEEN,
    "queenpawns:n=8": QUEEN,
    "foxhounds:n=4": fox_and_hounds(4),
    "foxhounds:n=8": fox_and_hounds(8),
    "baghchal": bagh_chal(5, 20, 5),
    "baghchal:size=4,goats=12,captures=4": bagh_chal(4, 12, 4),
    "baghchal:size=3,goats=5,captures=2": bagh_chal(3, 5, 2),
    "musketeers": musketeers(5),
    "musketeers:size=3": musketeers(3),
    "quoridor:n=3,walls=1": Quoridor(3).rules(),
    "quoridor:n=3,walls=2": Quoridor(3).rules(),
    "quoridor:n=4,walls=1": Quoridor(4).rules(),
    "quoridor:n=4,walls=2": Quoridor(4).rules(),
    "quoridor:n=6,walls=2": Quoridor(6).rules(),
}

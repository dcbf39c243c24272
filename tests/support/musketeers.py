"""The rules of three musketeers once more, in plain Python, from how the game is told."""

from __future__ import annotations

import random

import retrosolve as rs
from retrosolve.values import Value

Position = tuple[str, str]
FOUR = ((-1, 0), (1, 0), (0, -1), (0, 1))


class PlainMusketeers(rs.Game[Position]):
    """A position is the board row by row, and who moves."""

    def __init__(self, size: int) -> None:
        self.size = size

    def start(self) -> Position:
        corner, middle = self.size - 1, self.size**2 // 2
        men = (corner, middle, corner * self.size)
        return "".join("M" if s in men else "E" for s in range(self.size**2)), "musketeers"

    def beside(self, s: int) -> list[int]:
        row, column = divmod(s, self.size)
        places = [(row + down, column + right) for down, right in FOUR]
        return [r * self.size + c for r, c in places if 0 <= r < self.size and 0 <= c < self.size]

    def steps(self, board: str, man: str, onto: str) -> list[Position]:
        """The boards after a man has moved onto a neighbour of a kind, and who moves then."""
        after = "enemies" if man == "M" else "musketeers"
        found = []
        for s, held in enumerate(board):
            for t in self.beside(s) if held == man else ():
                if board[t] == onto:
                    marks = list(board)
                    marks[s], marks[t] = ".", man
                    found.append(("".join(marks), after))
        return found

    def terminal(self, position: Position) -> Value | None:
        board, mover = position
        men = [divmod(s, self.size) for s, held in enumerate(board) if held == "M"]
        if len({row for row, _ in men}) == 1 or len({column for _, column in men}) == 1:
            return Value.WIN if mover == "enemies" else Value.LOSS
        if mover == "musketeers" and not self.moves(position):
            return Value.WIN
        return None

    def moves(self, position: Position) -> list[tuple[str, Position]]:
        board, mover = position
        targets = self.steps(board, *("ME" if mover == "musketeers" else "E."))
        return [(self.text(target), target) for target in targets]

    def text(self, position: Position) -> str:
        board, mover = position
        rows = [board[at : at + self.size] for at in range(0, len(board), self.size)]
        return f"{'/'.join(rows)} {mover}"


def random_position(size: int, rng: random.Random) -> Position:
    """A position that play may never reach, all numbers of enemies equally likely."""
    points = rng.sample(range(size**2), 3 + rng.randrange(size**2 - 2))
    marks = ["."] * size**2
    for at, s in enumerate(points):
        marks[s] = "M" if at < 3 else "E"
    return "".join(marks), rng.choice(("musketeers", "enemies"))


def seen_from(plain: PlainMusketeers, position: Position, after: list[rs.Outcome]) -> rs.Outcome:
    """The outcome of a position by those of its successors; nothing is repeated, and nobody ties."""
    over = plain.terminal(position)
    if over is not None or not after:
        return rs.Outcome(over or Value.LOSS, 0)
    wins = [one.remoteness or 0 for one in after if one.value == Value.LOSS]
    if wins:
        return rs.Outcome(Value.WIN, 1 + min(wins))
    return rs.Outcome(Value.LOSS, 1 + max(one.remoteness or 0 for one in after))

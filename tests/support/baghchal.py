"""The rules of Bagh-chal once more, in plain Python, from how the game is told: no bit, no symmetry."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import retrosolve as rs
from retrosolve.values import Value

Position = tuple[str, int, int, str]
EIGHT = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]


class PlainBaghChal(rs.Game[Position]):
    """A position is the board row by row, the goats in hand and captured, and who moves."""

    def __init__(self, size: int, goats: int, captures: int) -> None:
        self.size, self.goats, self.captures = size, goats, captures

    def start(self) -> Position:
        last = self.size - 1
        board = [
            "T" if row in (0, last) and column in (0, last) else "."
            for row in range(self.size)
            for column in range(self.size)
        ]
        return "".join(board), self.goats, 0, "goats"

    def terminal(self, position: Position) -> Value | None:
        return Value.LOSS if position[2] == self.captures else None

    def moves(self, position: Position) -> list[tuple[str, Position]]:
        board, hand, captured, mover = position
        if mover == "tigers":
            return [
                (f"{a}-{b}", (after, hand, captured + took, "goats"))
                for a, b, after, took in self.walks(board, "T")
            ]
        if hand:
            return [
                (f"{s}", (board[:s] + "G" + board[s + 1 :], hand - 1, captured, "tigers"))
                for s, held in enumerate(board)
                if held == "."
            ]
        return [
            (f"{a}-{b}", (after, 0, captured, "tigers")) for a, b, after, _ in self.walks(board, "G")
        ]

    def walks(self, board: str, man: str) -> Iterator[tuple[int, int, str, int]]:
        """The steps of a man to the next point, and of a tiger also over a goat: from, to, board, took."""
        for row in range(self.size):
            for column in range(self.size):
                origin = row * self.size + column
                if board[origin] != man:
                    continue
                for down, right in EIGHT:
                    if down and right and (row + column) % 2:
                        continue  # no diagonal through this point
                    line = [
                        (row + k * down) * self.size + column + k * right
                        for k in (1, 2)
                        if 0 <= row + k * down < self.size and 0 <= column + k * right < self.size
                    ]
                    held = [board[s] for s in line]
                    if held[:1] == ["."]:
                        yield origin, line[0], changed(board, {origin: ".", line[0]: man}), 0
                    elif man == "T" and held == ["G", "."]:
                        after = {origin: ".", line[0]: ".", line[1]: man}
                        yield origin, line[1], changed(board, after), 1

    def text(self, position: Position) -> str:
        board, hand, captured, mover = position
        rows = [board[at : at + self.size] for at in range(0, len(board), self.size)]
        return f"{'/'.join(rows)} {hand} {captured} {mover}"

    def parse(self, text: str) -> Position:
        rows, hand, captured, mover = text.split(" ")
        return rows.replace("/", ""), int(hand), int(captured), mover


def changed(board: str, points: dict[int, str]) -> str:
    """The board with other men on some points."""
    return "".join(points.get(s, held) for s, held in enumerate(board))


def random_position(plain: PlainBaghChal, rng: random.Random, most_in_hand: int) -> Position:
    """A position that play may never reach, all numbers of goats equally likely."""
    hand = rng.randrange(most_in_hand + 1)
    captured = rng.randrange(min(plain.captures - 1, plain.goats - hand) + 1)
    points = rng.sample(range(plain.size**2), 4 + plain.goats - hand - captured)
    board = ["."] * plain.size**2
    for at, s in enumerate(points):
        board[s] = "T" if at < 4 else "G"
    return "".join(board), hand, captured, rng.choice(("goats", "tigers"))


def seen_from(successors: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The value and remoteness of a position by those of its successors; there is no tie."""
    wins = [plies + 1 for value, plies in successors if value == Value.LOSS]
    if wins:
        return int(Value.WIN), min(wins)
    if any(value == Value.DRAW for value, _ in successors):
        return int(Value.DRAW), -1
    return int(Value.LOSS), max((plies + 1 for _, plies in successors), default=0)

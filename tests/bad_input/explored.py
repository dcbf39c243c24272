"""Plain rules that say something else when a proof calls them again, and graphs that are not theirs."""

from __future__ import annotations

from array import array
from typing import Any

import retrosolve as rs
from retrosolve.rules.exploring import NamedGraph, Search
from retrosolve.runtime.context import Context
from tests.bad_input import Input, command


class Counts(rs.Game):
    """Rules that count their calls, and from some call on say something else."""

    def __init__(self, size: int, until: float = float("inf")) -> None:
        self.size, self.until, self.calls = size, until, 0

    def start(self) -> int:
        return 0

    def moves(self, n: int) -> list[tuple[str, int]]:
        self.calls += 1
        other = self.calls > self.until and self.calls % 2
        return [(str(k), k) for k in (n + 1 + other, n + 2) if k < self.size]


class Turns(rs.Game):
    """Rules that take turns, so that calls in the order of exploring find what it found."""

    turn = 0

    def start(self) -> int:
        return 3

    def moves(self, n: int) -> list[int]:
        self.turn = 1 - self.turn
        return [n - 1] if n and self.turn else []


class Turned(rs.Game):
    """A representative that has another one."""

    def start(self) -> int:
        return 0

    def moves(self, n: int) -> list[tuple[str, int]]:
        return [(str(n + 1), n + 1)] if n < 9 else []

    def canonical(self, n: int) -> int:
        return 5 if n == 4 else 4 if n == 5 else n


def graph_of(game: rs.Game, *more: Any) -> NamedGraph:
    """The graph of a game with more positions, which no moves lead to."""
    search = Search(game, Context(workers=1))
    search.run()
    for position in more:
        search.number[position]
    search._note_new()
    search._degrees.extend(array("I", [0] * len(more)))
    return search.space()


def changed(**attributes: Any) -> None:
    """Prove a solution after its rules have changed."""
    game = Counts(100)
    solution = rs.solve(game)
    rs.verify(solution)
    for name, value in attributes.items():
        setattr(game, name, value)
    rs.verify(solution)


RULES = """import retrosolve as rs
class Turns(rs.Game):
    calls = 0
    def start(self): return 40
    def moves(self, n):
        self.calls += 1
        return [(k, n - k) for k in (1, 2, 3 + (self.calls > 60 and self.calls % 2)) if k <= n]
"""

INPUTS: dict[str, Input] = {
    "other moves each time": lambda _: rs.verify(rs.solve(Counts(100, 110))),
    "other moves each time, many positions": lambda _: rs.verify(rs.solve(Counts(2000, 2010))),
    "other moves each time, in parts": lambda _: rs.verify(rs.solve(Counts(100, 110)), partitions=2),
    "other moves each time, by command": command("solve", "turns.py:Turns", **{"turns.py": RULES}),
    "moves that take turns": lambda _: rs.verify(rs.solve(Turns())),
    "fewer moves than explored": lambda _: changed(size=90),
    "another start than explored": lambda _: changed(start=lambda: -1),
    "a representative of a representative": lambda _: rs.verify(rs.solve(Turned())),
    "a position that play does not reach": lambda _: rs.verify(rs.solve(graph_of(Counts(100), 500))),
}

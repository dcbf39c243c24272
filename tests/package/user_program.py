"""A program of somebody who uses the package, for type checkers; it also runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_type

import retrosolve as rs
from retrosolve.pursuit import PoliceAndThief


class Stones(rs.Game):
    """Rules in plain Python, with types."""

    def __init__(self, n: int = 10) -> None:
        self.n = n

    def start(self) -> int:
        """Return the number of stones."""
        return self.n

    def moves(self, position: int) -> Iterable[tuple[str, int]]:
        """Return the ways to take one or two."""
        return [(f"take {k}", position - k) for k in (1, 2) if k <= position]


Heaps = tuple[int, ...]


class Nim(rs.Game[Heaps]):
    """Rules that name the type of their positions, which type checkers then hold them to."""

    def features(self, position: Heaps) -> list[float]:
        """Return the heaps."""
        return [float(n) for n in position]

    def start(self) -> Heaps:
        """Return three heaps."""
        return (3, 2, 1)

    def moves(self, position: Heaps) -> Iterable[Heaps]:
        """Return the heaps after each move."""
        for i, n in enumerate(position):
            for left in range(n):
                yield (*position[:i], left, *position[i + 1 :])


class Count(rs.CompiledGame):
    """Compiled rules, whose positions are whole numbers."""

    size = 11
    max_moves = 2

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        """Write the smaller numbers."""
        out[0], out[1] = position - 1, position - 2
        return min(position, 2)


def main() -> tuple[str, int, list[str]]:
    """Solve some games and look at their answers."""
    solution: rs.Solution = rs.solve(Stones())
    rs.verify(solution)
    outcome: rs.Outcome = solution[10]
    names: list[str] = [move.name for move in solution.best_moves(10)]
    nim, count = Nim(), Count()
    assert_type(nim.start(), Heaps)
    assert_type(nim.canonical((2, 1)), Heaps)
    assert_type(Stones().canonical(3), Any)
    assert_type(count.parse("7"), int)
    assert rs.solve(nim)[3, 2, 1].value is rs.solve(count)[9].value is rs.Value.LOSS
    graph: rs.Graph = rs.Graph.from_edges(["a", "b"], ["b", "c"])
    regret = rs.solve(Stones(), timeout=60).regret(lambda position: "take 1", [10])
    assert_type(regret.exploitability, float)
    assert_type(regret.first[0], rs.Outcome | None)
    with rs.solve(graph) as solved:
        counts: dict[rs.Value, int] = solved.counts()
    police = PoliceAndThief.from_text("P..\n.*.\n..T")
    assert police.initial is not None
    line = rs.solve(police).line(police.initial)
    plan: rs.Plan = rs.plan(graph)
    text: str = f"{outcome}, {line[0].name}, {plan.solver}"
    return text, counts[rs.Value.WIN], names


if __name__ == "__main__":
    print(main())

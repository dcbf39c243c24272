"""A program of somebody who uses the package, for type checkers; it also runs."""

from __future__ import annotations

from collections.abc import Iterable

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


def main() -> tuple[str, int, list[str]]:
    """Solve three games and look at their answers."""
    solution: rs.Solution = rs.solve(Stones())
    rs.verify(solution)
    outcome: rs.Outcome = solution[10]
    names: list[str] = [move.name for move in solution.best_moves(10)]
    graph: rs.Graph = rs.Graph.from_edges(["a", "b"], ["b", "c"])
    counts: dict[rs.Value, int] = rs.solve(graph).counts()
    police = PoliceAndThief.from_text("P..\n.*.\n..T")
    assert police.initial is not None
    line = rs.solve(police).line(police.initial)
    plan: rs.Plan = rs.plan(graph)
    text: str = f"{outcome}, {line[0].name}, {plan.solver}"
    return text, counts[rs.Value.WIN], names


if __name__ == "__main__":
    print(main())

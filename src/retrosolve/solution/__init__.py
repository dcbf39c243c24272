"""Solutions: outcomes by position, moves, lines of play, counts, and opening saved ones."""

from __future__ import annotations

from retrosolve.solution.bulk import BestMoves, Outcomes
from retrosolve.solution.comparison import Comparison, compare
from retrosolve.solution.opening import OpenedSolution, open_solution
from retrosolve.solution.regret import Regret
from retrosolve.solution.solution import Solution
from retrosolve.solution.sums import Sum, sum
from retrosolve.solution.view import LineOfPlay

__all__ = [
    "BestMoves",
    "Comparison",
    "LineOfPlay",
    "OpenedSolution",
    "Outcomes",
    "Regret",
    "Solution",
    "Sum",
    "compare",
    "open_solution",
    "sum",
]

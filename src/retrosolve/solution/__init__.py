"""Solutions: outcomes by position, moves, lines of play, counts, and opening saved ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from retrosolve.runtime.lazy import lazy_attributes
from retrosolve.solution.bulk import BestMoves, Outcomes
from retrosolve.solution.opening import OpenedSolution, open_solution
from retrosolve.solution.solution import Solution
from retrosolve.solution.view import LineOfPlay

if TYPE_CHECKING:
    from retrosolve.solution.comparison import Comparison, compare
    from retrosolve.solution.regret import Regret
    from retrosolve.solution.sums import Sum, sum
else:
    __getattr__, __dir__ = lazy_attributes(
        __name__,
        {
            "Comparison": "retrosolve.solution.comparison:Comparison",
            "Regret": "retrosolve.solution.regret:Regret",
            "Sum": "retrosolve.solution.sums:Sum",
            "compare": "retrosolve.solution.comparison:compare",
            "sum": "retrosolve.solution.sums:sum",
        },
    )

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

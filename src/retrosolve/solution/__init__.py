"""Solutions: outcomes by position, moves, lines of play, counts, and opening saved ones."""

from __future__ import annotations

from retrosolve.solution.opening import OpenedSolution, open_solution
from retrosolve.solution.solution import Solution
from retrosolve.solution.view import LineOfPlay

__all__ = ["LineOfPlay", "OpenedSolution", "Solution", "open_solution"]

"""explain(): the algorithm on a small game, or one position of any game as a proof tree."""

from __future__ import annotations

from retrosolve.explanation.algorithm import AlgorithmSteps, Section
from retrosolve.explanation.explaining import explain
from retrosolve.explanation.proof import Proof

__all__ = ["AlgorithmSteps", "Proof", "Section", "explain"]

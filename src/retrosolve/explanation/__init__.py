"""explain(): the algorithm on a small game, or one position of any game as a proof tree."""

from __future__ import annotations

from retrosolve.explanation.proof import Proof, explain
from retrosolve.explanation.steps import AlgorithmSteps, Section
from retrosolve.explanation.tracing import Trace, trace

__all__ = ["AlgorithmSteps", "Proof", "Section", "Trace", "explain", "trace"]

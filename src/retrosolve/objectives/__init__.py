"""Objectives: what is asked of a game, one file for each."""

from retrosolve.objectives.base import ChoiceObjective
from retrosolve.objectives.outcome import Outcome

__all__ = ["ChoiceObjective", "Outcome"]

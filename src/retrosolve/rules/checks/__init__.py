"""Checks of an author's rules before a long run."""

from retrosolve.rules.checks.check import CheckReport, check_game

__all__ = ["CheckReport", "check_game"]

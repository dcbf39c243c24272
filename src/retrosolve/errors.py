"""The errors: each one is a sentence that says what is wrong, where, and what would be right."""

from __future__ import annotations


class RetrosolveError(Exception):
    """The root of every error that this package raises on purpose."""


class GraphError(RetrosolveError, ValueError):
    """A graph, or an argument about a graph, that makes no sense."""


class RulesError(RetrosolveError):
    """An author's rules broke their contract; the text names the position that showed it."""


class FormatError(RetrosolveError, ValueError):
    """A file that cannot be read or written; the text names the file, the place, the expectation."""


class StoreError(RetrosolveError):
    """A saved solution that is missing, damaged, or of a version not known here."""


class PositionError(RetrosolveError, LookupError):
    """A position that the solution does not hold."""


class MemoryBudgetError(RetrosolveError, MemoryError):
    """A solve that would need more memory than it may have; raised before any work."""


class VerificationError(RetrosolveError):
    """A solution that is not right; the text names the first vertex that shows it."""

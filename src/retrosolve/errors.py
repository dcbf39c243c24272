"""The exceptions. Each message says what is wrong, where, and what is expected instead."""

from __future__ import annotations


class RetrosolveError(Exception):
    """The base class of the exceptions of this package."""


class GraphError(RetrosolveError, ValueError):
    """An invalid graph or argument."""


class RulesError(RetrosolveError):
    """Rules that break their contract; the message names a position."""


class LimitError(RulesError):
    """A game with more positions than the limit given."""


class FormatError(RetrosolveError, ValueError):
    """A file that cannot be read or written; the message names the file and the place."""


class StoreError(RetrosolveError):
    """A saved solution that is missing, damaged or of an unknown version."""


class PositionError(RetrosolveError, LookupError):
    """A position that the space or the solution does not contain."""


class MemoryBudgetError(RetrosolveError, MemoryError):
    """A solve that would exceed the memory budget; raised before any work."""


class VerificationError(RetrosolveError):
    """A wrong solution; the message names the first wrong vertex."""


class ClusterError(RetrosolveError):
    """A cluster that cannot be reached, or that loses its workers."""

"""Rules of games: the contracts for authors, and the machinery that makes spaces of them."""

from retrosolve.rules import adapters

__all__ = ["adapters"]

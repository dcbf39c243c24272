"""The independent proof of a solution: it imports neither solvers nor rules."""

from retrosolve.verification.verify import verify

__all__ = ["verify"]

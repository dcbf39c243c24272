"""Independent verification of solutions; imports neither solvers nor rules."""

from retrosolve.verification.verify import verify

__all__ = ["verify"]

"""Solving and proving in partitions, in processes of a Ray cluster or of this one.

The table of solvers and ``plan`` know this package by these names alone, the proof by ``proof``.
"""

from __future__ import annotations

from retrosolve.distributed.plan import buffers, cluster_plan, disk_workspace
from retrosolve.runtime.context import Context
from retrosolve.spaces.base import StateSpace
from retrosolve.tables.result import SolveResult
from retrosolve.values import Value

__all__ = ["buffers", "cluster_plan", "disk_workspace", "solve"]


def solve(space: StateSpace, stuck: Value, context: Context) -> SolveResult:
    """Solve any space in partitions; see :func:`retrosolve.distributed.driver.solve`."""
    from retrosolve.distributed import driver  # loads what reads and writes files

    return driver.solve(space, stuck, context)

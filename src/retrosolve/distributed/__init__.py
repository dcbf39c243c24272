"""Solving and proving in partitions, in processes of a Ray cluster.

The table of solvers and ``plan`` know this package by these names alone, the proof by ``proof``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from retrosolve.runtime.lazy import deferred

if TYPE_CHECKING:
    from retrosolve.distributed.driver import solve
    from retrosolve.distributed.plan import buffers, cluster_plan, disk_workspace
else:
    solve = deferred("retrosolve.distributed.driver:solve")  # loads what reads and writes files
    buffers = deferred("retrosolve.distributed.plan:buffers")
    cluster_plan = deferred("retrosolve.distributed.plan:cluster_plan")
    disk_workspace = deferred("retrosolve.distributed.plan:disk_workspace")

__all__ = ["buffers", "cluster_plan", "disk_workspace", "solve"]

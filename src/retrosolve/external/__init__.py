"""Graphs whose edges are on disk: files of edges, names of vertices, solving and proving.

The tables of solvers and provers, the store and the command line know this package by these names
alone. What reads and writes files is imported with the first graph that needs it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from retrosolve.runtime.lazy import deferred

if TYPE_CHECKING:
    from retrosolve.external.files import has_parts
    from retrosolve.external.proof import memory_bytes as proof_bytes
    from retrosolve.external.proof import prove
    from retrosolve.external.solver import disk_plan, solve, workspace
    from retrosolve.external.space import open_edges, reopened
else:
    has_parts = deferred("retrosolve.external.files:has_parts")
    proof_bytes = deferred("retrosolve.external.proof:memory_bytes")
    prove = deferred("retrosolve.external.proof:prove")
    disk_plan = deferred("retrosolve.external.solver:disk_plan")
    solve = deferred("retrosolve.external.solver:solve")
    workspace = deferred("retrosolve.external.solver:workspace")
    open_edges = deferred("retrosolve.external.space:open_edges")
    reopened = deferred("retrosolve.external.space:reopened")

__all__ = [
    "disk_plan", "has_parts", "open_edges", "proof_bytes", "prove", "reopened", "solve", "workspace",
]  # fmt: skip

"""Graphs whose edges are on disk: files of edges, names of vertices, solving and proving.

The tables of solvers and provers, the store and the command line know this package by these names
alone. What reads and writes files is imported with the first graph that needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from retrosolve.runtime.context import Context
from retrosolve.runtime.progress import ProgressCallback
from retrosolve.spaces.base import EdgeBlockSpace, StateSpace
from retrosolve.spaces.csr.attribute_names import ColumnNames
from retrosolve.tables import Table
from retrosolve.tables.result import DiskPlan, SolveResult
from retrosolve.values import Value


def has_parts(folder: Path) -> bool:
    """Return whether a folder has files of edges."""
    from retrosolve.external import files

    return files.has_parts(folder)


def open_edges(
    place: str, scratch: str | None, memory: int | None, progress: ProgressCallback,
    columns: ColumnNames,
) -> EdgeBlockSpace:  # fmt: skip
    """Return the edges in files; see :func:`retrosolve.external.space.open_edges`."""
    from retrosolve.external import space

    return space.open_edges(place, scratch, memory, progress, workspace, columns)


def reopened(spec: Mapping[str, Any], arrays: Mapping[str, Any]) -> EdgeBlockSpace:
    """Return the space of a saved solution; see :func:`retrosolve.external.space.reopened`."""
    from retrosolve.external import space

    return space.reopened(spec, arrays)


def workspace(num_vertices: int, num_edges: int) -> int:
    """Return the bytes that a solve takes at least, the result included."""
    from retrosolve.external import solver

    return solver.workspace(num_vertices, num_edges)


def disk_plan(space: EdgeBlockSpace, num_edges: int, budget: int | None) -> DiskPlan:
    """Estimate what a solve reads and writes at least, with a budget in bytes."""
    from retrosolve.external import solver

    return solver.disk_plan(space, num_edges, budget)


def solve(space: EdgeBlockSpace, stuck: Value, context: Context) -> SolveResult:
    """Solve a graph; see :func:`retrosolve.external.solver.solve`."""
    from retrosolve.external import solver

    return solver.solve(space, stuck, context)


def proof_bytes(space: StateSpace, num_edges: int, budget: int | None = None) -> int:
    """Return the bytes of a proof: in large blocks, or as many as a budget has room for."""
    from retrosolve.external import proof

    return proof.memory_bytes(space, num_edges, budget)


def prove(
    space: StateSpace, table: Table, stuck: Value, context: Context, refuse: Callable[[int], None]
) -> None:
    """Prove a solution; see :func:`retrosolve.external.proof.prove`."""
    from retrosolve.external import proof

    proof.prove(space, table, stuck, context, refuse)

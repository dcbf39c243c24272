"""SolveResult: the table and the statistics that every solver returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from retrosolve.tables import Table


class DiskUse(NamedTuple):
    """What a solve of edges on disk has read and written.

    Parameters
    ----------
    passes : float
        How many times all edges were read: the files once, then blocks of them.
    bytes_read, bytes_written : int
    """

    passes: float
    bytes_read: int
    bytes_written: int


@dataclass(frozen=True)
class DiskPlan:
    """What a solve of edges on disk will take at least.

    Parameters
    ----------
    vertex_bytes : int
        The bytes of memory for each vertex.
    passes : float
        How many times all edges are read.
    bytes_read, bytes_written : int
    """

    vertex_bytes: int
    passes: float
    bytes_read: int
    bytes_written: int


class Statistics(NamedTuple):
    """What a solver counts while it runs.

    Parameters
    ----------
    num_edges : int, optional
        The number of edges; None if the solver does not visit all of them.
    disk : DiskUse, optional
        What was read and written; None if all is in memory.
    """

    num_edges: int | None = None
    disk: DiskUse | None = None


class SolveResult(NamedTuple):
    """The value and remoteness of every vertex, and the statistics of the solve."""

    table: Table
    statistics: Statistics = Statistics()

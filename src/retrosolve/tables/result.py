"""SolveResult: what every solver returns, a table and what it counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from retrosolve.tables.base import Table


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


@dataclass(frozen=True)
class ClusterPlan:
    """What a distributed solve takes of each machine.

    Parameters
    ----------
    nodes, partitions : int
        The number of machines, and of partitions of all of them together.
    node_memory_bytes : int
        The most memory of a machine.
    node_traffic_bytes : int
        The most that a machine receives from others.
    """

    nodes: int
    partitions: int
    node_memory_bytes: int
    node_traffic_bytes: int


class LevelUse(NamedTuple):
    """What a level of a distributed solve took.

    Parameters
    ----------
    tier : int
    ties : bool
        Whether ties were propagated, not wins and losses.
    level : int
        The remoteness of what was decided.
    decided : int
        How many vertices were.
    messages : int
        The partitions that had something to publish.
    num_bytes : int
        The bytes of what they published, which each machine reads once.
    seconds : float
    slowest : int
        The partition that took longest.
    slowest_seconds : float
        How long that took.
    """

    tier: int
    ties: bool
    level: int
    decided: int
    messages: int
    num_bytes: int
    seconds: float
    slowest: int
    slowest_seconds: float


class Statistics(NamedTuple):
    """What a solver counts while it runs.

    Parameters
    ----------
    num_edges : int, optional
        The number of edges; None if the solver does not visit all of them.
    disk : DiskUse, optional
        What was read and written; None if all is in memory.
    levels : tuple of LevelUse
        The levels of a distributed solve; of others they are not recorded.
    """

    num_edges: int | None = None
    disk: DiskUse | None = None
    levels: tuple[LevelUse, ...] = ()


class SolveResult(NamedTuple):
    """The value and remoteness of every vertex, and the statistics of the solve."""

    table: Table
    statistics: Statistics = Statistics()

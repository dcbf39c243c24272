"""SolveResult: the table and the statistics that every solver returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from retrosolve.tables import Table


@dataclass(frozen=True)
class Statistics:
    """What a solver counts while it runs.

    Parameters
    ----------
    num_edges : int, optional
        The number of edges; None if the solver does not visit all of them.
    """

    num_edges: int | None = None


class SolveResult(NamedTuple):
    """The value and remoteness of every vertex, and the statistics of the solve."""

    table: Table
    statistics: Statistics = Statistics()

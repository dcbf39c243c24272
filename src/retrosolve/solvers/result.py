"""SolveResult: what every solver returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from retrosolve.tables import Table


@dataclass(frozen=True)
class Statistics:
    """What a solve has counted on the way.

    Parameters
    ----------
    num_edges : int, optional
        The number of edges; None where the solver does not meet all of them.
    """

    num_edges: int | None = None


class SolveResult(NamedTuple):
    """The answers, and what was counted on the way to them."""

    table: Table
    statistics: Statistics = Statistics()

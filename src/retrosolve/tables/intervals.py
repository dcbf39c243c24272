"""IntervalTable: bounds of what the player to move can expect, two float64 for each vertex.

The bounds are payoffs of the player to move, 1 for a win and -1 for a loss where a game has no payoffs;
NaN stands for INVALID. Positions are counted by who is better off.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, read_only
from retrosolve.objectives import Objective
from retrosolve.objectives.chance import FAVOURS, Odds, kinds_of
from retrosolve.tables.base import ALL, Bounds, Table, ValuesTable
from retrosolve.values import INVALID, Outcome


class IntervalTable(ValuesTable):
    """The two bounds of each vertex.

    Parameters
    ----------
    low, high : float64 [n]
        NaN at an INVALID index.
    is_payoff : bool
        Whether they are shown as payoffs, not as the probability of winning.

    Notes
    -----
    16 bytes a vertex.

    Examples
    --------
    >>> table = IntervalTable(np.array([0.5, -1.0]), np.array([0.5, -1.0]))
    >>> print(*table.decoded_all(np.arange(2)), table.bounds.width)
    75 % 0 % 0.0
    """

    _codec = FAVOURS

    def __init__(
        self, low: NDArray[np.float64], high: NDArray[np.float64], is_payoff: bool = False
    ) -> None:
        self._bounds = Bounds(read_only(low), read_only(high), is_payoff)
        self.num_vertices = len(low)

    @property
    def bounds(self) -> Bounds:
        """The bounds of each vertex."""
        return self._bounds

    def values(self, at: Any = ALL) -> ByteArray:
        """Return who is better off at some vertices, as codes of :data:`FAVOURS`."""
        low = np.asarray(self.bounds.low[at])
        values = kinds_of(low, np.asarray(self.bounds.high[at]))
        values[np.isnan(low)] = INVALID
        return values

    def packed(self, at: Any = ALL) -> IntArray:
        """Return the values as packed words without remoteness."""
        values = self.values(at)
        return self.codec.pack(values, np.full(len(values), -1))

    def words_of(self, objective: Objective, at: Any) -> IntArray:
        """Return the middles of some vertices as words of the objective."""
        middle = (self.bounds.low[at] + self.bounds.high[at]) / 2
        return objective.words(self.codec, middle, np.full(len(middle), -1))

    def measures(self, at: Any) -> dict[str, NDArray[np.float64]]:
        """Return the bounds of some vertices in the unit shown, as ``low`` and ``high``."""
        low, high = np.asarray(self.bounds.low[at]), np.asarray(self.bounds.high[at])
        if self.bounds.is_payoff:
            return {"low": low, "high": high}
        return {"low": (1 + low) / 2, "high": (1 + high) / 2}

    def agrees(self, other: Table, at: slice) -> bool:
        """Return whether another table has the same bounds."""
        return other.bounds is not None and all(
            np.array_equal(mine[at], theirs[at], equal_nan=True)
            for mine, theirs in zip(self.bounds[:2], other.bounds[:2], strict=True)
        )

    def decoded(self, vertex: int) -> Outcome:
        """Return the bounds of one vertex."""
        low, high = float(self.bounds.low[vertex]), float(self.bounds.high[vertex])
        if not self.bounds.is_payoff:
            low, high = (1 + low) / 2, (1 + high) / 2
        return Outcome(Odds(low, high, self.bounds.is_payoff), None)

    def decoded_all(self, vertices: IntArray) -> list[Outcome]:
        """Return the bounds of each of some vertices."""
        return [self.decoded(v) for v in vertices.tolist()]

"""IntervalTable: bounds of what the player to move can expect, two float64 for each vertex.

The bounds are payoffs of the player to move, 1 for a win and -1 for a loss where a game has no payoffs;
NaN stands for INVALID. Positions are counted by who is better off. PackedIntervals holds four bytes for
each vertex, and bounds that enclose those of another table.
"""

from __future__ import annotations

import functools
from bisect import bisect_left
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, read_only, spans
from retrosolve.objectives import Objective
from retrosolve.objectives.chance import FAVOURS, Odds, kinds_of
from retrosolve.tables.base import (
    ALL,
    Bounds,
    RoundedBounds,
    Table,
    ValuesTable,
    some_vertices,
)
from retrosolve.values import INVALID, Outcome, Value

LAST = (1 << 32) - 4  # the place of the largest payoff
LOST, OPEN, ABSENT = LAST + 1, LAST + 2, LAST + 3  # the least payoff, any payoff, and no position
ROUNDING = 2.0**-50  # of the largest payoff: sums of float64 may be rounded down by as much


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
        at = some_vertices(at, self.num_vertices)
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


class PackedIntervals(IntervalTable):
    """Bounds of one width, in four bytes for each vertex: a place among 2^32.

    Parameters
    ----------
    places : uint32 [n]
        Where the lower bounds are from the least payoff to the largest, or LOST, OPEN or ABSENT.
    most, width : float
        The largest payoff, and how far the upper bounds are above the lower ones.
    is_payoff : bool
    proven : str
        The digest of the table that the bounds enclose, which is what a proof is about; empty if these
        bounds are.

    Examples
    --------
    >>> table = IntervalTable(np.array([0.5, -1.0]), np.array([0.5, -1.0]))
    >>> packed = PackedIntervals.enclosing(table.bounds, 1e-10, "digest")
    >>> print(*packed.decoded_all(np.arange(2)), packed.bounds.width < 1e-9)
    75 % 0 % True
    """

    def __init__(
        self, places: NDArray[np.uint32], most: float, width: float, is_payoff: bool, proven: str
    ) -> None:
        self.places, self.most, self.width, self.proven = read_only(places), most, width, proven
        low, high = (cast(NDArray[np.float64], _Decoded(self, upper)) for upper in (False, True))
        rounded = RoundedBounds(self.places, most, width, proven)
        self._bounds = Bounds(low, high, is_payoff, rounded)
        self.num_vertices = len(places)

    @classmethod
    def enclosing(cls, bounds: Bounds, limit: float, proven: str) -> PackedIntervals:
        """Return bounds, rounded outward; those ``limit`` or more apart are OPEN."""
        low, high, is_payoff, _ = bounds
        n, most, width = len(low), 1.0, 0.0
        parts = [slice(*span) for span in spans(n)]
        for span in parts:
            most = max(
                most, *(np.abs(x[span]).max(initial=0, where=~np.isnan(x[span])) for x in (low, high))
            )
        places = np.empty(n, np.uint32)
        packed = cls(places, float(most), 0.0, is_payoff, proven)
        step = 2 * packed.most / LAST
        for span in parts:
            below, above = low[span], high[span]
            exists = ~np.isnan(below)
            place = np.floor((np.where(exists, below, 0.0) + packed.most) / step)
            place = np.clip(place, 0, LAST).astype(np.uint32)
            place -= (packed.decode(place, False) > below) & (place > 0)  # the division was rounded
            place[above - below > max(limit, step)] = OPEN
            place[above == -packed.most] = LOST
            place[~exists] = ABSENT
            narrow = exists & (place <= LAST)
            room = (above - packed.decode(place, False))[narrow]
            width = max(width, float(room.max(initial=0.0)))
            places[span] = place
        return cls(places, packed.most, width + ROUNDING * packed.most, is_payoff, proven)

    def values(self, at: Any = ALL) -> ByteArray:
        """Return who is better off at some vertices; bounds are only decoded near the middle."""
        places = np.asarray(self.places[some_vertices(at, self.num_vertices)])
        lost, won = self._decided
        values = np.where(places < lost, np.uint8(Value.LOSS), np.uint8(Value.WIN))
        other = np.flatnonzero((places >= lost) & (places < won) | (places > LAST))
        low, high = (self.decode(places[other], upper) for upper in (False, True))
        values[other] = np.where(np.isnan(low), np.uint8(INVALID), kinds_of(low, high))
        return values

    @functools.cached_property
    def _decided(self) -> tuple[int, int]:
        """The first place that is not worse for the player to move, and the first that is better."""

        def kind(place: int) -> int:
            at = np.array([place], np.uint32)
            return int(kinds_of(self.decode(at, False), self.decode(at, True))[0])

        every = range(LAST + 1)
        return (
            bisect_left(every, True, key=lambda place: kind(place) != Value.LOSS),
            bisect_left(every, True, key=lambda place: kind(place) == Value.WIN),
        )

    def decode(self, places: NDArray[np.uint32], upper: bool) -> NDArray[np.float64]:
        """Return the upper or the lower bounds of some places."""
        low = np.where(places == LAST, self.most, -self.most + places * (2 * self.most / LAST))
        bound = np.minimum(low + self.width, self.most) if upper else low
        bound = np.where(places == LOST, -self.most, bound)
        bound = np.where(places == OPEN, self.most if upper else -self.most, bound)
        return np.where(places == ABSENT, np.nan, bound)


def width_of(steps: int) -> float:
    """Return the width of probabilities, as payoffs, whose bounds are as many places apart."""
    return steps * 2.0 / LAST + ROUNDING


class _Decoded:
    """The lower or the upper bounds of a packed table, decoded where they are asked for."""

    dtype = np.dtype(np.float64)

    def __init__(self, table: PackedIntervals, upper: bool) -> None:
        self._table, self._upper = table, upper

    def __len__(self) -> int:
        return len(self._table.places)

    def __getitem__(self, at: Any) -> Any:
        return self._table.decode(np.asarray(self._table.places[at]), self._upper)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[np.float64]:
        return cast(NDArray[np.float64], self[:])

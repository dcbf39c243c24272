"""How many positions have which value and remoteness: as rows of a table, and as bars of a chart."""

from __future__ import annotations

from typing import NamedTuple

from retrosolve.solution import Solution
from retrosolve.tables.summary import REPORTED_VALUES
from retrosolve.values import Value

FINISHED = REPORTED_VALUES[:3]
WIDTH, HEIGHT, GAP = 720.0, 96.0, 1.0
WIDEST = 40.0


class Level(NamedTuple):
    """The positions of one remoteness.

    Parameters
    ----------
    remoteness : int
    counts : dict of Value to int
        Of WIN, LOSS and TIE.
    total, decided : int
        How many there are, and how many of this remoteness or a smaller one.
    """

    remoteness: int
    counts: dict[Value, int]
    total: int
    decided: int


class Bar(NamedTuple):
    """A bar of a chart: its place, and what it stands for."""

    x: float
    y: float
    width: float
    height: float
    remoteness: int
    positions: int


class Chart(NamedTuple):
    """The positions of one value by remoteness.

    Parameters
    ----------
    value : Value
    width, height : float
    bars : list of Bar
    most : int
        What the highest bar stands for.
    """

    value: Value
    width: float
    height: float
    bars: list[Bar]
    most: int


def levels(solution: Solution) -> list[Level]:
    """Return the levels of a solution, the end of the game first; none without remoteness."""
    histogram = solution.histogram()
    found = sorted({r for value in FINISHED for r in histogram[value] if r is not None})
    rows, decided = [], 0
    for remoteness in found:
        counts = {value: histogram[value].get(remoteness, 0) for value in FINISHED}
        total = sum(counts.values())
        decided += total
        rows.append(Level(remoteness, counts, total, decided))
    return rows


def charts(rows: list[Level]) -> list[Chart]:
    """Return a chart for each value that occurs, all of one scale from left to right."""
    last = max((row.remoteness for row in rows), default=0)
    step = min(WIDTH / (last + 1), WIDEST)
    found = []
    for value in FINISHED:
        most = max((row.counts[value] for row in rows), default=0)
        bars = []
        for row in rows:
            count = row.counts[value]
            if count:
                high = max(HEIGHT * count / most, 1.0)
                left, wide = step * row.remoteness, max(step - GAP, 0.5)
                bars.append(
                    Bar(round(left, 2), round(HEIGHT - high, 2), round(wide, 2), round(high, 2),
                        row.remoteness, count)
                )  # fmt: skip
        if bars:
            found.append(Chart(value, round(step * (last + 1), 2), HEIGHT, bars, most))
    return found

"""Axes of charts: marks at round numbers.

Charts have a plot whose places are shares of its width and height, so that it fits any page, and texts
whose size is that of the page.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Mark(NamedTuple):
    """A mark of an axis.

    Parameters
    ----------
    at : float
        Its place in percent of the axis, from the left or from the top.
    text : str
    kind : str
        The label of the value that it stands for; empty for a number.
    """

    at: float
    text: str
    kind: str = ""


def round_numbers(last: int, most: int) -> range:
    """Return 0 and its multiples of one round number up to a last one, at most so many besides 0.

    Examples
    --------
    >>> list(round_numbers(31, 4)), list(round_numbers(1, 4)), list(round_numbers(0, 4))
    ([0, 10, 20, 30], [0, 1], [0])
    """
    return range(0, last + 1, next(step for step in _steps() if step * most >= last))


def _steps() -> Iterator[int]:
    power = 1
    while True:
        yield from (power, 2 * power, 5 * power)
        power *= 10

"""Axes to draw on, and how each value is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.runtime.files import import_library
from retrosolve.values import Value

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

HATCHES = {Value.WIN: "", Value.TIE: "..", Value.DRAW: "xx", Value.LOSS: "//"}


def axes(ax: Axes | None) -> Axes:
    """Return the axes that were given, or those of a new figure.

    Raises FormatError if Matplotlib is missing.
    """
    if ax is not None:
        return ax
    pyplot = import_library("matplotlib.pyplot", "a plot", "plots")
    made: Axes = pyplot.subplots(layout="constrained")[1]
    return made


def whole_numbers(axis: Axis) -> None:
    """Let an axis have ticks at whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True))


def bar_style(value: Value) -> dict[str, Any]:
    """Return how bars of a value are drawn: colour, hatch and name for the legend."""
    look = APPEARANCE[value]
    return {
        "facecolor": look.color,
        "hatch": HATCHES[value],
        "edgecolor": "white",
        "linewidth": 0.5,
        "label": f"{look.symbol} {look.word}",
    }

"""Counts of positions: by remoteness, by level of the solve, and by tier."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.errors import GraphError
from retrosolve.plots.axes import axes, bar_style, whole_numbers
from retrosolve.solution import Solution
from retrosolve.values import Value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LOG_FROM = 1000  # the largest count from which small ones would not be seen on a linear scale
WIDTH = 0.85
DECIDED = (Value.WIN, Value.LOSS, Value.TIE)


def histogram(solution: Solution, ax: Axes | None = None) -> Axes:
    """Draw how many positions have each remoteness, by value.

    Parameters
    ----------
    solution : Solution
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    Axes
        A bar for each value and remoteness that occurs. Draws are counted in the legend.

    Raises
    ------
    GraphError
        For a solution without remoteness.

    Notes
    -----
    Cost: a pass over the table, unless the solution is saved.

    Examples
    --------
    >>> import retrosolve as rs
    >>> from matplotlib.figure import Figure
    >>> solution = rs.solve(rs.Graph.from_edges([0, 1, 2], [1, 2, 3]))
    >>> ax = rs.plots.histogram(solution, ax=Figure().subplots())
    >>> [len(bars) for bars in ax.containers]
    [2, 2]
    """
    _check_remoteness(solution, "histogram")
    ax = axes(ax)
    counted = solution.histogram()
    shown = [value for value in DECIDED if counted[value]]
    largest = 0
    for place, value in enumerate(shown):
        plies = np.array(list(counted[value]), float)
        counts = list(counted[value].values())
        largest = max(largest, *counts)
        width = WIDTH / len(shown)
        ax.bar(plies + (place - (len(shown) - 1) / 2) * width, counts, width, **bar_style(value))
    if draws := sum(counted[Value.DRAW].values()):
        look = APPEARANCE[Value.DRAW]
        ax.plot([], [], "s", color=look.color, label=f"{look.symbol} {look.word}: {draws}")
    if largest >= LOG_FROM:
        ax.set_yscale("log")
    ax.set(title="Positions by remoteness", xlabel="remoteness (plies)", ylabel="positions")
    ax.legend()
    return ax


def levels(solution: Solution, ax: Axes | None = None) -> Axes:
    """Draw the share of positions that is decided after each level of the solve, by value.

    Level n decides the positions of remoteness n. What remains above the areas is drawn, or not decided
    yet.

    Parameters
    ----------
    solution : Solution
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    Axes
        An area for each value.

    Raises
    ------
    GraphError
        For a solution without remoteness.

    Notes
    -----
    Cost: that of :func:`histogram`.

    Examples
    --------
    >>> import retrosolve as rs
    >>> from matplotlib.figure import Figure
    >>> solution = rs.solve(rs.Graph.from_edges([0, 1, 2, 4], [1, 2, 3, 4]))
    >>> ax = rs.plots.levels(solution, ax=Figure().subplots())
    >>> [area.get_label() for area in ax.collections]
    ['▲ win', '▼ loss']
    """
    _check_remoteness(solution, "levels")
    ax = axes(ax)
    counted = solution.histogram()
    last = max((plies or 0 for value in DECIDED for plies in counted[value]), default=0)
    below = np.zeros(last + 1)
    total = max(len(solution), 1)
    for value in DECIDED:
        if not counted[value]:
            continue
        each = np.zeros(last + 1)
        for plies, count in counted[value].items():
            each[plies or 0] = count
        above = below + np.cumsum(each) / total
        ends = [*below, below[-1]], [*above, above[-1]]
        style = bar_style(value)
        ax.fill_between(np.arange(last + 2), *ends, step="post", **style)
        below = above
    ax.set(
        title="Positions decided level by level",
        xlabel="level (remoteness in plies)",
        ylabel="share of all positions",
        ylim=(0, 1),
        xlim=(0, last + 1),
    )
    if ax.collections:
        ax.legend(loc="upper left")
    return ax


def tiers(solution: Solution, ax: Axes | None = None) -> Axes:
    """Draw the positions of each tier by value, the tier that is solved first at the bottom.

    Parameters
    ----------
    solution : Solution
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    Axes
        A bar for each tier and value that occurs. A game without tiers has one bar.

    Raises
    ------
    FormatError
        If Matplotlib is missing and there is no ``ax``.

    Notes
    -----
    Cost: a pass over the table.

    Examples
    --------
    >>> import retrosolve as rs
    >>> from retrosolve.games.connect4 import ConnectFour
    >>> from matplotlib.figure import Figure
    >>> game = ConnectFour(rows=2, columns=2, connect=2)
    >>> ax = rs.plots.tiers(rs.solve(game), ax=Figure().subplots())
    >>> [len(bars) for bars in ax.containers] == [len(game.tiers)] * 2
    True
    """
    ax = axes(ax)
    starts = [*solution.space.tiers, solution.space.num_vertices]
    counts = [solution.table.counts(start, stop) for start, stop in pairwise(starts)]
    rows = np.arange(len(counts))
    left = np.zeros(len(counts))
    for value in (*DECIDED[:1], Value.TIE, Value.DRAW, Value.LOSS):
        each = np.array([int(part[value]) for part in counts])
        if each.any():
            ax.barh(rows, each, WIDTH, left, **bar_style(value))
            left += each
    ax.set(title="Positions by tier", xlabel="positions", ylabel="tier")
    whole_numbers(ax.yaxis)
    if ax.containers:
        ax.legend()
    return ax


def _check_remoteness(solution: Solution, plot: str) -> None:
    if not solution.table.has_remoteness:
        raise GraphError(f"{plot} needs remoteness: expected a solution made with remoteness=True")

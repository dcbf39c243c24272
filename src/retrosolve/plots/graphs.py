"""A graph coloured by value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.drawing.layout import MAX_DRAWN, spread
from retrosolve.errors import GraphError
from retrosolve.plots.axes import axes
from retrosolve.solution import Solution
from retrosolve.values import INVALID, Value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZE = 420
SHRINK = 11
MAX_LABEL = 12


def graph(solution: Solution, ax: Axes | None = None) -> Axes:
    """Draw the positions and moves of a small game, coloured by value.

    Parameters
    ----------
    solution : Solution
        Of at most 200 positions.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    Axes
        A collection of discs for each value that occurs, an arrow for each move, and the text, the
        symbol of the value and the remoteness of each position.

    Raises
    ------
    GraphError
        For more positions.

    Notes
    -----
    Cost: O(n^3) time to place n positions, less than a second for 200.

    Examples
    --------
    >>> import retrosolve as rs
    >>> from matplotlib.figure import Figure
    >>> solution = rs.solve(rs.Graph.from_edges(["a", "b", "b"], ["b", "a", "c"]))
    >>> ax = rs.plots.graph(solution, ax=Figure().subplots())
    >>> [len(discs.get_offsets()) for discs in ax.collections], len(ax.patches)
    ([1, 2], 3)
    """
    space, table = solution.space, solution.table
    n = space.num_vertices
    if n > MAX_DRAWN:
        raise GraphError(f"{n} positions are too many to draw: expected at most {MAX_DRAWN}")
    ax = axes(ax)
    from matplotlib.patches import FancyArrowPatch

    edges = space.successors(0, n)
    source = np.repeat(np.arange(n), np.diff(edges.indptr))
    places = spread(source, edges.indices, n)
    values, remoteness = table.values(slice(0, n)), table.remoteness(slice(0, n))
    for v, w in sorted(set(zip(source.tolist(), edges.indices.tolist(), strict=True))):
        bend = "arc3,rad=0.08" if v != w else "arc3,rad=1.5"
        end = places[w] if v != w else places[w] + 0.001
        ax.add_patch(
            FancyArrowPatch(
                places[v], end, arrowstyle="-|>", mutation_scale=12, color="0.55",
                shrinkA=SHRINK, shrinkB=SHRINK, connectionstyle=bend, zorder=1,
            )
        )  # fmt: skip
    for value, look in APPEARANCE.items():
        at = np.flatnonzero(values == value)
        if len(at):
            x, y = places[at].T
            ax.scatter(x, y, s=SIZE, color=look.color, label=f"{look.symbol} {look.word}", zorder=2)
    for v in np.flatnonzero(values != INVALID).tolist():
        label = space.text(space.position(v))
        plies = "" if remoteness[v] < 0 else str(remoteness[v])
        look = APPEARANCE[Value(int(values[v]))]
        ax.annotate(
            label[:MAX_LABEL], places[v], ha="center", va="center", color="white", fontsize=8, zorder=3
        )
        ax.annotate(
            look.symbol + plies, places[v], (SHRINK, SHRINK - 2), textcoords="offset points", fontsize=8
        )
    ax.set_axis_off()
    ax.set_aspect("equal")
    ax.margins(0.12)
    ax.legend(markerscale=0.5)
    return ax

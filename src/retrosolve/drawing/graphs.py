"""Small graphs as pictures, coloured by value where there is a solution."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, hypot, pi, sin

from retrosolve.arrays import IntArray
from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.drawing.layout import spread
from retrosolve.drawing.picture import CELL, Picture
from retrosolve.values import Value

RADIUS = 15.0
MAX_LABEL = 4
MAX_SHOWN = 60
"""The most vertices of a graph that a notebook shows as a picture."""


def graph_picture(
    title: str,
    labels: Sequence[str],
    source: IntArray,
    target: IntArray,
    values: Sequence[Value] | None = None,
) -> Picture:
    """Draw a directed graph, with the colour and the symbol of each value if there are values.

    Parameters
    ----------
    title : str
        What the graph is, in words.
    labels : sequence of str [n]
        The names of the vertices, of which the first letters are written.
    source, target : int [edges]
    values : sequence of Value [n], optional

    Examples
    --------
    >>> import numpy as np
    >>> picture = graph_picture("A move", ["a", "b"], np.array([0]), np.array([1]))
    >>> str(picture).count("<circle"), str(picture).count("<line")
    (2, 1)
    """
    n = len(labels)
    side = CELL * (1.5 + 1.5 * n**0.5)
    picture = Picture(side, side, title)
    places = spread(source, target, n).tolist()
    at = [(CELL / 2 + x * (side - CELL), CELL / 2 + y * (side - CELL)) for x, y in places]
    for v, w in sorted(set(zip(source.tolist(), target.tolist(), strict=True))):
        draw_edge(picture, at[v], at[w])
    around: list[list[float]] = [[] for _ in at]
    for v, w in zip(source.tolist(), target.tolist(), strict=True):
        if v != w:
            angle = atan2(at[w][1] - at[v][1], at[w][0] - at[v][0])
            around[v].append(angle)
            around[w].append(angle + pi)
        else:
            around[v] += [-pi / 2 - 0.4, -pi / 2 + 0.4]  # where a loop is drawn
    for v, ((x, y), label) in enumerate(zip(at, labels, strict=True)):
        shown = label if len(label) <= MAX_LABEL else label[: MAX_LABEL - 1] + "."
        if values is None:
            picture.disc(x, y, RADIUS, "vertex piece second")
            picture.text(x, y, shown, "ink", size=12)
            continue
        look = APPEARANCE[values[v]]
        picture.disc(x, y, RADIUS, f"vertex {values[v].label}")
        picture.text(x, y, shown, "ink" if values[v] is Value.TIE else "paper", size=12)
        free = free_direction(around[v])
        reach = 1.45 * RADIUS
        picture.text(x + reach * cos(free), y + reach * sin(free), look.symbol, "label", size=12)
    return picture


def free_direction(taken: Sequence[float]) -> float:
    """Return the angle, of eight, that is farthest from some angles; up and right if all are free.

    >>> free_direction([0.0, pi]) / pi
    -0.5
    """

    def distance(angle: float) -> float:
        apart = (abs((angle - other + pi) % (2 * pi) - pi) for other in taken)
        return round(min(apart, default=0.0), 6)

    return max((-pi / 4 * k for k in (1, 2, 3, 0, 4, 5, 6, 7)), key=distance)


def draw_edge(
    picture: Picture,
    start: tuple[float, float],
    end: tuple[float, float],
    radius: float = RADIUS,
    kinds: tuple[str, str] = ("line", "label"),
) -> None:
    """Draw an arrow from one disc to another, or a loop at one, in the kinds of a line and a head."""
    (x, y), (to_x, to_y) = start, end
    length = hypot(to_x - x, to_y - y)
    if length < 1:
        picture.path(f"M-8-{radius - 3}A9 9 0 1 1 8-{radius - 3}", kinds[0], x, y)
        return
    right, down = (to_x - x) / length, (to_y - y) / length
    tip_x, tip_y = to_x - radius * right, to_y - radius * down
    picture.line(x + radius * right, y + radius * down, tip_x, tip_y, kinds[0])
    back_x, back_y = tip_x - 8 * right, tip_y - 8 * down
    corners = [(tip_x, tip_y), (back_x - 4 * down, back_y + 4 * right)]
    picture.polygon([*corners, (back_x + 4 * down, back_y - 4 * right)], kinds[1])

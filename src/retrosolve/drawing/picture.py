"""Picture: an SVG drawing of a position, built shape by shape.

Every shape has a *kind*: one or more words that become its ``class``, and that choose its default
attributes from KINDS. So a picture stands alone, and a page may restyle it by CSS, in light and dark.
Lines and labels take the colour of the text around them.

A *point* is an area to click, with a label in ``data-point``. Points are drawn last and are at least
MIN_POINT wide and high.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from html import escape
from math import cos, pi, sin

from retrosolve.drawing.appearance import APPEARANCE

CELL = 48.0
"""The width of a square or the distance of two points on a board; pixels at the natural size."""
MIN_POINT = 24.0

DARK, LIGHT = "#24292f", "#f8f5ee"
KINDS: dict[str, dict[str, str]] = {
    "board": {"fill": "#ead9b5"},
    "light": {"fill": "#f1e5cb"},
    "dark": {"fill": "#c09a6b"},
    "cell": {"fill": "#f7f4ed", "stroke": "#a9a294", "stroke-width": "1"},
    "wall": {"fill": "#555b64", "stroke": "#a9a294", "stroke-width": "1"},
    "exit": {"fill": "#8fd3a8", "stroke": "#a9a294", "stroke-width": "1"},
    "line": {"fill": "none", "stroke": "currentColor", "stroke-width": "2"},
    "stroke": {"fill": "none", "stroke": DARK, "stroke-width": "2"},
    "line-white": {"fill": "none", "stroke": DARK, "stroke-width": "2"},
    "line-black": {"fill": "none", "stroke": LIGHT, "stroke-width": "2"},
    "grid": {"fill": "none", "stroke": DARK, "stroke-width": "1"},
    "hole": {"fill": "#cdb98d", "stroke": "#8d8573", "stroke-width": "1"},
    "place": {"fill": "currentColor"},
    "piece": {"stroke-width": "2"},
    "first": {"fill": DARK, "stroke": LIGHT},
    "second": {"fill": LIGHT, "stroke": DARK},
    "red": {"fill": "#c62a2a", "stroke": "#6d1212"},
    "yellow": {"fill": "#f7ce2e", "stroke": "#8a6a00"},
    "frame": {"fill": "#24549c"},
    "gap": {"fill": "#eef3fb", "stroke": "#173a70", "stroke-width": "1"},
    "groove": {"fill": "#d9d0bd"},
    "goal": {"stroke": "#a9a294", "stroke-width": "1"},
    "fur-lion": {"fill": "#c9781a"},
    "face-lion": {"fill": "#f6cf86"},
    "face-giraffe": {"fill": "#f0bf4f"},
    "spot": {"fill": "#a8651d"},
    "face-elephant": {"fill": "#9eabbd"},
    "ear": {"fill": "#7f8da1"},
    "face-chick": {"fill": "#f8d648"},
    "face-hen": {"fill": "#fdfbf4", "stroke": "#a9a294", "stroke-width": "1"},
    "comb": {"fill": "#c62a2a"},
    "beak": {"fill": "#e07b18"},
    "mover": {"fill": DARK, "stroke": LIGHT},
    "other": {"fill": LIGHT, "stroke": DARK},
    "on-mover": {"fill": LIGHT},
    "on-other": {"fill": DARK},
    "bar": {"stroke-width": "34", "stroke-linecap": "round"},
    "bar-edge": {"stroke": DARK, "stroke-width": "37", "stroke-linecap": "round"},
    "bar-mover": {"stroke": DARK},
    "bar-other": {"stroke": LIGHT},
    "neutral": {"fill": "#9aa0a8", "stroke": DARK},
    "policeman": {"fill": "#1c5fb0", "stroke": "#ffffff"},
    "thief": {"fill": "#b5301c", "stroke": "#ffffff"},
    "fox": {"fill": "#c8551b", "stroke": "#ffffff"},
    "tile": {"fill": "#fff6dc", "stroke": DARK, "stroke-width": "1.5"},
    "tile-other": {"fill": "#d9c7a3", "stroke": DARK, "stroke-width": "1.5"},
    "step": {"fill": "#b5301c"},
    "won": {"fill": "none", "stroke": "#e0a800", "stroke-width": "4", "stroke-linecap": "round"},
    "mated": {"fill": "#d6402b", "fill-opacity": "0.75"},
    "ink": {"fill": DARK},
    "paper": {"fill": LIGHT},
    **{value.label: {"fill": look.fill} for value, look in APPEARANCE.items()},
    "label": {"fill": "currentColor"},
    "button": {"fill": "none", "stroke": "currentColor", "stroke-width": "1.5"},
    "point": {"fill": "transparent"},
}
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Picture:
    """An SVG drawing with points to click.

    Parameters
    ----------
    width, height : float
        The size of the drawing.
    title : str
        The position in words.
    mover_relative : bool
        Whether pieces are those of the player to move and of the other, since positions do not tell the
        two players apart. The root then has the class ``relative``, and a page that knows who moves may
        exchange the colours of the kinds ``mover`` and ``other``.

    Examples
    --------
    >>> picture = Picture(48, 48, "A stone")
    >>> picture.disc(24, 24, 16, "piece first")
    >>> picture.point("a1", 0, 0, 48, 48)
    >>> str(picture).count("data-point"), "<title>A stone</title>" in str(picture)
    (1, True)
    """

    def __init__(self, width: float, height: float, title: str, mover_relative: bool = False) -> None:
        self.width, self.height = width, height
        self._title = title
        self._relative = mover_relative
        self._shapes: list[str] = []
        self._points: list[str] = []

    def rect(
        self, x: float, y: float, width: float, height: float, kind: str, radius: float = 0
    ) -> None:
        """Draw a rectangle from its upper left corner, with rounded corners if there is a radius."""
        size = {"x": x, "y": y, "width": width, "height": height}
        self._add("rect", kind, **size, **({"rx": radius} if radius else {}))

    def disc(self, x: float, y: float, radius: float, kind: str) -> None:
        """Draw a disc around a centre."""
        self._add("circle", kind, cx=x, cy=y, r=radius)

    def line(self, x: float, y: float, to_x: float, to_y: float, kind: str = "line") -> None:
        """Draw a line."""
        self._add("line", kind, x1=x, y1=y, x2=to_x, y2=to_y)

    def path(
        self, data: str, kind: str, x: float = 0, y: float = 0, turned: bool = False, scale: float = 1
    ) -> None:
        """Draw a path; its origin is moved to (x, y), and then it is scaled and turned upside down."""
        move = f"translate({_number(x)} {_number(y)})" + (" rotate(180)" if turned else "")
        move += f" scale({_number(scale)})" if scale != 1 else ""
        self._add("path", kind, d=data, **({"transform": move} if x or y or turned else {}))

    def polygon(self, corners: Iterable[tuple[float, float]], kind: str) -> None:
        """Draw a polygon."""
        points = " ".join(f"{_number(x)},{_number(y)}" for x, y in corners)
        self._add("polygon", kind, points=points)

    def text(self, x: float, y: float, text: str, kind: str = "label", size: float = 14) -> None:
        """Write a text with its middle at (x, y)."""
        attributes = _attributes(kind, x=x, y=y + 0.35 * size)
        family = f'font-size="{size}" text-anchor="middle" font-family="system-ui, sans-serif"'
        self._shapes.append(f"<text {attributes} {family}>{_escaped(text)}</text>")

    def point(
        self, label: str, x: float, y: float, width: float, height: float, title: str = ""
    ) -> None:
        """Add an area to click, a rectangle from its upper left corner.

        Parameters
        ----------
        label : str
            What moves call the point.
        x, y, width, height : float
            The rectangle; a smaller one than MIN_POINT is enlarged around its middle.
        title : str
            What is there, in words; by default the label.
        """
        self._points.append(_point(label, x, y, width, height, title))

    def extend(self, other: Picture) -> None:
        """Add the shapes and the points of another picture."""
        self._shapes += other._shapes
        self._points += other._points

    def merge(self) -> None:
        """Make one of all shapes, which are then added to other pictures in less time."""
        self._shapes, self._points = ["".join(self._shapes)], ["".join(self._points)]

    def _add(self, shape: str, kind: str, **attributes: float | str) -> None:
        self._shapes.append(_element(shape, kind, **attributes))

    def __str__(self) -> str:
        width, height = _number(self.width), _number(self.height)
        kind = "position relative" if self._relative else "position"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" role="img" '
            f'width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
            f"<title>{_escaped(self._title)}</title>{''.join(self._shapes)}{''.join(self._points)}</svg>"
        )


def ring(count: int, x: float, y: float, radius: float, turn: float = 0) -> list[tuple[float, float]]:
    """Return points on a circle, clockwise from the top.

    Parameters
    ----------
    count : int
    x, y, radius : float
        The circle.
    turn : float
        The part of a full turn by which the first point is moved on.

    Examples
    --------
    >>> [(round(x), round(y)) for x, y in ring(4, 0, 0, 10)]
    [(0, -10), (10, 0), (0, 10), (-10, 0)]
    """
    angles = [2 * pi * (k / count + turn) for k in range(count)]
    return [(x + radius * sin(angle), y - radius * cos(angle)) for angle in angles]


@lru_cache(maxsize=1 << 14)  # most shapes of a board are the same in all positions
def _element(shape: str, kind: str, **attributes: float | str) -> str:
    """Return a shape as XML."""
    return f"<{shape} {_attributes(kind, **attributes)}/>"


@lru_cache(maxsize=1 << 12)
def _point(label: str, x: float, y: float, width: float, height: float, title: str) -> str:
    """Return an area to click as XML."""
    wide, high = max(width, MIN_POINT), max(height, MIN_POINT)
    x, y = x - (wide - width) / 2, y - (high - height) / 2
    attributes = _attributes("point", x=x, y=y, width=wide, height=high)
    return (
        f'<rect {attributes} data-point="{_escaped(label)}">'
        f"<title>{_escaped(title or label)}</title></rect>"
    )


@lru_cache(maxsize=1 << 12)
def _attributes(kind: str, **attributes: float | str) -> str:
    """Return the attributes of an element: class, defaults of its kind, and its own."""
    merged: dict[str, float | str] = {"class": kind}
    for word in kind.split():
        merged |= KINDS.get(word, {})
    merged |= attributes
    return " ".join(
        f'{name}="{value if isinstance(value, str) else _number(value)}"'
        for name, value in merged.items()
    )


def _number(value: float) -> str:
    """Return a coordinate as short text."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


@lru_cache(maxsize=1 << 10)
def _escaped(text: str) -> str:
    """Return any text as XML; characters that XML cannot hold become question marks."""
    return escape(NOT_XML.sub("?", text))

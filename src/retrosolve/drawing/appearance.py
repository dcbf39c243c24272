"""How values look: colour, symbol and word, the same in the terminal, in plots and on pages.

The symbols make values readable without colour. As text the colours have a contrast of at least 4.5 to
1, ``color`` on white and ``dark`` on a page of #14171c.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from retrosolve.runtime.text import mark
from retrosolve.values import Result, Value


class Appearance(NamedTuple):
    """How a value looks.

    Parameters
    ----------
    color, dark : str
        Colour of text on a light and on a dark background, ``#rrggbb``.
    fill : str
        Colour of an area: those of all values differ for who tells no red from green, too.
    terminal : str
        Colour in a terminal, whose own shade suits its background.
    symbol : str
        One character.
    hatch, marker : str
        Of bars and points in Matplotlib.
    word : str
        The name of the value, to be translated.
    """

    color: str
    dark: str
    fill: str
    terminal: str
    symbol: str
    hatch: str
    marker: str
    word: str


class Appearances(dict[Any, Appearance]):
    """The appearance of each value; other results look as the value that they count as."""

    def __missing__(self, result: Result) -> Appearance:
        return self[result.kind]._replace(word=result.name)


APPEARANCE = Appearances(
    {
        Value.WIN: Appearance("#0a7350", "#3fc795", "#0a7350", "green", "▲", "", "^", mark("win")),
        Value.TIE: Appearance("#7a5b00", "#e3b53d", "#edc03b", "yellow", "=", "..", "s", mark("tie")),
        Value.DRAW: Appearance("#1c5fb0", "#79b3ff", "#1c5fb0", "blue", "∞", "xx", "o", mark("draw")),
        Value.LOSS: Appearance("#b5301c", "#ff8a75", "#b5301c", "red", "▼", "//", "v", mark("loss")),
    }
)
"""The appearance of each value, the best for the player to move first."""
SYMBOLS = {value.label: look.symbol for value, look in APPEARANCE.items()}
"""The symbol of each value, by its label."""

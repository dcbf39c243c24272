"""The figures of the documentation: ``python -m docs.site.figures NAME`` prints one, for a page."""

from __future__ import annotations

import io
import logging
import re
import sys
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import retrosolve as rs
from docs.site.boards import coloured
from docs.site.graphs import Place, panels, traced
from docs.site.words import BY_HAND, COUNTERS
from retrosolve.drawing.picture import Picture
from retrosolve.explanation import Trace, trace
from retrosolve.games import parse_game
from retrosolve.languages import DEFAULT
from retrosolve.pursuit.police import PoliceAndThief

ROOT = Path(__file__).parent.parent.parent
SIX = {"a": (40.0, 60.0), "b": (130.0, 60.0), "c": (220.0, 60.0), "d": (220.0, 160.0),
       "e": (130.0, 160.0), "f": (40.0, 160.0)}  # fmt: skip
TOKEN = {"a": "b", "b": "ac", "c": "d", "e": "c", "f": "eb", "d": ""}
HALL = "P....\n.**.E\n...T."
REPRODUCIBLE: dict[Any, Any] = {"svg.hashsalt": "retrosolve", "svg.fonttype": "none", "font.size": 12}


def level_ends(found: Trace) -> list[int]:
    """Return how many events have happened after each level."""
    ends = [0]
    for level in found.levels:
        ends.append(ends[-1] + len(level.events))
    return ends[1:]


def story(title: str, graph: rs.Graph, at: dict[str, Place], headings: Sequence[str]) -> str:
    """Draw a graph after each level of the algorithm."""
    found = trace(graph)
    places = [at[name] for name in found.names]
    ends = level_ends(found)
    shown = [
        (heading, traced(heading, found, places, end, since))
        for heading, since, end in zip(headings, [0, *ends], ends, strict=False)
    ]
    return panels(title, shown)


def token_graph() -> rs.Graph:
    """Return the graph of six vertices that the first pages solve by hand."""
    return rs.Graph.from_dict({name: list(row) for name, row in TOKEN.items()})


def six() -> str:
    found = trace(token_graph())
    return str(traced("A graph of six vertices", found, [SIX[name] for name in found.names], 0))


def by_hand(language: str = DEFAULT) -> str:
    title, *headings = BY_HAND[language]
    return story(title, token_graph(), SIX, headings)


def counters(language: str = DEFAULT) -> str:
    at = {"a": (40.0, 110.0), "b": (140.0, 40.0), "c": (140.0, 110.0), "d": (140.0, 180.0),
          "e": (240.0, 110.0)}  # fmt: skip
    graph = rs.Graph.from_dict({"a": ["b", "c", "d"], "b": ["e"], "c": ["e"], "d": ["e"], "e": []})
    found = trace(graph)
    places = [at[name] for name in found.names]
    ends = level_ends(found)
    steps = [ends[1], ends[1] + 1, ends[1] + 2, ends[2]]
    title, *headings = COUNTERS[language]
    shown = [
        (heading, traced(heading, found, places, end, max(end - 1, ends[1])))
        for heading, end in zip(headings, steps, strict=True)
    ]
    return panels(title, shown)


def ties() -> str:
    at = {"a": (40.0, 50.0), "b": (140.0, 50.0), "c": (240.0, 50.0), "d": (140.0, 150.0),
          "e": (240.0, 150.0)}  # fmt: skip
    graph = rs.Graph.from_dict(
        {"a": ["b"], "b": ["a", "c"], "c": [], "d": ["b", "e"], "e": ["d"]},
        terminal={"c": rs.Value.TIE},
    )
    headings = ["the game is over: a tie", "a move to a tie", "and again", "until nothing changes"]
    return story("Ties spread after wins and losses", graph, at, headings)


def owners() -> str:
    at = {"s": (40.0, 50.0), "a": (140.0, 50.0), "goal": (250.0, 100.0), "b": (140.0, 150.0),
          "t": (40.0, 150.0)}  # fmt: skip
    graph = rs.Graph.from_dict(
        {"s": ["a"], "a": ["s", "goal"], "goal": [], "b": ["goal", "t"], "t": ["b"]},
        owner={"s": 0, "a": 1, "goal": 0, "b": 0, "t": 1},
        terminal={"goal": rs.Value.WIN},
    )
    found = trace(graph)
    places = [at[name] for name in found.names]
    end = len(found.events)
    return panels(
        "An attractor",
        [("circles: player 0, squares: player 1", traced("The arena", found, places, 0)),
         ("solved, for the player who moves there", traced("Solved", found, places, end))],
    )  # fmt: skip


def stealing() -> str:
    at = {"a": (40.0, 60.0), "b": (140.0, 60.0), "c": (240.0, 60.0)}
    graph = rs.Graph.from_dict({"a": ["a", "b"], "b": ["c"], "c": []})
    found = trace(graph)
    places = [at[name] for name in found.names]
    return str(traced("A vertex with a move to itself", found, places, len(found.events)))


def pursuit() -> str:
    police = PoliceAndThief.from_text(HALL)
    assert police.initial is not None
    solution, cell = rs.solve(police), police.initial.policeman
    shown = [
        (f"known after {n} {'ply' if n == 1 else 'plies'}", coloured(police, solution, cell, plies=n))
        for n in (1, 3, 5)
    ]
    return panels("A board, level by level", [*shown, ("all", coloured(police, solution, cell))])


def symmetry() -> str:
    corners = ["X...O....", "..X.O....", "....O...X", "....O.X.."]
    pictures = []
    for text in corners:
        picture = Picture(150, 150, text)
        picture.extend(_cells(text))
        pictures.append(("", picture))
    return panels("Four positions that are one", pictures)


def _cells(text: str) -> Picture:
    """Return nine cells with crosses and noughts."""
    picture = Picture(150, 150, text)
    for place, sign in enumerate(text):
        x, y = 3 + 48 * (place % 3), 3 + 48 * (place // 3)
        picture.rect(x, y, 48, 48, "cell")
        if sign != ".":
            picture.text(x + 24, y + 24, sign, "ink", size=26)
    return picture


def layers() -> str:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    rows = contracts["contracts"][0]["layers"]
    picture = Picture(620, 34 * len(rows) + 10, "Layers of the package; a module imports from below")
    for number, row in enumerate(rows):
        parts = row.replace(":", "|").split("|")
        names = [name.strip(" ()").removeprefix("retrosolve.") for name in parts]
        wide = 610 / len(names)
        for place, name in enumerate(names):
            x, y = 5 + wide * place, 5 + 34 * number
            picture.rect(x, y, wide - 6, 28, "tile", radius=5)
            picture.text(x + wide / 2 - 3, y + 14, name, "ink", size=14)
    return str(picture)


def plot(kind: str, subject: str) -> Callable[..., str]:
    """Return a function that draws a plot of a built-in game, in the colours of the page around it."""

    def draw(language: str = DEFAULT) -> str:
        import matplotlib as mpl
        from matplotlib.figure import Figure

        logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)  # pages choose the font
        file = io.StringIO()
        with mpl.rc_context(REPRODUCIBLE):
            figure = Figure(figsize=(5, 3), layout="constrained")  # a phone shows it in its own size
            ax = figure.subplots()
            getattr(rs.plots, kind)(rs.solve(parse_game(subject)), ax=ax, language=language)
            legend = ax.get_legend()
            if legend is not None:
                legend.set_frame_on(False)
            figure.savefig(file, format="svg", metadata={"Date": None}, transparent=True)
        return themed(file.getvalue(), kind)

    return draw


def themed(drawing: str, name: str) -> str:
    """Return a drawing of Matplotlib as a part of a page, with its fonts and its colour of text.

    Styles of a drawing would hold for the whole page, and two drawings may have the same identifiers.
    """
    drawing = re.sub(
        r"(?s)<metadata>.*?</metadata>|<style.*?</style>", "", drawing[drawing.index("<svg") :]
    )
    drawing = re.sub(r"font-family: [^;\"]*", "font-family: system-ui, sans-serif", drawing)
    drawing = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", drawing)
    drawing = drawing.replace("#000000", "currentColor").replace("stroke: #ffffff", "stroke: none")
    return drawing.replace("<svg ", f'<svg role="img" aria-label="{name}" fill="currentColor" ', 1)


FIGURES: dict[str, Callable[..., str]] = {
    "six": six,
    "by-hand": by_hand,
    "counters": counters,
    "ties": ties,
    "owners": owners,
    "stealing": stealing,
    "pursuit": pursuit,
    "symmetry": symmetry,
    "layers": layers,
    "histogram": plot("histogram", "morris3"),
    "levels": plot("levels", "morris3"),
}
"""Drawings that stand in a page and take its colours."""
TRANSLATED = {"by-hand", "counters", "histogram", "levels"}
"""Those with words in the language of the page."""

if __name__ == "__main__":
    sys.stdout.write(FIGURES[sys.argv[1]]() + "\n")

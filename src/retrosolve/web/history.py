"""The value history of a line of play: where it stood after each ply, and which moves were mistakes."""

from __future__ import annotations

from gettext import NullTranslations
from typing import NamedTuple

from retrosolve.languages.phrases import phrase
from retrosolve.solution.playing import Ply, Quality
from retrosolve.values import Outcome, Value
from retrosolve.web.address import Address
from retrosolve.web.scene import Scene
from retrosolve.web.wording import standing

STEP = 28
MARGIN = 24
HEIGHT = 104
REACH = 0.8  # of the height, that the longest win or loss is drawn nearer to the middle


class Point(NamedTuple):
    """A point of the chart: one ply, as one player sees it."""

    x: float
    y: float
    value: Value
    url: str
    quality: Quality
    title: str


class Row(NamedTuple):
    """A row of the record: one move."""

    number: int
    side: int
    name: str
    value: Value
    remoteness: int | None
    quality: Quality
    note: str
    url: str


class History(NamedTuple):
    """A line of play as a chart and as a record.

    Parameters
    ----------
    side : int
        Whose values they are.
    width, height, middle : float
        The size of the chart, and where neither player is ahead.
    points : list of Point
        One for each position, the first included.
    path : str
        The points as a line.
    rows : list of Row
        One for each move.
    start : Address
        Before the first move.
    """

    side: int
    width: float
    height: float
    middle: float
    points: list[Point]
    path: str
    rows: list[Row]
    start: Address


def history(shown: Scene, to: NullTranslations) -> History:
    """Return the history of the line that led to a position."""
    side = shown.viewer
    line = [shown.address._replace(line=shown.address.line[:n]) for n in range(len(shown.played) + 1)]
    outcomes = [_for(ply.before, ply.side, side) for ply in shown.played]
    outcomes.append(_for(shown.outcome, shown.side, side))
    longest = max((o.remoteness or 0 for o in outcomes), default=0)
    points, rows = [], []
    for number, outcome in enumerate(outcomes):
        ply = shown.played[number - 1] if number else None
        quality = ply.quality if ply else Quality.BEST
        y = HEIGHT / 2 - (HEIGHT / 2 - MARGIN / 2) * _score(outcome, longest)
        result = standing(outcome, to)
        title = to.gettext("ply {number}: {result}").format(number=number, result=result)
        x, url = MARGIN + STEP * number, line[number].url()
        points.append(Point(x, round(y, 1), outcome.value, url, quality, title))
        if ply:
            name = phrase(ply.name, to)
            rows.append(Row(number, ply.side, name, *outcome, quality, note(ply, to), url))
    path = " ".join(f"{point.x:g},{point.y:g}" for point in points)
    width = 2 * MARGIN + STEP * max(len(shown.played), 8)
    return History(side, width, HEIGHT, HEIGHT / 2, points, path, rows, line[0])


def note(ply: Ply, to: NullTranslations) -> str:
    """Return what was wrong with a move, in words; nothing if it was a best one."""
    if ply.quality is Quality.BEST:
        return ""
    if ply.quality is Quality.MISTAKE:
        sentence = to.gettext("mistake: {move} was better")
    elif ply.after.value is Value.LOSS:
        sentence = to.gettext("{move} would have lasted longer")
    else:
        sentence = to.gettext("{move} was faster")
    return sentence.format(move=phrase(ply.best, to))


def _for(outcome: Outcome, mover: int, side: int) -> Outcome:
    """Return the outcome of a position as a player sees it."""
    value = outcome.value if mover == side else outcome.value.opposite()
    return Outcome(value, outcome.remoteness)


def _score(outcome: Outcome, longest: int) -> float:
    """Return how far above the middle an outcome is drawn, from -1 to 1: farthest at the end."""
    if outcome.value not in (Value.WIN, Value.LOSS):
        return 0.0
    height = 1 - REACH * (outcome.remoteness or 0) / (longest + 1)
    return height if outcome.value is Value.WIN else -height

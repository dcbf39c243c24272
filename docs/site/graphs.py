"""Small graphs as the algorithm sees them: what is decided, what counts down, and why."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.drawing.picture import Picture
from retrosolve.explanation.tracing import Trace
from retrosolve.values import Outcome

RADIUS = 19.0
HEAD = 9.0
LEAST = 0.9
Place = tuple[float, float]


def traced(title: str, trace: Trace, places: Sequence[Place], steps: int, since: int = 0) -> Picture:
    """Draw what is known after some steps of the algorithm.

    Parameters
    ----------
    title : str
        What the picture shows, in words.
    trace : Trace
    places : sequence of (x, y)
        The middle of each vertex.
    steps : int
        How many events have happened.
    since : int
        The event from which on the moves that events rest on are drawn bold.
    """
    picture = Picture(max(x for x, _ in places) + 45, max(y for _, y in places) + 50, title)
    state = trace.state(steps)
    bold = {move for event in trace.events[since:steps] for move in trace.deciding_moves(event)}
    pairs = sorted({(v, w) for v, row in enumerate(trace.successors) for w in row})
    for v, w in pairs:
        _arrow(picture, places[v], places[w], (v, w) in bold, (w, v) in pairs)
    for v, (x, y) in enumerate(places):
        outcome = state.outcomes[v]
        square = trace.owner is not None and trace.owner[v] == 1
        kind = "tile" if outcome is None else outcome.value.label
        if square:
            picture.rect(x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS, kind)
        else:
            picture.disc(x, y, RADIUS, kind)
        picture.text(x, y, trace.names[v], "ink" if outcome is None else "paper", size=16)
        moves = len(trace.successors[v])
        below = f"{state.open_moves[v]}/{moves}" if outcome is None and steps else _said(outcome)
        picture.text(x + 18, y + RADIUS + 10, below, size=13)  # beside an edge that leads down
    return picture


def _said(outcome: Outcome | None) -> str:
    """Return an outcome as a symbol and a number of plies."""
    if outcome is None:
        return ""
    plies = "" if outcome.remoteness is None else f" {outcome.remoteness}"
    return APPEARANCE[outcome.value].symbol + plies


def _arrow(picture: Picture, start: Place, end: Place, bold: bool, both_ways: bool) -> None:
    """Draw an edge, beside the opposite one where there is one; bold ones have the step's colour."""
    (x, y), (to_x, to_y) = start, end
    length = hypot(to_x - x, to_y - y)
    kind = "step" if bold else "label"
    if length < 1:
        picture.path(f"M-9-{RADIUS - 3}A11 11 0 1 1 9-{RADIUS - 3}", "line", x, y)
        top = y - RADIUS
        picture.polygon([(x + 9, top + 3), (x + 5, top - 8), (x + 16, top - 4)], kind)
        return
    right, down = (to_x - x) / length, (to_y - y) / length
    aside = 6 if both_ways else 0
    x, y, to_x, to_y = x - down * aside, y + right * aside, to_x - down * aside, to_y + right * aside
    tip_x, tip_y = to_x - RADIUS * right, to_y - RADIUS * down
    back_x, back_y = tip_x - HEAD * right, tip_y - HEAD * down
    begin_x, begin_y = x + RADIUS * right, y + RADIUS * down
    if bold:
        off_x, off_y = -2 * down, 2 * right
        picture.polygon(
            [(begin_x + off_x, begin_y + off_y), (begin_x - off_x, begin_y - off_y),
             (back_x - off_x, back_y - off_y), (back_x + off_x, back_y + off_y)],
            kind,
        )  # fmt: skip
    else:
        picture.line(begin_x, begin_y, back_x, back_y)
    half = HEAD / 2
    picture.polygon(
        [(tip_x, tip_y), (back_x - half * down, back_y + half * right),
         (back_x + half * down, back_y - half * right)],
        kind,
    )  # fmt: skip


def panels(title: str, pictures: Sequence[tuple[str, Picture]]) -> str:
    """Return drawings with headings; a page shows as many of them in a row as it has room for.

    No drawing becomes smaller than LEAST of its size, unless it is wider than the page.
    """
    parts = []
    for heading, picture in pictures:
        text = Picture(picture.width, 26, heading)
        text.text(picture.width / 2, 14, heading, size=14)
        width, height = picture.width, picture.height + 26
        inner = str(picture).replace("<svg ", '<svg y="26" ', 1)
        parts.append(
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width:g}" height="{height:g}" '
            f'style="min-width: min(100%, {LEAST * width:.0f}px)" '
            f'viewBox="0 0 {width:g} {height:g}"><title>{heading or title}</title>{text}{inner}</svg>'
        )
    return f'<div class="panels" role="group" aria-label="{title}">{"".join(parts)}</div>'

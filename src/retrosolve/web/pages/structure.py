"""The pages of a game as a whole: its positions by value, remoteness and tier."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from gettext import NullTranslations
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from retrosolve.languages import count, digits, side_name, translation
from retrosolve.solution import Solution
from retrosolve.values import Outcome, Result, Value
from retrosolve.web.address import Address, text_at
from retrosolve.web.axes import Mark, round_numbers
from retrosolve.web.filters import (
    first_positions,
    parse_choice,
    random_position,
    random_zugzwang,
    some_zugzwangs,
)
from retrosolve.web.library import Entry, in_turn, once_in_turn
from retrosolve.web.page_state import scene
from retrosolve.web.phrasing import headline
from retrosolve.web.rendering import asked_language, environment, language_of, render

MAX_COUNTED = 5_000_000  # indices whose tiers are counted for a page
FOUND = 24


async def page(request: Request) -> Response:
    """Show the structure of a game."""
    entry = request.app.state.library.entry(request.path_params["name"])
    language = language_of(request)
    asked = asked_language(request)
    make = partial(structure_page, entry, language, asked)
    text = await once_in_turn(entry, ("structure", language, asked), make)
    return HTMLResponse(text, headers={"Content-Language": language})


def structure_page(entry: Entry, language: str, asked: str | None) -> str:
    """Return the page of the structure of a game."""
    address = Address(entry.name, language=asked)
    text: str = (
        environment(language)
        .get_template("structure.html")
        .render(
            frame="game.html",
            address=address,
            asked_language=asked,
            find=lambda value, plies: address.url("find", value=value.label, remoteness=str(plies)),
            random=lambda value: address.url("random", value=value.label),
            zugzwang=address.url("zugzwang") if some_zugzwangs(entry) else None,
            **structure(entry, translation(language)),
        )
    )
    return text


def structure(entry: Entry, to: NullTranslations) -> dict[str, Any]:
    """Return the numbers that the page shows, and the sentence above them."""
    solution = entry.solution
    histogram = solution.histogram()
    count_of = len({plies for by_plies in histogram.values() for plies in by_plies} - {None})
    rows = levels(histogram)
    return {
        "entry": entry,
        "values": solution.table.codec.reported,
        "finished": [v for v in solution.table.codec.reported if v.ends],
        "size": len(solution),
        "counts": solution.counts(),
        "by_player": solution.counts_by_player(),
        "longest": solution.longest(),
        "has_remoteness": solution.table.has_remoteness,
        "levels": rows,
        "more_levels": count_of - len(rows),
        "charts": charts(rows, to),
        "narrow": NARROW,
        "plies": marks_of_plies(rows, to),
        "tiers": entry.once("tiers", partial(tiers, solution)),
        "start": start_of(entry, to),
    }


def start_of(entry: Entry, to: NullTranslations) -> tuple[Result, str]:
    """Return the value of the start for the first player, and a sentence that names the sides."""
    shown, players = scene(entry.solution, Address(entry.name)), entry.solution.space.players
    value = shown.value_for(shown.outcome.value, shown.side)
    winner = shown.winner(value)
    name = None if winner is None else side_name(players, winner, shown.named, to)
    return value, headline(Outcome(value, shown.outcome.remoteness), to, name)


async def find(request: Request) -> Response:
    """List the first positions of a value and a remoteness."""
    entry = request.app.state.library.entry(request.path_params["name"])
    value, remoteness = _choice(request, entry.solution)
    positions = await run_in_threadpool(first_positions, entry.solution, value, remoteness, FOUND)
    address = Address(entry.name, language=asked_language(request))
    rows = [
        {
            "text": entry.solution.space.text(position),
            "url": address._replace(at=text_at(entry.solution, position)).url(),
        }
        for position in positions
    ]
    asked = {key: request.query_params.get(key, "") for key in ("value", "remoteness")}
    return render(
        request,
        "find.html",
        entry=entry,
        rows=rows,
        value=value,
        remoteness=remoteness,
        address=address,
        again=address.url("random", **asked),
    )


async def at_random(request: Request) -> Response:
    """Go to a random position of a value and a remoteness."""
    entry = request.app.state.library.entry(request.path_params["name"])
    position = await run_in_threadpool(
        random_position, entry.solution, *_choice(request, entry.solution)
    )
    return _redirect(request, entry, position)


async def zugzwang(request: Request) -> Response:
    """Go to a random mutual zugzwang."""
    entry = request.app.state.library.entry(request.path_params["name"])
    return _redirect(request, entry, await in_turn(random_zugzwang, entry))


def _redirect(request: Request, entry: Entry, position: Hashable) -> Response:
    """Return the answer that leads to a random position."""
    at = text_at(entry.solution, position)
    url = Address(entry.name, at, language=asked_language(request)).url()
    return RedirectResponse(url, 303, {"Cache-Control": "no-store"})


def _choice(request: Request, solution: Solution) -> tuple[Result | None, int | None]:
    query = request.query_params
    return parse_choice(solution, query.get("value", ""), query.get("remoteness", ""))


def tiers(solution: Solution) -> list[dict[str, Any]]:
    """Return the tiers with their values; those of a large game without."""
    first: Sequence[int] = solution.space.tiers
    if len(first) == 1:
        return []
    bounds = np.array([*first, solution.table.num_vertices]).tolist()
    counted = solution.table.num_vertices <= MAX_COUNTED
    rows = []
    for number, (start, stop) in enumerate(pairwise(bounds)):
        counts = solution.table.counts(start, stop) if counted else None
        rows.append(
            {
                "number": number,
                "indices": stop - start,
                "counts": counts is not None and solution.table.codec.by_result(counts),
            }
        )
    return rows


WIDTH, HEIGHT, GAP = 720.0, 120.0, 1.0
WIDEST = 40.0
NARROW = 500.0
MAX_MARKS = 12, 4  # of the two axes
MAX_LEVELS = 2_000  # of a page: a row and some bars each


class Level(NamedTuple):
    """The positions of one remoteness.

    Parameters
    ----------
    remoteness : int
    counts : dict of Value to int
        Of all values but DRAW.
    total, decided : int
        How many there are, and how many of this remoteness or a smaller one.
    """

    remoteness: int
    counts: dict[Any, int]
    total: int
    decided: int


class Bar(NamedTuple):
    """A bar of a chart: its place, and what it stands for."""

    x: float
    y: float
    width: float
    height: float
    remoteness: int
    positions: int


class Chart(NamedTuple):
    """The positions of one value by remoteness.

    Parameters
    ----------
    value : Value
    width, height : float
    bars : list of Bar
    most : int
        What the highest bar stands for.
    marks : list of Mark
        Of the axis of positions.
    """

    value: Value
    width: float
    height: float
    bars: list[Bar]
    most: int
    marks: list[Mark]


def levels(histogram: dict[Any, dict[int | None, int]]) -> list[Level]:
    """Return the first levels of a histogram, the end of the game first; none without remoteness."""
    finished = [value for value in histogram if value.ends]
    occurring = sorted({r for value in finished for r in histogram[value] if r is not None})
    rows, decided = [], 0
    for remoteness in occurring[:MAX_LEVELS]:
        counts = {value: histogram[value].get(remoteness, 0) for value in finished}
        total = sum(counts.values())
        decided += total
        rows.append(Level(remoteness, counts, total, decided))
    return rows


def marks_of_plies(rows: list[Level], to: NullTranslations) -> list[Mark]:
    """Return the marks below the charts."""
    last = max((row.remoteness for row in rows), default=0)
    numbers = round_numbers(last, MAX_MARKS[0])
    return [Mark(round(100 * (n + 1) / (last + 2), 2), digits(n, to.gettext)) for n in numbers]


def charts(rows: list[Level], to: NullTranslations) -> list[Chart]:
    """Return a chart for each value that occurs, all of one scale from left to right.

    Bars are wide enough to touch: those of wins are often two plies apart.
    """
    last = max((row.remoteness for row in rows), default=0)
    step, drawn = min(WIDTH / (last + 2), WIDEST), []  # half a step is free at both ends for wide bars
    for value in rows[0].counts if rows else ():
        present = [row for row in rows if row.counts[value]]
        most = max((row.counts[value] for row in present), default=0)
        alike = len({row.remoteness % 2 for row in present}) == 1
        wide = max((1 + alike) * step - GAP, 0.5)
        bars = []
        for row in present:
            high = max(HEIGHT * row.counts[value] / most, 1.0)
            left = step * (row.remoteness + 1) - wide / 2
            bars.append(
                Bar(round(left, 2), round(HEIGHT - high, 2), round(wide, 2), round(high, 2),
                    row.remoteness, row.counts[value])
            )  # fmt: skip
        if bars:
            numbers = round_numbers(most, MAX_MARKS[1])
            marks = [Mark(round(100 - 100 * n / most, 2), count(n, to.gettext)) for n in numbers]
            drawn.append(Chart(value, round(step * (last + 2), 2), HEIGHT, bars, most, marks))
    return drawn

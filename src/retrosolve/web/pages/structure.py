"""The pages of a game as a whole: its positions by value, remoteness and tier."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from retrosolve.solution import Solution
from retrosolve.solution.zugzwang import knows_passing
from retrosolve.values import Result, Value
from retrosolve.web.address import Address, text_at
from retrosolve.web.filters import first_positions, parse_choice, random_position, random_zugzwang
from retrosolve.web.library import Entry
from retrosolve.web.rendering import asked_language, render

MAX_COUNTED = 5_000_000  # indices whose tiers are counted for a page
FOUND = 24


async def page(request: Request) -> Response:
    """Show the structure of a game."""
    entry = request.app.state.library.entry(request.path_params["name"])
    address = Address(entry.name, language=asked_language(request))
    return render(
        request,
        "structure.html",
        frame="game.html",
        address=address,
        find=lambda value, plies: address.url("find", value=value.label, remoteness=str(plies)),
        random=lambda value: address.url("random", value=value.label),
        zugzwang=address.url("zugzwang") if has_zugzwangs(entry.solution) else None,
        **await run_in_threadpool(structure, entry),
    )


def structure(entry: Entry) -> dict[str, Any]:
    """Return the numbers that the page shows."""
    solution = entry.solution
    rows = levels(solution)
    return {
        "entry": entry,
        "values": solution.table.codec.reported,
        "size": len(solution),
        "counts": solution.counts(),
        "by_player": solution.counts_by_player(),
        "longest": solution.longest(),
        "has_remoteness": solution.table.has_remoteness,
        "levels": rows,
        "charts": charts(rows),
        "tiers": tiers(entry),
    }


def has_zugzwangs(solution: Solution) -> bool:
    """Return whether there may be mutual zugzwangs, and the rules tell."""
    return solution.counts().get(Value.LOSS, 0) > 0 and knows_passing(solution.space)


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
    position = await run_in_threadpool(random_zugzwang, entry.solution)
    return _redirect(request, entry, position)


def _redirect(request: Request, entry: Entry, position: Hashable) -> Response:
    """Return the answer that leads to a random position."""
    at = text_at(entry.solution, position)
    url = Address(entry.name, at, language=asked_language(request)).url()
    return RedirectResponse(url, 303, {"Cache-Control": "no-store"})


def _choice(request: Request, solution: Solution) -> tuple[Result | None, int | None]:
    query = request.query_params
    return parse_choice(solution, query.get("value", ""), query.get("remoteness", ""))


@lru_cache(maxsize=64)
def tiers(entry: Entry) -> list[dict[str, Any]]:
    """Return the tiers with their values; those of a large game without."""
    solution = entry.solution
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


WIDTH, HEIGHT, GAP = 720.0, 96.0, 1.0
WIDEST = 40.0


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
    """

    value: Value
    width: float
    height: float
    bars: list[Bar]
    most: int


def levels(solution: Solution) -> list[Level]:
    """Return the levels of a solution, the end of the game first; none without remoteness."""
    histogram = solution.histogram()
    finished = [value for value in histogram if value.ends]
    occurring = sorted({r for value in finished for r in histogram[value] if r is not None})
    rows, decided = [], 0
    for remoteness in occurring:
        counts = {value: histogram[value].get(remoteness, 0) for value in finished}
        total = sum(counts.values())
        decided += total
        rows.append(Level(remoteness, counts, total, decided))
    return rows


def charts(rows: list[Level]) -> list[Chart]:
    """Return a chart for each value that occurs, all of one scale from left to right."""
    last = max((row.remoteness for row in rows), default=0)
    step = min(WIDTH / (last + 1), WIDEST)
    drawn = []
    for value in rows[0].counts if rows else ():
        most = max(row.counts[value] for row in rows)
        bars = []
        for row in rows:
            count = row.counts[value]
            if count:
                high = max(HEIGHT * count / most, 1.0)
                left, wide = step * row.remoteness, max(step - GAP, 0.5)
                bars.append(
                    Bar(round(left, 2), round(HEIGHT - high, 2), round(wide, 2), round(high, 2),
                        row.remoteness, count)
                )  # fmt: skip
        if bars:
            drawn.append(Chart(value, round(step * (last + 1), 2), HEIGHT, bars, most))
    return drawn

"""The page of a game as a whole: how many positions have which value, by remoteness and by tier."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from retrosolve.tables.summary import REPORTED_VALUES
from retrosolve.values import Value
from retrosolve.web.address import Address, text_at
from retrosolve.web.choosing import first_positions, parse_choice, random_position
from retrosolve.web.levels import charts, levels
from retrosolve.web.library import Entry
from retrosolve.web.rendering import LANGUAGE_KEY, render

MAX_COUNTED = 5_000_000  # indices whose tiers are counted for a page
FOUND = 24


async def page(request: Request) -> Response:
    """Show the structure of a game."""
    entry = request.app.state.library.entry(request.path_params["name"])
    solution = entry.solution
    rows = levels(solution)
    return render(
        request,
        "structure.html",
        entry=entry,
        address=Address(entry.name, language=request.query_params.get(LANGUAGE_KEY)),
        values=REPORTED_VALUES,
        size=len(solution),
        counts=solution.counts(),
        by_player=solution.counts_by_player(),
        longest=solution.longest(),
        has_remoteness=solution.table.has_remoteness,
        levels=rows,
        charts=charts(rows),
        tiers=await run_in_threadpool(tiers, entry),
    )


async def find(request: Request) -> Response:
    """List the first positions of a value and a remoteness."""
    entry = request.app.state.library.entry(request.path_params["name"])
    value, remoteness = _choice(request)
    found = await run_in_threadpool(first_positions, entry.solution, value, remoteness, FOUND)
    rows = [
        {
            "text": entry.solution.space.text(position),
            "url": Address(entry.name, text_at(entry.solution, position)).url(),
        }
        for position in found
    ]
    address = Address(entry.name, language=request.query_params.get(LANGUAGE_KEY))
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
    position = await run_in_threadpool(random_position, entry.solution, *_choice(request))
    url = Address(entry.name, text_at(entry.solution, position)).url()
    return RedirectResponse(url, 303, {"Cache-Control": "no-store"})


def _choice(request: Request) -> tuple[Value | None, int | None]:
    query = request.query_params
    return parse_choice(query.get("value", ""), query.get("remoteness", ""))


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
                "counts": counts is not None
                and {value: int(counts[value]) for value in REPORTED_VALUES},
            }
        )
    return rows

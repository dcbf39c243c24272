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

from retrosolve.solution import Solution
from retrosolve.tables.summary import REPORTED_VALUES
from retrosolve.values import Value
from retrosolve.web.address import Address, text_at
from retrosolve.web.choosing import describe, first_positions, parse_choice, random_position
from retrosolve.web.library import Entry
from retrosolve.web.rendering import render

MAX_COUNTED = 5_000_000  # indices whose tiers are counted for a page
FOUND = 24
FINISHED = REPORTED_VALUES[:3]


async def page(request: Request) -> Response:
    """Show the structure of a game."""
    entry = request.app.state.library.entry(request.path_params["name"])
    solution = entry.solution
    return render(
        request, "structure.html", entry=entry, values=REPORTED_VALUES, size=len(solution),
        counts=solution.counts(), by_player=solution.counts_by_player(), longest=solution.longest(),
        levels=levels(solution), has_remoteness=solution.table.has_remoteness,
        tiers=await run_in_threadpool(tiers, entry), address=Address(entry.name),
    )  # fmt: skip


async def find(request: Request) -> Response:
    """List the first positions of a value and a remoteness."""
    entry = request.app.state.library.entry(request.path_params["name"])
    value, remoteness = _choice(request)
    found = await run_in_threadpool(first_positions, entry.solution, value, remoteness, FOUND)
    rows = [
        {
            "text": entry.solution.space.text(position),
            "outcome": entry.solution[position],
            "url": Address(entry.name, text_at(entry.solution, position)).url(),
        }
        for position in found
    ]
    what = describe(value, remoteness)
    return render(
        request, "find.html", entry=entry, rows=rows, what=what, most=FOUND, value=value,
        remoteness=remoteness,
    )  # fmt: skip


async def at_random(request: Request) -> Response:
    """Go to a random position of a value and a remoteness."""
    entry = request.app.state.library.entry(request.path_params["name"])
    position = await run_in_threadpool(random_position, entry.solution, *_choice(request))
    url = Address(entry.name, text_at(entry.solution, position)).url()
    return RedirectResponse(url, 303, {"Cache-Control": "no-store"})


def _choice(request: Request) -> tuple[Value | None, int | None]:
    query = request.query_params
    return parse_choice(query.get("value", ""), query.get("remoteness", ""))


def levels(solution: Solution) -> list[dict[str, Any]]:
    """Return the number of positions of each value at each remoteness, and how many up to it."""
    histogram = solution.histogram()
    plies = sorted({r for value in FINISHED for r in histogram[value] if r is not None})
    rows, decided = [], 0
    for level in plies:
        counts = {value: histogram[value].get(level, 0) for value in FINISHED}
        total = sum(counts.values())
        decided += total
        rows.append({"plies": level, "counts": counts, "total": total, "decided": decided})
    return rows


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

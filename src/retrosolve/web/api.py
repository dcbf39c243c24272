"""The API for programs: read only, JSON, described at /openapi.json."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from retrosolve.errors import RetrosolveError
from retrosolve.solution import Solution
from retrosolve.web.address import AddressError, position_at
from retrosolve.web.filters import parse_choice, random_position
from retrosolve.web.library import Entry
from retrosolve.web.limits import MAX_BATCH, MAX_LINE, MAX_POSITIONS, POSITIONS
from retrosolve.web.pages.graph import neighborhood as positions_around
from retrosolve.web.records import game_record, outcome_record, position_record

SURROGATE = re.compile("[\ud800-\udfff]")  # JSON may have one alone, which no encoding of text has


async def games(request: Request) -> Response:
    """Return the games."""
    entries = request.app.state.library.entries()
    return JSONResponse({"games": [{"name": entry.name, "title": entry.title} for entry in entries]})


async def game(request: Request) -> Response:
    """Return a game with its counts and its histogram."""
    return JSONResponse(game_record(_entry(request)))


async def position(request: Request) -> Response:
    """Return a position with all its moves."""
    solution = _entry(request).solution
    return JSONResponse(position_record(solution, _asked(request, solution)))


async def line(request: Request) -> Response:
    """Return perfect play from a position."""
    solution = _entry(request).solution
    plies = _number(request, "plies", 100, MAX_LINE)
    moves = solution.line(_asked(request, solution), plies)
    return JSONResponse(
        {"line": [{"name": m.name, **outcome_record(solution, m.position, m.outcome)} for m in moves]}
    )


async def at_random(request: Request) -> Response:
    """Return a random position."""
    solution = _entry(request).solution
    query = request.query_params
    choice = parse_choice(query.get("value", ""), query.get("remoteness", ""))
    found = await run_in_threadpool(random_position, solution, *choice)
    return JSONResponse(position_record(solution, found), headers={"Cache-Control": "no-store"})


async def neighborhood(request: Request) -> Response:
    """Return the positions around a position."""
    entry = _entry(request)
    limit = _number(request, "limit", POSITIONS, MAX_POSITIONS)
    center, hints = _asked(request, entry.solution), request.query_params.get("hints") != "no"
    return JSONResponse(
        await run_in_threadpool(positions_around, entry.solution, entry.name, center, limit, hints)
    )


async def probe(request: Request) -> Response:
    """Return the outcome of each of some positions."""
    solution = _entry(request).solution
    texts = _batch(await request.body())
    return JSONResponse({"positions": [_probed(solution, text) for text in texts]})


def _probed(solution: Solution, text: str) -> dict[str, Any]:
    """Return the outcome of a position, or what is wrong with it."""
    try:
        found, _ = position_at(solution, text)
        return outcome_record(solution, found, solution[found])
    except RetrosolveError as error:
        return {"position": text, "error": str(error)}


def _batch(body: bytes) -> list[str]:
    """Return the positions in the body of a request. Raises AddressError."""
    expected = f'expected {{"positions": [text, ...]}} with at most {MAX_BATCH} positions'
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        raise AddressError(f"the body is no JSON: {expected}") from None
    texts = found.get("positions") if isinstance(found, dict) else None
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise AddressError(f"the body holds no list of texts: {expected}")
    if len(texts) > MAX_BATCH:
        raise AddressError(f"the body holds {len(texts)} positions: {expected}")
    for number, text in enumerate(texts, 1):
        if not text.isascii() and SURROGATE.search(text):
            raise AddressError(f"position {number} of the body holds a lone surrogate: {expected}")
    return texts


def _entry(request: Request) -> Entry:
    """Return the game that the address names."""
    entry: Entry = request.app.state.library.entry(request.path_params["name"])
    return entry


def _asked(request: Request, solution: Solution) -> Hashable:
    """Return the position that the address names."""
    return position_at(solution, request.query_params.get("at") or None)[0]


def _number(request: Request, name: str, default: int, most: int) -> int:
    """Return a whole number from the address. Raises AddressError."""
    text = request.query_params.get(name, "")
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= most):
        raise AddressError(f"{name}={text!r}: expected a number from 1 to {most}")
    return int(text)

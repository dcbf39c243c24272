"""The page of the film: how the algorithm decides every position of a small game, step by step."""

from __future__ import annotations

import json

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from retrosolve.explanation.steps import MAX_VERTICES, Translate, steps_of
from retrosolve.web.address import Address
from retrosolve.web.film import board_of, film, places, trace_of
from retrosolve.web.library import Library
from retrosolve.web.rendering import asked_language, catalogue, render


async def page(request: Request) -> Response:
    """Show the film of a game; the page itself has the words of a small one, for who reads no film."""
    entry = await run_in_threadpool(request.app.state.library.entry, request.path_params["name"])
    found = await run_in_threadpool(trace_of, entry)
    has_board = board_of(entry.solution) is not None
    explained = len(found.names) <= MAX_VERTICES
    return render(
        request, "film.html", entry=entry,
        address=Address(entry.name, language=asked_language(request)),
        players=entry.solution.space.players, has_board=has_board,
        drawn=not has_board and places(found) is not None,
        owned=found.owner is not None, positions=len(found.names),
        text=str(steps_of(found, catalogue(request).gettext)) if explained else None,
    )  # fmt: skip


async def data(request: Request) -> Response:
    """Return the film of a game."""
    name, translate = request.path_params["name"], catalogue(request).gettext
    text = await run_in_threadpool(film_text, request.app.state.library, name, translate)
    return Response(text, media_type="application/json")


def film_text(library: Library, name: str, translate: Translate) -> str:
    """Return the film of a game as JSON, which takes a while for a large one."""
    return json.dumps(film(library.entry(name), translate), ensure_ascii=False, separators=(",", ":"))

"""The page of the film: how the algorithm decides every position of a small game, step by step."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from retrosolve.explanation.algorithm import MAX_VERTICES, steps_of
from retrosolve.web.address import Address
from retrosolve.web.film import film, places, trace_of
from retrosolve.web.rendering import catalogue, render


async def page(request: Request) -> Response:
    """Show the film of a game; the page itself has the words of a small one, for who reads no film."""
    entry = request.app.state.library.entry(request.path_params["name"])
    found = await run_in_threadpool(trace_of, entry)
    space = entry.solution.space
    board = getattr(getattr(space, "rules", None), "board", None)
    explained = len(found.names) <= MAX_VERTICES
    return render(
        request, "film.html", entry=entry, address=Address(entry.name), players=space.players,
        has_board=board is not None, drawn=board is None and places(found) is not None,
        owned=found.owner is not None, positions=len(found.names),
        text=str(steps_of(found, catalogue(request).gettext)) if explained else None,
    )  # fmt: skip


async def data(request: Request) -> Response:
    """Return the film of a game."""
    entry = request.app.state.library.entry(request.path_params["name"])
    return JSONResponse(await run_in_threadpool(film, entry, catalogue(request).gettext))

"""The page of a neighbourhood: the positions around a position, drawn as a graph."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from retrosolve.web.address import parse_address
from retrosolve.web.neighborhood import MAX_POSITIONS, neighborhood
from retrosolve.web.play import scene
from retrosolve.web.rendering import render

POSITIONS = 60


async def page(request: Request) -> Response:
    """Draw the neighbourhood of a position."""
    entry = request.app.state.library.entry(request.path_params["name"])
    address = parse_address(entry.name, request.query_params)
    shown = scene(entry.solution, address)
    around = neighborhood(entry.solution, entry.name, shown.position, POSITIONS)
    return render(
        request, "graph.html", entry=entry, address=address, around=around, most=MAX_POSITIONS,
        text=entry.solution.space.text(shown.position),
    )  # fmt: skip

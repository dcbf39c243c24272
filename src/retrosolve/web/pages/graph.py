"""The page of a neighbourhood: the positions around a position, drawn as a graph."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.values import Outcome, Value
from retrosolve.web.address import parse_address
from retrosolve.web.limits import POSITIONS
from retrosolve.web.neighborhood import graph_url, neighborhood
from retrosolve.web.rendering import catalogue, render
from retrosolve.web.scene import scene
from retrosolve.web.wording import standing


async def page(request: Request) -> Response:
    """Draw the neighbourhood of a position."""
    entry = request.app.state.library.entry(request.path_params["name"])
    shown = scene(entry.solution, parse_address(entry.name, request.query_params))
    hints = shown.address.hints
    around = neighborhood(entry.solution, entry.name, shown.position, POSITIONS, hints)
    to = catalogue(request)
    for node in around["nodes"] if hints else ():
        value = Value.parse(node["value"])
        node["symbol"] = APPEARANCE[value].symbol
        node["result"] = standing(Outcome(value, node["remoteness"]), to)
    return render(
        request,
        "graph.html",
        entry=entry,
        address=shown.address,
        around=around,
        text=entry.solution.space.text(shown.position),
        source=graph_url(entry.solution, entry.name, shown.position, hints),
    )

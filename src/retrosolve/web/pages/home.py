"""The first page: the games, or the only one of them."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from retrosolve.tables.summary import REPORTED_VALUES
from retrosolve.web.rendering import render


async def page(request: Request) -> Response:
    """List the games."""
    entries = request.app.state.library.entries()
    rows = [
        {"entry": entry, "counts": entry.solution.counts(), "size": len(entry.solution)}
        for entry in entries
    ]
    return render(request, "home.html", rows=rows, values=REPORTED_VALUES)

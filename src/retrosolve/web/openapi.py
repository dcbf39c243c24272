"""The description of the API, OpenAPI 3.1."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from retrosolve.runtime.release import __version__


async def page(request: Request) -> Response:
    """Return the description."""
    return JSONResponse(description())


def description() -> dict[str, Any]:
    """Return the description of the API."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "retrosolve explorer", "version": __version__},
        "paths": {},
    }

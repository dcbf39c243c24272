"""What is wrong with a request, in a sentence: a page for people, an object for programs."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from retrosolve.errors import PositionError, RetrosolveError
from retrosolve.languages import mark
from retrosolve.web.address import AddressError
from retrosolve.web.library import NoSuchGameError
from retrosolve.web.rendering import catalogue, render

API = "/api/"
PAGES = ("/g/", "/edit/")
FORBIDDEN = 403  # to another site, not to the reader who asks again
log = logging.getLogger(__name__)

HEADINGS = {404: mark("Not found"), 500: mark("Something went wrong")}
REFUSED = mark("This request cannot be answered")
SENTENCES = {
    404: "there is no such page: expected one that the explorer links to",
    405: "this page is only read: expected GET",
}


def refuse(request: Request, error: Exception) -> Response:
    """Return the answer to a request that HTTP or a page refuses."""
    status = error.status_code if isinstance(error, HTTPException) else status_of(error)
    sentence = str(error.detail if isinstance(error, HTTPException) else error)
    if isinstance(error, HTTPException) and sentence == HTTPStatus(status).phrase:
        sentence = SENTENCES.get(status, sentence)
    headers = dict(getattr(error, "headers", None) or {})
    return _answer(request, status, sentence, headers)


def fail(request: Request, error: Exception) -> Response:
    """Return the answer to a request that met an error of our own; its traceback is logged."""
    log.error("%s %r", request.method, request.scope["path"], exc_info=error)
    sentence = "the explorer failed at this page, and its log says where; other pages may work"
    return _answer(request, 500, sentence, {})


def gone(request: Request, error: Exception) -> Response:
    """Return an answer for nobody: the client left before it had sent all of its request."""
    return Response(status_code=400)


def status_of(error: Exception) -> int:
    """Return the status of an error in the input."""
    if isinstance(error, PositionError | NoSuchGameError):
        return 404
    return 400 if isinstance(error, AddressError) else 422


def _answer(request: Request, status: int, sentence: str, headers: dict[str, str]) -> Response:
    if request.scope["path"].startswith(API):
        return JSONResponse({"error": sentence}, status, headers)
    heading = catalogue(request).gettext(HEADINGS.get(status, REFUSED))
    again = request.url.path if status == FORBIDDEN and request.url.path.startswith(PAGES) else ""
    again += f"?{request.url.query}" if again and request.url.query else ""
    answer = render(request, "error.html", status, heading=heading, sentence=sentence, again=again)
    answer.headers.update(headers)
    return answer


HANDLERS: dict[Any, Any] = {
    HTTPException: refuse,
    RetrosolveError: refuse,
    ClientDisconnect: gone,
}

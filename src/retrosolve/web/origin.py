"""Requests that the page of another site makes a browser send: they are shown what is open, no more."""

from __future__ import annotations

import re

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from retrosolve.web.errors import refuse
from retrosolve.web.library import Library

OWN = ("same-origin", "none")  # a page of the explorer, or the reader: an address that was typed
READ_ONLY = ("GET", "HEAD")
POSITION = re.compile("/g/([^/]+)/")
WITHOUT_WORK = ("/", "/openapi.json")
SENTENCE = "a page of another site asked for this: expected the explorer's own, or the address bar"


class OwnPages:
    """Answers 403 to what another site asks for, unless it is a link to a page that takes no work.

    Those are the list of games, and the positions of a game that is open already. Nothing is solved,
    opened, loaded or searched for another site.

    Parameters
    ----------
    app : ASGI application
        The pages.
    library : Library
    """

    def __init__(self, app: ASGIApp, library: Library) -> None:
        self.app = app
        self.library = library

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            if is_foreign(headers) and not self._takes_no_work(scope, headers):
                await refuse(Request(scope), HTTPException(403, SENTENCE))(scope, receive, send)
                return
        await self.app(scope, receive, send)

    def _takes_no_work(self, scope: Scope, headers: Headers) -> bool:
        """Return whether a request only shows what is there."""
        path: str = scope["path"]
        if scope["method"] not in READ_ONLY:
            return False
        if path in WITHOUT_WORK or path.startswith("/static/"):
            return True
        game = POSITION.fullmatch(path)
        follows_link = headers.get("sec-fetch-mode") == "navigate"
        return game is not None and follows_link and self.library.is_open(game[1])


def is_foreign(headers: Headers) -> bool:
    """Return whether a browser says that another site has asked; other programs say nothing.

    Another port of this computer is another site. Browsers that do not say so send an origin with what
    is no plain GET.

    >>> is_foreign(Headers({"sec-fetch-site": "cross-site"})), is_foreign(Headers({"host": "x"}))
    (True, False)
    """
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None:
        return site not in OWN
    return origin is not None and origin.partition("://")[2] != headers.get("host")

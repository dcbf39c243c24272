"""The headers of every answer, and requests that are refused: too large, for another host or site."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from retrosolve.runtime.files import short_repr
from retrosolve.web import limits
from retrosolve.web.library import Library
from retrosolve.web.limits import MAX_BODY, MAX_URL
from retrosolve.web.rendering import fail, refuse

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors "
)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
HOST = re.compile(r"([a-z0-9._-]*|\[[0-9a-f:.]+\])(?::([0-9]{0,5}))?")
MAX_PORT = (1 << 16) - 1


class Guard:
    """Checks requests before any page sees them, and adds headers to every answer.

    Parameters
    ----------
    app : ASGI application
        The pages.
    hosts : iterable of str
        The names under which the explorer may be asked for, any name if empty. So no page of another
        site can make its own name lead here.
    embedding : iterable of str
        The sites that may show pages within a frame.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = (), embedding: Iterable[str] = ()) -> None:
        self.app = app
        self.hosts = frozenset(hosts)
        policy = POLICY + (" ".join(embedding) or "'none'")
        headers = {"Content-Security-Policy": policy, **HEADERS}
        self._headers = [(name.lower().encode(), value.encode()) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        started = False

        async def send_guarded(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message["headers"] = [*message["headers"], *self._headers]
            await send(message)

        refusal = self._refusal(scope)
        if refusal is not None:
            await refuse(Request(scope), refusal)(scope, receive, send_guarded)
            return
        try:
            await self.app(scope, LimitedBody(receive), send_guarded)
        except Exception as error:
            if started:
                raise
            await fail(Request(scope), error)(scope, receive, send_guarded)

    def _refusal(self, scope: Scope) -> HTTPException | None:
        """Return the error for a request that is refused for its first lines."""
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        name = host_name(hosts[0]) if len(hosts) == 1 else "" if not hosts else None
        if name is None:
            given = short_repr(hosts[0]) if len(hosts) == 1 else f"given {len(hosts)} times"
            expected = "expected one name, and a port if need be"
            return HTTPException(400, f"the header Host is {given}: {expected}")
        if self.hosts and name not in self.hosts:
            expected = ", ".join(sorted(self.hosts))
            return HTTPException(421, f"this host is not served here: expected one of {expected}")
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > MAX_URL:
            return HTTPException(414, f"the address is too long: expected at most {MAX_URL} bytes")
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit() and len(length) < 20 and int(length) <= MAX_BODY):
            return HTTPException(413, f"the body is too large: expected at most {MAX_BODY} bytes")
        return None


class LimitedBody:
    """The body of a request, limited in size and in the time that it takes to arrive.

    Parameters
    ----------
    receive : callable
        The messages of the server.
    """

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._size = 0
        self._deadline: float | None = None
        self._complete = False

    async def __call__(self) -> Message:
        """Return the next message. Raises HTTPException if it is too large or too late."""
        if self._complete:
            return await self._receive()
        if self._deadline is None:
            self._deadline = asyncio.get_running_loop().time() + limits.ARRIVAL_SECONDS
        try:
            async with asyncio.timeout_at(self._deadline):
                message = await self._receive()
        except TimeoutError:
            expected = f"expected it within {limits.ARRIVAL_SECONDS:g} seconds"
            raise HTTPException(408, f"the body did not arrive: {expected}") from None
        self._size += len(message.get("body", b""))
        self._complete = not message.get("more_body", False)
        if self._size > MAX_BODY:
            raise HTTPException(413, f"the body is too large: expected at most {MAX_BODY} bytes")
        return message


def host_name(host: str) -> str | None:
    """Return the name in a header ``Host``, without the port; None for what is no name of a host.

    Names are compared as they are, but for case: no user, no zone, no dot at the end, no second way to
    write an IPv6 address is understood, since no browser sends these for an address that a page shows.

    Examples
    --------
    >>> host_name("LOCALHOST:8000"), host_name("[::1]:8000"), host_name("[::1].pages.example")
    ('localhost', '[::1]', None)
    """
    match = HOST.fullmatch(host.lower())
    return None if match is None or int(match[2] or 0) > MAX_PORT else match[1]


OWN = ("same-origin", "none")  # a page of the explorer, or the reader: an address that was typed
READ_ONLY = ("GET", "HEAD")
POSITION = re.compile("/g/([^/]+)/?")
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
    embedding : bool
        Whether other sites may show positions within a frame, those of saved solutions that nobody has
        looked at yet included.
    """

    def __init__(self, app: ASGIApp, library: Library, embedding: bool = False) -> None:
        self.app = app
        self.library = library
        self.embedding = embedding

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
        if game is None or not follows_link:
            return False
        in_frame = self.embedding and headers.get("sec-fetch-dest") == "iframe"
        return self.library.is_open(game[1]) or (in_frame and self.library.is_listed(game[1]))


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

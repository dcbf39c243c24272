"""What every answer carries, and what no request may do."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from retrosolve.web import limits
from retrosolve.web.errors import fail, refuse
from retrosolve.web.limits import MAX_BODY, MAX_URL

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
RAW_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]


class Guard:
    """Checks requests before any page sees them, and adds headers to every answer.

    Parameters
    ----------
    app : ASGI application
        The pages.
    hosts : iterable of str
        The names under which the explorer may be asked for, any name if empty. So no page of another
        site can make its own name lead here.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = ()) -> None:
        self.app = app
        self.hosts = frozenset(hosts)

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
                message["headers"] = [*message["headers"], *RAW_HEADERS]
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
        if self.hosts and host_name(headers.get("host", "")) not in self.hosts:
            expected = ", ".join(sorted(self.hosts))
            return HTTPException(421, f"this host is not served here: expected one of {expected}")
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > MAX_URL:
            return HTTPException(414, f"the address is too long: expected at most {MAX_URL} bytes")
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > MAX_BODY:
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


def host_name(host: str) -> str:
    """Return the name in a header ``Host``, without the port.

    >>> host_name("LOCALHOST:8000"), host_name("[::1]:8000")
    ('localhost', '[::1]')
    """
    name, bracket, _ = host.lower().partition("]")
    return name + bracket if bracket else name.partition(":")[0]

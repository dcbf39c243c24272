"""Answers compressed by gzip, for clients that take it.

Starlette's own middleware does the same and also compresses streams, which no page here is; it takes
three times as long for a page of 10 kB.
"""

from __future__ import annotations

import zlib

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MIN_COMPRESSED = 1000  # bytes of an answer
LEVEL = 1  # higher levels take twice the time and save a tenth
GZIP = 16 + zlib.MAX_WBITS  # the format of zlib's output
COMPRESSIBLE = ("text/", "application/json", "image/svg+xml")


class Compressed:
    """Compresses answers that are sent in one piece.

    Parameters
    ----------
    app : ASGI application
        The pages.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http" or "gzip" not in Headers(scope=scope).get("accept-encoding", ""):
            await self.app(scope, receive, send)
            return
        start: Message = {}

        async def send_compressed(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
                return
            if start:
                await send(_compress(start, message))
                start = {}
            await send(message)

        await self.app(scope, receive, send_compressed)


def _compress(start: Message, message: Message) -> Message:
    """Compress the body of an answer in place, if that pays, and return how the answer starts."""
    headers = MutableHeaders(raw=[*start["headers"]])
    body = message.get("body", b"")
    is_text = headers.get("content-type", "").startswith(COMPRESSIBLE)
    is_whole = not message.get("more_body", False) and len(body) >= MIN_COMPRESSED
    if is_text and is_whole and "content-encoding" not in headers:
        message["body"] = zlib.compress(body, LEVEL, GZIP)
        headers["Content-Encoding"] = "gzip"
        headers["Content-Length"] = str(len(message["body"]))
        headers.add_vary_header("Accept-Encoding")
    return {**start, "headers": headers.raw}

"""The server: uvicorn, with limits on what a client may send and on how long others wait for it."""

from __future__ import annotations

import asyncio
import gc
import os
import socket
import sys
import threading
from collections import Counter
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Self, cast

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from retrosolve.web import limits

GRACE_SECONDS = 2
BACKLOG = 1024
NO_REQUEST = "the request is not HTTP/1.1: expected a method such as GET, an address and headers"
HEAD_TOO_LONG = "the address and the headers of the request are too long: expected at most {} bytes"
TOO_MANY_HEADERS = "the request has too many headers: expected at most {}"


class HeadTooLargeError(Exception):
    """The head of a request exceeds a limit; it stops the parser."""


class PromptProtocol(HttpToolsProtocol):
    """HTTP/1.1 for clients that nobody has to wait for.

    A request that does not arrive in time is answered 408, one whose head is too large 431. A client
    that does not read its answer loses the connection. A connection too many takes the place of the
    one that has been idle for the longest time, among those of the address that has the most; if none
    is idle, it is answered 503.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.idle_since = 0.0
        self._last: Any = None
        self._deadline: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None
        self._in_head = False
        self._head_bytes = 0  # as the parser hands them over, each header when it is complete
        self._unfinished_bytes = 0  # as they arrive, until the head is complete
        self._refusal: tuple[int, str] | None = None

    @property
    def idle(self) -> bool:
        """Whether the server waits for the client, to send all of a request or to read an answer."""
        cycle = self.cycle
        complete = cycle is not None and not cycle.response_complete and not cycle.more_body
        return not complete or self.flow.write_paused

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start to wait for the first request."""
        super().connection_made(transport)
        self.idle_since = self.loop.time()
        self._expect()
        if len(self.connections) > limits.MAX_CONNECTIONS:
            self._make_room()

    def data_received(self, data: bytes) -> None:
        """Read a part of a request."""
        if self._deadline is None and (self.cycle is None or self.cycle.response_complete):
            self._expect()
        super().data_received(data)
        if self.cycle is not self._last:
            self._last = self.cycle
            self._stop_waiting()
        if self._in_head:
            self._unfinished_bytes += len(data)
            if self._unfinished_bytes > limits.MAX_HEAD:
                self._end(431, HEAD_TOO_LONG.format(limits.MAX_HEAD))

    def on_message_begin(self) -> None:
        """Begin a request."""
        self._in_head, self._head_bytes, self._unfinished_bytes = True, 0, 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Take over a part of the address."""
        self._check_head(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take over a header, or one behind the body."""
        self._check_head(len(name) + len(value))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Begin to answer."""
        self._in_head = False
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer a request that the parser refuses."""
        self._end(*(self._refusal or (400, NO_REQUEST)))

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self.idle_since = self.loop.time()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Start to wait for a client that does not read its answer."""
        super().pause_writing()
        self._stalled = self.loop.call_later(limits.IDLE_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on with an answer."""
        self._stop_waiting_for_reader()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop to wait."""
        self._stop_waiting()
        self._stop_waiting_for_reader()
        super().connection_lost(exc)

    def _check_head(self, size: int) -> None:
        """Count the bytes and the headers of a request. Raises HeadTooLargeError."""
        self._head_bytes += size
        if self._head_bytes > limits.MAX_HEAD:
            self._refusal = 431, HEAD_TOO_LONG.format(limits.MAX_HEAD)
            raise HeadTooLargeError
        if len(self.headers) >= limits.MAX_HEADERS:
            self._refusal = 431, TOO_MANY_HEADERS.format(limits.MAX_HEADERS)
            raise HeadTooLargeError

    def _make_room(self) -> None:
        """End the connection that has been idle for the longest time, or this one if none is idle."""
        connections = cast("set[PromptProtocol]", self.connections)
        others = [other for other in connections if other is not self and other.idle]
        if not others:
            self._end(503, f"{len(connections) - 1} requests are being answered: expected fewer")
            return
        counts = Counter(_address_of(other) for other in connections)
        idlest = min(others, key=lambda other: (-counts[_address_of(other)], other.idle_since))
        connections.discard(idlest)  # the next connection finds another one
        idlest.transport.abort()

    def _expect(self) -> None:
        self._deadline = self.loop.call_later(limits.ARRIVAL_SECONDS, self._give_up)

    def _stop_waiting(self) -> None:
        """Cancel the time limit of a request."""
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _stop_waiting_for_reader(self) -> None:
        """Cancel the time limit of a client that reads an answer."""
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def _give_up(self) -> None:
        """Answer that the request took too long."""
        self._deadline = None
        expected = f"expected it within {limits.ARRIVAL_SECONDS:g} seconds"
        self._end(408, f"the request did not arrive: {expected}")

    def _end(self, status: int, sentence: str) -> None:
        """Answer in one sentence, and end the connection."""
        if not self.transport.is_closing():
            body = f"{sentence}\n".encode()
            head = (
                f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n"
                f"Content-Type: text/plain; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
                "Connection: close\r\n\r\n"
            )
            self.transport.write(head.encode() + body)
            self.transport.close()


def _address_of(connection: PromptProtocol) -> str:
    return connection.client[0] if connection.client else ""


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens. Raises OSError if the address is taken or of another computer."""
    return _bound(host, port, shared=False)


def listen_shared(host: str, port: int, processes: int) -> list[socket.socket]:
    """Return a socket for each process, all of one address, among which Linux divides connections.

    Elsewhere it is the same socket, and the process that wakes up first takes all that wait.

    Raises
    ------
    OSError
        If the address is taken or of another computer.
    """
    first = listen(host, port)
    if processes == 1 or sys.platform != "linux":
        return [first] * processes
    port = first.getsockname()[1]  # nobody else listens there
    first.close()
    return [_bound(host, port, shared=True) for _ in range(processes)]


def _bound(host: str, port: int, shared: bool) -> socket.socket:
    """Return a socket that listens, alone or with others of the same address."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening


def run(app: Starlette, listening: list[socket.socket]) -> None:
    """Serve an application until the process is interrupted.

    Parameters
    ----------
    app : Starlette
    listening : list of socket
        One for each process; those after the first are forks of this one, and end with it.
    """
    alive, kept_open = os.pipe()
    children = []
    for number in range(1, len(listening)):
        child = os.fork()
        if child == 0:
            os.close(kept_open)
            _serve(app, _only(listening, number), alive)
            os._exit(0)
        children.append(child)
    try:
        _serve(app, _only(listening, 0), None)
    finally:
        os.close(kept_open)
        os.close(alive)
        for child in children:
            os.waitpid(child, 0)


class Background:
    """A server in a thread of its own, while the main thread has other work.

    It ends with the block.

    Parameters
    ----------
    app : Starlette
    listening : socket
    """

    def __init__(self, app: Starlette, listening: socket.socket) -> None:
        self._server = server_of(app)
        self._listening = listening
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def wait(self) -> None:
        """Serve until a signal raises an exception.

        No server of the main thread takes over: connections that this one has accepted would be reset.
        """
        gc.freeze()  # collections of what was imported would hold up the pages that wait
        self._ended.wait()  # joining a thread, once interrupted, takes it for ended in Python 3.11

    def __exit__(self, *unused: object) -> None:
        self._server.should_exit = True
        if self._ended.wait(2 * GRACE_SECONDS):
            self._thread.join()

    def _run(self) -> None:
        try:
            self._server.run([self._listening])
        finally:
            self._ended.set()


def _only(listening: list[socket.socket], number: int) -> socket.socket:
    """Return the socket of this process, and close those of others: what connects there would wait."""
    kept = listening[number]
    for other in listening:
        if other is not kept:
            other.close()
    return kept


def server_of(app: Starlette) -> uvicorn.Server:
    """Return a server of an application, not started."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            http=PromptProtocol,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=int(limits.IDLE_SECONDS),
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
    )


def _serve(app: Starlette, listening: socket.socket, parent: int | None) -> None:
    """Serve until a signal, or until the other end of the pipe ``parent`` is closed."""
    server = server_of(app)
    gc.freeze()  # see Background.wait

    async def serve() -> None:
        if parent is not None:
            asyncio.get_running_loop().add_reader(parent, setattr, server, "should_exit", True)
        await server.serve([listening])

    loop = server.config.get_loop_factory()
    # uvicorn raises KeyboardInterrupt again after an orderly end.
    with suppress(KeyboardInterrupt), asyncio.Runner(loop_factory=loop) as runner:
        runner.run(serve())

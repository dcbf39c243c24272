"""The server: uvicorn, with a limit on how long a request may take to arrive."""

from __future__ import annotations

import asyncio
import gc
import os
import socket
import sys
from contextlib import suppress
from typing import Any

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from retrosolve.web import limits

KEEP_ALIVE_SECONDS = 30
GRACE_SECONDS = 2
MAX_CONNECTIONS = 512
BACKLOG = 1024


class PromptProtocol(HttpToolsProtocol):
    """HTTP/1.1 that answers 408 to a client whose request does not arrive in time."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._last: Any = None
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start to wait for the first request."""
        super().connection_made(transport)
        self._expect()

    def data_received(self, data: bytes) -> None:
        """Read a part of a request."""
        if self._deadline is None and (self.cycle is None or self.cycle.response_complete):
            self._expect()
        super().data_received(data)
        if self.cycle is not self._last:
            self._last = self.cycle
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop to wait."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _expect(self) -> None:
        self._deadline = self.loop.call_later(limits.ARRIVAL_SECONDS, self._give_up)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        """Answer that the request took too long."""
        self._deadline = None
        if not self.transport.is_closing():
            sentence = (
                f"the request did not arrive: expected it within {limits.ARRIVAL_SECONDS:g} seconds\n"
            )
            head = (
                "HTTP/1.1 408 Request Timeout\r\nContent-Type: text/plain; charset=utf-8\r\n"
                f"Content-Length: {len(sentence)}\r\nConnection: close\r\n\r\n"
            )
            self.transport.write((head + sentence).encode())
            self.transport.close()


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
    found = socket.socket(family, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        found.bind((host, port))
        found.listen(BACKLOG)
    except OSError:
        found.close()
        raise
    return found


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
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=GRACE_SECONDS,
            limit_concurrency=MAX_CONNECTIONS,
        )
    )


def _serve(app: Starlette, listening: socket.socket, parent: int | None) -> None:
    """Serve until a signal, or until the other end of the pipe ``parent`` is closed."""
    server = server_of(app)
    gc.freeze()  # what was imported stays: looking through it would hold up the pages that wait

    async def serve() -> None:
        if parent is not None:
            asyncio.get_running_loop().add_reader(parent, setattr, server, "should_exit", True)
        await server.serve([listening])

    loop = server.config.get_loop_factory()
    # uvicorn raises KeyboardInterrupt again after an orderly end.
    with suppress(KeyboardInterrupt), asyncio.Runner(loop_factory=loop) as runner:
        runner.run(serve())

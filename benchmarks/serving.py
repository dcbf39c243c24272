"""The explorer under load: many clients ask for pages of random positions. Prints the latencies.

    python benchmarks/serving.py [SAVED] [CLIENTS] [REQUESTS] [PROCESSES]
    python benchmarks/serving.py mixed [CLIENTS] [REQUESTS] [PROCESSES]

Without SAVED, Teeko is solved and kept in build/teeko, which takes some minutes once. ``mixed`` asks
for positions of a chess ending, and with a third of the requests for what takes long: structures, films
and mutual zugzwangs; latencies are those of positions. The explorer has processes of its own, by
default two; each client sends its next request when it has the last answer.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import numpy as np
import uvloop

import retrosolve as rs
from retrosolve.games import parse_game

BUILD = Path(__file__).parent.parent / "build"
TEEKO, MIXED = BUILD / "teeko", BUILD / "mixed"
HEAVY = (
    "/g/krk/structure", "/g/tictactoe/film", "/api/games/tictactoe/film", "/g/krk/zugzwang",
    "/g/tictactoe/structure",
)  # fmt: skip
LENGTH = re.compile(rb"(?i)content-length: (\d+)")
WARM_UP = 12_000  # pages, after which the blocks that are kept of the table are as many as ever


def addresses(saved: Path, count: int) -> list[str]:
    """Return the addresses of pages of random positions."""
    solution = rs.open(saved)
    space, chance = solution.space, random.Random(1)
    found: list[str] = []
    while len(found) < count:
        vertex = chance.randrange(space.num_vertices)
        position = space.position(vertex)
        if position in solution:
            query = urlencode({"at": space.text(position)})
            found.append(f"/g/{quote(saved.name)}/?{query}")
    return found


class Client(asyncio.Protocol):
    """Asks for pages on one connection until none is left; reads no more of an answer than its length.

    Parameters
    ----------
    host : str
    todo : list of str
        Addresses, shared by all clients.
    seconds : list of float
        Receives the latency of each request, but for those of HEAVY.
    wrong : list of str
        Receives what was no page.
    """

    def __init__(self, host: str, todo: list[str], seconds: list[float], wrong: list[str]) -> None:
        self.host, self.todo, self.seconds, self.wrong = host, todo, seconds, wrong
        self.done = asyncio.get_running_loop().create_future()
        self.head, self.missing = b"", 0

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self.ask()

    def ask(self) -> None:
        """Send the next request."""
        if not self.todo:
            self.transport.close()
            return
        self.head = b""
        self.start = time.perf_counter()
        self.path = self.todo.pop()
        self.transport.write(f"GET {self.path} HTTP/1.1\r\nHost: {self.host}\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        if self.head:
            self.missing -= len(data)
        else:  # the head of an answer comes in one part
            self.head, _, body = data.partition(b"\r\n\r\n")
            length = LENGTH.search(self.head)
            assert length is not None
            self.missing = int(length[1]) - len(body)
        if not self.missing:
            if self.path not in HEAVY:
                self.seconds.append(time.perf_counter() - self.start)
            if self.path != "/g/krk/zugzwang" and not self.head.startswith(b"HTTP/1.1 200"):
                self.wrong.append(self.head.split(b"\r\n")[0].decode())
            self.ask()

    def connection_lost(self, exc: Exception | None) -> None:
        if self.todo:
            self.wrong.append("a connection was lost")
        self.done.set_result(None)


async def load(host: str, port: int, paths: list[str], clients: int) -> tuple[list[float], list[str]]:
    """Return the latency of each request, and what was no page."""
    todo, seconds, wrong = list(paths), list[float](), list[str]()
    loop = asyncio.get_running_loop()
    made = [
        await loop.create_connection(lambda: Client(host, todo, seconds, wrong), host, port)
        for _ in range(clients)
    ]
    await asyncio.gather(*(protocol.done for _, protocol in made))
    return seconds, wrong


def used(process: int) -> float:
    """Return the CPU time of a process and of those that it started, in seconds."""
    spent = 0.0
    for part in (process, *children(process)):
        fields = Path(f"/proc/{part}/stat").read_text().rpartition(")")[2].split()
        spent += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return spent


def resident(process: int) -> float:
    """Return the memory of a process and of those that it started, in MB; what they share once."""
    found = 0.0
    for part in (process, *children(process)):
        rows = Path(f"/proc/{part}/smaps_rollup").read_text().splitlines()
        found += next(int(row.split()[1]) for row in rows if row.startswith("Pss:")) / 1e3
    return found


def children(process: int) -> list[int]:
    """Return the processes that a process has started."""
    return [int(n) for n in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def main(saved: Path, clients: int, requests: int, processes: int) -> None:
    if saved == MIXED:
        for name, game in (("krk", "chess:KRK"), ("tictactoe", "tictactoe")):
            if not (saved / name).exists():
                saved.mkdir(parents=True, exist_ok=True)
                rs.solve(parse_game(game)).save(saved / name)
        paths = addresses(saved / "krk", WARM_UP + requests)
        paths[::3] = [HEAVY[k % len(HEAVY)] for k in range(len(paths[::3]))]
    else:
        if not saved.exists():
            rs.solve(parse_game("teeko")).save(saved)
        paths = addresses(saved, WARM_UP + requests)
    command = [sys.executable, "-m", "retrosolve", "serve", str(saved), "--no-browser", "--port", "0"]
    command += ["--processes", str(processes)]
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = urlsplit(server.stdout.readline().strip())
        host, port = address.hostname or "", address.port or 0
        try:
            uvloop.run(load(host, port, [paths[0]], 1))
            print(f"first page after {time.perf_counter() - start:.2f} s")
            uvloop.run(load(host, port, paths[:WARM_UP], clients))
            before, spent, own = resident(server.pid), used(server.pid), time.process_time()
            start = time.perf_counter()
            seconds, wrong = uvloop.run(load(host, port, paths[WARM_UP:], clients))
            elapsed = time.perf_counter() - start
            after, spent = resident(server.pid), used(server.pid) - spent
            own = time.process_time() - own
        finally:
            server.terminate()
    low, middle, late, high, last = (1e3 * np.quantile(seconds, q) for q in (0.5, 0.9, 0.95, 0.99, 1))
    print(f"{len(seconds)} pages, {clients} clients, {len(wrong)} errors {wrong[:3]}")
    print(f"{len(seconds) / elapsed:.0f} pages/s; p50 {low:.1f}, p90 {middle:.1f}, p95 {late:.1f}, "
          f"p99 {high:.1f}, max {last:.1f} ms")  # fmt: skip
    each, asking = 1e3 * spent / requests, 1e3 * own / requests
    print(f"CPU a page: {each:.2f} ms in {processes} processes, and {asking:.2f} ms of the clients")
    print(f"memory {before:.1f} MB before, {after:.1f} MB after; {os.cpu_count()} cores")


if __name__ == "__main__":
    arguments = sys.argv[1:]
    main(
        {"mixed": MIXED}.get(arguments[0], Path(arguments[0])) if arguments else TEEKO,
        int(arguments[1]) if len(arguments) > 1 else 50,
        int(arguments[2]) if len(arguments) > 2 else 10_000,
        int(arguments[3]) if len(arguments) > 3 else 2,
    )

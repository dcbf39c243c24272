"""``retrosolve serve``: the command as it is run, from its first line to its end."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import retrosolve as rs
from retrosolve.cli import run
from tests.support.programs import started
from tests.web.drawn import CAUGHT, PATIENCE, connected, games, raw, read, request

ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/\n")
PROGRESS = re.compile(r"^.+: [a-z ]+, \d+( of \d+)?\n", re.M)
SLOW = """
import time
import retrosolve as rs
class Slow(rs.Game):
    def start(self):
        return 1
    def moves(self, n):
        time.sleep(0.0003)
        return [2 * n, 2 * n + 1] if n < {} else []
"""


@contextmanager
def served(
    *arguments: str, port: str = "0", ends: int = 0, **options: Any
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run the command; yields its address, without a slash at the end, and the process. Ctrl-C ends it."""
    command = [sys.executable, "-m", "retrosolve", "serve", *arguments, "--no-browser"]
    command += ["--port", port] * bool(port)
    with started(command, stderr=subprocess.PIPE, **options) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert ADDRESS.fullmatch(line), process.stderr
        yield line.strip().rstrip("/"), process
        process.send_signal(signal.SIGINT)
        rest, complaints = process.communicate(timeout=PATIENCE)
        assert (process.returncode, rest) == (ends, "")
        assert ends or PROGRESS.sub("", complaints) == ""


def ready(url: str) -> str:
    """A page, as soon as its game is solved."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        status, page = request(url)
        if status == 200:
            return str(page)
        assert status == 202, page
        time.sleep(0.1)  # between two looks
    raise AssertionError(f"{url} was not ready in {PATIENCE} seconds")


def listening(address: str) -> list[str]:
    """The sockets that listen on the port of an address, as Linux lists them."""
    port = f":{int(address.rpartition(':')[2]):04X}"
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return [local for _, local, _, state, *_ in rows if state == "0A" and local.endswith(port)]


def test_saved_solutions_of_a_folder_are_served_without_a_compiler(tmp_path: Path) -> None:
    saved = {name: games()[name] for name in ("stones", "krk")} | {"octal": rs.game("octal:n=20")}
    for name, game in saved.items():
        rs.solve(game).save(tmp_path / name)
    (tmp_path / "note.txt").write_text("no solution")
    with served(str(tmp_path), "--language", "en") as (address, process):
        for name in ("stones", "krk"):
            for page in ("", "structure"):
                read(f"{address}/g/{name}/{page}")
        assert [game["name"] for game in request(f"{address}/api/games")[1]["games"]] == [
            "krk",
            "stones",
        ]
        # One without pages leaves the others their own.
        assert re.search('<li class="card is-refused">.*octal.*\n.*has no pages', read(f"{address}/"))
        assert request(f"{address}/g/octal/")[0] == 422
        if sys.platform == "linux":
            assert listening(address) == [f"0100007F:{int(address.rpartition(':')[2]):04X}"]  # loopback
            libraries = Path(f"/proc/{process.pid}/maps").read_text()
            assert [name in libraries for name in ("numpy", "llvmlite", "numba")] == [
                True,
                False,
                False,
            ]
        assert raw(address, "GET / HTTP/1.1", host="pages.example")[0] == 421


def test_a_board_is_solved_and_served_by_several_processes() -> None:
    with served(str(CAUGHT), "--processes", "2", "--language", "en") as (address, process):
        for _ in range(4):
            assert "Policeman wins in 17 plies" in read(f"{address}/g/caught.txt/")
        if sys.platform == "linux":
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            assert len(children) == 1
            assert len(listening(address)) == 2  # one for each process, so that they share connections
    if sys.platform == "linux":
        assert not os.path.exists(f"/proc/{children[0]}")


def test_600_idle_connections_do_not_keep_a_page_from_its_reader() -> None:
    with served("stones:n=4") as (address, _), contextlib.ExitStack() as stack:
        for _ in range(600):
            stack.enter_context(connected(address))
        for _ in range(3):
            ready(f"{address}/g/stones-n=4/")
        assert 'id="verdict"' in ready(f"{address}/")  # a single game opens at once


@pytest.mark.parametrize("processes", ["1", "2"])
def test_an_address_that_is_taken_is_named_in_a_line(
    processes: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        arguments = ["serve", "stones", "--no-browser", "--port", str(taken.getsockname()[1])]
        assert run([*arguments, "--processes", processes]) == 2
    written = capsys.readouterr()
    assert (written.out, written.err.count("\n")) == ("", 1)


def test_several_inputs_are_listed(tmp_path: Path) -> None:
    rs.solve(games()["krk"]).save(tmp_path / "krk")
    with served("stones:n=4", str(CAUGHT), str(tmp_path)) as (address, _):
        for name in ("stones-n=4", "caught.txt", "krk"):
            ready(f"{address}/g/{name}/")
        page = read(f"{address}/")
        assert all(name in page for name in ("/g/stones-n%3D4/", "/g/caught.txt/", "/g/krk/"))


@pytest.mark.long
def test_pages_are_answered_and_progress_is_printed_while_a_game_is_solved(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW.format(100_000))
    name = "slow.py-Slow"
    with served("slow.py:Slow", "--workers", "1", cwd=tmp_path, ends=130) as (address, process):
        assert request(f"{address}/")[0] == 202  # leads to the game
        status, state = request(f"{address}/solving/{name}")
        assert (status, state["ended"], state["error"]) == (200, False, "")
        assert request(f"{address}/api/games/{name}")[0] == 503
        assert request(f"{address}/edit/board")[0] == 200
        assert process.stderr is not None
        assert PROGRESS.fullmatch(process.stderr.readline())


@pytest.mark.long
def test_a_connection_from_before_the_end_of_the_solve_is_answered_after_it(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW.format(6_000))
    with served(f"{tmp_path}/slow.py:Slow") as (address, _), contextlib.ExitStack() as stack:
        status, early = 202, list[socket.socket]()
        while status == 202:  # one that waits longer is told so
            early.append(stack.enter_context(connected(address)))
            status, _ = request(f"{address}/g/slow.py-Slow/")
            time.sleep(0.1)  # between two looks
        assert (status, len(early) > 1) == (200, True)
        early[-2].sendall(b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        with early[-2].makefile("rb") as answer:
            assert answer.readline() == b"HTTP/1.1 200 OK\r\n"


def test_a_later_port_is_taken_where_none_was_asked_for() -> None:
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # in use by another program: as good
            stack.enter_context(socket.create_server(("127.0.0.1", 8000)))
        with served("stones", port="") as (address, _):
            assert int(address.rpartition(":")[2]) > 8000
            ready(f"{address}/g/stones/")

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

import pytest

import retrosolve as rs
from retrosolve.cli import run
from tests.support.programs import started
from tests.web.drawn import CAUGHT, games, request
from tests.web.test_security import connected, raw

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
        return [2 * n, 2 * n + 1] if n < 100_000 else []
"""


@contextmanager
def served(*arguments: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run the command; yields its address, without a slash at the end, and the process."""
    command = [sys.executable, "-m", "retrosolve", "serve", *arguments, "--no-browser", "--port", "0"]
    with started(command, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert ADDRESS.fullmatch(line), process.stderr
        yield line.strip().rstrip("/"), process
        process.send_signal(signal.SIGINT)
        rest, complaints = process.communicate(timeout=20)
        assert (process.returncode, rest, PROGRESS.sub("", complaints)) == (0, "", "")


def ready(url: str, seconds: float = 60) -> str:
    """A page, as soon as its game is solved."""
    for _ in range(int(seconds / 0.5)):
        status, page = request(url)
        if status == 200:
            return str(page)
        assert status == 202, page
        time.sleep(0.5)
    raise AssertionError(f"{url} was not ready in {seconds} seconds")


def listening(address: str) -> list[str]:
    """The sockets that listen on the port of an address, as Linux lists them."""
    port = f":{int(address.rpartition(':')[2]):04X}"
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return [local for _, local, _, state, *_ in rows if state == "0A" and local.endswith(port)]


def test_saved_solutions_of_a_folder_are_served_without_a_compiler(tmp_path: Path) -> None:
    for name in ("stones", "krk"):
        rs.solve(games()[name]).save(tmp_path / name)
    (tmp_path / "note.txt").write_text("no solution")
    with served(str(tmp_path)) as (address, process):
        for name in ("stones", "krk"):
            assert request(f"{address}/g/{name}/")[0] == 200
            assert request(f"{address}/g/{name}/structure")[0] == 200
        status, found = request(f"{address}/api/games")
        assert [game["name"] for game in found["games"]] == ["krk", "stones"]
        if sys.platform == "linux":
            assert listening(address) == [f"0100007F:{int(address.rpartition(':')[2]):04X}"]  # loopback
            libraries = Path(f"/proc/{process.pid}/maps").read_text()
            assert "numpy" in libraries
            assert "llvmlite" not in libraries
            assert "numba" not in libraries
        status, answer = raw(address, "GET / HTTP/1.1", host="pages.example")
        assert status == 421
        assert "expected one of" in answer


def test_a_solution_without_pages_leaves_the_others_of_its_folder_their_own(tmp_path: Path) -> None:
    rs.solve(games()["stones"]).save(tmp_path / "stones")
    rs.solve(rs.game("octal:n=20")).save(tmp_path / "octal")
    with served(str(tmp_path), "--language", "en") as (address, _):
        assert request(f"{address}/g/stones/")[0] == 200
        _, page = request(f"{address}/")
        assert re.search('<li class="card is-refused">.*octal.*\n.*has no pages', page)
        status, answer = request(f"{address}/g/octal/")
        assert (status, "has no pages" in answer) == (422, True)


def test_a_board_is_solved_and_served_by_several_processes() -> None:
    with served(str(CAUGHT), "--processes", "2", "--language", "en") as (address, process):
        for _ in range(4):
            status, page = request(f"{address}/g/caught.txt/")
            assert status == 200
            assert "Policeman wins in 17 plies" in page
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


@pytest.mark.parametrize("processes", ["1", "2"])
def test_an_address_that_is_taken_is_named(processes: str, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        arguments = ["serve", "stones", "--no-browser", "--port", str(port)]
        assert run([*arguments, "--processes", processes]) == 2
    written = capsys.readouterr()
    assert written.out == ""
    assert f"cannot listen on 127.0.0.1, port {port}" in written.err
    assert written.err.count("\n") == 1


@pytest.mark.parametrize(
    ("library", "command"),
    [
        ("uvicorn", ["serve", "stones"]),
        ("jinja2", ["export", "stones", "--static", "site"]),
        ("starlette", ["export", "stones", "--static", "site"]),
        ("starlette", ["film", "stones", "film.html"]),
    ],
)
def test_a_library_that_is_missing_is_named(
    library: str,
    command: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    assert run(command) == 2
    assert f"needs {library}: pip install 'retrosolve[web]'" in capsys.readouterr().err


def test_several_inputs_are_listed_and_a_single_one_opens_at_once(tmp_path: Path) -> None:
    rs.solve(games()["krk"]).save(tmp_path / "krk")
    with served("stones:n=4", str(CAUGHT), str(tmp_path)) as (address, _):
        for name in ("stones-n=4", "caught.txt", "krk"):
            ready(f"{address}/g/{name}/")
        page = request(f"{address}/")[1]
        assert [name in page for name in ("/g/stones-n%3D4/", "/g/caught.txt/", "/g/krk/")] == [
            True
        ] * 3
    with served("stones:n=4") as (address, _):
        assert 'id="verdict"' in ready(f"{address}/")


@pytest.mark.long
def test_pages_are_answered_and_progress_is_printed_while_a_game_is_solved(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    command = [
        sys.executable,
        "-m",
        "retrosolve",
        "serve",
        "slow.py:Slow",
        "--no-browser",
        "--port",
        "0",
    ]
    with started([*command, "--workers", "1"], cwd=tmp_path, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        line = process.stdout.readline()
        assert ADDRESS.fullmatch(line)
        address = line.strip().rstrip("/")
        status, page = request(f"{address}/")  # leads to the game
        assert status == 202
        assert "This game is being solved." in page
        name = "slow.py-Slow"
        status, state = request(f"{address}/solving/{name}")
        assert (status, state["ended"], state["error"]) == (200, False, "")
        assert request(f"{address}/api/games/{name}")[0] == 503
        assert request(f"{address}/edit/board")[0] == 200
        assert PROGRESS.fullmatch(process.stderr.readline())
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130


@pytest.mark.long
def test_a_connection_from_before_the_end_of_the_solve_is_answered_after_it(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW.replace("100_000", "6_000"))
    with served(f"{tmp_path}/slow.py:Slow") as (address, _), connected(address) as early:
        assert request(f"{address}/g/slow.py-Slow/")[0] == 202
        ready(f"{address}/g/slow.py-Slow/")
        early.sendall(b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        with early.makefile("rb") as answer:
            assert answer.readline() == b"HTTP/1.1 200 OK\r\n"


def test_a_later_port_is_taken_where_none_was_asked_for() -> None:
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # in use by another program: as good
            stack.enter_context(socket.create_server(("127.0.0.1", 8000)))
        command = [sys.executable, "-m", "retrosolve", "serve", "stones", "--no-browser"]
        with started(command) as process:
            assert process.stdout is not None
            match = ADDRESS.fullmatch(process.stdout.readline())
            assert match is not None
            assert int(match[1]) > 8000
            ready(f"{match[0].strip()}g/stones/")
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["stones", "stones"], "two inputs have the name 'stones'"),
        (["--processes", "2"], "expected INPUT, for a catalogue takes one"),
        (["stones", "nonsense"], "'nonsense' is neither a file nor a game"),
    ],
)
def test_inputs_that_cannot_be_served_are_named_before_anything_is_solved(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["serve", *arguments, "--no-browser", "--port", "0"]) == 2
    written = capsys.readouterr()
    assert sentence in written.err
    assert written.out == ""

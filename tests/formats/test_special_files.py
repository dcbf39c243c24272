"""Pipes, sockets and devices in the place of files: refused at once, but for what was given open."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.formats import read_graph_file, read_pgsolver_solution, write
from retrosolve.formats.board import read_board
from retrosolve.runtime.files import write_files
from retrosolve.store.manifest import MANIFEST
from tests.support.saved import MAPPED, kind_with, saved

EDGES = b"0,1\n1,2\n"


@pytest.fixture(params=["pipe", "socket", "device"])
def special(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of something in the current folder that is no regular file."""
    monkeypatch.chdir(tmp_path)  # the path of a socket must be short
    if request.param == "pipe":
        os.mkfifo("special")
    elif request.param == "socket":
        with socket.socket(socket.AF_UNIX) as made:
            made.bind("special")
    else:
        Path("special").symlink_to("/dev/zero")
    return "special"


def test_readers(special: str) -> None:
    for format in ("csv", "npz", "dot", "json.gz"):
        with pytest.raises(rs.FormatError):
            read_graph_file(special, format)
    for read in (read_pgsolver_solution, read_board):
        with pytest.raises(rs.FormatError):
            read(special)
    Path("g.csv").write_bytes(EDGES)
    Path("special").rename("g.vertices.csv")
    with pytest.raises(rs.FormatError):
        read_graph_file("g.csv")


@pytest.mark.parametrize("name", [MANIFEST, MAPPED[0]])
def test_saved_solutions(special: str, name: str) -> None:
    path = saved(kind_with(name), Path.cwd())
    Path(special).replace(path / name)
    for check in (True, False):
        with pytest.raises(rs.StoreError):
            rs.open(path, check=check)


def test_rules_and_a_solution_that_are_no_regular_files(special: str) -> None:
    with pytest.raises(rs.StoreError):
        rs.open(special)
    path = saved("explored", Path.cwd())
    Path(special).replace("heap.py")
    with pytest.raises(rs.StoreError):
        rs.open(path, trust_rules=True)


def test_the_command_line(special: str, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([], ["--format", "csv"], ["--format", "board"]):
        assert run(["plan", special, *arguments]) == 2
        assert capsys.readouterr().err.startswith("retrosolve: cannot read special: ")


@pytest.mark.parametrize(
    ("where", "as_file"), [("-", False), ("/dev/stdin", True), ("/dev/fd/0", False)]
)
def test_what_was_given_open_is_read(where: str, as_file: bool, tmp_path: Path) -> None:
    (tmp_path / "g").write_bytes(EDGES)
    command = [sys.executable, "-m", "retrosolve", "verify", where, "--format", "csv"]
    with (tmp_path / "g").open("rb") as file:
        given = {"stdin": file} if as_file else {"input": EDGES}
        done = subprocess.run(command, capture_output=True, check=False, timeout=100, **given)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"all 3 positions proven\n", b"")


def test_an_open_pipe_is_read() -> None:
    end, other = os.pipe()
    os.write(other, EDGES)
    os.close(other)
    with os.fdopen(end, "rb") as file:
        assert read_graph_file(file, "csv").graph.num_edges == 2


def test_pipe_or_socket_is_not_replaced_by_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe.json")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("socket.json")
    solution = rs.solve(rs.Graph.from_edges(["a"], ["b"]))
    for name in ("pipe.json", "socket.json"):
        before = os.stat(name)
        with pytest.raises(rs.FormatError):
            write(solution, name)
        with pytest.raises(rs.FormatError):
            write_files([(Path(name), lambda file: None)])
        assert run(["convert", "stones:n=3", name]) == 2
        assert os.stat(name).st_ino == before.st_ino
    assert sorted(os.listdir()) == ["pipe.json", "socket.json"]

"""Two processes that solve into one directory: the second is refused, the first is not disturbed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import retrosolve as rs
from retrosolve.games import parse_game
from tests.support.programs import started

GAME = "connect4:rows=3,columns=3,connect=3"
WAITING = """
import sys
import retrosolve as rs
from retrosolve.games import parse_game

def wait(progress, begun=[]):
    if not begun:
        begun.append(print("begun", flush=True))
        sys.stdin.readline()

print(rs.solve(parse_game(sys.argv[1]), out=sys.argv[2], progress=wait).digest())
"""


@pytest.mark.long
def test_the_second_of_two_processes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s"
    waiting = [sys.executable, "-c", WAITING, GAME, str(path)]
    with started(waiting, stdin=subprocess.PIPE) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "begun\n"
        command = [sys.executable, "-m", "retrosolve", "solve", GAME, "--out", str(path)]
        second = subprocess.run(command, capture_output=True, text=True, check=False)
        out, _ = first.communicate("\n")
    assert second.returncode == 2
    assert second.stdout == ""
    assert second.stderr == (
        f"retrosolve: cannot save {path}: another process is saving there, expected one at a time\n"
    )
    assert first.returncode == 0
    assert out.strip() == rs.solve(parse_game(GAME)).digest()
    assert [entry.name for entry in tmp_path.iterdir()] == ["s"]

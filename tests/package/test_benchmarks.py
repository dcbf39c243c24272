"""Every program of the benchmarks runs at its smallest size, and so does a typed program of a user."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.package.user_program import main

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
COMMANDS = [
    "big_game.py tictactoe tictactoe",
    "chance.py pig:goal=10",
    "edges_on_disk.py 2e6 --memory 100MB --compare",
    "games.py --game tictactoe --repeats 1",
    "packing.py tictactoe",
    "pursuit.py --largest 10 --repeats 1",
    "records_awari.py awari:seeds=6 {folder}/awari",
    "records_chess.py chess:KQK {folder}/solution",
    "records_chess.py chess:KQK {folder}/distances --objective conversion:limit=100 --verify",
    "store.py --cpu {folder}",
    "two_workers.py clobber:4x3 --positions 10000",
]


@pytest.mark.long
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.split()[0])
def test_benchmarks_run(command: str, tmp_path: Path) -> None:
    name, *arguments = command.format(folder=tmp_path).split()
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / name), *arguments],
        cwd=BENCHMARKS, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_a_typed_program_runs() -> None:
    assert main() == ("WIN in 7, down, acyclic", 1, ["take 1"])

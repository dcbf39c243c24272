"""The contracts are generic in the position: type checkers hold rules to it, and Python ignores it."""

import subprocess
import sys
from pathlib import Path

import retrosolve as rs

ROOT = Path(__file__).parents[2]
TYPED = """
import retrosolve as rs

class Plain(rs.Game):
    def start(self) -> int: return 3
    def moves(self, position: int) -> list[tuple[str, int]]: return []

class Text(rs.Game[str]):
    def start(self) -> str: return ""
    def moves(self, position: str) -> list[str]: return []

class Maze(rs.Puzzle[tuple[int, int]]):
    def solved(self, position: tuple[int, int]) -> bool: return True

class Board(int): ...

class Boards(rs.CompiledGame[Board]):
    def text(self, position: Board) -> str: return ""
"""
WRONG = """
import retrosolve as rs

class Text(rs.Game[str]):
    def moves(self, position: str) -> list[tuple[str, int]]: return []

class Unhashable(rs.Game[list[int]]): ...

class Boards(rs.CompiledGame[str]): ...
"""


def test_type_checkers_know_the_type_of_positions(tmp_path: Path) -> None:
    """From the root of the project, where ``make types`` has left a cache of the package."""
    typed, wrong = tmp_path / "typed.py", tmp_path / "wrong.py"
    typed.write_text(TYPED)
    wrong.write_text(WRONG)
    command = [sys.executable, "-m", "mypy", "--strict", "--no-color-output", str(typed), str(wrong)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    places = [line.split(":")[:2] for line in done.stdout.splitlines() if ": error:" in line]
    assert [(Path(path).name, line) for path, line in places] == [("wrong.py", n) for n in "579"], (
        done.stdout
    )


def test_a_type_of_positions_changes_nothing_at_run_time() -> None:
    class Stones(rs.Game[int]):
        def __init__(self, n: int = 4) -> None:
            self.n = n

    assert Stones.players == rs.Game.players
    assert isinstance(Stones(), rs.Game)
    assert Stones(7).recipe()[1] == {"n": 7}
    assert not Stones().implements("terminal")

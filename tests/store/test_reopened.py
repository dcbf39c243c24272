"""A solution of a game that is saved and opened again answers as before, with its rules."""

from __future__ import annotations

import shutil
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import retrosolve as rs
from retrosolve.games import GAMES, parse_game
from retrosolve.runtime.sources import load_module
from tests.support.saved import says_the_same

SMALL = {
    "chess": "chess:KRK,board=5",
    "foxhounds": "foxhounds:n=4",
    "connect4": "connect4:rows=3,columns=4,connect=3",
    "queenpawns": "queenpawns:n=4",
    "morris6": "morris6:men=3",
    "lgame": "lgame:symmetry=yes",
    "cops": "cops:cops=2",
    "baghchal": "baghchal:size=3,goats=5,captures=2",
    "musketeers": "musketeers:size=3",
}
LARGE = {"dobutsu", "morris9", "teeko"}  # solved by the tests of these games

RULES = """
import retrosolve as rs


class Heap(rs.Game):
    def __init__(self, n=10, take=(1, 2)):
        self.n, self.take = n, take

    def start(self):
        return self.n

    def moves(self, n):
        return [(f"take {k}", n - k) for k in self.take if k <= n]

    def svg(self, n):
        return f"<svg><text>{n}</text></svg>"
"""


@pytest.mark.long(but=1)
@pytest.mark.parametrize(
    ("stuck", "name"),
    [("loss", name) for name in GAMES if name not in LARGE]
    + [("tie", name) for name in ("stones", "police", "tictactoe", "chess")],
)
def test_every_built_in_game_answers_as_before(stuck: str, name: str, tmp_path: Path) -> None:
    game = parse_game(SMALL.get(name, name))
    solution = rs.solve(game, stuck=stuck)
    solution.save(tmp_path / "s")
    kept = {path.name for path in (tmp_path / "s").rglob("*")}
    assert not kept & {"indptr", "indices", "names.json"}
    opened, space = rs.open(tmp_path / "s"), solution.space
    says_the_same(opened, solution)
    if "symmetry" in str(getattr(game, "_made_with", "")):
        places = [
            p for p in islice(solution, 50) if not space.terminal(v := space.summands(p)[0], v + 1)[0]
        ]
        alike = [target for place in places for _, target in space.moves(place)]
        assert [target for target in alike if space.position(space.summands(target)[0]) != target]
        assert [opened[target] for target in alike] == [solution[target] for target in alike]
    rs.verify(opened)
    says_the_same(rs.open(tmp_path / "s", game=game), solution)


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "heap.py"
    path.write_text(RULES)
    return path


def heap(path: Path, *args: Any) -> Any:
    return load_module(path).Heap(*args)


def test_rules_from_a_file_are_loaded_again_until_they_change(rules: Path, tmp_path: Path) -> None:
    game = heap(rules, 9, (2, 3))
    solution, path = rs.solve(game), tmp_path / "s"
    solution.save(path)
    says_the_same(rs.open(path, trust_rules=True), solution)
    shutil.copy(rules, tmp_path / "kept.py")
    for change in (lambda: rules.write_text(RULES + "\n# another line\n"), rules.unlink):
        change()
        with pytest.raises(rs.StoreError):
            rs.open(path, trust_rules=True)
    assert rs.open(path, check=True).counts() == solution.counts()
    says_the_same(rs.open(path, game=game), solution)
    with pytest.raises(rs.StoreError):
        rs.open(path, game=heap(tmp_path / "kept.py", 11))


def test_a_program_that_opens_a_solution_of_its_own_rules_is_not_run_for_ever(tmp_path: Path) -> None:
    program, lines = tmp_path / "program.py", tmp_path / "runs"
    program.write_text(
        f"{RULES}\nwith open({str(lines)!r}, 'a') as file:\n    file.write('run\\n')\n"
        f"solution = rs.solve(Heap(), out={str(tmp_path / 's')!r})\n"
        f"print(rs.open({str(tmp_path / 's')!r}, trust_rules=True).moves(2))\n"
    )
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1].endswith(
        f"StoreError: {program} opens a solution of its own rules whenever it is run to load them: "
        'expected that below if __name__ == "__main__": or with game='
    )
    assert lines.read_text() == "run\nrun\n"

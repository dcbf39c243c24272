"""Rules from a file on the command line: parameters, imports beside it, places of errors, check."""

import json
import re
from pathlib import Path

import pytest

from retrosolve.cli import run

RULES = """
import retrosolve as rs
from beside import STEP


class Heap(rs.Game):
    def __init__(self, n: int, take=(1, 2), misere=False, *, name: str = "heap", more=None):
        self.n, self.take, self.misere = n, take, misere

    def start(self):
        return self.n

    def moves(self, n):
        return [n - k * STEP for k in self.take if k * STEP <= n]


class Wrong(rs.Game):
    def start(self):
        return 9

    def terminal(self, n):
        return 5 if n == 4 else None

    def moves(self, n):
        if n == 3:
            return 1 // 0
        return [("on", n - 1)] if n else []
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "heap.py").write_text(RULES)
    (tmp_path / "rules" / "beside.py").write_text("STEP = 1\n")
    monkeypatch.chdir(tmp_path)


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert run([*arguments, "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_the_class_of_a_rules_file_takes_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    """The file imports a module beside it, and its moves have no names."""
    found = answer(capsys, "solve", "rules/heap.py:Heap,n=50")
    assert (found["positions"], found["start"]) == (
        51,
        {"position": 50, "value": "win", "remoteness": 33},
    )
    found = answer(capsys, "solve", "rules/heap.py:Heap,n=9,take=1+3,misere=yes,name=x,more=2")
    assert found["positions"] == 10


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (",m=5", r"'m=5' is no parameter of Heap: expected n=\.\.\., take=\.\.\., misere=\.\.\., name"),
        (",n=five", r"n='five': expected a whole number"),
        (",n=5,misere=2", r"misere='2': expected yes or no"),
        (",n=5,n=6", r"n is given twice"),
        ("", r"Heap\(\) raised TypeError: .*missing 1 required positional argument: 'n'"),
    ],
)
def test_bad_parameters_of_a_rules_file(
    capsys: pytest.CaptureFixture[str], parameters: str, message: str
) -> None:
    assert run(["solve", f"rules/heap.py:Heap{parameters}"]) == 2
    assert re.search(message, capsys.readouterr().err)


def test_an_error_inside_rules_comes_with_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    line = 1 + RULES[: RULES.index("return 5 if")].count("\n")
    assert run(["solve", "rules/heap.py:Wrong"]) == 2
    assert (
        f"terminal(4) gave 5: expected Value.WIN, LOSS, TIE or None (rules/heap.py, line {line - 1})"
        in (capsys.readouterr().err)
    )
    (path := Path("rules/late.py")).write_text("def f():\n    return 1 / 0\n\n\nf()\n")
    assert run(["solve", f"{path}:G"]) == 2
    assert "late.py raised ZeroDivisionError: division by zero (rules/late.py, line 2)" in (
        capsys.readouterr().err
    )


def test_check_prints_every_kind_of_violation(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "rules/heap.py:Wrong"]) == 1
    line = 1 + RULES[: RULES.index("return 1 // 0")].count("\n")
    assert capsys.readouterr().out.splitlines()[1:] == [
        f"terminal(4) gave 5: expected Value.WIN, LOSS, TIE or None (rules/heap.py, line {line - 5})",
        "Wrong.moves(3) raised ZeroDivisionError: integer division or modulo by zero "
        f"(rules/heap.py, line {line})",
        "violations: 2",
    ]
    found = answer(capsys, "check", "rules/heap.py:Heap,n=20")
    assert (found["positions"], found["complete"], found["findings"]) == (21, True, [])
    assert run(["check", "tictactoe", "--samples", "50"]) == 0
    assert (
        capsys.readouterr().out
        == "50 of the positions: moves, terminal, player, svg, move_points, features\nno violations\n"
    )


def test_check_refuses_what_has_no_rules(capsys: pytest.CaptureFixture[str]) -> None:
    Path("g.csv").write_text("0,1\n")
    assert run(["check", "g.csv"]) == 2
    assert "g.csv has no rules to check: expected rules.py:ClassName" in capsys.readouterr().err
    assert run(["check", "rules/heap.py:Nothing"]) == 2
    assert "has no game 'Nothing'" in capsys.readouterr().err


def test_a_limit_on_positions_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "rules/heap.py:Heap,n=5000", "--limit", "1000"]) == 2
    assert re.search(
        r"the game has more than 1000 positions, the limit: \d+ were found, \d+ of them explored",
        capsys.readouterr().err,
    )
    assert run(["solve", "rules/heap.py:Heap,n=500", "--limit", "1000", "--workers", "2"]) == 0

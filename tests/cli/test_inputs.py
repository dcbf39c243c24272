"""INPUT from files of any name and from standard input, with the options that say how to read it."""

from pathlib import Path

import pytest

from tests.support.commands import Shell

BOARD = "3 3\r\nP..\r\n.*.\r\n..T\r\n"


@pytest.mark.parametrize("name", ["edges.txt", "edges", "edges.dat", "-"])
def test_the_content_decides(name: str, sh: Shell) -> None:
    for text, expected in (("# SNAP\n1\t2\n2\t3\n", "2 moves"), (BOARD, "Police catches the thief")):
        if name != "-":
            Path(name).write_text(text)
        assert expected in sh(f"solve {name}", stdin=text)


def test_a_header_is_noted_and_can_be_given(sh: Shell) -> None:
    Path("g.csv").write_text("payer,payee\na,b\nb,c\n")
    notes = {}
    for option in ("", "--header", "--no-header"):
        sh(f"convert g.csv out.json {option}", err=True)
        notes[option] = sh.err.splitlines()
    assert notes == {
        "": [notes[""][0], "out.json: 5 positions, 3 moves"],
        "--header": ["out.json: 3 positions, 2 moves"],
        "--no-header": ["out.json: 5 positions, 3 moves"],
    }
    assert notes[""][0].startswith("note: g.csv, line 1: ")


def test_ids_are_labels(sh: Shell) -> None:
    Path("g.txt").write_text("3 2\n1 2\n2 3\n")
    sh("solve g.txt --start 1 -o out.csv", err=True)
    assert sh.err.startswith("note: g.txt, line 1: ")
    assert Path("out.vertices.csv").read_text() == (
        "vertex,stuck,value,remoteness,best,start\n1,,loss,2,2,1\n2,,win,1,3,\n3,loss,loss,0,,\n"
    )
    sh("verify out.csv")


def test_numbers_that_are_names(sh: Shell) -> None:
    Path("g.csv").write_text("7,9\n9,1000000000000\n")
    Path("who.csv").write_text("name,owner\n7,0\n9,0\n1000000000000,1\n")
    assert sh.json("solve g.csv --names --start 7")["positions"] == 3
    answer = sh.json("solve g.csv --names --vertices who.csv --start 7")
    assert answer["start"]["value"] == "win"
    assert answer["counts_by_player"]["0"]["win"] == 2


def test_columns_are_named(sh: Shell) -> None:
    Path("edges.csv").write_text("number,payer,payee\n1,a,b\n2,b,c\n3,b,a\n")
    Path("who.csv").write_text("place,who,how\na,0,\nb,1,\nc,0,win\n")
    named = "edges.csv --source payer --target payee"
    assert sh.json(f"solve {named} --start b")["edges"] == 3
    assert sh.json(f"probe {named} b")["value"] == "win"
    owned = f"{named} --vertices who.csv --vertex place --owner who --terminal how"
    assert [sh.json(f"probe {owned} {name}")["value"] for name in "cb"] == ["win", "draw"]


RULES = """
import retrosolve as rs
from beside import STEP

class Heap(rs.Game):
    def __init__(self, n: int, take=(1, 2), misere=False, *, name: str = "heap", more=None):
        self.n, self.take = n, take

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

class Coins(rs.Game):
    def start(self):
        return (3, 1)

    def moves(self, row):
        return [("left", row[1:]), ("right", row[:-1])] if row else []

    def reward(self, row, target):
        return sum(row) - sum(target)
"""


def test_rules_in_a_file_take_parameters_and_are_checked(sh: Shell) -> None:
    """The file imports a module beside it, and moves have no names."""
    Path("rules").mkdir()
    Path("rules/heap.py").write_text(RULES)
    Path("rules/beside.py").write_text("STEP = 1\n")
    start = {"position": 50, "value": "win", "remoteness": 33}
    found = sh.json("solve rules/heap.py:Heap,n=50")
    assert (found["positions"], found["start"]) == (51, start)
    assert sh.json("solve rules/heap.py:Heap,n=9,take=1+3,misere=yes,name=x,more=2")["positions"] == 10
    sh("solve rules/heap.py:Heap,n=500 --limit 1000 --workers 2")
    sh("solve rules/heap.py:Heap,n=5000 --limit 1000", status=2)
    assert sh("check rules/heap.py:Wrong", status=1).splitlines()[1:] == [
        "terminal(4) gave 5: expected Value.WIN, LOSS, TIE or None (rules/heap.py, line 19)",
        "Wrong.moves(3) raised ZeroDivisionError: integer division or modulo by zero (rules/heap.py, line 24)",
        "violations: 2",
    ]
    found = sh.json("check rules/heap.py:Heap,n=20")
    assert (found["positions"], found["complete"], found["findings"]) == (21, True, [])
    assert sh("check tictactoe --samples 50") == (
        "50 of the positions: moves, terminal, player, svg, move_points, features\nno violations\n"
    )


def test_notes_say_that_points_do_not_count_and_that_a_game_ends_nowhere(sh: Shell) -> None:
    Path("rules.py").write_text(RULES.replace("from beside import STEP", ""))
    Path("g.csv").write_text("source,target,reward\na,b,3\na,c,1\n")
    Path("endless.csv").write_text("a,b\nb,a\n")
    for subject in ("g.csv", "rules.py:Coins"):
        sh(f"solve {subject}", err=True)
        assert sh.err == "note: points do not count: --objective score asks for them\n"
        sh(f"solve {subject} --objective score")
        sh(f"solve {subject} --objective outcome")
    sh("solve endless.csv", err=True)
    assert sh.err == "note: every position is a draw, since the game ends nowhere\n"

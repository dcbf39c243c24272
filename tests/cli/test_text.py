"""Names that are markup, or that a terminal would obey: printed as text, on one line."""

import shlex
import sys
from pathlib import Path

import click
import pytest

import retrosolve as rs
from retrosolve.cli.output import print_table
from retrosolve.errors import one_line
from retrosolve.formats import write
from retrosolve.tables import ArrayTable
from tests.support.commands import Shell

NAMES = [
    "[red]x[/red]", "[/]", ":smile:", "\x1b[2J\x1b]0;title\x07", "two\nlines", "back\rover", "a\u202eb",
    "\u2028", "\x9b31m", "\x00", "\u200b", "\ue000", "[link=http://x]y[/link]", "tab\there", "plain é",
]  # fmt: skip
HOSTILE = "\x1b[2J\x07\u202e[b]g\n"


@pytest.fixture
def path(sh: Shell) -> str:
    """A file, hostile in its name too, of a line of such names; the owners alternate."""
    n = len(NAMES)
    graph = rs.Graph.from_edges(range(n - 1), range(1, n), owner=[v % 2 for v in range(n)], names=NAMES)
    write(graph, f"{HOSTILE}.json")
    return shlex.quote(f"{HOSTILE}.json")


def printed(sh: Shell, line: str, status: int = 0, err: bool | None = None) -> str:
    """What is printed, every line of it nothing but printable characters."""
    out = sh(line, status, err)
    assert all(text.isprintable() for text in (out + sh.err).split("\n"))
    assert sh.err.count("\n") <= 1
    return out


def test_names_and_paths_are_printed_as_text(path: str, sh: Shell) -> None:
    lines = printed(sh, f"solve {path} --start {NAMES[0]} --plies 20").split("\n")
    assert lines[0].startswith("Start [red]x[/red]: ")
    for number, name in enumerate(NAMES[1:], 1):
        assert lines[1 + number].startswith(f"  {number:>3}. {(number - 1) % 2}: {one_line(name)}  (")
    steps = printed(sh, f"explain {path}")
    for name in NAMES[:-1]:
        assert (
            f"  {one_line(name)} can move to " in steps or f"  {one_line(name)} has only moves" in steps
        )
    printed(sh, f"plan {path}")
    printed(sh, f"verify {path}")
    printed(sh, f"convert {path} {shlex.quote(HOSTILE)}.csv.json", err=True)
    assert sh.err.startswith(one_line(f"{HOSTILE}.csv.json: "))
    assert Path(f"{HOSTILE}.csv.json").exists()


def test_json_stays_json(path: str, sh: Shell) -> None:
    for start in NAMES:
        record = sh.json(f"solve {path} --start {shlex.quote(start)}")
        assert (record["start"]["position"], record["input"]) == (start, f"{HOSTILE}.json")
    assert sh.json(f"plan {path}")["num_vertices"] == len(NAMES)
    assert sh.json(f"verify {path}")["input"] == f"{HOSTILE}.json"


def test_errors_about_names_are_one_line(path: str, sh: Shell) -> None:
    printed(sh, f"solve {path} --start {shlex.quote(HOSTILE)}", 2)
    assert "\\x1b[2J\\x07\\u202e[b]g" in sh.err
    printed(sh, f"convert {path} g.pg", 2)
    solution = rs.solve(rs.read_graph(f"{HOSTILE}.json"))
    table = ArrayTable(solution.table.values() * 0, solution.remoteness() * 0 - 1)
    write(rs.Solution(solution.space, table), "wrong.json")
    printed(sh, "verify wrong.json", 1, err=True)


RULES = """
import retrosolve as rs

class Piles(rs.Game):
    players = ("[b]you[/b]\\x1b[2J", "[/i]me\\n")

    def start(self):
        return 3

    def moves(self, n):
        return [("[red]take\\x1b[2J " + str(k) + "[/red]\\n", n - k) for k in (1, 2) if k <= n]

    def player(self, n):
        return n % 2

    def text(self, n):
        return "[bold]" + str(n) + "\\r[/bold] :smile:"

class Failing(Piles):
    def moves(self, n):
        raise ValueError("\\x1b[2J[b]\\n" + "x")
"""


def test_players_moves_and_positions_of_rules_are_text(sh: Shell) -> None:
    Path("rules.py").write_text(RULES)
    text = printed(sh, "solve rules.py:Piles -o saved")
    assert text.startswith("Start [bold]3\\r[/bold] :smile:: ")
    assert "[/i]me\\n: [red]take\\x1b[2J " in text
    assert "\n[b]you[/b]\\x1b[2J to move " in text
    printed(sh, "explain rules.py:Piles")
    text = printed(sh, "solve --trust-rules saved --start '[bold]3\r[/bold] :smile:'")
    assert "\n[b]you[/b]\\x1b[2J to move " in text
    printed(sh, "solve rules.py:Failing", 2)
    assert "\\x1b[2J[b]" in sh.err


def test_colour_is_for_terminals_that_want_it(sh: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = sh("solve police")
    assert "\x1b" not in plain
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    coloured = sh("solve police")
    assert "\x1b[1mPolice catches the thief\x1b[0m" in coloured
    assert click.unstyle(coloured).partition("Time:")[0] == plain.partition("Time:")[0]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in sh("solve police")


def test_the_thief_may_move_first(sh: Shell) -> None:
    lines = sh("solve police:first=thief --plies 1").splitlines()
    start = rs.solve(rs.game("police:first=thief"))
    plies = start[start.start].remoteness
    assert lines[5] == "Police catches the thief"
    assert lines[6] == f"LOSS for the thief, who moves first; remoteness {plies} plies"
    assert lines[8].startswith("    1. thief: ")


def test_wide_letters_keep_columns_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    print_table([("将棋", "1"), ("ab\n", "20")], right=[1])
    assert capsys.readouterr().out == "将棋   1\nab\\n  20\n"

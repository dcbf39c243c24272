"""Names that are markup, or that a terminal would obey: printed as text, on one line."""

import json
import os
import sys
from pathlib import Path

import click
import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.cli.output import print_table
from retrosolve.errors import one_line
from retrosolve.formats import write
from retrosolve.games import parse_game
from retrosolve.tables import ArrayTable

NAMES = [
    "[red]x[/red]", "[/]", ":smile:", "\x1b[2J\x1b]0;title\x07", "two\nlines", "back\rover", "a\u202eb",
    "\u2028", "\x9b31m", "\x00", "\u200b", "\ue000", "[link=http://x]y[/link]", "tab\there", "plain é",
]  # fmt: skip
HOSTILE = "\x1b[2J\x07\u202e[b]g\n"


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A file, hostile in its name too, of a line of such names; the owners alternate."""
    n = len(NAMES)
    graph = rs.Graph.from_edges(range(n - 1), range(1, n), owner=[v % 2 for v in range(n)], names=NAMES)
    path = str(tmp_path / f"{HOSTILE}.json")
    write(graph, path)
    return path


def printed(capfd: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> tuple[str, str]:
    """What is printed, every line of it nothing but printable characters."""
    assert run(list(arguments)) == status
    captured = capfd.readouterr()
    for text in captured:
        for line in text.split("\n"):
            assert line.isprintable(), line
    assert captured.err.count("\n") <= 1
    return captured


def test_solve_prints_names_as_text(path: str, capfd: pytest.CaptureFixture[str]) -> None:
    text, _ = printed(capfd, "solve", path, "--start", NAMES[0], "--plies", "20")
    lines = text.split("\n")
    assert lines[0].startswith("Start [red]x[/red]: ")
    for number, name in enumerate(NAMES[1:], 1):
        assert lines[1 + number].startswith(
            f"  {number:>3}. {(number - 1) % 2}: {one_line(name)}  ("
        ), name
    for start in NAMES[:-1]:
        text, _ = printed(capfd, "solve", path, "--start", start)
        assert text.startswith(f"Start {one_line(start)}: ")


def test_explain_prints_names_as_text(path: str, capfd: pytest.CaptureFixture[str]) -> None:
    text, _ = printed(capfd, "explain", path)
    for name in NAMES[:-1]:
        assert (
            f"  {one_line(name)} can move to " in text or f"  {one_line(name)} has only moves" in text
        )


def test_json_stays_json(path: str, capfd: pytest.CaptureFixture[str]) -> None:
    for start in NAMES:
        text, _ = printed(capfd, "solve", path, "--start", start, "--json")
        record = json.loads(text)
        assert (record["start"]["position"], record["input"]) == (start, path)
    assert json.loads(printed(capfd, "plan", path, "--json")[0])["num_vertices"] == len(NAMES)
    assert json.loads(printed(capfd, "verify", path, "--json")[0])["input"] == path


def test_paths_are_printed_as_text(
    path: str, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    output = str(tmp_path / f"{HOSTILE}out.npz")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        write(rs.Graph.from_edges([0], [1]), "g.csv")
        _, err = printed(capfd, "convert", "g.csv", output)
    assert err == f"{one_line(output)}: 2 positions, 1 moves\n"
    assert os.path.exists(output)
    printed(capfd, "plan", path)
    printed(capfd, "verify", path)


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", HOSTILE),
        ("solve", HOSTILE + "none.csv"),
        ("plan", HOSTILE, "--format", "board"),
        ("solve", f"stones:{HOSTILE}=3"),
        ("solve", f"stones:n={HOSTILE}"),
        ("solve", f"{HOSTILE}.py:{HOSTILE}"),
        ("solve", "stones", "--start", HOSTILE),
        ("solve", "stones", "--memory", HOSTILE),
        ("solve", "stones", f"--{HOSTILE}"),
        (HOSTILE,),
        ("convert", "stones", HOSTILE),
        ("convert", "stones", f"none/{HOSTILE}.npz"),
        ("solve", "\udcff\x1b.csv"),
    ],
)
def test_errors_are_one_printable_line(
    arguments: tuple[str, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    out, err = printed(capfd, *arguments, status=2)
    assert out == ""
    assert err.startswith("retrosolve: ")


def test_errors_about_names(path: str, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    _, err = printed(capfd, "solve", path, "--start", HOSTILE, status=2)
    assert "\\x1b[2J\\x07\\u202e[b]g" in err
    _, err = printed(capfd, "convert", path, str(tmp_path / "g.pg"), status=2)
    assert "cannot hold the name" in err
    solution = rs.solve(rs.read_graph(path))
    table = ArrayTable(solution.table.values() * 0, solution.remoteness() * 0 - 1)
    wrong = rs.Solution(solution.space, table)
    write(wrong, tmp_path / "wrong.json")
    _, err = printed(capfd, "verify", str(tmp_path / "wrong.json"), status=1)
    assert err.startswith("retrosolve: not proven: ")


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


def test_players_moves_and_positions_of_rules(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "rules.py").write_text(RULES)
    game = f"{tmp_path}/rules.py:Piles"
    text, _ = printed(capfd, "solve", game)
    assert text.startswith("Start [bold]3\\r[/bold] :smile:: ")
    assert "[/i]me\\n: [red]take\\x1b[2J " in text
    assert "\n[b]you[/b]\\x1b[2J to move " in text
    printed(capfd, "explain", game)
    json.loads(printed(capfd, "solve", game, "--json")[0])
    printed(capfd, "solve", game, "-o", str(tmp_path / "saved"))
    saved = str(tmp_path / "saved")
    text, _ = printed(capfd, "solve", "--trust-rules", saved, "--start", "[bold]3\r[/bold] :smile:")
    assert "\n[b]you[/b]\\x1b[2J to move " in text
    _, err = printed(capfd, "solve", f"{tmp_path}/rules.py:Failing", status=2)
    assert "\\x1b[2J[b]" in err


def test_colour_is_for_terminals_that_want_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["solve", "police"]) == 0
    plain = capsys.readouterr().out
    assert "\x1b" not in plain
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert run(["solve", "police"]) == 0
    coloured = capsys.readouterr().out
    assert "\x1b[1mPolice catches the thief\x1b[0m" in coloured
    assert click.unstyle(coloured).partition("Time:")[0] == plain.partition("Time:")[0]
    monkeypatch.setenv("NO_COLOR", "1")
    assert run(["solve", "police"]) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_the_thief_may_move_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "police:first=thief", "--plies", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    start = rs.solve(parse_game("police:first=thief"))
    outcome = start[start.start]
    assert lines[5] == "Police catches the thief"
    assert lines[6] == f"LOSS for the thief, who moves first; remoteness {outcome.remoteness} plies"
    assert lines[8].startswith("    1. thief: ")


def test_wide_letters_keep_columns_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    print_table([("将棋", "1"), ("ab\n", "20")], right=[1])
    assert capsys.readouterr().out == "将棋   1\nab\\n  20\n"

"""Standard streams that are full, closed, nobody reads or cannot encode: one sentence and a status."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

import retrosolve as rs
from retrosolve.cli import COMMANDS, run, streams

FULL = Path("/dev/full")
LIST = "source,target\n将棋,囲碁\n囲碁,将棋\n"
NO_SPACE = "retrosolve: cannot write to standard output: No space left on device\n"
CLOSED = "retrosolve: cannot write to standard output: Bad file descriptor\n"
PRINTING = """solve stones
plan stones --json
probe stones 7
stats stones
compare stones stones
verify stones
explain stones:n=4
play stones:n=4
check-solution examples/depth_first.py
check stones
games
--help
export --help
--version
solve stones --json""".splitlines()
# They write files, wait, or print something else than an answer.
SILENT = {"check-solution", "convert", "dataset", "export", "film", "pack", "plot", "serve"}


def shell(command: str, stdin: bytes = b"", **variables: str) -> tuple[int, str, str]:
    """Run a line of a shell in which $R is the program; return its status, stdout and stderr."""
    program = f"{sys.executable} -m retrosolve"
    done = subprocess.run(
        ["sh", "-c", command],
        check=False,
        input=stdin,
        capture_output=True,
        env=os.environ | {"R": program} | variables,
        timeout=120,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize("command", PRINTING)
def test_full_output_is_one_sentence_for_every_command(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert set(COMMANDS) <= {line.split()[0] for line in PRINTING} | SILENT
    with open(FULL, "wb") as full:
        raw = streams._Output(full.fileno(), "w", closefd=False)
        output = io.TextIOWrapper(io.BufferedWriter(raw), "utf-8")
        monkeypatch.setattr(sys, "stdout", output)
        monkeypatch.setattr(sys, "stdin", io.StringIO("1\n" * 9))
        assert run(command.split()) == 1
        assert capsys.readouterr().err == NO_SPACE
        output.close()  # writes what is left, and may not fail


@pytest.mark.parametrize(
    ("command", "status", "error"),
    [
        ("$R games > /dev/full", 1, NO_SPACE),
        ("$R games >&-", 1, CLOSED),
        ("$R games 2>&-", 0, ""),
        ("$R solve nothing 2>&-", 2, ""),
        ("$R solve nothing 2>/dev/full", 2, ""),
        ("$R solve stones <&- >&- 2>&-", 1, ""),
        ("$R solve stones 2>&- >/dev/null", 0, ""),
        ("$R solve - <&-", 2, "retrosolve: cannot read standard input: Bad file descriptor\n"),
        ("{ $R games; echo $? >&2; } | true", 0, "1\n"),
    ],
)
def test_streams_of_a_process(command: str, status: int, error: str) -> None:
    found = shell(command)
    assert (found[0], found[2]) == (status, error)


def test_closed_output_is_not_taken_by_another_file(tmp_path: Path) -> None:
    status, _, error = shell(f"$R solve stones:n=4 -o {tmp_path}/s.csv >&-")
    assert (status, error) == (1, CLOSED)
    assert rs.formats.read_solution(tmp_path / "s.csv")["4"] == (rs.Value.WIN, 3)


def test_names_that_cannot_be_encoded_are_escaped(tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text(LIST)
    command = f"$R probe {tmp_path}/g.csv - 2>&1"
    positions = "将棋\n".encode() + b"\xff\n"
    status, out, _ = shell(command, positions, PYTHONIOENCODING="utf-8")
    assert (status, out.splitlines()[0]) == (2, "将棋: DRAW, perfect play never ends")
    assert r"standard input, line 2: no vertex is named '\\xff'" in out
    status, out, _ = shell(f"$R solve {tmp_path}/g.csv", PYTHONIOENCODING="latin-1")
    assert status == 0
    assert r"\u5c06\u68cb" in out
    assert shell("$R games", PYTHONIOENCODING="ascii")[0] == 0

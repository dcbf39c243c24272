"""INPUT from files of any name and from standard input, and the notes about them."""

import io
import sys
from pathlib import Path

import pytest

from retrosolve.cli import run

BOARD = "3 3\nP..\n.*.\n..T\n"


@pytest.mark.parametrize("name", ["edges.txt", "edges", "edges.dat", "-"])
def test_the_content_decides(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for text, expected in (("# SNAP\n1\t2\n2\t3\n", "2 moves"), (BOARD, "Police catches the thief")):
        if name == "-":
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        else:
            Path(name).write_text(text)
        assert run(["solve", name]) == 0
        captured = capsys.readouterr()
        assert expected in captured.out
        assert captured.err == ""


def test_a_header_is_noted_and_can_be_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("g.csv").write_text("payer,payee\na,b\nb,c\n")
    counts = {}
    for option in ((), ("--header",), ("--no-header",)):
        assert run(["convert", "g.csv", "out.json", *option]) == 0
        counts[option] = capsys.readouterr().err
    assert counts[()].startswith("note: g.csv, line 1: 'payer,payee' is taken as an edge")
    assert counts[()].endswith("out.json: 5 positions, 3 moves\n")
    assert counts["--header",] == "out.json: 3 positions, 2 moves\n"
    assert counts["--no-header",] == "out.json: 5 positions, 3 moves\n"


def test_ids_are_labels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("g.txt").write_text("3 2\n1 2\n2 3\n")
    assert run(["solve", "g.txt", "--start", "1", "-o", "out.csv"]) == 0
    captured = capsys.readouterr()
    assert captured.err.startswith("note: g.txt, line 1: '3 2' is read as 3 vertices and 2 edges")
    assert Path("out.vertices.csv").read_text() == (
        "vertex,stuck,value,remoteness,best,start\n1,,loss,2,2,1\n2,,win,1,3,\n3,loss,loss,0,,\n"
    )
    assert run(["verify", "out.csv"]) == 0
